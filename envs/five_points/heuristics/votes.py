"""Votes in elections, won and about to be won: what both bots count alike (FP-6, FP-7)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..data import MARKER_COLOUR, MARKER_KIND, PP, SW, V1, V2, V3, VB
from ..rules.elections import COLOUR_VOTES
from ..rules.markers import highest_bidder
from ..state import NONE, NUM_COLOURS, ROW_SIZE

Floats = NDArray[np.float64]

# Rows of the scratch array: per seat the estimate, then bonus votes in every election, per own
# boss, and per colour. A bot may add rows of its own behind these.
ESTIMATE: Final = 0
FLAT: Final = 1
PER_BOSS: Final = 2
PER_COLOUR: Final = 3
VOTE_ROWS: Final = PER_COLOUR + NUM_COLOURS


@kernel(leaf=True)
def count_won_votes(known: State, scratch: Floats) -> None:
    """Bonus votes that every seat has won."""
    for seat in range(known.num_seats):
        scratch[FLAT, seat] = known.flat_votes[seat]
        scratch[PER_BOSS, seat] = known.boss_votes[seat]
        for colour in range(NUM_COLOURS):
            scratch[PER_COLOUR + colour, seat] = COLOUR_VOTES * known.colour_votes[seat, colour]


@kernel(leaf=True)
def add_marker_votes(known: State, scratch: Floats) -> None:
    """Add the votes of markers to those who lead them."""
    for marker in range(ROW_SIZE):
        leader = highest_bidder(known, marker)
        if leader != NONE:
            kind = MARKER_KIND[known.row[marker]]
            if kind == V1:
                scratch[FLAT, leader] += 1
            elif kind == V2:
                scratch[FLAT, leader] += 2
            elif kind == V3:
                scratch[PER_COLOUR + MARKER_COLOUR[known.row[marker]], leader] += COLOUR_VOTES
            elif kind == VB:
                scratch[PER_BOSS, leader] += 1


@kernel(leaf=True)
def add_building_votes(known: State, building: int, leader: int, scratch: Floats) -> None:
    """Add the votes of a building to the seat that leads its tile, or NONE."""
    if leader != NONE:
        if known.building[building] == PP:
            scratch[FLAT, leader] += 1
        elif known.building[building] == SW:
            scratch[FLAT, leader] += 2


@kernel(leaf=True)
def votes_of(known: State, tile: int, seat: int, colour: int, scratch: Floats) -> float:
    """Votes of a seat with the bonus votes of the scratch array."""
    return float(
        known.rabble[tile, seat]
        + scratch[FLAT, seat]
        + scratch[PER_COLOUR + colour, seat]
        + scratch[PER_BOSS, seat] * known.boss_count[seat]
    )
