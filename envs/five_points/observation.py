"""What a seat sees: the observation vector and hidden information (FP-13, FP-19.1)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.lanes import bits_above_zero, count_common, fill_row
from ..core.state import State
from .buildings import building_in_turn
from .city import sole_leader
from .data import BUILDINGS as BUILDING_CODES
from .data import KINDS, MARKER_COLOUR, MARKER_KIND
from .elections import COLOUR_VOTES
from .placement import in_extra_turn
from .scoring import leader_of_tammany, score
from .setup import draw_buildings
from .state import (
    BID,
    BOSSES,
    BUILDING_STAGE,
    ELECT,
    MARKER_STAGE,
    MAX_SEATS,
    MAX_TILES,
    MB_TO,
    NO_STAGE,
    NONE,
    NUM_BUILDINGS,
    NUM_COLOURS,
    OVER,
    PHASES,
    PLACE,
    RABBLE,
    ROW_SIZE,
    SETUP,
    SIDE,
)

Vector = NDArray[np.float32]

NUM_KINDS: Final = len(KINDS)
NUM_BUILDING_KINDS: Final = len(BUILDING_CODES)

SEAT_SIZE: Final = 22
MARKER_SIZE: Final = NUM_KINDS + NUM_COLOURS + 2 + MAX_SEATS
BUILDING_SIZE: Final = NUM_BUILDING_KINDS + 1 + MAX_SEATS + 1
TILE_SIZE: Final = 29

PHASE_AT: Final = 0
SOURCE_AT: Final = PHASE_AT + len(PHASES)
ROUND_AT: Final = SOURCE_AT + 2
START_AT: Final = ROUND_AT + 9
DECIDER_AT: Final = START_AT + MAX_SEATS
SEATS_AT: Final = DECIDER_AT + MAX_SEATS
SUPPLY_AT: Final = SEATS_AT + SEAT_SIZE * MAX_SEATS
ROW_AT: Final = SUPPLY_AT + NUM_COLOURS
BUILDINGS_AT: Final = ROW_AT + MARKER_SIZE * ROW_SIZE
TILES_AT: Final = BUILDINGS_AT + BUILDING_SIZE * NUM_BUILDINGS
OWNER_AT: Final = TILES_AT + TILE_SIZE * MAX_TILES
OBSERVATION_SIZE: Final = OWNER_AT + MAX_SEATS

# Planes of the tiles, each of MAX_TILES numbers: present, then these.
COLOUR_PLANES: Final = TILES_AT + MAX_TILES
ROW_PLANE: Final = COLOUR_PLANES + NUM_COLOURS * MAX_TILES
COLUMN_PLANE: Final = ROW_PLANE + MAX_TILES
RABBLE_PLANES: Final = COLUMN_PLANE + MAX_TILES
BOSS_PLANES: Final = RABBLE_PLANES + MAX_SEATS * MAX_TILES
BUILDING_PLANES: Final = BOSS_PLANES + MAX_SEATS * MAX_TILES
SPECIAL_PLANE: Final = BUILDING_PLANES + NUM_BUILDINGS * MAX_TILES
TIED_PLANE: Final = SPECIAL_PLANE + MAX_TILES
CHOSEN_PLANE: Final = TIED_PLANE + MAX_TILES
PICKED_PLANE: Final = CHOSEN_PLANE + MAX_TILES
TOTAL_PLANE: Final = PICKED_PLANE + MAX_TILES
FULLEST_PLANE: Final = TOTAL_PLANE + MAX_TILES
RABBLE_LEAD_PLANE: Final = FULLEST_PLANE + MAX_TILES
VOTE_LEAD_PLANE: Final = RABBLE_LEAD_PLANE + MAX_TILES
NEAR_OWN_PLANE: Final = VOTE_LEAD_PLANE + MAX_TILES
NEAR_RIVAL_PLANE: Final = NEAR_OWN_PLANE + MAX_TILES
assert NEAR_RIVAL_PLANE + MAX_TILES == OWNER_AT

# Natural maxima; a float32 factor keeps the kernel in single precision.
_PER_RABBLE: Final = np.float32(1 / RABBLE)
_PER_CUBE: Final = np.float32(1 / 8)
"""Rabble on one tile or marker: more than eight are rare, and one of them must be seen."""
_PER_BOSS: Final = np.float32(1 / BOSSES)
_PER_MARKER: Final = np.float32(1 / 12)
_PER_VP: Final = np.float32(1 / 20)
_PER_POINT: Final = np.float32(1 / 50)
_PER_VOTE: Final = np.float32(1 / 8)
_ONE: Final = np.float32(1.0)
_QUARTER: Final = np.float32(0.25)

_HALF: Final = np.float32(0.5)
_TWO: Final = np.float32(2.0)
_ZERO: Final = np.float32(0.0)

ROW_SHARE: Final = (np.arange(SIDE * SIDE) // SIDE / (SIDE - 1)).astype(np.float32)
COLUMN_SHARE: Final = (np.arange(SIDE * SIDE) % SIDE / (SIDE - 1)).astype(np.float32)
"""Row and column of each cell, 0 to 1."""


@kernel
def observe(state: State, seat: int, out: Vector) -> None:
    """Fill the observation of a seat: float32 of shape ``(OBSERVATION_SIZE,)``.

    Blocks, in order: phase, source of the effect in progress, round and options, start seat,
    deciding seat, seats, supply, row, buildings, tiles, owner of the rabble picked. Seats are
    relative to ``seat``, itself first; unused slots are zero.
    """
    # The planes between these are written whole.
    out[:RABBLE_PLANES] = _ZERO
    out[BUILDING_PLANES:TOTAL_PLANE] = _ZERO
    out[OWNER_AT:] = _ZERO
    observe_round(state, seat, out)
    observe_seats(state, seat, out)
    observe_row(state, seat, out)
    observe_buildings(state, seat, out)
    observe_tiles(state, seat, out)


@kernel(leaf=True)
def relative(state: State, seat: int, other: int) -> int:
    """Place of ``other`` clockwise from ``seat``."""
    return other - seat if other >= seat else other - seat + state.num_seats


@kernel(leaf=True)
def observe_round(state: State, seat: int, out: Vector) -> None:
    """Phase, effect in progress, round, options, start seat, deciding seat, supply."""
    phase = state.phase
    out[PHASE_AT + phase] = _ONE
    if state.stage >= BUILDING_STAGE:
        out[SOURCE_AT + 1] = _ONE
    elif state.stage != NO_STAGE:
        out[SOURCE_AT] = _ONE
    out[ROUND_AT] = np.float32(state.round_number) / np.float32(state.max_rounds)
    out[ROUND_AT + 1] = phase in (PLACE, BID) and in_extra_turn(state)
    out[ROUND_AT + 2] = np.float32(state.num_passed) / np.float32(state.num_seats)
    out[ROUND_AT + 3] = np.float32(state.control_markers) * _PER_RABBLE
    out[ROUND_AT + 4] = state.election_limit
    out[ROUND_AT + 5] = state.marker_set
    out[ROUND_AT + 6] = state.move_rule
    out[ROUND_AT + 7] = state.adjacent_buildings
    out[ROUND_AT + 8] = np.float32(state.max_rounds) * np.float32(1 / 200)
    out[START_AT + relative(state, seat, state.start)] = _ONE
    if state.seat >= 0:
        out[DECIDER_AT + relative(state, seat, state.seat)] = _ONE
    for colour in range(NUM_COLOURS):
        out[SUPPLY_AT + colour] = np.float32(state.supply[colour]) * _PER_MARKER
    if state.picked_seat >= 0:
        out[OWNER_AT + relative(state, seat, state.picked_seat)] = _ONE


@kernel(leaf=True)
def observe_seats(state: State, seat: int, out: Vector) -> None:
    """What every seat has, itself first."""
    tammany = leader_of_tammany(state)
    for k in range(state.num_seats):
        player = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
        other = np.uint64(player)  # unsigned: an index that might be negative costs a comparison
        at = SEATS_AT + SEAT_SIZE * k
        first = NUM_COLOURS * other
        fill_row(out, at + 6, state.control, first, 1, NUM_COLOURS, _PER_MARKER)
        fill_row(out, at + 11, state.colour_votes, first, 1, NUM_COLOURS, _ONE)
        on_board = RABBLE - state.hq[other] - state.boroughs[other]
        for marker in range(ROW_SIZE):
            on_board -= state.bids[np.uint64(marker), other]
        out[at] = _ONE
        out[at + 1] = np.float32(state.hq[other]) * _PER_RABBLE
        out[at + 2] = np.float32(state.boroughs[other]) * _PER_RABBLE
        out[at + 3] = np.float32(on_board) * _PER_RABBLE
        out[at + 4] = np.float32(state.boss_count[other]) * _PER_BOSS
        out[at + 5] = np.float32(state.vp[other]) * _PER_VP
        out[at + 10] = np.float32(state.flat_votes[other]) * _PER_VOTE
        out[at + 15] = np.float32(state.boss_votes[other]) * np.float32(0.5)
        if state.pass_place[other] > 0:
            out[at + 15 + state.pass_place[other]] = _ONE
        out[at + 21] = np.float32(score(state, player, tammany)) * _PER_POINT


@kernel(leaf=True)
def observe_row(state: State, seat: int, out: Vector) -> None:
    """The row of markers with the bids on them."""
    if state.phase == SETUP:
        return
    resolved = 0  # markers that have had their turn this round
    if state.stage >= BUILDING_STAGE or state.phase in (ELECT, OVER):
        resolved = ROW_SIZE
    elif state.stage != NO_STAGE:
        resolved = state.stage - MARKER_STAGE
    for marker in range(ROW_SIZE):
        at = ROW_AT + MARKER_SIZE * marker
        code = np.uint8(state.row[marker])
        out[at + MARKER_KIND[code]] = _ONE
        colour = MARKER_COLOUR[code]
        if colour >= 0:
            out[at + NUM_KINDS + colour] = _ONE
        at += NUM_KINDS + NUM_COLOURS
        out[at] = marker < resolved
        out[at + 1] = state.stage == MARKER_STAGE + marker
    at = ROW_AT + NUM_KINDS + NUM_COLOURS + 2
    for k in range(state.num_seats):
        other = np.uint64(seat + k if seat + k < state.num_seats else seat + k - state.num_seats)
        for marker in range(ROW_SIZE):
            bid = state.bids[np.uint64(marker), other]
            out[at + MARKER_SIZE * marker + k] = np.float32(bid) * _PER_CUBE


@kernel(leaf=True)
def observe_buildings(state: State, seat: int, out: Vector) -> None:
    """The two buildings; their kinds only once they are revealed (FP-13.1)."""
    over_all = state.phase in (ELECT, OVER)
    for building in range(NUM_BUILDINGS):
        at = BUILDINGS_AT + BUILDING_SIZE * building
        if state.phase == SETUP:
            out[at + NUM_BUILDING_KINDS] = _ONE
            continue
        out[at + state.building[building]] = _ONE
        at += NUM_BUILDING_KINDS + 1
        leader = sole_leader(state, state.building_tile[building])
        if leader >= 0:
            out[at + relative(state, seat, leader)] = _ONE
        resolved = over_all
        if state.stage >= BUILDING_STAGE and state.stage != BUILDING_STAGE + building:
            resolved = building_in_turn(state, 0) == building
        out[at + MAX_SEATS] = resolved


@kernel(leaf=True)
def observe_tiles(state: State, seat: int, out: Vector) -> None:
    """The city: one plane of ``MAX_TILES`` numbers for each feature."""
    for tile in range(state.num_tiles):
        # Unsigned: an index that might be negative costs a comparison.
        cell = np.uint8(state.cell[tile])
        out[TILES_AT + tile] = _ONE
        out[COLOUR_PLANES + MAX_TILES * state.colour[tile] + tile] = _ONE
        out[ROW_PLANE + tile] = ROW_SHARE[cell]
        out[COLUMN_PLANE + tile] = COLUMN_SHARE[cell]
    fill_row(out, TOTAL_PLANE, state.total, 0, 1, MAX_TILES, _PER_CUBE)
    for k in range(MAX_SEATS):
        other = k  # after those who play come the others, who have nothing
        if k < state.num_seats:
            other = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
        at = MAX_TILES * k
        fill_row(out, RABBLE_PLANES + at, state.rabble, other, MAX_SEATS, MAX_TILES, _PER_CUBE)
        fill_row(out, BOSS_PLANES + at, state.bosses, other, MAX_SEATS, MAX_TILES, _ONE)
    for building in range(NUM_BUILDINGS):
        if state.building_tile[building] >= 0:
            out[BUILDING_PLANES + MAX_TILES * building + state.building_tile[building]] = _ONE
    observe_leads(state, seat, out)
    if state.phase not in (PLACE, BID):
        observe_marks(state, out)


@kernel(leaf=True)
def observe_leads(state: State, seat: int, out: Vector) -> None:
    """What follows from the rabble and decides elections: too fine for a network to find itself.

    Whether a tile is among the fullest (1, less a quarter for each rabble short of them), the lead
    of ``seat`` in rabble and in votes (1/2 is a tie with the best rival, an eighth for each one up
    to four), and the quarter of the number of neighbouring tiles that it or a rival leads.

    Reckons with the planes of the observation, in eighths: they are exact, and vectors.
    """
    highest = np.int8(0)
    for tile in range(MAX_TILES):
        highest = max(highest, state.total[tile])
    four_less = _HALF - np.float32(highest) * _PER_CUBE
    for tile in range(MAX_TILES):
        total = out[TOTAL_PLANE + tile]
        near = max(_ZERO, four_less + total)
        out[FULLEST_PLANE + tile] = _TWO * near if total > _ZERO else _ZERO
        own = out[RABBLE_PLANES + tile]
        first = out[RABBLE_PLANES + MAX_TILES + tile]
        second = out[RABBLE_PLANES + 2 * MAX_TILES + tile]
        third = out[RABBLE_PLANES + 3 * MAX_TILES + tile]
        fourth = out[RABBLE_PLANES + 4 * MAX_TILES + tile]
        upper = max(first, second)
        lower = max(third, fourth)
        best = max(upper, lower)
        runner_up = max(min(upper, lower), min(first, second), min(third, fourth))
        share = _HALF + min(_HALF, max(-_HALF, own - best))
        share *= out[TILES_AT + tile]
        out[RABBLE_LEAD_PLANE + tile] = share
        out[VOTE_LEAD_PLANE + tile] = share
        # For a moment: by how much it leads, and by how much a single rival does.
        out[NEAR_OWN_PLANE + tile] = own - best
        out[NEAR_RIVAL_PLANE + tile] = min(best - own, best - runner_up)
    led = bits_above_zero(out, NEAR_OWN_PLANE, MAX_TILES)
    led_by_rivals = bits_above_zero(out, NEAR_RIVAL_PLANE, MAX_TILES)
    count_common(out, NEAR_OWN_PLANE, state.adjacent, led, MAX_TILES, _QUARTER)
    count_common(out, NEAR_RIVAL_PLANE, state.adjacent, led_by_rivals, MAX_TILES, _QUARTER)
    if any_bonus(state):
        for tile in range(state.num_tiles):
            lead = vote_lead(state, seat, tile)
            out[VOTE_LEAD_PLANE + tile] = np.float32(4 + min(4, max(-4, lead))) * _PER_CUBE


@kernel(leaf=True)
def any_bonus(state: State) -> bool:
    """Whether anybody has votes that are not rabble; mostly nobody has."""
    for seat in range(state.num_seats):
        if state.flat_votes[seat] != 0 or state.boss_votes[seat] != 0:
            return True
        for colour in range(NUM_COLOURS):
            if state.colour_votes[seat, colour] != 0:
                return True
    return False


@kernel(leaf=True)
def vote_lead(state: State, seat: int, tile: int) -> int:
    """Votes of ``seat`` in a tile, less those of its best rival."""
    colour = np.uint8(state.colour[tile])
    own = 0
    best = 0
    for other in range(state.num_seats):
        votes = (
            state.rabble[tile, other]
            + state.flat_votes[other]
            + COLOUR_VOTES * state.colour_votes[other, colour]
            + state.boss_votes[other] * state.boss_count[other]
        )
        if other == seat:
            own = votes
        else:
            best = max(best, votes)
    return own - best


@kernel(leaf=True)
def observe_marks(state: State, out: Vector) -> None:
    """Marks on tiles that only the election phase has."""
    for i in range(state.num_specials):
        # 2/3 for the first, 1/3 for the second: 1 if both are held on one tile.
        share = np.float32(2 / 3) if i == 0 else np.float32(1 / 3)
        out[SPECIAL_PLANE + state.specials[i]] += share
    for tile in range(state.num_tiles):
        out[TIED_PLANE + tile] = state.tied >> tile & 1
    for i in range(state.num_chosen):
        out[CHOSEN_PLANE + state.chosen[i]] = _ONE / np.float32(i + 1)
    if state.picked >= 0:
        tile = state.building_tile[state.picked] if state.phase == MB_TO else state.picked
        out[PICKED_PLANE + tile] = _ONE


@kernel
def redact(state: State, seat: int) -> None:
    """Blank the chance and, until they are revealed, the buildings: nobody knows them (FP-13)."""
    state.rng = np.uint64(0)
    if state.phase == SETUP:
        state.building[:] = NONE


@kernel
def resample_hidden(state: State, seat: int, seed: np.uint64) -> None:
    """Give the record a chance of its own and draw unseen buildings anew (FP-13)."""
    state.rng = np.uint64(seed)
    if state.phase == SETUP:
        draw_buildings(state)
