"""SETTLE, and the placing of Crooks (CL-5.10 to 5.16, 6.9).

SETTLE says who leaves a Mob, who leads it and who has to be placed again. Crooks are placed at or
below a superior, displaced, in a clash, or moved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.kernel import kernel
from ....core.state import State
from ...actions import CROOK_AT, KEEP, PLACE_AT, REBUILD
from ...data import QUIT_AT
from ...state import (
    CENTRE,
    CLASH,
    CROOKS,
    DISCARD,
    DISPLACE,
    DROP_WHO,
    MOVE_TO,
    MOVE_WHO,
    NEW_BOSS,
    NONE,
    REASSIGN,
    REORG,
    SIDES,
    STEP_REASSIGN,
    STEP_RUIN,
    STEP_SETTLE,
    STEP_SPOILS,
    STEP_STATUS,
    STEP_SUB_NEXT,
    STEP_SUB_SIDE,
    int64,
)
from .grid import (
    ask,
    below,
    can_move,
    cell_free,
    depart,
    has_place,
    lieutenants,
    lift,
    lowest,
    make_boss,
    own_power,
    push,
    set_place,
    subtree,
    subtree_to_centre,
    touch,
)


@kernel(leaf=True)
def begin_settle(
    state: State, seat: int, before: int, arrivals: int, pay: int, responsible: int, heir: int
) -> None:
    """SETTLE a Mob (CL-6.9).

    Args:
        state: The record.
        seat: The Mob.
        before: Bit set LT0 of the Lieutenants before the event.
        arrivals: Bit set of the Crooks who arrive from elsewhere.
        pay: 1 if the markers came from pay.
        responsible: Seat that wipes the Mob out if it does not survive, or NONE.
        heir: Crook who becomes Boss, or NONE.
    """
    state.settle_mob = seat
    state.lieutenants = before
    state.arrivals = arrivals
    state.settle_pay = pay
    state.responsible = responsible
    state.heir = heir
    push(state, STEP_SETTLE)


@kernel(leaf=True)
def settle_mob(state: State) -> None:
    """Steps 1 to 3 of SETTLE: third markers leave, elimination, new Boss (CL-6.9)."""
    seat = state.settle_mob
    to = CENTRE if state.settle_pay else DISCARD
    leaving = int64(0)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.unhappy[c] >= QUIT_AT:
            leaving |= int64(1) << c
    left = 0
    for c in range(CROOKS):
        if leaving >> c & 1:
            depart(state, c, to)
        left += state.crook_loc[c] == seat
    if left == 0:
        eliminate(state, seat)
        return
    push(state, STEP_STATUS)
    push(state, STEP_REASSIGN)
    state.place_seat = seat
    if state.boss[seat] < 0:
        if state.heir >= 0 and state.crook_loc[state.heir] == seat:
            make_boss(state, seat, state.heir, False)
        else:
            ask(state, NEW_BOSS, seat)


@kernel(leaf=True)
def legal_boss(state: State, mask: NDArray[np.bool_]) -> None:
    """Any Crook of the Mob as its Boss, then how the others stand under him (CL-5.14)."""
    if state.phase == REORG:
        mask[KEEP] = True
        mask[REBUILD] = True
        return
    for c in range(CROOKS):
        mask[CROOK_AT + c] = state.crook_loc[c] == state.seat


@kernel(leaf=True)
def decide_boss(state: State, phase: int, action: int) -> None:
    """The owner picks a new Boss, then how the Mob stands under him (CL-5.14)."""
    seat = state.settle_mob
    if phase == NEW_BOSS:
        state.heir = action - CROOK_AT
        others = False
        for c in range(CROOKS):
            others |= state.crook_loc[c] == seat and c != state.heir
        if others:
            ask(state, REORG, seat)
            return
    make_boss(state, seat, state.heir, action == REBUILD)


@kernel(leaf=True)
def reassign(state: State) -> None:
    """Place the orphans, strongest first; who fits nowhere goes to the centre (CL-5.12)."""
    seat = state.place_seat
    while True:
        root = NONE
        for c in range(CROOKS):
            if (
                state.crook_loc[c] == seat
                and state.superior[c] == NONE
                and state.boss[seat] != c
                and (root < 0 or own_power(state, c) > own_power(state, root))
            ):
                root = c
        if root < 0:
            return
        if has_place(state, seat, root, NONE, 0):
            push(state, STEP_REASSIGN)
            state.root = root
            state.under = NONE
            state.left_superior = NONE
            state.gift = 0
            ask(state, REASSIGN, seat)
            return
        subtree_to_centre(state, root)


@kernel(leaf=True)
def settle_status(state: State) -> None:
    """Steps 5 and 6 of SETTLE: promoted and demoted Lieutenants, then again (CL-5.16, CL-6.9)."""
    seat = state.settle_mob
    now = lieutenants(state, seat)
    again = False
    for c in range(CROOKS):
        if state.crook_loc[c] != seat:
            continue
        bit = int64(1) << c
        if now & bit and not state.lieutenants & bit:
            state.unhappy[c] = max(0, state.unhappy[c] - 1)
        elif (
            state.lieutenants & bit
            and not now & bit
            and not state.arrivals & bit
            and state.boss[seat] != c
        ):
            state.unhappy[c] += 1
        again |= state.unhappy[c] >= QUIT_AT
    if again:
        state.settle_pay = 0
        state.lieutenants = now
        state.arrivals = 0
        state.heir = NONE
        push(state, STEP_SETTLE)


@kernel(leaf=True)
def eliminate(state: State, seat: int) -> None:
    """A player without a Crook is out; spoils go to who wiped him out (CL-17.1 to 17.6)."""
    state.alive[seat] = 0
    state.spoils_of = seat
    state.spoils_by = state.responsible
    living = 0
    for other in range(state.num_seats):
        living += state.alive[other]
    push(state, STEP_RUIN)
    if living > 1 and state.responsible >= 0:
        push(state, STEP_SPOILS)


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
