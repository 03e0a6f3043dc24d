"""Moving a tile or a building: first which one, then where to (FP-6.10, FP-6.11)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import BUILDING_AT, CELL_AT, SKIP, TILE_AT
from ..state import MB_PICK, MB_TO, MT_CELL, MT_TILE, NONE, NUM_BUILDINGS, SIDE
from .city import PAD, building_on, can_move_to, count_moves, fits, move_tile, pattern_around


@kernel(leaf=True)
def legal_tile_move(state: State, mask: NDArray[np.bool_]) -> None:
    """A tile that can move, or none; then one of its cells (FP-8.3, FP-8.7)."""
    if state.phase == MT_TILE:
        mask[SKIP] = True
        for tile in range(state.num_tiles):
            mask[TILE_AT + tile] = count_moves(state, tile, 1) > 0
        return
    here = pattern_around(state, PAD[state.cell[state.picked]], state.picked)
    for i in range(state.rim_size):
        cell = state.rim[i]
        mask[CELL_AT + cell] = fits(state, state.picked, here, cell)


@kernel(leaf=True)
def decide_tile_move(state: State, action: int) -> bool:
    """Pick a tile, then move it; the only cell left is not asked for (FP-4.3).

    Returns whether it is done.
    """
    if state.phase == MT_CELL:
        move_tile(state, state.picked, action - CELL_AT)
        return True
    tile = action - TILE_AT
    if count_moves(state, tile, 2) > 1:
        state.picked = tile
        state.phase = MT_CELL
        return False
    for cell in range(SIDE * SIDE):
        if can_move_to(state, tile, cell):
            move_tile(state, tile, cell)
            break
    return True


@kernel(leaf=True)
def legal_building_move(state: State, mask: NDArray[np.bool_]) -> None:
    """One of the buildings, or none; then a tile without one (FP-6.11)."""
    if state.phase == MB_TO:
        for tile in range(state.num_tiles):
            mask[TILE_AT + tile] = building_on(state, tile) == NONE
        return
    mask[SKIP] = True
    for building in range(NUM_BUILDINGS):
        mask[BUILDING_AT + building] = True


@kernel(leaf=True)
def decide_building_move(state: State, action: int) -> bool:
    """Pick a building, then move it (FP-6.11). Returns whether it is done."""
    if state.phase == MB_PICK:
        state.picked = action - BUILDING_AT
        state.phase = MB_TO
        return False
    state.building_tile[state.picked] = action - TILE_AT
    return True
