"""A potential for training: how near a seat is to victory, beside the others (G-15.7)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .rules.victory import progress

WHOLE = 12600.0
"""Progress of a seat that has won."""


@kernel
def potential(state: State, seat: int) -> float:
    """Progress of ``seat`` less the mean of the others', from -1 to 1.

    Potential-based shaping with it leaves the best play as it is (Ng, Harada and Russell, 1999).
    """
    own = 0.0
    others = 0.0
    for other in range(state.num_seats):
        share = progress(state, other) / WHOLE
        if other == seat:
            own = share
        else:
            others += share
    return own - others / (state.num_seats - 1)
