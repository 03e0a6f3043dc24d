"""Five Points as a :class:`Game`: its parts handed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ..core.errors import NotationError
from ..core.game import Game, Rules
from ..core.guide import Choice, Piece, Turn
from ..core.options import Option, OptionSet, OptionValue
from ..core.state import State
from . import guide
from .actions import NUM_ACTIONS
from .consistency import inconsistency
from .data.tables import MARKER_SETS
from .hidden import redact, resample_hidden
from .items import ITEM_ACTIONS
from .observation import LAYOUT, observe
from .picture import svg as picture
from .rules.engine import apply
from .rules.phases import legal_actions
from .rules.setup import reset
from .state import MAX_SEATS, NONE, PHASES, RECORD
from .words import action_texts, narration, notation, reasons, terminal
from .words.names import GANGS

ELECTION_LIMITS: Final = ("every_round", "first_round_only")
MOVE_RULES: Final = ("no_holes", "adjacent_only")
NEIGHBOURS: Final = ("forbid", "allow")


class FivePoints(Game):
    """Five Points: Gangs of New York; 3 to 5 political gangs, see ``RULES.md``."""

    name = "five_points"
    title = "Five Points: Gangs of New York"
    about = guide.ABOUT
    rules_version = 2
    record = RECORD
    num_actions = NUM_ACTIONS
    observation_layout = LAYOUT
    item_actions = ITEM_ACTIONS
    score_scale = 60.0
    """Five bosses, a pile of twelve control markers with a set, and Tammany Hall: 59 (FP-14.5)."""
    options = OptionSet(
        (
            Option("players", 5, "gangs at the table", 3, MAX_SEATS),
            Option("control_markers", 12, "control markers of each colour", 4, 20),
            Option("marker_set", "full24", "manipulation markers", words=MARKER_SETS),
            Option(
                "election_limit",
                "every_round",
                "rounds in which at most two tied tiles vote",
                words=ELECTION_LIMITS,
            ),
            Option("move_rule", "no_holes", "where a tile may move", words=MOVE_RULES),
            Option(
                "adjacent_buildings",
                "forbid",
                "whether the two buildings may start on neighbouring tiles",
                words=NEIGHBOURS,
            ),
            Option(
                "start_seat",
                "random",
                "seat that starts the first round",
                0,
                lambda chosen: int(chosen["players"]) - 1,
                words=("random",),
            ),
            Option("max_rounds", 30, "rounds after which the game is scored", 1, 200),
        )
    )
    phases = PHASES
    rules = Rules(reset, legal_actions, apply, observe, redact, resample_hidden)

    def inconsistency(self, state: State) -> str:
        """What no position of this game can be, as far as it could lead the kernels astray."""
        return inconsistency(state)

    def write_options(self, state: State, options: Mapping[str, OptionValue]) -> None:
        """Write resolved options into a zeroed record (FP-15)."""
        start = options["start_seat"]
        state.control_markers = options["control_markers"]
        state.marker_set = MARKER_SETS.index(str(options["marker_set"]))
        state.election_limit = ELECTION_LIMITS.index(str(options["election_limit"]))
        state.move_rule = MOVE_RULES.index(str(options["move_rule"]))
        state.adjacent_buildings = NEIGHBOURS.index(str(options["adjacent_buildings"]))
        state.start_option = NONE if start == "random" else start
        state.max_rounds = options["max_rounds"]

    def read_options(self, state: State) -> dict[str, OptionValue]:
        """Resolved options of a record."""
        return {
            "players": int(state.num_seats),
            "control_markers": int(state.control_markers),
            "marker_set": MARKER_SETS[state.marker_set],
            "election_limit": ELECTION_LIMITS[state.election_limit],
            "move_rule": MOVE_RULES[state.move_rule],
            "adjacent_buildings": NEIGHBOURS[state.adjacent_buildings],
            "start_seat": "random" if state.start_option == NONE else int(state.start_option),
            "max_rounds": int(state.max_rounds),
        }

    def seat_name(self, state: State, seat: int) -> str:
        """Name of a seat's gang."""
        return GANGS[seat]

    def rotate(self, state: State, shift: int) -> State:
        """The same position with everybody ``shift`` seats further on."""
        n = self.num_seats(state)
        turned = super().rotate(state, shift)
        for name in ("rabble", "bosses", "bids"):
            turned[name][:, :n] = np.roll(state[name][:, :n], shift, axis=1)
        return turned

    def action_text(self, state: State, action: int) -> str:
        """Notation of an action (FP-18.1)."""
        return action_texts.text_of(action, max(int(state.seat), 0), int(state.num_seats))

    def describe(self, state: State, action: int) -> str:
        """A sentence for the deciding seat that says what an action does."""
        return narration.describe(state, action)

    def narrate(self, before: State, action: int, after: State, viewer: int | None) -> list[str]:
        """What happened from one decision to the next; everything but chance is public."""
        return narration.narrate(before, action, after)

    def position_text(self, state: State) -> str:
        """The position on one line (FP-18.2)."""
        return notation.position_text(state, self.read_options(state), self.options)

    def parse_position(self, text: str) -> State:
        """A decision point, or a finished game, from its line.

        Raises:
            NotationError: Naming the field that is wrong and what is allowed.
        """
        state = notation.read_position(text, self.write_options, self.options)
        if not state.over:
            mask = np.zeros(self.num_actions, np.bool_)
            self.compiled.legal_actions(state, mask)
            if mask.sum() < 2:
                raise NotationError(
                    f"phase={PHASES[state.phase]}: must leave actor={state.seat} a choice, "
                    f"but he has {mask.sum()} legal actions"
                )
        return state

    def pieces(self) -> Mapping[str, Piece]:
        """Tiles, markers, buildings, and what else lies on the table."""
        return guide.pieces()

    def question(self, state: State) -> str:
        """What the deciding seat is asked."""
        return guide.question(state)

    def choice(self, state: State, action: int) -> Choice:
        """The kind of an action."""
        return guide.choice(action)

    def reason(self, state: State, action: int) -> str:
        """What speaks for an action by the rules of thumb."""
        return reasons.reason(state, action)

    def turn(self, state: State) -> Turn:
        """The round, and whose turn it is."""
        return guide.turn(state)

    def text(self, state: State, viewer: int | None) -> str:
        """The table for a terminal."""
        return terminal.text(state)

    def svg(
        self, state: State, viewer: int | None, legal: Sequence[int] = (), last: str = ""
    ) -> str:
        """The table as a picture."""
        return picture.svg(state, legal, last)
