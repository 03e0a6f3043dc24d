"""Legal actions at each decision point (FP-4.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.state import State
from .actions import (
    BID_AT,
    BUILDING_AT,
    CELL_AT,
    COLOUR_AT,
    MAX_BID,
    NO_BID,
    PASS_ACTION,
    PLACE_AT,
    RABBLE_AT,
    SKIP,
    TILE_AT,
)
from .city import PAD, building_on, count_moves, fits, pattern_around
from .elections import is_candidate
from .placement import smallest_bid
from .setup import may_hold_building
from .state import (
    BID,
    CM_PICK,
    ELECT,
    MAX_SEATS,
    MB_PICK,
    MB_TO,
    MT_CELL,
    MT_TILE,
    NONE,
    NUM_BUILDINGS,
    NUM_COLOURS,
    PLACE,
    ROW_SIZE,
    SETUP,
    SPECIAL,
    ST_PICK,
    ST_TO,
)


@kernel
def legal_actions(state: State, mask: NDArray[np.bool_]) -> None:
    """Fill the mask of the deciding seat's legal actions."""
    mask[:] = False
    phase = state.phase
    if phase == PLACE:
        mask[PASS_ACTION] = True
        for tile in range(state.num_tiles):
            mask[PLACE_AT + tile] = True
    elif phase == BID:
        mask[NO_BID] = True
        for marker in range(ROW_SIZE):
            for count in range(smallest_bid(state, marker, state.seat), state.hq[state.seat] + 1):
                mask[BID_AT + MAX_BID * marker + count - 1] = True
    elif phase == CM_PICK:
        for colour in range(NUM_COLOURS):
            mask[COLOUR_AT + colour] = state.supply[colour] > 0
    elif phase == MT_CELL:
        here = pattern_around(state, PAD[state.cell[state.picked]], state.picked)
        for i in range(state.rim_size):
            cell = state.rim[i]
            mask[CELL_AT + cell] = fits(state, state.picked, here, cell)
    elif phase == MB_PICK:
        mask[SKIP] = True
        for building in range(NUM_BUILDINGS):
            mask[BUILDING_AT + building] = True
    elif phase == ST_PICK:
        mask[SKIP] = True
        for tile in range(state.num_tiles):
            for offset in range(state.num_seats):
                seat = (state.seat + offset) % state.num_seats
                mask[RABBLE_AT + MAX_SEATS * tile + offset] = state.rabble[tile, seat] > 0
    else:
        mask[SKIP] = phase == MT_TILE
        for tile in range(state.num_tiles):
            mask[TILE_AT + tile] = may_name(state, tile)


@kernel(leaf=True)
def may_name(state: State, tile: int) -> bool:
    """Whether ``tile t`` is legal in the phases that name a tile."""
    phase = state.phase
    if phase == SETUP:
        return may_hold_building(state, tile)
    if phase == MT_TILE:
        return count_moves(state, tile, 1) > 0
    if phase == MB_TO:
        return building_on(state, tile) == NONE
    if phase == ST_TO:
        return bool(tile != state.picked)
    if phase == ELECT:
        return is_candidate(state, tile)
    return bool(phase == SPECIAL)
