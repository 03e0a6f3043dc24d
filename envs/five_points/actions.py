"""The flat action space of Five Points (FP-17.1): layout and short texts (FP-18.1)."""

from __future__ import annotations

from typing import Final

from .state import MAX_SEATS, MAX_TILES, NUM_BUILDINGS, NUM_COLOURS, RABBLE, ROW_SIZE, SIDE

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
