"""A potential for training: how near a seat is to victory, beside the others (G-15.7)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .rules.victory import has_loyal_officer, progress
from .state import NONE, POLICE

WHOLE = 12600.0
"""Progress of a seat that has won."""


@kernel(leaf=True)
def may_win(state: State, seat: int) -> float:
    """Share of what a victory takes besides money or buildings that a seat has, 0 to 1.

    A gang needs its Racketeer, its Thug and its Vamp (G-1.3), the police their Commissioner and a
    loyal officer on the board (G-15.4).
    """
    if seat == POLICE:
        return ((state.c_at != NONE) + has_loyal_officer(state)) / 2
    return (
        (state.strength[seat, 0] > 0)
        + (state.strength[seat, 1] > 0)
        + (state.strength[seat, 2] > 0)
    ) / 3


@kernel
def potential(state: State, seat: int) -> float:
    """Way to victory of ``seat`` less the mean of the others', from -1 to 1.

    The way is the progress, half of which counts only as far as the seat may win at all: without
    that, police would gather cash without the officer with whom they win by it. Potential-based
    shaping leaves the best play as it is (Ng, Harada and Russell, 1999).
    """
    own = 0.0
    others = 0.0
    for other in range(state.num_seats):
        share = progress(state, other) / WHOLE * (0.5 + 0.5 * may_win(state, other))
        if other == seat:
            own = share
        else:
            others += share
    return own - others / (state.num_seats - 1)
