"""What a seat may know of a position (section 19).

Whether a seat is asked can depend on what only that seat knows: on its money, its hidden Specials,
an offer that two make in private. Such a decision is secret (CL-4.3, CL-9.20): to all others
``SOMEBODY`` decides, and the record looks the same whoever it is and however far the asking has
come.
"""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.state import SOMEBODY, State
from ..rules.attack.assistance import adds_openly
from ..state import (
    ASSIST,
    CARDS,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    COPIES,
    DEFEND,
    HIT_CASH,
    HUSH,
    IN_DECK,
    MAIN,
    NONE,
    OFFER_REPLY,
    OFFER_TO,
    OFFERING,
    PAY_HOW,
    PAY_WHO,
    SHOW_WHICH,
    UNPAID,
    WINDOW,
)
from .treasuries import hide_payments


@kernel
def redact(state: State, seat: int) -> None:
    """Blank all that a seat may not know (section 19).

    To a third party an offer in the making looks like the active player's MAIN (CL-16.14), and so
    does the choice among hidden Specials to show. ``ply`` would count secret decisions.
    """
    state.rng = 0
    state.ply = 0
    state.deck[:] = NONE
    if seat != state.active:
        hide_main(state, seat)
    if seat != state.active or state.phase not in (PAY_WHO, PAY_HOW):
        hide_pay(state)
    if state.phase not in (COMMIT_D, COMMIT_T):
        state.commit_at = 0  # what an earlier showdown left there
    hide_hands(state, seat)
    hide_payments(state, seat)
    for other in range(state.num_seats):
        if other != seat:
            if not state.open_money:
                state.treasury[other] = 0
            if state.attacking and not state.revealed:
                state.commitments[other] = 0
    if state.seat >= 0 and state.seat != seat and not surely_asked(state):
        hide_decision(state)


@kernel(leaf=True)
def hide_main(state: State, seat: int) -> None:
    """What the active player does in private is MAIN to the others, but for who is asked."""
    offering = state.phase == OFFER_TO or state.phase in OFFERING
    partner = state.phase == OFFER_REPLY and state.seat == seat
    if (offering and not partner) or state.phase == SHOW_WHICH:
        state.phase = MAIN
        state.seat = state.active
        # MAIN is asked again after what MAIN has begun.
        state.stack_size -= 1
        state.stack[state.stack_size] = 0
        state.partner = NONE
        state.given = NONE
        state.given_cash = 0
        state.asked = NONE
        state.price = 0
    state.offers = 0


@kernel(leaf=True)
def hide_pay(state: State) -> None:
    """Payments in progress: what was paid shows when all is paid, to the last G (CL-7.8)."""
    state.paid_how[:] = UNPAID
    state.paid_order[:] = 0
    state.num_part_paid = 0
    state.paid_total = 0
    state.boss_paid = 0
    state.pay_who = NONE


@kernel(leaf=True)
def hide_hands(state: State, seat: int) -> None:
    """Others' hidden Specials go to the deck, but for one that the seat is being offered."""
    offered = NONE
    if state.phase == OFFER_REPLY and seat == state.partner:
        offered = state.given - CARDS
    for s in range(COPIES):
        holder = state.special_loc[s]
        if holder >= 0 and holder != seat and not state.shown[s] and s != offered:
            state.special_loc[s] = IN_DECK


@kernel(leaf=True)
def surely_asked(state: State) -> bool:
    """Whether it follows from what all may know that the deciding seat has a choice (CL-4.3)."""
    phase, seat = state.phase, state.seat
    if phase in (COMMIT_A, COMMIT_D, COMMIT_T, HUSH, WINDOW, PAY_WHO, PAY_HOW, OFFER_REPLY):
        return False
    if phase == HIT_CASH:
        return state.open_money != 0
    if phase in (ASSIST, DEFEND):
        return adds_openly(state, seat, phase == ASSIST)
    if phase == MAIN:
        # He can drop a Crook, leave, or attack somebody's Boss.
        return state.crooks[seat] > 1 or state.allow_quit != 0 or state.token[state.boss[seat]] != 0
    return True


@kernel(leaf=True)
def hide_decision(state: State) -> None:
    """Somebody decides: neither who nor how far the asking has come is shown."""
    state.seat = SOMEBODY
    phase = state.phase
    if phase in (COMMIT_A, COMMIT_D, COMMIT_T):
        state.phase = COMMIT_A
        state.commit_at = 0
    elif phase in (HIT_CASH, ASSIST, DEFEND):
        state.phase = ASSIST
        state.loop_step = 0
        state.loop_at = 1
        state.loop_added = 0
        state.loop_empty = 0
    elif phase == HUSH:
        state.hush_at = 1
    elif phase == WINDOW:
        state.window_at = 0
    elif phase == PAY_HOW:
        state.phase = PAY_WHO
