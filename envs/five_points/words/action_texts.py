"""The notation of each action (FP-18.1)."""

from __future__ import annotations

from ...core.errors import NotationError
from ...core.game import Game
from ...core.state import State
from ..actions import (
    BID_AT,
    BUILDING_AT,
    CELL_AT,
    COLOUR_AT,
    MAX_BID,
    NUM_ACTIONS,
    PLACE_AT,
    RABBLE_AT,
    TILE_AT,
)
from ..data.tables import COLOURS
from ..state import MAX_SEATS, SIDE


def action_text(game: Game, state: State, action: int) -> str:
    """Notation of an action (FP-18.1); ``rabble`` actions name seats from the deciding one on.

    Raises:
        NotationError: If there is no such action.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise NotationError(f"action {action}: must be 0..{NUM_ACTIONS - 1}")
    if action < PLACE_AT:
        return ("pass", "nobid", "skip")[action]
    if action < BID_AT:
        return f"place {action - PLACE_AT}"
    if action < TILE_AT:
        marker, k = divmod(action - BID_AT, MAX_BID)
        return f"bid {marker}+{k + 1}"
    if action < CELL_AT:
        return f"tile {action - TILE_AT}"
    if action < COLOUR_AT:
        row, column = divmod(action - CELL_AT, SIDE)
        return f"cell r{row}c{column}"
    if action < RABBLE_AT:
        return f"colour {COLOURS[action - COLOUR_AT]}"
    if action < BUILDING_AT:
        tile, offset = divmod(action - RABBLE_AT, MAX_SEATS)
        actor, num_seats = max(int(state.seat), 0), int(state.num_seats)
        # Offsets beyond the table are never legal; they keep a text of their own.
        seat = (actor + offset) % num_seats if offset < num_seats else offset
        return f"rabble {tile}/{seat}"
    return f"building {action - BUILDING_AT}"
