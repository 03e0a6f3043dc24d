"""The cop step of a gang turn (G-9.1 to G-9.7): COP_GANG, COP_POLICE, COP_ACTIVE."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data import BRIBE_PIP
from ...state import COP_GANG, COP_POLICE, E_BRIBES, E_PLAYED, NONE, POLICE, STEP_COP_OVER
from ..common import ask, cup_markers, draw, level_permits, return_marker
from .officers import draw_officer, send_cop


@kernel(leaf=True)
def legal_cop_step(state: State) -> None:
    """The cop step of a gang turn (G-9.1 to G-9.4)."""
    legal = state.legal
    seat = state.seat
    legal[act.END] = 1
    if state.cash[seat] >= BRIBE_PIP * state.dice[4] and cup_markers(state) > 0:
        legal[act.BRIBE] = 1
    permits = level_permits(state)
    if state.phase == COP_GANG:
        for officer in range(9):
            if state.holder[officer] == seat and (state.cop_at[officer] != NONE or permits):
                legal[act.PLAY + officer] = 1
    else:
        for officer in range(10):
            if state.cop_at[officer] != NONE:
                legal[act.COP + officer] = 1
        if permits:
            legal[act.NEW_COP] = 1


@kernel(leaf=True)
def decide_cop_step(state: State, action: int) -> None:
    """COP_GANG, COP_POLICE, COP_ACTIVE (G-9.1 to G-9.3)."""
    seat = state.seat
    if action == act.END:
        if state.phase == COP_GANG:
            ask(state, COP_POLICE, POLICE)
        else:
            state.step = STEP_COP_OVER
    elif action == act.BRIBE:
        buy_bribe(state, seat)
        state.step = STEP_COP_OVER
    elif action < act.COP:
        officer = action - act.PLAY
        return_marker(state, officer)
        state.events[E_PLAYED] += 1
        send_cop(state, officer, seat)
    elif action == act.NEW_COP:
        send_cop(state, draw_officer(state, NONE), NONE)
    else:
        send_cop(state, action - act.COP, NONE)


@kernel(leaf=True)
def buy_bribe(state: State, seat: int) -> None:
    """Pay, then draw a marker; UNTouchables is shown and put back (G-9.5, G-9.6)."""
    price = BRIBE_PIP * state.dice[4]
    state.cash[seat] -= price
    if state.police and seat != POLICE:
        state.cash[POLICE] += price
    state.events[E_BRIBES] += 1
    inside = 1
    for officer in range(9):
        inside += state.holder[officer] == NONE
    pick = draw(state, inside)
    if pick == inside - 1:
        return
    for officer in range(9):
        if state.holder[officer] == NONE:
            if pick == 0:
                slot = 0
                while state.slot_seat[slot] != NONE:
                    slot += 1
                state.clock += 1
                state.holder[officer] = seat
                state.slot_of[officer] = slot
                state.slot_seat[slot] = seat
                state.slot_time[slot] = state.clock
                return
            pick -= 1
