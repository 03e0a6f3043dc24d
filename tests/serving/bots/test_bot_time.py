"""A bot's time: what counts against it, and how a bot that was late gets its seat back."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from gangland.envs import load
from gangland.serving.batching import Batcher, Late
from gangland.serving.bots import registry as bots_module
from gangland.serving.bots.registry import Offer
from gangland.serving.doors.http.app import create_app
from gangland.serving.matches.match import restore
from gangland.serving.settings import Limits, Settings
from gangland.serving.storage.journal import Entry
from tests.games import TOY
from tests.serving.client import BOT, HUMAN, Client
from tests.serving.servers import Odd, new_match

GAME = "chicago"


@pytest.fixture
def offering(tmp_path, monkeypatch):
    """A function that gives a client of a server that offers ``odd``, made as its arguments say."""
    opened = []

    def offer(make, game=GAME, **limits):
        settings = Settings(
            f"sqlite:///{tmp_path / 'm.db'}", limits=Limits(**{"rate": 0.0, **limits})
        )
        app = create_app(settings)
        listed = app.state.hub.bots.offers(game)
        listed["odd"] = Offer(load(game), "odd", "odd", "for a test")
        usual = bots_module.make
        monkeypatch.setattr(
            bots_module, "make", lambda spec, g: make() if spec == "odd" else usual(spec, g)
        )
        http = TestClient(app)
        opened.append(http)
        http.__enter__()
        return Client(http)

    yield offer
    for http in opened:
        http.__exit__(None, None, None)


def replacements(view):
    return [event["text"] for event in view["events"] if event["kind"] == "seat"]


# --- what counts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("door", ["seat", "substitute"])
def test_a_match_is_accepted_when_its_bots_are_loaded(offering, door):
    """Loading may take longer than a decision: nobody waits for the bot in a running match."""
    begun, loaded = threading.Event(), threading.Event()

    def make():
        begun.set()
        assert loaded.wait(60)
        return Odd(load(TOY))

    client = offering(make, TOY)
    odd = {"kind": "bot", "bot": "odd"}
    seats, more = (
        ([odd, HUMAN, BOT], {}) if door == "seat" else ([HUMAN] * 3, {"substitute": "odd"})
    )
    with ThreadPoolExecutor(1) as pool:
        creating = pool.submit(client.create, TOY, seats, **more)
        try:
            # The old server accepted the match first, and began to load when the bot had to decide.
            assert begun.wait(20)
            assert client.get("/matches")["matches"] == []
        finally:
            loaded.set()
        match, tokens = creating.result()
    assert client.get("/matches")["matches"][0]["match"] == match
    assert replacements(client.play_out(match, tokens)[1]) == []


def test_a_bot_that_cannot_be_loaded_takes_no_seat(offering):
    def make():
        raise RuntimeError("/secret/folder is empty")

    client = offering(make, TOY)
    answer = client.create(TOY, [{"kind": "bot", "bot": "odd"}, HUMAN, BOT], status=503)
    assert answer["message"] == "odd cannot be loaded"
    assert client.get("/matches")["matches"] == []
    match, tokens = client.create(TOY, [HUMAN] * 3)
    client.post(f"/matches/{match}/leave", {"bot": "odd"}, tokens[0], status=503)
    client.post(f"/matches/{match}/hint", {"bot": "odd"}, tokens[0], status=503)
    assert not client.view(match, tokens[0])["away"]


def test_waiting_for_a_thread_does_not_count(monkeypatch):
    """The alarm is set when the work begins, for as long as all of the batch's jobs may take."""
    alarms = []

    async def ask(pool, blocked, free):
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "call_later", lambda *alarm: alarms.append(alarm) or Alarm())
        batcher = Batcher(list, pool, size=2, seconds=7.0)
        asked = asyncio.gather(batcher.submit(1), batcher.submit(2))
        for _ in range(5):
            await asyncio.sleep(0)
        assert blocked.is_set()
        assert not alarms
        free.set()
        return await asked

    blocked, free = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: (blocked.set(), free.wait(60)))
        assert blocked.wait(20)
        assert asyncio.run(ask(pool, blocked, free)) == [1, 2]
    assert [alarm[0] for alarm in alarms] == [14.0]


class Alarm:
    """Never rings."""

    def cancel(self):
        pass


def test_a_slow_job_is_late_and_blocks_no_others():
    """Until the work ends, jobs are refused at once; then they are done as before."""
    end = threading.Event()

    def work(jobs):
        if "slow" in jobs:
            assert end.wait(60)
        return jobs

    async def ask(pool):
        batcher = Batcher(work, pool, size=1, seconds=0.05)
        slow = asyncio.ensure_future(batcher.submit("slow"))
        behind = asyncio.ensure_future(batcher.submit("behind"))
        for asked in (slow, behind, batcher.submit("later")):
            with pytest.raises(Late):
                await asked
        end.set()
        while batcher.late:
            await asyncio.sleep(0)
        return await batcher.submit("again")

    with ThreadPoolExecutor(1) as pool:
        assert asyncio.run(asyncio.wait_for(ask(pool), 60)) == "again"


# --- how it comes back ----------------------------------------------------------------------------


def test_a_bot_that_was_late_gets_its_seat_back(offering):
    answers, calls = threading.Event(), []

    def before():
        calls.append(None)
        if len(calls) == 2:  # the first is the trial when it is loaded
            assert answers.wait(60)

    client = offering(lambda: Odd(load(GAME), before), bot=0.5)
    match, tokens = client.create(GAME, [{"kind": "bot", "bot": "odd"}, HUMAN, BOT, BOT, BOT])

    def choose(view):
        # The person may decide before the bot does: then the bot has not been late yet.
        if replacements(view):
            answers.set()
        return view["legal"][-1]["id"]

    events = replacements(client.play_out(match, tokens, choose)[1])
    name = events[0].removeprefix("The bot is late; another bot plays on for ").removesuffix(".")
    assert events[:2] == [
        f"The bot is late; another bot plays on for {name}.",
        f"The bot is back as {name}.",
    ]


def test_a_bot_that_keeps_failing_does_not_return(offering):
    calls = []

    def before():
        calls.append(None)
        if len(calls) > 1:
            raise RuntimeError("no idea")

    client = offering(lambda: Odd(load(GAME), before))
    match, tokens = client.create(GAME, [{"kind": "bot", "bot": "odd"}, HUMAN, BOT, BOT, BOT])
    view = client.play_out(match, tokens)[1]
    verbs = [text.split()[2].rstrip(";") for text in replacements(view)]
    assert verbs == ["fails", "is", "fails", "is", "fails"]
    assert view["seats"][0]["bot"] == "random"


def bot_match():
    return new_match(GAME, kind="bot", players=2)


def decide(match, seat):
    """Play on until the seat has made a decision of which everybody may know."""
    while True:
        mover, in_secret = match.to_act, match.in_secret
        action = match.game.legal_actions(match.state)[0]
        match.apply(Entry("play", mover, action, "bot"))
        if mover == seat and not in_secret:
            return


def test_each_time_in_a_row_it_is_replaced_for_twice_as_long():
    match = bot_match()
    waits = []
    for _ in range(7):
        match.apply(Entry("leave", 0, by="clock", text="random"))
        waits.append(0)
        while not match.seats[0].returning:
            decide(match, 0)
            waits[-1] += 1
        assert match.seats[0].returning == "random"
        match.apply(Entry("return", 0, by="bot", text="random"))
        assert not match.seats[0].returning
    assert waits == [1, 2, 4, 8, 16, 32, 32]
    decide(match, 0)
    match.apply(Entry("leave", 0, by="clock", text="random"))
    decide(match, 0)
    assert match.seats[0].returning == "random"


def test_a_restored_match_knows_which_bot_is_to_return():
    match, journal = bot_match(), []

    def note(entry):
        journal.append(entry)
        match.apply(entry)

    def compare(returning):
        again = restore(match.setup, journal)
        assert again.seats == match.seats
        assert again.watches[-1].events == match.watches[-1].events
        assert again.seats[0].returning == returning

    for mover_by, returning in (("clock", "random"), ("bot", "")):
        note(Entry("leave", 0, by=mover_by, text="heuristic"))
        compare("")
        while not match.seats[0].absent:
            mover = match.to_act
            note(Entry("play", mover, match.game.legal_actions(match.state)[0], "bot"))
        compare(returning)  # the second time in a row it is not due yet
        if returning:
            note(Entry("return", 0, by="bot", text=returning))
            compare("")


def test_a_person_comes_back_to_a_seat_whose_bot_was_replaced():
    match = new_match(GAME)
    match.apply(match.leave(2, "heuristic"))
    match.apply(Entry("leave", 2, by="clock", text="random"))
    match.apply(match.come_back(2))
    assert match.seats[2].bot == ""
    assert match.seats[2].replaced == ""
    assert match.watches[2].events[-1].text.startswith("Person 2 is back as ")
