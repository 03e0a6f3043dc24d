"""The database. Damaged, or on a full disk: said so, and nothing else is hurt."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import sqlite3
import time

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from gangland.arena.ratings.online import MU, SIGMA, rate_game
from gangland.serving.doors.http.app import create_app
from gangland.serving.matches.match import restore
from gangland.serving.protocol import Clock
from gangland.serving.settings import Limits, Settings
from gangland.serving.storage.database import Line, Storage, StorageError
from gangland.serving.storage.journal import Entry
from gangland.serving.storage.ratings import DRIFT, Outcome
from gangland.serving.storage.tables import SCHEMA
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, OPEN, Client
from tests.serving.servers import new_match, played


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'm.db'}"


def line(n, entry, status="playing", outcomes=()):
    return Line("m", n, entry, status, "highcard", outcomes)


def test_a_second_server_on_the_same_file_is_refused(url):
    first = Storage(url)
    with pytest.raises(StorageError, match="another server uses this SQLite file"):
        Storage(url)
    Storage("sqlite://").close()
    first.create(new_match("highcard").setup, "playing", "{}")
    first.close()
    Storage(url).close()


def test_setup_and_journal_are_read_as_they_were_written(url):
    match = new_match("highcard", clock=Clock(bank=60, increment=1), players=4)
    storage = Storage(url)
    storage.create(match.setup, match.status, "{}")
    entries = [*played(match, 3), Entry("leave", 2, text="random"), Entry("return", 2)]
    storage.append([line(n, entry) for n, entry in enumerate(entries)])
    storage.close()
    setup, journal = Storage(url).read("m")
    assert setup == match.setup
    assert journal == entries
    for entry in entries[3:]:
        match.apply(entry)
    again = restore(setup, journal)
    assert again.state.tobytes() == match.state.tobytes()
    assert [seat.decisions for seat in again.seats] == [seat.decisions for seat in match.seats]


def test_all_entries_are_stored_or_none(url):
    storage = Storage(url)
    match = new_match("highcard")
    storage.create(match.setup, match.status, "{}")
    storage.append([line(0, Entry("play", 0, 0))])
    with pytest.raises(sa.exc.IntegrityError):
        storage.append([line(1, Entry("play", 1, 0)), line(0, Entry("play", 0, 1))])
    assert storage.read("m")[1] == [Entry("play", 0, 0)]
    assert storage.read("other") is None


def test_tokens_are_not_in_the_database(url, tmp_path):
    match = new_match("highcard")
    assert match.seat_of("1") == 1
    Storage(url).create(match.setup, match.status, "{}")
    rows = sqlite3.connect(tmp_path / "m.db").execute("select setup from matches").fetchall()
    assert '"token": "1"' not in rows[0][0]
    assert match.setup.seats[1].token in rows[0][0]


def test_an_unknown_schema_is_refused(url, tmp_path):
    Storage(url).close()
    with sqlite3.connect(tmp_path / "m.db") as connection:
        connection.execute("update about set value = '99'")
    with pytest.raises(StorageError, match=f"schema 99, this version reads {SCHEMA}"):
        Storage(url)


def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    (tmp_path / "m.db").write_bytes(b"certainly not a database, but long enough" * 100)
    with pytest.raises(StorageError, match="not a database"):
        Storage(f"sqlite:///{tmp_path / 'm.db'}")


def test_the_leaderboard_rates_places(url):
    storage = Storage(url)
    match = new_match("highcard")
    storage.create(match.setup, match.status, "{}")
    outcomes = (
        Outcome("Ann", False, 1, 0.5),
        Outcome("Ann", True, 1, 0.5),
        Outcome("random", True, 3, 0.0),
        Outcome("random", True, 4, 0.0),
    )
    storage.append([line(0, Entry("play", 0, 0), "finished", outcomes)])
    rows = storage.leaderboard("highcard", 10)
    assert [(r["player"], r["bot"]) for r in rows[2:]] == [("random", True)]
    ann, bot = rows[0], rows[1]
    assert {ann["bot"], bot["bot"]} == {True, False}
    assert ann["rating"] == pytest.approx(bot["rating"])
    assert (ann["matches"], ann["wins"], ann["par"]) == (1, 0.5, 0.25)
    assert (rows[2]["matches"], rows[2]["wins"], rows[2]["par"]) == (1, 0.0, 0.5)
    assert storage.leaderboard("chicago", 10) == []


def test_a_player_alone_against_itself_keeps_its_rating(url):
    storage = Storage(url)
    storage.create(new_match("highcard").setup, "playing", "{}")
    outcomes = tuple(Outcome("random", True, place, 1.0 * (place == 1)) for place in (1, 2, 3))
    storage.append([line(0, Entry("play", 0, 0), "finished", outcomes)])
    (row,) = storage.leaderboard("highcard", 10)
    assert row["rating"] == pytest.approx(0)
    assert row["wins"] == 1


def rated(url, outcomes):
    """Mean and deviation of each player after one match."""
    storage = Storage(url)
    storage.create(new_match("highcard").setup, "playing", "{}")
    storage.append([line(0, Entry("play", 0, 0), "finished", outcomes)])
    return {row["player"]: (row["mu"], row["sigma"]) for row in storage.leaderboard("highcard", 9)}


def test_a_player_in_several_seats_is_rated_as_in_the_arena(url):
    outcomes = [Outcome(*o) for o in (("Ann", False, 1, 1.0), ("b", True, 2, 0), ("b", True, 3, 0))]
    skills = [(MU, SIGMA)] * 2
    rate_game(skills, [0, 1, 1], [1, 2, 3], drift=DRIFT)
    found = rated(url, tuple(outcomes))
    assert [found["Ann"], found["b"]] == skills
    assert found["Ann"][0] - MU == pytest.approx(MU - found["b"][0])


def test_a_match_that_a_cap_cut_off_is_a_draw(url):
    outcomes = tuple(Outcome(name, False, place, 0.0) for name, place in (("Ann", 1), ("Bob", 2)))
    found = rated(url, outcomes)
    assert found["Ann"] == pytest.approx(found["Bob"])
    assert found["Ann"][0] == pytest.approx(MU)


def test_a_database_with_schema_1_is_migrated(url, tmp_path):
    match = new_match("highcard")
    storage = Storage(url)
    storage.create(match.setup, match.status, "{}")
    storage.close()
    with sqlite3.connect(tmp_path / "m.db") as connection:
        connection.execute("alter table matches drop column touched")
        connection.execute("alter table matches drop column begun")
        connection.execute("update about set value = '1'")
    for _ in range(2):
        storage = Storage(url)
        assert storage.read("m") == (match.setup, [])
        assert storage.expire(time.time() - 60, None) == []
        storage.close()


def test_unused_matches_expire_and_begun_ones_much_later(url):
    storage = Storage(url)
    for name, kind in [("waits", "waiting"), ("plays", "playing"), ("begun", "playing")]:
        setup = dataclasses.replace(new_match("highcard").setup, match=name)
        storage.create(setup, kind, "{}", at=1000.0)
    entry = dataclasses.replace(line(0, Entry("play", 0, 0)), match="begun", begins=True)
    storage.append([entry])
    assert storage.expire(1000.0, 1000.0) == []
    assert storage.expire(None, None) == []
    storage.touch(["waits"], 2000.0)
    assert storage.expire(1500.0, 500.0) == ["plays"]
    assert storage.has_expired("plays")
    assert not storage.has_expired("waits")
    assert storage.expire(1500.0, 1500.0) == ["begun"]
    assert (storage.count("waiting"), storage.count("playing"), storage.count("expired")) == (
        1,
        0,
        2,
    )
    assert [row[0] for row in storage.listed(None, None, 10)] == ["waits"]
    assert [row[:2] for row in storage.listed(None, "expired", 1)] == [("begun", "expired")]


def test_the_least_recently_used_unplayed_matches_expire_first(url):
    storage = Storage(url)
    for k in range(5):
        setup = dataclasses.replace(new_match("highcard").setup, match=f"m{k}")
        storage.create(setup, "playing", "{}", at=1000.0 - k)
    storage.append([dataclasses.replace(line(0, Entry("play", 0, 0)), match="m4", begins=True)])
    assert storage.give_way(999.5, 2) == ["m3", "m2"]
    assert storage.give_way(999.5, 2) == ["m1"]
    assert storage.give_way(999.5, 2) == []


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
