"""The league: frozen opponents, drawn by how hard they are to beat.

Prioritised fictitious self-play after Vinyals et al., "Grandmaster level in StarCraft II using
multi-agent reinforcement learning", Nature 2019: the more often a member beats the current
policy, the more often it is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .config import LeagueConfig

Weights = dict[str, dict[str, NDArray[np.float32]]]
"""Layers of each role's network."""

SNAPSHOT = "snapshot-"
"""Beginning of the names of members with weights."""

PRIOR_GAMES = 2.0
"""A new member counts as having won half of this many games."""

DECAY = 0.995
"""Factor by which an opponent's earlier results are discounted with each new game."""

FLOOR = 0.1
"""Least weight of an opponent in the draw, so that weak strangers are met to the end as well."""


@dataclass
class Member:
    """One frozen opponent.

    Attributes:
        name: A baseline's spec, or ``snapshot-<iteration>``.
        weights: Networks of a snapshot; ``None`` for a baseline.
        wins: How often it finished ahead of the current policy; ties count half, older games less.
        games: Comparisons behind ``wins``.
    """

    name: str
    weights: Weights | None = None
    wins: float = field(default=PRIOR_GAMES / 2)
    games: float = field(default=PRIOR_GAMES)

    @property
    def strength(self) -> float:
        """Estimated probability of finishing ahead of the current policy."""
        return float(self.wins / self.games)


class League:
    """The members: all baselines play, and one snapshot at a time.

    Each has a slot, numbered from 1 (0 stands for the current policy): first the baselines, then
    the snapshots. A new snapshot of a full league takes the slot of another one, at once: the
    seats that this one held play their games to the end with the new weights.

    One snapshot is seated in new games, for all of them, until the next one is added: a network
    is called for many seats at nearly the price of a few. Over time each is met as often as if
    all were seated at once.

    Attributes:
        members: By slot.
        seated: Slot of the snapshot that plays; 0 for none.

    Args:
        config: Sizes and rates.
        seed: Seed of who is seated.
    """

    def __init__(self, config: LeagueConfig, seed: int = 0) -> None:
        self.config = config
        self.members = [Member(spec) for spec in config.baselines or ()]
        self.seated = 0
        self._seed = seed

    def add_snapshot(self, iteration: int, weights: Weights) -> int:
        """Add a frozen copy of the current policy, and draw which snapshot is seated from now on.

        A full league drops its weakest snapshot.

        Returns:
            The slot of the new one; 0 if the league takes no snapshots.
        """
        if not self.config.size:
            return 0
        new = Member(f"{SNAPSHOT}{iteration}", weights)
        snapshots = self._snapshots()
        if len(snapshots) < self.config.size:
            self.members.append(new)
            slot = len(self.members)
        else:
            slot = int(min(snapshots, key=lambda each: self.members[each - 1].strength))
            self.members[slot - 1] = new
        odds = self._odds()[self._snapshots() - 1]
        draw = np.random.default_rng([self._seed, iteration])
        self.seated = int(draw.choice(self._snapshots(), p=odds / odds.sum()))
        return slot

    def draw_slots(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Slots for ``count`` seats, int64, from 1; zeros while the league is empty."""
        if not self.members:
            return np.zeros(count, np.int64)
        odds = self._odds()
        if self.seated:
            snapshots = self._snapshots() - 1
            odds[self.seated - 1] = odds[snapshots].sum()
            odds[snapshots[snapshots != self.seated - 1]] = 0.0
        return rng.choice(len(odds), size=count, p=odds / odds.sum()) + 1

    def _snapshots(self) -> NDArray[np.int64]:
        """Slots of the members with weights."""
        has_weights = [member.weights is not None for member in self.members]
        return np.flatnonzero(has_weights) + 1

    def _odds(self) -> NDArray[np.float64]:
        """How often each member is to be met, unnormalised."""
        return np.maximum([member.strength for member in self.members], FLOOR)

    def record(self, wins: NDArray[np.float64], games: NDArray[np.float64]) -> None:
        """Add results.

        Args:
            wins: Float64 ``(slots + 1,)``: comparisons won against the current policy, ties half.
            games: Float64 ``(slots + 1,)``: comparisons.
        """
        for slot, member in enumerate(self.members, 1):
            kept = DECAY ** games[slot]
            member.wins = kept * member.wins + wins[slot]
            member.games = kept * member.games + games[slot]

    def state_dict(self) -> dict[str, Any]:
        """Everything that determines how it continues, as plain values and arrays."""
        members = [vars(member).copy() for member in self.members]
        return {"members": members, "seated": self.seated}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state of :meth:`state_dict`."""
        self.members = [Member(**fields) for fields in state["members"]]
        self.seated = state["seated"]
