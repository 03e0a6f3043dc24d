"""Kuhn and Leduc poker, handed over as ``Game``: limit betting over one private card a seat."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.compiling.compiled import Rules
from ..core.game import Game
from ..core.options import Option, OptionSet, OptionValue
from ..core.state import State, States
from . import picture, words
from .hidden import redact, resample_hidden
from .observation import LAYOUT, observe
from .rules import apply, legal_actions, reset
from .state import DTYPE, MAX_SEATS, NONE, NUM_ACTIONS, PHASES


class LimitPoker(Game):
    """One hand of poker with fixed bets.

    Attributes:
        rounds: Rounds of betting; the card for all is turned up before the second.
        suits: Cards of each rank.
        most_raises: Bets and raises in a round.
        sizes: Chips of a bet in each round.
    """

    rounds: ClassVar[int]
    suits: ClassVar[int]
    most_raises: ClassVar[int]
    sizes: ClassVar[tuple[int, ...]]

    rules_version = 1
    dtype = DTYPE
    num_actions = NUM_ACTIONS
    observation_layout = LAYOUT
    observation_range = (0.0, 1.0)
    max_seats = MAX_SEATS
    phases = PHASES
    seat_arrays = ("cards", "stakes", "folded")
    seat_indices = ("first",)
    rules = Rules(reset, legal_actions, apply, observe, redact, resample_hidden)
    action_text = words.action_text
    describe = words.describe
    narrate = words.narrate
    position_text = words.position_text
    parse_position = words.parse_position
    text = words.table
    svg = picture.svg
    options = OptionSet((Option("players", 2, "seats at the table", 2, MAX_SEATS),))
    score_unit = "chips"
    score_step = 0.5
    """Two seats may share an odd pot."""
    objective = "score"

    def write_options(self, state: State, options: Mapping[str, OptionValue]) -> None:
        """Write the limits of the game into a zeroed record."""
        state.rounds = self.rounds
        state.suits = self.suits
        state.most_raises = self.most_raises
        state["bets"][: len(self.sizes)] = self.sizes

    def deals(self, options: Mapping[str, OptionValue]) -> tuple[States, NDArray[np.float64]]:
        """Every deal and its probability; suits are not distinguished."""
        players = self.num_players(options)
        dealt = players + (self.rounds > 1)
        found: list[tuple[tuple[int, ...], float]] = []
        for cards in itertools.product(range(players + 1), repeat=dealt):
            left = np.full(players + 1, self.suits)
            probability = 1.0
            for card in cards:
                probability *= left[card] / left.sum()
                left[card] -= 1
            if probability > 0:
                found.append((cards, probability))
        first = self.new_state(0, **options)
        states = np.frombuffer(bytearray(first.tobytes() * len(found)), self.dtype)
        for state, (cards, _) in zip(states, found, strict=True):
            state["cards"][:players] = cards[:players]
            state["public"] = cards[players] if self.rounds > 1 else NONE
        return states, np.array([probability for _, probability in found])


class Leduc(LimitPoker):
    """Two suits of ``n + 1`` ranks, two rounds of betting, a card for all between them.

    After F. Southey et al., "Bayes' bluff: opponent modelling in poker", 2005.
    """

    name = "leduc"
    title = "Leduc hold'em"
    rounds = 2
    suits = 2
    most_raises = 2
    sizes = (2, 4)
    score_scale = 52.0
    """Thirteen chips that one of two seats loses to the other, in half chips."""


class Kuhn(LimitPoker):
    """One card of ``n + 1`` for each of ``n`` seats, one bet of one chip.

    After H. W. Kuhn, "A simplified two-person poker", 1950; for more seats after D. Szafron,
    R. Gibson and N. Sturtevant, "A parameterized family of equilibrium profiles for three-player
    Kuhn poker", 2013.
    """

    name = "kuhn"
    title = "Kuhn poker"
    rounds = 1
    suits = 1
    most_raises = 1
    sizes = (1,)
    score_scale = 8.0
    """Two chips that one of two seats loses to the other, in half chips."""
