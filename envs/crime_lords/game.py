"""Crime Lords as a :class:`Game`: its parts handed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.errors import OptionError
from ..core.game import Game, Rules
from ..core.options import Option, OptionSet, OptionValue
from ..core.state import State, States
from . import actions, guide
from .actions import END, ITEM_ACTIONS, KEEP, NUM_ACTIONS, PASS_ACTION
from .data import CARDS_DATA, VICTORY
from .hidden.redact import redact
from .hidden.resample import resample_hidden
from .observation.layout import LAYOUT
from .observation.observe import observe
from .picture import svg as picture
from .rules.engine import apply, reset
from .rules.phases import legal_actions
from .state import (
    BY_RACKETS,
    CROOKS,
    DECISION_CAP,
    DECK,
    DTYPE,
    MAX_SEATS,
    MOST_BID,
    PHASES,
    RACKETS,
    RECORD,
)
from .words import narration, notation, questions, reasons, terminal

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
    action_text = actions.action_text
    describe = narration.describe
    narrate = narration.narrate
    position_text = notation.position_text
    parse_position = notation.parse_position
    text = terminal.text
    svg = picture.svg
    pieces = guide.pieces
    question = questions.question
    choice = questions.choice
    reason = reasons.reason
    turn = questions.turn
    score_unit = "Rackets"
    score_scale = 16.0
    """The longest game's required count (CL-20.4), and a district bonus beyond it (CL-20.3)."""
    truncating_caps = (DECISION_CAP,)

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
        super().write_options(state, options)
        state.victory_target = 0 if target == "none" else target
        state.required = state.victory_target or VICTORY[str(options["victory"])][n]
        state.bid_option = options["bid_money"]

    def read_options(self, state: State) -> dict[str, OptionValue]:
        """Resolved options of a record."""
        return {
            **super().read_options(state),
            "victory_target": int(state.victory_target) or "none",
            "bid_money": int(state.bid_option),
        }

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

    def inconsistency(self, state: State) -> str:
        """What no position can be, of a record of unknown origin."""
        seats = int(state.num_seats)
        if int(state.deck_at) + int(state.deck_size) > DECK:
            most = f"{DECK} cards less those drawn, {state.deck_at}, at most"
            return f"deck_size={state.deck_size}: {most}"
        for field in ("crook_loc", "racket_loc", "special_loc"):
            if state[field].max() >= seats:
                return f"{field}: must be seats 0..{seats - 1} or a place on the table"
        # Bosses have no superior: from every Crook the way up must end.
        above = state.superior.astype(np.int64)
        for _ in range(6):  # 2**6 steps up
            above = np.where(above >= 0, above[above], above)
        if (above >= 0).any():
            return "superior: nobody may be above himself"
        return ""
