"""The table as an SVG picture: the city, the gangsters, their cards and what may be done."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import partial

from ...core.game import Game
from ...core.presentation.svg import Marks, document, element, piece, rect, sentence, text
from ...core.state import State
from ..actions import DRAW, DROP, END, HIRE, HIT, NO, PAY, hit_seat
from ..data import CARDS, CODES, GANGSTERS, HIRE_PRICE, MAN_POINTS, NAMES, POINTS
from ..state import (
    ACE,
    BLACK_JOKER,
    CARD_TYPES,
    DISCARD,
    MAIN,
    MAX_MEN,
    MONEY_TYPES,
    NONE,
    PAY_HIRE,
    RED_JOKER,
    RESHUFFLE,
    TERRITORIES,
)
from ..words.narration import ending
from ..words.terminal import shown_hand_size
from .map import COLOURS, DEFS, FADED, GLOW, INK, INKS, PAPER, city

WIDTH, HEIGHT = 1200, 800
PANEL_X, PANEL_WIDTH, PANELS_TOP, PANELS_BOTTOM = 832, 352, 70, 788
PANEL_HEIGHT = {2: 190, 3: 170, 4: 146, 5: 137, 6: 113}
GAP = 8


def svg(
    game: Game, state: State, viewer: int | None, legal: Sequence[int] = (), last: str = ""
) -> str:
    """The table for ``viewer``; see ``Game.svg``.

    Actions of ``legal`` are marked for the deciding seat and at the open table only: nobody else
    has a choice. Each is marked once.
    """
    deciding = viewer in (None, int(state.seat))
    marks = Marks(frozenset(map(int, legal if deciding else ())), partial(game.describe, state))
    parts = [
        rect(0, 0, WIDTH, HEIGHT, "#efe5cf", 14),
        _header(state, viewer),
        element("g", city(state, marks), data_region="map", data_name="The city"),
        _deck(state),
        _caption(last),
        _buttons(state, viewer, marks),
        *(_panel(state, seat, viewer, marks) for seat in range(int(state.num_seats))),
        _legend(state),
    ]
    return document(WIDTH, HEIGHT, f"<defs>{DEFS}{_FIGURES}</defs>{''.join(parts)}")


# --- words around the map -------------------------------------------------------------------------


def question(state: State, viewer: int | None) -> str:
    """What is being decided, as ``viewer`` may know it."""
    if state.over:
        return ending(state).split(" Scores:")[0]
    who = GANGSTERS[int(state.seat)]
    if state.flipped != NONE:
        return f"{who}: pay ${int(state.price)} for {NAMES[state.flipped]}?"
    if state.target != NONE:
        return f"{who}: a bribe of ${int(state.price)} to keep {NAMES[state.target]}?"
    own = viewer in (None, int(state.seat))
    if state.phase == MAIN or (state.phase == PAY_HIRE and not own):
        return f"{who} begins the turn: {_first_choices(state)}"
    if own:
        if state.phase == PAY_HIRE:
            return f"{who}: pay ${int(state.price)} to hire the henchman?"
        if state.phase == DISCARD:
            return f"{who} drops cards down to {int(state.hand_limit)}"
        return f"{who}: play an Ace or a joker, or end the turn"
    return f"{who} goes on with the turn"


def own_question(game: Game, state: State) -> str:
    """What the deciding seat is asked, without its name."""
    if state.over:
        return ""
    if state.phase == MAIN:
        words = _first_choices(state)
        return f"Your turn: {words}"
    asked = question(state, int(state.seat)).partition(": ")[2]
    if asked:
        return asked[0].upper() + asked[1:]
    return f"Drop cards, down to {int(state.hand_limit)}"


def _first_choices(state: State) -> str:
    """What a turn may begin with, by what lies open to all."""
    men = int(state.men[state.seat])
    rivals = any(owner not in (NONE, state.seat) for owner in state.owner)
    words = ["hire"] * (men < MAX_MEN) + ["draw"] + ["battle"] * (men > 0 and rivals)
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _header(state: State, viewer: int | None) -> str:
    turn = min(int(state.turns) + 1, int(state.turn_cap))
    colour, ink = (INK, "#ffffff") if state.over else _colours(int(state.seat))
    words = question(state, viewer)
    size = min(17.0, 17.0 * 60 / max(len(words), 1))
    return (
        text(18, 38, "CHICAGO UNDERWORLD", 24, INK, font_weight="bold", letter_spacing=1)
        + text(19, 58, f"turn {turn} of {int(state.turn_cap)} at most", 13.2, FADED)
        + rect(420, 15, 764, 44, colour, 22)
        + text(802, 43, words, size, ink, "middle", font_weight="bold")
    )


def _colours(seat: int) -> tuple[str, str]:
    return COLOURS[seat], INKS[seat]


def _caption(last: str) -> str:
    words = last or "The night is quiet."
    lines = textwrap.wrap(words, 112, max_lines=2, placeholder=" …")
    top = 719.5 if len(lines) == 2 else 727.5
    rows = (
        text(30, top + 16 * k, line, 13.2, INK, font_style="italic") for k, line in enumerate(lines)
    )
    return rect(16, 700, 800, 44, PAPER, 8, stroke="#d4c6a4") + sentence(words, rows)


def _buttons(state: State, viewer: int | None, marks: Marks) -> str:
    """Actions without a place on the table, and the cards laid down in a payment."""
    words = {
        HIRE: f"Hire (4+ or ${HIRE_PRICE})",
        DRAW: "Draw a card",
        END: "End the turn",
        NO: "Do not pay",
    }
    parts = []
    left = 16.0
    for action in marks.of(words):
        face = rect(left, 752, 168, 36, INK, 18, stroke=GLOW, stroke_width=3)
        face += text(left + 84, 775, words[action], 14, "#ffffff", "middle", font_weight="bold")
        parts.append(marks.wrap(action, face))
        left += 178
    if viewer in (None, int(state.seat)) and state.price > 0 and not state.over:
        paid = f"paid ${int(state.paid)} of ${int(state.price)}"
        parts.append(text(left + 4, 775, paid, 14, INK, font_weight="bold"))
        kinds = [k for k in reversed(range(MONEY_TYPES)) for _ in range(int(state.payment[k]))]
        parts.append(_row(kinds, left + 140, 752, 26, 36, 660 - left))
        left += 140
    if not parts:
        hint = "Final scores stand beside the names." if state.over else _waiting(state, marks)
        parts.append(text(30, 775, hint, 13.2, FADED))
    return "".join(parts)


def _waiting(state: State, marks: Marks) -> str:
    if marks.legal:
        return "Choose one of the marked cards or territories."
    return f"{GANGSTERS[int(state.seat)]} decides."


def _deck(state: State) -> str:
    """Draw pile and discards, upon the lake."""
    parts = [
        rect(646, 262, 166, 262, PAPER, 10, fill_opacity=0.93, stroke="#7fb0c6"),
        piece(
            "pile",
            _back(666, 276, 40, 56)
            + _back(670, 279, 40, 56)
            + text(724, 300, "Draw pile", 13.2, FADED)
            + text(724, 324, str(int(state.pile_size)), 22, INK, font_weight="bold"),
        ),
        piece(
            "discards",
            text(660, 366, "Discards", 13.2, FADED)
            + text(798, 366, str(int(state.discards.sum())), 13.2, FADED, "end"),
        ),
    ]
    for card in range(CARD_TYPES):
        x, y = 653 + 53 * (card % 3), 374 + 36 * (card // 3)
        count = int(state.discards[card])
        face = _card(card, x, y, 22, 30)
        number = text(x + 23.5, y + 20, f"×{count}", 13.2, INK, font_weight="bold")
        shown = face + number if count else f'<g opacity=".28">{face}</g>'
        parts.append(piece(_key(card), shown, f"{count} of these in the discards."))
    return "".join(parts)


# --- cards ----------------------------------------------------------------------------------------

TEXT = 13.2
"""Size of the smallest print: 11 pixels in a window of 1440 times 900."""
SMALL = 36
"""Width of a card below which there is room for its rank alone."""
_LOOKS = {
    ACE: ("#f3cf5b", "#2b2621", "A"),
    RED_JOKER: ("#c62828", "#ffffff", "★"),
    BLACK_JOKER: ("#1c1b1f", "#ffffff", "★"),
}


def _key(card: int) -> str:
    """A card's key among the pieces."""
    return f"${card + 2}" if card < MONEY_TYPES else CARDS[card]


def _card(card: int, x: float, y: float, w: float, h: float) -> str:
    """A card face; its rank stands in the corner, so that an overlapped card still shows it."""
    paper, ink, rank = _LOOKS.get(card, ("#ffffff", "#1b6b3a", f"${card + 2}"))
    parts = [rect(x, y, w, h, paper, w / 8, stroke="#5d5346")]
    if w < SMALL:  # No room for more than the rank.
        room = w - 2 if len(rank) == 3 else None
        rank_text = text(x + w / 2, y + h / 2 + 5, rank, TEXT, ink, "middle", font_weight="bold",
                         textLength=room, lengthAdjust=room and "spacingAndGlyphs")  # fmt: skip
        return parts[0] + rank_text
    size = max(TEXT, w * (0.36 if len(rank) == 3 else 0.42))
    parts.append(text(x + w * 0.08, y + w * 0.46, rank, size, ink, font_weight="bold"))
    middle = (x + w * 0.5, y + h * 0.86)
    if card == ACE:
        parts.append(text(*middle, "♠", w * 0.6, ink, "middle"))
    elif card < ACE:
        stripe = rect(x + w * 0.2, y + h * 0.56, w * 0.6, h * 0.28, "#cfe5d4", 1.5)
        hub = f'<circle cx="{x + w / 2:g}" cy="{y + h * 0.7:g}" r="{h * 0.09:.3g}" fill="{ink}"/>'
        parts.append(stripe + hub)
    else:
        parts.append(
            text(
                *middle,
                "JOKER",
                TEXT,
                ink,
                "middle",
                font_weight="bold",
                textLength=w - 5,
                lengthAdjust="spacingAndGlyphs",
            )
        )
    return "".join(parts)


def _back(x: float, y: float, w: float, h: float) -> str:
    return rect(x, y, w, h, "#7a2c2c", w / 8, stroke="#3d1515") + rect(
        x + 3, y + 3, w - 6, h - 6, "none", w / 12, stroke="#e8d7a8", stroke_width=0.8
    )


def _row(kinds: list[int], x: float, y: float, w: float, h: float, room: float) -> str:
    step = _step(len(kinds), w, room)
    return "".join(_card(kind, x + step * k, y, w, h) for k, kind in enumerate(kinds))


def _step(count: int, w: float, room: float) -> float:
    """Distance of neighbouring cards: side by side if there is room, overlapping if not."""
    return w + 4 if count < 2 else min(w + 4, (room - w) / (count - 1))


def _hand(state: State, seat: int, viewer: int | None, marks: Marks, at: tuple[float, ...]) -> str:
    """Own cards by type, each type one group; backs of the others'."""
    x, y, w, h, room = at
    if viewer not in (None, seat) and not state.over:
        count = shown_hand_size(state, seat, viewer)
        step = _step(count, w, room)
        return piece("back", "".join(_back(x + step * k, y, w, h) for k in range(count)))
    step = _step(int(state.hands[seat].sum()), w, room)
    parts = []
    for card in range(CARD_TYPES):
        count = int(state.hands[seat, card])
        if count == 0:
            continue
        cards = (_card(card, x + step * k, y, w, h) for k in range(count))
        body = piece(_key(card), "".join(cards))
        chosen = marks.of((PAY + card if card < MONEY_TYPES else NO, DROP + card))
        chosen = [action for action in chosen if action != NO and seat == state.seat]
        if chosen:
            width = step * (count - 1) + w
            ring = rect(x - 1, y - 1, width + 2, h + 2, GLOW, 5, stroke=GLOW, stroke_width=4)
            body = marks.wrap(chosen[0], ring + body)
        parts.append(body)
        x += step * count
    return "".join(parts)


# --- seats ----------------------------------------------------------------------------------------

_FIGURES = (
    '<g id="cu-man"><circle cx="10" cy="9.5" r="4.6"/><path d="M2 7.2Q10 4.6 18 7.2L16.5 8.6H3.5z'
    'M5.4 6.2Q5.6 1 8 1.2 10 2.2 12 1.2 14.4 1 14.6 6.2z"/>'
    '<path d="M1.5 29V21Q1.5 15.2 7 15L10 19.5 13 15Q18.5 15.2 18.5 21V29z"/></g>'
    '<path id="cu-crown" d="M0 14V3L5 8 9 0 13 8 18 3V14z"/>'
)


def _panel(state: State, seat: int, viewer: int | None, marks: Marks) -> str:
    """Everything about one gangster."""
    n = int(state.num_seats)
    height = PANEL_HEIGHT[n]
    top = PANELS_TOP + seat * (height + GAP)
    left = PANEL_X
    colour, ink = _colours(seat)
    deciding = not state.over and seat == state.seat
    edge = 4 if deciding else 1.5
    parts = [
        rect(left, top, PANEL_WIDTH, height, PAPER, 8, stroke=colour, stroke_width=edge),
        f'<path d="M{left} {top + 28}V{top + 8}q0-8 8-8H{left + PANEL_WIDTH - 8}q8 0 8 8V'
        f'{top + 28}z" fill="{colour}"/>',
        _title(state, seat, viewer, top, ink),
        _men(state, seat, marks, top),
    ]
    owned = [x for x in range(TERRITORIES) if state.owner[x] == seat]
    points = f"{sum(int(POINTS[x]) for x in owned)} points"
    if viewer in (None, seat) or state.over:
        dollars = sum((card + 2) * int(state.hands[seat, card]) for card in range(MONEY_TYPES))
        points += f" · ${dollars} cash"
    else:
        size = shown_hand_size(state, seat, viewer)
        points += f" · {size} card{'' if size == 1 else 's'}"
    words = text(left + 158, top + 42, points, 13.2, INK, font_weight="bold")
    parts.append(piece("points", words))
    step = min(22.0, 190 / max(len(owned), 1))
    for k, x in enumerate(owned):
        chip = rect(left + 158 + step * k, top + 51, step - 1, 17, colour, 3)
        value = text(left + 157.5 + step * (k + 0.5), top + 64, str(POINTS[x]), 13.2, ink, "middle")
        parts.append(piece(CODES[x], chip + value))
    if not owned:
        parts.append(text(left + 158, top + 62, "no territory", 13.2, FADED))
    card_height = min(height - 78.0, 92.0)
    at = (left + 12, top + 71 + (height - 78 - card_height) / 2, card_height * 0.72, card_height)
    parts.append(_hand(state, seat, viewer, marks, (*at, PANEL_WIDTH - 24)))
    return element("g", "".join(parts), data_region=f"seat-{seat}", data_name=GANGSTERS[seat])


def _title(state: State, seat: int, viewer: int | None, top: float, ink: str) -> str:
    left = PANEL_X
    name = GANGSTERS[seat]
    parts = [text(left + 12, top + 20, name, 16, ink, font_weight="bold")]
    after = left + 24 + 11.4 * len(name)
    if seat == viewer:
        parts.append(rect(after, top + 6, 34, 17, PAPER, 8))
        parts.append(text(after + 17, top + 18.5, "you", 13.2, INK, "middle"))
        after += 42
    if state.over:
        score = f"{int(state.scores[seat])} in all · place {int(state.places[seat])}"
        parts.append(text(left + 340, top + 20, score, 14, ink, "end", font_weight="bold"))
        if state.places[seat] == 1:
            look = f'fill="{GLOW}" stroke="{INK}" stroke-width="1.2"'
            parts.append(f'<use href="#cu-crown" x="{after:g}" y="{top + 7:g}" {look}/>')
        return "".join(parts)
    words = "decides" if seat == state.seat else "has the turn" if seat == state.current else ""
    line = f"▶ {words}" if words else ""
    room = round(left + 332 - 7.6 * len(line) - after)
    parts.append(text(after, top + 20, "", 13.2, ink, data_seat_name=seat, data_room=room))
    if words:
        parts.append(text(left + 340, top + 19, line, 13.2, ink, "end", font_weight="bold"))
    return "".join(parts)


def _men(state: State, seat: int, marks: Marks, top: float) -> str:
    """Five slots, filled by henchmen; the aim of a hit man."""
    left = PANEL_X + 12
    men = int(state.men[seat])
    parts = []
    for k in range(MAX_MEN):
        look = f'fill="{COLOURS[seat]}"'
        if k >= men:
            look = 'fill="none" stroke="#b9ab8d" stroke-dasharray="2 2"'
        parts.append(f'<use href="#cu-man" x="{left + 21 * k}" y="{top + 35}" {look}/>')
    body = piece("men", "".join(parts))
    for action in marks.of(range(HIT, DROP)):
        if hit_seat(state, action) == seat:
            aim = rect(left - 5, top + 31, 144, 36, "#fff3c2", 6, stroke=GLOW, stroke_width=3.5)
            badge = rect(left + 102, top + 39, 34, 20, INK, 10)
            badge += text(
                left + 119, top + 53.8, "HIT", TEXT, "#ffffff", "middle", font_weight="bold"
            )
            body = marks.wrap(action, aim + body + badge)
    return body


# --- what is left of the column -------------------------------------------------------------------


def _legend(state: State) -> str:
    """Prices and options below the panels of small tables, and the city at night."""
    n = int(state.num_seats)
    top = PANELS_TOP + n * (PANEL_HEIGHT[n] + GAP)
    room = PANELS_BOTTOM - top
    if room < 90:
        return ""
    end = "the discards are reshuffled" if state.deck_end == RESHUFFLE else "the game ends"
    lines = (
        f"A henchman costs ${HIRE_PRICE} and counts {MAN_POINTS} points.",
        f"${int(state.bribe_price)} buy off a joker. At most {int(state.hand_limit)} cards "
        "at the end of a turn.",
        f"When the draw pile is empty, {end}.",
        "Ace: hit man. Red joker: police. Black joker: mob.",
    )
    rows = "".join(
        text(PANEL_X + 12, top + 23 + 18 * k, line, 13.2, FADED) for k, line in enumerate(lines)
    )
    box = rect(PANEL_X, top, PANEL_WIDTH, 94, PAPER, 8, stroke="#d4c6a4") + rows
    return box + (_skyline(top + 102) if room > 160 else "")


def _skyline(top: float) -> str:
    """Roofs against the evening sky, down to the bottom of the column."""
    height = PANELS_BOTTOM - top
    roofs = (0.42, 0.62, 0.5, 0.86, 0.58, 0.74, 0.46, 0.66, 0.92, 0.54, 0.7, 0.4)
    width = PANEL_WIDTH / len(roofs)
    parts = [
        rect(PANEL_X, top, PANEL_WIDTH, height, "#31405a", 8),
        f'<circle cx="{PANEL_X + 52}" cy="{top + height * 0.26:g}" r="{height * 0.1:g}" '
        'fill="#f6e7b4"/>',
    ]
    for k, roof in enumerate(roofs):
        tall, x = height * roof * 0.8, PANEL_X + width * k
        parts.append(
            rect(x, PANELS_BOTTOM - tall, width + 0.5, tall, ("#1d2738", "#232f44")[k % 2])
        )
        for floor in range(int((tall - 8) // 14)):
            if (k * 7 + floor * 5) % 3 == 0:
                parts.append(
                    rect(x + 6 + 9 * (floor % 2), PANELS_BOTTOM - tall + 8 + 14 * floor, 5, 6, GLOW)
                )
    return "".join(parts)
