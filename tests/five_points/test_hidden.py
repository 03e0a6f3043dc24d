"""Hidden information: what is blanked, the full mask (sections 4 and 13), samples of the rest.

Bids, rabble, markers in the row and votes lie open, and no decision depends on anything hidden:
that a seat was asked, or was not, reveals nothing that the table does not show.
"""

from __future__ import annotations

import numpy as np
import pytest

from ..sampling import assert_same_distribution
from .scenes import GAME, at_turn, legal, phase, play


@pytest.mark.rule("FP-13.1", "FP-13.2")
def test_buildings_are_blanked_until_they_are_revealed():
    unseen = GAME.new_state(3, players=4)
    assert phase(unseen) == "SETUP"
    assert (unseen.building >= 0).all()
    assert GAME.redact(unseen, 2).building.tolist() == [-1, -1]
    assert unseen.rng != 0
    assert GAME.redact(unseen, 2).rng == 0
    seen = at_turn(buildings="ZC@3,SW@16")
    assert GAME.redact(seen, 2).building.tolist() == seen.building.tolist()


@pytest.mark.rule("FP-4.2")
def test_every_entry_of_the_mask_is_written():
    state = at_turn()
    mask = np.ones(GAME.num_actions, np.bool_)
    GAME.compiled.legal_actions(state, mask)
    assert [GAME.action_text(state, a) for a in np.flatnonzero(mask)] == legal(state)
    assert mask.sum() < GAME.num_actions


# --- samples against the true distribution --------------------------------------------------------

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
