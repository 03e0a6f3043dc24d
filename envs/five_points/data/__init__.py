"""The components of Five Points: ``components.json``, checked when it is read, and its tables.

Counts of markers, control markers, layouts and the grid are a reconstruction (FP-2.4, FP-2.7,
FP-3.3, FP-8.1); a table of the published components can replace the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.errors import GanglandError
from ..state import BOSSES, MAX_TILES, NUM_COLOURS, RABBLE, ROW_SIZE, SIDE

DATA_FILE: Final = Path(__file__).with_name("components.json")

# Marker kinds (FP-2.7), in the order of the data file.
V1: Final = 0
V2: Final = 1
V3: Final = 2
VB: Final = 3
MT: Final = 4
MB: Final = 5
CM: Final = 6
MJ: Final = 7
SE: Final = 8
VC: Final = 9
KINDS: Final = ("V1", "V2", "V3", "VB", "MT", "MB", "CM", "MJ", "SE", "VC")
COLOURED: Final = ("V3", "MJ")

# Buildings (FP-2.6), in the order of the data file.
BE: Final = 0
NP: Final = 1
TH: Final = 2
FM: Final = 3
PP: Final = 4
SW: Final = 5
ZC: Final = 6
TA: Final = 7
ST: Final = 8
BUILDINGS: Final = ("BE", "NP", "TH", "FM", "PP", "SW", "ZC", "TA", "ST")

COLOURS: Final = "bgro"
SEAT_COUNTS: Final = (3, 4, 5)
MARKER_SETS: Final = ("full24", "demo18")

Bytes = NDArray[np.int8]


class DataError(GanglandError, ValueError):
    """The data file contradicts the rules; the message names the entry."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The data as arrays.

    Attributes:
        colour_names: Name of each colour.
        colour_kinds: What stands on the tiles of each colour.
        building_names: Name of each building.
        building_effects: What each building does.
        marker_names: Code of each distinct marker (``V1`` ... ``V3b`` ... ``VC``).
        marker_effects: What each distinct marker does.
        marker_kind: Int8 of shape (markers,): index into ``KINDS``.
        marker_colour: Int8 of shape (markers,): index into ``COLOURS``, or -1.
        marker_sets: Int8 of shape (sets, longest set): marker codes, -1 beyond the end.
        set_sizes: Int8 of shape (sets,).
        tiles: Int8 of shape (6,): tiles by number of seats.
        layouts: Int8 of shape (6, 17): cell 9 * row + column of each tile by number of seats.
        income: Int8 of shape (6, 5): rabble by number of seats and place in the passing order.
    """

    colour_names: tuple[str, ...]
    colour_kinds: tuple[str, ...]
    building_names: tuple[str, ...]
    building_effects: tuple[str, ...]
    marker_names: tuple[str, ...]
    marker_effects: tuple[str, ...]
    marker_kind: Bytes
    marker_colour: Bytes
    marker_sets: Bytes
    set_sizes: Bytes
    tiles: Bytes
    layouts: Bytes
    income: Bytes


def read_tables(data: Mapping[str, Any]) -> Tables:
    """Check the data and turn it into arrays.

    Raises:
        DataError: Naming the entry that is wrong and what is allowed.
    """
    _expect("grid", (data["grid"]["rows"], data["grid"]["cols"]), (SIDE, SIDE))
    _expect("colours", "".join(c["code"] for c in data["colours"]), COLOURS)
    _expect("markers_in_row", data["markers_in_row"], ROW_SIZE)
    seat = data["per_seat"]
    _expect("per_seat.rabble", seat["rabble"], RABBLE)
    _expect("per_seat.bosses", seat["bosses"], BOSSES)
    _expect(
        "per_seat.hq_after_setup", seat["hq_after_setup"] + seat["boroughs_after_setup"] + 3, 20
    )
    _expect("buildings", tuple(b["code"] for b in data["buildings"]), BUILDINGS)
    _expect("marker_kinds", tuple(m["code"] for m in data["marker_kinds"]), KINDS)
    for kind in data["marker_kinds"]:
        is_coloured = bool(kind.get("coloured", False))
        _expect(f"marker_kinds.{kind['code']}.coloured", is_coloured, kind["code"] in COLOURED)
    names, kinds, colours, effects = _markers(data)
    sets, sizes = _marker_sets(data["marker_sets"], names)
    tiles, layouts = _layouts(data)
    return Tables(
        colour_names=tuple(c["name"] for c in data["colours"]),
        colour_kinds=tuple(c["kind"] for c in data["colours"]),
        building_names=tuple(b["name"] for b in data["buildings"]),
        building_effects=tuple(b["effect"] for b in data["buildings"]),
        marker_names=names,
        marker_effects=effects,
        marker_kind=np.array(kinds, np.int8),
        marker_colour=np.array(colours, np.int8),
        marker_sets=sets,
        set_sizes=sizes,
        tiles=tiles,
        layouts=layouts,
        income=_income(data["pass_income"]),
    )


def _expect(name: str, value: object, wanted: object) -> None:
    if value != wanted:
        raise DataError(f"{name}={value!r}: must be {wanted!r}")


def _markers(
    data: Mapping[str, Any],
) -> tuple[tuple[str, ...], list[int], list[int], tuple[str, ...]]:
    names: list[str] = []
    kinds: list[int] = []
    colours: list[int] = []
    effects: list[str] = []
    for k, kind in enumerate(data["marker_kinds"]):
        for c in range(NUM_COLOURS) if kind["code"] in COLOURED else (-1,):
            names.append(kind["code"] + (COLOURS[c] if c >= 0 else ""))
            kinds.append(k)
            colours.append(c)
            shown = data["colours"][c]["name"] if c >= 0 else ""
            effects.append(kind["effect"].replace("tiles of the shown colour", f"{shown} tiles"))
    return tuple(names), kinds, colours, tuple(effects)


def _marker_sets(sets: Mapping[str, Any], names: tuple[str, ...]) -> tuple[Bytes, Bytes]:
    _expect("marker_sets", tuple(sets), MARKER_SETS)
    longest = max(len(markers) for markers in sets.values())
    table = np.full((len(sets), longest), -1, np.int8)
    for i, (name, markers) in enumerate(sets.items()):
        if len(markers) < ROW_SIZE:
            raise DataError(f"marker_sets.{name}: {len(markers)} markers, must be at least 4")
        for j, marker in enumerate(markers):
            if marker not in names:
                raise DataError(
                    f"marker_sets.{name}[{j}]={marker!r}: must be one of {', '.join(names)}"
                )
            table[i, j] = names.index(marker)
        if markers.count("SE") > ROW_SIZE:
            raise DataError(f"marker_sets.{name}: more than {ROW_SIZE} SE markers")
    return table, np.array([len(markers) for markers in sets.values()], np.int8)


def _layouts(data: Mapping[str, Any]) -> tuple[Bytes, Bytes]:
    tiles = np.zeros(max(SEAT_COUNTS) + 1, np.int8)
    table = np.full((max(SEAT_COUNTS) + 1, MAX_TILES), -1, np.int8)
    _expect("layouts", tuple(data["layouts"]), tuple(str(n) for n in SEAT_COUNTS))
    for n in SEAT_COUNTS:
        layout = data["layouts"][str(n)]
        cells = [tuple(cell) for cell in layout["cells_by_tile_id"]]
        name = f"layouts.{n}"
        _expect(f"{name}.tiles", layout["tiles"], len(cells))
        _expect(f"{name}.extra_random_tiles", layout["extra_random_tiles"], len(cells) - 4)
        # FP-3.6: the rabble of all seats and the two buildings fill the city exactly.
        _expect(f"{name}.tiles", layout["tiles"], 3 * n + 2)
        for cell in cells:
            if len(cell) != 2 or not all(0 <= x < SIDE for x in cell):
                raise DataError(f"{name}: cell {list(cell)}: must be [row, col], each 0..8")
            if cells.count(cell) > 1:
                raise DataError(f"{name}: cell {list(cell)} is given twice")
        for axis in (0, 1):
            low, high = min(c[axis] for c in cells), max(c[axis] for c in cells)
            _expect(f"{name}: smallest {('row', 'col')[axis]}", low, (SIDE - (high - low + 1)) // 2)
        tiles[n] = len(cells)
        table[n, : len(cells)] = [SIDE * r + c for r, c in cells]
    return tiles, table


def _income(income: Mapping[str, Any]) -> Bytes:
    table = np.zeros((max(SEAT_COUNTS) + 1, max(SEAT_COUNTS)), np.int8)
    for n in SEAT_COUNTS:
        row = income.get(str(n), [])
        if len(row) != n or not all(isinstance(x, int) and 0 <= x <= RABBLE for x in row):
            raise DataError(f"pass_income.{n}={row!r}: must be {n} numbers from 0 to {RABBLE}")
        table[n, :n] = row
    return table


TABLES: Final = read_tables(json.loads(DATA_FILE.read_text()))

MARKER_KIND: Final = TABLES.marker_kind
MARKER_COLOUR: Final = TABLES.marker_colour
SETS: Final = TABLES.marker_sets
SET_SIZES: Final = TABLES.set_sizes
TILES: Final = TABLES.tiles
LAYOUTS: Final = TABLES.layouts
PASS_INCOME: Final = TABLES.income
