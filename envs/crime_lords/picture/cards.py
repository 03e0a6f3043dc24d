"""The cards: as they lie on the table, and the plates of the large ones."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ...core.presentation.svg import document, rect, sentence, text
from ..data import CARDS_DATA, RACKET_DISTRICT
from ..words.cards import ability_mark, short_name, short_racket
from .portraits import portrait, sign

INK: Final = "#2d2620"
GOLD: Final = "#e8b84a"
RED: Final = "#d4483b"
DISTRICT_COLOURS: Final = ("#3469bd", "#a9810f", "#bb3f39", "#2f7d45", "#7c49a8")
DISTRICT_LETTERS: Final = "NSEWC"
MOB_COLOURS: Final = (
    "#7d4436", "#43607a", "#3d5fa8", "#7d6724", "#8f3f44", "#37704f", "#6b5a86", "#4d5663",
)  # fmt: skip
WIDTH: Final = 128.0
HEIGHT: Final = 82.0
"""Size of a Crook's card before it is scaled."""
CHIP_WIDTH: Final = 129.0
CHIP_HEIGHT: Final = 25.0


def crook(number: int) -> dict[str, Any]:
    """A Crook's card."""
    card: dict[str, Any] = CARDS_DATA["crooks"][number]
    return card


LEAST: Final = 12.5
"""Size of the smallest print on a card: on a phone it grows to 11 pixels, and no more."""
BOLD, PLAIN = 0.66, 0.58
"""Width of a letter as a share of the size of type."""


def fit(words: str, size: float, room: float, letter: float = BOLD) -> float:
    """The largest size of type, at most ``size``, at which words fit into a room."""
    return min(size, room / (letter * max(len(words), 1)))


def label(
    x: float,
    y: float,
    words: str,
    size: float,
    room: float,
    fill: str,
    anchor: str = "start",
    weight: str | None = None,
) -> str:
    """Words at their size, or smaller and at last narrower if there is less room.

    Args:
        x: Where they are anchored.
        y: Their base line.
        words: The text.
        size: Size of type at most.
        room: How wide they may be.
        fill: Their colour.
        anchor: ``start``, ``middle`` or ``end``.
        weight: Weight of the letters.
    """
    found = fit(words, size, room, BOLD if weight else PLAIN)
    narrow = {"textLength": room, "lengthAdjust": "spacingAndGlyphs"} if found < LEAST else {}
    return text(x, y, words, max(found, LEAST), fill, anchor, font_weight=weight, **narrow)


@cache
def crook_face(number: int, brief: bool = False) -> str:
    """What never changes of a Crook's card: portrait, name, ability, weakness.

    Args:
        number: The Crook.
        brief: For a card that is drawn small: the ability is left to the large card.
    """
    card = crook(number)
    name = short_name(str(card["name"]))
    marks = [ability_mark(ability) for ability in card["abilities"]][:2]
    parts = [f'<g transform="translate(3 3) scale(.87)">{portrait(number)}</g>']
    size = 18 if brief else 14
    parts.append(label(WIDTH / 2, HEIGHT - 7, name, size, WIDTH - 6, INK, "middle", "bold"))
    if brief:
        marks = []
    lines = _lines(marks)
    elements = [
        label(59, 38 + 13 * k, words, LEAST, 65, "#5b2b12") for k, words in enumerate(lines)
    ]
    parts += [sentence(marks[0], elements)] if len(lines) > len(marks) else elements
    for k, kind in enumerate(card["weakness"]):
        parts.append(sign(kind, 60 + 17 * k, 8, 15, "#8a6a3a"))
    return "".join(parts)


def _lines(marks: list[str]) -> list[str]:
    """Words of abilities in two short lines."""
    if len(marks) != 1 or len(marks[0]) <= 11:
        return marks
    words = marks[0].split()
    cuts = range(1, len(words))
    best = min(
        cuts, key=lambda k: max(len(" ".join(words[:k])), len(" ".join(words[k:]))), default=0
    )
    return [" ".join(words[:best]), " ".join(words[best:])] if best else marks


def racket_chip(number: int, income: str, edge: str, token: bool | None) -> str:
    """A Racket as it lies on the table: district, sign, name, Resistance, income.

    Args:
        number: The Racket.
        income: What it brings now; a cross if it is blocked.
        edge: Colour of its edge.
        token: Whether its token is there; ``None`` if it has no space for one.
    """
    card = CARDS_DATA["rackets"][number]
    district = int(RACKET_DISTRICT[number])
    name = short_racket(card)
    width, height = CHIP_WIDTH, CHIP_HEIGHT
    parts = [
        rect(0, 0, width, height, DISTRICT_COLOURS[district], 5, stroke=edge,
             stroke_width=2.5 if edge != "none" else None),
        rect(0, 0, 16, height, "#0005", 5),
        text(8, 17, DISTRICT_LETTERS[district], 12.5, "#fff", "middle", font_weight="bold"),
        sign(card["type"], 19, 5.5, 14, "#fff"),
        label(36, 17, name, LEAST, CHIP_WIDTH - 58, "#fff"),
        rect(width - 20, 3, 17, height - 6, "#0004", 4),
        text(width - 11.5, 17.5, income, 13, "#fff", "middle", font_weight="bold"),
    ]  # fmt: skip
    if token is not None:
        look = f'fill="{GOLD}" stroke="#6d5212"' if token else 'fill="#0003" stroke="#fff8"'
        parts.append(f'<circle cx="{width - 3:g}" cy="3" r="4.5" {look}/>')
    return "".join(parts)


def special_chip(name: str, x: float, y: float, shown: bool) -> tuple[str, float]:
    """A Special in a hand, and how wide it is drawn."""
    width = 14 + 6.6 * len(name)
    edge = {} if shown else {"stroke_dasharray": "3 2"}
    body = rect(x, y, width, 20, "#efe3c8", 4, stroke="#8a6312", stroke_width=1.5, **edge)
    return body + text(x + width / 2, y + 14.5, name, 11.5, INK, "middle"), width


def card_back(x: float, y: float) -> str:
    """A Special that the viewer does not see."""
    return rect(x, y, 15, 20, "#6a2a2a", 3, stroke="#efe3c8", stroke_width=1) + rect(
        x + 3, y + 3, 9, 14, "none", 2, stroke="#efe3c8", stroke_width=0.8
    )


# --- plates ---------------------------------------------------------------------------------------


def crook_plate(number: int) -> str:
    """A large portrait with the Crook's Power."""
    card = crook(number)
    ground = rect(0, 0, 240, 150, "#efe3c8", 10) + rect(
        4, 4, 232, 142, "none", 8, stroke="#8a6312", stroke_width=1.5
    )
    face = f'<g transform="translate(50 8) scale(2.25)">{portrait(number)}</g>'
    badge = '<circle cx="28" cy="30" r="20" fill="#7a1f1a" stroke="#e8b84a" stroke-width="2"/>'
    badge += text(28, 39, str(card["power"]), 26, "#fff", "middle", font_weight="bold")
    badge += text(31, 67, "Power", 15, INK, "middle")
    return document(240, 150, ground + face + badge)


def racket_plate(number: int) -> str:
    """A Racket's sign in the colour of its district."""
    card = CARDS_DATA["rackets"][number]
    district = int(RACKET_DISTRICT[number])
    names = [str(d["name"]) for d in CARDS_DATA["districts"]]
    parts = [
        rect(0, 0, 240, 120, DISTRICT_COLOURS[district], 10),
        rect(4, 4, 232, 112, "none", 8, stroke="#fff", stroke_width=1.2, stroke_opacity=0.6),
        sign(card["type"], 84, 16, 72, "#fff"),
        text(120, 107, names[district], 16, "#fff", "middle"),
        '<circle cx="28" cy="28" r="19" fill="#0006" stroke="#fff"/>',
        text(28, 34, f"{card['income']} G", 15, "#fff", "middle", font_weight="bold"),
    ]
    return document(240, 120, "".join(parts))


def special_plate(number: int) -> str:
    """A Special's card."""
    name = str(CARDS_DATA["specials"][number]["name"])
    parts = [
        rect(0, 0, 240, 90, "#efe3c8", 10),
        rect(5, 5, 230, 80, "none", 8, stroke="#8a6312", stroke_width=1.5, stroke_dasharray="5 3"),
        text(120, 53, name, 24, "#7a1f1a", "middle", font_weight="bold"),
    ]
    return document(240, 90, "".join(parts))


def mob_plate(number: int) -> str:
    """A Mob's card."""
    card = CARDS_DATA["mobs"][number]
    name = str(card["name"])
    parts = [
        rect(0, 0, 240, 90, MOB_COLOURS[number], 10),
        rect(5, 5, 230, 80, "none", 8, stroke=GOLD, stroke_width=1.5),
        text(120, 42, name, fit(name, 22, 220), "#fff", "middle", font_weight="bold"),
        text(120, 68, f"Boss +{card['boss_bonus']}", 15, GOLD, "middle"),
    ]
    return document(240, 90, "".join(parts))
