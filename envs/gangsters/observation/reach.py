"""The kernels that fill in where each piece may go to with the dice of the turn."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..data import OFFICER_DICE, SUBWAYS
from ..data.reach import BY_SUBWAY, DICE, IN_BUILDINGS, ON_FOOT, POWER, POWERS, REACH
from ..state import GANGS, K_COMMISSIONER, K_COP, K_GANG, K_PUBLIC, NONE
from .ends import piece_ends, piece_here, police_ends, public_ends, public_here
from .layout import AT, BUILDING, BUILDING_SIZE
from .question import ABOUT_WHERE
from .relative import NINTH, WAYS, Vector

ONE: Final = np.float32(1.0)
WHITE: Final = 3
BLUE: Final = 4
"""Dice by which Publics and officers move; a gang piece moves by the one of its own number, and
the Commissioner by the first."""
COMMISSIONER_ROW: Final = len(OFFICER_DICE)
"""His row of the police's ends, behind those of the officers."""


@kernel(leaf=True)
def observe_reach(state: State, seat: int, out: Vector) -> None:
    """Who may go where with the dice of the turn; nothing before they are rolled.

    All set-up is over then, so that everybody may know where the pieces are.
    """
    if state.active == NONE or not state.dice[WHITE]:
        return
    moving = state.kind if state.phase in ABOUT_WHERE else NONE
    gang = state.active
    if gang < GANGS:
        for piece in range(3):
            if moving == K_GANG and piece == state.piece:
                put_moving(state, seat, K_GANG, piece, BY_SUBWAY, out)
            elif state.at[gang, piece] != NONE and not state.acted[gang, piece]:
                node, came = state.at[gang, piece], state.came[gang, piece]
                die = state.dice[piece]
                put_walk(state, seat, K_GANG, piece, BY_SUBWAY, node, came, die, out)
                if gang == seat:
                    piece_here(state, seat, piece, out)
    elif moving == K_COMMISSIONER:
        put_moving(state, seat, K_COMMISSIONER, 0, BY_SUBWAY, out)
    elif state.c_at != NONE and not state.moved_c:
        node, came, die = state.c_at, state.c_came, state.dice[0]
        put_walk(state, seat, K_COMMISSIONER, 0, BY_SUBWAY, node, came, die, out)
    for public in range(4):
        node = state.public_at[public]
        if moving == K_PUBLIC and public == state.piece:
            put_moving(state, seat, K_PUBLIC, public, ON_FOOT, out)
        elif node == NONE:
            # A gang's new one comes in by its Subway, which uses up the first step (G-10.1).
            if gang < GANGS and not state.new_public:
                left = state.dice[WHITE] - 1
                put_walk(state, seat, K_PUBLIC, public, ON_FOOT, SUBWAYS[left], NONE, left, out)
        elif not state.public_moved[public]:
            came, die = state.public_came[public], state.dice[WHITE]
            put_walk(state, seat, K_PUBLIC, public, ON_FOOT, node, came, die, out)
        if node != NONE:
            public_here(state, seat, public, out)
    for officer in range(10):
        if moving == K_COP and officer == state.piece:
            put_moving(state, seat, K_COP, officer, ON_FOOT, out)
        elif state.cop_at[officer] != NONE and not state.cop_done[officer]:
            node, came, die = state.cop_at[officer], state.cop_came[officer], state.dice[BLUE]
            put_walk(state, seat, K_COP, officer, ON_FOOT, node, came, die, out)


@kernel(leaf=True)
def put_moving(state: State, seat: int, kind: int, piece: int, transfers: int, out: Vector) -> None:
    """The reach of what is just moving, with the steps that it has left."""
    if 1 <= state.steps <= DICE and state.node != NONE:
        allowed = ON_FOOT if state.transferred else transfers
        node, came, steps = state.node, state.facing, state.steps
        put_walk(state, seat, kind, piece, allowed, node, came, steps, out)


@kernel(leaf=True)
def put_walk(
    state: State,
    seat: int,
    kind: int,
    piece: int,
    transfers: int,
    node: int,
    came: int,
    steps: int,
    out: Vector,
) -> None:
    """Where a walk can end (see :data:`REACH`): the buildings, and the best of all."""
    words = REACH[transfers, node, 0 if came == NONE else WAYS[node, came], steps]
    if kind == K_GANG:
        put_reach(words, BUILDING.reach + piece, ONE, out)
        if state.active == seat:
            piece_ends(state, seat, piece, words, out)
    elif kind == K_PUBLIC:
        put_reach(words, BUILDING.reach_publics + piece, ONE, out)
        public_ends(state, seat, piece, words, out)
    elif kind == K_COP:
        put_reach(words, BUILDING.reach_officers, OFFICER_DICE[piece] * NINTH, out)
        police_ends(state, seat, piece, words, out)
    else:
        put_reach(words, BUILDING.reach_commissioner, ONE, out)
        police_ends(state, seat, COMMISSIONER_ROW, words, out)


@kernel(leaf=True)
def put_reach(words: NDArray[np.int64], field: int, value: np.float32, out: Vector) -> None:
    """Add ``value`` in the rows of the buildings among the ends."""
    first = AT.buildings + field
    buildings = words[IN_BUILDINGS]
    while buildings:
        last = buildings & -buildings
        out[first + POWER[last % POWERS] * BUILDING_SIZE] += value
        buildings ^= last
