"""The table as an SVG picture: the map, who stands where, the gangs' tracks, what may be done."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from ...core.game import Game
from ...core.presentation.svg import (
    Marks,
    attributes,
    element,
    piece,
    rect,
    seat_mark,
    sentence,
    text,
)
from ...core.state import State
from ..actions import END
from ..data import (
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
from ..data.checks import STREETS
from ..rules.common import crime_level, joints_of
from ..state import (
    ALLOC,
    CRIME,
    DOUBLE,
    NONE,
    PICK,
    POLICE,
    RAID_OR_ARREST,
    RETURN,
    SHARE,
    TARGET,
    UNITS,
)
from ..words.narration import SPACE_NAMES, prompt, unit_name
from . import map as city
from .map import FADED, INK, PAPER, SIDE_COLOURS, SIDE_INKS, TEXT
from .tokens import legend, pieces, sees_pieces, small_piece

WIDTH, HEIGHT = 1532, city.HEIGHT
X, PANEL = 1132, 392
HEAD, SEAT_HEIGHT, GAP = 46, 110, 5
LETTER: Final = 0.6 * TEXT
"""Room that a letter takes in a panel, on average."""
SHOTS, BUTTON = 6, 22
DICE: Final = (
    ("#2f8f4e", "#ffffff", "R"), ("#c0392b", "#ffffff", "T"), ("#edc531", INK, "V"),
    ("#ffffff", INK, "Pub."), ("#2c5aa0", "#ffffff", "Cop"),
)  # fmt: skip


def svg(
    game: Game, state: State, viewer: int | None, legal: Sequence[int] = (), last: str = ""
) -> str:
    """The table as ``viewer`` sees it; see ``Game.svg``.

    Actions of ``legal`` are marked for the deciding seat and at the open table only: nobody else
    has a choice. Nodes are marked on the map, everything else is a button.
    """
    deciding = not state.over and viewer in (None, int(state.seat))
    marks = Marks(
        frozenset(int(action) for action in legal) if deciding else frozenset(),
        lambda action: game.describe(state, action),
    )
    fighting = not state.over and state.fight >= 0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="DejaVu Sans, sans-serif"'
        f"{attributes(data_focus=_focus(state) if deciding else None)}>",
        rect(0, 0, WIDTH, HEIGHT, PAPER),
        element(
            "g",
            "".join(
                [
                    city.scenery(),
                    city.burst(int(state.fight)) if fighting else "",
                    *city.buildings(state),
                    *pieces(state, viewer),
                    *city.destinations(marks),
                ]
            ),
            data_region="map",
            data_name="The map",
        ),
        *legend(26, HEIGHT - 22),
    ]
    head, y = _header(state, viewer, last)
    parts += head
    for seat in range(state.num_seats):
        parts += _seat(state, seat, viewer, y)
        y += SEAT_HEIGHT + GAP
    if fighting:
        shots, y = _shootout(state, y)
        parts += shots
    parts += _buttons(marks, y + 4)
    return "".join([*parts, "</svg>"])


def _focus(state: State) -> str | None:
    """The building that a decision is about: where a crime, a raid or a shootout takes place."""
    node = NONE
    if state.phase == CRIME:
        node = int(state.at[state.seat, state.piece])
    elif state.phase == RAID_OR_ARREST:
        node = int(state.dest)
    elif state.phase in (DOUBLE, SHARE):
        node = int(state.raid_node)
    elif state.phase in (TARGET, RETURN, ALLOC):
        node = int(state.fight)
    return (
        str(BOARD["buildings"][BUILDING_NAMES[node - STREETS]]["code"]) if node >= STREETS else None
    )


# --- head of the panel ------------------------------------------------------------------------


def _header(state: State, viewer: int | None, last: str) -> tuple[list[str], float]:
    """The head of the panel, and where it ends."""
    parts = [text(X, 32, "GANGSTERS", 25, INK, font_weight="bold", letter_spacing=1)]
    if state.over:
        words = "Truncated: nobody wins" if state.capped else "The game is over"
        if not state.capped:
            words = f"{SIDES[int(state.places[: state.num_seats].argmin())]} wins"
    elif state.round_number:
        words = f"Round {state.round_number} of {state.max_rounds}"
    else:
        words = "Setting up"
    parts.append(text(X + PANEL, 31, words, TEXT, INK, "end"))
    y = float(HEAD)
    if not state.over:
        who = int(state.seat)
        asked = f"{SIDES[who]}: {prompt(state, viewer)}"
        lines = _lines(asked, 3, bold=True)
        parts.append(rect(X, y, PANEL, 6 + 21 * len(lines), SIDE_COLOURS[who], 5))
        elements = (
            text(X + 10, y + 20 + 21 * k, line, TEXT, SIDE_INKS[who], font_weight="bold")
            for k, line in enumerate(lines)
        )
        parts.append(sentence(asked, elements))
        y += 10 + 21 * len(lines)
    lines = _lines(last, 2)
    elements = (
        text(X, y + 15 + 20 * k, line, TEXT, INK, font_style="italic")
        for k, line in enumerate(lines)
    )
    parts.append(sentence(last, elements))
    y += 20 * len(lines) + 5
    parts += [*_dice(state, y), *_crime(state, y), *_pawns(state, y + 97)]
    return parts, y + (108 if state.revealed else 86)


def _lines(words: str, most: int, *, bold: bool = False) -> list[str]:
    """A sentence in lines as wide as the panel; what is too much is left out."""
    room = int((PANEL - 16) / (LETTER * (1.12 if bold else 1.0)))
    lines = textwrap.wrap(words, room, max_lines=most, placeholder="\u2026")
    return lines


def _dice(state: State, y: float) -> list[str]:
    parts = []
    for d, (fill, ink, label) in enumerate(DICE):
        x = X + 40 * d
        face = str(state.dice[d]) if state.dice[d] else ""
        faint = None if face else 0.25
        parts.append(rect(x, y, 32, 32, fill, 7, opacity=faint, stroke=INK))
        parts.append(text(x + 16, y + 22, face, 18, ink, "middle", font_weight="bold"))
        parts.append(text(x + 16, y + 50, label, TEXT, FADED, "middle"))
    return [piece("dice", "".join(parts))]


def _crime(state: State, y: float) -> list[str]:
    level = int(crime_level(state))
    left = X + 212
    parts = [text(left, y + 13, f"Crime level {level}", TEXT, INK)]
    for k in range(CRIME_LEVEL_MAX):
        fill = "#b3261e" if k < level else "#e2d6b8"
        parts.append(rect(left + 18 * k, y + 20, 15, 12, fill, 2, stroke="#8d7c55"))
    out = int((state.cop_at != NONE).sum())
    held = int((state.slot_seat != NONE).sum())
    publics = int((state.public_at != NONE).sum())
    words = f"Cups: {10 - out} cops, {4 - publics} Publics, {9 - held} bribes"
    return [piece("crime", "".join(parts)), text(X, y + 74, words, TEXT, FADED)]


def _pawns(state: State, y: float) -> list[str]:
    """Gangs whose pawn is still in the cup this round."""
    if not state.revealed:
        return []
    parts = [text(X, y, "To move this round:", TEXT, FADED)]
    left = [gang for gang in range(state.gangs) if state.pawns[gang]]
    for k, gang in enumerate(left):
        parts.append(seat_mark(gang, X + 196 + 24 * k, y - 6, 8, SIDE_COLOURS[gang]))
    nobody = "the Police Player" if state.police and state.active != POLICE else "nobody"
    parts = [piece("pawns", "".join(parts))]
    return [*parts, *([] if left else [text(X + 188, y, nobody, TEXT, INK)])]


# --- seats ------------------------------------------------------------------------------------


def _money(state: State, seat: int, viewer: int | None) -> str:
    if state.phase == PICK and not state.over and seat != POLICE:
        spent = sum(int(PRICE[b]) for b in range(JOINTS) if state.owner[b] == seat)
        return f"${max(ALLOWANCE - spent, 0):,} for joints"
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
        seat_mark(seat, X + 16, y + 13, 7, ink),
        text(X + 30, y + 19, SIDES[seat] + (" \u25b6" if state.active == seat else ""),
             TEXT, ink, font_weight="bold", data_seat_name=seat, data_room=210),
        piece("cash", text(X + PANEL - 10, y + 19, _money(state, seat, viewer), TEXT, ink, "end",
                           font_weight="bold")),
    ]  # fmt: skip
    if state.phase == PICK and not state.over:
        return [_region(seat, [*parts, *_holdings(state, seat, y)])]
    if not sees_pieces(state, viewer, seat):
        parts.append(text(X + 12, y + 52, "chooses in secret", TEXT, FADED, font_style="italic"))
    elif seat == POLICE:
        parts += _track(X + 12, y + 44, "C", int(state.c_strength), colour)
        gear = [name for name in ("heaters", "wheels") if state[f"c_{name}"]]
        place = SPACE_NAMES[int(state.c_at)] if state.c_at != NONE else "off the board"
        words = ", ".join([place, *gear])
        room = int(236 / LETTER)
        words = words if len(words) <= room else f"{words[: room - 1]}\u2026"
        parts.append(text(X + 12, y + 74, words, TEXT, FADED))
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
    parts = [text(x, y + 4, label, TEXT, INK, font_weight="bold")] if label else []
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
    parts = [piece("joints", text(x, y + 44, f"{owned}/{most} {what}", TEXT, INK))]
    held = [b for b in range(len(BUILDING_NAMES)) if state.owner[b] == seat]
    step = min(20.0, 134 / max(len(held), 1))
    for k, b in enumerate(held):
        entry = BOARD["buildings"][BUILDING_NAMES[b]]
        colour = city.JOINT_COLOURS[entry["colour"]]
        left = x + step * k
        box = rect(left, y + 52, step - 2, 20, colour, 3, stroke="#8d7c55")
        level = text(left + step / 2 - 1, y + 68, str(int(state.level[b])), TEXT, INK, "middle")
        parts.append(piece(entry["code"], box + level, f"Level {int(state.level[b])}."))
    return parts


def _markers(state: State, seat: int, viewer: int | None, y: float) -> list[str]:
    """Bribe markers and chits: open to their holder, backs to the others."""
    own = viewer in (None, seat)
    names = [OFFICER_IDS[o] for o in range(9) if state.holder[o] == seat]
    if not own:
        names = ["?"] * int((state.slot_seat == seat).sum())
    parts = [text(X + 12, y + 102, "bribes", TEXT, FADED)]
    x = X + 78.0
    for name in names:
        disc = rect(x, y + 86, 20, 20, "#10264d", 10, stroke="#e9b824", stroke_width="1.5")
        disc += text(x + 10, y + 102, name, TEXT, "#fff", "middle", font_weight="bold")
        parts.append(piece("bribe", disc, f"For officer {name}." if own else ""))
        x += min(23.0, 170 / len(names))
    if seat == POLICE:
        chits = [str(c + 1) for c in range(3) if state.chit_slot[c] != NONE]
        if not own:
            chits = ["?"] * int(state.chit_full.sum())
        parts.append(text(X + 254, y + 102, "chits", TEXT, FADED))
        for k, name in enumerate(chits):
            chit = rect(X + 306 + 28 * k, y + 86, 24, 20, "#bfe3ff", 4, stroke="#1f4e9c")
            chit += text(X + 318 + 28 * k, y + 102, name, TEXT, INK, "middle")
            parts.append(piece("chit", chit))
    elif own or (state.open_cash and state.revealed) or state.over:
        parts += _cash_bar(state, seat, y)
    return parts


def _cash_bar(state: State, seat: int, y: float) -> list[str]:
    share = min(float(state.cash[seat]) / CASH_TO_WIN, 1.0)
    return [
        rect(X + 254, y + 94, 128, 8, "#eadfc3", 4),
        rect(X + 254, y + 94, max(128 * share, 1), 8, "#3d8b5f", 4),
    ]


# --- shootouts and buttons --------------------------------------------------------------------


def _shootout(state: State, y: float) -> tuple[list[str], float]:
    """Who fires at whom at the node, with the hits that were rolled; and where that ends."""
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
    if len(lines) > SHOTS:
        lines = [*lines[: SHOTS - 1], f"and {len(lines) - SHOTS + 1} more"]
    height = 30 + 20 * len(lines)
    parts = [
        rect(X, y, PANEL, height, "#fff0ea", 8, stroke="#c62200", stroke_width="1.5"),
        text(X + 10, y + 20, f"Shootout: {SPACE_NAMES[int(state.fight)]}", TEXT, "#a01b00",
             font_weight="bold"),
    ]  # fmt: skip
    for k, words in enumerate(lines):
        parts.append(text(X + 10, y + 42 + 20 * k, words, TEXT, INK))
    return parts, y + height + 4


def _buttons(marks: Marks, y: float) -> list[str]:
    """Every legal action that is no node of the map."""
    others = sorted(action for action in marks.legal if action >= END)
    rows_of_words = max(1, int((HEIGHT - 6 - y) // BUTTON))
    columns = min(3, max(1, -(-len(others) // rows_of_words)))
    width = (PANEL - 6 * (columns - 1)) / columns
    rows = max(1, -(-len(others) // columns))
    step = min(2.0 * BUTTON, (HEIGHT - 6 - y) / rows)
    parts = []
    for k, action in enumerate(others):
        x, top = X + (width + 6) * (k % columns), y + step * (k // columns)
        body = rect(x, top, width, step - 2, "#fff3cf", 5, stroke=city.GLOW)
        if step >= BUTTON - 2:  # Else there is no room for words: the page has a list of them all.
            words = marks.describe(action).removesuffix(".")
            room = int((width - 12) / LETTER)
            shown = words if len(words) <= room else f"{words[: room - 1]}\u2026"
            body += sentence(words, [text(x + 7, top + step / 2 + 5, shown, TEXT, INK)])
        parts.append(marks.wrap(action, body))
    return parts
