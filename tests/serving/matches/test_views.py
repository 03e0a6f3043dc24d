"""No view, event or frame knows more than its seat, for every game; bots see what it noticed."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.game import Result
from gangland.envs.core.history import known_to
from gangland.envs.core.state import NO_SEAT
from gangland.serving.bots.registry import Bots
from gangland.serving.matches.coach import Coach
from gangland.serving.matches.driver import Driver
from gangland.serving.matches.match import restore
from gangland.serving.matches.rooms import Room
from gangland.serving.matches.views import Wanted, frame, view
from gangland.serving.matches.watch import Watch
from gangland.serving.protocol import Clock
from gangland.serving.storage.journal import Entry
from tests.games import GAMES
from tests.serving.servers import new_match, played

# --- viewers --------------------------------------------------------------------------------------

ALL = Wanted(0, svg=True, text=True, observation=True, state=True)


@pytest.mark.parametrize("name", GAMES)
def test_redrawing_what_a_viewer_cannot_know_changes_nothing_in_its_view(name):
    """Views are the same whatever the others hold; a spectator's, whatever anybody holds."""
    match = new_match(name)
    game = match.game
    for step in range(3):
        if match.status != "playing":
            break
        seats = range(len(match.seats))
        for viewer in seats:
            shown = view(match, viewer, ALL)
            truth, watch = match.state, match.watches[viewer]
            sample = game.resample_hidden(truth, viewer, step)
            assert known_to(game, sample, viewer).tobytes() == watch.known.tobytes()
            match.state = sample
            watch._picture = (-1, "")
            assert view(match, viewer, ALL) == shown
            match.state = truth
            public = known_to(game, sample, NO_SEAT)
            assert public.tobytes() == match.watches[NO_SEAT].known.tobytes()
        shown = view(match, None, ALL)
        assert shown.legal == []
        assert shown.decision is None
        assert shown.observation is None
        assert int(shown.state["fields"]["rng"], 16) == 0
        played(match, 36, seed=step)


@pytest.mark.parametrize("name", GAMES)
def test_events_follow_from_what_the_viewer_knows(name):
    """Sentences, versions and frames are made from redacted records: the hidden rest is absent."""
    game = load(name)
    rng = np.random.default_rng(3)
    state = game.new_state(8)
    seats = [*range(game.num_seats(state)), NO_SEAT]
    watches = {viewer: Watch(game, viewer, state) for viewer in seats}
    blind = {viewer: Watch(game, viewer, known_to(game, state, viewer)) for viewer in seats}
    for ply in range(150):
        if game.is_over(state):
            break
        actor = game.seat_to_act(state)
        action = int(rng.choice(game.legal_actions(state)))
        game.apply(state, action)
        for viewer in seats:
            watches[viewer].see(actor, action, state, ply + 1)
            blind[viewer].see(actor, action, known_to(game, state, viewer), ply + 1)
    for viewer in seats:
        assert watches[viewer].events == blind[viewer].events
        assert watches[viewer].version == blind[viewer].version
        assert watches[viewer].frames == blind[viewer].frames
        assert watches[viewer].events, "something must have been shown"


def test_a_round_is_summed_up_again_after_going_back():
    game, rng = load("gangsters"), np.random.default_rng(3)
    state, actions = game.new_state(8), []
    watch, past = Watch(game, NO_SEAT, state), [game.clone(state)]

    def see(action):
        actor = game.seat_to_act(state)
        game.apply(state, action)
        watch.see(actor, action, state, len(past))
        past.append(game.clone(state))

    while not (watch.events and watch.events[-1].text.startswith("Round 2 ends: ")):
        actions.append(int(rng.choice(game.legal_actions(state))))
        see(actions[-1])
    first, back = watch.events[-1].text, len(actions) - 20
    watch.go_back(past.__getitem__, back)
    state = game.clone(past[back])
    del past[back + 1 :]
    for action in actions[back:]:
        see(action)
    assert watch.events[-1].text == first


def test_secret_decisions_are_not_counted_for_others():
    """Chicago's payments are secret, so is how many decisions they take (CU-13.3)."""
    match = new_match("chicago")
    rng = np.random.default_rng(0)
    hidden = 0
    while match.status == "playing":
        seat = match.to_act
        versions = {viewer: watch.version for viewer, watch in match.watches.items()}
        action = int(rng.choice(match.game.legal_actions(match.state)))
        match.apply(match.play(seat, match.seats[seat].decisions, action))
        for viewer, watch in match.watches.items():
            if viewer != seat and watch.version == versions[viewer]:
                hidden += 1
    assert hidden > 20
    assert match.watches[NO_SEAT].version < len(match.line)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_restored_from_its_journal_is_the_same_for_every_viewer(name):
    match = new_match(name)
    entries = played(match, 60)
    again = restore(match.setup, entries)
    assert again.state.tobytes() == match.state.tobytes()
    for viewer in [*range(len(match.seats)), None]:
        assert view(again, viewer, ALL) == view(match, viewer, ALL)


@pytest.mark.parametrize("name", GAMES)
def test_frames_of_a_running_match_are_what_the_viewer_saw(name):
    match = new_match(name)
    seen = {viewer: [] for viewer in match.watches}
    for viewer, watch in match.watches.items():
        seen[viewer].append(match.game.svg(watch.known, viewer, []))
    for step in range(25):
        if match.status != "playing":
            break
        before = {viewer: watch.version for viewer, watch in match.watches.items()}
        played(match, 1, seed=step)
        for viewer, watch in match.watches.items():
            if watch.version != before[viewer]:
                seen[viewer].append(watch.known.tobytes())
    if match.status == "finished":
        return
    for viewer in (0, None):
        key = NO_SEAT if viewer is None else viewer
        shown = frame(match, viewer, len(seen[key]) - 1)()
        assert shown.frames == len(seen[key]) == view(match, viewer, Wanted()).frames
        assert shown.action is None
        assert shown.actor is None
        assert not shown.open
        last = shown.events[-1] if shown.events else ""
        assert shown.svg == match.game.svg(match.watches[key].known, key, [], last)


def test_the_clock_is_shown_only_to_its_owner():
    match = new_match("highcard", clock=Clock(per_decision=9))
    assert match.time_left() == 9
    assert view(match, 0, Wanted(), 9.0).clock.left == 9
    assert view(match, 1, Wanted(), 9.0).clock is None
    assert view(match, None, Wanted(), 9.0).clock is None


def test_clocks_count_turns_and_the_whole_match():
    match = new_match("highcard", clock=Clock(per_turn=10, bank=30, increment=2))
    match.apply(match.play(0, 0, "swap", spent=4.0))  # then seat 1 may challenge
    assert match.time_left() == 10
    match.apply(match.play(1, 0, "pass", spent=3.0))  # its own turn follows at once
    assert match.time_left() == 7
    assert match.seats[0].spent == 2
    match.seats[1].spent = 28.5
    assert match.time_left() == 1.5
    assert new_match("highcard").time_left() is None


def test_a_frame_is_drawn_as_it_was_when_it_was_asked_for():
    """A thread draws it while a decision is taken back and others are made."""
    match = new_match("chicago")
    played(match, 60)
    draw = frame(match, 0, len(match.watches[0].frames) - 1)
    before = draw()
    match.apply(Entry("undo", 0))
    assert draw() == before
    played(match, 80, seed=4)
    assert draw() == before


@pytest.mark.parametrize(
    ("name", "winners", "words"),
    [
        ("five_points", [0], "Dead Rabbits win"),
        ("gangsters", [0], "Red wins"),
        ("chicago", [0], "Capone wins"),
        ("chicago", [4], "Saltis wins"),
        ("chicago", [0, 4], "Capone and Saltis win"),
    ],
)
def test_the_last_sentence_agrees_with_who_wins(name, winners, words, monkeypatch):
    match = new_match(name)
    places = tuple(1 if k in winners else 2 for k in range(len(match.seats)))
    nothing = (0,) * len(places)
    won = Result(nothing, nothing, places, nothing, capped=False)
    monkeypatch.setattr(match.game, "result", lambda state: won)
    assert match._ending() == f"The match is over: {words}."


# --- bots that remember ---------------------------------------------------------------------------

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
