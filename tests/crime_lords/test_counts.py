"""By how much a Racket raises a count, against the counts before and after (CL-20.1 to CL-20.3)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.kernel import kernel
from gangland.envs.core.state import State
from gangland.envs.crime_lords.rules.mob.derived import (
    count_gain,
    refresh_counts,
    refresh_rackets,
)
from gangland.envs.crime_lords.state import int64

DEALS = 40


@kernel
def recount(state: State) -> None:
    """Work the counts of all seats out from who holds which Racket."""
    for seat in range(state.num_seats):
        refresh_rackets(state, seat)
    refresh_counts(state)


@kernel
def gain_of(state: State, seat: int, racket: int) -> int:
    """Leaf kernels can only be called by kernels."""
    return int64(count_gain(state, seat, racket))


def count(state):
    """The counts of all seats."""
    recount(state)
    return state.count.copy()


@pytest.mark.rule("CL-20.1", "CL-20.2", "CL-20.3")
@pytest.mark.parametrize("bonus_counts", [True, False])
def test_what_a_racket_adds_to_a_count(game, bonus_counts):
    """Rackets are dealt at random, most to seat 0; it then takes each of the others."""
    rng = np.random.default_rng(6)
    gains = set()
    for _ in range(DEALS):
        state = game.new_state(1, players=3, bonus_counts=bonus_counts)
        state.racket_loc[:] = rng.choice(
            [-1, 0, 1, 2], len(state.racket_loc), p=[0.3, 0.4, 0.2, 0.1]
        )
        before = count(state)
        for racket in np.flatnonzero(state.racket_loc != 0):
            after = game.clone(state)
            after.racket_loc[racket] = 0
            gain = int(count(after)[0] - before[0])
            assert gain_of(state, 0, int(racket)) == gain
            gains.add(gain)
    assert gains == ({1, 2, 3, 4} if bonus_counts else {1})
