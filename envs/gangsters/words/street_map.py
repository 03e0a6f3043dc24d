"""The map of Chicago as lines of text, with the names of buildings and streets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise, product
from typing import Any, Final, NamedTuple

from ..data import BOARD, BUILDING_NAMES

WIDTH: Final = 101
ACROSS, DOWN = 1.2, 0.56
"""Columns and rows of one unit of the board."""
ON_STREET, AT_BUILDING = 3, 4
"""Columns of what stands in a place: a piece and whether there are more; a building's mark."""


class Cell(NamedTuple):
    """A place on the canvas."""

    row: int
    column: int


class Label(NamedTuple):
    """A text on the canvas, its rows and columns, and where the mark of its building goes."""

    at: Cell
    lines: tuple[str, ...]
    rows: int
    columns: int
    mark: Cell


@cache
def cells() -> tuple[Cell, ...]:
    """Where each node stands."""
    points = [entry["xy"] for entry in (*BOARD["spaces"].values(), *BOARD["buildings"].values())]
    left = min(x for x, _ in points)
    top = min(y for _, y in points)
    return tuple(Cell(round((y - top) * DOWN), round((x - left) * ACROSS)) for x, y in points)


class Canvas:
    """Characters in rows and columns."""

    def __init__(self, rows: Iterable[str]) -> None:
        self.rows = [list(row.ljust(WIDTH)) for row in rows]

    def write(self, at: Cell, words: str) -> None:
        """Write over what stands there."""
        for k, character in enumerate(words):
            if 0 <= at.row < len(self.rows) and 0 <= at.column + k < WIDTH:
                self.rows[at.row][at.column + k] = character

    def lines(self) -> list[str]:
        """The rows without blanks at their ends."""
        return ["".join(row).rstrip() for row in self.rows]


def _ways() -> Iterator[tuple[Cell, Cell]]:
    spots, spaces = cells(), BOARD["spaces"]
    for code, entry in spaces.items():
        for other in entry["adj"]:
            if code < other:
                yield spots[entry["index"]], spots[spaces[other]["index"]]


def _between(a: Cell, b: Cell) -> Iterator[tuple[Cell, str]]:
    """The cells of a street between two of its spaces."""
    steps = max(abs(a.row - b.row), abs(a.column - b.column))
    if a.row == b.row:
        stroke = "-"
    elif a.column == b.column:
        stroke = "|"
    else:
        stroke = "\\" if (a.row < b.row) == (a.column < b.column) else "/"
    if stroke in "\\/" and abs(a.row - b.row) < steps:
        steps = abs(a.row - b.row)  # One stroke a row, not a line of them.
    for k in range(1, steps):
        share = k / steps
        yield (
            Cell(round(a.row + (b.row - a.row) * share),
                 round(a.column + (b.column - a.column) * share)),
            stroke,
        )  # fmt: skip


def _wrapped(name: str, lines: int) -> tuple[str, ...]:
    """A name in so many lines, as narrow as it goes."""
    words = name.split()
    if lines > len(words):
        return ()
    best: tuple[str, ...] = ()
    for cuts in product(*[range(1, len(words))] * (lines - 1)):
        if list(cuts) != sorted(set(cuts)):
            continue
        edges = (0, *cuts, len(words))
        found = tuple(" ".join(words[a:b]) for a, b in pairwise(edges))
        if not best or max(map(len, found)) < max(map(len, best)):
            best = found
    return best


class _Layout:
    """Finds room for texts, one after the other."""

    def __init__(self) -> None:
        self.spots = cells()
        self.rows = max(cell.row for cell in self.spots) + 2
        places = self.spots[: len(BOARD["spaces"])]
        self.full = {Cell(r, c + k) for r, c in places for k in range(-2, ON_STREET)}
        self.drawn = {cell for a, b in _ways() for cell, _ in _between(a, b)}

    def place(self, name: str, centre: Cell, mark: int, reach: int) -> Label | None:
        """The best place for a name around a cell, which is taken from then on.

        Args:
            name: The name.
            centre: Where it belongs.
            mark: Columns for a building's mark, at the end of the last line or below it.
            reach: How many columns away from ``centre`` it may stand.

        Returns:
            ``None`` if there is no room.
        """
        best: tuple[float, Label, set[Cell]] | None = None
        for count, below in product((1, 2, 3), (False, True) if mark else (False,)):
            words = _wrapped(name, count)
            if not words:
                continue
            box = [*words, " " * mark] if below else [*words[:-1], words[-1] + " " * (mark + 1)]
            rows, width = len(box), max(mark, *map(len, box)) if mark else max(map(len, words))
            for down, across in product(range(-3, 4), range(-reach, reach + 1)):
                at = Cell(centre.row + down - rows // 2, centre.column + across - width // 2)
                if not (0 <= at.row <= self.rows - rows and 1 <= at.column < WIDTH - width):
                    continue
                area = {
                    Cell(at.row + k, at.column + c)
                    for k in range(rows)
                    for c in range(-1, width + 1)
                }
                if area & self.full:
                    continue
                cost = 2.0 * abs(down) + 0.5 * abs(across) + 1.2 * rows
                cost += 5 * len(area & self.drawn)
                if best is None or cost < best[0]:
                    end = Cell(at.row + rows - 1, at.column + width - mark)
                    best = cost, Label(at, words, rows, width, end), area
        if best is None:
            return None
        self.full |= best[2]
        return best[1]


@cache
def labels() -> tuple[tuple[Label, ...], tuple[Label, ...]]:
    """Where the names of the buildings stand, and those of the streets that have room."""
    layout = _Layout()
    streets = len(BOARD["spaces"])
    found = {}
    for b in sorted(range(len(BUILDING_NAMES)), key=lambda b: -len(BUILDING_NAMES[b])):
        centre = layout.spots[streets + b]
        label = layout.place(BUILDING_NAMES[b], centre, AT_BUILDING, 9)
        assert label is not None, f"no room for {BUILDING_NAMES[b]}"
        found[b] = label
    named = []
    for segment in _longest_segments():
        middle = segment["spaces"][len(segment["spaces"]) // 2]
        centre = layout.spots[BOARD["spaces"][middle]["index"]]
        named.append(layout.place(segment["street"].upper(), centre, 0, 9))
    return tuple(found[b] for b in range(len(BUILDING_NAMES))), tuple(filter(None, named))


def _longest_segments() -> list[dict[str, Any]]:
    """The longest part of each street."""
    longest: dict[str, dict[str, Any]] = {}
    for segment in BOARD["segments"]:
        name = segment["street"]
        if name not in longest or len(segment["spaces"]) > len(longest[name]["spaces"]):
            longest[name] = segment
    return list(longest.values())


@cache
def scenery() -> tuple[str, ...]:
    """The map without anything that changes."""
    spots = cells()
    canvas = Canvas([""] * (max(cell.row for cell in spots) + 2))
    for a, b in _ways():
        for cell, stroke in _between(a, b):
            canvas.write(cell, stroke)
    for entry in BOARD["spaces"].values():
        mark = "+" if entry["kind"] == "intersection" else str(entry.get("subway", "o"))
        canvas.write(spots[entry["index"]], mark)
    for label in (*labels()[0], *labels()[1]):
        for k, line in enumerate(label.lines):
            canvas.write(Cell(label.at.row + k, label.at.column), line)
    return tuple(canvas.lines())


def draw(pieces: Mapping[int, str], marks: Mapping[int, str]) -> list[str]:
    """The map.

    Args:
        pieces: What stands in spaces of the streets, by node; three characters at most.
        marks: Marks of buildings, by number; four characters at most.
    """
    canvas = Canvas(scenery())
    for node, words in pieces.items():
        canvas.write(cells()[node], words)
    for building, words in marks.items():
        canvas.write(labels()[0][building].mark, words)
    return canvas.lines()
