"""The rollout buffer: a flat array of one role's decisions, with links along each seat's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples

from .crew import even_bounds
from .trajectories import OPEN, advantages_along_links, append_decisions, gather_rows

if TYPE_CHECKING:
    from .config import TrainConfig

Truncated = tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]
"""Decisions that a truncation closed; values and potentials of what their seats last saw."""


class DecisionBuffer:
    """Decisions of one role at all tables, in the order of time.

    Stands where MaskablePPO expects its rollout buffer: ``get``, ``values`` and ``returns`` are
    what its ``train`` reads. Decisions still open at the end of a rollout are not trained on; the
    next rollout begins with them, so that every next value is that of the seat's own next
    observation.

    Each lane of tables has its own part of the arrays, so that lanes add side by side.

    Args:
        buffer_size: Decisions a table and rollout.
        observation_space: The observation space.
        action_space: The action space.
        device: Where the learner computes.
        gae_lambda: Of the advantage estimate.
        gamma: Discount from one own decision to the next.
        n_envs: Number of tables.
        seats: Seats at a table, at most.
        bounds: First table of each lane, and the number of tables; ``None``: one lane.
        seed: Of the order of minibatches.
    """

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Box,
        action_space: spaces.Discrete,
        device: th.device | str = "cpu",
        gae_lambda: float = 0.95,
        gamma: float = 1.0,
        n_envs: int = 1,
        *,
        seats: int = 1,
        bounds: Sequence[int] | None = None,
        seed: int = 0,
    ) -> None:
        capacity = n_envs * (buffer_size + seats)
        self._tables = [slice(a, b) for a, b in pairwise(bounds or (0, n_envs))]
        self._firsts = [tables.start * (buffer_size + seats) for tables in self._tables]
        self._ends = list(self._firsts)
        self.device = th.device(device)
        self.gamma = gamma
        self.gae_lambda = gae_lambda
        self.rng = np.random.default_rng(seed)
        self.observations = np.zeros((capacity, *observation_space.shape), np.float32)
        self.masks = np.zeros((capacity, int(action_space.n)), np.bool_)
        self.actions = np.zeros(capacity, np.int64)
        self.log_probs = np.zeros(capacity, np.float32)
        self.rewards = np.zeros(capacity, np.float32)
        self.potentials = np.zeros(capacity, np.float32)
        self.links = np.full(capacity, OPEN, np.int64)
        self.advantages = np.zeros(capacity, np.float32)
        self._values = np.zeros(capacity, np.float32)
        self.last = np.full((n_envs, seats), OPEN, np.int64)
        self._truncated: list[list[Truncated]] = [[] for _ in self._firsts]
        self._trained: NDArray[np.int64] = np.zeros(0, np.int64)

    @property
    def count(self) -> int:
        """Decisions in the arrays, open ones included."""
        return sum(self._ends) - sum(self._firsts)

    @property
    def rows(self) -> NDArray[np.int64]:
        """Where those decisions stand, in the order of time within each lane."""
        spans = zip(self._firsts, self._ends, strict=True)
        return np.concatenate([np.arange(first, end) for first, end in spans])

    def last_of(self, lane: int) -> NDArray[np.int64]:
        """Each seat's open decision at a lane's tables, int64 ``(N, seats)``; live."""
        return self.last[self._tables[lane]]

    @property
    def per_decision(self) -> dict[str, NDArray[Any]]:
        """All arrays that a decision that is carried over takes along."""
        return {
            "observations": self.observations,
            "masks": self.masks,
            "actions": self.actions,
            "log_probs": self.log_probs,
            "rewards": self.rewards,
            "potentials": self.potentials,
            "values": self._values,
        }

    @property
    def values(self) -> NDArray[np.float32]:
        """Value estimates of the decisions that are trained on."""
        return self._values[self._trained]

    @property
    def returns(self) -> NDArray[np.float32]:
        """Targets of the value of the decisions that are trained on."""
        returns: NDArray[np.float32] = self.values + self.advantages[self._trained]
        return returns

    @property
    def size(self) -> int:
        """Decisions that are trained on."""
        return len(self._trained)

    def reset(self) -> None:
        """Forget closed decisions; open ones move to the front of their lane's part."""
        for lane, first in enumerate(self._firsts):
            last = self.last_of(lane)
            carried = np.sort(last[last >= 0])
            self._ends[lane] = first + len(carried)
            here = slice(first, self._ends[lane])
            for array in self.per_decision.values():
                array[here] = array[carried]
            self.links[here] = OPEN
            last[last >= 0] = first + np.searchsorted(carried, last[last >= 0])
            self._truncated[lane].clear()
        self._trained = np.zeros(0, np.int64)

    def add(
        self,
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        lane: int = 0,
    ) -> slice:
        """Begin a decision at each of some tables; returns where they stand.

        Args:
            rows: Int64 ``(B,)``: the tables, counted from the lane's first.
            seats: Int64 ``(N,)``: deciding seats of the lane's tables.
            observations: Float32 ``(N, observation_size)`` of those tables.
            masks: Bool ``(N, actions)`` of those tables.
            lane: Whose tables they are.
        """
        first = self._ends[lane]
        gather_rows(rows, observations, masks, self.observations, self.masks, first)
        append_decisions(rows, seats, self.last_of(lane), self.links, self.rewards, first)
        self._ends[lane] += len(rows)
        return slice(first, self._ends[lane])

    @property
    def estimates(self) -> NDArray[np.float32]:
        """Value estimates of all decisions, to be filled in as they are made."""
        return self._values

    def truncate(
        self,
        decisions: NDArray[np.int64],
        values: NDArray[np.float32],
        potentials: NDArray[np.float32],
        lane: int = 0,
    ) -> None:
        """Note where games stand that were stopped without a result, to bootstrap from.

        Args:
            decisions: Int64 ``(B,)``: the last decisions of seats in such games.
            values: Float32 ``(B,)``: estimates of what these seats last saw.
            potentials: Float32 ``(B,)``: their potentials there; zeros without shaping.
            lane: Whose decisions they are.
        """
        self._truncated[lane].append((decisions, values, potentials))

    def _bootstrapped(self, weight: float) -> NDArray[np.float32]:
        """Rewards, with the discounted estimate of what a truncation cut off."""
        noted = [each for lane in self._truncated for each in lane]
        if not noted:
            return self.rewards
        rewards = self.rewards.copy()
        for decisions, values, potentials in noted:
            rewards[decisions] += self.gamma * (values + weight * potentials)
        return rewards

    def finish(self, weight: float = 0.0) -> None:
        """Estimate advantages of all decisions that are not open.

        Args:
            weight: Factor of the shaping reward.
        """
        rewards = self._bootstrapped(weight)
        trained = []
        for first, end in zip(self._firsts, self._ends, strict=True):
            advantages_along_links(
                rewards,
                self._values,
                self.links,
                self.potentials,
                weight,
                self.gamma,
                self.gae_lambda,
                self.advantages,
                first,
                end,
            )
            trained.append(first + np.flatnonzero(self.links[first:end] != OPEN))
        self._trained = np.concatenate(trained)

    def minibatches(self, batch_size: int | None = None) -> list[NDArray[np.int64]]:
        """Rows of one epoch's minibatches of about ``batch_size``, all of them equally large."""
        order = self.rng.permutation(self._trained)
        parts = max(1, round(len(order) / batch_size)) if batch_size else 1
        return np.array_split(order, parts)

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:
        """Minibatches of about ``batch_size`` in random order, all of them equally large."""
        sources = [
            th.from_numpy(array)
            for array in (
                self.observations,
                self.actions,
                self._values,
                self.log_probs,
                self.advantages,
                self._values + self.advantages,
                self.masks,
            )
        ]
        for part in self.minibatches(batch_size):
            picked = th.from_numpy(part)
            yield MaskableRolloutBufferSamples(
                *(source.index_select(0, picked).to(self.device) for source in sources)
            )

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The open decisions, as arrays; see :meth:`restore`."""
        carried = np.sort(self.last[self.last >= 0])
        kept = {name: array[carried] for name, array in self.per_decision.items()}
        last = self.last.copy()
        last[last >= 0] = np.searchsorted(carried, last[last >= 0])
        return {**kept, "last": last}

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Go on where :meth:`snapshot` was taken."""
        self.last[:] = snapshot["last"]
        before = 0
        for lane, first in enumerate(self._firsts):
            last = self.last_of(lane)
            count = int((last >= 0).sum())
            here = slice(first, first + count)
            for name, array in self.per_decision.items():
                array[here] = snapshot[name][before : before + count]
            self.links[here] = OPEN
            last[last >= 0] += first - before
            self._ends[lane] = first + count
            before += count


def lane_bounds(config: TrainConfig) -> list[int]:
    """First table of each lane, and the number of tables."""
    return even_bounds(config.ppo.tables, min(config.threads, config.ppo.tables))
