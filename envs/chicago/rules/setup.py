"""Set-up (section 3)."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.rng import randint
from ...core.state import State
from ..data import DEALT, FULL_DECK, START_MEN
from ..state import CARD_TYPES, DECK, NONE, TERRITORIES
from .turn import begin_turn, take_card


@kernel(leaf=True)
def set_up(state: State) -> None:
    """Deal three cards a seat, draw the first seat (CU-3.1 to CU-3.6, CU-12.1)."""
    state.pile_size = DECK
    for card in range(CARD_TYPES):
        state.pile[card] = FULL_DECK[card]
    for x in range(TERRITORIES):
        state.owner[x] = NONE
    for seat in range(state.num_seats):
        state.men[seat] = START_MEN
        for _ in range(DEALT):
            card = take_card(state)
            if card >= CARD_TYPES:
                state.owner[card - CARD_TYPES] = seat
            else:
                state.hands[seat, card] += 1
                state.hand_size[seat] += 1
    first = state.start_seat
    if first == NONE:
        first = randint(state, state.num_seats)
    state.flipped = NONE
    state.target = NONE
    state.joker = NONE
    begin_turn(state, first)
