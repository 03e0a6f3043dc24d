"""Bots that remember at a server: they are shown what their seat has noticed of the match."""

from __future__ import annotations

import asyncio

import pytest

from gangland.serving.bots.registry import Bots
from gangland.serving.matches.coach import Coach
from gangland.serving.matches.driver import Driver
from gangland.serving.matches.room import Room
from gangland.serving.matches.watch import Watch
from gangland.serving.storage.journal import Entry
from tests.serving.made import new_match, played

REMEMBERS = """
needs_history = True


def act(view):
    assert view.history.known[-1].tobytes() == view.known.tobytes()
    return view.legal_actions[len(view.history) % len(view.legal_actions)]
"""


@pytest.fixture
def bots(tmp_path):
    (tmp_path / "mine.py").write_text(REMEMBERS)
    found = Bots(more=[("chicago", str(tmp_path / "mine.py"))])
    yield found
    found.close()


def test_it_decides_by_the_history_of_its_seat(bots):
    spec = next(spec for spec in bots.offers("chicago") if spec.endswith("mine.py"))
    match = new_match("chicago", kind="bot")
    for seat in match.seats:
        seat.bot = spec
    entries = []

    async def commit(room, entry, at):
        entries.append(entry)
        room.match.apply(entry)

    async def play():
        driver = Driver(bots, commit, lambda work: work, lambda room: True)
        for _ in range(60):
            await driver._step(Room(match))

    asyncio.run(play())
    assert {entry.kind for entry in entries} == {"play"}  # none was replaced because it failed
    assert len(entries) == 60


def test_advice_and_decisions_taken_back(bots):
    spec = next(spec for spec in bots.offers("chicago") if spec.endswith("mine.py"))
    match = new_match("chicago")
    played(match, 40)
    back = match.line[-1].seat
    match.apply(Entry("undo", back))
    seat = match.to_act
    history = match.history(seat)
    assert history.known[-1].tobytes() == match.watches[seat].known.tobytes()
    watch = Watch(match.game, seat, match.start())
    state = match.start()
    for ply, one in enumerate(match.line, 1):
        match.game.apply(state, one.action)
        watch.see(one.seat, one.action, state, ply)
    told = [line for lines in history.sentences for line in lines]
    assert told == [event.text for event in watch.events if event.kind == "game"]

    async def asked():
        return await Coach(bots, asyncio.create_task).advise(match, seat, spec)

    legal = match.game.legal_actions(match.state)
    assert asyncio.run(asked()).action.id == legal[len(history) % len(legal)]
