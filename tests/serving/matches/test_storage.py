"""The database."""

from __future__ import annotations

import dataclasses
import sqlite3
import time

import pytest
import sqlalchemy as sa

from gangland.arena.ratings.online import MU, SIGMA, rate_game
from gangland.serving.matches.match import restore
from gangland.serving.protocol import Clock
from gangland.serving.storage.database import Line, Storage, StorageError
from gangland.serving.storage.journal import Entry
from gangland.serving.storage.ratings import DRIFT, Outcome
from gangland.serving.storage.tables import SCHEMA
from tests.serving.made import new_match, played


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'm.db'}"


def line(n, entry, status="playing", outcomes=()):
    return Line("m", n, entry, status, "highcard", outcomes)


def test_a_second_server_on_the_same_file_is_warned_of(url, caplog, tmp_path):
    first = Storage(url)
    assert not caplog.records
    second = Storage(url)
    assert "another server uses the same SQLite file" in caplog.text
    first.close()
    second.close()
    caplog.clear()
    Storage(url).close()
    Storage("sqlite://").close()
    assert not caplog.records


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
