"""SETTLE: who leaves a Mob, who leads it, who has to be placed again (CL-5.11 to 5.16, 6.9)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.kernel import kernel
from ....core.state import State
from ...actions import CROOK_AT, KEEP, REBUILD
from ...data import QUIT_AT
from ...state import (
    CENTRE,
    CROOKS,
    DISCARD,
    NEW_BOSS,
    NONE,
    REASSIGN,
    REORG,
    STEP_REASSIGN,
    STEP_RUIN,
    STEP_SETTLE,
    STEP_SPOILS,
    STEP_STATUS,
    int64,
)
from .grid import ask, depart, has_place, lieutenants, make_boss, own_power, push, subtree_to_centre


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
