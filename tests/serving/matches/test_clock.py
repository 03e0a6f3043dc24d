"""Time limits of people."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import time

import pytest

from gangland.serving.matches.hub import Hub
from gangland.serving.matches.rooms import LONGEST_STEP, STEP
from gangland.serving.protocol import NewMatch
from tests.games import TOY
from tests.serving.client import HUMAN, OPEN, human


def until(client, match, token, met, seconds=20):
    deadline = time.monotonic() + seconds
    view = client.view(match, token)
    while not met(view):
        assert time.monotonic() < deadline, view
        view = client.view(match, token, after=view["version"], wait=1)
    return view


def test_when_time_is_up_the_server_passes(client):
    """``keep`` is what this match calls passing; a random bot would swap half the time."""
    clock = {"per_decision": 0.15, "passes": ["keep", "pass"], "strikes": 100}
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    over = until(client, match, tokens[0], lambda v: v["status"] == "finished")
    texts = [event["text"] for event in over["events"] if event["kind"] == "game"]
    assert texts == [f"Player {seat} plays keep." for seat in range(3)]
    clocks = [event for event in over["events"] if event["kind"] == "clock"]
    assert [event["text"] for event in clocks] == ["Time is up: the server has decided."]


def test_the_clock_is_shown_to_whom_it_runs_for(client):
    clock = {"per_decision": 3600.0}
    began = time.monotonic()
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    left = client.view(match, tokens[0])["clock"]["left"]
    assert 3600.0 - (time.monotonic() - began) <= left <= 3600.0
    assert client.view(match, tokens[1])["clock"] is None


def test_a_person_who_is_late_too_often_is_replaced(client):
    clock = {"per_decision": 0.1, "expired": "bot", "strikes": 1}
    match, tokens = client.create(TOY, [human("Ann"), HUMAN, HUMAN], clock=clock)
    view = until(client, match, tokens[0], lambda v: v["away"] or v["status"] == "finished")
    assert "Ann leaves; a bot plays on for Player 0." in [e["text"] for e in view["events"]]


def test_an_action_in_time_stops_the_clock(client):
    clock = {"bank": 4.0, "increment": 3600, "strikes": 100}
    match, tokens = client.create(TOY, [HUMAN, HUMAN, HUMAN], clock=clock)
    client.act(match, tokens[0], 0, "keep")
    # The bank of seat 1 runs out, that of seat 0 does not.
    until(client, match, tokens[1], lambda v: any(e["kind"] == "clock" for e in v["events"]))
    first = client.view(match, tokens[0])
    assert not any(event["kind"] == "clock" for event in first["events"])


# --- by a clock of the test's own -----------------------------------------------------------------


class Time:
    """The event loop's time, which passes when the test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@contextlib.asynccontextmanager
async def server(settings, monkeypatch):
    """A hub, and a function that lets a number of seconds pass, in steps or as a standstill."""
    time = Time()
    monkeypatch.setattr(asyncio.get_running_loop(), "time", time)
    hub = Hub(settings)
    resuming = asyncio.create_task(hub.start())

    async def idle():
        """Until the server has done all that it can do without time passing."""
        for _ in range(5):
            await asyncio.sleep(0)
            await hub.disk.run(int)

    async def passes(seconds, step=STEP):
        while seconds > 0:
            time.now += min(step, seconds)
            seconds -= step
            await idle()

    await idle()
    try:
        yield hub, passes
    finally:
        resuming.cancel()
        await hub.stop()


def table(kinds=(HUMAN, HUMAN, HUMAN), **clock):
    return NewMatch.model_validate(
        {"game": TOY, "seats": list(kinds), "clock": {"passes": ["keep"], **clock}}
    )


async def seated(hub, wanted):
    return await hub.room((await hub.create(wanted)).match)


def late(room):
    """Seats for which the clock has decided."""
    return [played.seat for played in room.match.line if played.by == "clock"]


def timed(test):
    """Runs a coroutine with a server as a test."""

    @functools.wraps(test)
    def run(settings, monkeypatch):
        async def inside():
            async with server(settings, monkeypatch) as (hub, passes):
                await test(hub, passes)

        asyncio.run(inside())

    run.__signature__ = inspect.signature(lambda settings, monkeypatch: None)
    return run


@timed
async def test_time_runs_for_the_person_to_move_only(hub, passes):
    room = await seated(hub, table(bank=10.0))
    await passes(4)
    assert room.time_left() == pytest.approx(6.0, abs=0.1)
    await hub.act(room, 0, 0, "keep")
    assert room.time_left() == pytest.approx(10.0, abs=0.1)
    await passes(9)
    await hub.act(room, 1, 0, "keep")
    assert [seat.spent for seat in room.match.seats] == pytest.approx([4.0, 9.0, 0.0], abs=0.1)
    assert late(room) == []


@timed
async def test_the_clock_decides_when_time_is_up(hub, passes):
    room = await seated(hub, table(per_decision=10.0))
    await passes(9)
    assert late(room) == []
    await passes(2)
    assert late(room) == [0]
    await passes(20)
    assert late(room) == [0, 1, 2]
    assert room.match.status == "finished"


@timed
async def test_a_standstill_of_the_server_does_not_count(hub, passes):
    """The process was stopped for a day, or the machine slept."""
    room = await seated(hub, table(per_decision=10.0))
    await passes(3)
    await passes(86_400, step=86_400)
    assert late(room) == []
    assert 10.0 - 3.0 - LONGEST_STEP <= room.time_left() <= 7.0
    await hub.act(room, 0, 0, "keep")
    assert room.match.seats[0].spent <= 3.0 + LONGEST_STEP
    await passes(11)
    assert late(room) == [1]


@timed
async def test_time_until_everybody_is_there_does_not_count(hub, passes):
    room = await seated(hub, table((HUMAN, OPEN, HUMAN), per_decision=10.0))
    await passes(60)
    assert room.time_left() is None
    await hub.join(room, "Bob", None)
    assert room.time_left() == 10.0


@timed
async def test_leaving_and_returning_gains_no_time(hub, passes):
    room = await seated(hub, table(bank=10.0))
    await passes(6)
    room.match.apply(room.match.leave(0, "random"))  # and the bot has not decided yet
    room.ask()
    await passes(60)
    assert room.time_left() is None
    room.match.apply(room.match.come_back(0))
    room.ask()
    assert room.time_left() == pytest.approx(4.0, abs=0.1)


@timed
async def test_who_concedes_has_no_clock(hub, passes):
    room = await seated(hub, table(per_decision=10.0))
    await hub.concede(room, 0)
    await passes(9)
    await hub.wait_until(room, lambda: not room.match.bot_to_act, 30)
    await passes(9)
    assert 0 not in late(room)


@timed
async def test_after_a_restart_the_pending_decision_has_all_its_time_again(hub, passes):
    room = await seated(hub, table(bank=10.0))
    await passes(4)
    await hub.act(room, 0, 0, "keep")
    await passes(9)
    hub.rooms.drop(room)
    again = await hub.room(room.match.setup.match)
    assert again.time_left() == 10.0
    assert again.match.seats[0].spent == pytest.approx(4.0, abs=0.1)


@timed
async def test_who_takes_a_match_over_begins_its_time_again(hub, passes):
    """Its server may have been gone for long, and others could not play either."""
    room = await seated(hub, table(per_decision=10.0))
    room.begin_again()
    room.behind = 3600.0  # it was read before anybody had taken it
    room.ask()
    room.behind = 0.0
    assert room.time_left() == 0.0
    hub._driver.take(room)
    assert room.time_left() == 10.0
    await passes(9)
    assert late(room) == []
