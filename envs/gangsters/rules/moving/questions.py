"""Where a piece moves, question by question (G-6, G-9.10, G-9.14).

COP_ENTRY and COMM_ENTRY; COUNT, DEST, COP_DEST, PUBLIC_DEST, COMM_DEST, COP_VIA and APPROACH.
"""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data import PLAIN, PRICE, STREETS, SUBWAYS
from ...state import (
    APPROACH,
    COMM_DEST,
    COP_DEST,
    COP_ENTRY,
    COP_VIA,
    COUNT,
    CRIME,
    DEST,
    INFORMANTS,
    K_COMMISSIONER,
    K_COP,
    K_GANG,
    K_PUBLIC,
    NONE,
    POLICE,
    PUBLIC_DEST,
    STEP_COP_OVER,
    STEP_COP_STOP,
    STEP_DECIDE,
    STEP_RAID,
    STEP_SHOOTOUT,
)
from ..common import ask, officers_to_draw
from ..police.raids import begin_raid
from .walks import APPROACHES, DESTINATIONS, ONE_SWAP, SWAPS, keeps_facing, walk


@kernel(leaf=True)
def begin_public(state: State, public: int, menu: int) -> None:
    """A Public is to walk with the white die; a new one enters by its Subway (G-10.1)."""
    state.kind = K_PUBLIC
    state.piece = public
    state.mover = state.seat
    state.after_place = menu
    state.num_barred = 0
    state.transferred = 0
    state.steps = state.dice[3]
    state.node = state.public_at[public]
    state.facing = state.public_came[public]
    state.public_moved[public] = 1
    if state.node == NONE:
        state.node = SUBWAYS[state.dice[3] - 1]
        state.steps -= 1
    ask(state, PUBLIC_DEST, state.seat)


@kernel(leaf=True)
def is_entry(state: State, node: int, number: int) -> bool:
    """The Subway or headquarters by which police with this die come in (G-14.14)."""
    if node < STREETS:
        return node == SUBWAYS[number - 1]
    return state.owner[node - STREETS] == POLICE and PRICE[node - STREETS] == 100 * number


@kernel(leaf=True)
def legal_entry(state: State) -> None:
    """COP_ENTRY and COMM_ENTRY: Subway or headquarters by the die (G-14.14)."""
    number = state.dice[4] if state.phase == COP_ENTRY else state.dice[0]
    for node in range(STREETS + len(state.owner)):
        if is_entry(state, node, number):
            state.legal[act.GO + node] = 1


@kernel(leaf=True)
def decide_entry(state: State, action: int) -> None:
    """COP_ENTRY and COMM_ENTRY (G-9.10, G-14.17)."""
    officer = state.phase == COP_ENTRY
    if not officer and state.c_strength == 0:  # A new Commissioner.
        state.c_strength = 1
        state.c_at = action
        state.step = STEP_SHOOTOUT
        return
    state.node = action
    state.facing = NONE
    state.steps -= 1
    ask(state, COP_DEST if officer else COMM_DEST, state.seat)
    if officer and state.steps == 0:
        state.dest = action
        state.step = STEP_COP_STOP


@kernel(leaf=True)
def legal_walk(state: State) -> None:
    """Destinations, approaches, swaps and the die to move by (G-6, G-9.14, G-16.2)."""
    phase = state.phase
    legal = state.legal
    if phase == COUNT:
        own = state.steps
        state.steps = own + state.dice[3] + state.dice[4]
        legal[act.ALL_DICE] = 1 if walk(state, DESTINATIONS, 0, act.GO) > 0 else 0
        state.steps = own
        for node in range(act.END):
            legal[node] = 0
        legal[act.OWN_DIE] = 1
        return
    if phase == APPROACH:
        walk(state, APPROACHES, state.dest, act.GO)
        return
    if phase == COP_VIA:
        walk(state, SWAPS, 0, act.GO)
        return
    relief = phase == COP_DEST and state.steps > 0 and officers_to_draw(state, state.piece) > 0
    if relief and walk(state, SWAPS, 0, act.GO) > 0:
        for node in range(act.END):
            legal[node] = 0
        legal[act.VIA] = 1
    walk(state, DESTINATIONS, 0, act.GO)


@kernel(leaf=True)
def decide_walk(state: State, action: int) -> None:
    """Destinations, swaps, approaches and the die to move by (G-6, G-9.14)."""
    phase = state.phase
    seat = state.seat
    if phase == COUNT:
        if action == act.ALL_DICE:
            state.steps += state.dice[3] + state.dice[4]
        ask(state, COMM_DEST if state.kind == K_COMMISSIONER else DEST, seat)
        return
    if phase == COP_DEST and action == act.VIA:
        state.via = 1
        ask(state, COP_VIA, seat)
        return
    if phase == COP_VIA:
        walk(state, ONE_SWAP, action, act.GO)
        state.dest = action
        state.step = STEP_COP_STOP
        return
    if phase == APPROACH:
        state.facing = action
    else:
        state.dest = action
        if PLAIN[action]:
            ask(state, APPROACH, seat)
            return
        state.facing = NONE
    if state.kind == K_COP:
        state.step = STEP_COP_STOP
    else:
        arrive(state)


@kernel(leaf=True)
def arrive(state: State) -> None:
    """A gang piece, a Public or the Commissioner ends its move at ``dest``."""
    node = state.dest
    came = state.facing if keeps_facing(node) else NONE
    piece = state.piece
    if state.kind == K_GANG:
        state.at[state.mover, piece] = node
        state.came[state.mover, piece] = came
        state.moved[state.mover, piece] = 1
        ask(state, CRIME, state.mover)
    elif state.kind == K_PUBLIC:
        state.public_at[piece] = node
        state.public_came[piece] = came
        state.step = state.after_place
        if state.after_place == STEP_DECIDE:
            ask(state, INFORMANTS, POLICE)
    else:
        state.c_at = node
        state.c_came = came
        state.step = STEP_RAID if begin_raid(state) else STEP_COP_OVER
