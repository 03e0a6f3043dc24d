"""What the fields of a record can hold, for positions of unknown origin."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..core.state import State
from .state import (
    BOSSES,
    MAX_RIM,
    MAX_SEATS,
    MAX_SPECIALS,
    MAX_TILES,
    NONE,
    NUM_COLOURS,
    PADDED,
    RABBLE,
    SIDE,
    STAGES,
)

SEATS: Final = (NONE, MAX_SEATS - 1)
TILES: Final = (NONE, MAX_TILES - 1)
CELLS: Final = (NONE, SIDE * SIDE - 1)
FLAG: Final = (0, 1)

BOUNDS: Final = {
    "capped": FLAG,
    "max_rounds": (1, 2**15 - 1),
    "marker_set": FLAG,
    "election_limit": FLAG,
    "move_rule": FLAG,
    "adjacent_buildings": FLAG,
    "start_option": SEATS,
    "num_tiles": (1, MAX_TILES),
    "colour": (NONE, NUM_COLOURS - 1),
    "cell": CELLS,
    "grid": TILES,
    "adjacent": (0, 2**MAX_TILES - 1),
    "rim_size": (0, MAX_RIM),
    "rim": CELLS,
    "rabble": (0, RABBLE),
    "bosses": (0, 1),
    "total": (0, 127),
    "boss_count": (0, BOSSES),
    "building": (NONE, 15),
    "building_tile": TILES,
    "hq": (0, RABBLE),
    "boroughs": (0, RABBLE),
    "vp": (0, 2**15 - 1),
    "control": (0, 127),
    "supply": (0, 127),
    "round_number": (0, 2**15 - 1),
    "start": SEATS,
    "num_passed": (0, MAX_SEATS),
    "pass_order": SEATS,
    "pass_place": (0, MAX_SEATS),
    "row": (NONE, 31),
    "bids": (0, RABBLE),
    "flat_votes": (0, 127),
    "colour_votes": (0, 127),
    "boss_votes": (0, 127),
    "stage": (0, len(STAGES) - 1),
    "picked": TILES,
    "picked_seat": SEATS,
    "num_specials": (0, MAX_SPECIALS),
    "specials": TILES,
    "tied": (0, 2**MAX_TILES - 1),
    "num_chosen": (0, MAX_TILES),
    "chosen": TILES,
}


def inconsistency(state: State) -> str:
    """What no position can be; see ``Game.inconsistency``."""
    tiles = int(state.num_tiles)
    cells = state.cell[:tiles].astype(np.int64)
    if (cells < 0).any() or len(np.unique(cells)) != tiles:
        return f"cell: each of the {tiles} tiles must have a cell of its own"
    grid = np.full(PADDED * PADDED, NONE)
    grid[(cells // SIDE + 1) * PADDED + cells % SIDE + 1] = np.arange(tiles)
    if (grid != state.grid).any():
        return "grid: must hold each tile on its cell and nothing else"
    if (state.rabble.sum(1, np.int64) != state.total).any():
        return "total: must be the rabble of each tile"
    if (state.bosses.sum(0, np.int64) != state.boss_count).any():
        return "boss_count: must be the bosses of each seat on the board"
    return ""
