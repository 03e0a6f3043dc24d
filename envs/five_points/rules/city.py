"""The city: neighbours, leaders, and tiles that move (FP-1.5 and section 8 of the rules)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..state import ADJACENT_ONLY, NONE, PADDED, SIDE

PAD: Final = np.array(
    [(cell // SIDE + 1) * PADDED + cell % SIDE + 1 for cell in range(SIDE * SIDE)], np.int64
)
"""Place of each cell in the padded grid."""

STEPS: Final = np.array([-PADDED, -1, 1, PADDED], np.int64)
"""Ways to the four orthogonal neighbours in the padded grid."""

AROUND: Final = np.array(
    [-PADDED - 1, -PADDED, -PADDED + 1, -1, 1, PADDED - 1, PADDED, PADDED + 1], np.int64
)
"""Ways to the eight cells around one, as the bits of a pattern: NW N NE W E SW S SE."""

BESIDE: Final = 1 << 1 | 1 << 3 | 1 << 4 | 1 << 6
"""The bits of a pattern that are orthogonal neighbours."""

_CORNERS: Final = ((0, 1, 3), (2, 1, 4), (5, 6, 3), (7, 6, 4))
"""Diagonal cell and the two cells beside it, for each 2 x 2 block around a cell."""


def _links() -> NDArray[np.int8]:
    table = np.zeros(256, np.int8)
    for pattern in range(256):
        full = [pattern >> bit & 1 for bit in range(8)]
        edges = full[1] + full[3] + full[4] + full[6]
        table[pattern] = edges - sum(full[d] & full[a] & full[b] for d, a, b in _CORNERS)
    return table


def _pinches(centre: int) -> NDArray[np.int8]:
    table = np.zeros(256, np.int8)
    for pattern in range(256):
        full = [pattern >> bit & 1 for bit in range(8)]
        table[pattern] = sum(
            full[d] == centre and full[a] == full[b] == 1 - centre for d, a, b in _CORNERS
        )
    return table


LINKS: Final = _links()
"""Edges less full 2 x 2 blocks that a tile adds to the tiles of a pattern around it.

A shape of n cells, e shared edges and q full 2 x 2 blocks has n - e + q = components - holes
(Euler's number for orthogonal neighbours; Gray, "Local properties of binary images in two
dimensions", 1971), so a move keeps it at 1 only if both its ends have equal links.
"""

PINCHES_FULL: Final = _pinches(1)
"""Blocks around a tile in which two tiles touch by a corner alone."""

PINCHES_EMPTY: Final = _pinches(0)
"""Blocks around an empty cell in which two tiles touch by a corner alone."""


@kernel(leaf=True)
def sole_leader(state: State, tile: int) -> int:
    """The seat with strictly more rabble on the tile than every other seat, or NONE (FP-1.5)."""
    leader = NONE
    best = 0
    for seat in range(state.num_seats):
        count = state.rabble[tile, seat]
        if count > best:
            best = count
            leader = seat
        elif count == best:
            leader = NONE
    return leader


@kernel(leaf=True)
def building_on(state: State, tile: int) -> int:
    """Index of the building on a tile, or NONE."""
    if state.building_tile[0] == tile:
        return 0
    if state.building_tile[1] == tile:
        return 1
    return NONE


@kernel
def lay_out(state: State) -> None:
    """Rebuild grid, neighbours and rim from the tiles' cells (FP-8.6)."""
    state.grid[:] = NONE
    for tile in range(state.num_tiles):
        state.grid[PAD[state.cell[tile]]] = tile
    for tile in range(state.num_tiles):
        state.adjacent[tile] = tiles_beside(state, PAD[state.cell[tile]])
    state.rim[:] = NONE
    state.rim_size = 0
    for cell in range(SIDE * SIDE):
        if state.grid[PAD[cell]] == NONE and tiles_beside(state, PAD[cell]) != 0:
            state.rim[state.rim_size] = cell
            state.rim_size += 1


@kernel(leaf=True)
def tiles_beside(state: State, place: int) -> int:
    """Bit set of the tiles on the four cells beside a place of the padded grid."""
    found = 0
    for step in STEPS:
        tile = state.grid[place + step]
        if tile >= 0:
            found |= 1 << tile
    return found


@kernel(leaf=True)
def pattern_around(state: State, place: int, without: int) -> int:
    """Which of the eight cells around a place hold a tile other than ``without``."""
    pattern = 0
    for bit in range(8):
        tile = state.grid[place + AROUND[bit]]
        if tile >= 0 and tile != without:
            pattern |= 1 << bit
    return pattern


@kernel(leaf=True)
def joins_all(state: State, tile: int, beside: int) -> bool:
    """Whether all tiles but ``tile`` hang together once those of ``beside`` are joined."""
    others = ((1 << state.num_tiles) - 1) & ~(1 << tile)
    reached = beside
    while True:
        grown = reached
        for other in range(state.num_tiles):
            if reached >> other & 1:
                grown |= state.adjacent[other]
        grown &= others
        if grown == reached:
            return bool(reached == others)
        reached = grown


@kernel
def can_move_to(state: State, tile: int, cell: int) -> bool:
    """Whether a tile may move to a cell (FP-8.3, FP-8.4)."""
    return fits(state, tile, pattern_around(state, PAD[state.cell[tile]], tile), cell)


@kernel(leaf=True)
def fits(state: State, tile: int, here: int, cell: int) -> bool:
    """Whether a tile, lifted out of the pattern ``here``, may be laid on a cell (FP-8.3, FP-8.4).

    The city before the move is one piece without holes, so it stays so if the links of the two
    ends are equal, no two tiles touch by a corner alone, and it still hangs together.
    """
    place = PAD[cell]
    if state.grid[place] >= 0:
        return False
    there = pattern_around(state, place, tile)
    if there & BESIDE == 0:
        return False
    if state.move_rule == ADJACENT_ONLY:
        return True
    if LINKS[here] != LINKS[there]:
        return False
    if PINCHES_EMPTY[here] - PINCHES_EMPTY[there] + PINCHES_FULL[there] != 0:
        return False
    # A tile of one link that leaves no pinch behind is no bridge between others.
    is_bridge = LINKS[here] != 1 or PINCHES_EMPTY[here] != 0
    return not is_bridge or joins_all(state, tile, tiles_beside(state, place) & ~(1 << tile))


@kernel
def count_moves(state: State, tile: int, enough: int) -> int:
    """Number of cells that a tile may move to, counted up to ``enough`` (FP-8.7)."""
    here = pattern_around(state, PAD[state.cell[tile]], tile)
    if LINKS[here] == 0 and state.move_rule != ADJACENT_ONLY:
        return 0  # its own cell would be the only one without a hole
    count = 0
    for i in range(state.rim_size):
        if fits(state, tile, here, state.rim[i]):
            count += 1
            if count == enough:
                break
    return count


@kernel(leaf=True)
def any_tile_can_move(state: State) -> bool:
    """Whether some tile has a legal cell (FP-16.4)."""
    for tile in range(state.num_tiles):
        if count_moves(state, tile, 1) > 0:
            return True
    return False


@kernel
def move_tile(state: State, tile: int, cell: int) -> None:
    """Move a tile with everything on it (FP-8.2) and centre the city again (FP-8.1, FP-8.5)."""
    state.cell[tile] = cell
    top = SIDE
    bottom = -1
    left = SIDE
    right = -1
    for other in range(state.num_tiles):
        row = state.cell[other] // SIDE
        column = state.cell[other] % SIDE
        top = min(top, row)
        bottom = max(bottom, row)
        left = min(left, column)
        right = max(right, column)
    down = (SIDE - (bottom - top + 1)) // 2 - top
    across = (SIDE - (right - left + 1)) // 2 - left
    for other in range(state.num_tiles):
        state.cell[other] += SIDE * down + across
    lay_out(state)
