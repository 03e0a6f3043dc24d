"""What no position can be, for positions of unknown origin."""

from __future__ import annotations

from ..core.game import Game
from ..core.state import State
from .state import COPIES


def inconsistency(game: Game, state: State) -> str:
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
