"""What a seat may not know, and how hidden state is drawn again (G-18)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.rng import randint
from ..core.state import State
from .data import POLICE_MONEY, SETUP_MAX, STREETS, VAMP_COST
from .rules.common import joints_of
from .rules.phases import fill
from .rules.setup import phase_shown, strength_cost
from .state import (
    DOUBLE,
    NONE,
    PICK,
    PLACE,
    POLICE,
    SET_C,
    SET_R,
    SHARE,
    STEP_DECIDE,
    STOP,
    R,
    T,
    V,
)

Bytes = NDArray[np.int8]
Clocks = NDArray[np.int32]


@kernel(leaf=True)
def asked_marker(state: State) -> int:
    """The marker a STOP, DOUBLE or SHARE question is about; its holder is known (G-18.8)."""
    if not state.over and state.phase in (STOP, DOUBLE, SHARE):
        return state.asked
    return NONE


@kernel
def redact(state: State, seat: int) -> None:
    """Blank what a seat may not know (G-18.2 to G-18.6).

    Cash of others stays in the record: every payment is made openly, so a careful seat knows it
    (G-18.7). Observations and pictures do not show it. ``ply`` would count secret decisions; see
    :func:`~.rules.setup.phase_shown`.
    """
    state.rng = np.uint64(0)
    if not state.over:
        state.ply = 0
    if phase_shown(state, seat) != state.phase:
        state.phase = SET_R
        state.setup_at -= 1
    asked = asked_marker(state)
    for officer in range(9):
        if state.holder[officer] != seat and officer != asked:
            state.holder[officer] = NONE
            state.slot_of[officer] = NONE
    if seat != POLICE:
        for chit in range(3):
            state.chit_slot[chit] = NONE
    if seat != state.seat:
        for action in range(len(state.legal)):
            state.legal[action] = 0
    if state.revealed or state.phase == PICK:
        return
    for gang in range(state.gangs):
        if gang != seat:
            state.cash[gang] = state.setup_cash[gang]
            for piece in range(3):
                state.strength[gang, piece] = 0
                state.at[gang, piece] = NONE
    if state.police and seat != POLICE:
        state.cash[POLICE] = POLICE_MONEY
        state.c_strength = 0


@kernel
def resample_hidden(state: State, seat: int, seed: np.uint64) -> None:
    """Draw again what a seat cannot know (G-18.8)."""
    redact(state, seat)
    state.rng = np.uint64(seed)
    fill_places(state, state.slot_of, state.returned, state.slot_time)
    for officer in range(9):
        if state.holder[officer] == NONE and state.slot_of[officer] != NONE:
            state.holder[officer] = state.slot_seat[state.slot_of[officer]]
    if seat != POLICE:
        fill_places(state, state.chit_slot, state.chit_returned, state.chit_time)
    if not state.revealed and state.phase != PICK:
        deal_setup(state, seat)
    if not state.over and state.seat != seat and state.step == STEP_DECIDE:
        fill(state)


@kernel(leaf=True)
def fill_places(state: State, place_of: Bytes, returned: Clocks, filled: Clocks) -> None:
    """Draw what lies in the places of others: nothing that was returned after its place was filled.

    Args:
        state: The record, for its chance.
        place_of: Int8: for each marker or chit the place that it is known to lie in, or NONE;
            filled for those that are drawn.
        returned: Int32: when each last went back into its cup.
        filled: Int32: when each place was filled; 0 if it is empty.
    """
    while True:
        # In the order in which places were filled: what fits an earlier one fits a later one.
        best = NONE
        for place in range(len(filled)):
            taken = False
            for one in range(len(place_of)):
                if place_of[one] == place:
                    taken = True
            if filled[place] > 0 and not taken and (best == NONE or filled[place] < filled[best]):
                best = place
        if best == NONE:
            return
        count = 0
        for one in range(len(place_of)):
            if place_of[one] == NONE and returned[one] < filled[best]:
                count += 1
        pick = randint(state, count)
        for one in range(len(place_of)):
            if place_of[one] == NONE and returned[one] < filled[best]:
                if pick == 0:
                    place_of[one] = best
                    break
                pick -= 1


@kernel(leaf=True)
def draw_strength(state: State, cash: int, keep: int) -> int:
    """A strength that the cash affords, each as likely (G-3.5)."""
    most = 1
    while most < SETUP_MAX and strength_cost(most + 1) + keep <= cash:
        most += 1
    return randint(state, most) + 1


@kernel(leaf=True)
def deal_setup(state: State, seat: int) -> None:
    """Set-up choices already made but not revealed."""
    phase = state.phase
    for k in range(state.gangs):
        gang = state.order[k]
        if gang == seat:
            continue
        later = phase in (SET_C, PLACE)
        if later or 2 * k < state.setup_at:
            state.strength[gang, R] = draw_strength(state, state.cash[gang], 200)
            state.cash[gang] -= strength_cost(state.strength[gang, R])
        if later or 2 * k + 1 < state.setup_at:
            state.strength[gang, T] = draw_strength(state, state.cash[gang], 100)
            state.cash[gang] -= strength_cost(state.strength[gang, T]) + VAMP_COST
            state.strength[gang, V] = 1
        for piece in range(3):
            if phase == PLACE and 3 * k + piece < state.setup_at:
                pick = randint(state, joints_of(state, gang))
                for building in range(len(state.owner)):
                    if state.owner[building] == gang:
                        if pick == 0:
                            state.at[gang, piece] = STREETS + building
                            break
                        pick -= 1
    if phase == PLACE and state.police and seat != POLICE:
        state.c_strength = draw_strength(state, state.cash[POLICE], 0)
        state.cash[POLICE] -= strength_cost(state.c_strength)
