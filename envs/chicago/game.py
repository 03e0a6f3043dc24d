"""Dominate the Chicago Underworld, handed over as a ``Game``."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.compiling.compiled import Rules
from ..core.game import Game
from ..core.options import Option, OptionSet, OptionValue
from ..core.state import State
from . import actions, guide
from .actions import ITEM_ACTIONS, NUM_ACTIONS
from .data import GANGSTERS
from .hidden import redact, resample_hidden
from .observation import LAYOUT, observe
from .picture import svg as picture
from .rules.engine import apply, legal_actions, reset
from .state import COPIES, FIRST_EMPTY, NONE, PHASES, RECORD, RESHUFFLE
from .words import narration, notation, reasons, terminal

DECK_ENDS = ("first_empty", "reshuffle")


def default_cap(players: int) -> int:
    """Turn cap of CU-14.6: 60 a seat, at least 240."""
    return max(240, 60 * players)


class Chicago(Game):
    """A card game for two to six seats; see ``RULES.md``."""

    name = "chicago"
    title = "Dominate the Chicago Underworld"
    about = guide.ABOUT
    rules_version = 2
    record = RECORD
    num_actions = NUM_ACTIONS
    observation_layout = LAYOUT
    item_actions = ITEM_ACTIONS
    score_scale = 180.0
    """All twelve territories, 120 (CU-14.1), and 59 in henchmen and money at the most."""
    phases = PHASES
    rules = Rules(reset, legal_actions, apply, observe, redact, resample_hidden)
    action_text = actions.action_text
    describe = actions.describe
    narrate = narration.narrate
    position_text = notation.position_text
    parse_position = notation.parse_position
    text = terminal.text
    svg = picture.svg
    pieces = guide.pieces
    question = picture.own_question
    reason = reasons.reason
    turn = guide.turn
    options = OptionSet(
        (
            Option("players", 5, "seats at the table", 2, 6),
            Option(
                "deck_end",
                "first_empty",
                "what an empty draw pile does at the end of a turn: end the game, or take in the "
                "discards",
                words=DECK_ENDS,
            ),
            Option("bribe", 50, "dollars that buy off a joker", 5, 60),
            Option("hand_limit", 5, "most cards in hand at the end of one's turn", 3, 10),
            Option(
                "turn_cap",
                0,
                "turns after which the game is scored; 0 for 60 a seat and at least 240",
                0,
                10_000,
            ),
            Option(
                "start_seat",
                "random",
                "who begins",
                0,
                lambda chosen: int(chosen["players"]) - 1,
                words=("random",),
            ),
        )
    )

    def hides_decision(self, state: State, viewer: int) -> bool:
        """Whether a rival would have no choice without his cards (CU-4.4, 13.3, 13.4)."""
        if state.over or int(state.seat) == viewer:
            return False
        bare = self.clone(state)
        bare.hands[bare.seat] = 0
        return len(self.legal_actions(bare)) < 2

    def write_options(self, state: State, options: Mapping[str, OptionValue]) -> None:
        """Write resolved options into a zeroed record."""
        cap = int(options["turn_cap"])
        start = options["start_seat"]
        state.bribe_price = options["bribe"]
        state.hand_limit = options["hand_limit"]
        state.deck_end = FIRST_EMPTY if options["deck_end"] == "first_empty" else RESHUFFLE
        state.start_seat = NONE if start == "random" else start
        state.default_cap = cap == 0
        state.turn_cap = cap or default_cap(int(options["players"]))

    def read_options(self, state: State) -> dict[str, OptionValue]:
        """Resolved options of a record."""
        return {
            "players": int(state.num_seats),
            "deck_end": DECK_ENDS[state.deck_end],
            "bribe": int(state.bribe_price),
            "hand_limit": int(state.hand_limit),
            "turn_cap": 0 if state.default_cap else int(state.turn_cap),
            "start_seat": "random" if state.start_seat == NONE else int(state.start_seat),
        }

    def seat_name(self, state: State, seat: int) -> str:
        """Name of the gangster in a seat."""
        return GANGSTERS[seat]

    def inconsistency(self, state: State) -> str:
        """What no position can be, of a record of unknown origin."""
        seats, seat = int(state.num_seats), int(state.seat)
        if int(state.current) >= seats:
            return f"current={state.current}: must be a seat 0..{seats - 1}"
        if state.owner.max() >= seats:
            return f"owner: must be seats 0..{seats - 1}"
        if state.hands[seat].sum() != state.hand_size[seat]:
            return f"hand_size: seat {seat} holds {state.hands[seat].sum()} cards"
        if (state.hands[seat] + state.discards > COPIES).any():
            return f"hands: there are {COPIES} cards of a type at the most"
        return ""
