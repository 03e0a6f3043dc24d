"""A turn's steps outside of actions (4, 7, 8).

Its start, windows, outgrown superiors, income and pay, drawing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import CROOK_AT, FULL, ONE
from ..data import CENTRE_MIN, KIND_OF_COPY, MOB_N, TIMING
from ..data.codes import ANY_TIME, EXTRA_DRAW, PAY_CREDIT
from ..state import (
    AT_START,
    CARDS,
    CENTRE,
    COPIES,
    CROOKS,
    NONE,
    PAID_FULL,
    PAID_ONE,
    PAY_HOW,
    PAY_WHO,
    RACKETS,
    STEP_DRAW,
    STEP_INCOME,
    STEP_PAY,
    STEP_T2,
    STEP_WINDOW,
    UNPAID,
    WINDOW,
    int64,
)
from .mob.grid import ask, due_of, gain_money, give_tokens, lieutenants, power, push, touch
from .mob.settle import begin_settle


@kernel(leaf=True)
def start_turn(state: State) -> None:
    """T0: fields of the turn; the active player's Heat's On ends."""
    state.acted = 0
    state.offers = 0
    state.backouts = 0
    state.bugle = 0
    state.barred_rec = 0
    state.barred_take = 0
    if state.heat == state.active:
        state.heat = NONE
    state.window_at = 0
    push(state, STEP_WINDOW)


@kernel(leaf=True)
def ask_window(state: State) -> None:
    """T1: the next holder of an any-time Special, in seat order from the active player."""
    while state.window_at < state.num_seats:
        seat = (state.active + state.window_at) % state.num_seats
        for s in range(COPIES):
            if state.special_loc[s] == seat and TIMING[KIND_OF_COPY[s]] == ANY_TIME:
                ask(state, WINDOW, seat)
                return
        state.window_at += 1
    if state.retoken == AT_START:
        give_tokens(state, state.active, True)
    push(state, STEP_T2)


@kernel(leaf=True)
def outgrown(state: State) -> None:
    """T2: a Crook stronger than his superior gets a marker (CL-5.6, CL-6.1)."""
    seat = state.active
    push(state, STEP_INCOME)
    found = False
    for c in range(CROOKS):
        if (
            state.crook_loc[c] == seat
            and state.superior[c] >= 0
            and power(state, c) > power(state, state.superior[c])
        ):
            state.unhappy[c] += 1
            found = True
    if found:
        begin_settle(state, seat, lieutenants(state, seat), 0, 0, NONE, NONE)


@kernel(leaf=True)
def take_card(state: State) -> int:
    """Remove the top card of the deck."""
    card = state.deck[state.deck_at]
    state.deck[state.deck_at] = NONE
    state.deck_at += 1
    state.deck_size -= 1
    return card


@kernel(leaf=True)
def draw_cards(state: State) -> None:
    """T5: one card, more while the centre holds fewer than four, then extra ones (section 8)."""
    seat = state.active
    centre = 0
    for c in range(CROOKS):
        centre += state.crook_loc[c] == CENTRE
    for r in range(RACKETS):
        centre += state.racket_loc[r] == CENTRE
    extra = MOB_N[EXTRA_DRAW, state.mob[seat]]
    drawn = 0
    while state.deck_size > 0:
        if drawn > 0 and centre >= CENTRE_MIN:
            if extra == 0:
                return
            extra -= 1
        card = take_card(state)
        drawn += 1
        if card >= CARDS:
            state.special_loc[card - CARDS] = seat
            state.hidden[seat] += 1
        else:
            centre += 1
            if card < CROOKS:
                state.crook_loc[card] = CENTRE
            else:
                state.racket_loc[card - CROOKS] = CENTRE


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
