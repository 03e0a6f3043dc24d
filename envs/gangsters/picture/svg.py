"""The table as an SVG picture: the map, who stands where, the gangs' tracks, what may be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...core.state import State
from ...core.svg import Marks, element, piece, rect, text
from ..actions import END
from ..data.tables import (
    ALLOWANCE,
    BOARD,
    BUILDING_NAMES,
    CASH_TO_WIN,
    CRIME_LEVEL_MAX,
    HQ_TO_WIN,
    JOINTS,
    JOINTS_TO_WIN,
    OFFICER_IDS,
    PRICE,
    SIDES,
)
from ..rules.common import crime_level, joints_of
from ..state import ALLOC, NONE, PICK, POLICE, UNITS
from ..words.narration import SPACE_NAMES, describe, prompt, unit_name
from . import map as city
from .map import FADED, INK, PAPER, SIDE_COLOURS, SIDE_INKS
from .tokens import legend, pieces, sees_pieces, small_piece

WIDTH, HEIGHT = 1600, city.HEIGHT
X, PANEL = 1176, 408
SEATS_TOP, SEAT_HEIGHT, GAP = 196, 112, 6
DICE: Final = (
    ("#2f8f4e", "#ffffff", "R"), ("#c0392b", "#ffffff", "T"), ("#edc531", INK, "V"),
    ("#ffffff", INK, "Pub."), ("#2c5aa0", "#ffffff", "Cop"),
)  # fmt: skip


def svg(state: State, viewer: int | None, legal: Sequence[int] = (), last: str = "") -> str:
    """The table as ``viewer`` sees it; see ``Game.svg``.

    Actions of ``legal`` are marked for the deciding seat and at the open table only: nobody else
    has a choice. Nodes are marked on the map, everything else is a button.
    """
    deciding = not state.over and viewer in (None, int(state.seat))
    marks = Marks(
        frozenset(int(action) for action in legal) if deciding else frozenset(),
        lambda action: describe(state, action),
    )
    fighting = not state.over and state.fight >= 0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="DejaVu Sans, sans-serif">',
        rect(0, 0, WIDTH, HEIGHT, PAPER),
        element(
            "g",
            "".join(
                [
                    city.SCENERY,
                    city.burst(int(state.fight)) if fighting else "",
                    *city.buildings(state),
                    *pieces(state, viewer),
                    *city.destinations(marks),
                ]
            ),
            data_region="map",
            data_name="The map",
        ),
        *legend(30, HEIGHT - 22),
        *_header(state, last),
    ]
    y = float(SEATS_TOP)
    for seat in range(state.num_seats):
        parts += _seat(state, seat, viewer, y)
        y += SEAT_HEIGHT + GAP
    if fighting:
        parts += _shootout(state, y)
        y += 118
    parts += _buttons(state, marks, y + 4)
    return "".join([*parts, "</svg>"])


# --- head of the panel ------------------------------------------------------------------------


def _header(state: State, last: str) -> list[str]:
    parts = [text(X, 38, "GANGSTERS", 27, INK, font_weight="bold", letter_spacing=2)]
    if state.over:
        words = "Truncated: nobody wins" if state.capped else "The game is over"
        if not state.capped:
            words = f"{SIDES[int(state.places[: state.num_seats].argmin())]} wins"
    elif state.round_number:
        words = f"Round {state.round_number} of {state.max_rounds}"
    else:
        words = "Setting up"
    parts.append(text(X + PANEL, 36, words, 15, INK, "end"))
    if not state.over:
        who = int(state.seat)
        parts.append(rect(X, 50, PANEL, 26, SIDE_COLOURS[who], 5))
        line = f"{SIDES[who]}: {prompt(state)}"
        size = min(13.5, 384 / (0.57 * len(line)))
        parts.append(text(X + 10, 68, line, size, SIDE_INKS[who], font_weight="bold"))
    if last:
        words = last if len(last) < 66 else last[:63] + "..."
        parts.append(text(X, 93, words, 11, INK, font_style="italic"))
    return [*parts, *_dice(state), *_crime(state), *_pawns(state)]


def _dice(state: State) -> list[str]:
    parts = []
    for d, (fill, ink, label) in enumerate(DICE):
        x = X + 42 * d
        face = str(state.dice[d]) if state.dice[d] else ""
        faint = None if face else 0.25
        parts.append(rect(x, 104, 32, 32, fill, 7, opacity=faint, stroke=INK))
        parts.append(text(x + 16, 126, face, 18, ink, "middle", font_weight="bold"))
        parts.append(text(x + 16, 149, label, 11.5, FADED, "middle"))
    return [piece("dice", "".join(parts))]


def _crime(state: State) -> list[str]:
    level = int(crime_level(state))
    parts = [text(X + 222, 115, "Crime level", 13, FADED)]
    for k in range(CRIME_LEVEL_MAX):
        fill = "#b3261e" if k < level else "#e2d6b8"
        parts.append(rect(X + 222 + 19 * k, 121, 16, 12, fill, 2, stroke="#8d7c55"))
    parts.append(text(X + 228 + 19 * CRIME_LEVEL_MAX, 132, str(level), 14, INK, font_weight="bold"))
    out = int((state.cop_at != NONE).sum())
    held = int((state.slot_seat != NONE).sum())
    publics = int((state.public_at != NONE).sum())
    words = f"In the cups: {10 - out} officers, {4 - publics} Publics, {9 - held} bribes"
    return [piece("crime", "".join(parts)), text(X, 168, words, 12.5, FADED)]


def _pawns(state: State) -> list[str]:
    """Gangs whose pawn is still in the cup this round."""
    if not state.revealed:
        return []
    parts = [text(X, 186, "Still to move this round:", 12.5, FADED)]
    left = [gang for gang in range(state.gangs) if state.pawns[gang]]
    for k, gang in enumerate(left):
        x = X + 184 + 22 * k
        parts.append(
            f'<path d="M{x - 6} 186 L{x - 3} 176 L{x + 3} 176 L{x + 6} 186 Z" '
            f'fill="{SIDE_COLOURS[gang]}"/><circle cx="{x}" cy="173" r="4.5" '
            f'fill="{SIDE_COLOURS[gang]}"/>'
        )
    nobody = "the Police Player" if state.police and state.active != POLICE else "nobody"
    parts = [piece("pawns", "".join(parts))]
    return [*parts, *([] if left else [text(X + 176, 186, nobody, 12.5, INK)])]


# --- seats ------------------------------------------------------------------------------------


def _money(state: State, seat: int, viewer: int | None) -> str:
    if state.phase == PICK and not state.over and seat != POLICE:
        spent = sum(int(PRICE[b]) for b in range(JOINTS) if state.owner[b] == seat)
        return f"${max(ALLOWANCE - spent, 0):,} of ${ALLOWANCE:,} for joints"
    open_to = viewer is None or viewer == seat or bool(state.open_cash and state.revealed)
    return f"${state.cash[seat]:,}" if open_to or state.over else "$ ?"


def _seat(state: State, seat: int, viewer: int | None, y: float) -> list[str]:
    """One side's panel: cash, pieces on their tracks, joints, markers."""
    colour, ink = SIDE_COLOURS[seat], SIDE_INKS[seat]
    deciding = not state.over and state.seat == seat
    edge = city.GLOW if deciding else "#c9b88c"
    parts = [
        rect(X, y, PANEL, SEAT_HEIGHT, "#fffaf0", 8,
             stroke=edge, stroke_width=3 if deciding else 1),
        rect(X + 1.5, y + 1.5, PANEL - 3, 24, colour, 6),
        text(X + 10, y + 18.5, SIDES[seat] + (" \u25b6" if state.active == seat else ""),
             15, ink, font_weight="bold", data_seat_name=seat, data_room=190),
        piece("cash", text(X + PANEL - 10, y + 18.5, _money(state, seat, viewer), 15, ink, "end",
                           font_weight="bold")),
    ]  # fmt: skip
    if state.phase == PICK and not state.over:
        return [_region(seat, [*parts, *_holdings(state, seat, y)])]
    if not sees_pieces(state, viewer, seat):
        parts.append(text(X + 12, y + 52, "chooses in secret", 12, FADED, font_style="italic"))
    elif seat == POLICE:
        parts += _track(X + 12, y + 44, "C", int(state.c_strength), colour)
        gear = [name for name in ("heaters", "wheels") if state[f"c_{name}"]]
        place = SPACE_NAMES[int(state.c_at)] if state.c_at != NONE else "off the board"
        parts.append(text(X + 12, y + 72, ", ".join([place, *gear]), 11, FADED))
    else:
        for kind, low in ((0, 44), (1, 70)):
            parts += _track(X + 36, y + low, "", int(state.strength[seat, kind]), colour)
            parts.append(small_piece(state, seat, kind, X + 20, y + low - 3))
        if state.strength[seat, 2]:
            parts.append(small_piece(state, seat, 2, X + 222, y + 54))
    parts += [*_holdings(state, seat, y), *_markers(state, seat, viewer, y)]
    return [_region(seat, parts)]


def _region(seat: int, parts: Sequence[str]) -> str:
    """A side's panel as a part of the picture that can be looked at alone."""
    return element("g", "".join(parts), data_region=f"seat-{seat}", data_name=SIDES[seat])


def _track(x: float, y: float, label: str, strength: int, colour: str) -> list[str]:
    """Nine places, as many filled as the piece has members."""
    parts = [text(x, y + 2, label, 13, INK, font_weight="bold")] if label else []
    start = x + (18 if label else 0)
    for k in range(9):
        fill = colour if k < strength else "#eadfc3"
        parts.append(rect(start + 18 * k, y - 10, 15, 15, fill, 3, stroke="#b7a376"))
    return [piece("strength", "".join(parts), f"{strength} of 9.")]


def _holdings(state: State, seat: int, y: float) -> list[str]:
    owned = int(joints_of(state, seat))
    most = HQ_TO_WIN if seat == POLICE else JOINTS_TO_WIN
    what = "precincts" if seat == POLICE else "joints"
    x = X + 254
    parts = [piece("joints", text(x, y + 43, f"{owned}/{most} {what}", 14, INK))]
    held = [b for b in range(len(BUILDING_NAMES)) if state.owner[b] == seat]
    step = min(20.0, 146 / max(len(held), 1))
    for k, b in enumerate(held):
        entry = BOARD["buildings"][BUILDING_NAMES[b]]
        colour = city.JOINT_COLOURS[entry["colour"]]
        left = x + step * k
        box = rect(left, y + 52, step - 2, 20, colour, 3, stroke="#8d7c55")
        level = text(left + step / 2 - 1, y + 66.5, str(int(state.level[b])), 12.5, INK, "middle")
        parts.append(piece(entry["code"], box + level, f"Level {int(state.level[b])}."))
    return parts


def _markers(state: State, seat: int, viewer: int | None, y: float) -> list[str]:
    """Bribe markers and chits: open to their holder, backs to the others."""
    own = viewer in (None, seat)
    names = [OFFICER_IDS[o] for o in range(9) if state.holder[o] == seat]
    if not own:
        names = ["?"] * int((state.slot_seat == seat).sum())
    parts = [text(X + 12, y + 102, "bribes", 12.5, FADED)]
    x = X + 62.0
    for name in names:
        disc = rect(x, y + 88, 18, 18, "#10264d", 9, stroke="#e9b824", stroke_width="1.5")
        disc += text(x + 9, y + 101.5, name, 12.5, "#fff", "middle", font_weight="bold")
        parts.append(piece("bribe", disc, f"For officer {name}." if own else ""))
        x += 22
    if seat == POLICE:
        chits = [str(c + 1) for c in range(3) if state.chit_slot[c] != NONE]
        if not own:
            chits = ["?"] * int(state.chit_full.sum())
        parts.append(text(X + 254, y + 102, "chits", 12.5, FADED))
        for k, name in enumerate(chits):
            chit = rect(X + 292 + 28 * k, y + 88, 24, 18, "#bfe3ff", 4, stroke="#1f4e9c")
            chit += text(X + 304 + 28 * k, y + 101.5, name, 12.5, INK, "middle")
            parts.append(piece("chit", chit))
    elif own or (state.open_cash and state.revealed) or state.over:
        parts += _cash_bar(state, seat, y)
    return parts


def _cash_bar(state: State, seat: int, y: float) -> list[str]:
    share = min(float(state.cash[seat]) / CASH_TO_WIN, 1.0)
    return [
        rect(X + 254, y + 94, 142, 8, "#eadfc3", 4),
        rect(X + 254, y + 94, max(142 * share, 1), 8, "#3d8b5f", 4),
    ]


# --- shootouts and buttons --------------------------------------------------------------------


def _shootout(state: State, y: float) -> list[str]:
    """Who fires at whom at the node, with the hits that were rolled."""
    node = int(state.fight)
    parts = [
        rect(X, y, PANEL, 112, "#fff0ea", 8, stroke="#c62200", stroke_width="1.5"),
        text(X + 10, y + 18, f"Shootout: {SPACE_NAMES[node]}", 12.5, "#a01b00",
             font_weight="bold"),
    ]  # fmt: skip
    lines = []
    for unit in range(UNITS):
        for field, verb in (("target", "\u2192"), ("returns", "in answer \u2192")):
            side = int(state[field][unit])
            if side != NONE:
                hits, lost = int(state.hits[unit]), int(state.loss[unit])
                words = f"{unit_name(state, unit)} {verb} {SIDES[side]}"
                rolled = state.phase == ALLOC
                words += f": {hits} hit{'' if hits == 1 else 's'}" if rolled else ""
                lines.append(words + (f", loses {lost}" if lost else ""))
    lines = lines or ["Targets are being chosen."]
    for k, words in enumerate(lines[:10]):
        parts.append(text(X + 10 + 200 * (k // 5), y + 36 + 15 * (k % 5), words, 9.5, INK))
    return parts


def _label(state: State, action: int, room: int) -> str:
    """The sentence of an action, or its notation where there is no room for that."""
    words = describe(state, action)
    return words if len(words) <= room else f"{words[: room - 1]}\u2026"


def _buttons(state: State, marks: Marks, y: float) -> list[str]:
    """Every legal action that is no node of the map."""
    others = sorted(action for action in marks.legal if action >= END)
    columns = 2 if len(others) <= 2 * int((HEIGHT - 10 - y) // 24) else 3
    width = (PANEL - 6 * (columns - 1)) / columns
    rows = max(1, -(-len(others) // columns))
    step = min(24.0, (HEIGHT - 8 - y) / rows)
    parts = []
    for k, action in enumerate(others):
        x, top = X + (width + 6) * (k % columns), y + step * (k // columns)
        body = rect(x, top, width, step - 3, "#fff3cf", 5, stroke=city.GLOW)
        size = min(11.5, step * 0.5)
        words = _label(state, action, int((width - 14) / (0.58 * size)))
        body += text(x + 8, top + step / 2 + 2.4, words, size, INK)
        parts.append(marks.wrap(action, body))
    return parts
