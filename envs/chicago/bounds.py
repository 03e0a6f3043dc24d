"""What the fields of a record can hold, for positions of unknown origin."""

from __future__ import annotations

from typing import Final

from ..core.state import State
from .state import CARD_TYPES, DECK, MAX_MEN, MAX_SEATS, NEXT_TURN, NONE, TERRITORIES

COPIES: Final = 4
"""The most cards of a type."""

BOUNDS: Final = {
    "capped": (0, 1),
    "deck_end": (0, 1),
    "start_seat": (NONE, MAX_SEATS - 1),
    "turn_cap": (0, 2**31 - 1),
    "default_cap": (0, 1),
    "turns": (0, 2**31 - 1),
    "current": (NONE, MAX_SEATS - 1),
    "acted": (0, 1),
    "men": (0, MAX_MEN),
    "hand_size": (0, DECK),
    "hands": (0, COPIES),
    "owner": (NONE, MAX_SEATS - 1),
    "discards": (0, COPIES),
    "pile": (0, COPIES),
    "pile_size": (0, DECK + TERRITORIES),
    "price": (0, 127),
    "paid": (0, 127),
    "last_paid": (0, 127),
    "payment": (0, COPIES),
    "flipped": (NONE, TERRITORIES - 1),
    "target": (NONE, TERRITORIES - 1),
    "joker": (NONE, CARD_TYPES - 1),
    "told": (0, 2**31 - 1),
    "log": (NONE, max(NEXT_TURN, DECK)),
    "dice": (0, 6),
}


def inconsistency(state: State) -> str:
    """What no position can be; see ``Game.inconsistency``."""
    seats, seat = int(state.num_seats), int(state.seat)
    if int(state.current) >= seats:
        return f"current={state.current}: must be a seat 0..{seats - 1}"
    if state.owner.max() >= seats:
        return f"owner: must be seats 0..{seats - 1}"
    if state.hands[seat].sum() != state.hand_size[seat]:
        return f"hand_size: seat {seat} holds {state.hands[seat].sum()} cards"
    if (state.hands[seat] + state.discards > COPIES).any():
        return f"hands: there are {COPIES} cards of a type at the most"
    return ""
