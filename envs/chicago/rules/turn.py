"""What all of a turn uses: its beginning, the draw pile, a payment that is asked for."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.rng import randint
from ...core.state import State
from ..state import CARD_TYPES, CARDS, LOG_SIZE, MAIN, NONE, PUT_BACK, TERRITORIES


@kernel(leaf=True)
def report(state: State, kind: int, seat: int, detail: int, more: int) -> None:
    """Log what happened, for the table; the last ``LOG_SIZE`` events are kept."""
    entry = state.log[state.told % LOG_SIZE]
    entry[0] = kind
    entry[1] = seat
    entry[2] = detail
    entry[3] = more
    state.told += 1


@kernel(leaf=True)
def take_card(state: State) -> int:
    """Take a uniformly random card out of the draw pile (CU-10.1, CU-12.1).

    Returns:
        A card type, or ``CARD_TYPES + x`` for territory ``x``.
    """
    index = randint(state, state.pile_size)
    state.pile_size -= 1
    for card in range(CARD_TYPES):
        if index < state.pile[card]:
            state.pile[card] -= 1
            return card
        index -= state.pile[card]
    for x in range(TERRITORIES):
        if state.owner[x] == NONE:
            if index == 0:
                return CARD_TYPES + x
            index -= 1
    return NONE


@kernel(leaf=True)
def begin_turn(state: State, seat: int) -> None:
    """The turn of ``seat`` starts (CU-4.2)."""
    state.current = seat
    state.seat = seat
    state.acted = 0
    state.phase = MAIN


@kernel(leaf=True)
def back_to_cards(state: State) -> None:
    """The action or card is done: MAIN before the action, CARDS after it (CU-4.3)."""
    state.seat = state.current
    state.phase = CARDS if state.acted else MAIN


@kernel(leaf=True)
def reshuffle(state: State) -> None:
    """All discards go back into the draw pile (CU-10.2)."""
    for card in range(CARD_TYPES):
        state.pile[card] += state.discards[card]
        state.pile_size += state.discards[card]
        state.discards[card] = 0


@kernel(leaf=True)
def drop_card(state: State, seat: int, card: int) -> None:
    """A card goes from a hand to the discards (CU-10.4)."""
    state.hands[seat, card] -= 1
    state.hand_size[seat] -= 1
    state.discards[card] += 1


@kernel(leaf=True)
def ask_payment(state: State, seat: int, phase: int, price: int) -> None:
    """A seat that could pay is asked whether and how (CU-7.3, CU-7.5)."""
    state.seat = seat
    state.phase = phase
    state.price = price
    state.paid = 0
    state.last_paid = 0


@kernel(leaf=True)
def put_back(state: State) -> None:
    """An unpaid territory returns to the pile, the discards with it (CU-6.4, CU-10.2)."""
    report(state, PUT_BACK, state.current, state.flipped, 0)
    state.flipped = NONE
    state.pile_size += 1
    reshuffle(state)
    back_to_cards(state)


@kernel(leaf=True)
def clear_price(state: State) -> None:
    """No payment is in progress any more."""
    state.price = 0
    state.paid = 0
    state.last_paid = 0
