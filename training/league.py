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

REFRESH_EVERY = 4
"""Iterations after which an active opponent is replaced by another one."""

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
    """The members, some of which are active.

    Active members occupy slots, numbered from 1 (0 stands for the current policy). Before a slot
    gets another member it *retires*: its seats finish their games and no new ones are given to it,
    so that no opponent is replaced in the middle of a game.

    Args:
        config: Sizes and rates.
        seed: Seed of the draws.
    """

    def __init__(self, config: LeagueConfig, seed: int = 0) -> None:
        self.config = config
        self.rng = np.random.default_rng(seed)
        self.members = [Member(spec) for spec in config.baselines or ()]
        self.slots: list[Member | None] = [None] * config.active
        self.retiring: int | None = None
        self._next_to_retire = 0
        self._since_refresh = 0

    def add_snapshot(self, iteration: int, weights: Weights) -> None:
        """Add a frozen copy of the current policy; a full league drops its weakest snapshot."""
        if self.config.size == 0:
            return
        snapshots = [member for member in self.members if member.weights is not None]
        if len(snapshots) >= self.config.size:
            playing = {id(member) for member in self.slots}
            # The newest have too few results to be judged; active ones are dropped later.
            leavers = [m for m in snapshots[:-1] if id(m) not in playing] or snapshots[:1]
            self.members.remove(min(leavers, key=lambda member: member.strength))
        self.members.append(Member(f"{SNAPSHOT}{iteration}", weights))

    def refresh(self, seats_held: NDArray[np.int64]) -> list[int]:
        """Fill empty slots, and replace the active members one after another.

        Args:
            seats_held: Int64 ``(slots + 1,)``: seats that each slot plays now.

        Returns:
            The slots with a new member.
        """
        changed = []
        self._since_refresh += 1
        full = self.retiring is None and None not in self.slots
        if full and self._since_refresh >= REFRESH_EVERY and self._waiting():
            self.retiring = self._next_to_retire
            self._next_to_retire = (self._next_to_retire + 1) % len(self.slots)
            self._since_refresh = 0
        if self.retiring is not None and seats_held[self.retiring + 1] == 0:
            self.slots[self.retiring] = None
            self.retiring = None
        for index, member in enumerate(self.slots):
            waiting = self._waiting()
            if member is None and waiting:
                odds = self._weights(waiting)
                self.slots[index] = waiting[int(self.rng.choice(len(waiting), p=odds))]
                changed.append(index + 1)
        return changed

    def _waiting(self) -> list[Member]:
        return [m for m in self.members if all(m is not slot for slot in self.slots)]

    def draw_slots(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Slots for ``count`` seats, int64, from 1; zeros while no member plays."""
        open_slots = [
            i for i, member in enumerate(self.slots) if member is not None and i != self.retiring
        ]
        if not open_slots:
            return np.zeros(count, np.int64)
        odds = self._weights([m for i in open_slots if (m := self.slots[i]) is not None])
        picked = rng.choice(len(open_slots), size=count, p=odds)
        slots: NDArray[np.int64] = np.asarray(open_slots, np.int64)[picked] + 1
        return slots

    def record(self, wins: NDArray[np.float64], games: NDArray[np.float64]) -> None:
        """Add results of the active members.

        Args:
            wins: Float64 ``(slots + 1,)``: comparisons won against the current policy, ties half.
            games: Float64 ``(slots + 1,)``: comparisons.
        """
        for index, member in enumerate(self.slots):
            if member is not None and games[index + 1] > 0:
                kept = DECAY ** games[index + 1]
                member.wins = kept * member.wins + wins[index + 1]
                member.games = kept * member.games + games[index + 1]

    def state_dict(self) -> dict[str, Any]:
        """Everything that determines how it continues, as plain values and arrays."""
        return {
            "members": [vars(m).copy() for m in self.members],
            "slots": [-1 if m is None else self._index(m) for m in self.slots],
            "retired": [
                None if m is None or self._index(m) >= 0 else vars(m).copy() for m in self.slots
            ],
            "retiring": self.retiring,
            "next_to_retire": self._next_to_retire,
            "since_refresh": self._since_refresh,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state of :meth:`state_dict`."""
        self.members = [Member(**fields) for fields in state["members"]]
        self.slots = [
            Member(**gone) if gone is not None else self.members[index] if index >= 0 else None
            for index, gone in zip(state["slots"], state["retired"], strict=True)
        ]
        self.retiring = state["retiring"]
        self._next_to_retire = state["next_to_retire"]
        self._since_refresh = state["since_refresh"]

    def _index(self, member: Member) -> int:
        return next((i for i, m in enumerate(self.members) if m is member), -1)

    def _weights(self, members: list[Member]) -> NDArray[np.float64]:
        weights = np.maximum([m.strength for m in members], FLOOR)
        odds: NDArray[np.float64] = weights / weights.sum()
        return odds
