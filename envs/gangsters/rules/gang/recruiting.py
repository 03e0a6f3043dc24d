"""New members and forced sales (G-7.4 to G-7.9): RECRUIT_PLACE and SELL."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data import MEMBER_COST, PRICE, STREETS, STRENGTH_MAX, SUBWAYS, VAMP_COST
from ...state import (
    NONE,
    POLICE,
    RECRUIT_PLACE,
    SELL,
    STEP_NEW_COMMISSIONER,
    STEP_NO_RACKETEER,
    STEP_PAY,
    STEP_PAYOFFS,
    R,
    V,
)
from ..common import ask, half, joints_of, take_building


@kernel(leaf=True)
def recruit_price(state: State, gang: int, piece: int) -> int:
    """Present price of one more member (G-7.4)."""
    if piece == V:
        return VAMP_COST * state.dice[V]
    return MEMBER_COST * (state.strength[gang, piece] + 1) * state.dice[piece]


@kernel(leaf=True)
def pay_recruits(state: State) -> None:
    """Announced recruits in the order R, T, V (G-7.6)."""
    gang = state.active
    for piece in range(3):
        if state.recruit[gang, piece]:
            state.recruit[gang, piece] = 0
            price = recruit_price(state, gang, piece)
            if state.strength[gang, piece] >= STRENGTH_MAX[piece] or state.cash[gang] < price:
                continue
            state.cash[gang] -= price
            state.strength[gang, piece] += 1
            if state.strength[gang, piece] == 1:
                first_member(state, gang, piece, STEP_PAY)
                return
    state.step = STEP_PAYOFFS


@kernel(leaf=True)
def first_member(state: State, gang: int, piece: int, after: int) -> None:
    """The first member of a piece is put into an own joint or to a Subway (G-7.7, G-7.8)."""
    state.acted[gang, piece] = 1
    state.came[gang, piece] = NONE
    state.criminal[gang, piece] = 0
    if joints_of(state, gang) == 0:
        state.at[gang, piece] = SUBWAYS[state.dice[piece] - 1]
        state.step = after
        return
    state.place_gang = gang
    state.place_piece = piece
    state.after_place = after
    ask(state, RECRUIT_PLACE, gang)


@kernel(leaf=True)
def no_racketeer(state: State) -> None:
    """A gang without Racketeers takes on one, whatever it has (G-7.9)."""
    gang = state.active
    price = MEMBER_COST * state.dice[R]
    if state.cash[gang] < price and joints_of(state, gang) > 0:
        ask(state, SELL, gang)
        return
    state.cash[gang] -= min(state.cash[gang], price)
    state.strength[gang, R] = 1
    first_member(state, gang, R, STEP_PAYOFFS)


@kernel(leaf=True)
def sell(state: State, building: int) -> None:
    """A forced sale for half of price x level (G-7.9, G-14.17)."""
    seat = state.owner[building]
    state.cash[seat] += half(PRICE[building] * state.level[building])
    take_building(state, building, NONE)


@kernel(leaf=True)
def legal_own_building(state: State) -> None:
    """RECRUIT_PLACE and SELL: any building of one's own (G-7.7, G-7.9)."""
    for building in range(len(state.owner)):
        if state.owner[building] == state.seat:
            state.legal[act.GO + STREETS + building] = 1


@kernel(leaf=True)
def decide_own_building(state: State, action: int) -> None:
    """RECRUIT_PLACE and SELL (G-7.7, G-7.9)."""
    if state.phase == RECRUIT_PLACE:
        state.at[state.place_gang, state.place_piece] = action
        state.step = state.after_place
    else:
        sell(state, action - STREETS)
        state.step = STEP_NEW_COMMISSIONER if state.seat == POLICE else STEP_NO_RACKETEER
