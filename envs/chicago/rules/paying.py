"""Paying with the cards of a hand, and refusing to (section 7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.kernel import kernel
from ...core.state import State
from ..actions import NO, PAY
from ..state import (
    BLACK_JOKER,
    BOUGHT,
    BRIBE,
    BRIBED,
    HIRED,
    MONEY_TYPES,
    NONE,
    NOT_HIRED,
    PAID,
    PAY_HIRE,
    PAY_TERR,
    RED_JOKER,
)
from .cards import carry_out_joker, finish_joker
from .ending import end_if_all_twelve
from .turn import back_to_cards, clear_price, put_back, report, reshuffle


@kernel(leaf=True)
def legal_payments(state: State, seat: int, mask: Any) -> None:
    """Cards from high to low with which the price can be reached, or to refuse (CU-7.3)."""
    mask[NO] = state.paid == 0
    reachable = np.int64(state.paid)
    for card in range(MONEY_TYPES):
        held = state.hands[seat, card]
        reachable += (card + 2) * held
        if state.last_paid != 0 and card + 2 > state.last_paid:
            break
        mask[PAY + card] = held > 0 and reachable >= state.price


@kernel(leaf=True)
def only_payment(state: State, seat: int) -> int:
    """The only way to go on paying, or ``NONE`` if there is a choice (CU-4.4)."""
    if state.paid == 0:
        return NONE
    only = NONE
    reachable = np.int64(state.paid)
    for card in range(MONEY_TYPES):
        if card + 2 > state.last_paid:
            break
        held = state.hands[seat, card]
        reachable += (card + 2) * held
        if held > 0 and reachable >= state.price:
            if only != NONE:
                return NONE
            only = PAY + card
    return only


@kernel(leaf=True)
def pay(state: State, card: int) -> None:
    """Lay down one money card; the payment ends when the price is reached (CU-7.3)."""
    state.hands[state.seat, card] -= 1
    state.hand_size[state.seat] -= 1
    state.payment[card] += 1
    state.paid += card + 2
    state.last_paid = card + 2
    if state.paid < state.price:
        return
    phase = state.phase
    seat = state.current
    cards = hand_over(state)
    clear_price(state)
    if phase == PAY_HIRE:
        state.men[seat] += 1
        report(state, HIRED, seat, 0, 0)
        back_to_cards(state)
    elif phase == PAY_TERR:
        report(state, BOUGHT, seat, state.flipped, 0)
        state.owner[state.flipped] = seat
        state.flipped = NONE
        if not end_if_all_twelve(state):
            back_to_cards(state)
    else:
        report(state, BRIBED, state.seat, state.target, cards)
        if state.joker == RED_JOKER:
            reshuffle(state)
        finish_joker(state)


@kernel(leaf=True)
def hand_over(state: State) -> int:
    """The cards paid go to the discards, a mob bribe to the attacker (CU-7.4, CU-8.7).

    Returns:
        How many there were. All see which (CU-13.6), but for those that went to a rival.
    """
    receiver = NONE
    if state.phase == BRIBE and state.joker == BLACK_JOKER:
        receiver = state.current
    cards = 0
    for kind in range(MONEY_TYPES - 1, -1, -1):
        count = state.payment[kind]
        state.payment[kind] = 0
        cards += count
        if receiver != NONE:
            state.hands[receiver, kind] += count
            state.hand_size[receiver] += count
        else:
            state.discards[kind] += count
        for _ in range(count):
            report(state, PAID, state.seat, kind, receiver)
    return cards


@kernel(leaf=True)
def refuse(state: State) -> None:
    """Not to pay: the same events as without the money (CU-5.4, CU-6.4, CU-8.8, CU-13.3)."""
    phase = state.phase
    clear_price(state)
    if phase == PAY_HIRE:
        report(state, NOT_HIRED, state.current, 0, 0)
        back_to_cards(state)
    elif phase == PAY_TERR:
        put_back(state)
    else:
        carry_out_joker(state)
