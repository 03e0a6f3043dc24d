"""Pieces of the picture: cubes, bosses, tiles' silhouettes, chips, and the panels of the seats."""

from __future__ import annotations

from typing import Final

from ...core.presentation.svg import clickable, element, piece, rect, seat_mark, text
from ...core.state import State
from ..data import CM, MARKER_COLOUR, MARKER_KIND, MB, MJ, MT, SE, TABLES, V1, V2, V3, VB
from ..rules.scoring import leader_of_tammany, score
from ..state import BOSSES, NUM_COLOURS, OVER
from ..words.narration import GANGS

INK: Final = "#2a211b"
PAPER: Final = "#efe4cd"
GOLD: Final = "#ffd35a"
MUTED: Final = "#b7a98f"

SEAT_COLOURS: Final = ("#f6f1e6", "#26262c", "#f4d03f", "#a566d6", "#35c4d6")
SEAT_EDGES: Final = ("#8d8475", "#d8d2c6", "#8a6d08", "#4d2272", "#0d5b66")
LEAST_MARKED: Final = 9
"""Size of the smallest cube that bears a mark."""
TILE_COLOURS: Final = ("#4a6f9e", "#5b8a55", "#a84b42", "#d08a3c")
TILE_DARKS: Final = ("#33507a", "#41683d", "#7f332c", "#a1651f")

SILHOUETTES: Final = (
    # Warehouse: gabled house with a door and beams.
    "M14 84V48L50 26L86 48V84H62V60H38V84Z M44 40h12v8h-12Z",
    # Market: awning over a stall.
    "M14 46L22 28H78L86 46V52H80V84H74V66H26V84H20V52H14Z M30 52V60H70V52Z",
    # Factory: saw-tooth roof and chimney.
    "M14 84V50L32 38V50L50 38V50L66 39V20H78V84Z M24 60h10v9h-10Z M44 60h10v9h-10Z",
    # Pub: tankard with handle and froth.
    "M28 40Q24 30 34 29Q40 20 50 26Q62 20 65 31Q72 33 68 40H66V46H76Q82 46 82 53V65Q82 72 75 72H66"
    "V84H30V40Z M66 53V65H73Q75 65 75 62V56Q75 53 73 53Z",
)
"""Path of each colour's kind in a 100 x 100 box."""


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    radius: float = 6,
    stroke: str | None = None,
    line: float = 1,
    **more: object,
) -> str:
    """A rounded rectangle with an edge."""
    edge = line if stroke else None
    return rect(x, y, width, height, fill, radius, stroke=stroke, stroke_width=edge, **more)


def cube(x: float, y: float, seat: int, size: float = 9, marked: bool = False) -> str:
    """A rabble cube, seen a little from above, with the mark of its gang if there is room."""
    lid = size * 0.28
    edge, line = (GOLD, 1.6) if marked else (SEAT_EDGES[seat], 0.9)
    middle = x + size / 2, y + (size + lid) / 2
    mark = seat_mark(seat, *middle, size * 0.24, SEAT_EDGES[seat]) if size >= LEAST_MARKED else ""
    return (
        f'<rect x="{x:g}" y="{y + lid:g}" width="{size:g}" height="{size - lid:g}" '
        f'fill="{SEAT_COLOURS[seat]}" stroke="{edge}" stroke-width="{line:g}"/>'
        f'<path d="M{x:g} {y + lid:g}l{lid:g} {-lid:g}h{size - 2 * lid:g}l{lid:g} {lid:g}z" '
        f'fill="{SEAT_COLOURS[seat]}" fill-opacity="0.75" stroke="{edge}" stroke-width="{line:g}"/>'
        f"{mark}"
    )


def boss(x: float, y: float, seat: int, height: float = 18, empty: bool = False) -> str:
    """A boss with a top hat and his gang's mark, standing on ``y``; ``empty`` is an outline."""
    k = height / 20
    fill = "none" if empty else SEAT_COLOURS[seat]
    edge = SEAT_EDGES[seat] if not empty else MUTED
    return (
        f'<g transform="translate({x:g} {y:g}) scale({k:g})" fill="{fill}" stroke="{edge}" '
        f'stroke-width="1.2" stroke-linejoin="round"'
        + (' stroke-opacity="0.55" stroke-dasharray="2 1.5"' if empty else "")
        + "><path d='M-6 0Q-6.5 -8 -2.6 -9.4A3.4 3.4 0 1 1 2.6 -9.4Q6.5 -8 6 0Z'/>"
        "<path d='M-5.4 -13.6H5.4V-14.9H3.4V-20H-3.4V-14.9H-5.4Z'/>"
        + ("" if empty else seat_mark(seat, 0, -3.6, 2.6, edge, stroke="none"))
        + "</g>"
    ).replace("'", '"')


def chip(
    number: int, title: str, x: float, y: float, words: str, width: float, height: float
) -> str:
    """A small button for a legal action."""
    return clickable(
        number,
        title,
        box(x, y, width, height, "#3d3226", 5, GOLD, 1)
        + text(x + width / 2, y + height / 2 + 5, words, 15.4, GOLD, "middle", font_weight="bold"),
    )


def star(x: float, y: float, radius: float, fill: str, words: str = "") -> str:
    """A five-pointed star: a special election."""
    spokes = (
        (0, -1), (0.235, -0.324), (0.951, -0.309), (0.38, 0.124), (0.588, 0.809),
        (0, 0.4), (-0.588, 0.809), (-0.38, 0.124), (-0.951, -0.309), (-0.235, -0.324),
    )  # fmt: skip
    points = " ".join(f"{x + radius * a:.1f},{y + radius * b:.1f}" for a, b in spokes)
    return f'<polygon points="{points}" fill="{fill}" stroke="{INK}" stroke-width="1"/>' + (
        text(x, y + radius * 0.3, words, radius * 0.8, INK, "middle", font_weight="bold")
        if words
        else ""
    )


def token(marker: int, x: float, y: float) -> str:
    """The face of a manipulation marker, by its code."""
    kind, colour = int(MARKER_KIND[marker]), int(MARKER_COLOUR[marker])
    fill = TILE_COLOURS[colour] if colour >= 0 else "#cdbb94"
    ink = "#fff" if colour >= 0 else INK
    face = box(x, y, 78, 78, fill, 10, "#000", 1.5)
    face += box(x + 4, y + 4, 70, 70, "none", 8, ink, 1, stroke_opacity=0.5)
    mx, my = x + 39, y + 39
    if kind == SE:
        return face + star(mx, my + 2, 26, GOLD)
    if kind in (MT, MB):
        picture = box(mx - 20, my - 14, 24, 24, "#8a7a58", 3, INK, 1.5)
        if kind == MB:
            house = f"M{mx - 22} {my + 14}v-18l13 -12l13 12v18z"
            picture = f'<path d="{house}" fill="#8a7a58" stroke="{INK}"/>'
        arrow = f"M{mx + 8} {my + 8}h14m-6 -6l6 6l-6 6"
        return face + picture + f'<path d="{arrow}" stroke="{INK}" stroke-width="3" fill="none"/>'
    if kind == CM:
        dots = ((-10, -10), (10, -10), (-10, 10), (10, 10))
        return face + "".join(
            f'<circle cx="{mx + dx}" cy="{my + dy}" r="9" fill="{TILE_COLOURS[c]}" stroke="{INK}"/>'
            for c, (dx, dy) in enumerate(dots)
        )
    if kind == VB:
        plus = text(mx - 12, my + 10, "+1", 26, ink, "middle", font_weight="bold")
        return face + plus + boss(mx + 22, my + 12, 0, 30)
    big, small = {V1: ("+1", "votes"), V2: ("+2", "votes"), V3: ("+3", "votes")}.get(
        kind, ("4", "VP: most") if kind == MJ else ("1", "VP a tile")
    )
    face += text(mx, my + 8, big, 34, ink, "middle", font_weight="bold")
    return face + text(mx, my + 26, small, 15.4, ink, "middle")


# --- seats ----------------------------------------------------------------------------------------


def seat_panel(state: State, seat: int, across: float, y: float) -> str:
    """Headquarters, boroughs, bosses, markers and votes of a seat.

    Args:
        state: The position.
        seat: The seat.
        across: Width of the picture.
        y: Top of the panel.
    """
    gap = 10
    width = (across - 40 - gap * (int(state.num_seats) - 1)) / int(state.num_seats)
    x = 20 + (width + gap) * seat
    acting = seat == state.seat
    won = state.phase == OVER and state.places[seat] == 1
    points = str(score(state, seat, leader_of_tammany(state)))
    parts = [
        box(x, y, width, 126, "#2a211a", 8, GOLD if acting or won else "#6b573f", 1.2 + acting),
        box(x, y, 10, 126, SEAT_COLOURS[seat], 4, SEAT_EDGES[seat], 0.8),
        seat_mark(seat, x + 5, y + 14, 4, SEAT_EDGES[seat]),
        text(x + 20, y + 22, GANGS[seat], 15.6, PAPER, font_weight="bold", data_seat_name=seat,
             data_room=width - 72),
        piece("score", text(x + width - 10, y + 25, points, 21, GOLD, "end", font_weight="bold")),
    ]  # fmt: skip
    if seat == state.start:
        parts.append(
            text(x + width - 10, y + 64, "starts", 15.4, MUTED, "end", font_style="italic")
        )
    count = int(state.boss_count[seat])
    bosses = (boss(x + 28 + 17 * k, y + 52, seat, 22, empty=k >= count) for k in range(BOSSES))
    parts.append(piece("boss", "".join(bosses), f"{count} of {BOSSES} on the board."))
    parts.append(_hand(state, seat, x + 20, y + 60))
    parts.append(_treasure(state, seat, x + 20, y + 100, width - 30))
    turn = int(state.pass_place[seat])
    if turn:
        place = ("first", "second", "third", "fourth", "fifth")[turn - 1]
        passed = text(x + width - 10, y + 47, f"passed {place}", 15.4, MUTED, "end")
        parts.append(piece("passed", passed))
    return element("g", "".join(parts), data_region=f"seat-{seat}", data_name=GANGS[seat])


def _hand(state: State, seat: int, x: float, y: float) -> str:
    """Cubes in the HQ and the boroughs."""
    parts = []
    for k, (label, count) in enumerate(
        (("HQ", int(state.hq[seat])), ("boroughs", int(state.boroughs[seat])))
    ):
        top = y + 18 * k
        words = text(x, top + 11, f"{label} {count}", 15.4, PAPER if k == 0 else MUTED)
        cubes = (cube(x + 112 + min(7.6, 130 / count) * i, top + 3, seat, 7) for i in range(count))
        parts.append(piece(("hq", "boroughs")[k], words + "".join(cubes)))
    return "".join(parts)


def _treasure(state: State, seat: int, x: float, y: float, width: float) -> str:
    """Control markers, victory points, votes of the round."""
    parts = []
    for colour in range(NUM_COLOURS):
        cx = x + 9 + 26 * colour
        count = int(state.control[seat, colour])
        disc = (
            f'<ellipse cx="{cx:g}" cy="{y + 8}" rx="12" ry="10" fill="{TILE_COLOURS[colour]}" '
            'stroke="#000"/>'
        )
        disc += text(cx, y + 12.5, str(count), 15.4, "#fff", "middle", font_weight="bold")
        now = f"{count} {TABLES.colour_names[colour]}."
        parts.append(piece("control", disc, now))
    points = text(x + 112, y + 13, f"{int(state.vp[seat])} VP", 15.4, GOLD, font_weight="bold")
    parts.append(piece("vp", points))
    extra = [f"+{int(state.flat_votes[seat])}"] if state.flat_votes[seat] else []
    extra += [
        f"+{3 * int(state.colour_votes[seat, c])} {TABLES.colour_names[c]}"
        for c in range(NUM_COLOURS)
        if state.colour_votes[seat, c]
    ]
    if state.boss_votes[seat]:
        extra.append(f"+{int(state.boss_votes[seat] * state.boss_count[seat])} bosses")
    if extra:
        words = ", ".join(extra)
        size = min(13.0, (width - 152) / (0.6 * len(words)))
        votes = text(x + width, y + 13, words, size, "#9fe0a0", "end", font_weight="bold")
        parts.append(piece("votes", votes, f"Votes: {words}."))
    return "".join(parts)
