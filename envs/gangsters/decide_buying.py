"""Decisions of set-up and Buy Phase, trades among them, carried out (G-3, G-8)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from . import actions as act
from .common import ask, take_building
from .data import (
    EQUIPMENT_COST,
    LADDER,
    PRICE,
    STREETS,
    VAMP_COST,
)
from .legal import strength_cost
from .state import (
    E_TRADES,
    NONE,
    PICK,
    PLACE,
    S_BUY,
    S_DICE,
    S_PICK,
    S_PLACE,
    S_SET,
    SET_C,
    SET_R,
    SET_T,
    TRADE_ANSWER,
    TRADE_CASH,
    TRADE_GIVE,
    TRADE_TAKE,
    R,
    T,
    V,
)  # fmt: skip


@kernel(leaf=True)
def decide_setup(state: State, action: int) -> None:
    """PICK, SET_R, SET_T, SET_C, PLACE (G-3)."""
    seat = state.seat
    phase = state.phase
    if phase == PICK:
        take_building(state, action - STREETS, seat)
        state.setup_at += 1
        state.step = S_PICK
    elif phase == PLACE:
        state.at[seat, state.setup_at % 3] = action
        state.setup_at += 1
        state.step = S_PLACE
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
        state.step = S_SET


@kernel(leaf=True)
def decide_buy(state: State, action: int) -> None:
    """BUY (G-5, G-16)."""
    seat = state.seat
    if action == act.END:
        state.step = S_DICE
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
    state.step = S_BUY


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
            step = state.cash_step
            paid = 0
            if step > 16:
                paid = -LADDER[step - 17]
            elif step > 0:
                paid = LADDER[step - 1]
            state.cash[active] -= paid
            state.cash[state.partner] += paid
            if state.offer_give != NONE:
                state.owner[state.offer_give - STREETS] = state.partner
            if state.offer_take != NONE:
                state.owner[state.offer_take - STREETS] = active
            state.events[E_TRADES] += 1
        state.step = S_BUY
