"""The Buy Phase of a gang (G-5, G-16): BUY, and offers between gangs (G-5.9 to G-5.11).

TRADE_GIVE, TRADE_TAKE, TRADE_CASH and TRADE_ANSWER are the steps of an offer.
"""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data import (
    COLOUR,
    DRESS_COST,
    EQUIPMENT_COST,
    GRAY,
    HEATERS_COST,
    JOINTS,
    LADDER,
    LEVEL_MAX,
    OFFER_CASH,
    PRICE,
    STREETS,
    WHEELS_COST,
)
from ...state import (
    E_TRADES,
    NONE,
    POLICE,
    STEP_BUY,
    STEP_DICE,
    TRADE_ANSWER,
    TRADE_CASH,
    TRADE_GIVE,
    TRADE_TAKE,
    R,
    V,
)
from ..common import ask, extortable, joints_of, of_colour, take_building


@kernel(leaf=True)
def legal_buy(state: State) -> None:
    """Purchase, equipment and offers of a gang (G-5, G-16)."""
    seat = state.seat
    legal = state.legal
    legal[act.END] = 1
    cash = state.cash[seat]
    if not state.bought and state.strength[seat, R] > 0 and state.at[seat, R] >= STREETS:
        building = state.at[seat, R] - STREETS
        owner = state.owner[building]
        if owner == NONE and COLOUR[building] != GRAY and cash >= PRICE[building]:
            legal[act.BUY_BUILDING] = 1
        if (
            owner == seat
            and cash >= PRICE[building]
            and state.level[building] < LEVEL_MAX
            and state.level[building] < of_colour(state, seat, COLOUR[building])
        ):
            legal[act.IMPROVE] = 1
    for piece in range(3):
        node = state.at[seat, piece]
        if node >= STREETS and extortable(state, node) and COLOUR[node - STREETS] == GRAY:
            if state.heaters and piece < V and not state.has_heaters[seat, piece]:
                legal[act.EQUIPMENT + 2 * piece] = cash >= HEATERS_COST
            if state.wheels and not state.has_wheels[seat, piece]:
                legal[act.EQUIPMENT + min(2 * piece + 1, 4)] = cash >= WHEELS_COST
            if state.dress and piece == V and not state.has_dress[seat, V]:
                legal[act.EQUIPMENT + 5] = cash >= DRESS_COST
    if state.offers < state.trade_offers:
        own = joints_of(state, seat)
        for r in range(1, state.num_seats):
            partner = (seat + r) % state.num_seats
            if partner != POLICE and (own > 0 or (cash >= 100 and joints_of(state, partner) > 0)):
                legal[act.TRADE + r - 1] = 1


@kernel(leaf=True)
def decide_buy(state: State, action: int) -> None:
    """BUY (G-5, G-16)."""
    seat = state.seat
    if action == act.END:
        state.step = STEP_DICE
        return
    if action >= act.TRADE and action < act.CASH_ZERO:
        state.partner = (seat + action - act.TRADE + 1) % state.num_seats
        state.offers += 1
        ask(state, TRADE_GIVE, seat)
        return
    if action >= act.EQUIPMENT:
        kind = action - act.EQUIPMENT
        state.cash[seat] -= EQUIPMENT_COST[kind]
        if kind == 5:
            state.has_dress[seat, V] = 1
        elif kind == 4:
            state.has_wheels[seat, V] = 1
        elif kind % 2:
            state.has_wheels[seat, kind // 2] = 1
        else:
            state.has_heaters[seat, kind // 2] = 1
    else:
        building = state.at[seat, R] - STREETS
        state.cash[seat] -= PRICE[building]
        state.bought = 1
        if action == act.BUY_BUILDING:
            take_building(state, building, seat)
        else:
            state.level[building] += 1
    state.step = STEP_BUY


@kernel(leaf=True)
def legal_trade(state: State) -> None:
    """Steps of an offer (G-5.9, G-5.10)."""
    phase = state.phase
    legal = state.legal
    active = state.active
    if phase == TRADE_GIVE:
        for building in range(JOINTS):
            if state.owner[building] == active:
                legal[act.GO + STREETS + building] = 1
        if state.cash[active] >= 100 and joints_of(state, state.partner) > 0:
            legal[act.END] = 1
    elif phase == TRADE_TAKE:
        for building in range(JOINTS):
            if state.owner[building] == state.partner:
                legal[act.GO + STREETS + building] = 1
        if state.offer_give != NONE:
            legal[act.END] = 1
    elif phase == TRADE_CASH:
        if NONE not in (state.offer_give, state.offer_take):
            legal[act.CASH_ZERO] = 1
        for step in range(len(LADDER)):
            if state.offer_take != NONE and LADDER[step] <= state.cash[active]:
                legal[act.PAY + step] = 1
            if state.offer_give != NONE:
                legal[act.GET + step] = 1
    else:
        legal[act.END] = 1
        if state.cash[state.partner] + OFFER_CASH[state.cash_step] >= 0:
            legal[act.YES] = 1


@kernel(leaf=True)
def decide_trade(state: State, action: int) -> None:
    """TRADE_GIVE, TRADE_TAKE, TRADE_CASH, TRADE_ANSWER (G-5.9 to G-5.11)."""
    phase = state.phase
    active = state.active
    if phase == TRADE_GIVE:
        state.offer_give = NONE if action == act.END else action
        ask(state, TRADE_TAKE, active)
    elif phase == TRADE_TAKE:
        state.offer_take = NONE if action == act.END else action
        ask(state, TRADE_CASH, active)
    elif phase == TRADE_CASH:
        state.cash_step = action - act.CASH_ZERO
        ask(state, TRADE_ANSWER, state.partner)
    else:
        if action == act.YES:
            paid = OFFER_CASH[state.cash_step]
            state.cash[active] -= paid
            state.cash[state.partner] += paid
            if state.offer_give != NONE:
                state.owner[state.offer_give - STREETS] = state.partner
            if state.offer_take != NONE:
                state.owner[state.offer_take - STREETS] = active
            state.events[E_TRADES] += 1
        state.step = STEP_BUY
