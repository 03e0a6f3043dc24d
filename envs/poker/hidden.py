"""What a seat may not know (PK-8): others' cards, the card for all until the second round."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.state import State
from .rules import draw
from .state import MAX_RANKS, NONE, SECOND


@kernel
def redact(state: State, seat: int) -> None:
    """Blank others' cards, but for a showdown's, and the card for all while it lies face down."""
    state.rng = 0
    showdown = state.over and state.folded.sum() + 1 < state.num_seats
    for other in range(state.num_seats):
        if other != seat and not (showdown and not state.folded[other]):
            state.cards[other] = NONE
    if not turned_up(state):
        state.public = NONE


@kernel
def turned_up(state: State) -> bool:
    """Whether the card for all has been turned up."""
    return state.phase == SECOND or state.count[SECOND] > 0


@kernel
def resample_hidden(state: State, seat: int, seed: np.uint64) -> None:
    """Draw what the seat cannot know from the cards that it has not seen."""
    redact(state, seat)
    state.rng = seed
    deck = np.zeros(MAX_RANKS, np.int64)
    deck[: state.num_seats + 1] = state.suits
    for other in range(state.num_seats):
        if state.cards[other] != NONE:
            deck[state.cards[other]] -= 1
    if state.public != NONE:
        deck[state.public] -= 1
    for other in range(state.num_seats):
        if state.cards[other] == NONE:
            state.cards[other] = draw(state, deck)
    if state.rounds > 1 and state.public == NONE:
        state.public = draw(state, deck)
