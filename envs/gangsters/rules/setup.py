"""The set-up (G-3): PICK, SET_R, SET_T, SET_C and PLACE."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.rng import roll_die
from ...core.state import State
from .. import actions as act
from ..data import (
    ALLOWANCE,
    CHEAPEST_JOINT,
    COMMISSIONER_MAX,
    FIRST_JOINTS,
    GANG_MONEY,
    JOINTS,
    MEMBER_COST,
    POLICE_MONEY,
    PRICE,
    SETUP_MAX,
    STREETS,
    SUBWAYS,
    VAMP_COST,
)
from ..state import (
    GANGS,
    NONE,
    PICK,
    PLACE,
    POLICE,
    SET_C,
    SET_R,
    SET_T,
    STEP_NEXT,
    STEP_PICK,
    STEP_PLACE,
    STEP_SET,
    R,
    T,
    V,
)
from .common import ask, drop_cop, drop_public, joints_of, remove_piece, take_building


@kernel
def empty(state: State) -> None:
    """Everything off the board and in its cup (G-3.1)."""
    for gang in range(GANGS):
        for piece in range(3):
            remove_piece(state, gang, piece)
    for building in range(len(state.owner)):
        state.owner[building] = NONE
    for officer in range(10):
        drop_cop(state, officer)
    for officer in range(9):
        state.holder[officer] = NONE
        state.slot_of[officer] = NONE
        state.slot_seat[officer] = NONE
    for public in range(4):
        drop_public(state, public)
    for chit in range(3):
        state.chit_slot[chit] = NONE
    state.c_at = NONE
    state.c_came = NONE
    state.active = NONE
    state.fight = NONE
    state.sharer = NONE
    state.mover = NONE
    state.asked = NONE
    if state.police:
        state.cash[POLICE] = POLICE_MONEY


@kernel(leaf=True)
def strength_cost(strength: int) -> int:
    """Cost of buying a strength from nothing (G-2.10)."""
    return MEMBER_COST * strength * (strength + 1) // 2


@kernel(leaf=True)
def allowance_left(state: State, gang: int) -> int:
    """What is left of the joint allowance while joints are picked (G-3.3)."""
    spent = 0
    for building in range(JOINTS):
        if state.owner[building] == gang:
            spent += PRICE[building]
    return max(ALLOWANCE - spent, 0)


@kernel(leaf=True)
def pick_limit(state: State, gang: int) -> int:
    """The dearest joint the gang may pick now (G-3.3)."""
    return allowance_left(state, gang) - CHEAPEST_JOINT * (
        FIRST_JOINTS - 1 - joints_of(state, gang)
    )


@kernel(leaf=True)
def legal_setup(state: State) -> None:
    """Choices of the set-up (G-3)."""
    seat = state.seat
    phase = state.phase
    legal = state.legal
    if phase == PICK:
        limit = pick_limit(state, seat)
        for building in range(JOINTS):
            if state.owner[building] == NONE and PRICE[building] <= limit:
                legal[act.GO + STREETS + building] = 1
    elif phase == PLACE:
        for building in range(JOINTS):
            if state.owner[building] == seat:
                legal[act.GO + STREETS + building] = 1
    else:
        keep = VAMP_COST if phase == SET_T else VAMP_COST + MEMBER_COST if phase == SET_R else 0
        top = COMMISSIONER_MAX if phase == SET_C else SETUP_MAX
        for strength in range(1, top + 1):
            if strength_cost(strength) + keep <= state.cash[seat]:
                legal[act.STRENGTH + strength - 1] = 1


@kernel(leaf=True)
def phase_shown(state: State, seat: int) -> int:
    """The phase that a seat may know of.

    Who has taken six Racketeers may have no choice of Thugs left and is not asked for them (G-4.1),
    so others see a gang choose its members and not how far it is (G-18.5).
    """
    if state.phase == SET_T and state.seat != seat:
        return SET_R
    return int(state.phase)


@kernel(leaf=True)
def decide_setup(state: State, action: int) -> None:
    """PICK, SET_R, SET_T, SET_C, PLACE (G-3)."""
    seat = state.seat
    phase = state.phase
    if phase == PICK:
        take_building(state, action - STREETS, seat)
        state.setup_at += 1
        state.step = STEP_PICK
    elif phase == PLACE:
        state.at[seat, state.setup_at % 3] = action
        state.setup_at += 1
        state.step = STEP_PLACE
    else:
        strength = action - act.STRENGTH + 1
        state.cash[seat] -= strength_cost(strength)
        if phase == SET_C:
            state.c_strength = strength
        else:
            state.strength[seat, R if phase == SET_R else T] = strength
            state.setup_at += 1
            if phase == SET_T:
                state.strength[seat, V] = 1
                state.cash[seat] -= VAMP_COST
        state.step = STEP_SET


@kernel(leaf=True)
def setup_pick(state: State) -> None:
    """The next joint pick, or the gang money when all have three (G-3.3, G-3.4)."""
    gangs = state.gangs
    if state.setup_at == FIRST_JOINTS * gangs:
        for gang in range(gangs):
            spent = 0
            for building in range(JOINTS):
                if state.owner[building] == gang:
                    spent += PRICE[building]
            state.cash[gang] = ALLOWANCE + GANG_MONEY - spent
            state.setup_cash[gang] = state.cash[gang]
        state.setup_at = 0
        state.step = STEP_SET
        return
    seat = state.order[state.setup_at % gangs]
    limit = pick_limit(state, seat)
    cheapest = NONE
    for building in range(JOINTS):
        if state.owner[building] == NONE:
            if PRICE[building] <= limit:
                ask(state, PICK, seat)
                return
            if cheapest == NONE or PRICE[building] < PRICE[cheapest]:
                cheapest = building
    take_building(state, cheapest, seat)
    state.setup_at += 1


@kernel(leaf=True)
def setup_strength(state: State) -> None:
    """Racketeers and Thugs by gang, then the Commissioner (G-3.5, G-3.6)."""
    if state.setup_at < 2 * state.gangs:
        phase = SET_T if state.setup_at % 2 else SET_R
        ask(state, phase, state.order[state.setup_at // 2])
    elif state.police and state.c_strength == 0:
        ask(state, SET_C, POLICE)
    else:
        state.setup_at = 0
        state.step = STEP_PLACE


@kernel(leaf=True)
def setup_place(state: State) -> None:
    """Pieces into joints; then all is revealed and the first round begins (G-3.7, G-3.8)."""
    if state.setup_at < 3 * state.gangs:
        ask(state, PLACE, state.order[state.setup_at // 3])
        return
    state.revealed = 1
    if state.police:
        state.c_at = SUBWAYS[roll_die(state) - 1]
    state.round_number = 1
    for gang in range(state.gangs):
        state.pawns[gang] = 1
    state.active = NONE
    state.step = STEP_NEXT
