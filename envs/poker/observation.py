"""What a seat sees: its card, the card for all, and every action that was taken (PK-8)."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

from ..core.kernel import kernel
from ..core.layout import Block, Field, Layout, offsets, row_size
from ..core.state import State
from .hidden import turned_up
from .state import (
    ACTIONS,
    MAX_ACTIONS,
    MAX_RANKS,
    MAX_ROUNDS,
    MAX_SEATS,
    NONE,
    OVER,
    PHASES,
    PLACES,
    RANKS,
)

MOST_CHIPS: Final = 13
"""A stake in Leduc poker when both rounds have seen both raises."""


class Seat(NamedTuple):
    """A seat at the table."""

    present: Annotated[int, Field("1 for a seat at the table")]
    stake: Annotated[int, Field("chips it has put in, in thirteenths", unit=None)]
    folded: Annotated[int, Field("1 if it has folded")]
    decides: Annotated[int, Field("1 if it decides now")]


class Action(NamedTuple):
    """An action that was taken."""

    kind: Annotated[int, Field("1 for what was done", each=ACTIONS)]


class Blocks(NamedTuple):
    """The whole observation."""

    own: Annotated[int, Field("1 for one's own place in the order of betting", each=PLACES)]
    card: Annotated[int, Field("1 for one's own card", each=RANKS)]
    public: Annotated[int, Field("1 for the card for all, once it is turned up", each=RANKS)]
    round: Annotated[int, Field("1 for the round of betting", each=PHASES[:OVER])]
    seats: Annotated[int, Block(Seat, "the seats in turn order, oneself first", rows=MAX_SEATS)]
    first: Annotated[
        int, Block(Action, "actions of the first round, in their order", rows=MAX_ACTIONS)
    ]
    second: Annotated[
        int, Block(Action, "actions of the second round, in their order", rows=MAX_ACTIONS)
    ]


LAYOUT: Final = Layout(Blocks)
AT: Final = LAYOUT.at
SEAT: Final = offsets(Seat)
SEAT_SIZE: Final = row_size(Seat)
ACTION_SIZE: Final = row_size(Action)


@kernel
def observe(state: State, seat: int, out: Any) -> None:
    """Fill the observation of ``seat``: float32 of the shape in ``LAYOUT``."""
    out[:] = 0.0
    n = state.num_seats
    lowest = MAX_RANKS - 1 - n
    out[AT.own + (seat - state.first + n) % n] = 1.0
    if state.cards[seat] != NONE:
        out[AT.card + lowest + state.cards[seat]] = 1.0
    if turned_up(state) and state.public != NONE:
        out[AT.public + lowest + state.public] = 1.0
    if state.phase < OVER:
        out[AT.round + state.phase] = 1.0
    for k in range(n):
        other = (seat + k) % n
        at = AT.seats + k * SEAT_SIZE
        out[at + SEAT.present] = 1.0
        out[at + SEAT.stake] = state.stakes[other] / MOST_CHIPS
        out[at + SEAT.folded] = state.folded[other]
        out[at + SEAT.decides] = state.seat == other
    for betting in range(MAX_ROUNDS):
        at = AT.first if betting == 0 else AT.second
        for k in range(state.count[betting]):
            out[at + k * ACTION_SIZE + state.history[betting, k] - 1] = 1.0
