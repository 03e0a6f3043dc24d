"""The table as an SVG picture: each Mob with its cards, the centre, the lot or the attack."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

import numpy as np

from ...core.game import Game
from ...core.presentation.svg import Marks, document, element, menu, piece, rect, sentence, text
from ...core.state import State
from .. import actions as act
from ..data import (
    CARDS_DATA,
    CROOK_IDS,
    KIND_OF_COPY,
    MOB_IDS,
    RACKET_DISTRICT,
    RACKET_IDS,
    RACKET_POWER,
    SPECIAL_IDS,
)
from ..state import CARDS, CENTRE, CROOKS, NONE, TAKE
from ..words.cards import ability_mark, crook_power, special_name
from ..words.narration import as_seen, card_name
from ..words.questions import attack_words, piece_of, who_decides
from .cards import (
    CHIP_HEIGHT,
    CHIP_WIDTH,
    GOLD,
    HEIGHT,
    INK,
    LEAST,
    MOB_COLOURS,
    RED,
    WIDTH,
    card_back,
    crook_face,
    fit,
    label,
    racket_chip,
    special_chip,
)

PICTURE_WIDTH: Final = 1260
HEAD: Final = 48
PANEL: Final = 414
LOT_WIDTH: Final = 340
LOT_CHIP: Final = 1.25
"""How much larger than elsewhere the Racket that is for sale is drawn."""
ABOVE: Final = 86
"""Height of what stands above a Mob's Crooks."""
LARGEST: Final = 1.3
"""How much larger than drawn the cards of a Mob may lie on the table."""
BRIEF: Final = 0.95
"""How large a Crook's card has to be drawn for its ability to be written on it."""
PAPER: Final = "#1d1a22"
BOARD: Final = "#2a2631"
EDGE: Final = "#4b4356"
LIGHT: Final = "#f3ead6"
MUTED: Final = "#b9b0a0"


def svg(
    game: Game, state: State, viewer: int | None, legal: Sequence[int] = (), last: str = ""
) -> str:
    """The table as ``viewer`` sees it; legal actions carry ``data-action`` or ``data-actions``."""
    picture = _Picture(game, as_seen(game, state, viewer), viewer, legal)
    return picture.draw(last)


class _Picture:
    """Elements of one picture."""

    def __init__(self, game: Game, state: State, viewer: int | None, legal: Sequence[int]) -> None:
        self.game, self.state, self.viewer = game, state, viewer
        self.marks = Marks(frozenset(map(int, legal)), lambda a: game.describe(state, a))
        n = int(state.num_seats)
        self.columns = 2 if n == 3 else 3
        self.panel_width = PICTURE_WIDTH // self.columns
        self.rows = -(-(n + 1) // self.columns)

    def draw(self, last: str) -> str:
        """The whole picture."""
        n = int(self.state.num_seats)
        height = HEAD + self.rows * PANEL + (26 if last else 4)
        parts = [rect(0, 0, PICTURE_WIDTH, height, PAPER), self.header()]
        for seat in range(n):
            row, column = divmod(seat, self.columns)
            parts.append(self.seat(seat, column * self.panel_width, HEAD + row * PANEL))
        row, column = divmod(n, self.columns)
        parts.append(self.centre(column * self.panel_width, HEAD + row * PANEL))
        if last:
            shown = textwrap.shorten(last, 150, placeholder=" \u2026")
            parts.append(sentence(last, [text(16, height - 8, shown, 14, MUTED)]))
        focus = self.focus()
        return document(PICTURE_WIDTH, height, "".join(parts), data_focus=focus)

    def focus(self) -> str | None:
        """The card that everything is about at the moment."""
        state = self.state
        if state.lot >= 0:
            return piece_of(int(state.lot))
        if not state.attacking:
            return None
        target = int(state.target)
        return RACKET_IDS[target] if state.kind == TAKE else CROOK_IDS[target]

    # --- what may be done -----------------------------------------------------------------------

    def target(self, now: Sequence[int], menus: Sequence[int], content: str) -> str:
        """A card with its legal actions: those of ``now`` at one click, others from a menu."""
        found, hostile = self.marks.of(now), self.marks.of(menus)
        if len(found) == 1 and not hostile:
            return self.marks.wrap(found[0], content)
        return menu([*found, *hostile], content) if found or hostile else content

    # --- parts of the table -----------------------------------------------------------------

    def header(self) -> str:
        """Turn, what it takes, and who decides what."""
        state = self.state
        parts = [
            text(16, 33, "Crime Lords", 24, GOLD, font_weight="bold"),
            piece("turn", text(190, 32, f"turn {state.turn}", 16, LIGHT)),
            piece("count", text(276, 32, f"{state.required} to win", 16, LIGHT)),
            piece("deck", text(404, 32, f"{state.deck_size} cards in the deck", 16, LIGHT)),
        ]
        if state.over:
            winners = [
                self.game.seat_name(state, s)
                for s in range(int(state.num_seats))
                if state.places[s] == 1
            ]
            words = f"Won by {' and '.join(winners)}"
        else:
            words = who_decides(self.game, state)
        if state.war:
            words = f"GANG WAR  \u00b7  {words}"
        size = fit(words, 16, 600)
        return "".join([*parts, text(PICTURE_WIDTH - 16, 32, words, size, GOLD, "end")])

    def seat(self, seat: int, x: float, y: float) -> str:
        """A Mob: name, count, money, Specials, Crooks, Rackets."""
        state, width = self.state, self.panel_width
        is_active = seat == state.active and not state.over
        won = state.over and state.places[seat] == 1
        edge = GOLD if is_active or won else EDGE
        parts = [
            rect(x + 5, y + 5, width - 10, PANEL - 10, BOARD, 8, stroke=edge,
                 stroke_width=3 if edge == GOLD else 1),
            self.title(seat, x, y),
        ]  # fmt: skip
        if not state.alive[seat]:
            parts.append(text(x + width / 2, y + 190, "out of the game", 18, MUTED, "middle"))
            return "".join(parts)
        parts += [
            self.money(seat, x, y),
            self.specials(seat, x + 12, y + 62),
            self.ability(seat, x + width - 15, y + 54),
            *self.cards(seat, x + 10, y),
        ]
        name = self.game.seat_name(state, seat)
        return element("g", "".join(parts), data_region=f"seat-{seat}", data_name=name)

    def title(self, seat: int, x: float, y: float) -> str:
        """The name of a Mob, and how far it is from victory."""
        state, width = self.state, self.panel_width
        mob = int(state.mob[seat])
        name = self.game.seat_name(state, seat)
        colour = MOB_COLOURS[mob] if state.alive[seat] else EDGE
        words = text(x + 15, y + 26, name, 15.5, LIGHT, font_weight="bold", data_seat_name=seat,
                     data_room=width - 110)  # fmt: skip
        body = rect(x + 7, y + 7, width - 14, 28, colour, 6) + words
        j = (seat - int(state.seat)) % int(state.num_seats)
        chosen = self.marks.of([act.PLAYER_AT + j] if j else [])
        body = piece(MOB_IDS[mob], body)
        if chosen:
            ring = rect(x + 7, y + 7, width - 14, 28, "none", 6, stroke=GOLD, stroke_width=3)
            body = self.marks.wrap(chosen[0], body + ring)
        count = f"{state.count[seat]} / {state.required}"
        number = text(x + width - 15, y + 27, count, 17, LIGHT, "end", font_weight="bold")
        held = int((state.racket_loc == seat).sum())
        bonus = int(state.count[seat]) - held
        now = f"{held} Rackets" + (f" and {bonus} for bonuses" if bonus else "")
        return body + (piece("count", number, now) if state.alive[seat] else "")

    def money(self, seat: int, x: float, y: float) -> str:
        """Treasury, income and pay; during the auctions what is left to bid."""
        state = self.state
        if state.bid_money[seat]:
            words = f"{state.bid_money[seat]} G to bid with"
            return piece("bid_money", text(x + 15, y + 54, words, 14.5, LIGHT))
        open_money = self.viewer in (None, seat) or bool(state.open_money)
        money = f"{state.treasury[seat]} G" if open_money else f"\u2248 {state.ledger[seat]} G"
        income, due = f"income +{state.mob_income[seat]}", f"pay \u2212{state.due[seat]}"
        return (
            piece("money", text(x + 15, y + 54, money, 15.5, GOLD, font_weight="bold"))
            + piece("income", text(x + 0.24 * self.panel_width, y + 54, income, 14, LIGHT))
            + piece("dues", text(x + 0.48 * self.panel_width, y + 54, due, 14, LIGHT))
        )

    def ability(self, seat: int, x: float, y: float) -> str:
        """What the Mob can do, in short."""
        mob = int(self.state.mob[seat])
        words = ability_mark(CARDS_DATA["mobs"][mob]["abilities"][0])
        return piece(MOB_IDS[mob], text(x, y, words, fit(words, 13, 165), MUTED, "end"))

    def specials(self, seat: int, x: float, y: float) -> str:
        """Specials in hand: shown ones and one's own by name, backs of the others."""
        state = self.state
        room = x + self.panel_width - 24
        parts = []
        open_hand = self.viewer in (None, seat)
        for s in np.flatnonzero(state.special_loc == seat):
            if not open_hand and not state.shown[s]:
                continue
            kind = int(KIND_OF_COPY[s])
            body, width = special_chip(special_name(kind), x, y, bool(state.shown[s]))
            if x + width > room:
                parts.append(text(x, y + 15, "\u2026", 16, LIGHT))
                break
            now = "" if state.shown[s] else "Hidden from the others."
            own = [act.SPECIAL_AT + kind] if seat == state.seat else []
            parts.append(self.target([], own, piece(SPECIAL_IDS[kind], body, now)))
            x += width + 5
        hidden = 0 if open_hand else int(state.hidden[seat])
        backs = "".join(card_back(x + 18 * k, y) for k in range(min(hidden, int((room - x) / 18))))
        return "".join(parts) + (piece("hidden", backs) if backs else "")

    def cards(self, seat: int, x: float, y: float) -> list[str]:
        """A Mob's Crooks, and below them its Rackets, by district."""
        rackets = [int(r) for r in np.flatnonzero(self.state.racket_loc == seat)]
        rackets.sort(key=lambda r: (int(RACKET_DISTRICT[r]), r))
        rows = -(-len(rackets) // int((self.panel_width - 22) / (CHIP_WIDTH + 3)))
        chips = (CHIP_HEIGHT + 3) * min(max(rows, 2), 4)
        foot = PANEL - 8 - chips
        return [
            self.mob(seat, x, y + ABOVE, foot - ABOVE - 6),
            self.chips(rackets, x + 1, y + foot, chips, LARGEST),
        ]

    def mob(self, seat: int, x: float, y: float, room: float) -> str:
        """The Mob's grid, scaled to its room; Crooks off the grid stand at its foot."""
        state, width = self.state, self.panel_width - 20
        crooks = np.flatnonzero(state.crook_loc == seat)
        placed = [int(c) for c in crooks if state.placed[c]]
        waiting = [int(c) for c in crooks if not state.placed[c]]
        height = room - (58 if waiting and placed else 0)
        parts = [self.row(waiting, x, y + height if placed else y, width, room - height or room)]
        if not placed:
            return "".join(parts)
        xs, ys = state.x[placed].astype(int), state.y[placed].astype(int)
        across, down = int(xs.max() - xs.min()) + 1, int(ys.max() - ys.min()) + 1
        scale = min(LARGEST, width / (across * (WIDTH + 8)), height / (down * (HEIGHT + 8)))
        cell_w, cell_h = scale * (WIDTH + 8), scale * (HEIGHT + 8)
        left = x + (width - across * cell_w) / 2
        top = y + (height - down * cell_h) / 2
        middle = {
            c: (
                left + (int(state.x[c]) - xs.min() + 0.5) * cell_w,
                top + (ys.max() - int(state.y[c]) + 0.5) * cell_h,
            )
            for c in placed
        }
        for c in placed:
            if state.superior[c] in middle:
                (x1, y1), (x2, y2) = middle[c], middle[int(state.superior[c])]
                parts.append(
                    f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                    f'stroke="{GOLD}" stroke-width="6"/>'
                )
        parts += [self.crook(c, *middle[c], scale) for c in placed]
        return "".join(parts)

    def row(self, crooks: Sequence[int], x: float, y: float, width: float, height: float) -> str:
        """Crooks in rows, as large as they fit."""
        if not crooks:
            return ""
        wide, high = WIDTH + 6, HEIGHT + 6
        scale, in_row = max(
            (
                min(LARGEST, width / (across * wide), height / (-(-len(crooks) // across) * high)),
                across,
            )
            for across in range(1, len(crooks) + 1)
        )
        parts = []
        for k, crook in enumerate(crooks):
            line, column = divmod(k, in_row)
            at = (
                x + scale * (WIDTH + 6) * (column + 0.5),
                y + scale * (HEIGHT + 6) * (line + 0.5),
            )
            parts.append(self.crook(crook, *at, scale))
        return "".join(parts)

    def crook(self, crook: int, x: float, y: float, scale: float) -> str:
        """A Crook's card around a point."""
        state = self.state
        seat = int(state.crook_loc[crook])
        boss = int(state.boss[seat]) if seat >= 0 else NONE
        is_boss, lieutenant = boss == crook, boss >= 0 and state.superior[crook] == boss
        first = [act.CROOK_AT + crook]
        menus = [act.REC_AT + crook, act.HIT_AT + crook]
        menus += [act.PLACE_AT + 4 * crook + side for side in range(4)]
        can = bool(self.marks.of(first + menus))
        aimed = state.attacking and state.kind != TAKE and state.target == crook
        leads = state.attacking and state.leader == crook
        stroke = RED if aimed else GOLD if can or leads else "#6f6557"
        fill = "#f6e9c6" if is_boss else "#e6dabd" if lieutenant else "#d3c8ad"
        power = crook_power(state, crook)
        parts = [
            rect(0, 0, WIDTH, HEIGHT, fill, 8, stroke=stroke,
                 stroke_width=4 if stroke != "#6f6557" else 1.5),
            crook_face(crook, scale < BRIEF),
            text(WIDTH - 7, 25, str(power), 25, "#7a1f1a" if is_boss else INK, "end",
                 font_weight="bold"),
        ]  # fmt: skip
        if is_boss or lieutenant:
            rank = "BOSS" if is_boss else "LIEUT."
            tag = "#7a1f1a" if is_boss else "#6b5a3a"
            parts.append(rect(2, 46, 53, 16, tag, 3))
            parts.append(label(28.5, 58.5, rank, LEAST, 50, "#fff", "middle", "bold"))
        if state.token[crook]:
            parts.append(f'<circle cx="11" cy="11" r="8" fill="{GOLD}" stroke="#6d5212"/>')
            parts.append(text(11, 15.5, "T", LEAST, INK, "middle", font_weight="bold"))
        for k in range(int(state.unhappy[crook])):
            parts.append(_frown(86 + 14 * k, 15))
        place = f"translate({x - scale * WIDTH / 2:.1f} {y - scale * HEIGHT / 2:.1f})"
        size = "" if scale == 1 else f" scale({scale:.3f})"
        body = f'<g transform="{place}{size}">{"".join(parts)}</g>'
        card = piece(CROOK_IDS[crook], body, *self.crook_now(crook, is_boss, bool(lieutenant)))
        return self.target(first, menus, card)

    def crook_now(self, crook: int, is_boss: bool, lieutenant: bool) -> list[str]:
        """What is true of a Crook at the moment."""
        state = self.state
        seat = int(state.crook_loc[crook])
        where = "In the centre"
        if seat >= 0:
            rank = "Boss of" if is_boss else "Lieutenant of" if lieutenant else "With"
            where = f"{rank} {self.game.seat_name(state, seat)}"
        lines = [f"{where}. Power now {crook_power(state, crook)}."]
        if state.counters[crook]:
            lines.append(f"Gained {state.counters[crook]} Power by Hits.")
        if seat >= 0 or state.token[crook]:
            lines.append("Has his token." if state.token[crook] else "His token is spent.")
        if state.unhappy[crook]:
            lines.append(f"Unhappy: {state.unhappy[crook]} of the 3 markers at which he leaves.")
        return lines

    def chips(
        self, rackets: Sequence[int], x: float, y: float, height: float, largest: float = 1.0
    ) -> str:
        """Rackets in rows, as large as they fit."""
        if not rackets:
            return ""
        room, wide, high = self.panel_width - 22, CHIP_WIDTH + 3, CHIP_HEIGHT + 3
        scale, in_row = max(
            (min(largest, room / (across * wide), height / (-(-len(rackets) // across) * high)),
             across)
            for across in range(1, len(rackets) + 1)
        )  # fmt: skip
        parts = []
        for k, racket in enumerate(rackets):
            row, column = divmod(k, in_row)
            at = x + wide * scale * column, y + high * scale * row
            parts.append(self.racket(racket, *at, scale))
        return "".join(parts)

    def racket(self, racket: int, x: float, y: float, scale: float) -> str:
        """A Racket's chip."""
        state = self.state
        first, menus = [act.RACKET_AT + racket], [act.TAKE_AT + racket]
        aimed = state.attacking and state.kind == TAKE and state.target == racket
        stroke = "#ffffff" if aimed else GOLD if self.marks.of(first + menus) else "none"
        blocked = bool(state.blocked[racket])
        income = "\u00d7" if blocked else str(int(state.income[racket]))
        token = bool(state.racket_token[racket]) if RACKET_POWER[racket] else None
        now = [
            f"Brings {income} G now." if not blocked else "Blocked: it brings nothing next time."
        ]
        if token is not None and state.racket_loc[racket] >= 0:
            now.append("Has its token." if token else "Its token is spent.")
        size = "" if scale == 1 else f" scale({scale:.3f})"
        chip = racket_chip(racket, income, stroke, token)
        body = f'<g transform="translate({x:.1f} {y:.1f}){size}">{chip}</g>'
        return self.target(first, menus, piece(RACKET_IDS[racket], body, *now))

    # --- the centre -----------------------------------------------------------------------------

    def centre(self, x: float, y: float) -> str:
        """The cards that nobody controls, and the lot or the attack in progress."""
        state, width = self.state, self.panel_width
        crooks = [int(c) for c in np.flatnonzero(state.crook_loc == CENTRE)]
        rackets = [int(r) for r in np.flatnonzero(state.racket_loc == CENTRE)]
        busy = state.lot >= 0 or state.attacking
        foot = PANEL - (104 if busy else 12)
        rows = -(-len(rackets) // int((width - 22) / (CHIP_WIDTH + 3)))
        chips = min(rows, 3) * (CHIP_HEIGHT + 3)
        parts = [
            rect(x + 5, y + 5, width - 10, PANEL - 10, "#23303a", 8, stroke=EDGE),
            piece("centre", text(x + 15, y + 28, "The centre", 16, GOLD, font_weight="bold")),
            self.row(crooks, x + 10, y + 38, width - 20, foot - chips - 44),
            self.chips(rackets, x + 11, y + foot - chips - 2, max(chips, 1)),
        ]
        if state.lot >= 0:
            parts.append(self.lot(x + 12, y + foot + 16))
        elif state.attacking:
            parts.append(self.attack(x + 12, y + foot + 12))
        return element("g", "".join(parts), data_region="centre", data_name="The centre")

    def lot(self, x: float, y: float) -> str:
        """The card under the hammer, and the bid."""
        state, width = self.state, min(self.panel_width - 24, LOT_WIDTH)
        lot = int(state.lot)
        name = card_name(lot)
        bidder = int(state.bidder)
        words = f"{state.bid} G by {self.game.seat_name(state, bidder)}"
        bid = words if bidder >= 0 else "no bid yet"
        right = x + 148 if lot < CROOKS else x + 12
        parts = [
            rect(x, y - 14, width, 94, "#3b3218", 8, stroke=GOLD, stroke_width=2),
            text(right, y + 8, "For sale", 13, MUTED),
            text(right, y + 38, name, fit(name, 17, x + width - right - 8), LIGHT,
                 font_weight="bold"),
        ]  # fmt: skip
        if lot < CROOKS:
            parts.append(self.crook(lot, x + 74, y + 33, 1))
        elif lot < CARDS:
            left = x + width - LOT_CHIP * CHIP_WIDTH - 8
            parts.append(self.racket(lot - CROOKS, left, y - 9, LOT_CHIP))
        card = piece(piece_of(lot), "".join(parts))
        return card + piece("bid", text(right, y + 64, bid, 15, GOLD))

    def attack(self, x: float, y: float) -> str:
        """The attack in progress, with its number."""
        state, width = self.state, self.panel_width - 24
        words = attack_words(state)
        words = words[0].upper() + words[1:]
        who = self.game.seat_name(state, int(state.attacker))
        parts = [
            rect(x, y, width, 80, "#3a2226", 8, stroke=RED, stroke_width=2),
            text(x + 12, y + 24, words, fit(words, 15, width - 84), LIGHT, font_weight="bold"),
            text(x + 12, y + 45, f"by {who}", 14, LIGHT),
        ]
        known = state.leader >= 0
        number = text(x + width - 14, y + 52, str(int(state.number)) if known else "?", 36, GOLD,
                      "end", font_weight="bold")  # fmt: skip
        parts.append(piece("number", number, "" if known else "Nobody leads it yet."))
        if state.revealed:
            money = [
                f"{self.game.seat_name(state, seat)} {int(m):+d}"
                for seat, m in enumerate(state.commitments[: state.num_seats])
                if m
            ]
            words = "money: " + (", ".join(money) or "none")
            parts.append(text(x + 12, y + 68, words, fit(words, 13, width - 24), MUTED))
        return "".join(parts)


def _frown(x: float, y: float) -> str:
    """An Unhappy marker."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="6.5" fill="{RED}" stroke="#5e150f"/>'
        f'<path d="M{x - 3:g} {y + 3:g}q3 -4 6 0M{x - 2.5:g} {y - 2:g}h1M{x + 1.5:g} {y - 2:g}h1" '
        'stroke="#fff" stroke-width="1.3" fill="none"/>'
    )
