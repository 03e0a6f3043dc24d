"""The street map of Chicago as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from ..core.state import State
from .actions import text_of
from .common import crime_level
from .data import (
    BOARD,
    IS_SUBWAY,
    NODE_NAMES,
    OFFICER_IDS,
    PUBLIC_IDS,
    SIDES,
    STREETS,
)
from .state import NONE, POLICE
from .view_text import seat_line

SCALE: Final = 11
LEFT: Final = 4.0
TOP: Final = -1.0
WIDTH: Final = 1420
HEIGHT: Final = 880
PAPER: Final = "#f3ead6"
STREET: Final = "#d9c9a3"
INK: Final = "#2b2418"
SIDE_COLOURS: Final = ("#c0392b", "#2e8b57", "#e0b21b", "#7b4a21", "#2c5aa0")
JOINT_COLOURS: Final = {
    "Red": "#d9665b", "Purple": "#9b72b5", "Blue": "#6d9cd0", "Green": "#79b77d",
    "Yellow": "#ecd16b", "Brown": "#b08a63", "Gray": "#a9a9a4",
}  # fmt: skip
XY: Final = tuple(
    (float(entry["xy"][0] - LEFT) * SCALE, float(entry["xy"][1] - TOP) * SCALE)
    for entry in (*BOARD["spaces"].values(), *BOARD["buildings"].values())
)


def _text(x: float, y: float, words: str, size: float, extra: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{INK}" '
        f'font-family="DejaVu Sans, sans-serif" {extra}>{escape(words)}</text>'
    )


def _streets() -> list[str]:
    parts = []
    spaces = BOARD["spaces"]
    for code, entry in spaces.items():
        x, y = XY[entry["index"]]
        for other in entry["adj"]:
            if code < other:
                u, v = XY[spaces[other]["index"]]
                parts.append(
                    f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}" '
                    f'stroke="{STREET}" stroke-width="13" stroke-linecap="round"/>'
                )
    for entry in BOARD["buildings"].values():
        x, y = XY[entry["index"]]
        for door in entry["doors"]:
            u, v = XY[spaces[door]["index"]]
            parts.append(
                f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}" '
                'stroke="#8a7a58" stroke-width="1.5" stroke-dasharray="3 2"/>'
            )
    for code, entry in spaces.items():
        x, y = XY[entry["index"]]
        subway = bool(IS_SUBWAY[entry["index"]])
        radius = 9 if subway else 5 if entry["kind"] == "intersection" else 3.5
        fill = "#20577a" if subway else "#fffaf0"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="#8a7a58">'
            f"<title>{escape(code)}: {escape(entry['name'])}</title></circle>"
        )
        if subway:
            parts.append(
                _text(
                    x, y + 3.5, str(entry["subway"]), 10, 'text-anchor="middle" style="fill:#fff"'
                )
            )
    return parts


_STREETS: Final = "".join(_streets())


def _buildings(state: State) -> list[str]:
    parts = []
    for b, (name, entry) in enumerate(BOARD["buildings"].items()):
        x, y = XY[STREETS + b]
        owner = int(state.owner[b])
        edge = SIDE_COLOURS[owner] if owner != NONE else "#7a6a48"
        parts.append(
            f'<rect x="{x - 11:.1f}" y="{y - 9:.1f}" width="22" height="18" rx="3" '
            f'fill="{JOINT_COLOURS[entry["colour"]]}" stroke="{edge}" '
            f'stroke-width="{3.5 if owner != NONE else 1}">'
            f"<title>{escape(entry['code'])} {escape(name)}</title></rect>"
        )
        parts.append(_text(x, y - 1, entry["code"], 7, 'text-anchor="middle"'))
        if owner != NONE:
            level = f"{state.level[b]}{'!' if state.lit[b] else ''}"
            parts.append(_text(x, y + 7.5, level, 8.5, 'text-anchor="middle" font-weight="bold"'))
    return parts


def _tokens(state: State, viewer: int | None) -> dict[int, list[tuple[str, str, bool, str]]]:
    found: dict[int, list[tuple[str, str, bool, str]]] = {}
    for gang in range(state.gangs):
        if not state.revealed and viewer not in (None, gang):
            continue
        for piece in range(3):
            node = int(state.at[gang, piece])
            if node != NONE:
                words = f"{'RTV'[piece]}{state.strength[gang, piece] if piece < 2 else ''}"
                token = (words, SIDE_COLOURS[gang], bool(state.criminal[gang, piece]), SIDES[gang])
                found.setdefault(node, []).append(token)
    if state.c_at != NONE:
        token = (f"C{state.c_strength}", SIDE_COLOURS[POLICE], False, "Commissioner")
        found.setdefault(int(state.c_at), []).append(token)
    for o in range(10):
        if state.cop_at[o] != NONE:
            token = (OFFICER_IDS[o], "#16305c", False, f"officer {OFFICER_IDS[o]}")
            found.setdefault(int(state.cop_at[o]), []).append(token)
    for p in range(4):
        if state.public_at[p] != NONE:
            token = (PUBLIC_IDS[p][:2], "#f7f7f7", bool(state.informant[p]), "Public")
            found.setdefault(int(state.public_at[p]), []).append(token)
    return found


def _pieces(state: State, viewer: int | None) -> list[str]:
    parts = []
    for node, tokens in _tokens(state, viewer).items():
        x, y = XY[node]
        y += -15 if node >= STREETS else 0
        for k, (words, fill, marked, title) in enumerate(tokens):
            cx, cy = x + 17 * (k - (len(tokens) - 1) / 2), y
            ring = "#000000" if marked else "#ffffff"
            ink = INK if fill in ("#f7f7f7", SIDE_COLOURS[2]) else "#ffffff"
            parts.append(
                f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="8" fill="{fill}" stroke="{ring}" '
                f'stroke-width="{3 if marked else 1.2}"><title>{escape(title)}</title></circle>'
            )
            parts.append(
                _text(
                    cx,
                    cy + 3,
                    words,
                    8,
                    f'text-anchor="middle" style="fill:{ink}" font-weight="bold"',
                )
            )
    return parts


def svg(state: State, viewer: int | None, legal: Sequence[int] = (), last: str = "") -> str:
    """The table as ``viewer`` sees it; legal destinations are ringed and carry their action."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        _STREETS,
        *_buildings(state),
        *_pieces(state, viewer),
    ]
    others = []
    for action in legal:
        if action < len(XY):
            x, y = XY[action]
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="14" fill="#ffb000" fill-opacity="0.25" '
                f'stroke="#e07b00" stroke-width="2.5" data-action="{action}">'
                f"<title>{escape(NODE_NAMES[action])}</title></circle>"
            )
        else:
            others.append(action)
    x = 1075
    over = bool(state.over)
    head = (
        "The game is over"
        if over
        else f"Round {state.round_number}, crime level {crime_level(state)}"
    )
    parts.append(_text(x, 34, "Gangsters", 24, 'font-weight="bold"'))
    parts.append(_text(x, 58, head, 13))
    if state.dice.any():
        for d, fill in enumerate(("#3f9b52", "#c0392b", "#e0b21b", "#fbfbfb", "#2c5aa0")):
            if state.dice[d]:
                parts.append(
                    f'<rect x="{x + 34 * d}" y="68" width="26" height="26" rx="5" fill="{fill}" '
                    f'stroke="{INK}"/>'
                )
                parts.append(
                    _text(x + 34 * d + 13, 87, str(state.dice[d]), 15, 'text-anchor="middle"')
                )
    y = 122.0
    for seat in range(state.num_seats):
        words = seat_line(state, seat, viewer).strip("> ").split("  ")
        bold = 'font-weight="bold"' if state.seat == seat else ""
        parts.append(
            f'<rect x="{x}" y="{y - 12}" width="8" height="46" fill="{SIDE_COLOURS[seat]}"/>'
        )
        pieces = [w.strip() for w in words if w.strip()]
        parts.append(_text(x + 14, y, "  ".join(pieces[:2]), 13, bold))
        parts.append(_text(x + 14, y + 16, pieces[2], 11))
        parts.append(_text(x + 14, y + 31, ", ".join(pieces[3:]), 11))
        y += 62
    for k, action in enumerate(others[:60]):
        cx, cy = x + 168 * (k % 2), y + 21 * (k // 2)
        parts.append(
            f'<g data-action="{action}"><rect x="{cx}" y="{cy - 13}" width="160" height="18" '
            f'rx="4" fill="#fffaf0" stroke="#e07b00"/>'
            + _text(cx + 6, cy, text_of(state, action), 10.5)
            + "</g>"
        )
    if last:
        parts.append(_text(24, HEIGHT - 14, last, 13))
    return "".join([*parts, "</svg>"])
