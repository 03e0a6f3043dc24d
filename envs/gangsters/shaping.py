"""A potential for training: how near a seat is to victory, beside the others (G-15.7)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .data.tables import COLOUR, COLOUR_COUNT, GRAY, JOINTS_TO_WIN
from .rules.common import joints_of, of_colour
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


@kernel(leaf=True)
def _nearest_colour(state: State, seat: int) -> float:
    """How near a gang is to all joints of one colour, 0 to 1 (G-15.3).

    The last joint is worth more than the first, and one that somebody else holds has to be taken.
    """
    best = 0.0
    for colour in range(GRAY):
        own = of_colour(state, seat, colour)
        missing = COLOUR_COUNT[colour] - own
        for building in range(len(state.owner)):
            held = state.owner[building] != NONE and state.owner[building] != seat
            missing += held and COLOUR[building] == colour
        best = max(best, own / (own + missing))
    return best * best


@kernel(leaf=True)
def _lead(state: State, seat: int, joints_count: bool, colours_count: bool) -> float:
    """Way to victory of ``seat`` less the mean of the others', from -1 to 1."""
    own = 0.0
    others = 0.0
    for other in range(state.num_seats):
        way = progress(state, other) / WHOLE
        if joints_count and other != POLICE:
            way = 1.0 - (1.0 - way) * (1.0 - joints_of(state, other) / JOINTS_TO_WIN)
        if colours_count and other != POLICE:
            way = 1.0 - (1.0 - way) * (1.0 - _nearest_colour(state, other))
        way *= 0.5 + 0.5 * may_win(state, other)
        if other == seat:
            own = way
        else:
            others += way
    return own - others / (state.num_seats - 1)


@kernel
def potential(state: State, seat: int) -> float:
    """Lead of ``seat`` over the others on the way to victory, from -1 to 1.

    The way is the progress, half of which counts only as far as the seat may win at all: without
    that, police would gather cash without the officer with whom they win by it. Potential-based
    shaping leaves the best play as it is (Ng, Harada and Russell, 1999).
    """
    return _lead(state, seat, False, False)


@kernel
def potential_with_joints(state: State, seat: int) -> float:
    """Like :func:`potential`, but a gang's joints bring it nearer even while its cash is ahead.

    Progress is that of the nearest way alone, which teaches gangs a race for cash: no joint
    seems worth its price until there are many.
    """
    return _lead(state, seat, True, False)


@kernel
def potential_with_colours(state: State, seat: int) -> float:
    """Like :func:`potential_with_joints`, and a colour that nears its last joint counts as well.

    Four red joints cost less than a quarter of the cash that wins, but the first three alone win
    nothing. Gangs that have learnt by the other two potentials neither go
    for a colour nor prevent it, and one that does wins half of the games among four of them.
    """
    return _lead(state, seat, True, True)
