"""What a seat cannot know (section 13): blanked in its view, dealt again in a sample."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.rng import next_u64, randint
from ..core.state import State
from .data import FULL_DECK
from .state import (
    BRIBE,
    CARD_TYPES,
    CARDS,
    DISCARD,
    DREW,
    LOG_SIZE,
    MAIN,
    MONEY_TYPES,
    NONE,
    PAID,
    PAY_HIRE,
    PAY_TERR,
)


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
    # The number of decisions would reveal whether a rival was asked for a payment (CU-13.3).
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
    """Deal the unseen cards again to rivals and pile (CU-13.7).

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


@kernel(leaf=True)
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
