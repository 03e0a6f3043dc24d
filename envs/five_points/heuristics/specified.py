"""The specification's bot for Five Points: one step ahead, aware of fifth bosses (FP-20.1).

It scores a position for every seat by the elections that would be held on the fullest tiles now,
by those that are one rabble short of it, and by the buildings that the seat leads; it maximises its
own estimate less those of its rivals. Both bots count votes alike, won and about to be won (FP-6,
FP-7).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import BID_AT, COLOUR_AT, MAX_BID, NO_BID, PASS_ACTION, PLACE_AT, TILE_AT
from ..data import (
    BE,
    CM,
    FM,
    MARKER_COLOUR,
    MARKER_KIND,
    MJ,
    NP,
    PP,
    SE,
    ST,
    SW,
    TA,
    TH,
    V1,
    V2,
    V3,
    VB,
    VC,
    ZC,
)
from ..rules.city import sole_leader
from ..rules.elections import COLOUR_VOTES
from ..rules.markers import controlled_tiles, has_majority, highest_bidder
from ..rules.placement import in_extra_turn, smallest_bid
from ..state import (
    BID,
    BOSSES,
    CM_PICK,
    ELECT,
    MAX_SEATS,
    NONE,
    NUM_BUILDINGS,
    NUM_COLOURS,
    PLACE,
    ROW_SIZE,
    SPECIAL,
)

Floats = NDArray[np.float64]

# Rows of the scratch array: per seat the estimate, then bonus votes in every election, per own
# boss, and per colour. A bot may add rows of its own behind these.
ESTIMATE: Final = 0
FLAT: Final = 1
PER_BOSS: Final = 2
PER_COLOUR: Final = 3
VOTE_ROWS: Final = PER_COLOUR + NUM_COLOURS


# --- votes ----------------------------------------------------------------------------------------


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


# --- the bot --------------------------------------------------------------------------------------

BOSS_GAIN: Final = 5.0
LAST_BOSS_GAIN: Final = 60.0
TIED_NEIGHBOUR_GAIN: Final = 1.0
LED_NEIGHBOUR_GAIN: Final = 3.25
NEARLY_FULLEST: Final = 0.35
"""Weight of the tiles that are one rabble short of the fullest."""
RIVAL_WEIGHT: Final = 0.5
MEAN_WEIGHT: Final = 0.3
PLACE_THRESHOLD: Final = 0.25
MISSION_GAIN: Final = 0.5
CONTROL_MARKER_BID: Final = 2.5
MAJORITY_BID: Final = 3.0
CONTROLLED_TILE_BID: Final = 0.8
SPECIAL_BID: Final = 3.0
BID_COST: Final = 1.0
_TIE: Final = 1e-9
"""Values closer than this are equal; sums of the same gains may differ in the last bits."""

BUILDING_GAINS: Final = np.zeros(9)
BUILDING_GAINS[[BE, NP, TH, ZC, TA, ST]] = [2.0, 2.5, 1.0, 0.5, 0.5, 0.5]


SCRATCH_ROWS: Final = VOTE_ROWS


@kernel
def choose_specified(known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64) -> int:
    """The bot's action; deterministic.

    Args:
        known: Redacted record; changed while it is tried out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Not used.
    """
    scratch = np.zeros((SCRATCH_ROWS, MAX_SEATS))
    phase = known.phase
    if phase == PLACE:
        return choose_place(known, seat, scratch)
    if phase == BID:
        return choose_bid(known, seat, scratch)
    if phase in (SPECIAL, ELECT):
        return choose_election(known, seat, mask, scratch)
    if phase == CM_PICK:
        return choose_colour(known, seat)
    # SETUP: the lowest tile. MT, MB, ST: skip has the lowest number of the legal actions.
    for action in range(len(mask)):
        if mask[action]:
            return action
    return NONE


@kernel(leaf=True)
def choose_place(known: State, seat: int, scratch: Floats) -> int:
    """The tile that raises the value most, if it raises it enough; else pass."""
    before = value(known, seat, scratch)
    best = NONE
    best_value = 0.0
    for tile in range(known.num_tiles):
        known.rabble[tile, seat] += 1
        known.total[tile] += 1
        tried = value(known, seat, scratch)
        known.rabble[tile, seat] -= 1
        known.total[tile] -= 1
        if best == NONE or tried > best_value + _TIE:
            best = tile
            best_value = tried
    threshold = 0.0 if in_extra_turn(known) else PLACE_THRESHOLD
    return PLACE_AT + best if best_value - before > threshold + _TIE else PASS_ACTION


@kernel(leaf=True)
def choose_bid(known: State, seat: int, scratch: Floats) -> int:
    """The smallest leading bid of the greatest benefit, if that is above zero."""
    before = value(known, seat, scratch)
    best = NO_BID
    best_benefit = 0.0
    for marker in range(ROW_SIZE):
        count = smallest_bid(known, marker, seat)
        if count > known.hq[seat] or highest_bidder(known, marker) == seat:
            continue
        known.bids[marker, seat] += count
        benefit = value(known, seat, scratch) - before - BID_COST * count
        known.bids[marker, seat] -= count
        kind = MARKER_KIND[known.row[marker]]
        if kind == CM:
            benefit += CONTROL_MARKER_BID
        elif kind == MJ:
            if has_majority(known, seat, MARKER_COLOUR[known.row[marker]]):
                benefit += MAJORITY_BID
        elif kind == VC:
            benefit += CONTROLLED_TILE_BID * controlled_tiles(known, seat)
        elif kind == SE:
            benefit += SPECIAL_BID
        if benefit > best_benefit + _TIE:
            best_benefit = benefit
            best = BID_AT + MAX_BID * marker + count - 1
    return best


@kernel(leaf=True)
def choose_election(known: State, seat: int, mask: NDArray[np.bool_], scratch: Floats) -> int:
    """The tile whose election alone is worth most, with the votes won so far."""
    count_votes(known, False, scratch)
    best = NONE
    best_value = 0.0
    for tile in range(known.num_tiles):
        if mask[TILE_AT + tile]:
            scratch[ESTIMATE] = 0.0
            add_gains(known, tile, 1.0, scratch)
            tried = weigh(known, seat, scratch)
            if best == NONE or tried > best_value + _TIE:
                best = tile
                best_value = tried
    return TILE_AT + best


@kernel(leaf=True)
def choose_colour(known: State, seat: int) -> int:
    """The colour that completes a set, else the one the seat has least of."""
    best = NONE
    for colour in range(NUM_COLOURS):
        if known.supply[colour] > 0 and (
            best == NONE or known.control[seat, colour] < known.control[seat, best]
        ):
            best = colour
    # A colour that completes a set is the only one of the smallest count, so it is the best above.
    return COLOUR_AT + best


@kernel(leaf=True)
def count_votes(known: State, expected: bool, scratch: Floats) -> None:
    """Bonus votes of every seat: those won, and if ``expected`` those it is about to win."""
    count_won_votes(known, scratch)
    if expected:
        add_marker_votes(known, scratch)
        for building in range(NUM_BUILDINGS):
            leader = sole_leader(known, known.building_tile[building])
            add_building_votes(known, building, leader, scratch)


@kernel(leaf=True)
def add_gains(known: State, tile: int, weight: float, scratch: Floats) -> None:
    """Add what an election on a tile would bring each seat, times ``weight``, to the estimates."""
    colour = known.colour[tile]
    best = 0.0
    for seat in range(known.num_seats):
        best = max(best, votes_of(known, tile, seat, colour, scratch))
    for seat in range(known.num_seats):
        if best >= 1.0:
            if votes_of(known, tile, seat, colour, scratch) == best:
                if known.bosses[tile, seat] == 0:
                    scratch[ESTIMATE, seat] += weight * BOSS_GAIN
                    if known.boss_count[seat] == BOSSES - 1:
                        scratch[ESTIMATE, seat] += weight * LAST_BOSS_GAIN
            elif known.bosses[tile, seat] == 1:
                scratch[ESTIMATE, seat] -= weight * BOSS_GAIN
    for near in range(known.num_tiles):
        if known.adjacent[tile] >> near & 1 and known.total[near] > 0:
            leader = sole_leader(known, near)
            if leader == NONE:
                most = 0
                for seat in range(known.num_seats):
                    most = max(most, known.rabble[near, seat])
                for seat in range(known.num_seats):
                    if known.rabble[near, seat] == most:
                        scratch[ESTIMATE, seat] += weight * TIED_NEIGHBOUR_GAIN
            elif known.supply[known.colour[near]] > 0:
                scratch[ESTIMATE, leader] += weight * LED_NEIGHBOUR_GAIN


@kernel(leaf=True)
def weigh(known: State, seat: int, scratch: Floats) -> float:
    """A seat's own estimate less its rivals' (highest and mean)."""
    highest = -1e9
    total = 0.0
    for other in range(known.num_seats):
        if other != seat:
            highest = max(highest, scratch[ESTIMATE, other])
            total += scratch[ESTIMATE, other]
    mean = total / (known.num_seats - 1)
    return float(scratch[ESTIMATE, seat] - RIVAL_WEIGHT * highest - MEAN_WEIGHT * mean)


@kernel(leaf=True)
def value(known: State, seat: int, scratch: Floats) -> float:
    """How good the position is for a seat, were the round to end as it stands."""
    count_votes(known, True, scratch)
    scratch[ESTIMATE] = 0.0
    highest = 0
    for tile in range(known.num_tiles):
        highest = max(highest, known.total[tile])
    fullest = 0
    nearly = 0
    for tile in range(known.num_tiles):
        fullest += known.total[tile] == highest
        nearly += known.total[tile] == highest - 1
    for tile in range(known.num_tiles):
        if highest >= 1 and known.total[tile] == highest:
            add_gains(known, tile, min(2, fullest) / fullest, scratch)
        elif highest >= 2 and known.total[tile] == highest - 1:
            add_gains(known, tile, NEARLY_FULLEST / nearly, scratch)
    for building in range(NUM_BUILDINGS):
        leader = sole_leader(known, known.building_tile[building])
        if leader != NONE:
            kind = known.building[building]
            scratch[ESTIMATE, leader] += BUILDING_GAINS[kind]
            if kind == FM:
                scratch[ESTIMATE, leader] += MISSION_GAIN * known.boss_count[leader]
    return weigh(known, seat, scratch)


__all__: list[Any] = ["choose_specified"]
