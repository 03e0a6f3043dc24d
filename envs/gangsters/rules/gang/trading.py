"""Offers between gangs (G-5.9 to G-5.11): TRADE_GIVE, TRADE_TAKE, TRADE_CASH, TRADE_ANSWER."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data.tables import JOINTS, LADDER, OFFER_CASH, STREETS
from ...state import E_TRADES, NONE, STEP_BUY, TRADE_ANSWER, TRADE_CASH, TRADE_GIVE, TRADE_TAKE
from ..common import ask, joints_of


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
