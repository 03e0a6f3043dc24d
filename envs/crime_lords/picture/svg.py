"""The table as an SVG picture: each Mob as its grid, Rackets by district, centre, attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.state import State
from ...core.svg import clickable, document, rect, text
from .. import actions as act
from ..data.tables import (
    CARDS_DATA,
    CROOK_IDS,
    KIND_OF_COPY,
    RACKET_DISTRICT,
    RACKET_IDS,
    SPECIAL_IDS,
)
from ..state import CARDS, CENTRE, CROOKS, TAKE
from ..words.action_texts import text_of
from ..words.mobs import crook_power
from ..words.narration import as_seen, crook_name, racket_name, special_name, who_decides

if TYPE_CHECKING:
    from ..game import CrimeLords

WIDTH: Final = 1260
HEAD: Final = 58
PANEL: Final = 318
GRID: Final = 176
BUTTONS_IN_ROW: Final = 12
INK: Final = "#f3ead6"
PAPER: Final = "#1d1a22"
BOARD: Final = "#2a2631"
EDGE: Final = "#4b4356"
GOLD: Final = "#e8b84a"
RED: Final = "#d4483b"
MUTED: Final = "#a89f8f"
DISTRICT_COLOURS: Final = ("#3f74c4", "#c9a52b", "#c1463f", "#3f9455", "#8a55b5")
MOB_COLOURS: Final = (
    "#7d4436", "#43607a", "#3d5fa8", "#8a7430", "#8f3f44", "#3f7a58", "#6b5a86", "#4d5663",
)  # fmt: skip


def svg(game: CrimeLords, state: State, viewer: int | None, legal: Sequence[int], last: str) -> str:
    """The table as ``viewer`` sees it; legal actions carry ``data-action``."""
    picture = _Picture(game, as_seen(game, state, viewer), viewer, legal)
    return picture.draw(last)


class _Picture:
    """Elements of one picture."""

    def __init__(
        self, game: CrimeLords, state: State, viewer: int | None, legal: Sequence[int]
    ) -> None:
        self.game, self.state, self.viewer, self.legal = game, state, viewer, list(legal)
        self.parts: list[str] = []
        n = int(state.num_seats)
        self.columns = 2 if n == 3 else 3
        self.panel_width = WIDTH // self.columns
        self.rows = -(-(n + 1) // self.columns)

    def draw(self, last: str) -> str:
        """The whole picture."""
        n = int(self.state.num_seats)
        board = HEAD + self.rows * PANEL
        buttons = -(-len(self.legal) // BUTTONS_IN_ROW)
        height = board + 12 + 30 * buttons + (24 if last else 0)
        self.rect(0, 0, WIDTH, height, PAPER)
        self.header()
        for seat in range(n):
            row, column = divmod(seat, self.columns)
            self.seat(seat, column * self.panel_width, HEAD + row * PANEL)
        row, column = divmod(n, self.columns)
        self.centre(column * self.panel_width, HEAD + row * PANEL)
        self.buttons(board + 4)
        if last:
            self.text(16, height - 9, last[:170], 13, MUTED)
        return document(WIDTH, height, "".join(self.parts))

    # --- elements ---------------------------------------------------------------------------

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        stroke: str | None = None,
        line: float = 1,
        rx: float = 0,
    ) -> None:
        edge = line if stroke else None
        self.parts.append(rect(x, y, width, height, fill, rx, stroke=stroke, stroke_width=edge))

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        fill: str = INK,
        anchor: str = "start",
        weight: str | None = None,
    ) -> None:
        self.parts.append(text(x, y, words, size, fill, anchor, font_weight=weight))

    def open_group(self, actions: Sequence[int]) -> bool:
        """Start a group that stands for a legal action, if there is just one of these."""
        found = [a for a in actions if a in self.legal]
        if len(found) == 1:
            self.open_action(found[0], text_of(found[0]))
            return True
        self.parts.append("<g>")
        return bool(found)

    def open_action(self, action: int, title: str) -> None:
        """Start a group that stands for a legal action."""
        self.parts.append(clickable(action, title, "").removesuffix("</g>"))

    def close_group(self) -> None:
        self.parts.append("</g>")

    # --- parts of the table -----------------------------------------------------------------

    def header(self) -> None:
        """Title, turn, who decides."""
        state = self.state
        self.text(16, 37, "Crime Lords", 26, GOLD, weight="bold")
        wanted = f"turn {state.turn}  ·  {state.required} to win  ·  deck {state.deck_size}"
        self.text(200, 36, wanted, 15)
        if state.over:
            winners = [
                self.game.seat_name(state, s)
                for s in range(int(state.num_seats))
                if state.places[s] == 1
            ]
            words = f"won by {' and '.join(winners)}"
        else:
            words = who_decides(self.game, state, spoken=True)
        if state.war:
            words = "GANG WAR  ·  " + words
        self.text(WIDTH - 16, 36, words, 15, GOLD, "end")

    def seat(self, seat: int, x: float, y: float) -> None:
        """A Mob: name, count, money, grid, Rackets."""
        state, width = self.state, self.panel_width
        is_active = seat == state.active and not state.over
        won = state.over and state.places[seat] == 1
        edge = GOLD if is_active or won else EDGE
        self.rect(x + 5, y + 5, width - 10, PANEL - 10, BOARD, edge, 2.5 if edge == GOLD else 1, 8)
        colour = MOB_COLOURS[int(state.mob[seat])] if state.alive[seat] else EDGE
        self.rect(x + 7, y + 7, width - 14, 26, colour, rx=6)
        name = self.game.seat_name(state, seat)
        self.text(x + 15, y + 25, f"{seat}  {name}", 14, INK, weight="bold")
        if not state.alive[seat]:
            self.text(x + width / 2, y + 150, "out of the game", 18, MUTED, "middle")
            return
        j = (seat - int(state.seat)) % int(state.num_seats)
        if self.open_group([act.PLAYER_AT + j] if j else []):
            self.rect(x + 7, y + 7, width - 14, 26, "none", GOLD, 2, 6)
        self.close_group()
        self.text(
            x + width - 15,
            y + 25,
            f"{state.count[seat]} / {state.required}",
            15,
            INK,
            "end",
            "bold",
        )
        open_money = self.viewer in (None, seat) or state.open_money
        money = f"{state.treasury[seat]} G" if open_money else f"≈ {state.ledger[seat]} G"
        if state.bid_money[seat]:
            money = f"bids with {state.bid_money[seat]} G"
        words = f"{money}   +{state.mob_income[seat]} −{state.due[seat]}"
        self.text(x + 15, y + 49, words, 13)
        self.text(x + width - 15, y + 49, self.specials(seat), 12, GOLD, "end")
        self.grid(seat, x + 12, y + 56)
        self.rackets(seat, x + 12, y + 60 + GRID)

    def specials(self, seat: int) -> str:
        """Specials in hand: shown ones and one's own by number."""
        state = self.state
        names = [
            SPECIAL_IDS[KIND_OF_COPY[s]] + "!" * int(state.shown[s])
            for s in np.flatnonzero(state.special_loc == seat)
            if self.viewer in (None, seat) or state.shown[s]
        ]
        if self.viewer not in (None, seat):
            names += ["▮"] * int(state.hidden[seat])
        return " ".join(names)

    def grid(self, seat: int, x: float, y: float) -> None:
        """The Mob's grid, scaled to its panel; Crooks off the grid stand at its foot."""
        state, width = self.state, self.panel_width - 24
        crooks = np.flatnonzero(state.crook_loc == seat)
        placed = [int(c) for c in crooks if state.placed[c]]
        waiting = [int(c) for c in crooks if not state.placed[c]]
        height = GRID - (38 if waiting else 0)
        if placed:
            xs, ys = state.x[placed].astype(int), state.y[placed].astype(int)
            across, down = int(xs.max() - xs.min()) + 1, int(ys.max() - ys.min()) + 1
            cell_w, cell_h = min(96.0, width / across), min(58.0, height / down)
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
                    self.parts.append(
                        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                        f'stroke="{GOLD}" stroke-width="5"/>'
                    )
            for c in placed:
                self.crook(c, *middle[c], cell_w - 7, cell_h - 7)
        for k, c in enumerate(waiting):
            self.crook(c, x + 40 + 76 * k, y + GRID - 16, 72, 32)

    def crook_actions(self, crook: int) -> list[int]:
        """Actions that name just this Crook."""
        return [act.CROOK_AT + crook, act.REC_AT + crook, act.HIT_AT + crook]

    def crook(self, crook: int, x: float, y: float, width: float, height: float) -> None:
        """A Crook's card around a point: id, Power, token, Unhappy markers."""
        state = self.state
        seat = int(state.crook_loc[crook])
        is_boss = seat >= 0 and state.boss[seat] == crook
        lieutenant = seat >= 0 and not is_boss and state.superior[crook] == state.boss[seat]
        can = self.open_group(self.crook_actions(crook))
        aimed = state.attacking and state.kind != TAKE and state.target == crook
        leads = state.attacking and state.leader == crook
        stroke = RED if aimed else GOLD if can or leads else EDGE
        fill = "#efe3c8" if is_boss else "#d9cdb2" if lieutenant else "#bfb49d"
        self.rect(
            x - width / 2,
            y - height / 2,
            width,
            height,
            fill,
            stroke,
            3 if stroke != EDGE else 1,
            5,
        )
        small = min(11.0, height / 3.2)
        name = str(CARDS_DATA["crooks"][crook]["name"]).replace('"', "").split()[-1]
        self.text(x - width / 2 + 5, y - height / 2 + small + 2, CROOK_IDS[crook], small, "#57493a")
        self.text(
            x + width / 2 - 5,
            y - height / 2 + 1.5 * small + 2,
            str(crook_power(state, crook)),
            1.5 * small,
            "#7a1f1a" if is_boss else "#2d2620",
            "end",
            "bold",
        )
        if height > 34 and width > 60:
            self.text(x - width / 2 + 5, y + 3 + small / 2, name[:11], small, "#2d2620")
        foot = y + height / 2 - 6
        if is_boss or lieutenant:
            rank = "Boss" if is_boss else "Lt"
            self.text(x, foot + 3, rank, min(9.0, height / 4), "#7a1f1a", "middle", "bold")
        if state.token[crook]:
            self.parts.append(
                f'<circle cx="{x - width / 2 + 9:.1f}" cy="{foot:.1f}" r="4.5" '
                f'fill="{GOLD}" stroke="#6d5212"/>'
            )
        for k in range(int(state.unhappy[crook])):
            self.parts.append(
                f'<circle cx="{x + width / 2 - 9 - 11 * k:.1f}" cy="{foot:.1f}" r="4.5" '
                f'fill="{RED}" stroke="#5e150f"/>'
            )
        self.close_group()

    def rackets(self, seat: int, x: float, y: float) -> None:
        """A seat's Rackets, coloured by district, in rows."""
        state = self.state
        held = [int(r) for r in np.flatnonzero(state.racket_loc == seat)]
        held.sort(key=lambda r: (int(RACKET_DISTRICT[r]), r))
        in_row = (self.panel_width - 24) // 66
        for k, racket in enumerate(held[: 3 * in_row]):
            row, column = divmod(k, in_row)
            self.racket(racket, x + 66 * column, y + 24 * row)
        if len(held) > 3 * in_row:
            self.text(x, y + 80, f"+{len(held) - 3 * in_row} more", 11, MUTED)

    def racket(self, racket: int, x: float, y: float) -> None:
        """A Racket's chip: id, income, token, block."""
        state = self.state
        can = self.open_group([act.RACKET_AT + racket, act.TAKE_AT + racket])
        aimed = state.attacking and state.kind == TAKE and state.target == racket
        stroke = "#ffffff" if aimed else GOLD if can else "none"
        fill = DISTRICT_COLOURS[int(RACKET_DISTRICT[racket])]
        self.rect(x, y, 63, 21, fill, stroke, 2.5, 4)
        self.text(x + 4, y + 15, RACKET_IDS[racket], 10.5, "#ffffff")
        income = "×" if state.blocked[racket] else str(int(state.income[racket]))
        self.text(x + 59, y + 15, income, 11, "#ffffff", "end", "bold")
        if state.racket_token[racket]:
            self.parts.append(
                f'<circle cx="{x + 59:.1f}" cy="{y + 2:.1f}" r="4.5" fill="{GOLD}" '
                'stroke="#6d5212"/>'
            )
        self.close_group()

    def centre(self, x: float, y: float) -> None:
        """The uncontrolled area, the lot or the attack in progress."""
        state, width = self.state, self.panel_width
        self.rect(x + 5, y + 5, width - 10, PANEL - 10, "#23303a", EDGE, 1, 8)
        self.text(x + 15, y + 27, "Centre", 15, GOLD, weight="bold")
        crooks = [int(c) for c in np.flatnonzero(state.crook_loc == CENTRE)]
        rackets = [int(r) for r in np.flatnonzero(state.racket_loc == CENTRE)]
        chips = 24 * -(-len(rackets) // ((width - 24) // 66))
        busy = state.lot >= 0 or state.attacking
        room = PANEL - 48 - chips - (80 if busy else 0)
        for across, down in ((80, 46), (64, 34), (52, 26), (46, 20)):
            in_row = (width - 24) // across
            if down * -(-len(crooks) // in_row) <= room:
                break
        for k, crook in enumerate(crooks):
            row, column = divmod(k, in_row)
            middle = x + 14 + across * (column + 0.5), y + 37 + down * (row + 0.5)
            self.crook(crook, *middle, across - 4, down - 4)
        top = y + 40 + down * -(-len(crooks) // in_row)
        in_row = (width - 24) // 66
        for k, racket in enumerate(rackets):
            row, column = divmod(k, in_row)
            self.racket(racket, x + 14 + 66 * column, top + 24 * row)
        foot = y + PANEL - 78
        if state.lot >= 0:
            lot = int(state.lot)
            if lot < CROOKS:
                name = crook_name(lot)
            elif lot < CARDS:
                name = racket_name(lot - CROOKS)
            else:
                name = special_name(KIND_OF_COPY[lot - CARDS])
            self.text(x + 15, foot + 20, f"Lot: {name}", 14, INK, weight="bold")
            bidder = int(state.bidder)
            high = f" by {self.game.seat_name(state, bidder)}" if bidder >= 0 else ""
            self.text(x + 15, foot + 42, f"bid {state.bid} G{high}", 13)
        elif state.attacking:
            target = int(state.target)
            name = racket_name(target) if state.kind == TAKE else crook_name(target)
            verb = ("", "Recruit", "Hit", "Take over")[state.kind]
            who = self.game.seat_name(state, int(state.attacker))
            self.rect(x + 12, foot - 2, width - 24, 68, "#3a2226", RED, 1.5, 6)
            self.text(x + 20, foot + 19, f"{verb} {name}"[:44], 13.5, INK, weight="bold")
            self.text(x + 20, foot + 38, f"by {who}", 12.5)
            number = str(int(state.number)) if state.leader >= 0 else "?"
            self.text(x + width - 24, foot + 46, number, 34, GOLD, "end", "bold")
            if state.revealed:
                money = [
                    f"{seat}: {int(m):+d}"
                    for seat, m in enumerate(state.commitments[: state.num_seats])
                    if m
                ]
                self.text(x + 20, foot + 57, "money " + (", ".join(money) or "none"), 12, MUTED)

    def buttons(self, y: float) -> None:
        """Every legal action as a button."""
        width = (WIDTH - 20) / BUTTONS_IN_ROW
        for k, action in enumerate(self.legal):
            row, column = divmod(k, BUTTONS_IN_ROW)
            name = text_of(action)
            words = self.game.describe(self.state, action)
            self.open_action(action, words)
            self.rect(10 + column * width, y + 30 * row, width - 5, 25, "#3b3446", GOLD, 1, 5)
            self.text(10 + (column + 0.5) * width - 2.5, y + 30 * row + 17, name, 12, INK, "middle")
            self.close_group()
