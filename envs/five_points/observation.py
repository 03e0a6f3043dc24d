"""What a seat sees: names for every number, and the kernels that fill them in (FP-19.1)."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.compiling.lanes import bits_above_zero, count_common, fill_row
from ..core.kernel import kernel
from ..core.layout import Block, Field, Layout, offsets, row_size
from ..core.state import State, relative
from .data import BUILDINGS as BUILDING_CODES
from .data import KINDS, MARKER_COLOUR, MARKER_KIND, TABLES
from .rules.buildings import building_in_turn
from .rules.city import sole_leader
from .rules.elections import COLOUR_VOTES
from .rules.placement import in_extra_turn
from .rules.scoring import leader_of_tammany, score
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

COLOUR_NAMES: Final = TABLES.colour_names
SOURCES: Final = ("marker", "building")
MOST_CONTROL: Final = 20 / 12
"""The most control markers of a colour, in twelfths."""


class Round(NamedTuple):
    """The round, and the options that rules depend on."""

    number: Annotated[int, Field("number of the round, as a share of the most rounds", unit=None)]
    extra_turn: Annotated[int, Field("1 in the last turn, once all but one have passed")]
    passed: Annotated[int, Field("share of the seats that have passed", unit=None)]
    control_markers: Annotated[
        int, Field("control markers of each colour, in twentieths", unit=1 / 20)
    ]
    election_limit: Annotated[int, Field("1 if few tied tiles vote in the first round only")]
    demo_set: Annotated[int, Field("1 with the small set of markers")]
    adjacent_only: Annotated[int, Field("1 if a tile moves to a neighbouring place only")]
    adjacent_buildings: Annotated[int, Field("1 if the buildings may start side by side")]
    max_rounds: Annotated[
        int, Field("rounds after which the game is scored, in 200ths", unit=1 / 200)
    ]


class Seat(NamedTuple):
    """A gang."""

    present: Annotated[int, Field("1 for a seat at the table")]
    hq: Annotated[int, Field("rabble in its headquarters, in twentieths", unit=1 / 20)]
    boroughs: Annotated[int, Field("rabble in the boroughs, in twentieths", unit=1 / 20)]
    on_board: Annotated[int, Field("rabble in the city, in twentieths", unit=1 / 20)]
    bosses: Annotated[int, Field("bosses on the board, in fifths", unit=1 / 5)]
    vp: Annotated[int, Field("victory points, in twentieths", high=8.0, unit=1 / 20)]
    control: Annotated[
        int, Field("control markers in twelfths", each=COLOUR_NAMES, high=MOST_CONTROL, unit=1 / 12)
    ]
    flat_votes: Annotated[
        int, Field("additional votes everywhere, in eighths", high=2.0, unit=1 / 8)
    ]
    colour_votes: Annotated[
        int, Field("markers for votes on tiles of a colour", each=COLOUR_NAMES, high=4.0)
    ]
    boss_votes: Annotated[int, Field("markers for votes per boss, in halves", high=2.0, unit=1 / 2)]
    passed: Annotated[int, Field("1 for its place among those who have passed", width=MAX_SEATS)]
    score: Annotated[int, Field("score if the game ended now, in fiftieths", high=8.0, unit=1 / 50)]


class Marker(NamedTuple):
    """A manipulation marker of the row."""

    kind: Annotated[int, Field("1 for its kind", each=KINDS)]
    colour: Annotated[int, Field("1 for its colour, if it has one", each=COLOUR_NAMES)]
    resolved: Annotated[int, Field("1 once it has had its turn this round")]
    in_turn: Annotated[int, Field("1 while its effect is in progress")]
    bids: Annotated[
        int,
        Field(
            "rabble bid by each seat, oneself first, in eighths",
            width=MAX_SEATS,
            high=2.5,
            unit=1 / 8,
        ),
    ]


class Building(NamedTuple):
    """A building."""

    kind: Annotated[int, Field("1 for its kind, once it is revealed", each=BUILDING_CODES)]
    hidden: Annotated[int, Field("1 until it is revealed")]
    leader: Annotated[
        int, Field("1 for the sole leader of its tile, oneself first", width=MAX_SEATS)
    ]
    resolved: Annotated[int, Field("1 once it has had its turn this round")]


class Tile(NamedTuple):
    """A tile of the city."""

    present: Annotated[int, Field("1 for a tile in the city")]
    colour: Annotated[int, Field("1 for its colour", each=COLOUR_NAMES)]
    row: Annotated[int, Field("its row, top to bottom", unit=1 / 8)]
    column: Annotated[int, Field("its column, left to right", unit=1 / 8)]
    rabble: Annotated[
        int,
        Field(
            "rabble of each seat, oneself first, in eighths", width=MAX_SEATS, high=2.5, unit=1 / 8
        ),
    ]
    bosses: Annotated[int, Field("1 for each seat with a boss, oneself first", width=MAX_SEATS)]
    buildings: Annotated[int, Field("1 for each building on it", width=NUM_BUILDINGS)]
    special: Annotated[
        int,
        Field(
            "special elections on it: 2/3 for the first, 1/3 for each other", high=5 / 3, unit=1 / 3
        ),
    ]
    tied: Annotated[int, Field("1 if it is among the fullest, and the order is asked for")]
    chosen: Annotated[
        int, Field("1/k for the tile that is k-th in the order of elections", unit=None)
    ]
    picked: Annotated[int, Field("1 for the tile of a choice half made")]
    total: Annotated[int, Field("all rabble on it, in eighths", high=12.5, unit=1 / 8)]
    fullest: Annotated[
        int, Field("1 among the fullest; a quarter less for each rabble short", unit=1 / 4)
    ]
    rabble_lead: Annotated[
        int, Field("own lead in rabble: 1/2 for a tie, an eighth for each", unit=1 / 8)
    ]
    vote_lead: Annotated[
        int, Field("own lead in votes: 1/2 for a tie, an eighth for each", unit=1 / 8)
    ]
    near_own: Annotated[int, Field("neighbouring tiles that one leads, in quarters", unit=1 / 4)]
    near_rival: Annotated[
        int, Field("neighbouring tiles that a rival leads, in quarters", unit=1 / 4)
    ]


class Blocks(NamedTuple):
    """The whole observation."""

    phase: Annotated[int, Field("1 for the phase", each=PHASES)]
    source: Annotated[int, Field("1 for what has the effect in progress", each=SOURCES)]
    round: Annotated[int, Block(Round, "the round, and the options that rules depend on")]
    start: Annotated[int, Field("1 for the seat that starts the round", width=MAX_SEATS)]
    decider: Annotated[int, Field("1 for the seat that decides", width=MAX_SEATS)]
    seats: Annotated[
        int, Block(Seat, "the seats clockwise, oneself first; absent ones are 0", rows=MAX_SEATS)
    ]
    supply: Annotated[
        int,
        Field(
            "control markers left, in twelfths", each=COLOUR_NAMES, high=MOST_CONTROL, unit=1 / 12
        ),
    ]
    row: Annotated[int, Block(Marker, "the row of markers, in order", rows=ROW_SIZE)]
    buildings: Annotated[int, Block(Building, "the two buildings", rows=NUM_BUILDINGS)]
    tiles: Annotated[
        int, Block(Tile, "the tiles, by number, wherever they are", rows=MAX_TILES, planes=True)
    ]
    owner: Annotated[int, Field("1 for the owner of the rabble picked", width=MAX_SEATS)]


LAYOUT: Final = Layout(Blocks)
AT: Final = LAYOUT.at
MARKER_AS_SOURCE: Final = AT.source + SOURCES.index("marker")
BUILDING_AS_SOURCE: Final = AT.source + SOURCES.index("building")
ROUND: Final = offsets(Round, start=AT.round)
SEAT: Final = offsets(Seat)
SEAT_SIZE: Final = row_size(Seat)
MARKER: Final = offsets(Marker)
MARKER_SIZE: Final = row_size(Marker)
BUILDING: Final = offsets(Building)
BUILDING_SIZE: Final = row_size(Building)
PLANE: Final = offsets(Tile, start=AT.tiles, step=MAX_TILES)
"""Place in the observation of the plane, or the first plane, of each field of the tiles."""

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
    """Fill the observation of a seat: float32 of the shape in ``LAYOUT``."""
    # The planes between these are written whole.
    out[: PLANE.rabble] = _ZERO
    out[PLANE.buildings : PLANE.total] = _ZERO
    out[AT.owner :] = _ZERO
    observe_round(state, seat, out)
    observe_seats(state, seat, out)
    observe_row(state, seat, out)
    observe_buildings(state, seat, out)
    observe_tiles(state, seat, out)


@kernel(leaf=True)
def observe_round(state: State, seat: int, out: Vector) -> None:
    """Phase, effect in progress, round, options, start seat, deciding seat, supply."""
    phase = state.phase
    out[AT.phase + phase] = _ONE
    if state.stage >= BUILDING_STAGE:
        out[BUILDING_AS_SOURCE] = _ONE
    elif state.stage != NO_STAGE:
        out[MARKER_AS_SOURCE] = _ONE
    out[ROUND.number] = np.float32(state.round_number) / np.float32(state.max_rounds)
    out[ROUND.extra_turn] = phase in (PLACE, BID) and in_extra_turn(state)
    out[ROUND.passed] = np.float32(state.num_passed) / np.float32(state.num_seats)
    out[ROUND.control_markers] = np.float32(state.control_markers) * _PER_RABBLE
    out[ROUND.election_limit] = state.election_limit
    out[ROUND.demo_set] = state.marker_set
    out[ROUND.adjacent_only] = state.move_rule
    out[ROUND.adjacent_buildings] = state.adjacent_buildings
    out[ROUND.max_rounds] = np.float32(state.max_rounds) * np.float32(1 / 200)
    out[AT.start + relative(state, seat, state.start)] = _ONE
    if state.seat >= 0:
        out[AT.decider + relative(state, seat, state.seat)] = _ONE
    for colour in range(NUM_COLOURS):
        out[AT.supply + colour] = np.float32(state.supply[colour]) * _PER_MARKER
    if state.picked_seat >= 0:
        out[AT.owner + relative(state, seat, state.picked_seat)] = _ONE


@kernel(leaf=True)
def observe_seats(state: State, seat: int, out: Vector) -> None:
    """What every seat has, itself first."""
    tammany = leader_of_tammany(state)
    for k in range(state.num_seats):
        player = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
        other = np.uint64(player)  # unsigned: an index that might be negative costs a comparison
        at = AT.seats + SEAT_SIZE * k
        first = NUM_COLOURS * other
        fill_row(out, at + SEAT.control, state.control, first, 1, NUM_COLOURS, _PER_MARKER)
        fill_row(out, at + SEAT.colour_votes, state.colour_votes, first, 1, NUM_COLOURS, _ONE)
        on_board = RABBLE - state.hq[other] - state.boroughs[other]
        for marker in range(ROW_SIZE):
            on_board -= state.bids[np.uint64(marker), other]
        out[at + SEAT.present] = _ONE
        out[at + SEAT.hq] = np.float32(state.hq[other]) * _PER_RABBLE
        out[at + SEAT.boroughs] = np.float32(state.boroughs[other]) * _PER_RABBLE
        out[at + SEAT.on_board] = np.float32(on_board) * _PER_RABBLE
        out[at + SEAT.bosses] = np.float32(state.boss_count[other]) * _PER_BOSS
        out[at + SEAT.vp] = np.float32(state.vp[other]) * _PER_VP
        out[at + SEAT.flat_votes] = np.float32(state.flat_votes[other]) * _PER_VOTE
        out[at + SEAT.boss_votes] = np.float32(state.boss_votes[other]) * np.float32(0.5)
        if state.pass_place[other] > 0:
            out[at + SEAT.passed + state.pass_place[other] - 1] = _ONE
        out[at + SEAT.score] = np.float32(score(state, player, tammany)) * _PER_POINT


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
        at = AT.row + MARKER_SIZE * marker
        code = np.uint8(state.row[marker])
        out[at + MARKER.kind + MARKER_KIND[code]] = _ONE
        colour = MARKER_COLOUR[code]
        if colour >= 0:
            out[at + MARKER.colour + colour] = _ONE
        out[at + MARKER.resolved] = marker < resolved
        out[at + MARKER.in_turn] = state.stage == MARKER_STAGE + marker
    at = AT.row + MARKER.bids
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
        at = AT.buildings + BUILDING_SIZE * building
        if state.phase == SETUP:
            out[at + BUILDING.hidden] = _ONE
            continue
        out[at + BUILDING.kind + state.building[building]] = _ONE
        leader = sole_leader(state, state.building_tile[building])
        if leader >= 0:
            out[at + BUILDING.leader + relative(state, seat, leader)] = _ONE
        resolved = over_all
        if state.stage >= BUILDING_STAGE and state.stage != BUILDING_STAGE + building:
            resolved = building_in_turn(state, 0) == building
        out[at + BUILDING.resolved] = resolved


@kernel(leaf=True)
def observe_tiles(state: State, seat: int, out: Vector) -> None:
    """The city: one plane of ``MAX_TILES`` numbers for each feature."""
    for tile in range(state.num_tiles):
        # Unsigned: an index that might be negative costs a comparison.
        cell = np.uint8(state.cell[tile])
        out[PLANE.present + tile] = _ONE
        out[PLANE.colour + MAX_TILES * state.colour[tile] + tile] = _ONE
        out[PLANE.row + tile] = ROW_SHARE[cell]
        out[PLANE.column + tile] = COLUMN_SHARE[cell]
    fill_row(out, PLANE.total, state.total, 0, 1, MAX_TILES, _PER_CUBE)
    for k in range(MAX_SEATS):
        other = k  # after those who play come the others, who have nothing
        if k < state.num_seats:
            other = seat + k if seat + k < state.num_seats else seat + k - state.num_seats
        at = MAX_TILES * k
        fill_row(out, PLANE.rabble + at, state.rabble, other, MAX_SEATS, MAX_TILES, _PER_CUBE)
        fill_row(out, PLANE.bosses + at, state.bosses, other, MAX_SEATS, MAX_TILES, _ONE)
    for building in range(NUM_BUILDINGS):
        if state.building_tile[building] >= 0:
            out[PLANE.buildings + MAX_TILES * building + state.building_tile[building]] = _ONE
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
        total = out[PLANE.total + tile]
        near = max(_ZERO, four_less + total)
        out[PLANE.fullest + tile] = _TWO * near if total > _ZERO else _ZERO
        own = out[PLANE.rabble + tile]
        first = out[PLANE.rabble + MAX_TILES + tile]
        second = out[PLANE.rabble + 2 * MAX_TILES + tile]
        third = out[PLANE.rabble + 3 * MAX_TILES + tile]
        fourth = out[PLANE.rabble + 4 * MAX_TILES + tile]
        upper = max(first, second)
        lower = max(third, fourth)
        best = max(upper, lower)
        runner_up = max(min(upper, lower), min(first, second), min(third, fourth))
        share = _HALF + min(_HALF, max(-_HALF, own - best))
        share *= out[PLANE.present + tile]
        out[PLANE.rabble_lead + tile] = share
        out[PLANE.vote_lead + tile] = share
        # For a moment: by how much it leads, and by how much a single rival does.
        out[PLANE.near_own + tile] = own - best
        out[PLANE.near_rival + tile] = min(best - own, best - runner_up)
    led = bits_above_zero(out, PLANE.near_own, MAX_TILES)
    led_by_rivals = bits_above_zero(out, PLANE.near_rival, MAX_TILES)
    count_common(out, PLANE.near_own, state.adjacent, led, MAX_TILES, _QUARTER)
    count_common(out, PLANE.near_rival, state.adjacent, led_by_rivals, MAX_TILES, _QUARTER)
    if any_bonus(state):
        for tile in range(state.num_tiles):
            lead = vote_lead(state, seat, tile)
            out[PLANE.vote_lead + tile] = np.float32(4 + min(4, max(-4, lead))) * _PER_CUBE


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
        out[PLANE.special + state.specials[i]] += share
    for tile in range(state.num_tiles):
        out[PLANE.tied + tile] = state.tied >> tile & 1
    for i in range(state.num_chosen):
        out[PLANE.chosen + state.chosen[i]] = _ONE / np.float32(i + 1)
    if state.picked >= 0:
        tile = state.building_tile[state.picked] if state.phase == MB_TO else state.picked
        out[PLANE.picked + tile] = _ONE
