"""Clocks, replacements and messages do not reveal that a rival decided in secret (CU-13.4).

A raid in Chicago Underworld: the owner may buy it off if its cards allow, else it is not asked.
Nobody else may know which of the two it was.
"""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from gangland.agents.decision import Decision
from gangland.envs.core.state import NO_SEAT, SOMEBODY
from gangland.serving.bots.registry import BotLateError
from gangland.serving.errors import ServingError
from gangland.serving.matches.driver import Driver
from gangland.serving.matches.match import MOST_SAID, Match
from gangland.serving.matches.rooms import Room
from gangland.serving.matches.watch import Watch
from gangland.serving.protocol import Clock
from gangland.serving.storage.journal import Entry, SeatSetup, Setup, token_hash
from tests.chicago.scenes import GAME, scene
from tests.scenes import dice

RAIDED = {"own": {1: "KH"}, "options": {"bribe": 25}}


def raid(asked, owner="human", clock=None):
    """A match before seat 0 raids seat 1, which is then asked or not."""
    hands = {0: "R", 1: "TTT" if asked else "222"}
    state = scene(chance=dice(5), hands=hands, **RAIDED)
    seats = tuple(
        SeatSetup("bot", bot="odd")
        if k == 1 and owner == "bot"
        else SeatSetup("human", f"Person {k}", token=token_hash(str(k)))
        for k in range(5)
    )
    options = GAME.read_options(state)
    match = Match(
        Setup(
            "m", "chicago", GAME.rules_version, options, 0, seats, clock, "random", True, True, ""
        )
    )
    match.state = state
    match._look()
    match.watches = {viewer: Watch(GAME, viewer, state) for viewer in match.watches}
    return match


def decide(match, text, by="human", spent=0.0):
    action = GAME.parse_action(match.state, text)
    match.apply(Entry("play", match.to_act, action, by, spent))


def seen_by(match, viewer):
    watch = match.watches[viewer]
    return [event.text for event in watch.events], watch.version, len(watch.frames)


def test_the_scene_has_a_secret_decision():
    secret, plain = raid(asked=True), raid(asked=False)
    for match in (secret, plain):
        assert not match.in_secret
        decide(match, "raid KH")
    assert (secret.to_act, secret.in_secret) == (1, True)
    assert (plain.to_act, plain.in_secret) == (0, False)


def test_nothing_is_shown_while_a_bot_decides_in_secret():
    """Whoever is not asked can see a person think, but a bot answers at once."""
    match = raid(asked=True, owner="bot")
    others = [v for v in (*range(5), None) if v != 1]
    before = {v: seen_by(match, NO_SEAT if v is None else v) for v in others}
    decide(match, "raid KH")
    for viewer in others:
        assert match.is_held(viewer)
        events, version, frames = seen_by(match, NO_SEAT if viewer is None else viewer)
        assert (events, frames) == (before[viewer][0], before[viewer][2])
        assert version == before[viewer][1] + (viewer == 0)  # its own decision
    decide(match, GAME.action_text(match.state, GAME.legal_actions(match.state)[0]), "bot")
    assert not any(match.is_held(viewer) for viewer in others)


@pytest.mark.parametrize("speaker", [0, 1, 2])
def test_what_is_said_does_not_show_who_was_asked(speaker):
    """Neither its place among the events nor whether it can be said."""
    told = []
    for asked in (True, False):
        match = raid(asked)
        decide(match, "raid KH")
        for _ in range(MOST_SAID):
            match.apply(match.say(speaker, "ouch"))
        with pytest.raises(ServingError, match="the most that a seat can say"):
            match.say(speaker, "ouch")
        if asked:
            assert not any(event.kind == "say" for event in match.watch(3).events)
            decide(match, "no")
        told.append([seen_by(match, viewer) for viewer in (0, 2, 3, 4, NO_SEAT)])
    assert told[0] == told[1]
    assert sum(event.kind == "say" for event in match.watch(3).events) == MOST_SAID


def pending(view):
    return view["status"] == "playing" and view["state"]["fields"]["seat"] == SOMEBODY


def test_a_person_against_bots_is_never_shown_that_one_of_them_decides_in_secret(client):
    seats = [{"kind": "human"}, *[{"kind": "bot", "bot": "random"}] * 4]
    match, tokens = client.create("crime_lords", seats, seed=5)
    view, shown = client.asked(match, tokens[0], state=True), 0
    while view["status"] == "playing" and shown < 300:
        chosen = view["legal"][shown % len(view["legal"])]["id"]
        view = client.act(match, tokens[0], view["decision"], chosen, state=True)
        assert not pending(view)
        assert not pending(client.view(match, tokens[0], state=True))
        view, shown = client.asked(match, tokens[0], state=True), shown + 1
    assert shown > 200


def test_a_spectator_of_bots_is_never_shown_that_one_of_them_decides_in_secret(client):
    match, _ = client.create("crime_lords", [{"kind": "bot", "bot": "random"}] * 5, seed=5)
    versions = set()
    for _ in range(300):
        view = client.view(match, state=True)
        assert not pending(view)
        versions.add(view["version"])
    assert len(versions) > 20


def test_a_secret_decision_does_not_start_a_new_turn():
    left = []
    for asked in (True, False):
        match = raid(asked, clock=Clock(per_turn=60, bank=600))
        decide(match, "raid KH", spent=10.0)
        if asked:
            decide(match, "no", spent=5.0)
        assert match.to_act == 0
        left.append(match.time_left())
        decide(match, "hire", spent=7.0)
        assert match.seats[0].turn_spent == 17.0
    assert left == [50.0, 50.0]


def test_only_open_decisions_count_as_strikes():
    match = raid(asked=True)
    match.seats[1].strikes = 1
    decide(match, "raid KH", by="clock")
    assert match.seats[0].strikes == 1
    decide(match, "no", by="clock")
    assert match.seats[1].strikes == 1
    match = raid(asked=True)
    match.seats[1].strikes = 1
    decide(match, "raid KH")
    decide(match, "no")
    assert match.seats[1].strikes == 1


def test_server_messages_keep_their_place_among_the_events():
    """Somebody leaves right after the raid, whether or not the owner has yet to be asked."""
    shown = []
    for asked in (True, False):
        match = raid(asked)
        decide(match, "raid KH")
        match.apply(match.leave(3, "random"))
        if asked:
            assert seen_by(match, 2) == ([], 0, 2)
            decide(match, "no")
        shown.append([seen_by(match, viewer) for viewer in (0, 2, 3, 4, NO_SEAT)])
    assert shown[0] == shown[1]
    assert shown[0][0][0][-1] == "Person 3 leaves; a bot plays on for Moran."


class Slow:
    """Bots of a server of which one is late."""

    threads = 1

    async def remembers(self, game, spec):
        return False

    async def ask(self, game, spec, question):
        if spec == "odd":
            raise BotLateError("odd is late")
        return Decision(int(np.flatnonzero(question.action_mask)[0]))


def drive(match, bots):
    """Let the driver make the decision; the entries that it stored."""
    entries = []

    async def commit(room, entry, at):
        assert at == room.match.entries
        entries.append(entry)
        room.match.apply(entry)

    async def step():
        await Driver(bots, commit, lambda work: work, lambda room: True)._step(Room(match))

    asyncio.run(step())
    return entries


@pytest.mark.parametrize("returning", [False, True])
def test_bots_are_replaced_and_return_only_at_open_decisions(returning):
    match = raid(asked=True, owner="bot")
    if returning:
        match.apply(Entry("leave", 1, by="clock", text="random"))
        match.seats[1].absent = 1
        assert match.seats[1].returning == "odd"
    decide(match, "raid KH")
    before = [(seat.bot, seat.lates, seat.failures, seat.absent) for seat in match.seats]
    (entry,) = drive(match, Slow())
    assert (entry.kind, entry.seat, entry.by) == ("play", 1, "bot")
    assert before == [(seat.bot, seat.lates, seat.failures, seat.absent) for seat in match.seats]


def test_a_late_bot_is_replaced_at_an_open_decision():
    match = raid(asked=False, owner="bot")
    decide(match, "raid KH")
    while match.to_act != 1:
        decide(match, GAME.action_text(match.state, GAME.legal_actions(match.state)[0]))
    assert not match.in_secret
    leave, play = drive(match, Slow())
    assert (leave.kind, leave.by, play.kind) == ("leave", "clock", "play")
