"""Five Points as a :class:`Game`: its parts handed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from ..core.game import Game, Rules
from ..core.options import Option, OptionSet, OptionValue
from ..core.state import State
from . import actions, guide
from .actions import ITEM_ACTIONS, NUM_ACTIONS
from .data import MARKER_SETS
from .hidden import redact, resample_hidden
from .observation import LAYOUT, observe
from .picture import svg as picture
from .rules.engine import apply
from .rules.phases import legal_actions
from .rules.setup import reset
from .state import MAX_SEATS, NONE, PADDED, PHASES, RECORD, SIDE
from .words import narration, notation, reasons, terminal
from .words.narration import GANGS

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
    action_text = actions.action_text
    describe = narration.describe
    narrate = narration.narrate
    position_text = notation.position_text
    parse_position = notation.parse_position
    text = terminal.text
    svg = picture.svg
    pieces = guide.pieces
    question = guide.question
    choice = guide.choice
    reason = reasons.reason
    turn = guide.turn

    def write_options(self, state: State, options: Mapping[str, OptionValue]) -> None:
        """Write resolved options into a zeroed record."""
        super().write_options(state, options)
        start = options["start_seat"]
        state.start_option = NONE if start == "random" else start

    def read_options(self, state: State) -> dict[str, OptionValue]:
        """Resolved options of a record."""
        start = "random" if state.start_option == NONE else int(state.start_option)
        return {**super().read_options(state), "start_seat": start}

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

    def inconsistency(self, state: State) -> str:
        """What no position can be, of a record of unknown origin."""
        tiles = int(state.num_tiles)
        cells = state.cell[:tiles].astype(np.int64)
        if (cells < 0).any() or len(np.unique(cells)) != tiles:
            return f"cell: each of the {tiles} tiles must have a cell of its own"
        grid = np.full(PADDED * PADDED, NONE)
        grid[(cells // SIDE + 1) * PADDED + cells % SIDE + 1] = np.arange(tiles)
        if (grid != state.grid).any():
            return "grid: must hold each tile on its cell and nothing else"
        if (state.rabble.sum(1, np.int64) != state.total).any():
            return "total: must be the rabble of each tile"
        if (state.bosses.sum(0, np.int64) != state.boss_count).any():
            return "boss_count: must be the bosses of each seat on the board"
        return ""
