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
    """The members, all of which play.

    Each has a slot, numbered from 1 (0 stands for the current policy): first the baselines, then
    the snapshots. A new snapshot of a full league takes the slot of another one, at once: the
    seats that this one held play their games to the end with the new weights.

    Attributes:
        members: By slot.

    Args:
        config: Sizes and rates.
    """

    def __init__(self, config: LeagueConfig) -> None:
        self.config = config
        self.members = [Member(spec) for spec in config.baselines or ()]

    def add_snapshot(self, iteration: int, weights: Weights) -> int:
        """Add a frozen copy of the current policy; a full league drops its weakest snapshot.

        Returns:
            Its slot; 0 if the league takes no snapshots.
        """
        new = Member(f"{SNAPSHOT}{iteration}", weights)
        snapshots = [at for at, member in enumerate(self.members) if member.weights is not None]
        if len(snapshots) < self.config.size:
            self.members.append(new)
            return len(self.members)
        if not snapshots:
            return 0
        weakest = min(snapshots, key=lambda at: self.members[at].strength)
        self.members[weakest] = new
        return weakest + 1

    def draw_slots(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Slots for ``count`` seats, int64, from 1; zeros while the league is empty."""
        if not self.members:
            return np.zeros(count, np.int64)
        weights = np.maximum([member.strength for member in self.members], FLOOR)
        return rng.choice(len(weights), size=count, p=weights / weights.sum()) + 1

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
        return {"members": [vars(member).copy() for member in self.members]}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state of :meth:`state_dict`."""
        self.members = [Member(**fields) for fields in state["members"]]
