"""The cards: as they lie on the table, the plates of the large ones, portraits and signs."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ...core.presentation.svg import document, rect, sentence, text
from ..data import CARDS_DATA, RACKET_DISTRICT
from ..words.cards import ability_mark, short_name, short_racket

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


SKINS: Final = ("#f1c9a5", "#d9a273", "#a8704a", "#7a4a30")
HAIRS: Final = {
    "black": "#1f1a1a", "brown": "#5a3a22", "grey": "#a9a49b", "white": "#e9e4da",
    "red": "#a4471f", "fair": "#d3a648",
}  # fmt: skip
SUITS: Final = {
    "navy": "#26345c", "plum": "#5b2748", "green": "#24513c", "brown": "#5c3d24",
    "grey": "#4d525c", "black": "#211f24", "wine": "#7a2026", "blue": "#2b5a8c",
    "tan": "#a88755",
}  # fmt: skip
GROUNDS: Final = ("#e3cfa0", "#c9d3c0", "#d8bfae", "#bccad6")

# Sex, skin, hair, hat or hair style, suit, and whatever else there is to see.
TRAITS: Final = (
    "f 0 grey bun plum glasses pearls",
    "m 1 white slick black moustache tie",
    "f 0 black waves wine earring lips",
    "m 0 white bald navy glasses bow",
    "m 0 grey police navy moustache",
    "m 2 black flat brown scar",
    "f 0 grey short grey scar lips",
    "m 0 white helmet green moustache monocle",
    "m 1 brown bowler grey bow",
    "f 1 red waves green lips earring",
    "m 0 brown visor tan glasses",
    "f 0 fair hatted plum lips pearls",
    "m 1 brown flat green stubble",
    "m 0 fair beanie blue stubble",
    "m 2 black slick grey tie glasses",
    "m 0 black bald brown scar stubble",
    "m 1 black fedora black moustache tie",
    "m 2 black turban wine beard",
    "m 0 brown bowler navy tie glasses",
    "m 0 red bald tan beard",
    "f 0 fair hatted blue lips",
    "m 1 brown flat blue stubble",
    "m 0 grey bald grey glasses stethoscope",
    "m 1 black fedora wine tie",
    "m 2 black beanie black",
    "m 3 black fedora black mask",
    "m 0 fair flat tan",
    "m 1 black slick green bow moustache",
    "m 0 brown slick blue tie",
    "m 0 red flat black scar",
    "m 2 grey fedora grey glasses",
    "m 0 brown flat brown stubble",
    "f 0 brown bun green scar",
    "m 1 brown fedora tan",
    "m 0 grey beanie grey glasses",
    "m 0 red slick wine",
)


def _paint(shape: str, fill: str, more: str = "") -> str:
    return f'<path d="{shape}" fill="{fill}"{more}/>'


def _back(style: str, hair: str) -> str:
    """Hair behind the head."""
    if style in ("waves", "hatted"):
        return _paint("M18 40Q14 24 21 16Q30 9 39 16Q46 24 42 40Q36 36 36 26H24Q24 36 18 40Z", hair)
    return f'<circle cx="30" cy="9.5" r="5" fill="{hair}"/>' if style == "bun" else ""


def _top(style: str, hair: str, suit: str) -> str:
    """Hat, or hair above the brow."""
    fringe = _paint("M20 23Q19 12 30 12Q41 12 40 23Q38 17 33 16.5Q26 16 22 18Q20.5 20 20 23Z", hair)
    if style in ("waves", "bun", "short", "slick"):
        return fringe
    brim = '<ellipse cx="30" cy="17" rx="{}" ry="2.8" fill="{}"/>'
    hats = {
        "fedora": brim.format(17, suit)
        + _paint("M19.5 16Q20 6 26 7Q30 9.5 34 7Q40 6 40.5 16Z", suit)
        + _paint("M19.6 13H40.4V16H19.6Z", "#0008"),
        "bowler": brim.format(15, suit) + _paint("M20 16.5Q20 5 30 5Q40 5 40 16.5Z", suit),
        "hatted": brim.format(15, suit) + _paint("M19 17Q18 7 30 7Q42 7 41 17Z", suit)
        + '<circle cx="39" cy="14" r="3" fill="#d8b04a"/>',
        "flat": _paint("M18 17Q18 9 30 9.5Q42 9 44 17.5Q36 14.5 18 17Z", suit),
        "beanie": _paint("M20 19Q19 7 30 7Q41 7 40 19Q30 15.5 20 19Z", suit),
        "turban": _paint("M19 19Q17 7 30 6Q43 7 41 19Q30 11 19 19Z", "#d8b04a")
        + '<circle cx="30" cy="12" r="2.5" fill="#b3261e"/>',
        "police": _paint("M18 14Q18 7 30 7Q42 7 42 14L40 18H20Z", "#1b2748")
        + _paint("M19 18Q30 15 41 18L40 20.5Q30 17.5 20 20.5Z", "#0d1224")
        + '<circle cx="30" cy="12" r="2.6" fill="#e8c15a"/>',
        "helmet": _paint("M16 19Q17 6 30 6Q43 6 44 19Q30 14.5 16 19Z", "#cdbb8a"),
        "visor": fringe + _paint("M18 18Q30 12 42 18L44 21Q30 16 16 21Z", "#2f8f5b"),
    }  # fmt: skip
    return hats.get(style, "")


def _face(extras: list[str], hair: str, skin: str) -> str:
    parts = [
        '<circle cx="26" cy="24" r="1.3" fill="#2b1d17"/>'
        '<circle cx="34" cy="24" r="1.3" fill="#2b1d17"/>',
        _paint("M30 25L28.8 28.5H31Z", "#0003"),
    ]
    lips = "lips" in extras
    mouth = "#b3262e" if lips else "#5c2f25"
    parts.append(
        f'<path d="M26.5 31.5Q30 {33.5 if lips else 32.2} 33.5 31.5" fill="none" '
        f'stroke="{mouth}" stroke-width="{2 if lips else 1.3}" stroke-linecap="round"/>'
    )
    line = ' fill="none" stroke="#2b1d17" stroke-width="1.1"'
    drawn = {
        "moustache": _paint(
            "M30 29Q25 27.5 23.5 31.5Q28 31 30 30.2Q32 31 36.5 31.5Q35 27.5 30 29Z",
            hair,
        ),
        "beard": _paint(
            "M21 26Q22 38 30 38Q38 38 39 26Q37 31 33 30Q30 29.5 27 30Q23 31 21 26Z",
            hair,
        ),
        "stubble": _paint(
            "M21.5 28Q23 36 30 36Q37 36 38.5 28Q36 32 30 33Q24 32 21.5 28Z",
            "#0000002e",
        ),
        "glasses": f'<g{line}><circle cx="26" cy="24" r="3.3"/><circle cx="34" cy="24" r="3.3"/>'
        '<path d="M29.3 24H30.7"/></g>',
        "monocle": f'<g{line}><circle cx="34" cy="24" r="3.6"/><path d="M37 26L40 38"/></g>',
        "scar": '<path d="M35.5 26.5L38 32" stroke="#9c3b30" stroke-width="1.2"/>',
        "mask": _paint("M20.5 21.5H39.5V27Q34 28 30 25.5Q26 28 20.5 27Z", "#15131a")
        + '<g fill="#fff"><circle cx="26" cy="24" r="1.2"/><circle cx="34" cy="24" r="1.2"/></g>',
        "earring": '<circle cx="20" cy="29" r="1.6" fill="#e8c15a"/>',
    }  # fmt: skip
    return "".join(parts + [drawn[name] for name in extras if name in drawn])


def _neckwear(extras: list[str], suit: str) -> str:
    """Shirt, lapels and what is worn at the neck."""
    shirt = _paint("M25 37L30 47L35 37Z", "#f4efe4")
    drawn = {
        "tie": _paint("M28.6 39.5H31.4L32.5 52L30 55L27.5 52Z", "#b3262e"),
        "bow": _paint("M30 40.5L25 38V43.5ZL35 38V43.5Z", "#b3262e"),
        "pearls": "".join(
            f'<circle cx="{x}" cy="{y}" r="1.5" fill="#fbf6ea"/>'
            for x, y in ((24, 38), (26, 40.5), (28.7, 42), (31.3, 42), (34, 40.5), (36, 38))
        ),
        "stethoscope": '<path d="M24 38Q23 50 30 50Q37 50 36 38" fill="none" '
        'stroke="#202127" stroke-width="1.8"/>',
    }
    return shirt + "".join(drawn[name] for name in extras if name in drawn)


@cache
def portrait(crook: int) -> str:
    """A Crook's medallion, by his number."""
    sex, skin, hair, style, suit, *extras = TRAITS[crook].split()
    face, hairs, cloth = SKINS[int(skin)], HAIRS[hair], SUITS[suit]
    parts = [
        f'<circle cx="30" cy="30" r="28" fill="{GROUNDS[crook % len(GROUNDS)]}"/>',
        _back(style, hairs),
        _paint("M8 47Q12 38.5 24 36.5H36Q48 38.5 52 47A28 28 0 0 1 8 47Z", cloth),
        _paint("M26 31H34V38L30 41L26 38Z", face),
        _neckwear(extras, cloth),
        f'<ellipse cx="30" cy="24.5" rx="{9 if sex == "f" else 9.8}" ry="11" fill="{face}"/>',
        _face(extras, hairs, face),
        _top(style, hairs, cloth),
        '<circle cx="30" cy="30" r="28" fill="none" stroke="#6d5212" stroke-width="2"/>',
    ]
    return "".join(parts).replace('00"', '"').replace(".5", ".5")


SIGNS: Final = {
    # Two dice, a slip with numbers, a cocktail, a boxing glove, a bag of money, a spanner, a crate,
    # crossed bats, a badge; a skyline for what is one of its kind.
    "CAS": "M3 9h10v10H3zM12 3l9 3-3 9-4-1.3V8h-4zM6 12h1.6v1.6H6zM9 15h1.6v1.6H9z",
    "NUM": "M5 2h14v20l-3.5-2.5L12 22l-3.5-2.5L5 22zM8 6v2h8V6zM8 10.5v2h8v-2zM8 15v2h5v-2z",
    "NCL": "M3 3h18l-7.8 9V19H17v2.5H7V19h3.8v-7zM7 5.5l2 2.3h6l2-2.3z",
    "FCL": "M6 3h9q5 0 5 6 0 4-3 6v3H7v-3q-4-2-4-6 0-6 3-6zM7 19.5h10V22H7zM9 7v5h2V7z",
    "LSH": "M9 2h6l-1.5 4Q20 10 20 16q0 6-8 6t-8-6q0-6 6.5-10zM11 9v1.5q-2.5.5-2.5 2.3 0 2 3.5 2.5 "
    "1.5.2 1.5 1 0 .9-1.5.9-1.7 0-3-.9l-.6 1.7q1 .8 2.6 1V21h1.8v-1.5q2.7-.4 2.7-2.6 0-2-3.4-2.5"
    "-1.6-.2-1.6-.9 0-.7 1.3-.7 1.4 0 2.5.6l.6-1.6q-.9-.5-2.1-.7V9z",
    "CHP": "M15 2a6 6 0 0 0-5.6 8L2 17.5 6.5 22l7.4-7.4A6 6 0 0 0 22 9l-3.6 1.6-3-3L17 4z",
    "SMG": "M2 6l10-4 10 4v12l-10 4-10-4zM4 8.5v8l7 2.8v-8zM20 8.5l-7 2.8v8l7-2.8z",
    "GNG": "M4 2l3 0 6 8 4-5 3 1-5 7 7 8-2.5 1.5-6-7-7 7L3 19l8-7.5z",
    "COP": "M12 1l3 4 5-.6-.6 5L23 12l-3.6 2.6.6 5-5-.6-3 4-3-4-5 .6.6-5L1 12l3.6-2.6-.6-5L9 5z",
    "UNI": "M2 22V10l6-3v4l5-9 5 9v-2l4 3v10zM6 14h2v3H6zM12 12h2v3h-2zM17 15h2v3h-2z",
}  # fmt: skip
"""A path in a box of 24 by 24 for every kind of Racket."""


def sign(kind: str, x: float, y: float, size: float, fill: str) -> str:
    """The sign of a kind of Racket."""
    return (
        f'<path transform="translate({x:g} {y:g}) scale({size / 24:.3g})" d="{SIGNS[kind]}" '
        f'fill="{fill}" fill-rule="evenodd"/>'
    )
