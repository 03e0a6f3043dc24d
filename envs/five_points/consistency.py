"""What no position can be, for positions of unknown origin."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.state import State
from .state import NONE, PADDED, SIDE


def inconsistency(game: Game, state: State) -> str:
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
