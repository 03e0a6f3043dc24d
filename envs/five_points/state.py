"""The state record of Five Points and the numbers that its fields hold."""

from __future__ import annotations

from typing import Final

from ..core.record import FLAG, Field, Record

MAX_SEATS: Final = 5
MAX_TILES: Final = 17
NUM_COLOURS: Final = 4
ROW_SIZE: Final = 4
NUM_BUILDINGS: Final = 2
MAX_SPECIALS: Final = 4

SIDE: Final = 9
"""Rows and columns of the grid that the city lives on (FP-8.1)."""
PADDED: Final = SIDE + 2
"""Width of ``grid``, which has an empty border so that neighbours need no bounds check."""

RABBLE: Final = 20
BOSSES: Final = 5

MAX_RIM: Final = SIDE * SIDE - 11
"""More empty cells than this there cannot be beside the fewest tiles."""

NONE: Final = -1
"""No tile, seat, building or marker; an empty cell of ``grid``."""

# Phases: the decision points of FP-4.2.
SETUP: Final = 0
PLACE: Final = 1
BID: Final = 2
MT_TILE: Final = 3
MT_CELL: Final = 4
MB_PICK: Final = 5
MB_TO: Final = 6
CM_PICK: Final = 7
SPECIAL: Final = 8
ST_PICK: Final = 9
ST_TO: Final = 10
ELECT: Final = 11
OVER: Final = 12
PHASES: Final = (
    "SETUP",
    "PLACE",
    "BID",
    "MT_TILE",
    "MT_CELL",
    "MB_PICK",
    "MB_TO",
    "CM_PICK",
    "SPECIAL",
    "ST_PICK",
    "ST_TO",
    "ELECT",
    "OVER",
)

# Stages: the effect in progress.
NO_STAGE: Final = 0
MARKER_STAGE: Final = 1
"""Marker m is stage ``MARKER_STAGE + m``."""
BUILDING_STAGE: Final = MARKER_STAGE + ROW_SIZE
"""Building b is stage ``BUILDING_STAGE + b``."""
STAGES: Final = ("-", "M0", "M1", "M2", "M3", "B0", "B1")

# Steps of a round that need no decision by themselves (FP-4.1), in order.
STOP: Final = -1
"""A decision is asked for, or the game is over."""
TURN: Final = 0
INCOME: Final = 1
MARKERS: Final = 2
"""Marker m is step ``MARKERS + m``."""
BUILDINGS: Final = MARKERS + ROW_SIZE
"""The building that comes first is step ``BUILDINGS``, the other one the step after it."""
SPECIAL_ELECTION: Final = BUILDINGS + NUM_BUILDINGS
FULLEST_TILES: Final = SPECIAL_ELECTION + 1
ELECTION: Final = FULLEST_TILES + 1
ROUND_END: Final = ELECTION + 1

# Values of options.
FULL24: Final = 0
DEMO18: Final = 1
EVERY_ROUND: Final = 0
FIRST_ROUND_ONLY: Final = 1
NO_HOLES: Final = 0
ADJACENT_ONLY: Final = 1
FORBID: Final = 0
ALLOW: Final = 1

# What fields hold.
SEATS: Final = (NONE, MAX_SEATS - 1)
TILES: Final = (NONE, MAX_TILES - 1)
TILE_SET: Final = (0, 2**MAX_TILES - 1)
CELLS: Final = (NONE, SIDE * SIDE - 1)
COUNT: Final = (0, 127)
MANY: Final = (0, 2**15 - 1)

RECORD = Record(
    MAX_SEATS,
    [
        # Options (FP-15).
        Field("max_rounds", "i2", (1, 2**15 - 1)),
        Field("control_markers", "i1", COUNT),
        Field("marker_set", "i1", FLAG),
        Field("election_limit", "i1", FLAG),
        Field("move_rule", "i1", FLAG),
        Field("adjacent_buildings", "i1", FLAG),
        Field("start_option", "i1", SEATS, seats=True),  # a seat, or NONE: drawn
        # The city. ``grid``, ``adjacent`` and ``rim`` follow from ``cell``.
        Field("num_tiles", "i1", (1, MAX_TILES)),
        Field("colour", "i1", (NONE, NUM_COLOURS - 1), (MAX_TILES,)),
        Field("cell", "i1", CELLS, (MAX_TILES,)),  # 9 * row + column
        Field("grid", "i1", TILES, (PADDED * PADDED,), scratch=True),  # tile on each padded cell
        # Bit set of neighbouring tiles
        Field("adjacent", "i4", TILE_SET, (MAX_TILES,), scratch=True),
        Field("rim_size", "i1", (0, MAX_RIM), scratch=True),
        Field("rim", "i1", CELLS, (MAX_RIM,), scratch=True),  # empty cells beside a tile, ascending
        Field("rabble", "i1", (0, RABBLE), (MAX_TILES, MAX_SEATS)),
        Field("bosses", "i1", FLAG, (MAX_TILES, MAX_SEATS)),
        Field("total", "i1", COUNT, (MAX_TILES,), scratch=True),  # all rabble of each tile
        # Bosses on the board
        Field("boss_count", "i1", (0, BOSSES), (MAX_SEATS,), per_seat=True, scratch=True),
        # Kind; nobody knows it before it is revealed
        Field("building", "i1", (NONE, 15), (NUM_BUILDINGS,)),
        Field("building_tile", "i1", TILES, (NUM_BUILDINGS,)),
        # The seats.
        Field("hq", "i1", (0, RABBLE), (MAX_SEATS,), per_seat=True),
        Field("boroughs", "i1", (0, RABBLE), (MAX_SEATS,), per_seat=True),
        Field("vp", "i2", MANY, (MAX_SEATS,), per_seat=True),
        Field("control", "i1", COUNT, (MAX_SEATS, NUM_COLOURS), per_seat=True),
        Field("supply", "i1", COUNT, (NUM_COLOURS,)),
        # The round.
        Field("round_number", "i2", MANY),
        Field("start", "i1", SEATS, seats=True),
        Field("num_passed", "i1", (0, MAX_SEATS)),
        Field("pass_order", "i1", SEATS, (MAX_SEATS,), seats=True),  # seats, earliest first
        # From 1; 0 while not passed
        Field("pass_place", "i1", (0, MAX_SEATS), (MAX_SEATS,), per_seat=True),
        Field("row", "i1", (NONE, 31), (ROW_SIZE,)),  # marker codes
        Field("bids", "i1", (0, RABBLE), (ROW_SIZE, MAX_SEATS)),
        # V1, V2, Polling Place, Sixth Ward Offices
        Field("flat_votes", "i1", COUNT, (MAX_SEATS,), per_seat=True),
        Field("colour_votes", "i1", COUNT, (MAX_SEATS, NUM_COLOURS), per_seat=True),  # number of V3
        Field("boss_votes", "i1", COUNT, (MAX_SEATS,), per_seat=True),  # number of VB
        Field("stage", "i1", (0, len(STAGES) - 1)),  # effect in progress
        Field("picked", "i1", TILES),  # half-made choice: a tile, or a building in MB_TO
        Field("picked_seat", "i1", SEATS, seats=True),  # owner of the rabble picked in ST_PICK
        Field("num_specials", "i1", (0, MAX_SPECIALS)),
        Field("specials", "i1", TILES, (MAX_SPECIALS,)),  # special election tiles in order
        Field("tied", "i4", TILE_SET),  # bit set of the fullest tiles when ELECT asks
        Field("num_chosen", "i1", (0, MAX_TILES)),
        Field("chosen", "i1", TILES, (MAX_TILES,)),  # election tiles in order
    ],
)
DTYPE = RECORD.dtype
"""One game of Five Points."""
