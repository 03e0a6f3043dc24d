"""The kernels that fill in which building each piece may go to with the dice of the turn."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.kernel import kernel
from ...core.state import State
from ..data.reach import BY_SUBWAY, DICE, ON_FOOT, REACH
from ..data.tables import (
    BUILDINGS,
    OFFICER_DICE,
    SUBWAYS,
)
from ..state import GANGS, K_COMMISSIONER, K_COP, K_GANG, K_PUBLIC, NONE
from .layout import AT, BUILDING, BUILDING_SIZE
from .question import ABOUT_WHERE
from .relative import NINTH, WAYS, Vector

BITS: Final = 67
"""The powers of two up to 2**62 leave different remainders by this."""
ROW_OF_BIT: Final = np.zeros(BITS, np.int16)
"""int16 (67,): where a building's row begins, by the remainder of its bit."""
for _building in range(BUILDINGS):
    ROW_OF_BIT[(1 << _building) % BITS] = _building * BUILDING_SIZE

ONE: Final = np.float32(1.0)
WHITE: Final = 3
BLUE: Final = 4
"""Dice by which Publics and officers move; a gang piece moves by the one of its own number, and
the Commissioner by the first."""


@kernel(leaf=True)
def observe_reach(state: State, out: Vector) -> None:
    """Who may go where with the dice of the turn; nothing before they are rolled."""
    if state.over or state.active == NONE or not state.dice[WHITE]:
        return
    moving = state.kind if state.phase in ABOUT_WHERE else NONE
    gang = state.active
    if gang < GANGS:
        for piece in range(3):
            if moving == K_GANG and piece == state.piece:
                put_moving(state, BY_SUBWAY, BUILDING.reach + piece, ONE, out)
            elif state.at[gang, piece] != NONE and not state.acted[gang, piece]:
                node, came = state.at[gang, piece], state.came[gang, piece]
                field = BUILDING.reach + piece
                put_reach(BY_SUBWAY, node, came, state.dice[piece], field, ONE, out)
    elif moving == K_COMMISSIONER:
        put_moving(state, BY_SUBWAY, BUILDING.reach_commissioner, ONE, out)
    elif state.c_at != NONE and not state.moved_c:
        field = BUILDING.reach_commissioner
        put_reach(BY_SUBWAY, state.c_at, state.c_came, state.dice[0], field, ONE, out)
    for public in range(4):
        field = BUILDING.reach_publics + public
        if moving == K_PUBLIC and public == state.piece:
            put_moving(state, ON_FOOT, field, ONE, out)
        elif state.public_at[public] == NONE:
            # A gang's new one comes in by its Subway, which uses up the first step (G-10.1).
            if gang < GANGS and not state.new_public:
                steps = state.dice[WHITE] - 1
                put_reach(ON_FOOT, SUBWAYS[steps], NONE, steps, field, ONE, out)
        elif not state.public_moved[public]:
            node, came = state.public_at[public], state.public_came[public]
            put_reach(ON_FOOT, node, came, state.dice[WHITE], field, ONE, out)
    for officer in range(10):
        size = OFFICER_DICE[officer] * NINTH
        if moving == K_COP and officer == state.piece:
            put_moving(state, ON_FOOT, BUILDING.reach_officers, size, out)
        elif state.cop_at[officer] != NONE and not state.cop_done[officer]:
            node, came = state.cop_at[officer], state.cop_came[officer]
            put_reach(ON_FOOT, node, came, state.dice[BLUE], BUILDING.reach_officers, size, out)


@kernel(leaf=True)
def put_moving(state: State, transfers: int, field: int, value: np.float32, out: Vector) -> None:
    """The reach of what is just moving, with the steps that it has left."""
    if 1 <= state.steps <= DICE and state.node != NONE:
        allowed = ON_FOOT if state.transferred else transfers
        put_reach(allowed, state.node, state.facing, state.steps, field, value, out)


@kernel(leaf=True)
def put_reach(
    transfers: int, node: int, came: int, steps: int, field: int, value: np.float32, out: Vector
) -> None:
    """Add ``value`` in the rows of the buildings that a walk can end in (see :data:`REACH`)."""
    first = AT.buildings + field
    buildings = REACH[transfers, node, 0 if came == NONE else WAYS[node, came], steps]
    while buildings:
        last = buildings & -buildings
        out[first + ROW_OF_BIT[last % BITS]] += value
        buildings ^= last
