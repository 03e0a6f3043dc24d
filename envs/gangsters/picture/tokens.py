"""Pieces on the map: gangs on their normal or criminal side, the police, Publics (G-2)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from ...core.presentation.svg import piece as of_piece
from ...core.presentation.svg import seat_mark, text
from ...core.state import State
from ..data import OFFICER_DICE, OFFICER_IDS, PUBLIC_IDS, SIDES
from ..data.checks import STREETS
from ..state import NONE, POLICE, V
from .map import INK, SIDE_COLOURS, SIDE_INKS, SIDE_LIGHTS, TEXT, XY, line
from .places import Box, from_home, stand

RADIUS: Final = 14.0
FACING: Final = 20.0
"""How far the mark of facing reaches."""
COVERS: Final = {
    "disc": (15.0, 15.0, 15.0, 15.0), "square": (14.0, 14.0, 14.0, 14.0),
    "heart": (17.0, 15.0, 17.0, 16.0), "shield": (14.0, 16.0, 14.0, 16.0),
    "badge": (19.0, 19.0, 19.0, 19.0), "person": (14.0, 17.0, 14.0, 15.0),
}  # fmt: skip
"""How far each shape reaches to the left, up, to the right and down."""
GEAR: Final = {"h": "#e0281e", "w": "#2b2418", "d": "#d65fae", "i": "#1f4e9c"}
"""Colours of the dots for Heaters, Wheels, a Dress and an Informant."""
NAMES: Final = ("Racketeer", "Thug", "Vamp")
WORDS: Final = {"h": "with Heaters", "w": "with Wheels", "d": "with a Dress"}
NAVY, GOLD = "#10264d", "#e9b824"


@dataclass(frozen=True, slots=True)
class Token:
    """One piece to draw: its picture at a point, and where it came from if that matters."""

    shape: str
    words: str
    fill: str
    ink: str
    edge: str
    title: str
    came: int = NONE
    badge: str = ""
    key: str = ""
    side: int = NONE


def sees_pieces(state: State, viewer: int | None, side: int) -> bool:
    """Whether a viewer sees a side's pieces: set-up choices are secret (G-18.5)."""
    return bool(state.revealed) or viewer in (None, side)


def gang_token(state: State, gang: int, piece: int) -> Token:
    """A gang's piece: in its colour, or black with its colour on the criminal side."""
    criminal = bool(state.criminal[gang, piece])
    strength = int(state.strength[gang, piece])
    gear = "".join(
        letter
        for letter, field in (("h", "has_heaters"), ("w", "has_wheels"), ("d", "has_dress"))
        if state[field][gang, piece]
    )
    side = f"{SIDES[gang]} {NAMES[piece]}"
    count = "" if piece == V else f" {strength}"
    return Token(
        shape=("disc", "square", "heart")[piece],
        words=f"{'RTV'[piece]}{strength if piece != V else ''}",
        fill="#17130d" if criminal else SIDE_COLOURS[gang],
        ink=SIDE_LIGHTS[gang] if criminal else SIDE_INKS[gang],
        edge=SIDE_LIGHTS[gang] if criminal else "#ffffff",
        title=", ".join(
            [f"{side}{count}", *["criminal"] * criminal, *(WORDS[letter] for letter in gear)]
        ),
        came=int(state.came[gang, piece]),
        badge=gear,
        key=NAMES[piece].lower(),
        side=gang,
    )


def tokens(state: State, viewer: int | None) -> dict[int, list[Token]]:
    """Pieces by node."""
    found: dict[int, list[Token]] = {}
    for gang in range(state.gangs):
        if sees_pieces(state, viewer, gang):
            for piece in range(3):
                if state.at[gang, piece] != NONE:
                    node = int(state.at[gang, piece])
                    found.setdefault(node, []).append(gang_token(state, gang, piece))
    if state.c_at != NONE:
        chief = Token("badge", f"C{state.c_strength}", GOLD, INK, NAVY,
                      f"Commissioner {state.c_strength}", int(state.c_came),
                      key="commissioner")  # fmt: skip
        found.setdefault(int(state.c_at), []).append(chief)
    for o, name in enumerate(OFFICER_IDS):
        if state.cop_at[o] != NONE:
            mover = int(state.cop_mover[o])
            by = f", moved by {SIDES[mover]}" if mover != NONE else ""
            edge = SIDE_LIGHTS[mover] if mover not in (NONE, POLICE) else "#ffffff"
            cop = Token("shield", name, NAVY, "#ffffff", edge,
                        f"Officer {name}, {OFFICER_DICE[o]} dice{by}",
                        int(state.cop_came[o]), key=f"officer:{name}")  # fmt: skip
            found.setdefault(int(state.cop_at[o]), []).append(cop)
    for p, name in enumerate(PUBLIC_IDS):
        if state.public_at[p] != NONE:
            informant = bool(state.informant[p])
            title = f"{'Informant' if informant else 'Public'} worth {name[1]}"
            public = Token("person", name[1], "#bfe3ff" if informant else "#ffffff",
                           INK, SIDE_COLOURS[POLICE] if informant else "#6d6249", title,
                           int(state.public_came[p]), "i" if informant else "",
                           f"public:{name}")  # fmt: skip
            found.setdefault(int(state.public_at[p]), []).append(public)
    return found


def _outline(token: Token, x: float, y: float) -> str:
    style = f'fill="{token.fill}" stroke="{token.edge}" stroke-width="2"'
    r = RADIUS
    if token.shape == "disc":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" {style}/>'
    if token.shape == "square":
        return (
            f'<rect x="{x - r + 1:.1f}" y="{y - r + 1:.1f}" width="{2 * r - 2:g}" '
            f'height="{2 * r - 2:g}" rx="3" {style}/>'
        )
    if token.shape == "heart":
        path = (
            f"M{x:.1f} {y + 15:.1f} C{x - 25:.1f} {y - 1:.1f} {x - 14:.1f} {y - 20:.1f} "
            f"{x:.1f} {y - 9:.1f} C{x + 14:.1f} {y - 20:.1f} {x + 25:.1f} {y - 1:.1f} "
            f"{x:.1f} {y + 15:.1f} Z"
        )
        return f'<path d="{path}" {style} stroke-linejoin="round"/>'
    if token.shape == "shield":
        path = (
            f"M{x:.1f} {y - 15:.1f} L{x + 13:.1f} {y - 11:.1f} L{x + 12:.1f} {y + 3:.1f} "
            f"Q{x + 9:.1f} {y + 11:.1f} {x:.1f} {y + 15:.1f} Q{x - 9:.1f} {y + 11:.1f} "
            f"{x - 12:.1f} {y + 3:.1f} L{x - 13:.1f} {y - 11:.1f} Z"
        )
        return f'<path d="{path}" {style} stroke-linejoin="round"/>'
    if token.shape == "badge":
        points = []
        for k in range(14):
            reach = 18 if k % 2 == 0 else 13.5
            angle = math.tau * k / 14 - math.pi / 2
            points.append(f"{x + reach * math.cos(angle):.1f},{y + reach * math.sin(angle):.1f}")
        return f'<polygon points="{" ".join(points)}" {style} stroke-linejoin="round"/>'
    return (
        f'<circle cx="{x:.1f}" cy="{y - 11:.1f}" r="5" {style}/>'
        f'<path d="M{x - 13:.1f} {y + 14:.1f} Q{x - 13:.1f} {y - 7:.1f} {x:.1f} {y - 7:.1f} '
        f'Q{x + 13:.1f} {y - 7:.1f} {x + 13:.1f} {y + 14:.1f} Z" {style}/>'
    )


def draw(token: Token, x: float, y: float, turn: float | None = None) -> str:
    """A piece with its letter, its mark of facing and a small badge."""
    parts = [f"<title>{escape(token.title)}</title>"]
    if turn is not None:
        tip = (x + FACING * math.cos(turn), y + FACING * math.sin(turn))
        ends = [
            (x + 15 * math.cos(turn + off), y + 15 * math.sin(turn + off)) for off in (-0.5, 0.5)
        ]
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in (tip, *ends))
        parts.append(f'<polygon points="{points}" fill="{INK}"/>')
    parts.append(_outline(token, x, y))
    low = {"heart": 6.0, "person": 11.0}.get(token.shape, 6.0)
    room = 2 * RADIUS - 5 if len(token.words) > 1 else None
    parts.append(text(x, y + low, token.words, TEXT, token.ink, "middle", font_weight="bold",
                      textLength=room, lengthAdjust=room and "spacingAndGlyphs"))  # fmt: skip
    if token.side != NONE:
        parts.append(seat_mark(token.side, x + 11, y + 12, 5, "#ffffff", stroke=INK))
    for k, letter in enumerate(token.badge):
        parts.append(
            f'<circle cx="{x + 11 - 10 * k:.1f}" cy="{y - 13:.1f}" r="5" fill="{GEAR[letter]}" '
            'stroke="#ffffff" stroke-width="1.5"/>'
        )
    shape = f"<g>{''.join(parts)}</g>"
    return of_piece(token.key, shape, f"{token.title}.") if token.key else shape


def cover(token: Token, turn: float | None) -> Box:
    """What a piece covers around its middle, its badges and its mark of facing included."""
    left, up, right, down = COVERS[token.shape]
    if token.badge:
        up, right = max(up, 19.0), max(right, 17.0)
    if token.side != NONE:
        right, down = max(right, 17.0), max(down, 18.0)
    if turn is not None:
        x, y = FACING * math.cos(turn), FACING * math.sin(turn)
        left, right = max(left, -x), max(right, x)
        up, down = max(up, -y), max(down, y)
    return Box(-left, -up, right, down)


def facing(token: Token, at: int) -> float | None:
    """The direction from which a piece has come to its space, as an angle."""
    if token.came == NONE or at >= STREETS:
        return None
    (ax, ay), (bx, by) = XY[at], XY[token.came]
    return math.atan2(by - ay, bx - ax)


def pieces(state: State, viewer: int | None) -> list[str]:
    """All pieces that a viewer sees, on or beside their places, and lines to those beside."""
    here = dict(sorted(tokens(state, viewer).items()))
    turns = {node: [facing(token, node) for token in there] for node, there in here.items()}
    spots = stand(
        {
            node: [cover(*one) for one in zip(there, turns[node], strict=True)]
            for node, there in here.items()
        }
    )
    lines, parts = [], []
    for node, there in here.items():
        for token, turn, (x, y) in zip(there, turns[node], spots[node], strict=True):
            near = from_home(node, x, y)
            if math.dist(near, (x, y)) > RADIUS:
                lines.append(line(near, (x, y), f'stroke="{INK}" stroke-width="3"'))
            parts.append(draw(token, x, y, turn))
    return [*lines, *parts]


def small_piece(state: State, gang: int, piece: int, x: float, y: float) -> str:
    """A piece for a gang's track, on whichever side it lies."""
    return draw(gang_token(state, gang, piece), x, y)


def legend(x: float, y: float) -> list[str]:
    """What the shapes stand for, in one row."""
    red, light = SIDE_COLOURS[0], SIDE_LIGHTS[0]
    rows = (
        (Token("disc", "R", red, "#ffffff", "#ffffff", ""), "Racketeers"),
        (Token("square", "T", red, "#ffffff", "#ffffff", ""), "Thugs"),
        (Token("heart", "V", red, "#ffffff", "#ffffff", ""), "Vamp"),
        (Token("disc", "R", "#17130d", light, light, ""), "criminal side"),
        (Token("badge", "C", GOLD, INK, NAVY, ""), "Commissioner"),
        (Token("shield", "4", NAVY, "#ffffff", "#ffffff", ""), "officer"),
        (Token("person", "2", "#ffffff", INK, "#6d6249", ""), "Public"),
        (Token("person", "2", "#bfe3ff", INK, SIDE_COLOURS[POLICE], "", NONE, "i"), "Informant"),
    )
    parts = []
    for token, words in rows:
        parts.append(draw(token, x, y))
        parts.append(text(x + 22, y + 6, words, TEXT, INK))
        x += 46 + 9.2 * max(len(words), 8)  # "Thugs" is longer in other languages.
    return parts
