"""Which actions concern the tiles, markers and buildings that an observation lists."""

from __future__ import annotations

from typing import Final

from .actions import BID_AT, BUILDING_AT, MAX_BID, PLACE_AT, RABBLE_AT, TILE_AT
from .state import MAX_SEATS, MAX_TILES, NUM_BUILDINGS, ROW_SIZE

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
