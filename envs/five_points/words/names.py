"""Words for people: gangs, tiles, markers, buildings; and counts that views and sentences share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from ...core.state import State
from ..data import COLOURS, TABLES
from ..state import NONE, SETUP

GANGS: Final = ("Dead Rabbits", "Bowery Boys", "Roach Guards", "Plug Uglies", "Shirt Tails")
"""Gangs of the district, one a seat."""

ASKED: Final = {
    "SETUP": "put an unseen building on a tile",
    "PLACE": "place a rabble, or pass",
    "BID": "bid on a manipulation marker, or not",
    "MT_TILE": "choose a tile to move",
    "MT_CELL": "choose where the tile moves to",
    "MB_PICK": "choose a building to move",
    "MB_TO": "choose the building's new tile",
    "CM_PICK": "choose a control marker",
    "SPECIAL": "choose a tile for a special election",
    "ST_PICK": "choose a rabble to smuggle",
    "ST_TO": "choose where the rabble goes",
    "ELECT": "choose which of the tied tiles votes next",
    "OVER": "the game is over",
}
"""What the deciding gang does, by phase."""


def tile_name(state: State, tile: int) -> str:
    """A tile by number and kind: ``tile 6 (red factory)``."""
    colour = int(state.colour[tile])
    return f"tile {tile} ({TABLES.colour_names[colour]} {TABLES.colour_kinds[colour]})"


def building_name(state: State, building: int) -> str:
    """A building by name; ``the first building`` while it is unseen."""
    if state.phase == SETUP:
        return ("the first building", "the second building")[building]
    return f"the {TABLES.building_names[int(state.building[building])]}"


MARKER_WORDS: Final = {
    "V1": "1 vote", "V2": "2 votes", "V3": "3 votes on {}", "VB": "a vote a boss",
    "MT": "move a tile", "MB": "move a building", "CM": "a control marker",
    "MJ": "4 VP for most {}", "SE": "special election", "VC": "1 VP a tile",
}  # fmt: skip


def marker_name(state: State, marker: int) -> str:
    """A marker of the row by place and in a few words: ``marker 2 (3 votes on red)``."""
    code = marker_code(state, marker)
    colour = dict(zip(COLOURS, TABLES.colour_names, strict=True)).get(code[2:], "")
    return f"marker {marker + 1} ({MARKER_WORDS[code[:2]].format(colour)})"


def marker_code(state: State, marker: int) -> str:
    """Code of a marker of the row."""
    return TABLES.marker_names[int(state.row[marker])]


def marker_effect(state: State, marker: int) -> str:
    """What a marker of the row does."""
    return TABLES.marker_effects[int(state.row[marker])]


def leader_of(state: State, tile: int) -> int:
    """Sole leader of a tile, or NONE (FP-1.5)."""
    counts = state.rabble[tile, : state.num_seats]
    best = int(counts.max())
    leaders = np.flatnonzero(counts == best)
    return int(leaders[0]) if best > 0 and len(leaders) == 1 else NONE


def count_of(number: int, thing: str, things: str | None = None) -> str:
    """``1 boss``, ``2 bosses``."""
    return f"{number} {thing if number == 1 else (things or thing)}"


def listed(words: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
