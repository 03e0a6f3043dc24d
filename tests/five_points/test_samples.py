"""Samples of what nobody knows against the true distribution (section 13).

Bids, rabble, markers in the row and votes lie open, and no decision depends on anything hidden:
that a seat was asked, or was not, reveals nothing that the table does not show.
"""

from __future__ import annotations

import numpy as np
import pytest

from ..sampling import assert_same_distribution
from .scenes import GAME, at_turn, play

DRAWN = 2500


@pytest.mark.rule("FP-13.1", "FP-3.5")
@pytest.mark.parametrize("placed", [0, 1])
def test_samples_of_buildings_are_as_in_games_from_other_seeds(placed):
    """A chi-square test; with seeds drawn at random it would fail once in 10,000."""
    seen = GAME.new_state(5, players=3)
    if placed:
        play(seen, "tile 4")
    true = [tuple(GAME.new_state(seed, players=3).building.tolist()) for seed in range(DRAWN)]
    samples = (GAME.resample_hidden(seen, 1, seed) for seed in range(DRAWN))
    drawn = [tuple(sample.building.tolist()) for sample in samples]
    assert assert_same_distribution(true, drawn) == 9 * 8


@pytest.mark.rule("FP-13.3", "FP-11.3")
def test_samples_of_future_rows_are_as_with_other_chance():
    """A chi-square test; with seeds drawn at random it would fail once in 10,000."""
    chance = np.random.default_rng(8)
    start = at_turn(n=3, passed="01", actor=2, marker_set="demo18", bids="0 1x1")
    rows = []
    for sampled in (False, True):
        rows.append([])
        for seed in range(DRAWN):
            state = GAME.resample_hidden(start, 0, seed) if sampled else GAME.clone(start)
            if not sampled:
                state.rng = chance.integers(2**64, dtype=np.uint64)
            play(state, "pass")
            rows[-1].append(tuple(sorted(state.row[:2].tolist())))
    assert assert_same_distribution(*rows) > 60
