"""Setting up the city (section 3 of the rules) and the draws that go with it (FP-12.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.rng import randint, seed_chance, shuffle
from ...core.state import State
from ..actions import TILE_AT
from ..data import BUILDINGS, LAYOUTS, SET_SIZES, SETS, TILES
from ..state import ALLOW, NONE, NUM_COLOURS, RABBLE, ROW_SIZE, SETUP, STOP, TURN
from .city import building_on, lay_out

FIRST_HQ = 9
"""Rabble in each headquarters at first (FP-3.1)."""
DEALT = 3
"""Rabble of each seat that are dealt onto the tiles (FP-3.6)."""
PER_COLOUR = 5
"""Tiles of each colour in the box (FP-2.1)."""


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """A new game up to the start seat's choice of the first building's tile."""
    seed_chance(state, seed)
    clear_marks(state)
    state.pass_order[:] = NONE
    state.row[:] = NONE
    state.building_tile[:] = NONE
    for seat in range(state.num_seats):
        state.hq[seat] = FIRST_HQ
        state.boroughs[seat] = RABBLE - FIRST_HQ
    for colour in range(NUM_COLOURS):
        state.supply[colour] = state.control_markers
    draw_tiles(state)
    state.start = state.start_option
    if state.start_option == NONE:
        state.start = randint(state, state.num_seats)
    draw_buildings(state)
    state.round_number = 1
    state.phase = SETUP
    state.seat = state.start


@kernel
def clear_marks(state: State) -> None:
    """No effect in progress, no half-made choice, no election tile named."""
    state.stage = 0
    state.picked = NONE
    state.picked_seat = NONE
    state.num_specials = 0
    state.specials[:] = NONE
    state.tied = 0
    state.num_chosen = 0
    state.chosen[:] = NONE


@kernel(leaf=True)
def draw_tiles(state: State) -> None:
    """One tile of each colour and random others, shuffled over the cells (FP-3.2, FP-3.3)."""
    tiles = TILES[state.num_seats]
    state.num_tiles = tiles
    state.colour[:] = NONE
    state.cell[:] = NONE
    for colour in range(NUM_COLOURS):
        state.colour[colour] = colour
    # The box without the four given tiles: colours by blocks, drawn without replacement.
    box = np.zeros(NUM_COLOURS * (PER_COLOUR - 1), np.int8)
    for i in range(len(box)):
        box[i] = i // (PER_COLOUR - 1)
    shuffle(state, box)
    for tile in range(NUM_COLOURS, tiles):
        state.colour[tile] = box[tile - NUM_COLOURS]
    shuffle(state, state.colour[:tiles])
    for tile in range(tiles):
        state.cell[tile] = LAYOUTS[state.num_seats, tile]
    lay_out(state)


@kernel
def draw_buildings(state: State) -> None:
    """Two different buildings in order, seen by nobody yet (FP-3.5)."""
    first = randint(state, len(BUILDINGS))
    second = randint(state, len(BUILDINGS) - 1)
    state.building[0] = first
    state.building[1] = second + (second >= first)


@kernel(leaf=True)
def may_hold_building(state: State, tile: int) -> bool:
    """Whether the start seat may put its next building here (FP-3.5)."""
    first = state.building_tile[0]
    if first == NONE:
        return True
    if tile == first:
        return False
    return bool(state.adjacent_buildings == ALLOW or state.adjacent[first] >> tile & 1 == 0)


@kernel(leaf=True)
def legal_setup(state: State, mask: NDArray[np.bool_]) -> None:
    """The start seat puts down the buildings one by one (FP-3.5)."""
    for tile in range(state.num_tiles):
        mask[TILE_AT + tile] = may_hold_building(state, tile)


@kernel(leaf=True)
def place_building(state: State, tile: int) -> int:
    """Put down one building; after the second deal the rabble and begin. Returns the next step."""
    if state.building_tile[0] == NONE:
        state.building_tile[0] = tile
        return STOP
    state.building_tile[1] = tile
    deal_rabble(state)
    draw_row(state)
    state.seat = state.start
    return TURN


@kernel(leaf=True)
def deal_rabble(state: State) -> None:
    """Deal three rabble of every seat at random, one to each tile without a building (FP-3.6)."""
    left = DEALT * state.num_seats
    for tile in range(state.num_tiles):
        if building_on(state, tile) == NONE:
            drawn = randint(state, left)
            for seat in range(state.num_seats):
                # Of those undealt so far, each seat holds what its HQ has above six.
                undealt = state.hq[seat] - (FIRST_HQ - DEALT)
                if drawn < undealt:
                    state.hq[seat] -= 1
                    state.rabble[tile, seat] = 1
                    state.total[tile] = 1
                    break
                drawn -= undealt
            left -= 1


@kernel(leaf=True)
def draw_row(state: State) -> None:
    """Four markers without replacement out of the whole set, M0 to M3 (FP-3.7, FP-11.3)."""
    size = SET_SIZES[state.marker_set]
    taken = 0
    for m in range(ROW_SIZE):
        # The drawn-th marker of the set among those not taken yet.
        drawn = randint(state, size - m)
        i = 0
        while drawn > 0 or taken >> i & 1:
            drawn -= 1 - (taken >> i & 1)
            i += 1
        taken |= 1 << i
        state.row[m] = SETS[state.marker_set, i]
