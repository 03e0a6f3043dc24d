"""Crime Lords as a :class:`Game`: its parts handed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.errors import OptionError
from ..core.game import Game, Rules
from ..core.guide import Choice, Piece, Turn
from ..core.options import Option, OptionSet, OptionValue
from ..core.state import State, States
from . import guide
from .actions import END, KEEP, NUM_ACTIONS, PASS_ACTION
from .consistency import inconsistency
from .data.tables import CARDS_DATA, VICTORY
from .hidden.redact import redact
from .hidden.resample import resample_hidden
from .items import ITEM_ACTIONS
from .observation.layout import LAYOUT
from .observation.observe import observe
from .picture import svg as picture
from .rules.engine import apply, reset
from .rules.phases import legal_actions
from .state import (
    BY_RACKETS,
    CROOKS,
    DECISION_CAP,
    DTYPE,
    MAX_SEATS,
    MOST_BID,
    PHASES,
    RACKETS,
    RECORD,
    RUNNING,
)
from .words import action_texts, narration, notation, questions, reasons, terminal

VICTORIES: Final = ("short", "long")
END_MODES: Final = ("rackets", "domination", "last_standing")
RETOKEN: Final = ("end", "start")
MOST_AUCTIONED: Final = 88
"""Crooks and Rackets in the deck: the auction must end and leave two for the centre (CL-21.2)."""


class CrimeLords(Game):
    """Crime Lords; 2 to 8 Mobs, see ``RULES.md``."""

    name = "crime_lords"
    title = "Crime Lords"
    about = guide.ABOUT
    rules_version = 2
    record = RECORD
    dtype = DTYPE
    scratch = (*RECORD.scratch, *(name for name in DTYPE.names or () if name.startswith("gap_")))
    num_actions = NUM_ACTIONS
    observation_layout = LAYOUT
    item_actions = ITEM_ACTIONS
    options = OptionSet(
        (
            Option("players", 5, "Mobs at the table", 2, MAX_SEATS),
            Option("victory", "short", "length of the game", words=VICTORIES),
            Option("victory_target", "none", "Rackets needed to win", 1, RACKETS, words=("none",)),
            Option("bonus_counts", True, "bonuses for types and districts", flag=True),
            Option("end_mode", "rackets", "what ends the game", words=END_MODES),
            Option("agreement", True, "Mobs one short may agree to win together", flag=True),
            Option("trade", True, "gifts and trades", flag=True),
            Option("offers_per_turn", 2, "offers a turn", 0, 6),
            Option("show_specials", True, "hidden Specials may be turned up", flag=True),
            Option("auction_crooks", 3, "Crooks auctioned per Mob", 1, 17),
            Option("auction_rackets", 2, "Rackets auctioned per Mob", 0, 26),
            Option("bid_money", 25, "bidding money in G", 0, MOST_BID),
            Option("start_money", 50, "money in G after the auction", 0, 500),
            Option("retoken", "end", "when tokens come back in a turn", words=RETOKEN),
            Option("max_backouts", 2, "attacks that may be taken back in a turn", 0, 10),
            Option("max_rounds", 40, "rounds after which the game is scored", 1, 500),
            Option("max_decisions", 50000, "decisions after which it is cut off", 100, 10_000_000),
            Option("open_money", False, "treasuries are open", flag=True),
            Option("allow_quit", False, "a player may leave the game", flag=True),
        )
    )
    phases = PHASES
    rules = Rules(reset, legal_actions, apply, observe, redact, resample_hidden)
    score_unit = "Rackets"
    score_scale = 16.0
    """The longest game's required count (CL-20.4), and a district bonus beyond it (CL-20.3)."""
    truncating_caps = (DECISION_CAP,)

    def inconsistency(self, state: State) -> str:
        """What no position of this game can be, as far as it could lead the kernels astray."""
        return inconsistency(state)

    def write_options(self, state: State, options: Mapping[str, OptionValue]) -> None:
        """Write resolved options into a zeroed record (section 21).

        Raises:
            OptionError: If the auction would need more cards than there are (CL-21.2).
        """
        n = int(state.num_seats)
        crooks, rackets = int(options["auction_crooks"]), int(options["auction_rackets"])
        if n * crooks + n - 1 > CROOKS:
            raise OptionError(
                f"auction_crooks={crooks}: must be 1..{(CROOKS + 1 - n) // n} with {n} players"
            )
        room = min(RACKETS // n, (MOST_AUCTIONED - 2 - (n - 1)) // n - crooks)
        if rackets > room:
            raise OptionError(
                f"auction_rackets={rackets}: must be 0..{room} with {n} players and "
                f"auction_crooks={crooks}"
            )
        target = options["victory_target"]
        state.victory = VICTORIES.index(str(options["victory"]))
        state.victory_target = 0 if target == "none" else target
        state.required = state.victory_target or VICTORY[str(options["victory"])][n]
        state.end_mode = END_MODES.index(str(options["end_mode"]))
        state.retoken = RETOKEN.index(str(options["retoken"]))
        state.bid_option = options["bid_money"]
        for name in (*_FLAGS, *_NUMBERS):
            state[name] = options[name]

    def read_options(self, state: State) -> dict[str, OptionValue]:
        """Resolved options of a record."""
        values: dict[str, OptionValue] = {
            "players": int(state.num_seats),
            "victory": VICTORIES[state.victory],
            "victory_target": int(state.victory_target) or "none",
            "end_mode": END_MODES[state.end_mode],
            "retoken": RETOKEN[state.retoken],
            "bid_money": int(state.bid_option),
        }
        values |= {name: bool(state[name]) for name in _FLAGS}
        values |= {name: int(state[name]) for name in _NUMBERS}
        return {option.name: values[option.name] for option in self.options}

    def seat_name(self, state: State, seat: int) -> str:
        """Name of a seat's Mob."""
        return str(CARDS_DATA["mobs"][int(state.mob[seat])]["name"])

    def rotate(self, state: State, shift: int) -> State:
        """The same position with everybody ``shift`` seats further on; bit sets of seats too."""
        turned = super().rotate(state, shift)
        n = self.num_seats(state)
        for name in ("dirty", "refused", "agreeing", "in_lot", "war_in", "winners"):
            bits = int(state[name])
            seats = [seat for seat in range(n) if bits >> seat & 1]
            turned[name] = sum(1 << (seat + shift) % n for seat in seats)
        return turned

    def drop_out(self, state: State, seat: int) -> None:
        """A player leaves the game, at the next MAIN or turn boundary (CL-17.8).

        Until then its decisions are answered by the first legal of PASS, END, KEEP, else the
        lowest action.

        Raises:
            OptionError: If there is no such living seat.
        """
        living = [s for s in range(self.num_seats(state)) if state.alive[s]]
        if state.over or seat not in living:
            raise OptionError(f"seat={seat}: must be a living seat, one of {living}")
        state.leaving[seat] = 1
        if state.seat == seat:
            legal = self.legal_actions(state)
            standing = (PASS_ACTION, END, KEEP)
            answers = [action for action in standing if action in legal]
            self.compiled.apply(state, (answers or legal)[0])

    def event_counts(self, states: States) -> dict[str, NDArray[np.float64]]:
        """How games ended, and what happened in them."""
        capped = states["capped"] != 0
        living = states["alive"].sum(axis=1)
        by_rackets = states["end_mode"] == BY_RACKETS
        reached = (states["count"] >= states["required"][:, None]).any(axis=1)
        counted = by_rackets & reached & ~capped
        last = (living == 1) & ~counted & ~capped
        other = ~(capped | counted | last)
        events = {
            "ended by count": counted,
            "ended by agreement": other & by_rackets,
            "ended by domination": other & ~by_rackets,
            "ended by the last Mob": last,
            "with a Gang War": states["wars"] > 0,
            "eliminations": states["num_seats"] - living,
            "attacks without a roll": states["unrolled"],
            "deals": states["deals"],
            "short pay steps": states["short_pays"],
        }
        return {name: np.asarray(values, np.float64) for name, values in events.items()}

    def action_text(self, state: State, action: int) -> str:
        """Notation of an action (section 23)."""
        return action_texts.text_of(action)

    def describe(self, state: State, action: int) -> str:
        """A sentence for the deciding seat that says what an action does."""
        return narration.describe(self, state, action)

    def narrate(self, before: State, action: int, after: State, viewer: int | None) -> list[str]:
        """What happened from one decision to the next, as ``viewer`` may know it."""
        return narration.narrate(self, before, action, after, viewer)

    def position_text(self, state: State) -> str:
        """The position on one line (section 24)."""
        return notation.position_text(state, self.read_options(state), self.options)

    def parse_position(self, text: str) -> State:
        """A position from its line; ``ph=START`` runs on to the first decision of the turn.

        Raises:
            NotationError: Naming the field that is wrong and what is allowed.
        """
        state = notation.read_position(text, self.write_options, self.options)
        if state.phase == RUNNING:
            self.compiled.apply(state, 0)
            state.ply = 0
        return state

    def pieces(self) -> Mapping[str, Piece]:
        """All cards, and the numbers of the table."""
        return guide.pieces()

    def question(self, state: State) -> str:
        """What the deciding seat is asked."""
        return questions.question(self, state)

    def choice(self, state: State, action: int) -> Choice:
        """The group of an action, and its amount if it is one of money."""
        return questions.choice(action)

    def reason(self, state: State, action: int) -> str:
        """What speaks for an action by the rules of thumb."""
        return reasons.reason(state, action)

    def turn(self, state: State) -> Turn:
        """The auction of a card, or a Mob's turn."""
        return questions.turn(self, state)

    def text(self, state: State, viewer: int | None) -> str:
        """The table for a terminal."""
        return terminal.text(self, state, viewer)

    def svg(
        self, state: State, viewer: int | None, legal: Sequence[int] = (), last: str = ""
    ) -> str:
        """The table as a picture."""
        return picture.svg(self, state, viewer, legal, last)


_FLAGS: Final = (
    "bonus_counts", "agreement", "trade", "show_specials", "open_money", "allow_quit",
)  # fmt: skip
_NUMBERS: Final = (
    "offers_per_turn", "auction_crooks", "auction_rackets", "start_money", "max_backouts",
    "max_rounds", "max_decisions",
)  # fmt: skip
