"""A damaged database or a full disk: said so, and nothing else is hurt."""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from gangland.serving.doors.http.app import create_app
from gangland.serving.settings import Limits, Settings
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, OPEN, Client


@pytest.fixture
def path(tmp_path):
    return tmp_path / "m.db"


def server(path):
    app = create_app(Settings(f"sqlite:///{path}", limits=Limits(rate=0.0)))
    return TestClient(app, raise_server_exceptions=False)


def change(path, statement, *values):
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


DAMAGE = {
    "set-up that is no JSON": "update matches set setup = '{' where match = ?",
    "set-up without seats": "update matches set setup = '{}' where match = ?",
    "set-up that is a list": "update matches set setup = '[1]' where match = ?",
    "entry that is no JSON": "update journal set entry = 'x' where match = ? and n = 0",
    "entry of an unknown kind": (
        """update journal set entry = '{"kind": "dance", "seat": 0}' where match = ? and n = 0"""
    ),
    "entry of no seat": (
        """update journal set entry = '{"kind": "play", "seat": 77}' where match = ? and n = 0"""
    ),
    "illegal action": (
        """update journal set entry = '{"kind": "play", "seat": 0, "action": 99}' """
        "where match = ? and n = 0"
    ),
    "missing entry": "delete from journal where match = ? and n = 0",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_match_is_left_out_and_the_others_go_on(path, caplog, statement):
    clock = {"per_decision": 600}
    with server(path) as http:
        client = Client(http)
        bad, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
        client.act(bad, tokens[0], 0, "swap")
        view = client.view(bad, tokens[1])
        client.act(bad, tokens[1], view["decision"], "pass")
        good, _ = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    change(path, statement, bad)
    with caplog.at_level(logging.WARNING), server(path) as http:
        client = Client(http)
        answer = client.view(bad, tokens[0], status=503)
        assert answer["message"] == "the match cannot be read"
        assert client.get("/matches")["matches"][0]["match"] == good
        hub = http.app.state.hub
        while good not in hub.rooms:  # resumed though nobody has asked for it
            http.portal.call(lambda: None)
    assert any(bad in record.getMessage() for record in caplog.records)


def test_damaged_list_entries_are_left_out(path, caplog):
    with server(path) as http:
        client = Client(http)
        bad, _ = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        good, _ = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        change(path, "update matches set info = '{\"match\": 7}' where match = ?", bad)
        assert [row["match"] for row in client.get("/matches")["matches"]] == [good]
    assert any(bad in record.getMessage() for record in caplog.records)


def test_damaged_numbers_do_not_stop_the_server(path):
    with server(path) as http:
        match, tokens = Client(http).create(TOY, [HUMAN, BOT, BOT])
        Client(http).play_out(match, tokens)
    change(path, "update matches set number = 'many' where match = ?", match)
    change(path, "update players set matches = 0 where bot = 1")
    with server(path) as http:
        client = Client(http)
        client.create(TOY, [HUMAN, HUMAN, HUMAN])
        rows = client.get("/leaderboard", game=TOY)["rows"]
        assert [row["bot"] for row in rows] == [False]
        assert rows[0]["rank"] == 1


@contextlib.contextmanager
def full_disk(hub):
    """SQLite says that the disk is full as soon as the file would grow."""
    engine = hub.disk.storage.engine

    def fill(connection, *_):
        pages = connection.execute("pragma page_count").fetchone()[0]
        connection.execute(f"pragma max_page_count={pages}")

    def free(connection, *_):
        connection.execute("pragma max_page_count=1000000")

    sa.event.listen(engine, "checkout", fill)
    try:
        yield
    finally:
        sa.event.remove(engine, "checkout", fill)
        sa.event.listen(engine, "checkout", free)


def test_a_full_disk_leaves_nothing_half_done(path):
    with server(path) as http:
        client = Client(http)
        hub = http.app.state.hub
        match, tokens = client.create(TOY, [HUMAN, HUMAN, OPEN])
        joined = client.post(f"/matches/{match}/join", {"name": "x" * 40})
        before = client.view(match, tokens[0])
        waiting, _ = client.create(TOY, [HUMAN, HUMAN, OPEN])
        with full_disk(hub):
            made = [client.http.post("/api/v1/matches", json=NEW) for _ in range(60)]
            statuses = [answer.status_code for answer in made]
            assert set(statuses[statuses.index(503) :]) == {503}
            assert made[-1].json()["code"] == "unavailable"
            assert "Traceback" not in made[-1].text
            assert made[-1].json()["message"] == "the match could not be stored"
            assert client.get(f"/matches/{waiting}")["status"] == "waiting"
        stored = len(client.http.get("/api/v1/matches?limit=100").json()["matches"])
        assert stored == statuses.count(201) + 2
        assert hub.quota.unfinished == stored
        client.act(match, tokens[0], before["decision"], "keep")
        client.post(f"/matches/{waiting}/join", {"name": "Late"})
        assert client.view(match, joined["token"])["status"] == "playing"
    with contextlib.closing(sqlite3.connect(path)) as database:
        rows = database.execute("select setup from matches").fetchall()
    assert len(rows) == stored
    assert all(json.loads(row[0])["game"] == TOY for row in rows)


NEW = {"game": TOY, "seats": [{"kind": "human", "name": "y" * 40}] * 3}


def test_a_decision_refused_by_a_full_disk_can_be_made_later(path):
    with server(path) as http:
        client = Client(http)
        match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN])
        hub = http.app.state.hub
        with full_disk(hub):
            while http.post("/api/v1/matches", json=NEW).status_code == 201:
                pass
            # A decision is small: pages with room are left. The journal is given none.
            hub.disk.storage.append = full
            answer = client.act(match, tokens[0], 0, "keep", status=503)
            assert answer["message"] == "the match could not be stored"
            del hub.disk.storage.append
        view = client.view(match, tokens[0])
        assert view["decision"] == 0
        client.act(match, tokens[0], 0, "keep")


def full(_lines):
    raise sa.exc.OperationalError("insert", {}, sqlite3.OperationalError("disk is full"))
