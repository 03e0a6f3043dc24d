"""A look ahead at some decisions of self-play: what other actions would have led to.

Self-play tries the actions that the policy thinks well of, and learns of each through one game's
result. At a share of its decisions the most probable actions are all tried, each in a few copies of
the game that go on, the first copies of all actions with the same chance, the second ones with
another, until the same seat decides again or the game ends; all seats draw from the policy. The
means of the estimates there say by how much each action is better than the policy, also where the
policy never plays it. The policy learns towards the improved one, ``softmax(logits +
SHARPNESS * advantage)``, where an action that was not tried counts as the policy does: the policy
improvement of Danihelka et al., "Policy improvement by planning with Gumbel", 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from ...envs.core.kernel import kernel
from ...envs.core.state import bytes_of
from ..learner.imitation import weigh
from ..learner.sparse import inputs_for
from .tables import TableGroup
from .trajectories import sample_actions

if TYPE_CHECKING:
    from .table_worker import TableWorker, Tally

SHARE = 0.03
"""Share of the decisions at tables of the current policy alone at which it looks ahead."""

SAMPLES = 4
"""Copies in which each action is tried: one of them says what is best if just these cards come. Of
twelve million decisions of Chicago for two, policies that learnt from 1, 2, 4 or 16 copies won 60,
75, 78 or 80 % against the heuristic."""

WIDTH = 8
"""Actions that are tried, the most probable ones."""

SHARPNESS = 10.0
"""Change of an action's logit for an advantage of 1, the difference of a win from an even game.

Samples are noisy: many small changes average to the true one, while a sharp softmax takes the
luckiest action for the best. With 30, and a third of the weight in the loss, policies of four
copies won 70 % there, and a best response won 0.72 chips of Leduc poker for two in place of 0.59.
"""

MOST = 5.0
"""The largest change of a logit."""

STEPS = 64
"""Decisions after which a copy that has not come back to the seat says nothing."""

APART = np.uint64(0xD1B54A32D192ED03)
"""Distance between the chances of samples: odd, and far from what a game's draws add up to."""

AT_ONCE = 64
"""Decisions that are looked at together."""

FEWEST = 32
"""Tables of the smallest group of copies; four times as many in each larger one."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Decisions to look at, of one role.

    Attributes:
        role: The role.
        at: Int64 ``(B,)``: their positions in the role's buffer.
        rows: Int64 ``(B,)``: their tables.
        states: Uint8 ``(B, bytes)``: the games' records.
        logits: Float32 ``(B, actions)``, unmasked.
        masks: Bool ``(B, actions)``: legal actions.
    """

    role: int
    at: NDArray[np.int64]
    rows: NDArray[np.int64]
    states: NDArray[np.uint8]
    logits: NDArray[np.float32]
    masks: NDArray[np.bool_]

    def part(self, rows: slice) -> Noted:
        """Some of them."""
        return Noted(
            self.role,
            self.at[rows],
            self.rows[rows],
            self.states[rows],
            self.logits[rows],
            self.masks[rows],
        )


class Lookahead:
    """Notes decisions of a rollout, and looks at them when it is over.

    Args:
        worker: Whose tables and players they are.
    """

    def __init__(self, worker: TableWorker) -> None:
        self._worker = worker
        self._noted: list[Noted] = []
        self._groups: dict[int, TableGroup] = {}

    def note(
        self,
        role: int,
        first: int,
        rows: NDArray[np.int64],
        logits: NDArray[np.float32],
        masks: NDArray[np.bool_],
        chosen: NDArray[np.bool_],
    ) -> None:
        """Note some decisions that have just been asked for.

        Args:
            role: Who decides.
            first: Position of the first decision in the role's buffer.
            rows: Int64 ``(B,)``: the tables.
            logits: Float32 ``(B, actions)``, unmasked.
            masks: Bool ``(B, actions)``.
            chosen: Bool ``(B,)``: which decisions.
        """
        group = self._worker.group
        picked = np.flatnonzero(chosen & (masks.sum(1) > 1))
        if len(picked):
            states = bytes_of(group.states)[rows[picked]]
            kept = logits[picked], masks[picked]
            self._noted.append(Noted(role, first + picked, rows[picked], states, *kept))

    def look(self, tally: Tally) -> None:
        """Look at what was noted, put the improved policies into the buffers, and count."""
        noted, self._noted = self._noted, []
        for role, learner in enumerate(self._worker.collector.learners):
            mine = [each for each in noted if each.role == role]
            if not mine:
                continue
            names = ("at", "rows", "states", "logits", "masks")
            every = Noted(role, *(np.concatenate([getattr(m, n) for m in mine]) for n in names))
            for first in range(0, len(every.at), AT_ONCE):
                some = every.part(slice(first, first + AT_ONCE))
                learner.buffer.taught[some.at] = self._improved(some, tally)

    def _improved(self, noted: Noted, tally: Tally) -> NDArray[np.float32]:
        """Improved policies, float32 ``(B, actions)``."""
        improved = np.zeros(noted.masks.shape, np.float32)
        roots, actions = most_probable(noted.logits, noted.masks, WIDTH)
        samples = np.tile(np.arange(SAMPLES), len(roots))
        every = self._tried(
            noted, np.repeat(roots, SAMPLES), np.repeat(actions, SAMPLES), samples
        ).reshape(-1, SAMPLES)
        came_out = ~np.isnan(every)
        found = np.full(len(roots), np.nan)
        np.divide(np.nansum(every, 1), came_out.sum(1), out=found, where=came_out.any(1))
        differed, gained = improve(noted.logits, noted.masks, roots, actions, found, improved)
        tally.looks += len(noted.at)
        tally.differed += differed
        tally.gained += gained
        return improved

    def _tried(
        self,
        noted: Noted,
        roots: NDArray[np.int64],
        actions: NDArray[np.int64],
        samples: NDArray[np.int64],
    ) -> NDArray[np.float64]:
        """What the seats expect after each action, float64 ``(T,)``; NaN if it remained open.

        Args:
            noted: The decisions.
            roots: Int64 ``(T,)``: which of them each action is tried at.
            actions: Int64 ``(T,)``: the actions.
            samples: Int64 ``(T,)``: with which chance, 0 for the game's own.
        """
        found = np.full(len(roots), np.nan)
        tried = np.arange(len(roots))  # by the copies that are still open
        copies = self._copies(noted, roots, self._started(noted.states[roots], samples))
        seats = copies.seats[: len(roots)].copy()
        copies.actions[: len(roots)] = actions
        for _ in range(STEPS):
            copies.step()
            rows = np.flatnonzero(tried >= 0)
            over = copies.dones[rows]
            ended = rows[over & ~copies.truncations[rows]]
            found[tried[ended]] = copies.rewards[ended, seats[tried[ended]]]
            tried[rows[over]] = -1
            rows = rows[~over]
            at = tried[rows]
            values = self._decide(copies, noted, rows, roots[at], samples[at])
            back = copies.seats[rows] == seats[tried[rows]]
            found[tried[rows[back]]] = values[back]
            tried[rows[back]] = -1
            rows = rows[~back]
            if len(rows) == 0:
                break
            if len(rows) <= copies.count // 4:
                at, chosen = tried[rows], copies.actions[rows]
                copies = self._copies(noted, roots[at], bytes_of(copies.states)[rows])
                copies.actions[: len(rows)] = chosen
                tried = at
        return found

    def _decide(
        self,
        copies: TableGroup,
        noted: Noted,
        rows: NDArray[np.int64],
        roots: NDArray[np.int64],
        samples: NDArray[np.int64],
    ) -> NDArray[np.float32]:
        """Draw actions from the policy; what the deciding seats expect, float32 ``(B,)``.

        Args:
            copies: The copies, whose actions at ``rows`` are filled in.
            noted: The decisions.
            rows: Int64 ``(B,)``: copies.
            roots: Int64 ``(B,)``: the decision that each belongs to.
            samples: Int64 ``(B,)``: with which chance.
        """
        worker, tables = self._worker, noted.rows[roots]
        copies.actions[:] = copies.masks.argmax(1)
        # Copies of one chance draw alike, which leaves more of the difference to the actions.
        uniforms = worker.rng.random((len(noted.at), SAMPLES))[roots, samples]
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

    def _started(self, states: NDArray[np.uint8], samples: NDArray[np.int64]) -> NDArray[np.uint8]:
        """States, uint8 ``(T, bytes)``, changed in place to go on with other chances."""
        records = states.view(self._worker.group.game.dtype)[:, 0]
        records["rng"] += samples.astype(np.uint64) * APART
        return states

    def _copies(
        self, noted: Noted, roots: NDArray[np.int64], states: NDArray[np.uint8]
    ) -> TableGroup:
        """Tables in given positions: the first ones of a group that is hardly larger.

        Args:
            noted: The decisions.
            roots: Int64 ``(T,)``: the decision that each copy belongs to.
            states: Uint8 ``(T, bytes)``: the games' records.
        """
        group = self._worker.group
        size = FEWEST
        while size < len(states):
            size *= 4
        if size not in self._groups:
            # Kinds of tables differ by what a new game begins with: a copy is over when it ends.
            rewards = self._worker.collector.config.rewards
            self._groups[size] = TableGroup(group.game, [group.kinds[0].options], size, 0, rewards)
        copies = self._groups[size]
        copies.sizes[: len(states)] = group.sizes[noted.rows[roots]]
        zeros = np.zeros(size, np.uint64)
        filled = states[np.arange(size) % len(states)]
        copies.kinds[0].restore({"states": filled, "table_seeds": zeros, "episodes": zeros})
        copies.actions[:] = copies.masks.argmax(1)
        return copies


@kernel
def most_probable(logits: Any, masks: Any, width: int) -> Any:
    """The legal actions with the highest logits, up to ``width`` of each decision.

    Args:
        logits: Float32 ``(B, actions)``.
        masks: Bool ``(B, actions)``.
        width: Most actions of a decision.

    Returns:
        The decision that each belongs to, and the actions: int64 ``(T,)`` each.
    """
    roots = np.empty(len(masks) * width, np.int64)
    actions = np.empty(len(masks) * width, np.int64)
    count = 0
    for row in range(len(masks)):
        before = count
        for action in range(masks.shape[1]):
            if not masks[row, action]:
                continue
            at = count
            if count - before == width:
                at -= 1
                if logits[row, actions[at]] >= logits[row, action]:
                    continue
            else:
                count += 1
            while at > before and logits[row, actions[at - 1]] < logits[row, action]:
                actions[at] = actions[at - 1]
                at -= 1
            actions[at] = action
        roots[before:count] = row
    return roots[:count], actions[:count]


@kernel
def improve(logits: Any, masks: Any, roots: Any, actions: Any, found: Any, improved: Any) -> Any:
    """Improved policies from what some actions led to.

    Args:
        logits: Float32 ``(B, actions)``.
        masks: Bool ``(B, actions)``.
        roots: Int64 ``(T,)``, ascending: the decision that each action was tried at.
        actions: Int64 ``(T,)``, the most probable one of each decision first.
        found: Float64 ``(T,)``: what it led to; NaN for nothing.
        improved: Float32 ``(B, actions)``, zeros; filled where actions are legal.

    Returns:
        At how many decisions another than the most probable action came out best, and the sum of
        the advantages of the best ones.
    """
    differed, gained = 0, 0.0
    shifted = np.where(masks, logits.astype(np.float64), -np.inf)
    first = 0
    for row in range(len(masks)):
        last = first
        while last < len(roots) and roots[last] == row:
            last += 1
        top = logits[row, actions[first]]
        mass, mean = 0.0, 0.0
        best = -1
        for k in range(first, last):
            if not np.isnan(found[k]):
                weight = np.exp(logits[row, actions[k]] - top)
                mass += weight
                mean += weight * found[k]
                if best < 0 or found[k] > found[best]:
                    best = k
        if best >= 0 and mass > 0.0:
            mean /= mass
            gained += found[best] - mean
            differed += best != first
            for k in range(first, last):
                if not np.isnan(found[k]):
                    change = SHARPNESS * (found[k] - mean)
                    shifted[row, actions[k]] += min(MOST, max(-MOST, change))
        first = last
    weigh(shifted, 1.0, improved)
    return differed, gained
