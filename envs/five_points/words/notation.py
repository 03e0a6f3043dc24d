"""The one-line text of a position, both ways (FP-18.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import numpy as np

from ...core.errors import NotationError
from ...core.game import Game
from ...core.options import OptionSet, OptionValue
from ...core.presentation.foreign_text import read_number
from ...core.state import NO_SEAT, State, blank
from ..data import BUILDINGS, COLOURS, SEAT_COUNTS, TABLES
from ..data import TILES as TILES_BY_SEATS
from ..rules.city import lay_out
from ..rules.scoring import end_is_reached, finish
from ..rules.setup import clear_marks, draw_buildings
from ..state import (
    BID,
    BOSSES,
    DTYPE,
    ELECT,
    MAX_SPECIALS,
    MT_TILE,
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
    ST_TO,
    STAGES,
)

HEAD: Final = "FP/1"
_BOARD_KEYS: Final = ("n", "round", "start", "phase", "actor", "last", "tiles", "bld")
_SEAT_KEYS: Final = ("hq", "bor", "vp", "cm", "pile")
_ROUND_KEYS: Final = ("row", "bids", "pass", "flat", "cv", "vb")
_CHOICE_KEYS: Final = ("spec", "stage", "sel", "tied", "chosen")
KEYS: Final = (*_BOARD_KEYS, *_SEAT_KEYS, *_ROUND_KEYS, *_CHOICE_KEYS)
OPTION_KEY: Final = "opt"
"""Beyond the specification: options other than their defaults, ``name:value`` by commas."""

UNSEEN: Final = "??"
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"

T = TypeVar("T")


def position_text(game: Game, state: State) -> str:
    """The position as one line of ``key=value`` fields."""
    n = int(state.num_seats)
    options = game.read_options(state)
    seats = range(n)
    setup = state.phase == SETUP
    fields = {
        "n": n,
        "round": int(state.round_number),
        "start": int(state.start),
        "phase": PHASES[state.phase],
        "actor": _or_dash(state.seat),
        "last": int(state.phase in (PLACE, BID) and state.num_passed == n - 1),
        "tiles": ",".join(_tile_text(state, tile) for tile in range(state.num_tiles)),
        "bld": ",".join(
            f"{UNSEEN if setup else BUILDINGS[state.building[b]]}@{_or_dash(tile)}"
            for b, tile in enumerate(state.building_tile)
        ),
        "hq": _list(state.hq[:n]),
        "bor": _list(state.boroughs[:n]),
        "vp": _list(state.vp[:n]),
        "cm": ",".join(_digits(state.control[s]) for s in seats),
        "pile": _digits(state.supply),
        "row": "-" if setup else ",".join(TABLES.marker_names[m] for m in state.row),
        "bids": ",".join(_digits(state.bids[m, :n]) for m in range(ROW_SIZE)),
        "pass": _list(state.pass_order[: state.num_passed]) or "-",
        "flat": _list(state.flat_votes[:n]),
        "cv": ",".join(_digits(state.colour_votes[s]) for s in seats),
        "vb": _list(state.boss_votes[:n]),
        "spec": _list(state.specials[: state.num_specials]) or "-",
        "stage": STAGES[state.stage],
        "sel": _selection_text(state),
        "tied": _list([t for t in range(state.num_tiles) if state.tied >> t & 1]) or "-",
        "chosen": _list(state.chosen[: state.num_chosen]) or "-",
    }
    changed = [f"{o.name}:{options[o.name]}" for o in game.options if options[o.name] != o.default]
    changed = [text for text in changed if not text.startswith("players:")]
    if changed:
        fields[OPTION_KEY] = ",".join(changed)
    return " ".join([HEAD, *(f"{key}={value}" for key, value in fields.items())])


def _tile_text(state: State, tile: int) -> str:
    row, column = divmod(int(state.cell[tile]), SIDE)
    n = state.num_seats
    rabble, bosses = _digits(state.rabble[tile, :n]), _digits(state.bosses[tile, :n])
    return f"{COLOURS[state.colour[tile]]}{row}{column}:{rabble}:{bosses}"


def _selection_text(state: State) -> str:
    if state.picked == NONE:
        return "-"
    return f"{state.picked}/{state.picked_seat}" if state.phase == ST_TO else str(state.picked)


def _or_dash(value: int) -> str:
    return "-" if value < 0 else str(value)


def _list(values: object) -> str:
    return ",".join(str(int(value)) for value in values)  # type: ignore[attr-defined]


def _digits(values: object) -> str:
    return "".join(_DIGITS[int(value)] for value in values)  # type: ignore[attr-defined]


class PositionReader:
    """Fields of a position text, each read with an error that names it."""

    def __init__(self, text: str) -> None:
        words = text.split()
        if not words or words[0] != HEAD:
            raise NotationError(f"position {text[:20]!r}: must begin with {HEAD}")
        self.fields: dict[str, str] = {}
        for word in words[1:]:
            key, equals, value = word.partition("=")
            if not equals or key not in (*KEYS, OPTION_KEY):
                raise NotationError(f"{word!r}: must be key=value with a key of {', '.join(KEYS)}")
            if key in self.fields:
                raise NotationError(f"{key}: given twice")
            self.fields[key] = value
        missing = [key for key in KEYS if key not in self.fields]
        if missing:
            raise NotationError(f"position: missing {', '.join(missing)}")

    def fail(self, key: str, allowed: str) -> NotationError:
        """The error for a field, saying what is allowed."""
        return NotationError(f"{key}={self.fields[key][:200]}: must be {allowed}")

    def number(self, key: str, low: int, high: int, text: str | None = None) -> int:
        """A number from ``low`` to ``high``; of ``text`` if it is a part of the field."""
        value = self.fields[key] if text is None else text
        number = read_number(value)
        if number is None or not low <= number <= high:
            raise self.fail(key, f"{low}..{high}")
        return number

    def index(self, key: str, names: tuple[str, ...], text: str | None = None) -> int:
        """Index of a word among ``names``."""
        value = self.fields[key] if text is None else text
        if value not in names:
            raise self.fail(key, f"one of {', '.join(names)}")
        return names.index(value)

    def items(self, key: str, count: int, read: Callable[[str], T], what: str) -> list[T]:
        """The parts of a list of ``count``, each read by ``read``."""
        parts = self.fields[key].split(",")
        if len(parts) != count:
            raise self.fail(key, f"{count} {what}, by commas")
        return [read(part) for part in parts]

    def numbers(self, key: str, count: int, high: int) -> list[int]:
        """A list of ``count`` numbers from 0 to ``high``."""
        return self.items(key, count, lambda t: self.number(key, 0, high, t), f"numbers 0..{high}")

    def several(self, key: str, most: int, high: int) -> list[int]:
        """A list of 0..``high`` that may be empty (``-``)."""
        if self.fields[key] == "-":
            return []
        parts = self.fields[key].split(",")
        if len(parts) > most:
            raise self.fail(key, f"at most {most} numbers")
        return [self.number(key, 0, high, part) for part in parts]

    def distinct(self, key: str, most: int, high: int) -> list[int]:
        """A list of different numbers that may be empty."""
        values = self.several(key, most, high)
        if len(set(values)) != len(values):
            raise self.fail(key, "numbers that are all different")
        return values

    def digits(self, key: str, text: str, count: int, high: int) -> list[int]:
        """Base 36 digits from 0 to ``high``."""
        values = [_DIGITS.find(c) for c in text]
        if len(values) != count or not all(0 <= value <= high for value in values):
            raise self.fail(key, f"groups of {count} digits, each 0..{_DIGITS[high]}")
        return values


def parse_position(game: Game, text: str) -> State:
    """A decision point, or a finished game, from its line.

    What the text cannot hold is fixed: the chance starts from 0, no decision has been made.

    Raises:
        NotationError: Naming the field that is wrong and what is allowed.
    """
    reader = PositionReader(text)
    state = read_fields(game, reader)
    _check(reader, state)
    if state.phase == OVER:
        five = bool((state.boss_count[: state.num_seats] == BOSSES).any())
        finish(state, not five and not end_is_reached(state))
    elif (choices := len(game.legal_actions(state))) < 2:
        raise NotationError(
            f"phase={PHASES[state.phase]}: must leave actor={state.seat} a choice, "
            f"but he has {choices} legal actions"
        )
    return state


def read_fields(game: Game, reader: PositionReader) -> State:
    """A record with all fields of a text, each valid in itself; see :func:`parse_position`."""
    state = blank(DTYPE)[0]
    n = reader.number("n", min(SEAT_COUNTS), max(SEAT_COUNTS))
    state.num_seats = n
    chosen = game.options.resolve({"players": n, **_read_options(reader, game.options)})
    game.write_options(state, chosen)
    clear_marks(state)
    state.phase = reader.index("phase", PHASES)
    state.round_number = reader.number("round", 1, 200)
    state.start = reader.number("start", 0, n - 1)
    state.seat = NO_SEAT
    if state.phase != OVER or reader.fields["actor"] != "-":
        state.seat = reader.number("actor", 0, n - 1)
    _read_city(reader, state)
    _read_buildings(reader, state)
    _read_seats(reader, state)
    _read_round(reader, state)
    _read_choices(reader, state)
    return state


def _read_options(reader: PositionReader, options: OptionSet) -> dict[str, OptionValue]:
    given: dict[str, OptionValue] = {}
    if OPTION_KEY in reader.fields:
        for part in reader.fields[OPTION_KEY].split(","):
            name, _, value = part.partition(":")
            if name not in options.names or name == "players" or not value:
                known = ", ".join(name for name in options.names if name != "players")
                raise reader.fail(OPTION_KEY, f"name:value with a name of {known}")
            number = read_number(value)
            given[name] = value if number is None else number
    return given


def _read_city(reader: PositionReader, state: State) -> None:
    n = int(state.num_seats)
    state.num_tiles = TILES_BY_SEATS[n]
    state.colour[:] = NONE
    state.cell[:] = NONE
    parts = reader.items("tiles", int(state.num_tiles), str, "tiles")
    for tile, part in enumerate(parts):
        place, _, counts = part.partition(":")
        rabble, _, bosses = counts.partition(":")
        if (
            len(place) != 3
            or place[0] not in COLOURS
            or not all("0" <= c <= "8" for c in place[1:])
        ):
            raise reader.fail("tiles", "colour b, g, r or o, row 0..8, column 0..8 in each tile")
        state.colour[tile] = COLOURS.index(place[0])
        state.cell[tile] = SIDE * int(place[1]) + int(place[2])
        state.rabble[tile, :n] = reader.digits("tiles", rabble, n, RABBLE)
        state.bosses[tile, :n] = reader.digits("tiles", bosses, n, 1)
        state.total[tile] = state.rabble[tile].sum()
    cells = state.cell[: state.num_tiles].tolist()
    if len(set(cells)) != len(cells):
        raise reader.fail("tiles", "on cells that are all different")
    for of in (SIDE, 1):
        lines = [cell // of % SIDE for cell in cells]
        if min(lines) != (SIDE - (max(lines) - min(lines) + 1)) // 2:
            raise reader.fail("tiles", "centred in the 9 x 9 grid")
    state.boss_count[:] = state.bosses.sum(axis=0)
    lay_out(state)


def _read_buildings(reader: PositionReader, state: State) -> None:
    parts = reader.items("bld", NUM_BUILDINGS, str, "buildings")
    high = int(state.num_tiles) - 1
    setup = state.phase == SETUP
    for b, part in enumerate(parts):
        code, _, tile = part.partition("@")
        state.building[b] = NONE if setup else reader.index("bld", BUILDINGS, code)
        if setup and code != UNSEEN:
            raise reader.fail("bld", f"{UNSEEN}@tile while unseen")
        unplaced = setup and tile == "-"
        state.building_tile[b] = NONE if unplaced else reader.number("bld", 0, high, tile)
    if setup:
        draw_buildings(state)
    elif state.building[0] == state.building[1]:
        raise reader.fail("bld", "two different buildings")
    if state.building_tile[0] == state.building_tile[1] and not setup:
        raise reader.fail("bld", "on two different tiles")
    if setup and state.building_tile[1] != NONE:
        raise reader.fail("bld", "with the second building unplaced in SETUP")


def _read_seats(reader: PositionReader, state: State) -> None:
    n = int(state.num_seats)
    state.hq[:n] = reader.numbers("hq", n, RABBLE)
    state.boroughs[:n] = reader.numbers("bor", n, RABBLE)
    state.vp[:n] = reader.numbers("vp", n, 9999)
    groups = reader.items("cm", n, str, "groups of four digits")
    for seat, digits in enumerate(groups):
        state.control[seat] = reader.digits("cm", digits, NUM_COLOURS, RABBLE)
    state.supply[:] = reader.digits("pile", reader.fields["pile"], NUM_COLOURS, RABBLE)
    state.flat_votes[:n] = reader.numbers("flat", n, 99)
    state.boss_votes[:n] = reader.numbers("vb", n, 9)
    groups = reader.items("cv", n, str, "groups of four digits")
    for seat, digits in enumerate(groups):
        state.colour_votes[seat] = reader.digits("cv", digits, NUM_COLOURS, 9)


def _read_round(reader: PositionReader, state: State) -> None:
    n = int(state.num_seats)
    names = TABLES.marker_names
    if state.phase == SETUP and reader.fields["row"] == "-":
        state.row[:] = NONE
    else:
        state.row[:] = reader.items(
            "row", ROW_SIZE, lambda t: reader.index("row", names, t), "markers"
        )
    groups = reader.items("bids", ROW_SIZE, str, "groups of digits")
    for marker, digits in enumerate(groups):
        bids = reader.digits("bids", digits, n, RABBLE)
        if max(bids) > 0 and bids.count(max(bids)) > 1:
            raise reader.fail("bids", "with one highest bid on each marker")
        state.bids[marker, :n] = bids
    state.pass_order[:] = NONE
    for seat in reader.distinct("pass", n, n - 1):
        state.pass_order[state.num_passed] = seat
        state.num_passed += 1
        state.pass_place[seat] = state.num_passed
    last = state.phase in (PLACE, BID) and state.num_passed == n - 1
    if reader.number("last", 0, 1) != last:
        raise reader.fail("last", "1 if all but one seat have passed, else 0")


def _read_choices(reader: PositionReader, state: State) -> None:
    high = int(state.num_tiles) - 1
    state.stage = reader.index("stage", STAGES)
    specials = reader.several("spec", MAX_SPECIALS, high)
    state.num_specials = len(specials)
    state.specials[: len(specials)] = specials
    chosen = reader.distinct("chosen", high + 1, high)
    state.num_chosen = len(chosen)
    state.chosen[: len(chosen)] = chosen
    for tile in reader.distinct("tied", high + 1, high):
        state.tied |= 1 << tile
    selection = reader.fields["sel"]
    phase = PHASES[state.phase]
    if phase in ("MT_CELL", "MB_TO"):
        state.picked = reader.number("sel", 0, high if phase == "MT_CELL" else NUM_BUILDINGS - 1)
    elif phase == "ST_TO":
        tile_text, _, seat_text = selection.partition("/")
        state.picked = reader.number("sel", 0, high, tile_text)
        state.picked_seat = reader.number("sel", 0, int(state.num_seats) - 1, seat_text)
        if state.rabble[state.picked, state.picked_seat] == 0:
            raise reader.fail("sel", "tile/seat with rabble there")
    elif selection != "-":
        raise reader.fail("sel", f"- in phase {phase}")


_EFFECTS: Final = PHASES[MT_TILE:ELECT]
"""Phases that belong to the effect of a marker or a building."""


def _check(reader: PositionReader, state: State) -> None:
    """What holds between fields."""
    n = int(state.num_seats)
    phase = PHASES[state.phase]
    held = state.rabble.sum(axis=0) + state.bids.sum(axis=0) + state.hq + state.boroughs
    for seat in range(n):
        if held[seat] != RABBLE:
            raise reader.fail("bor", f"such that seat {seat} has {RABBLE} rabble, not {held[seat]}")
        if state.boss_count[seat] > BOSSES:
            raise reader.fail("tiles", f"with at most {BOSSES} bosses of seat {seat}")
    if (reader.fields["stage"] != "-") != (phase in _EFFECTS):
        raise reader.fail("stage", f"an effect in {', '.join(_EFFECTS)}, else -; phase is {phase}")
    if phase in _EFFECTS and state.num_passed != n:
        raise reader.fail("pass", f"all seats in phase {phase}")
    if (state.tied != 0) != (state.phase == ELECT):
        raise reader.fail("tied", "given in phase ELECT, else -")
    if state.phase in (PLACE, BID) and state.pass_place[state.seat] != 0:
        raise reader.fail("actor", "a seat that has not passed")
    if np.any(state.bosses.sum(axis=0) == BOSSES) and state.phase != OVER:
        raise reader.fail("phase", "OVER, as a seat has all its bosses on the board")
