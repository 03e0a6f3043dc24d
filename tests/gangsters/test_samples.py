"""Samples of hidden markers against the true distribution, by rejection (G-18.8).

Many worlds differ in what is hidden; the same is bought and played in each, and those that the
viewer could not tell from his own are kept. Markers lie in them as often as in samples.
"""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.gangsters.data.tables import GANG_NAMES

from ..sampling import assert_same_distribution
from .scenes import GAME, run, scene

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
