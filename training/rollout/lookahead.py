"""A look ahead at some decisions of self-play: what other actions would have led to.

Self-play tries the actions that the policy thinks well of, and learns of each through one game's
result. At a share of its decisions (``ppo.lookahead``) the most probable actions are all tried,
each in a few copies of the game that go on, the first copies of all actions with the same chance,
the second ones with another, until the same seat decides again or the game ends; all seats draw
from the policy. The means of the estimates there say by how much each action is better than the
policy, also where the policy never plays it. The policy learns towards the improved one,
``softmax(logits + SHARPNESS * advantage)``, where an action that was not tried counts as the policy
does: the policy improvement of Danihelka et al., "Policy improvement by planning with Gumbel",
2022.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.kernel import kernel
from ...envs.core.state import bytes_of
from ..learner.imitation import weigh
from .copies import Copies, Decisions, Trials

if TYPE_CHECKING:
    from .table_worker import TableWorker, Tally

SAMPLES = 4
"""Copies in which each action is tried: one alone says what is best if just these cards come, and
more than four hardly help."""

WIDTH = 8
"""Actions that are tried, the most probable ones."""

SHARPNESS = 10.0
"""Change of an action's logit for an advantage of 1, the difference of a win from an even game.

Samples are noisy: many small changes average to the true one, while a sharp softmax takes the
luckiest action for the best.
"""

MOST = 5.0
"""The largest change of a logit."""


class Lookahead:
    """Notes decisions of a rollout, and looks at them when it is over.

    Args:
        worker: Whose tables and players they are.
    """

    def __init__(self, worker: TableWorker) -> None:
        self._worker = worker
        self._noted: list[Decisions] = []
        self._copies: Copies | None = None

    def note(
        self,
        role: int,
        first: int,
        tables: NDArray[np.int64],
        logits: NDArray[np.float32],
        masks: NDArray[np.bool_],
        chosen: NDArray[np.bool_],
    ) -> None:
        """Note some decisions that have just been asked for.

        Args:
            role: Who decides.
            first: Position of the first decision in the role's buffer.
            tables: Int64 ``(B,)``: where.
            logits: Float32 ``(B, actions)``, unmasked.
            masks: Bool ``(B, actions)``.
            chosen: Bool ``(B,)``: which decisions.
        """
        picked = np.flatnonzero(chosen & (masks.sum(1) > 1))
        if len(picked):
            tables = tables[picked]
            states = bytes_of(self._worker.group.states)[tables]
            kept = np.full(len(picked), role), first + picked, tables, states
            self._noted.append(Decisions(*kept, logits[picked], masks[picked]))

    def look(self, tally: Tally) -> None:
        """Look at what was noted, put the improved policies into the buffers, and count."""
        noted, self._noted = self._noted, []
        if not noted:
            return
        names = [field.name for field in fields(Decisions)]
        every = Decisions(*(np.concatenate([getattr(n, name) for n in noted]) for name in names))
        improved = self._improved(every, tally)
        for role, learner in enumerate(self._worker.collector.learners):
            mine = every.roles == role
            learner.buffer.taught[every.at[mine]] = improved[mine]

    def _improved(self, decisions: Decisions, tally: Tally) -> NDArray[np.float32]:
        """Improved policies, float32 ``(B, actions)``."""
        improved = np.zeros(decisions.masks.shape, np.float32)
        roots, actions = most_probable(decisions.logits, decisions.masks, WIDTH)
        samples = np.tile(np.arange(SAMPLES), len(roots))
        trials = Trials(np.repeat(roots, SAMPLES), np.repeat(actions, SAMPLES), samples)
        if self._copies is None:
            self._copies = Copies(self._worker)
        every = self._copies.play(decisions, trials).reshape(-1, SAMPLES)
        logits, masks = decisions.logits, decisions.masks
        differed = improve(logits, masks, roots, actions, means(every), improved)
        tally.looks += len(decisions.at)
        tally.differed += differed
        half = SAMPLES // 2
        tally.gained += gain(logits, roots, actions, means(every[:, half:]), means(every[:, :half]))
        return improved


def means(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means over samples ``(T, samples)``, float64 ``(T,)``; NaN counts only where all are."""
    came_out = ~np.isnan(samples)
    found = np.full(len(samples), np.nan)
    np.divide(np.nansum(samples, 1), came_out.sum(1), out=found, where=came_out.any(1))
    return found


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
        At how many decisions another than the most probable action came out best.
    """
    differed = 0
    shifted = np.where(masks, logits.astype(np.float64), -np.inf)
    first = 0
    while first < len(roots):
        last = end_of(roots, first)
        row = roots[first]
        mean, best = policy_mean(logits[row], actions[first:last], found[first:last])
        differed += best > 0
        for k in range(first, last):
            if not np.isnan(found[k]):
                change = SHARPNESS * (found[k] - mean)
                shifted[row, actions[k]] += min(MOST, max(-MOST, change))
        first = last
    weigh(shifted, 1.0, improved)
    return differed


@kernel
def gain(logits: Any, roots: Any, actions: Any, chosen_by: Any, found: Any) -> float:
    """What the best actions win over the policy, added up over all decisions.

    What an action is chosen by must not say how good it is: luck would count as skill.

    Args:
        logits: Float32 ``(B, actions)``.
        roots: Int64 ``(T,)``, ascending: the decision that each action was tried at.
        actions: Int64 ``(T,)``.
        chosen_by: Float64 ``(T,)``: what it led to in some samples; NaN for nothing.
        found: Float64 ``(T,)``: what it led to in others, likewise.
    """
    gained = 0.0
    first = 0
    while first < len(roots):
        last = end_of(roots, first)
        _, best = policy_mean(logits[roots[first]], actions[first:last], chosen_by[first:last])
        mean, _ = policy_mean(logits[roots[first]], actions[first:last], found[first:last])
        if best >= 0 and not np.isnan(found[first + best]):
            gained += found[first + best] - mean
        first = last
    return gained


@kernel
def end_of(roots: Any, first: int) -> int:
    """Where the entries equal to the one at ``first`` end, in ascending order."""
    last = first
    while last < len(roots) and roots[last] == roots[first]:
        last += 1
    return last


@kernel
def policy_mean(logits: Any, actions: Any, found: Any) -> Any:
    """What the policy expects of some actions, and which of them is the best.

    Args:
        logits: Float32 ``(all actions,)``.
        actions: Int64 ``(A,)``.
        found: Float64 ``(A,)``: what each led to; NaN for nothing.

    Returns:
        The mean and the best one's place; NaN and -1 if nothing was found.
    """
    top = -np.inf
    for action in actions:
        top = max(top, logits[action])
    mass, mean, best = 0.0, 0.0, -1
    for k in range(len(actions)):
        if not np.isnan(found[k]):
            weight = np.exp(logits[actions[k]] - top)
            mass += weight
            mean += weight * found[k]
            if best < 0 or found[k] > found[best]:
                best = k
    return (mean / mass if mass > 0.0 else np.nan), best
