"""The seats: headquarters, boroughs, bosses, markers and votes."""

from __future__ import annotations

from ...core.presentation.svg import element, piece, seat_mark, text
from ...core.state import State
from ..data import TABLES
from ..rules.scoring import leader_of_tammany, score
from ..state import BOSSES, NUM_COLOURS, OVER
from ..words.names import GANGS
from .pieces import GOLD, MUTED, PAPER, SEAT_COLOURS, SEAT_EDGES, TILE_COLOURS, boss, box, cube


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
