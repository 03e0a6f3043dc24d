"""What a seat sees (section 19) and what it cannot know (section 13)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.kernel import kernel
from ..core.rng import next_u64, randint
from ..core.state import State
from .data import FULL_DECK, POINTS
from .state import (
    BLACK_JOKER,
    BRIBE,
    CARD_TYPES,
    CARDS,
    DISCARD,
    DREW,
    LOG_SIZE,
    MAIN,
    MAX_SEATS,
    MONEY_TYPES,
    NONE,
    OVER,
    PAID,
    PAY_HIRE,
    PAY_TERR,
    TERRITORIES,
)

SEAT_BLOCK = 17
SEATS_AT = CARD_TYPES
DISCARDS_AT = SEATS_AT + MAX_SEATS * SEAT_BLOCK
PILE_AT = DISCARDS_AT + CARD_TYPES
UNOWNED_AT = PILE_AT + 1
UNSEEN_AT = UNOWNED_AT + TERRITORIES
PHASE_AT = UNSEEN_AT + CARD_TYPES
PAYMENT_AT = PHASE_AT + 6
FLIPPED_AT = PAYMENT_AT + 3
TARGET_AT = FLIPPED_AT + TERRITORIES
JOKER_AT = TARGET_AT + TERRITORIES
OPTIONS_AT = JOKER_AT + 2
OBSERVATION_SIZE = OPTIONS_AT + 4


@kernel
def observe(state: State, seat: int, out: Any) -> None:
    """Fill the observation of ``seat``: float32 of shape (190,) (CU-19.1)."""
    out[:] = 0.0
    n = state.num_seats
    own_payment = state.seat == seat
    for card in range(CARD_TYPES):
        held = state.hands[seat, card]
        discarded = state.discards[card]
        out[card] = held * np.float32(0.25)
        out[DISCARDS_AT + card] = discarded * np.float32(0.25)
        out[UNSEEN_AT + card] = (FULL_DECK[card] - held - discarded) * np.float32(0.25)
    if state.joker != NONE:
        out[UNSEEN_AT + state.joker] -= np.float32(0.25)
    for k in range(n):
        other = (seat + k) % n
        at = SEATS_AT + k * SEAT_BLOCK
        out[at] = 1.0
        out[at + 1] = state.hand_size[other] * np.float32(1 / 13)
        out[at + 2] = state.men[other] * np.float32(0.2)
    out[SEATS_AT + ((state.current - seat + n) % n) * SEAT_BLOCK + 16] = 1.0
    for x in range(TERRITORIES):
        owner = state.owner[x]
        if owner == NONE:
            out[UNOWNED_AT + x] = x != state.flipped
        else:
            at = SEATS_AT + ((owner - seat + n) % n) * SEAT_BLOCK
            out[at + 3 + x] = 1.0
            out[at + 15] += POINTS[x] * np.float32(1 / 120)
    out[PILE_AT] = state.pile_size * np.float32(1 / 54)
    if state.price > 0:
        observe_payment(state, seat, own_payment, out)
    if own_payment and state.phase != OVER:
        out[PHASE_AT + state.phase] = 1.0
    if state.flipped != NONE:
        out[FLIPPED_AT + state.flipped] = 1.0
    if state.target != NONE:
        out[TARGET_AT + state.target] = 1.0
        out[JOKER_AT + (state.joker == BLACK_JOKER)] = 1.0
    out[OPTIONS_AT] = state.turns / np.float32(state.turn_cap)
    out[OPTIONS_AT + 1] = state.bribe_price * np.float32(1 / 60)
    out[OPTIONS_AT + 2] = state.hand_limit * np.float32(0.1)
    out[OPTIONS_AT + 3] = state.deck_end


@kernel(leaf=True)
def observe_payment(state: State, seat: int, own: bool, out: Any) -> None:
    """Own payments in full; the cards laid down by a rival still count as his hand."""
    if own:
        out[PAYMENT_AT] = state.price * np.float32(1 / 60)
        out[PAYMENT_AT + 1] = state.paid * np.float32(1 / 60)
        out[PAYMENT_AT + 2] = state.last_paid * np.float32(0.1)
        for card in range(MONEY_TYPES):
            out[UNSEEN_AT + card] -= state.payment[card] * np.float32(0.25)
    else:
        n = state.num_seats
        at = SEATS_AT + ((state.seat - seat + n) % n) * SEAT_BLOCK
        out[at + 1] = (state.hand_size[state.seat] + laid_down(state)) * np.float32(1 / 13)


@kernel(leaf=True)
def laid_down(state: State) -> int:
    """Cards of the payment in progress."""
    count = 0
    for card in range(MONEY_TYPES):
        count += state.payment[card]
    return count


@kernel
def redact(state: State, seat: int) -> None:
    """Blank what ``seat`` may not know (CU-13.1 to CU-13.7).

    Rival hands and the composition of the pile; a rival's payment in progress and his phase, but
    for a flipped territory or an announced joker, which all see. At the end the hands lie open.
    """
    state.rng = 0
    if state.over:
        return
    # The number of decisions would tell whether a rival was asked for a payment (CU-13.3).
    state.ply = 0
    n = state.num_seats
    for card in range(CARD_TYPES):
        state.pile[card] = 0
    for other in range(n):
        if other != seat:
            for card in range(CARD_TYPES):
                state.hands[other, card] = 0
    if seat != state.seat:
        hide_decision(state)
        # This row holds the oldest event, or the roll of a hire that waits.
        state.log[state.told % LOG_SIZE, :] = 0
    redact_log(state, seat)


@kernel(leaf=True)
def hide_decision(state: State) -> None:
    """Go back to what a rival's decision looked like before what others do not see (CU-13.4).

    Cards laid down still count as his hand. A hire that waits for its payment has not been told:
    the record is that of his decision before. So is the one of a seat that has cards to drop.
    """
    state.hand_size[state.seat] += laid_down(state)
    for card in range(MONEY_TYPES):
        state.payment[card] = 0
    state.paid = 0
    state.last_paid = 0
    if state.phase == PAY_HIRE:
        state.phase = MAIN
        state.acted = 0
        state.price = 0
        state.told -= 1
    elif state.phase == DISCARD:
        state.phase = CARDS


@kernel(leaf=True)
def redact_log(state: State, seat: int) -> None:
    """What ``seat`` is not told: cards drawn by rivals, bribes between others."""
    for k in range(LOG_SIZE):
        entry = state.log[k]
        passed_on = entry[0] == PAID and entry[3] not in (NONE, seat)
        if entry[1] != seat and (entry[0] == DREW or passed_on):
            entry[2] = NONE


@kernel
def resample_hidden(state: State, seat: int, seed: np.uint64) -> None:
    """Deal the unseen cards anew to rivals and pile (CU-13.7).

    A rival who is asked for a payment has the money, or he would not be asked (CU-4.4).
    """
    redact(state, seat)
    state.rng = seed
    if state.over:
        return
    n = state.num_seats
    for card in range(CARD_TYPES):
        laid = state.payment[card] if card < MONEY_TYPES else 0
        state.pile[card] = FULL_DECK[card] - state.hands[seat, card] - state.discards[card] - laid
    if state.joker != NONE:
        state.pile[state.joker] -= 1
    unseen = 0
    for card in range(CARD_TYPES):
        unseen += state.pile[card]
    payer = NONE
    if state.seat != seat and state.phase in (PAY_TERR, BRIBE):
        payer = state.seat
        unseen = deal_payer(state, payer, unseen)
    for other in range(n):
        if other not in (seat, payer):
            for _ in range(state.hand_size[other]):
                unseen = deal_one(state, other, unseen)


@kernel(leaf=True)
def deal_one(state: State, seat: int, unseen: int) -> int:
    """Deal a random unseen card to a seat; returns how many are left."""
    index = randint(state, unseen)
    for card in range(CARD_TYPES):
        if index < state.pile[card]:
            state.pile[card] -= 1
            state.hands[seat, card] += 1
            break
        index -= state.pile[card]
    return unseen - 1


@kernel
def deal_payer(state: State, payer: int, unseen: int) -> int:
    """Deal a hand that holds the price: any such hand is as likely as any other.

    Counts how many sets of so many cards of a type and those above it are worth so much, and draws
    one of all. Should no hand hold the price, the cards are dealt without regard to it.
    """
    size = state.hand_size[payer]
    others = 0
    for card in range(MONEY_TYPES, CARD_TYPES):
        others += state.pile[card]
    ways = np.zeros((MONEY_TYPES + 1, size + 1, state.price + 1), np.int64)
    for cards in range(size + 1):
        ways[MONEY_TYPES, cards, 0] = choose(others, cards)
    for kind in range(MONEY_TYPES - 1, -1, -1):
        for cards in range(size + 1):
            for dollars in range(state.price + 1):
                for taken in range(min(cards, state.pile[kind]) + 1):
                    missing = max(0, dollars - taken * (kind + 2))
                    ways[kind, cards, dollars] += (
                        choose(state.pile[kind], taken) * ways[kind + 1, cards - taken, missing]
                    )
    dollars = state.price if ways[0, size, state.price] > 0 else 0
    pick = randint_wide(state, ways[0, size, dollars])
    left = size
    for kind in range(MONEY_TYPES):
        for taken in range(min(left, state.pile[kind]) + 1):
            missing = max(0, dollars - taken * (kind + 2))
            further = ways[kind + 1, left - taken, missing]
            here = choose(state.pile[kind], taken) * further
            if pick < here:
                state.pile[kind] -= taken
                state.hands[payer, kind] = taken
                left -= taken
                dollars = missing
                pick %= further
                break
            pick -= here
    for _ in range(left):
        index = randint(state, others)
        for card in range(MONEY_TYPES, CARD_TYPES):
            if index < state.pile[card]:
                state.pile[card] -= 1
                state.hands[payer, card] += 1
                break
            index -= state.pile[card]
        others -= 1
    return unseen - size


@kernel(leaf=True)
def choose(n: int, k: int) -> int:
    """Sets of ``k`` cards out of ``n``."""
    count = 1
    for i in range(k):
        count = count * (n - i) // (i + 1)
    return count


@kernel(leaf=True)
def randint_wide(state: State, bound: int) -> int:
    """Exactly uniform integer in ``0 .. bound - 1``, for bounds that 32 bits do not hold."""
    spare = 64
    while spare > 1 and (1 << (64 - spare)) < bound:
        spare -= 1
    while True:
        value = np.int64(next_u64(state) >> np.uint64(spare - 1)) >> 1
        if value < bound:
            return value  # type: ignore[return-value]
