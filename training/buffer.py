"""The rollout buffer: a flat array of one role's decisions, with links along each seat's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples

from .trajectories import OPEN, advantages_along_links, append_decisions, gather_rows


class DecisionBuffer:
    """Decisions of one role at all tables, in the order of time.

    Stands where MaskablePPO expects its rollout buffer: ``get``, ``values`` and ``returns`` are
    what its ``train`` reads. Decisions still open at the end of a rollout are not trained on; the
    next rollout begins with them, so that every next value is that of the seat's own next
    observation.

    Args:
        buffer_size: Decisions a table and rollout.
        observation_space: The observation space.
        action_space: The action space.
        device: Where the learner computes.
        gae_lambda: Of the advantage estimate.
        gamma: Discount from one own decision to the next.
        n_envs: Number of tables.
        seats: Seats at a table, at most.
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
        seed: int = 0,
    ) -> None:
        capacity = n_envs * (buffer_size + seats)
        self.device = th.device(device)
        self.gamma = gamma
        self.gae_lambda = gae_lambda
        self.rng = np.random.default_rng(seed)
        self.count = 0
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
        self._trained: NDArray[np.int64] = np.zeros(0, np.int64)

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
        """Forget closed decisions; open ones move to the front."""
        carried = np.sort(self.last[self.last >= 0])
        for array in self.per_decision.values():
            array[: len(carried)] = array[carried]
        self.links[: len(carried)] = OPEN
        here = self.last >= 0
        self.last[here] = np.searchsorted(carried, self.last[here])
        self.count = len(carried)
        self._trained = np.zeros(0, np.int64)

    def add(
        self,
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        first_table: int = 0,
    ) -> slice:
        """Begin a decision at each of some tables; returns where they stand.

        Args:
            rows: Int64 ``(B,)``: the tables, counted from ``first_table``.
            seats: Int64 ``(N,)``: deciding seats of the tables from ``first_table`` on.
            observations: Float32 ``(N, observation_size)`` of those tables.
            masks: Bool ``(N, actions)`` of those tables.
            first_table: Where those tables begin among all.
        """
        first = self.count
        gather_rows(rows, observations, masks, self.observations, self.masks, first)
        last = self.last[first_table : first_table + len(seats)]
        append_decisions(rows, seats, last, self.links, self.rewards, first)
        self.count += len(rows)
        return slice(first, self.count)

    @property
    def estimates(self) -> NDArray[np.float32]:
        """Value estimates of all decisions, to be filled in as they are made."""
        return self._values

    def finish(self, weight: float = 0.0) -> None:
        """Estimate advantages of all decisions that are not open.

        Args:
            weight: Factor of the shaping reward.
        """
        advantages_along_links(
            self.rewards,
            self._values,
            self.links,
            self.potentials,
            weight,
            self.gamma,
            self.gae_lambda,
            self.advantages,
            self.count,
        )
        self._trained = np.flatnonzero(self.links[: self.count] != OPEN)

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
        count = len(snapshot["actions"])
        for name, array in self.per_decision.items():
            array[:count] = snapshot[name]
        self.links[:count] = OPEN
        self.last[:] = snapshot["last"]
        self.count = count
