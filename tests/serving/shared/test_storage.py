"""The database that several processes share."""

from __future__ import annotations

import dataclasses
import threading

import pytest
import sqlalchemy as sa

from gangland.serving.matches.match import restore
from gangland.serving.storage import postgres as module
from gangland.serving.storage.database import Line, OvertakenError, Storage, StorageError
from gangland.serving.storage.journal import Entry
from gangland.serving.storage.postgres import Changes, SharedStorage, open_storage
from gangland.serving.storage.ratings import Outcome
from gangland.serving.storage.tables import leases
from tests.serving.servers import new_match, played


@pytest.fixture
def two(url):
    """Two processes' connections to one database."""
    found = [open_storage(url) for _ in range(2)]
    for storage in found:
        assert isinstance(storage, SharedStorage)
        storage.beat()
    yield found
    for storage in found:
        storage.close()


def line(n, entry, match="m", status="playing", outcomes=()):
    return Line(match, n, entry, status, "highcard", outcomes)


def create(storage, name="m", kind="human"):
    match = new_match("highcard", kind=kind)
    match.setup = dataclasses.replace(match.setup, match=name)
    storage.create(match.setup, match.status, "{}", 1000.0)
    return match


def together(*work):
    """Run functions at the same time; what each raised."""
    start = threading.Barrier(len(work))
    raised = [None] * len(work)

    def run(k):
        start.wait()
        try:
            work[k]()
        except Exception as error:
            raised[k] = error

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return raised


def test_processes_that_start_together_create_the_tables_once(url):
    found = []
    assert together(*[lambda: found.append(open_storage(url))] * 6) == [None] * 6
    assert len({storage.server for storage in found}) == 6
    for storage in found:
        storage.close()


def test_a_match_is_read_by_another_process(two):
    first, second = two
    match = create(first)
    entries = played(match, 3)
    first.append([line(n, entry) for n, entry in enumerate(entries)])
    setup, journal = second.read("m")
    assert (setup, journal) == (match.setup, entries)
    assert restore(setup, journal).state.tobytes() == match.state.tobytes()
    assert second.changes([("m", 1), ("none", 0), ("m", 3)]) == [
        Changes(1, entries[1:]),
        Changes(0, []),
        Changes(3, []),
    ]


def test_only_one_process_stores_an_entry_with_a_number(two):
    create(two[0])
    for n in range(20):
        raised = together(
            *(
                lambda storage=storage, n=n, k=k: storage.append([line(n, Entry("play", 0, k))])
                for k, storage in enumerate(two)
            )
        )
        assert sorted(type(error) for error in raised if error) == [OvertakenError]
    _, journal = two[1].read("m")
    assert len(journal) == 20


def test_batches_of_the_same_matches_do_not_wait_for_each_other_forever(two):
    names = [f"m{k}" for k in range(20)]
    for name in names:
        create(two[0], name)
    batches = [
        [line(0, Entry("play", 0, 1), name) for name in order] for order in (names, names[::-1])
    ]
    raised = together(*(lambda s=s, b=b: s.append(b) for s, b in zip(two, batches, strict=True)))
    assert sum(error is None for error in raised) == 1
    assert sum(isinstance(error, OvertakenError) for error in raised) == 1


def test_players_of_two_matches_that_end_together_are_rated_twice(two):
    for k in range(10):
        for storage in two:
            create(storage, f"m{k}{storage.server}")
        outcomes = Outcome("Ann", False, 1, 1.0), Outcome("bot", True, 2, 0.0)
        raised = together(
            *(
                lambda s=s, k=k, outcomes=outcomes: s.append(
                    [line(0, Entry("play", 0, 1), f"m{k}{s.server}", "finished", outcomes)]
                )
                for s in two
            )
        )
        assert raised == [None, None]
    rows = two[0].leaderboard("highcard", 10)
    assert [row["matches"] for row in rows] == [20, 20]


def test_an_expired_match_takes_no_more_entries(two):
    first, second = two
    create(first)
    assert second.expire(2000.0, None) == ["m"]
    with pytest.raises(OvertakenError):
        first.append([line(0, Entry("play", 0, 1))])
    assert first.changes([("m", 0)]) == [Changes(0, [], expired=True)]
    assert first.bot_matches() == 0


def test_matches_are_listed_in_the_order_of_their_creation(two):
    for k in range(6):
        create(two[k % 2], f"m{k}")
    assert [row[0] for row in two[0].listed(None, None, 9)] == [f"m{k}" for k in range(5, -1, -1)]


# --- leases ---------------------------------------------------------------------------------------


def test_a_living_process_keeps_its_leases(two):
    first, second = two
    create(first)
    assert second.claim({"m": False}) == set()
    assert first.claim({"m": False}) == {"m"}
    first.release(["m"])
    assert second.claim({"m": False}) == {"m"}
    assert first.claim({"m": False}) == set()
    second.resign()
    assert first.claim({"m": False}) == {"m"}


def test_the_leases_of_a_silent_process_are_free(two, monkeypatch):
    first, second = two
    create(first)
    monkeypatch.setattr(module, "SILENCE", 0.0)
    assert second.claim({"m": False}) == {"m"}


def test_two_processes_never_get_the_same_lease(two, monkeypatch):
    # However long this machine stands still, neither of them is taken for dead.
    monkeypatch.setattr(module, "SILENCE", 3600.0)
    for k in range(20):
        create(two[0], f"m{k}", kind="bot")
    two[0].resign()
    for storage in two:
        storage.beat()
    found = []
    assert together(*(lambda s=s: found.append(s.adopt(15)) for s in two)) == [None, None]
    assert len(found[0]) + len(found[1]) == len({*found[0], *found[1]})
    assert sum(map(len, found)) >= 15


def test_only_matches_that_go_on_by_themselves_are_adopted(two):
    create(two[0], "people")
    create(two[0], "bots", kind="bot")
    assert two[0].bot_matches() == 1
    two[0].resign()
    assert two[1].adopt(10) == ["bots"]
    two[1].append([line(0, Entry("play", 0, 1), "bots", "finished")])
    assert two[0].bot_matches() == 0


def test_matches_of_an_earlier_version_get_leases(two, url):
    create(two[0], "people")
    create(two[0], "bots", kind="bot")
    with two[0].engine.begin() as connection:
        connection.execute(leases.delete())
    third = open_storage(url)
    third.beat()
    assert third.adopt(10) == ["bots"]
    assert third.claim({"people": False}) == {"people"}
    third.close()


def test_other_databases_and_drivers(url, tmp_path):
    assert type(open_storage(f"sqlite:///{tmp_path / 'm.db'}")) is Storage
    with pytest.raises(StorageError, match=r"postgresql\+psycopg"):
        open_storage(url.replace("+psycopg", "+pg8000"))
    with pytest.raises(StorageError, match="cannot be opened"):
        open_storage("postgresql+psycopg://nobody@/none?host=/nowhere")


def test_the_database_may_be_restarted(two, postgres):
    two[0].ping()
    postgres.stop("immediate")
    with pytest.raises(sa.exc.SQLAlchemyError):
        two[0].ping()
    postgres.start()
    two[0].ping()
    create(two[0])
    assert two[1].read("m") is not None
