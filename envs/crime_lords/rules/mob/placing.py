"""Placing Crooks: at or below a superior, displaced, in a clash, moved (CL-5.10 to 5.13)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.kernel import kernel
from ....core.state import State
from ...actions import CROOK_AT, PLACE_AT
from ...state import (
    CLASH,
    CROOKS,
    DISPLACE,
    DROP_WHO,
    MOVE_TO,
    MOVE_WHO,
    NONE,
    SIDES,
    STEP_SUB_NEXT,
    STEP_SUB_SIDE,
    int64,
)
from .grid import (
    ask,
    below,
    can_move,
    cell_free,
    lieutenants,
    lift,
    lowest,
    own_power,
    push,
    set_place,
    subtree,
    subtree_to_centre,
    touch,
)
from .settle import begin_settle


@kernel(leaf=True)
def legal_place(state: State, mask: NDArray[np.bool_]) -> None:
    """Places of a Crook, sides of a displaced one, cards to lose in a clash (CL-5.10 to 5.13)."""
    seat = state.place_seat
    if state.phase == DISPLACE:
        crook = lowest(state.displaced)
        superior = state.superior[crook]
        for side in range(SIDES):
            free = cell_free(state, seat, superior, side, 0)
            mask[PLACE_AT + SIDES * superior + side] = free
    elif state.phase == CLASH:
        crook = lowest(state.displaced)
        superior = state.superior[crook]
        mask[CROOK_AT + crook] = True
        for c in range(CROOKS):
            if state.crook_loc[c] == seat and state.placed[c] and state.arrivals >> c & 1 == 0:
                near = abs(state.x[c] - state.x[superior]) + abs(state.y[c] - state.y[superior])
                # On or next to one of the four cells around the superior.
                if near <= 2 and c not in (state.boss[seat], superior):
                    mask[CROOK_AT + c] = not below(state, superior, c)
    else:
        root = state.root
        mine = own_power(state, root)
        for p in range(CROOKS):
            if state.crook_loc[p] != seat or not state.placed[p] or state.free_sides[p] == 0:
                continue
            if state.under >= 0 and p != state.under and not below(state, p, state.under):
                continue
            if state.strength[p] > mine:
                for side in range(SIDES):
                    if state.free_sides[p] >> side & 1:
                        left = state.left_superior == p and state.left_side == side
                        mask[PLACE_AT + SIDES * p + side] = not left


@kernel(leaf=True)
def decide_place(state: State, phase: int, action: int) -> None:
    """A Crook goes to a place, a displaced one to a side, or a card is lost in a clash."""
    seat = state.place_seat
    if phase == CLASH:
        crook = action - CROOK_AT
        if crook == lowest(state.displaced):
            state.displaced &= state.displaced - 1
        subtree_to_centre(state, crook)
        push(state, STEP_SUB_SIDE)
        return
    superior, side = divmod(action - PLACE_AT, SIDES)
    touch(state, seat)
    if phase == DISPLACE:
        set_place(state, lowest(state.displaced), superior, side)
        state.displaced &= state.displaced - 1
        push(state, STEP_SUB_SIDE)
    else:
        set_place(state, state.root, superior, side)
        state.level = int64(1) << state.root
        push(state, STEP_SUB_NEXT)


@kernel(leaf=True)
def place_level(state: State) -> None:
    """Pass 1 of SUBTREE for the next level: who can, keeps his side (CL-5.11)."""
    seat = state.place_seat
    level = int64(0)
    state.displaced = 0
    for c in range(CROOKS):
        superior = state.superior[c]
        if state.crook_loc[c] == seat and superior >= 0 and state.level >> superior & 1:
            level |= int64(1) << c
            if cell_free(state, seat, superior, state.side[c], 0):
                set_place(state, c, superior, state.side[c])
            else:
                state.displaced |= int64(1) << c
    state.level = level
    touch(state, seat)
    if level != 0:
        push(state, STEP_SUB_SIDE)


@kernel(leaf=True)
def place_displaced(state: State) -> None:
    """Pass 2 of SUBTREE: the next displaced Crook, or the next level (CL-5.11, CL-5.13)."""
    seat = state.place_seat
    while state.displaced != 0:
        crook = lowest(state.displaced)
        for side in range(SIDES):
            if cell_free(state, seat, state.superior[crook], side, 0):
                ask(state, DISPLACE, seat)
                return
        if state.gift:
            ask(state, CLASH, seat)
            return
        state.displaced &= state.displaced - 1
        subtree_to_centre(state, crook)
    push(state, STEP_SUB_NEXT)


@kernel(leaf=True)
def legal_move(state: State, mask: NDArray[np.bool_]) -> None:
    """Who moves or is dropped: anybody but the Boss (CL-5.15, CL-5.16)."""
    seat = state.seat
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.boss[seat] != c:
            if state.phase == DROP_WHO:
                mask[CROOK_AT + c] = True
            else:
                mask[CROOK_AT + c] = state.token[c] != 0 and can_move(state, c)


@kernel(leaf=True)
def decide_move(state: State, phase: int, action: int) -> None:
    """Move a Crook with his subtree, or drop them (CL-14.1 to CL-14.4)."""
    crook = action - CROOK_AT
    seat = state.seat
    state.acted = 1
    if phase == MOVE_WHO:
        state.token[crook] = 0
        begin_settle(state, seat, lieutenants(state, seat), 0, 0, NONE, NONE)
        state.left_superior = state.superior[crook]
        state.left_side = state.side[crook]
        lift(state, subtree(state, crook))
        state.superior[crook] = NONE
        state.place_seat = seat
        state.root = crook
        state.under = NONE
        state.gift = 0
        touch(state, seat)
        ask(state, MOVE_TO, seat)
    else:
        subtree_to_centre(state, crook)
