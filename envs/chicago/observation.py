"""What a seat sees (section 19): names for every number, and the kernel that fills them in."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

import numpy as np

from ..core.kernel import kernel
from ..core.layout import Block, Field, Layout, offsets, row_size
from ..core.state import State
from .data import CARD_NAMES, CODES, FULL_DECK, POINTS
from .hidden import laid_down
from .state import BLACK_JOKER, CARD_TYPES, MAX_SEATS, MONEY_TYPES, NONE, OVER, PHASES, TERRITORIES

MOST_CARDS: Final = 42 / 13
"""All cards but the territories in one hand."""


class Seat(NamedTuple):
    """A seat at the table."""

    present: Annotated[int, Field("1 for a seat at the table")]
    cards: Annotated[int, Field("cards in hand, in thirteenths", high=MOST_CARDS, unit=1 / 13)]
    men: Annotated[int, Field("henchmen, in fifths", unit=1 / 5)]
    owns: Annotated[int, Field("1 for each territory that it owns", each=CODES)]
    points: Annotated[int, Field("points of its territories, as a share of all 120", unit=None)]
    turn: Annotated[int, Field("1 if it is its turn")]


class Payment(NamedTuple):
    """One's own payment in progress."""

    price: Annotated[int, Field("price in dollars, in sixtieths", unit=1 / 60)]
    paid: Annotated[int, Field("dollars laid down so far, in sixtieths", high=1.2, unit=1 / 60)]
    last: Annotated[int, Field("the last card laid down, in tenths of a dollar", unit=1 / 10)]


class Table(NamedTuple):
    """The clock and the options that rules depend on."""

    turns: Annotated[int, Field("turns played, as a share of the cap", unit=None)]
    bribe: Annotated[int, Field("dollars that buy off a joker, in sixtieths", unit=1 / 60)]
    hand_limit: Annotated[
        int, Field("most cards in hand at the end of one's turn, in tenths", unit=1 / 10)
    ]
    reshuffle: Annotated[int, Field("1 if an empty pile takes in the discards, 0 if it ends all")]


class Blocks(NamedTuple):
    """The whole observation."""

    hand: Annotated[
        int, Field("one's own cards of each type, in quarters", each=CARD_NAMES, unit=1 / 4)
    ]
    seats: Annotated[
        int, Block(Seat, "the seats clockwise, oneself first; absent ones are 0", rows=MAX_SEATS)
    ]
    discards: Annotated[
        int, Field("discarded cards of each type, in quarters", each=CARD_NAMES, unit=1 / 4)
    ]
    pile: Annotated[int, Field("cards in the draw pile, as a share of 54", unit=1 / 54)]
    unowned: Annotated[int, Field("1 for each territory in the draw pile", each=CODES)]
    unseen: Annotated[
        int,
        Field("cards of each type that one has not seen, in quarters", each=CARD_NAMES, unit=1 / 4),
    ]
    phase: Annotated[int, Field("1 for the phase of one's own decision", each=PHASES[:OVER])]
    payment: Annotated[int, Block(Payment, "one's own payment in progress")]
    flipped: Annotated[int, Field("1 for the territory turned up", each=CODES)]
    target: Annotated[int, Field("1 for the territory that a joker aims at", each=CODES)]
    joker: Annotated[int, Field("1 for the joker that is aimed", each=("red", "black"))]
    table: Annotated[int, Block(Table, "the clock and the options that rules depend on")]


LAYOUT: Final = Layout(Blocks)
AT: Final = LAYOUT.at
SEAT: Final = offsets(Seat)
SEAT_SIZE: Final = row_size(Seat)
PAYMENT: Final = offsets(Payment)
TABLE: Final = offsets(Table)


@kernel
def observe(state: State, seat: int, out: Any) -> None:
    """Fill the observation of ``seat``: float32 of the shape in ``LAYOUT`` (CU-19.1)."""
    out[:] = 0.0
    n = state.num_seats
    own_payment = state.seat == seat
    for card in range(CARD_TYPES):
        held = state.hands[seat, card]
        discarded = state.discards[card]
        out[AT.hand + card] = held * np.float32(0.25)
        out[AT.discards + card] = discarded * np.float32(0.25)
        out[AT.unseen + card] = (FULL_DECK[card] - held - discarded) * np.float32(0.25)
    if state.joker != NONE:
        out[AT.unseen + state.joker] -= np.float32(0.25)
    for k in range(n):
        other = (seat + k) % n
        at = AT.seats + k * SEAT_SIZE
        out[at + SEAT.present] = 1.0
        out[at + SEAT.cards] = state.hand_size[other] * np.float32(1 / 13)
        out[at + SEAT.men] = state.men[other] * np.float32(0.2)
    out[AT.seats + ((state.current - seat + n) % n) * SEAT_SIZE + SEAT.turn] = 1.0
    for x in range(TERRITORIES):
        owner = state.owner[x]
        if owner == NONE:
            out[AT.unowned + x] = x != state.flipped
        else:
            at = AT.seats + ((owner - seat + n) % n) * SEAT_SIZE
            out[at + SEAT.owns + x] = 1.0
            out[at + SEAT.points] += POINTS[x] * np.float32(1 / 120)
    out[AT.pile] = state.pile_size * np.float32(1 / 54)
    if state.price > 0:
        observe_payment(state, seat, own_payment, out)
    if own_payment and state.phase != OVER:
        out[AT.phase + state.phase] = 1.0
    if state.flipped != NONE:
        out[AT.flipped + state.flipped] = 1.0
    if state.target != NONE:
        out[AT.target + state.target] = 1.0
        out[AT.joker + (state.joker == BLACK_JOKER)] = 1.0
    out[AT.table + TABLE.turns] = state.turns / np.float32(state.turn_cap)
    out[AT.table + TABLE.bribe] = state.bribe_price * np.float32(1 / 60)
    out[AT.table + TABLE.hand_limit] = state.hand_limit * np.float32(0.1)
    out[AT.table + TABLE.reshuffle] = state.deck_end


@kernel(leaf=True)
def observe_payment(state: State, seat: int, own: bool, out: Any) -> None:
    """Own payments in full; the cards laid down by a rival still count as his hand."""
    if own:
        out[AT.payment + PAYMENT.price] = state.price * np.float32(1 / 60)
        out[AT.payment + PAYMENT.paid] = state.paid * np.float32(1 / 60)
        out[AT.payment + PAYMENT.last] = state.last_paid * np.float32(0.1)
        for card in range(MONEY_TYPES):
            out[AT.unseen + card] -= state.payment[card] * np.float32(0.25)
    else:
        n = state.num_seats
        at = AT.seats + ((state.seat - seat + n) % n) * SEAT_SIZE
        held = state.hand_size[state.seat] + laid_down(state)
        out[at + SEAT.cards] = held * np.float32(1 / 13)
