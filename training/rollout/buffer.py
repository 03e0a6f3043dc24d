"""The rollout buffer: a flat array of one role's decisions, linked along each seat's trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from ..config import ConfigError
from ..learner.loss import Batch
from ..learner.sparse import SparseRows
from ..processes import ALONE, Processes
from .thread_pool import ThreadPool, even_bounds
from .trajectories import OPEN, advantages_along_links, append_decisions, gather_rows
from .win_probabilities import lambda_targets, results_of

if TYPE_CHECKING:
    from ..config import TrainConfig

Truncated = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Decisions that a truncation closed, and values of what their seats last saw."""


class DecisionBuffer:
    """Decisions of one role at all tables, in chronological order.

    Decisions that are still open at the end of a rollout are not trained on. The next rollout
    begins with them, so that every next value is that of the seat's own next observation.

    The arrays are divided into shards, one for each worker, so that workers add decisions side by
    side without a lock.

    Args:
        steps: Decisions at each table in a rollout.
        inputs: Numbers that the network is given for a decision.
        num_actions: Number of actions.
        tables: Number of tables.
        seats: Most seats at a table.
        bounds: First table of each shard, and the number of tables; ``None``: one shard.
        gae_lambda: Lambda of the generalised advantage estimate.
        win_probabilities: Seats whose win probabilities the network estimates; 0 for none.
        results: Whether results are paid; scores may be paid besides or instead.
        seed: Seed of the order of minibatches.
    """

    def __init__(
        self,
        steps: int,
        inputs: int,
        num_actions: int,
        *,
        tables: int = 1,
        seats: int = 1,
        bounds: Sequence[int] | None = None,
        gae_lambda: float = 0.95,
        win_probabilities: int = 0,
        results: bool = True,
        seed: int = 0,
    ) -> None:
        capacity = tables * (steps + seats)
        self._tables = [slice(a, b) for a, b in pairwise(bounds or (0, tables))]
        self._firsts = [span.start * (steps + seats) for span in self._tables]
        self._ends = list(self._firsts)
        self.gae_lambda = gae_lambda
        self.rng = np.random.default_rng(seed)
        self.inputs = np.zeros((capacity, inputs), np.float32)
        self.masks = np.zeros((capacity, num_actions), np.bool_)
        self.actions = np.zeros(capacity, np.int64)
        self.taught = np.zeros((capacity, num_actions), np.float32)
        self.log_probs = np.zeros(capacity, np.float32)
        self.rewards = np.zeros(capacity, np.float32)
        self.links = np.full(capacity, OPEN, np.int64)
        self.advantages = np.zeros(capacity, np.float32)
        self._values = np.zeros(capacity, np.float32)
        self._results = results
        self.win_probabilities = np.zeros((capacity, win_probabilities), np.float32)
        self.targets = np.zeros((capacity, win_probabilities), np.float32)
        self.sizes = np.zeros(capacity, np.int64)
        self.last = np.full((tables, seats), OPEN, np.int64)
        self._truncated: list[list[Truncated]] = [[] for _ in self._firsts]
        self._trained: NDArray[np.int64] = np.zeros(0, np.int64)

    @property
    def count(self) -> int:
        """Decisions in the arrays, open ones included."""
        return sum(self._ends) - sum(self._firsts)

    @property
    def rows(self) -> NDArray[np.int64]:
        """Positions of those decisions, in chronological order within each shard."""
        spans = zip(self._firsts, self._ends, strict=True)
        return np.concatenate([np.arange(first, end) for first, end in spans])

    def last_of(self, shard: int) -> NDArray[np.int64]:
        """Each seat's open decision at a shard's tables, int64 ``(N, seats)``; live."""
        return self.last[self._tables[shard]]

    @property
    def per_decision(self) -> dict[str, NDArray[Any]]:
        """All arrays with an entry for each decision, by their names in checkpoints."""
        return {
            "inputs": self.inputs,
            "masks": self.masks,
            "actions": self.actions,
            "taught": self.taught,
            "log_probs": self.log_probs,
            "rewards": self.rewards,
            "values": self._values,
            "chances": self.win_probabilities,
            "sizes": self.sizes,
        }

    @property
    def values(self) -> NDArray[np.float32]:
        """Value estimates of the decisions that are trained on."""
        return self._values[self._trained]

    @property
    def returns(self) -> NDArray[np.float32]:
        """Targets of the value of the decisions that are trained on, all rewards together."""
        returns: NDArray[np.float32] = self.values + self.advantages[self._trained]
        return returns

    @property
    def trained(self) -> NDArray[np.int64]:
        """Positions of the decisions that are trained on, ascending."""
        return self._trained

    @property
    def size(self) -> int:
        """Number of decisions that are trained on."""
        return len(self._trained)

    def reset(self) -> None:
        """Forget closed decisions; open ones move to the front of their shard."""
        for shard, first in enumerate(self._firsts):
            last = self.last_of(shard)
            carried = np.sort(last[last >= 0])
            self._ends[shard] = first + len(carried)
            here = slice(first, self._ends[shard])
            for array in self.per_decision.values():
                array[here] = array[carried]
            self.links[here] = OPEN
            last[last >= 0] = first + np.searchsorted(carried, last[last >= 0])
            self._truncated[shard].clear()
        self._trained = np.zeros(0, np.int64)

    def add(
        self,
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        shard: int = 0,
    ) -> slice:
        """Add a decision at each of some tables; returns their positions in the arrays.

        Args:
            rows: Int64 ``(B,)``: the tables, counted from the shard's first.
            seats: Int64 ``(N,)``: deciding seats of the shard's tables.
            observations: Float32 ``(N, observation_size)`` of those tables.
            masks: Bool ``(N, actions)`` of those tables.
            shard: The shard that these tables belong to.
        """
        first = self._ends[shard]
        gather_rows(rows, observations, masks, self.inputs, self.masks, first)
        append_decisions(rows, seats, self.last_of(shard), self.links, self.rewards, first)
        self._ends[shard] += len(rows)
        return slice(first, self._ends[shard])

    @property
    def estimates(self) -> NDArray[np.float32]:
        """Value estimates of all decisions, to be filled in as they are made."""
        return self._values

    def truncate(
        self,
        decisions: NDArray[np.int64],
        values: NDArray[np.float32],
        shard: int = 0,
    ) -> None:
        """Note the last positions of games that were cut off, to bootstrap from them.

        Args:
            decisions: Int64 ``(B,)``: the last decisions of seats in such games.
            values: Float32 ``(B,)``: estimates of what these seats last saw.
            shard: The shard that these decisions belong to.
        """
        self._truncated[shard].append((decisions, values))

    def _bootstrapped(self) -> NDArray[np.float32]:
        """Rewards, with the estimate of what a truncation cut off."""
        noted = [each for shard in self._truncated for each in shard]
        if not noted:
            return self.rewards
        rewards = self.rewards.copy()
        for decisions, values in noted:
            rewards[decisions] += values
        return rewards

    def finish(self) -> None:
        """Estimate the advantages of all decisions that are not open."""
        rewards = self._bootstrapped()
        trained = []
        for first, end in zip(self._firsts, self._ends, strict=True):
            advantages_along_links(
                rewards,
                self._values,
                self.links,
                self.gae_lambda,
                self.advantages,
                first,
                end,
            )
            if self.win_probabilities.shape[1]:
                lambda_targets(
                    self.links, self.win_probabilities, self.gae_lambda, self.targets, first, end
                )
            trained.append(first + np.flatnonzero(self.links[first:end] != OPEN))
        self._trained = np.concatenate(trained)

    def minibatches(self, batch_size: int, total: int | None = None) -> list[NDArray[np.int64]]:
        """Rows of one epoch's minibatches, all of them equally large.

        Args:
            batch_size: Decisions of a minibatch, about, those of all processes together.
            total: Decisions that all processes train on; by default this buffer's are all.
        """
        order = self.rng.permutation(self._trained)
        total = len(order) if total is None else total
        return np.array_split(order, max(1, round(total / batch_size)))

    def batch(self, pool: ThreadPool, device: th.device | str = "cpu") -> Batch:
        """All rows as tensors on a device, from which :meth:`minibatches` are taken.

        On a CPU they share the buffer's memory, but for the inputs, which are sparse, and the
        returns.

        Args:
            pool: Threads that share the work.
            device: Where the tensors are to be.
        """
        returns = self._values + self.advantages
        if self.win_probabilities.shape[1] and self._results:
            # The win probabilities stand for the results; the rest is what else was paid.
            returns -= results_of(self.targets, self.sizes)
        arrays = (
            self.masks,
            self.actions,
            self.log_probs,
            self.advantages,
            returns,
            self.targets,
            self.taught,
        )
        return Batch(
            self._inputs_on(th.device(device), pool),
            *(th.from_numpy(array).to(device) for array in arrays),
        )

    def _inputs_on(self, device: th.device, pool: ThreadPool) -> th.Tensor | SparseRows:
        if device.type != "cpu":
            return th.from_numpy(self.inputs).to(device)
        rows = SparseRows.of(self.inputs, self._trained, run=pool.run, parts=pool.size)
        rows.asked = self.masks
        return rows

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The open decisions, as arrays; see :meth:`restore`."""
        carried = np.sort(self.last[self.last >= 0])
        kept = {name: array[carried] for name, array in self.per_decision.items()}
        last = self.last.copy()
        last[last >= 0] = np.searchsorted(carried, last[last >= 0])
        return {**kept, "last": last}

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Restore the decisions of :meth:`snapshot`."""
        self.last[:] = snapshot["last"]
        before = 0
        for shard, first in enumerate(self._firsts):
            last = self.last_of(shard)
            count = int((last >= 0).sum())
            here = slice(first, first + count)
            for name, array in self.per_decision.items():
                array[here] = snapshot[name][before : before + count]
            self.links[here] = OPEN
            last[last >= 0] += first - before
            self._ends[shard] = first + count
            before += count


def shard_bounds(config: TrainConfig, processes: Processes = ALONE) -> list[int]:
    """First table of each of a process's shards, one a thread, and the number of its tables.

    Raises:
        ConfigError: If there are fewer tables than threads in several processes.
    """
    shards = config.threads * processes.size
    if processes.size == 1:
        return even_bounds(config.ppo.tables, min(shards, config.ppo.tables))
    if shards > config.ppo.tables:
        raise ConfigError(
            f"ppo.tables={config.ppo.tables}: must be at least {shards}, one for each of "
            f"{config.threads} threads in {processes.size} processes"
        )
    bounds = even_bounds(config.ppo.tables, shards)
    first = processes.rank * config.threads
    return [bound - bounds[first] for bound in bounds[first : first + config.threads + 1]]
