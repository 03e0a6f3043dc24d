"""Copies of games in which actions are tried: each goes on until the same seat decides again.

As many copies are played side by side as a network reads fast. When one is over, the next begins
in its place, so that the batches stay full.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from ...envs.core.kernel import kernel
from ...envs.core.rng import stream
from ..learner.sparse import inputs_for
from .tables import TableGroup
from .trajectories import sample_actions

if TYPE_CHECKING:
    from .table_worker import TableWorker

AT_ONCE = 512
"""Copies side by side."""

STEPS = 64
"""Decisions after which a copy that has not come back to the seat says nothing."""

APART = np.uint64(0xD1B54A32D192ED03)
"""Distance between the chances of samples: odd, and far from what a game's draws add up to."""

FREE = -1


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions at which actions are tried.

    Attributes:
        roles: Int64 ``(B,)``: who decides.
        at: Int64 ``(B,)``: their positions in the role's buffer.
        tables: Int64 ``(B,)``: the worker's tables that they were made at.
        states: Uint8 ``(B, bytes)``: the games' records.
        logits: Float32 ``(B, actions)``, unmasked.
        masks: Bool ``(B, actions)``: legal actions.
    """

    roles: NDArray[np.int64]
    at: NDArray[np.int64]
    tables: NDArray[np.int64]
    states: NDArray[np.uint8]
    logits: NDArray[np.float32]
    masks: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Trials:
    """What is to be tried, a copy of a game for each.

    Attributes:
        roots: Int64 ``(T,)``: the decisions.
        actions: Int64 ``(T,)``: the actions tried there.
        samples: Int64 ``(T,)``: with which chance the games go on: 0 for their own.
    """

    roots: NDArray[np.int64]
    actions: NDArray[np.int64]
    samples: NDArray[np.int64]


class Copies:
    """Plays copies of the games at a worker's tables, all seats by the policy that learns.

    Args:
        worker: Whose tables and players they are.
    """

    def __init__(self, worker: TableWorker) -> None:
        self._worker = worker
        # Kinds of tables differ by what a new game begins with: a copy is over when it ends.
        kind, rewards = worker.group.kinds[0].options, worker.collector.config.rewards
        self._tables = TableGroup(worker.game, [kind], AT_ONCE, 0, rewards)
        self._tables.reset()
        self._trials = np.full(AT_ONCE, FREE)
        self._ages = np.zeros(AT_ONCE, np.int64)
        self._seats = np.zeros(AT_ONCE, np.int64)

    def play(self, decisions: Decisions, trials: Trials) -> NDArray[np.float64]:
        """What the deciding seats expect after each action, float64 ``(T,)``.

        It is the value where the seat decides again, or the reward if the game ends before; NaN if
        it remained open.
        """
        copies = self._tables
        found = np.full(len(trials.roots), np.nan)
        # Copies of one chance draw alike, which leaves more of the difference to the actions.
        key = self._worker.rng.integers(0, 2**64, dtype=np.uint64)
        begun = 0
        while True:
            begun += self._begin(decisions, trials, begun)
            rows = np.flatnonzero(self._trials != FREE)
            if len(rows) == 0:
                return found
            idle = self._trials == FREE
            copies.actions[idle] = copies.masks[idle].argmax(1)
            copies.step()
            self._ages[rows] += 1
            over = copies.dones[rows]
            ended = rows[over & ~copies.truncations[rows]]
            found[self._trials[ended]] = copies.rewards[ended, self._seats[ended]]
            self._trials[rows[over]] = FREE
            rows = rows[~over]
            values = self._decide(decisions, trials, rows, key)
            back = copies.seats[rows] == self._seats[rows]
            found[self._trials[rows[back]]] = values[back]
            self._trials[rows[back | (self._ages[rows] == STEPS)]] = FREE

    def _begin(self, decisions: Decisions, trials: Trials, first: int) -> int:
        """Begin with the trials from ``first`` on, as far as there are free tables; how many."""
        copies = self._tables
        rows = np.flatnonzero(self._trials == FREE)[: len(trials.roots) - first]
        if len(rows):
            started = np.arange(first, first + len(rows))
            roots = trials.roots[started]
            copies.place(
                rows, with_chance(decisions.states[roots], trials.samples[started], copies)
            )
            copies.sizes[rows] = self._worker.group.sizes[decisions.tables[roots]]
            copies.actions[rows] = trials.actions[started]
            self._trials[rows], self._ages[rows] = started, 0
            self._seats[rows] = copies.seats[rows]
        return len(rows)

    def _decide(
        self, decisions: Decisions, trials: Trials, rows: NDArray[np.int64], key: np.uint64
    ) -> NDArray[np.float32]:
        """Draw actions from the policy; what the deciding seats expect, float32 ``(B,)``.

        Args:
            decisions: As above.
            trials: As above.
            rows: Int64 ``(B,)``: copies.
            key: Randomness of what is drawn.
        """
        worker, copies = self._worker, self._tables
        played = self._trials[rows]
        roots, samples = trials.roots[played], trials.samples[played]
        tables = decisions.tables[roots]
        uniforms = draw_alike(key, roots, samples, self._ages[rows])
        roles = worker.group.roles[tables, copies.seats[rows]]
        values = np.zeros(len(rows), np.float32)
        for role, learner in enumerate(worker.collector.learners):
            mine = np.flatnonzero(roles == role)
            if len(mine) == 0:
                continue
            at = rows[mine]
            network, masks = learner.network, copies.masks[at]
            with th.inference_mode():
                inputs = inputs_for(copies.observations[at], network.device, asked=masks)
                logits, outputs = network.logits_and_values(inputs)
            values[mine], _ = worker.values(outputs.cpu().numpy(), tables[mine])
            chosen, log_probs = np.zeros(len(mine), np.int64), np.zeros(len(mine), np.float32)
            sample_actions(
                logits.cpu().numpy(),
                masks,
                1.0,
                uniforms[mine],
                at,
                copies.actions,
                chosen,
                log_probs,
            )
        return values


def with_chance(
    states: NDArray[np.uint8], samples: NDArray[np.int64], tables: TableGroup
) -> NDArray[np.uint8]:
    """States, uint8 ``(T, bytes)``, changed in place to go on with other chances."""
    records = states.view(tables.game.dtype)[:, 0]
    records["rng"] += samples.astype(np.uint64) * APART
    return states


@kernel
def draw_alike(key: Any, roots: Any, samples: Any, ages: Any) -> Any:
    """Uniform numbers in 0 to 1, float64 ``(B,)``: the same for the same three numbers.

    Args:
        key: Uint64: another one draws others.
        roots: Int64 ``(B,)``.
        samples: Int64 ``(B,)``.
        ages: Int64 ``(B,)``.
    """
    uniforms = np.empty(len(roots))
    for k in range(len(roots)):
        bits = stream(key, np.uint64(roots[k]))
        bits = stream(stream(bits, np.uint64(samples[k])), np.uint64(ages[k]))
        uniforms[k] = (bits >> np.uint64(11)) * 2.0**-53
    return uniforms
