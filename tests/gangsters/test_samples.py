"""Samples of what is hidden against the true distribution, by rejection (G-18.8).

Many worlds differ in what is hidden; the same is bought and played in each, and those that the
viewer could not tell from his own are kept. Markers, chits and choices of the set-up are in them as
often as in samples.
"""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.gangsters.data import GANG_NAMES
from gangland.envs.gangsters.state import NONE

from ..sampling import assert_same_distribution
from .scenes import GAME, cop_turn, phase, play, run, scene, setup_scene
from .test_setup import TWELVE

MARKERS = ("holder", "slot_of", "slot_seat", "slot_time", "returned", "clock")
VIEWER = GANG_NAMES.index("Brown")
SAMPLES = 1500
HISTORY = (("Green", "bribe"), ("Red", "play 2"), ("Yellow", "bribe"))
"""Green buys a marker, Red plays officer 2, and only after that Yellow buys one."""


def starts():
    """Worlds before that, by the second marker of Red; Brown, who looks on, has marker 5."""
    others = (1, 3, 4, 6, 7, 8, 9)
    return [scene(f"Red markers=2,{other}", "Brown markers=5") for other in others]


def turns():
    """The bribe menu of each buyer and player of the history."""
    held = {"Red": ["Red markers=2"]}
    return [
        run(scene(*held.get(side, []), active=side, phase="COP_GANG", dice="1/1/1/1/1"))
        for side, _ in HISTORY
    ]


def happen(start, menus, chance):
    """The history with this world's markers and its own chance; None if it cannot happen."""
    state = start
    for (_, text), menu in zip(HISTORY, menus, strict=True):
        turn = GAME.clone(menu)
        for field in MARKERS:
            turn[field] = state[field]
        turn.rng = chance.integers(2**64, dtype=np.uint64)
        GAME.apply(turn, GAME.parse_action(turn, text))
        state = turn
    return state


def lies(state):
    """Markers of Red, Green and Yellow, unless the marker was shown and put back."""
    return tuple(tuple(np.flatnonzero(state.holder == gang).tolist()) for gang in range(3))


@pytest.mark.rule("G-18.8")
def test_samples_of_markers_have_the_true_distribution():
    """A chi-square test; with seeds drawn at random it would fail once in 10,000."""
    chance = np.random.default_rng(3)
    worlds, menus = starts(), turns()
    seen = happen(worlds[0], menus, chance)
    while [len(markers) for markers in lies(seen)] != [1, 1, 1]:
        seen = happen(worlds[0], menus, chance)
    known = GAME.redact(seen, VIEWER).tobytes()
    true = []
    while len(true) < SAMPLES:
        state = happen(worlds[chance.integers(len(worlds))], menus, chance)
        if GAME.redact(state, VIEWER).tobytes() == known:
            true.append(lies(state)[1:])
    samples = [GAME.resample_hidden(seen, VIEWER, seed) for seed in range(SAMPLES)]
    assert all(sample.holder[4] == VIEWER for sample in samples)
    kinds = assert_same_distribution(true, [lies(sample)[1:] for sample in samples])
    assert kinds > 30
    # Officer 2 was played after Green had bought: he cannot have it, Yellow can.
    assert {green for green, _ in true} == {(k,) for k in (0, 2, 3, 5, 6, 7, 8)}
    assert (1,) in {yellow for _, yellow in true}


CHITS = ("chit_slot", "chit_full", "chit_time", "chit_returned", "clock")
HIRED = ("hire", "hire", "chit x1", "hire")
"""The police hire twice, show x1, and hire again."""


def police_turns():
    """The menus of the police at which that happens."""
    buy = cop_turn(step="POLICE_PUBLIC")
    show = cop_turn("Police chits=x1", "public x1b@LP2<LP1 x2@NA5<NA4")
    return [show if text == "chit x1" else buy for text in HIRED]


def hired(menus, chance):
    """That history with its own chance; None if x1 was not hired, so that it cannot be shown."""
    state = menus[0]
    for text, menu in zip(HIRED, menus, strict=True):
        turn = GAME.clone(menu)
        for field in CHITS:
            turn[field] = state[field]
        turn.rng = chance.integers(2**64, dtype=np.uint64)
        if text == "chit x1" and turn.chit_slot[0] == NONE:
            return None
        state = play(turn, text)
    return state


@pytest.mark.rule("G-18.8", "G-10.6", "G-10.7")
def test_samples_of_chits_have_the_true_distribution():
    chance = np.random.default_rng(4)
    menus, seen = police_turns(), None
    while seen is None:
        seen = hired(menus, chance)
    known = GAME.redact(seen, VIEWER).tobytes()
    true = []
    while len(true) < SAMPLES:
        state = hired(menus, chance)
        if state is not None and GAME.redact(state, VIEWER).tobytes() == known:
            true.append(tuple(state.chit_slot.tolist()))
    samples = [GAME.resample_hidden(seen, VIEWER, seed) for seed in range(SAMPLES)]
    kinds = assert_same_distribution(true, [tuple(s.chit_slot.tolist()) for s in samples])
    # What lies there since before x1 was shown is another; the new one may be x1 again.
    assert kinds == 4


def set_up(chance):
    """All choices before Brown places his pieces; the others choose at random, each their own."""
    state = setup_scene(*TWELVE)
    while phase(state) != "PLACE" or state.seat != VIEWER:
        legal = GAME.legal_actions(state)
        if state.seat == VIEWER:
            play(state, "n 2")
        else:
            GAME.apply(state, int(chance.choice(legal)))
    return state


def chosen(state):
    """What the others have chosen: both strengths of each gang, the Commissioner's, the places."""
    return (
        *(tuple(state.strength[gang].tolist()) for gang in range(3)),
        int(state.c_strength),
        *(tuple(state.at[gang].tolist()) for gang in range(3)),
        tuple(state.strength[:3, 0].tolist()),
    )


@pytest.mark.rule("G-18.8", "G-18.5", "G-3.5", "G-3.6", "G-3.7")
def test_samples_of_the_set_up_have_the_true_distribution():
    """As if all others had chosen among their legal actions, each as likely as another."""
    chance = np.random.default_rng(5)
    worlds = [set_up(chance) for _ in range(SAMPLES)]
    known = [GAME.redact(world, VIEWER) for world in worlds]
    for record in known:
        record.ply = 0  # a choice that was forced is no decision
    assert len({record.tobytes() for record in known}) == 1
    samples = [GAME.resample_hidden(worlds[0], VIEWER, seed) for seed in range(SAMPLES)]
    true, drawn = (list(zip(*map(chosen, states), strict=True)) for states in (worlds, samples))
    kinds = [assert_same_distribution(*both) for both in zip(true, drawn, strict=True)]
    # Strengths that one can pay for, the Commissioner, three pieces in three joints, all leaders.
    assert kinds[3:7] == [5, 27, 27, 27]
    assert min(kinds[:3]) > 20
    assert kinds[7] > 100
