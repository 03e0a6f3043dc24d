"""What no position can be, for positions of unknown origin."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.state import State
from .state import DECK


def inconsistency(game: Game, state: State) -> str:
    """What no position can be; see ``Game.inconsistency``."""
    seats = int(state.num_seats)
    if int(state.deck_at) + int(state.deck_size) > DECK:
        return (
            f"deck_size={state.deck_size}: {DECK} cards less those drawn, {state.deck_at}, at most"
        )
    for field in ("crook_loc", "racket_loc", "special_loc"):
        if state[field].max() >= seats:
            return f"{field}: must be seats 0..{seats - 1} or a place on the table"
    # Bosses have no superior: from every Crook the way up must end.
    above = state.superior.astype(np.int64)
    for _ in range(6):  # 2**6 steps up
        above = np.where(above >= 0, above[above], above)
    if (above >= 0).any():
        return "superior: nobody may be above himself"
    return ""
