"""The street map of Chicago: lake, river, streets, Subways and buildings with their owners."""

from __future__ import annotations

import math
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from ...core.presentation.svg import Marks, piece, rect, seat_mark, text
from ...core.state import State
from ..data import BOARD, BUILDING_NAMES, IS_SUBWAY, PRICE, SIDES
from ..data.checks import STREETS
from ..state import NONE
from ..words import street_map

TEXT: Final = 17.0
"""Size of the smallest print: 11 pixels in a window of 1440 times 900."""
UNIT: Final = (12.8, 13.7)
"""Width and height of one unit of the board."""
COLUMN, ROW = UNIT[0] / street_map.ACROSS, UNIT[1] / street_map.DOWN
"""Width of a letter and height of a line on the map, whose names lie as on the map in words."""
LEFT, TOP = 34.0, 40.0
MAP_WIDTH, HEIGHT = 1124, 1096
INK, FADED, PAPER = "#2b2418", "#75684c", "#f6efdd"
LAND, STREET, CASING = "#e8dbb9", "#fbf5e4", "#b7a376"
WATER, GLOW = "#b5d3e0", "#ff9d00"
SIDE_COLOURS: Final = ("#b3261e", "#1d7a46", "#e0a800", "#6b4023", "#1f4e9c")
SIDE_INKS: Final = ("#ffffff", "#ffffff", "#2b2418", "#ffffff", "#ffffff")
SIDE_LIGHTS: Final = ("#ff8a80", "#7ee2a4", "#ffd54a", "#e0ac80", "#8fb8ff")
JOINT_COLOURS: Final = {
    "Red": "#e07a6c", "Purple": "#b590cf", "Blue": "#82aee0", "Green": "#8cc78a",
    "Yellow": "#f4d968", "Brown": "#c39a70", "Gray": "#b9b9b3",
}  # fmt: skip
PAD: Final = 4.0
_ENTRIES: Final = (*BOARD["spaces"].values(), *BOARD["buildings"].values())
_MIN: Final = tuple(min(entry["xy"][k] for entry in _ENTRIES) for k in range(2))
XY: Final = tuple(
    (LEFT + (entry["xy"][0] - _MIN[0]) * UNIT[0], TOP + (entry["xy"][1] - _MIN[1]) * UNIT[1])
    for entry in _ENTRIES
)
"""Where each node lies in the picture."""


def at(cell: street_map.Cell) -> tuple[float, float]:
    """Middle of the left edge of a place of the map in words."""
    return LEFT + (cell.column - 0.5) * COLUMN, TOP + cell.row * ROW


@cache
def tile(b: int) -> tuple[float, float, float, float]:
    """Left, top, width and height of a building's tile."""
    label = street_map.labels()[0][b]
    x, y = at(label.at)
    return x - PAD, y - ROW / 2 + 1, label.columns * COLUMN + 2 * PAD, label.rows * ROW - 2


def middle(node: int) -> tuple[float, float]:
    """Where a node is drawn: a space of a street, or the middle of a building's tile."""
    if node < STREETS:
        return XY[node]
    left, top, width, height = tile(node - STREETS)
    return left + width / 2, top + height / 2


def line(a: tuple[float, float], b: tuple[float, float], more: str) -> str:
    """A line between two points."""
    return f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" {more}/>'


def _water() -> list[str]:
    """The lake in the east and a river under the bridge: scenery only."""
    right = MAP_WIDTH
    lake = (
        f"M{right - 34} 0 C{right - 52} 160 {right - 22} 300 {right - 40} 460 "
        f"C{right - 56} 620 {right - 20} 800 {right - 42} {HEIGHT} L{right} {HEIGHT} L{right} 0 Z"
    )
    river = "M620 0 C610 70 560 120 590 220 C630 330 625 420 628 560 C630 700 660 830 650 1090"
    return [
        f'<path d="{lake}" fill="{WATER}"/>',
        f'<path d="{river}" fill="none" stroke="{WATER}" stroke-width="26" opacity="0.75"/>',
        text(right - 14, 560, "LAKE  MICHIGAN", TEXT, "#6d9db3", "middle", font_style="italic",
             letter_spacing=6, transform=f"rotate(90 {right - 14} 560)"),
    ]  # fmt: skip


def _street_lines() -> list[str]:
    spaces = BOARD["spaces"]
    ways = [
        (XY[entry["index"]], XY[spaces[other]["index"]])
        for code, entry in spaces.items()
        for other in entry["adj"]
        if code < other
    ]
    casing = f'stroke="{CASING}" stroke-width="23" stroke-linecap="round"'
    body = f'stroke="{STREET}" stroke-width="19" stroke-linecap="round"'
    dashes = 'stroke="#e3d5ae" stroke-width="1.2" stroke-dasharray="5 5"'
    return [line(a, b, style) for style in (casing, body, dashes) for a, b in ways]


def _paths_to_doors() -> list[str]:
    parts = []
    for entry in BOARD["buildings"].values():
        for door in entry["doors"]:
            a, b = middle(entry["index"]), XY[BOARD["spaces"][door]["index"]]
            parts.append(line(a, b, f'stroke="{CASING}" stroke-width="5" stroke-linecap="round"'))
            parts.append(line(a, b, f'stroke="{STREET}" stroke-width="3" stroke-linecap="round"'))
    return parts


def _street_names() -> list[str]:
    """The names of the streets that have room for it."""
    parts = []
    for label in street_map.labels()[1]:
        x, y = at(label.at)
        for k, words in enumerate(label.lines):
            parts.append(text(x, y + 6 + ROW * k, words.title(), TEXT, FADED, font_style="italic"))
    return parts


def _space_marks() -> list[str]:
    parts = []
    for entry in BOARD["spaces"].values():
        x, y = XY[entry["index"]]
        title = f"<title>{escape(entry['name'])}</title>"
        if IS_SUBWAY[entry["index"]]:
            mark = (
                f'<g>{title}<circle cx="{x:.1f}" cy="{y:.1f}" r="13" fill="#17425f" '
                f'stroke="#ffffff" stroke-width="2"/>'
                + text(x, y + 6, str(entry["subway"]), TEXT, "#fff", "middle", font_weight="bold")
                + "</g>"
            )
            parts.append(piece("subway", mark, f"Station {entry['subway']}: {entry['name']}."))
            continue
        crossing = entry["kind"] == "intersection"
        body = (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{8 if crossing else 5.5}" '
            f'fill="{"#e6d8b2" if crossing else "#fffdf6"}" stroke="#98865c" stroke-width="1.2">'
            f"{title}</circle>"
        )
        parts.append(body)
    return parts


def _land() -> str:
    return rect(0, 0, MAP_WIDTH, HEIGHT, LAND)


@cache
def scenery() -> str:
    """All of the map that never changes."""
    return "".join(
        [
            _land(), *_water(), *_paths_to_doors(), *_street_lines(), *_street_names(),
            *_space_marks(),
        ]
    )  # fmt: skip


def _owner_mark(state: State, b: int, x: float, y: float) -> list[str]:
    """The owner's mark, as often as the level says; black on the criminal side."""
    owner, level = int(state.owner[b]), int(state.level[b])
    criminal = bool(state.lit[b])
    fill = "#17130d" if criminal else SIDE_COLOURS[owner]
    ink = SIDE_LIGHTS[owner] if criminal else SIDE_INKS[owner]
    width = street_map.AT_BUILDING * COLUMN + PAD
    left = x - PAD / 2
    parts = [rect(left, y - 9.5, width, 19, fill, 3)]
    if owner == len(SIDES) - 1:
        words, middle = "HQ", left + width / 2
    elif level > 2:
        parts.append(seat_mark(owner, left + 13, y, 6, ink))
        words, middle = str(level), left + 30
    else:
        words, middle = "", 0.0
        first = left + width / 2 - 7.5 * (level - 1)
        parts += [seat_mark(owner, first + 15 * k, y, 6, ink) for k in range(level)]
    if words:
        parts.append(text(middle, y + 6, words, TEXT, ink, "middle", font_weight="bold"))
    return parts


def _building_now(state: State, b: int) -> list[str]:
    """Whose a building is, its level and its side."""
    owner, level = int(state.owner[b]), int(state.level[b])
    if owner == NONE:
        return ["Nobody owns it."]
    if owner == len(SIDES) - 1:
        return ["A precinct of the police."]
    return [f"{SIDES[owner]}'s, level {level}.", "On its criminal side." * bool(state.lit[b])]


def building(state: State, b: int) -> str:
    """A building's tile: its name, and its price, or owner, level and side."""
    name = BUILDING_NAMES[b]
    entry = BOARD["buildings"][name]
    owner = int(state.owner[b])
    left, top, width, height = tile(b)
    edge = SIDE_COLOURS[owner] if owner != NONE else "#8d7c55"
    label = street_map.labels()[0][b]
    thick = 1.2 if owner == NONE else 3.5
    parts = [
        f"<title>{escape(name)}, ${PRICE[b]}</title>",
        rect(left, top, width, height, JOINT_COLOURS[entry["colour"]], 4,
             stroke=edge, stroke_width=thick),
    ]  # fmt: skip
    for k, words in enumerate(label.lines):
        parts.append(text(left + PAD, top + ROW * (k + 0.5) + 5, words, TEXT, INK))
    x = left + width - street_map.AT_BUILDING * COLUMN - PAD
    y = top + ROW * (label.rows - 0.5) - 1
    if owner == NONE:
        parts.append(text(left + width - PAD, y + 6, f"${PRICE[b]}", TEXT, INK, "end",
                          font_weight="bold"))  # fmt: skip
    else:
        parts += _owner_mark(state, b, x, y)
    return piece(entry["code"], "".join(parts), *_building_now(state, b))


def buildings(state: State) -> list[str]:
    """All buildings."""
    return [building(state, b) for b in range(len(BUILDING_NAMES))]


def destinations(marks: Marks) -> list[str]:
    """The nodes that may be chosen, ringed."""
    parts = []
    for node in sorted(action for action in marks.legal if action < len(XY)):
        x, y = middle(node)
        if node >= STREETS:
            left, top, width, height = tile(node - STREETS)
            ring = rect(left - 3, top - 3, width + 6, height + 6, GLOW, 7,
                        fill_opacity="0.1", stroke=GLOW, stroke_width="4")  # fmt: skip
        else:
            # The larger circle is for fingers.
            ring = (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="22" fill="{GLOW}" fill-opacity="0.01"/>'
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="{GLOW}" fill-opacity="0.12" '
                f'stroke="{GLOW}" stroke-width="4"/>'
            )
        parts.append(marks.wrap(node, ring))
    return parts


def burst(node: int) -> str:
    """A star behind the node of a shootout."""
    x, y = middle(node)
    points = []
    for k in range(28):
        radius = (58 if k % 2 else 40) * (0.92 + 0.16 * (k % 3 == 0))
        angle = math.tau * k / 28
        points.append(
            f"{x + 1.15 * radius * math.cos(angle):.1f},{y + radius * math.sin(angle):.1f}"
        )
    return (
        f'<polygon points="{" ".join(points)}" fill="#ff5a36" fill-opacity="0.55" '
        'stroke="#c62200" stroke-width="2"/>'
    )
