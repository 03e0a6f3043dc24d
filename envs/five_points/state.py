"""The state record of Five Points and the numbers that its fields hold."""

from __future__ import annotations

from typing import Final

from ..core.state import record_dtype

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

DTYPE = record_dtype(
    MAX_SEATS,
    [
        # Options (FP-15).
        ("max_rounds", "i2"),
        ("control_markers", "i1"),
        ("marker_set", "i1"),
        ("election_limit", "i1"),
        ("move_rule", "i1"),
        ("adjacent_buildings", "i1"),
        ("start_option", "i1"),  # a seat, or NONE: drawn
        # The city. ``grid``, ``adjacent`` and ``rim`` follow from ``cell``.
        ("num_tiles", "i1"),
        ("colour", "i1", (MAX_TILES,)),
        ("cell", "i1", (MAX_TILES,)),  # 9 * row + column
        ("grid", "i1", (PADDED * PADDED,)),  # tile on each padded cell
        ("adjacent", "i4", (MAX_TILES,)),  # bit set of neighbouring tiles
        ("rim_size", "i1"),
        ("rim", "i1", (MAX_RIM,)),  # empty cells beside a tile, ascending
        ("rabble", "i1", (MAX_TILES, MAX_SEATS)),
        ("bosses", "i1", (MAX_TILES, MAX_SEATS)),
        ("total", "i1", (MAX_TILES,)),  # all rabble of each tile
        ("boss_count", "i1", (MAX_SEATS,)),  # bosses on the board
        ("building", "i1", (NUM_BUILDINGS,)),  # kind; nobody knows it before it is revealed
        ("building_tile", "i1", (NUM_BUILDINGS,)),
        # The seats.
        ("hq", "i1", (MAX_SEATS,)),
        ("boroughs", "i1", (MAX_SEATS,)),
        ("vp", "i2", (MAX_SEATS,)),
        ("control", "i1", (MAX_SEATS, NUM_COLOURS)),
        ("supply", "i1", (NUM_COLOURS,)),
        # The round.
        ("round_number", "i2"),
        ("start", "i1"),
        ("num_passed", "i1"),
        ("pass_order", "i1", (MAX_SEATS,)),  # seats, earliest first
        ("pass_place", "i1", (MAX_SEATS,)),  # from 1; 0 while not passed
        ("row", "i1", (ROW_SIZE,)),  # marker codes
        ("bids", "i1", (ROW_SIZE, MAX_SEATS)),
        ("flat_votes", "i1", (MAX_SEATS,)),  # V1, V2, Polling Place, Sixth Ward Offices
        ("colour_votes", "i1", (MAX_SEATS, NUM_COLOURS)),  # number of V3
        ("boss_votes", "i1", (MAX_SEATS,)),  # number of VB
        ("stage", "i1"),  # effect in progress
        ("picked", "i1"),  # half-made choice: a tile, or a building in MB_TO
        ("picked_seat", "i1"),  # owner of the rabble picked in ST_PICK
        ("num_specials", "i1"),
        ("specials", "i1", (MAX_SPECIALS,)),  # special election tiles in order
        ("tied", "i4"),  # bit set of the fullest tiles when ELECT asks
        ("num_chosen", "i1"),
        ("chosen", "i1", (MAX_TILES,)),  # election tiles in order
    ],
)
"""One game of Five Points."""
