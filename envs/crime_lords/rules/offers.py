"""Gifts and trades (section 16)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import (
    AMOUNT_AT,
    BACKOUT,
    CROOK_AT,
    PASS_ACTION,
    PLAYER_AT,
    RACKET_AT,
    SPECIAL_AT,
    YES,
)
from ..data import KIND_OF_COPY, MONEY, RACKET_DISTRICT, RACKET_KIND
from ..data.codes import REGULAR_TYPES
from ..state import (
    BY_RACKETS,
    CARDS,
    COPIES,
    CROOKS,
    DISTRICTS,
    GIFT_PLACE,
    NONE,
    OFFER_ASK,
    OFFER_CASH,
    OFFER_GIVE,
    OFFER_PRICE,
    OFFER_REPLY,
    OFFER_TO,
    RACKETS,
    STEP_DEAL,
    STEP_GIFT_BACK,
    int64,
)
from .mob.grid import (
    ask,
    has_place,
    has_room,
    join,
    lieutenants,
    lift,
    move_racket,
    push,
    subtree,
    subtree_to_centre,
)
from .mob.settle import begin_settle
from .payments import kind_of_deal, note_payment
from .specials import copy_to_use

MOST_FROM_ONE: Final = 4
"""Most that one Racket more can add to a count (CL-20.1 to CL-20.3)."""


@kernel(leaf=True)
def swapped(state: State, seat: int, given: int, asked: int) -> int:
    """How many of ``given`` minus ``asked`` a seat gains in the deal between active and partner."""
    if seat == state.partner:
        return given - asked
    if seat == state.active:
        return asked - given
    return 0


@kernel(leaf=True)
def count_after(state: State, seat: int, given: int, asked: int) -> int:
    """Count of a seat (CL-20.1) after two Rackets, or NONE, have changed hands."""
    one, other = 1 if given >= 0 else 0, 1 if asked >= 0 else 0
    total = state.rackets[seat] + swapped(state, seat, one, other)
    if not state.bonus_counts:
        return total
    for kind in range(REGULAR_TYPES):
        out = 1 if given >= 0 and RACKET_KIND[given] == kind else 0
        back = 1 if asked >= 0 and RACKET_KIND[asked] == kind else 0
        if state.types[seat, kind] + swapped(state, seat, out, back) >= 3:
            alone = True
            for rival in range(state.num_seats):
                held = state.types[rival, kind] + swapped(state, rival, out, back)
                alone &= rival == seat or held == 0
            total += alone
    for district in range(DISTRICTS):
        out = 1 if given >= 0 and RACKET_DISTRICT[given] == district else 0
        back = 1 if asked >= 0 and RACKET_DISTRICT[asked] == district else 0
        if state.districts[seat, district] + swapped(state, seat, out, back) >= 4:
            alone = True
            for rival in range(state.num_seats):
                held = state.districts[rival, district] + swapped(state, rival, out, back)
                alone &= rival == seat or held <= 1
            total += 2 * alone
    return total


@kernel(leaf=True)
def throws(state: State, asked: int) -> bool:
    """Whether the offer, asking for this card or NONE, would throw the game (CL-16.11)."""
    if state.end_mode != BY_RACKETS:
        return False
    out = state.given - CROOKS if CROOKS <= state.given < CARDS else NONE
    back = asked - CROOKS if CROOKS <= asked < CARDS else NONE
    if out < 0 and back < 0:
        return False
    need = state.required
    # A Racket that comes in brings at most one, a type bonus and a district bonus.
    if (back < 0 or need - state.count[state.active] > MOST_FROM_ONE) and (
        out < 0 or need - state.count[state.partner] > MOST_FROM_ONE
    ):
        return False
    own = count_after(state, state.active, out, back) >= need
    theirs = count_after(state, state.partner, out, back) >= need
    if own and state.count[state.active] < need and not theirs:
        return True
    return theirs and state.count[state.partner] < need and not own


@kernel(leaf=True)
def card_of(state: State, holder: int, action: int) -> int:
    """Card that an action names, from a holder's cards; NONE for PASS."""
    if action == PASS_ACTION:
        return NONE
    if action >= SPECIAL_AT:
        return CARDS + copy_to_use(state, holder, action - SPECIAL_AT)
    if action >= RACKET_AT:
        return CROOKS + action - RACKET_AT
    return action - CROOK_AT


@kernel(leaf=True)
def decide_offer(state: State, phase: int, action: int) -> None:
    """Next step of an offer (CL-16.5, CL-16.9)."""
    seat = state.seat
    if phase == OFFER_REPLY:
        if action == YES:
            push(state, STEP_DEAL)
        return
    if action == BACKOUT:
        return
    if phase == OFFER_TO:
        state.partner = (seat + action - PLAYER_AT) % state.num_seats
        ask(state, OFFER_GIVE, seat)
        return
    if phase == OFFER_GIVE:
        state.given = card_of(state, seat, action)
        ask(state, OFFER_CASH, seat)
        return
    if phase == OFFER_CASH:
        state.given_cash = action - AMOUNT_AT
        ask(state, OFFER_ASK, seat)
        return
    if phase == OFFER_ASK:
        state.asked = card_of(state, state.partner, action)
        if state.given_cash == 0:
            if state.given >= 0 or state.asked >= 0:
                ask(state, OFFER_PRICE, seat)
            return
    elif phase == OFFER_PRICE:
        state.price = action - AMOUNT_AT
    if state.asked < 0 and state.price == 0 and (state.given < 0 or state.given >= CROOKS):
        push(state, STEP_DEAL)
    else:
        ask(state, OFFER_REPLY, state.partner)


@kernel(leaf=True)
def hand_over(state: State, card: int, giver: int, taker: int) -> None:
    """A Racket or Special changes hands; a shown Special stays shown (CL-15.2, CL-16.10)."""
    if card >= CARDS:
        copy = card - CARDS
        state.special_loc[copy] = taker
        if not state.shown[copy]:
            state.hidden[giver] -= 1
            state.hidden[taker] += 1
    elif card >= CROOKS:
        move_racket(state, card - CROOKS, taker)


@kernel(leaf=True)
def clear_offer(state: State) -> None:
    """Forget what was offered."""
    state.given = NONE
    state.given_cash = 0
    state.asked = NONE
    state.price = 0


@kernel(leaf=True)
def carry_out(state: State) -> None:
    """Carry out an exchange (CL-16.10)."""
    one, other = state.active, state.partner
    given, asked = state.given, state.asked
    state.acted = 1
    state.deals += 1
    cash = int64(MONEY[state.given_cash]) - MONEY[state.price]
    if cash != 0:
        state.treasury[one] -= cash
        state.treasury[other] += cash
        note_payment(state, one, other, cash, kind_of_deal(given, asked))
    hand_over(state, given, one, other)
    hand_over(state, asked, other, one)
    mine, theirs = lieutenants(state, one), lieutenants(state, other)
    out, back = int64(0), int64(0)
    if 0 <= given < CROOKS:
        out = subtree(state, given)
        state.token[given] = 0
    if 0 <= asked < CROOKS:
        back = subtree(state, asked)
        state.token[asked] = 0
    lift(state, out | back)
    # What has been handed over in secret must not stand in the record any longer (CL-16.14).
    clear_offer(state)
    if back != 0:
        join(state, back, one, asked)
        state.asked = asked
        state.offer_lieutenants = (mine & ~out) | (theirs & back)
        state.offer_arrivals = back
        push(state, STEP_GIFT_BACK)
    if out != 0:
        join(state, out, other, given)
        place_gift(state, other, given, (theirs & ~back) | (mine & out), out)


@kernel(leaf=True)
def place_gift(state: State, seat: int, root: int, before: int, arrivals: int) -> None:
    """The receiver of a Crook places him and settles, or he goes to the centre (CL-16.10)."""
    if not has_place(state, seat, root, NONE, 0):
        subtree_to_centre(state, root)
        return
    begin_settle(state, seat, before, arrivals, 0, NONE, NONE)
    state.place_seat = seat
    state.root = root
    state.under = NONE
    state.left_superior = NONE
    state.gift = 1
    ask(state, GIFT_PLACE, seat)


@kernel(leaf=True)
def legal_offer(state: State, mask: NDArray[np.bool_]) -> None:
    """Gifts and trades (CL-16.4 to CL-16.11)."""
    seat = state.seat
    phase = state.phase
    if phase == OFFER_TO:
        mask[BACKOUT] = True
        for j in range(1, state.num_seats):
            mask[PLAYER_AT + j] = state.alive[(seat + j) % state.num_seats] != 0
    elif phase == OFFER_REPLY:
        mask[PASS_ACTION] = True
        mask[YES] = state.treasury[seat] >= MONEY[state.price]
    elif phase == OFFER_PRICE:
        mask[AMOUNT_AT : AMOUNT_AT + len(MONEY)] = True
    elif phase == OFFER_CASH:
        for i in range(len(MONEY)):
            mask[AMOUNT_AT + i] = MONEY[i] <= state.treasury[seat]
    else:
        asking = phase == OFFER_ASK
        holder = state.partner if asking else seat
        receiver = seat if asking else state.partner
        lifted = int64(0)
        if asking and 0 <= state.given < CROOKS:
            lifted = subtree(state, state.given)
        mask[PASS_ACTION] = not asking or not throws(state, NONE)
        mask[BACKOUT] = asking
        for c in range(CROOKS):
            if state.crook_loc[c] == holder and state.token[c] and state.boss[holder] != c:
                if lifted == 0:
                    fits = has_room(state, receiver, c)
                else:
                    fits = has_place(state, receiver, c, NONE, lifted)
                mask[CROOK_AT + c] = fits and not (asking and throws(state, c))
        for r in range(RACKETS):
            if state.racket_loc[r] == holder:
                mask[RACKET_AT + r] = not (asking and throws(state, CROOKS + r))
        for s in range(COPIES):
            if state.special_loc[s] == holder and (not asking or state.shown[s]):
                fits = not (asking and throws(state, CARDS + s))
                mask[SPECIAL_AT + KIND_OF_COPY[s]] = fits
