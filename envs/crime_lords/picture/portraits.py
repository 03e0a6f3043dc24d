"""Portraits of the Crooks, and signs of the kinds of Rackets, as shapes in a box of 60 by 60."""

from __future__ import annotations

from functools import cache
from typing import Final

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
