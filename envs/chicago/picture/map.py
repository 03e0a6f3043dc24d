"""The map of Chicago: lake, river and the twelve districts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core.presentation.svg import Marks, piece, rect, text
from ...core.state import State
from ..actions import BATTLE, HIT, MOB, RAID
from ..data import CODES, GANGSTERS, NAMES, POINTS, PRICES
from ..state import NONE, RED_JOKER, TERRITORIES

COLOURS = ("#0072b2", "#d55e00", "#00805e", "#cc79a7", "#e69f00", "#44444c")
"""One colour a seat, after Okabe and Ito: distinct for every kind of colour vision."""

INKS = ("#ffffff", "#ffffff", "#ffffff", "#1d1a16", "#1d1a16", "#ffffff")
"""Colour of text upon each seat's colour."""

INK, FADED, PAPER, NEUTRAL = "#2b2621", "#6f6558", "#fbf6ea", "#f1e6cc"
WATER, SHORE, GLOW = "#bcd9e6", "#7fb0c6", "#ffd21f"

_POINTS = {
    # The shore from north to south, the frame's corners and its edges.
    **{"s0": (520, 71), "s1": (546, 146), "s2": (570, 214), "mouth": (586, 281)},
    **{"s3": (592, 374), "s4": (616, 470), "s5": (646, 560), "s6": (692, 690)},
    **{"nw": (17, 71), "w1": (17, 214), "w2": (17, 534), "sw": (17, 690), "b1": (284, 690)},
    "b2": (526, 690),
    # The north branch down to Wolf Point, the main stem, the south branch.
    **{"n0": (196, 71), "n1": (216, 158), "n2": (258, 232), "wolf": (338, 292)},
    **{"m1": (432, 288), "p1": (341, 386), "p2": (320, 448), "p3": (254, 484)},
    "p4": (174, 500),
    # Where three districts meet.
    **{"c1": (412, 164), "c2": (184, 226), "c3": (194, 306), "c4": (339, 324)},
    **{"c5": (480, 380), "c6": (490, 484), "c7": (362, 498), "c8": (508, 588)},
    **{"c9": (300, 594), "d1": (166, 400)},
}
_BORDERS = {
    "Lakeshore": "n0 s0 s1 c1 n1",
    "Near North": "n1 c1 m1 wolf n2",
    "Gold Coast": "c1 s1 s2 mouth m1",
    "Little Italy": "nw n0 n1 n2 wolf c4 c3 c2 w1",
    "Cicero": "w1 c2 c3 d1 p4 w2",
    "Maxwell Street": "c3 c4 p1 p2 p3 p4 d1",
    "Loop": "wolf m1 mouth s3 c5 p1 c4",
    "Levee": "p1 c5 c6 c7 p2",
    "South Side": "c5 s3 s4 s5 s6 b2 c8 c6",
    "Bridgeport": "p2 c7 c6 c8 c9 p3",
    "Stockyards": "c9 c8 b2 b1",
    "Back of the Yards": "w2 p4 p3 c9 b1 sw",
}
_LABELS = {
    "Lakeshore": (372, 92),
    "Near North": (344, 188),
    "Gold Coast": (496, 202),
    "Little Italy": (122, 134),
    "Cicero": (91, 350),
    "Maxwell Street": (248, 378),
    "Loop": (468, 312),
    "Levee": (415, 422),
    "South Side": (582, 560),
    "Bridgeport": (396, 528),
    "Stockyards": (404, 622),
    "Back of the Yards": (150, 592),
}
_RIVERS = ("n0 n1 n2 wolf p1 p2 p3 p4 w2", "wolf m1 mouth")
_BADGES = (
    (BATTLE, "BATTLE", 70, "#2b2621", "#ffffff"),
    (RAID, "RAID", 50, "#b3261e", "#ffffff"),
    (MOB, "MOB", 48, "#ffffff", "#111111"),
)


def district_points(name: str) -> list[tuple[int, int]]:
    """Corners of a district's polygon."""
    return [_POINTS[key] for key in _BORDERS[name].split()]


def city(state: State, marks: Marks) -> str:
    """The whole map, in the frame (16, 70) to (816, 690)."""
    shapes = "".join(_shape(state, x) for x in range(TERRITORIES))
    glows = "".join(_glow(state, x, marks.of(_aims(x))) for x in range(TERRITORIES))
    targets = "".join(_district(state, x, marks) for x in range(TERRITORIES))
    rivers = "".join(
        f'<polyline points="{_path(_POINTS[key] for key in keys.split())}" fill="none" '
        f'stroke="{colour}" stroke-width="{width}" stroke-linejoin="round" '
        'stroke-linecap="round"/>'
        for colour, width in ((SHORE, 11), (WATER, 8))
        for keys in _RIVERS
    )
    return (
        f'<g clip-path="url(#cu-frame)">{_lake()}{shapes}{_STREETS}{glows}{rivers}</g>'
        f"{_CAPTIONS}{targets}"
        '<rect x="16" y="70" width="800" height="620" rx="10" fill="none" '
        f'stroke="{INK}" stroke-width="2"/>'
    )


def _path(points: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _shape(state: State, x: int) -> str:
    owner = int(state.owner[x])
    fill = NEUTRAL if owner == NONE else COLOURS[owner]
    points = _path(district_points(NAMES[x]))
    look = f'points="{points}" stroke="{PAPER}" stroke-width="3" stroke-linejoin="round"'
    base = f'<polygon class="district" data-territory="{CODES[x]}" fill="{fill}" {look}/>'
    hatch = f'<polygon fill="url(#cu-hatch)" {look}/>' if owner == NONE else ""
    return base + hatch


def _district(state: State, x: int, marks: Marks) -> str:
    """Outline, name and badges of a district, above all shapes."""
    owner = int(state.owner[x])
    ink = INK if owner == NONE else INKS[owner]
    centre, top = _LABELS[NAMES[x]]
    aims = marks.of(_aims(x))
    notice = _notice(state, x)
    if owner == NONE or not (aims or notice):
        top += 8
    middle = {"anchor": "middle"}
    points = _path(district_points(NAMES[x]))
    body = f'<polygon points="{points}" fill="#ffffff" fill-opacity="0"/>'
    body += text(centre, top, NAMES[x], 14, ink, font_weight="bold", **middle)
    body += text(centre, top + 16, f"${PRICES[x]} · {POINTS[x]} points", 13.2, ink, **middle)
    if owner != NONE:
        body += text(centre, top + 31, GANGSTERS[owner], 13.2, ink, font_style="italic", **middle)
    below = top + (38 if owner != NONE else 24)
    if notice:
        width = 9 * len(notice) + 14
        body += rect(centre - width / 2, below, width, 18, INK, 9)
        body += text(centre, below + 13, notice, 13.2, "#ffffff", font_weight="bold", **middle)
    holder = "Nobody's: it is in the draw pile." if owner == NONE else f"{GANGSTERS[owner]}'s."
    body = piece(CODES[x], body, holder)
    if len(aims) == 1:
        return marks.wrap(aims[0], body + _badges(marks, aims, centre, below, wrap=False))
    return body + _badges(marks, aims, centre, below, wrap=True)


def _notice(state: State, x: int) -> str:
    if state.flipped == x:
        return f"TURNED UP: ${PRICES[x]}"
    if state.target == x:
        return "POLICE RAID" if state.joker == RED_JOKER else "MOB ATTACK"
    return ""


def _glow(state: State, x: int, aims: Sequence[int]) -> str:
    """The inner rim of a target, or of the territory that the question is about."""
    points = _path(district_points(NAMES[x]))
    colours: list[tuple[str, float, str]] = []
    if x in (state.flipped, state.target):
        rim = "#d81b1b" if state.target == x and state.joker == RED_JOKER else INK
        colours = [(GLOW, 20, ""), (rim, 9, 'stroke-dasharray="12 7"')]
    elif aims:
        colours = [(GLOW, 26, 'stroke-opacity=".3"'), (INK, 13, ""), (GLOW, 11, "")]
    return "".join(
        f'<polygon points="{points}" clip-path="url(#cu-{CODES[x]})" fill="none" '
        f'stroke="{colour}" stroke-width="{width}" {more}/>'
        for colour, width, more in colours
    )


def _badges(marks: Marks, aims: list[int], centre: float, top: float, *, wrap: bool) -> str:
    chosen = [badge for badge in _BADGES if any(_kind(action) == badge[0] for action in aims)]
    left = centre - (sum(badge[2] for badge in chosen) + 5 * (len(chosen) - 1)) / 2
    parts = []
    for action, (_, word, width, ink, fill) in zip(aims, chosen, strict=True):
        pill = rect(left, top, width, 18, fill, 9, stroke=ink, stroke_width=1.5)
        pill += text(left + width / 2, top + 13.8, word, 13.2, ink, "middle", font_weight="bold")
        parts.append(marks.wrap(action, pill) if wrap else pill)
        left += width + 5
    return "".join(parts)


def _aims(x: int) -> tuple[int, int, int]:
    """Actions that take aim at a territory."""
    return BATTLE + x, RAID + x, MOB + x


def _kind(action: int) -> int:
    """First action of the kind that an aim at a territory belongs to."""
    assert BATTLE <= action < HIT
    return max(kind for kind in (BATTLE, RAID, MOB) if action >= kind)


def _lake() -> str:
    shore = _path(
        _POINTS[f"s{k}"] if k != 7 else _POINTS["mouth"] for k in (0, 1, 2, 7, 3, 4, 5, 6)
    )
    rings = "".join(
        f'<polyline points="{shore}" transform="translate({6 + 9 * k} 0)" fill="none" '
        f'stroke="{SHORE}" stroke-opacity="{0.75 - 0.2 * k:g}" stroke-width="1.5"/>'
        for k in range(4)
    )
    return (
        f'<rect x="16" y="70" width="800" height="620" fill="{WATER}"/>'
        f'<rect x="16" y="70" width="800" height="620" fill="url(#cu-waves)"/>{rings}'
        f'<polyline points="{shore}" fill="none" stroke="{SHORE}" stroke-width="9"/>'
    )


DEFS = (
    '<pattern id="cu-hatch" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M0 0V7" stroke="#c9b993" stroke-opacity=".45" '
    'stroke-width="1.6"/></pattern>'
    '<pattern id="cu-waves" width="46" height="26" patternUnits="userSpaceOnUse">'
    '<path d="M4 13q5-5 10 0t10 0" fill="none" stroke="#ffffff" stroke-opacity=".38" '
    'stroke-width="1.4"/></pattern>'
    '<pattern id="cu-streets" width="26" height="22" patternUnits="userSpaceOnUse">'
    '<path d="M0 .5H26M.5 0V22" stroke="#ffffff" stroke-opacity=".17"/></pattern>'
    '<clipPath id="cu-frame"><rect x="16" y="70" width="800" height="620" rx="10"/></clipPath>'
    + "".join(
        f'<clipPath id="cu-{code}"><polygon points="{_path(district_points(name))}"/></clipPath>'
        for code, name in zip(CODES, NAMES, strict=True)
    )
)
_SHORE_LINE = "s0 s1 s2 mouth s3 s4 s5 s6"
_STREETS = (
    '<polygon fill="url(#cu-streets)" points="'
    + _path(_POINTS[key] for key in f"nw {_SHORE_LINE} sw".split())
    + '"/>'
)
_COMPASS = (
    '<g transform="translate(768 120)"><circle r="27" fill="#fbf6ea" fill-opacity=".6" '
    'stroke="#4a7c93"/><path d="M0-24L5-5 24 0 5 5 0 24-5 5-24 0-5-5z" fill="#4a7c93"/>'
    '<path d="M0-24L0 0-5-5zM24 0L0 0 5-5zM0 24L0 0 5 5zM-24 0L0 0-5 5z" fill="#fbf6ea"/></g>'
)
_SHIP = (
    '<g transform="translate(752 618)" fill="#4a7c93"><path d="M-34 8H36L27 22H-26z"/>'
    '<path d="M-20 8V-1H18V8zM-10-1V-15H-3V-1zM3-1V-15H10V-1z"/>'
    '<path d="M-6-19q8-9 18-5t20-5" fill="none" stroke="#4a7c93" stroke-width="3" '
    'stroke-linecap="round" stroke-opacity=".5"/></g>'
)
_WATER_INK = "#3d6e85"
_CAPTIONS = (
    _COMPASS
    + _SHIP
    + text(768, 162, "N", 13.2, _WATER_INK, "middle", font_weight="bold")
    + text(700, 202, "LAKE", 19, _WATER_INK, "middle", letter_spacing=7, font_style="italic")
    + text(704, 228, "MICHIGAN", 19, _WATER_INK, "middle", letter_spacing=5, font_style="italic")
)
