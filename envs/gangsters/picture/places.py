"""Where pieces stand on the map, so that every name and price there can still be read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..data import BUILDING_NAMES, IS_SUBWAY
from ..data.checks import STREETS
from ..words import street_map
from .map import COLUMN, HEIGHT, MAP_WIDTH, PAD, ROW, TEXT, XY, at, tile

REACHES: Final = (40, 90)
"""How far from its place a piece may stand, to each side; farther only if nothing is free."""
GRID: Final = 5
APART: Final = 29.0
"""Least distance of two pieces, by their middles."""
FOOT: Final = 44.0
"""Height of the legend below the map."""
ABROAD: Final = 40.0
"""What it costs to stand on a tile or a space that is not one's own, in units of distance."""
SUBWAY: Final = 14.0
WIDE: Final = 1.08 * COLUMN
"""Room that a letter takes at most, on average over a name."""


class Box(NamedTuple):
    """A rectangle: what is printed on the map, or what a piece covers around its middle."""

    left: float
    top: float
    right: float
    bottom: float

    def moved(self, x: float, y: float) -> Box:
        """The same rectangle elsewhere."""
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def meets(self, other: Box) -> bool:
        """Whether the two have more than an edge in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


Point = tuple[float, float]
LEAST: Final = Box(-13, -13, 13, 13)
"""What every piece covers at least, around its middle."""
MOST: Final = Box(-24, -24, 24, 24)
"""What none exceeds."""


def _line(x: float, base: float, words: str, right: float = MAP_WIDTH) -> Box:
    """The print of a line of text, without the room for strokes below it."""
    return Box(x, base - 0.76 * TEXT, min(x + WIDE * len(words), right), base + 0.1 * TEXT)


def _printed() -> Iterator[Box]:
    buildings, streets = street_map.labels()
    for b, label in enumerate(buildings):
        left, top, width, _ = tile(b)
        for k, words in enumerate(label.lines):
            yield _line(left + PAD, top + ROW * (k + 0.5) + 5, words, left + width)
        mark = street_map.AT_BUILDING * COLUMN + 3 * PAD
        middle = top + ROW * (label.rows - 0.5) - 1
        yield Box(left + width - mark, middle - 9.5, left + width, middle + 9.5)
    for label in streets:
        x, y = at(label.at)
        for k, words in enumerate(label.lines):
            yield _line(x, y + 6 + ROW * k, words)
    for node, (x, y) in enumerate(XY[:STREETS]):
        if IS_SUBWAY[node]:
            yield Box(x - SUBWAY, y - SUBWAY, x + SUBWAY, y + SUBWAY)


@cache
def printed() -> tuple[Box, ...]:
    """All print on the map: names of buildings and streets, prices and marks, Subway numbers."""
    return tuple(_printed())


@cache
def home(node: int) -> Box:
    """Where a piece belongs: the middle of a space, or a building's tile."""
    if node < STREETS:
        return Box(*XY[node], *XY[node])
    left, top, width, height = tile(node - STREETS)
    return Box(left, top, left + width, top + height)


def from_home(node: int, x: float, y: float) -> Point:
    """The point of a piece's home that is nearest to where it stands."""
    box = home(node)
    near = min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)
    away = math.dist(near, (x, y))
    if node < STREETS and IS_SUBWAY[node] and away > SUBWAY:
        share = SUBWAY / away  # Its number stays in sight.
        return near[0] + (x - near[0]) * share, near[1] + (y - near[1]) * share
    return near


@cache
def _candidates(node: int, reach: int) -> tuple[tuple[Point, tuple[Box, ...]], ...]:
    """Points around a place that are free of print, the best first, each with the print near it."""
    box = home(node)
    around = Box(box.left - reach, box.top - reach, box.right + reach, box.bottom + reach)
    wider = Box(around.left + MOST.left, around.top + MOST.top,
                around.right + MOST.right, around.bottom + MOST.bottom)  # fmt: skip
    print_here = [one for one in printed() if one.meets(wider)]
    tiles = [home(STREETS + b) for b in range(len(BUILDING_NAMES)) if STREETS + b != node]
    tiles = [one for one in tiles if one.meets(around)]
    spaces = [XY[space] for space in range(STREETS) if space != node]
    spaces = [spot for spot in spaces if Box(*spot, *spot).meets(around)]
    middle = (box.left + box.right) / 2, box.top
    points = [(box.left, box.top)] if node < STREETS else []
    points += [
        (float(x), float(y))
        for x in range(round(around.left), round(around.right), GRID)
        for y in range(round(around.top), round(around.bottom), GRID)
    ]
    points = [point for point in points if _on_the_map(LEAST.moved(*point))]
    spots = np.array(points)
    beside = _meeting(spots, MOST, print_here)
    free = ~_meeting(spots, LEAST, print_here).any(axis=1)
    abroad = _meeting(spots, Box(0, 0, 0, 0), tiles).sum(axis=1).tolist()
    found = []
    for k in np.flatnonzero(free):
        point = points[k]
        near = tuple(print_here[one] for one in np.flatnonzero(beside[k]))
        cost = math.dist(point, from_home(node, *point)) + 0.02 * math.dist(point, middle)
        cost += ABROAD * abroad[k]
        cost += ABROAD / 2 * sum(math.dist(point, spot) < APART / 2 for spot in spaces)
        found.append((cost, point, near))
    return tuple((point, near) for _, point, near in sorted(found))


def _meeting(spots: NDArray[np.float64], cover: Box, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Which boxes something meets that covers so much around each spot: ``(spots, boxes)``."""
    left, top, right, bottom = np.array(boxes, np.float64).reshape(-1, 4).T
    x, y = spots[:, :1], spots[:, 1:]
    across = (x + cover.left < right) & (left < x + cover.right)
    return across & (y + cover.top < bottom) & (top < y + cover.bottom)


def _on_the_map(box: Box) -> bool:
    return box.left > 0 and box.top > 0 and box.right < MAP_WIDTH and box.bottom < HEIGHT - FOOT


def stand(wanted: Mapping[int, Sequence[Box]]) -> dict[int, list[Point]]:
    """Where pieces stand: on their places or beside them, on no print and not on each other.

    The first piece of every place goes first. One that finds no such point stands where it covers
    least of the others.

    Args:
        wanted: For each node what its pieces cover around their middles.
    """
    found: dict[int, list[Point]] = {node: [] for node in wanted}
    taken: list[Point] = []
    turns = sorted((k, node) for node, boxes in wanted.items() for k in range(len(boxes)))
    for k, node in turns:
        point = _free(node, wanted[node][k], taken)
        taken.append(point)
        found[node].append(point)
    return found


def _free(node: int, cover: Box, taken: Sequence[Point]) -> Point:
    fallback: tuple[float, Point] | None = None
    for point, near in chain.from_iterable(_candidates(node, reach) for reach in REACHES):
        box = cover.moved(*point)
        if not _on_the_map(box) or any(box.meets(one) for one in near):
            continue
        room = min((math.dist(point, other) for other in taken), default=math.inf)
        if room >= APART:
            return point
        if fallback is None or room > fallback[0]:
            fallback = room, point
    assert fallback is not None, f"no room around {node}"
    return fallback[1]
