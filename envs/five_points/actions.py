"""The flat action space of Five Points (FP-17.1), its notation, and what its actions concern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..core.errors import NotationError
from .data import COLOURS
from .state import MAX_SEATS, MAX_TILES, NUM_BUILDINGS, NUM_COLOURS, RABBLE, ROW_SIZE, SIDE

if TYPE_CHECKING:
    from ..core.game import Game
    from ..core.state import State

MAX_BID: Final = RABBLE - 1
"""One of the twenty rabble has just been placed."""

PASS_ACTION: Final = 0
NO_BID: Final = 1
SKIP: Final = 2
PLACE_AT: Final = 3
BID_AT: Final = PLACE_AT + MAX_TILES
TILE_AT: Final = BID_AT + ROW_SIZE * MAX_BID
CELL_AT: Final = TILE_AT + MAX_TILES
COLOUR_AT: Final = CELL_AT + SIDE * SIDE
RABBLE_AT: Final = COLOUR_AT + NUM_COLOURS
BUILDING_AT: Final = RABBLE_AT + MAX_TILES * MAX_SEATS
NUM_ACTIONS: Final = BUILDING_AT + NUM_BUILDINGS


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


ITEM_ACTIONS: Final = {
    "tiles": tuple(
        (
            PLACE_AT + tile,
            TILE_AT + tile,
            *(RABBLE_AT + tile * MAX_SEATS + seat for seat in range(MAX_SEATS)),
        )
        for tile in range(MAX_TILES)
    ),
    "row": tuple(
        tuple(BID_AT + place * MAX_BID + bid for bid in range(MAX_BID)) for place in range(ROW_SIZE)
    ),
    "buildings": tuple((BUILDING_AT + building,) for building in range(NUM_BUILDINGS)),
}
"""See :attr:`gangland.envs.core.game.Game.item_actions`."""
