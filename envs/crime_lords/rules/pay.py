"""Income and pay of a turn (section 7)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import CROOK_AT, FULL, ONE
from ..data import MOB_N
from ..data.codes import PAY_CREDIT
from ..state import (
    CROOKS,
    NONE,
    PAID_FULL,
    PAID_ONE,
    PAY_HOW,
    PAY_WHO,
    RACKETS,
    STEP_DRAW,
    STEP_PAY,
    UNPAID,
    int64,
)
from .mob.grid import ask, due_of, gain_money, lieutenants, push, touch
from .mob.settle import begin_settle


@kernel(leaf=True)
def purse(state: State) -> int:
    """What the active player can still pay out, free G included (CL-7.7)."""
    seat = state.active
    credit = int64(MOB_N[PAY_CREDIT, state.mob[seat]])
    return state.treasury[seat] + credit - state.paid_total


@kernel(leaf=True)
def income_and_pay(state: State) -> None:
    """T3, then T4: all are paid, or the Boss comes first (CL-7.3 to CL-7.8)."""
    seat = state.active
    gain_money(state, seat, state.mob_income[seat])
    for r in range(RACKETS):
        if state.racket_loc[r] == seat and state.blocked[r]:
            state.blocked[r] = 0
            touch(state, seat)
    state.paid_total = 0
    push(state, STEP_DRAW)
    if purse(state) >= state.due[seat]:
        take_pay(state, state.due[seat])
        return
    state.short_pays += 1
    state.paid_how[:] = UNPAID
    state.num_part_paid = 0
    state.boss_paid = min(int64(purse(state)), due_of(state, state.boss[seat]))
    state.paid_total = state.boss_paid
    push(state, STEP_PAY)


@kernel(leaf=True)
def take_pay(state: State, total: int) -> None:
    """The treasury pays what the credit does not cover (CL-7.7)."""
    seat = state.active
    credit = int64(MOB_N[PAY_CREDIT, state.mob[seat]])
    gain_money(state, seat, -max(0, total - credit))


@kernel(leaf=True)
def ask_pay(state: State) -> None:
    """Ask whom to pay next, or settle when nothing can be paid any more (CL-7.8, CL-7.9)."""
    seat = state.active
    if purse(state) > 0:
        for c in range(CROOKS):
            unhandled = state.paid_how[c] == UNPAID and state.boss[seat] != c
            if state.crook_loc[c] == seat and unhandled and due_of(state, c) > 0:
                ask(state, PAY_WHO, seat)
                return
    for k in range(state.num_part_paid):
        crook = state.paid_order[k]
        rest = due_of(state, crook) - 1
        extra = min(purse(state), rest)
        state.paid_total += extra
        if extra == rest:
            state.paid_how[crook] = PAID_FULL
    for c in range(CROOKS):
        if state.crook_loc[c] != seat or due_of(state, c) == 0:
            continue
        if state.boss[seat] == c:
            if state.boss_paid < due_of(state, c):
                state.unhappy[c] += 1 if state.boss_paid > 0 else 2
        elif state.paid_how[c] == PAID_ONE:
            state.unhappy[c] += 1
        elif state.paid_how[c] == UNPAID:
            state.unhappy[c] += 2
    take_pay(state, state.paid_total)
    state.paid_how[:] = UNPAID
    state.paid_total = 0
    begin_settle(state, seat, lieutenants(state, seat), 0, 1, NONE, NONE)


@kernel(leaf=True)
def legal_pay(state: State, mask: NDArray[np.bool_]) -> None:
    """Whom to pay next, then whether in full or one G (CL-7.8)."""
    if state.phase == PAY_HOW:
        due = due_of(state, state.pay_who)
        mask[FULL] = due <= purse(state)
        mask[ONE] = due >= 2
        return
    seat = state.seat
    for c in range(CROOKS):
        if state.crook_loc[c] == seat:
            payable = state.boss[seat] != c and state.paid_how[c] == UNPAID
            mask[CROOK_AT + c] = payable and due_of(state, c) > 0


@kernel(leaf=True)
def decide_pay(state: State, phase: int, action: int) -> None:
    """Pick a Crook, then pay him in full or one G (CL-7.8)."""
    if phase == PAY_WHO:
        state.pay_who = action - CROOK_AT
        ask(state, PAY_HOW, state.seat)
        return
    crook = state.pay_who
    if action == FULL:
        state.paid_how[crook] = PAID_FULL
        state.paid_total += due_of(state, crook)
    else:
        state.paid_how[crook] = PAID_ONE
        state.paid_total += 1
        state.paid_order[state.num_part_paid] = crook
        state.num_part_paid += 1
    push(state, STEP_PAY)
