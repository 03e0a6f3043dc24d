"""The street map of Chicago: lake, river, streets, Subways and buildings with their owners."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, Final
from xml.sax.saxutils import escape

from ...core.state import State
from ...core.svg import Marks, piece, rect, text
from ..data.checks import STREETS
from ..data.tables import BOARD, BUILDING_NAMES, IS_SUBWAY, PRICE, SIDES
from ..state import NONE

SCALE: Final = 13.2
LEFT, TOP = 58.0, 86.0
MAP_WIDTH, HEIGHT = 1160, 1096
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
TILE_W, TILE_H = 54.0, 34.0
_ENTRIES: Final = (*BOARD["spaces"].values(), *BOARD["buildings"].values())
_MIN: Final = tuple(min(entry["xy"][k] for entry in _ENTRIES) for k in range(2))
XY: Final = tuple(
    (LEFT + (entry["xy"][0] - _MIN[0]) * SCALE, TOP + (entry["xy"][1] - _MIN[1]) * SCALE)
    for entry in _ENTRIES
)
"""Where each node stands in the picture."""


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
        text(right - 16, 560, "LAKE  MICHIGAN", 15, "#6d9db3", "middle", font_style="italic",
             letter_spacing=6, transform=f"rotate(90 {right - 16} 560)"),
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
            a, b = XY[entry["index"]], XY[BOARD["spaces"][door]["index"]]
            parts.append(line(a, b, f'stroke="{CASING}" stroke-width="5" stroke-linecap="round"'))
            parts.append(line(a, b, f'stroke="{STREET}" stroke-width="3" stroke-linecap="round"'))
    return parts


def _street_names() -> list[str]:
    """Each street's name once, beside its longest segment."""
    longest: dict[str, dict[str, Any]] = {}
    for segment in BOARD["segments"]:
        name = segment["street"]
        if name not in longest or len(segment["spaces"]) > len(longest[name]["spaces"]):
            longest[name] = segment
    parts = []
    placed: list[tuple[float, float, int, float]] = []
    for name, segment in longest.items():
        codes = [segment["from"], *segment["spaces"], segment["to"]]
        points = [XY[BOARD["spaces"][code]["index"]] for code in codes]
        a, b = max(pairwise(points), key=lambda pair: math.dist(*pair))
        if len(points) >= 4:
            middle = len(points) // 2
            a, b = points[middle - 1], points[middle]
        if b[0] < a[0] or (abs(b[0] - a[0]) < 1 and b[1] > a[1]):
            a, b = b, a
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        turn = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
        crowded = any(
            math.dist((x, y), (u, v)) < 4.0 * (len(name) + size) and abs(turn - other) < 10
            for u, v, size, other in placed
        )
        placed.append((x, y, len(name), turn))
        parts.append(
            text(0, 21 if crowded else -15, name.upper(), 8.5, FADED, "middle", letter_spacing=1.6,
                 transform=f"translate({x:.1f} {y:.1f}) rotate({turn:.1f})")
        )  # fmt: skip
    return parts


def _space_marks() -> list[str]:
    parts = []
    for entry in BOARD["spaces"].values():
        x, y = XY[entry["index"]]
        title = f"<title>{escape(entry['name'])}</title>"
        if IS_SUBWAY[entry["index"]]:
            mark = (
                f'<g>{title}<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="#17425f" '
                f'stroke="#ffffff" stroke-width="2"/>'
                + text(x, y + 4.8, str(entry["subway"]), 14, "#fff", "middle", font_weight="bold")
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


SCENERY: Final = "".join(
    [
        _land(), *_water(), *_paths_to_doors(), *_street_lines(), *_street_names(),
        *_space_marks(),
    ]
)  # fmt: skip
"""All of the map that never changes."""


def _name_lines(name: str) -> list[str]:
    """A building's name in at most two lines."""
    words = name.split()
    if len(name) <= 11 or len(words) == 1:
        return [name]
    cuts = range(1, len(words))
    best = min(cuts, key=lambda k: max(len(" ".join(words[:k])), len(" ".join(words[k:]))))
    return [" ".join(words[:best]), " ".join(words[best:])]


def _owner_face(state: State, b: int, x: float, y: float) -> list[str]:
    """Owner and level; black on the criminal side."""
    owner, level = int(state.owner[b]), int(state.level[b])
    criminal = bool(state.lit[b])
    fill = "#17130d" if criminal else SIDE_COLOURS[owner]
    ink = SIDE_LIGHTS[owner] if criminal else SIDE_INKS[owner]
    words = "police" if owner == len(SIDES) - 1 else "\u2605" * min(level, 3)
    if level > 3:
        words = f"\u2605 {level}"
    top = y - TILE_H / 2 + 12
    return [
        rect(x - TILE_W / 2, top, TILE_W, TILE_H - 12, fill, 0),
        text(x, top + 16, words, 12.5, ink, "middle", font_weight="bold"),
    ]


def _building_now(state: State, b: int) -> list[str]:
    """Whose a building is, its level and its side."""
    owner, level = int(state.owner[b]), int(state.level[b])
    if owner == NONE:
        return ["Nobody owns it."]
    if owner == len(SIDES) - 1:
        return ["A precinct of the police."]
    return [f"{SIDES[owner]}'s, level {level}.", "On its criminal side." * bool(state.lit[b])]


def building(state: State, b: int) -> str:
    """A building's tile: price, or owner, level and side; its name below."""
    name = BUILDING_NAMES[b]
    entry = BOARD["buildings"][name]
    x, y = XY[STREETS + b]
    owner = int(state.owner[b])
    left, top = x - TILE_W / 2, y - TILE_H / 2
    edge = SIDE_COLOURS[owner] if owner != NONE else "#8d7c55"
    parts = [
        f"<title>{escape(name)}, ${PRICE[b]}</title>",
        rect(left, top, TILE_W, TILE_H, JOINT_COLOURS[entry["colour"]], 4),
    ]
    if owner == NONE:
        parts.append(text(x, y + 5.5, f"${PRICE[b]}", 15, INK, "middle", font_weight="bold"))
    else:
        parts += _owner_face(state, b, x, y)
    width = 1.2 if owner == NONE else 3.5
    parts.append(rect(left, top, TILE_W, TILE_H, "none", 4, stroke=edge, stroke_width=width))
    for k, words in enumerate(_name_lines(name)):
        parts.append(
            text(x, y + TILE_H / 2 + 12 + 11 * k, words, 11, INK, "middle", stroke=LAND,
                 stroke_width=3, paint_order="stroke")
        )  # fmt: skip
    return piece(entry["code"], "".join(parts), *_building_now(state, b))


def buildings(state: State) -> list[str]:
    """All buildings."""
    return [building(state, b) for b in range(len(BUILDING_NAMES))]


def destinations(marks: Marks) -> list[str]:
    """The nodes that may be chosen, ringed."""
    parts = []
    for node in sorted(action for action in marks.legal if action < len(XY)):
        x, y = XY[node]
        if node >= STREETS:
            left, top = x - TILE_W / 2 - 3, y - TILE_H / 2 - 3
            ring = rect(left, top, TILE_W + 6, TILE_H + 6, GLOW, 7,
                        fill_opacity="0.1", stroke=GLOW, stroke_width="4")  # fmt: skip
        else:
            ring = (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="{GLOW}" fill-opacity="0.12" '
                f'stroke="{GLOW}" stroke-width="4"/>'
            )
        parts.append(marks.wrap(node, ring))
    return parts


def burst(node: int) -> str:
    """A star behind the node of a shootout."""
    x, y = XY[node]
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
