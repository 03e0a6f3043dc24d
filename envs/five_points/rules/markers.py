"""Manipulation markers (section 6 of the rules), and the moves of tiles and buildings by them.

A move asks first which tile or building, then where to (FP-6.10, FP-6.11).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import BUILDING_AT, CELL_AT, COLOUR_AT, SKIP, TILE_AT
from ..data import CM, MARKER_COLOUR, MARKER_KIND, MB, MJ, MT, SE, V1, V2, V3, VB, VC
from ..state import (
    CM_PICK,
    MARKER_STAGE,
    MARKERS,
    MB_PICK,
    MB_TO,
    MT_CELL,
    MT_TILE,
    NONE,
    NUM_BUILDINGS,
    NUM_COLOURS,
    SIDE,
    SPECIAL,
    STOP,
)
from .city import (
    PAD,
    any_tile_can_move,
    building_on,
    can_move_to,
    count_moves,
    fits,
    move_tile,
    pattern_around,
    sole_leader,
)

MAJORITY_VP = 4
"""Victory points of MJ (FP-6.13)."""


@kernel(leaf=True)
def resolve_marker(state: State, marker: int) -> int:
    """Settle the bids on a marker, then its effect (FP-6.2 to FP-6.4). Returns the next step."""
    done = MARKERS + marker + 1
    winner = settle_bids(state, marker)
    if winner == NONE:
        return done
    kind = MARKER_KIND[state.row[marker]]
    colour = MARKER_COLOUR[state.row[marker]]
    state.stage = MARKER_STAGE + marker
    state.seat = winner
    if kind == V1:
        state.flat_votes[winner] += 1
    elif kind == V2:
        state.flat_votes[winner] += 2
    elif kind == V3:
        state.colour_votes[winner, colour] += 1
    elif kind == VB:
        state.boss_votes[winner] += 1
    elif kind == MJ:
        if has_majority(state, winner, colour):
            state.vp[winner] += MAJORITY_VP
    elif kind == VC:
        state.vp[winner] += controlled_tiles(state, winner)
    elif kind == MT:
        if any_tile_can_move(state):
            state.phase = MT_TILE
            return STOP
    elif kind == MB:
        state.phase = MB_PICK
        return STOP
    elif kind == CM:
        if offer_colours(state):
            return STOP
    elif kind == SE:
        state.phase = SPECIAL
        return STOP
    state.stage = 0
    return done


@kernel(leaf=True)
def highest_bidder(state: State, marker: int) -> int:
    """The seat with the highest bid on a marker (FP-6.3); NONE without bids (FP-6.4)."""
    bidder = NONE
    highest = 0
    for seat in range(state.num_seats):
        if state.bids[marker, seat] > highest:
            highest = state.bids[marker, seat]
            bidder = seat
    return bidder


@kernel(leaf=True)
def settle_bids(state: State, marker: int) -> int:
    """Pay for a marker: the winner's bid to his boroughs, the others' back to their HQs (FP-6.3).

    Returns the winner, or NONE without bids (FP-6.4).
    """
    winner = highest_bidder(state, marker)
    for seat in range(state.num_seats):
        if seat == winner:
            state.boroughs[seat] += state.bids[marker, seat]
        else:
            state.hq[seat] += state.bids[marker, seat]
        state.bids[marker, seat] = 0
    return winner


@kernel(leaf=True)
def has_majority(state: State, seat: int, colour: int) -> bool:
    """Whether the seat controls more tiles of the colour than every other seat (FP-6.13)."""
    own = tiles_of_colour(state, seat, colour)
    for other in range(state.num_seats):
        if other != seat and tiles_of_colour(state, other, colour) >= own:
            return False
    return own > 0


@kernel(leaf=True)
def tiles_of_colour(state: State, seat: int, colour: int) -> int:
    """Number of tiles of a colour that the seat controls (FP-6.16)."""
    count = 0
    for tile in range(state.num_tiles):
        if state.colour[tile] == colour and sole_leader(state, tile) == seat:
            count += 1
    return count


@kernel(leaf=True)
def controlled_tiles(state: State, seat: int) -> int:
    """Number of tiles that the seat controls (FP-6.15)."""
    count = 0
    for tile in range(state.num_tiles):
        if sole_leader(state, tile) == seat:
            count += 1
    return count


@kernel(leaf=True)
def offer_colours(state: State) -> bool:
    """Ask for a colour of the supply; the last one left is taken at once (FP-6.12, FP-16.1)."""
    choices = 0
    last = NONE
    for colour in range(NUM_COLOURS):
        if state.supply[colour] > 0:
            choices += 1
            last = colour
    if choices == 1:
        take_control_marker(state, state.seat, last)
    elif choices > 1:
        state.phase = CM_PICK
    return choices > 1


@kernel(leaf=True)
def legal_colour(state: State, mask: NDArray[np.bool_]) -> None:
    """A colour of the supply (FP-6.12)."""
    for colour in range(NUM_COLOURS):
        mask[COLOUR_AT + colour] = state.supply[colour] > 0


@kernel(leaf=True)
def take_control_marker(state: State, seat: int, colour: int) -> None:
    """One marker of the colour from the supply to the seat (FP-2.4)."""
    state.supply[colour] -= 1
    state.control[seat, colour] += 1


@kernel(leaf=True)
def legal_special(state: State, mask: NDArray[np.bool_]) -> None:
    """Any tile for a special election (FP-6.14)."""
    for tile in range(state.num_tiles):
        mask[TILE_AT + tile] = True


@kernel(leaf=True)
def call_special_election(state: State, tile: int) -> None:
    """Put a special election on a tile (FP-6.14)."""
    state.specials[state.num_specials] = tile
    state.num_specials += 1


# --- moves of tiles and buildings -----------------------------------------------------------------


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
