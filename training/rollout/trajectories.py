"""Trajectories along a seat's own decisions, as kernels over flat arrays of decisions.

Decisions are appended in chronological order, whichever table and seat they belong to. ``links``
leads from each decision to the next one of the same (table, seat):

- an index: the next own decision, always later in the array;
- ``ENDED``: the game ended before another one, by a result or by a truncation;
- ``OPEN``: not known yet; the decision is carried over into the next rollout.

A reward between two decisions of a seat belongs to the earlier one, so every reward that comes
after a seat's first decision is seen by its learner exactly once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.kernel import kernel

ENDED = -1
OPEN = -2


@kernel
def append_decisions(
    rows: Any,
    seats: Any,
    last: Any,
    links: Any,
    rewards: Any,
    first: int,
) -> None:
    """Link new decisions, numbered from ``first``, to the one before of the same table and seat.

    Args:
        rows: Int64 ``(B,)``: table of each new decision.
        seats: Int64 ``(N,)``: the deciding seat of every table.
        last: Int64 ``(N, seats)``: each seat's open decision; ``OPEN`` for none.
        links: Int64 ``(capacity,)``: see the module.
        rewards: Float32 ``(capacity,)``.
        first: Index of the first new decision.
    """
    for k in range(len(rows)):
        seat = seats[rows[k]]
        before = last[rows[k], seat]
        if before >= 0:
            links[before] = first + k
        links[first + k] = OPEN
        rewards[first + k] = 0.0
        last[rows[k], seat] = first + k


@kernel
def pay_rewards(paid: Any, dones: Any, last: Any, links: Any, rewards: Any) -> None:
    """Credit what a step paid to each seat's open decision; close those of finished games.

    Args:
        paid: Float32 ``(N, seats)``: what the step paid.
        dones: Bool ``(N,)``: whether it ended the game.
        last: Int64 ``(N, seats)``: each seat's open decision; ``OPEN`` for none.
        links: Int64 ``(capacity,)``.
        rewards: Float32 ``(capacity,)``.
    """
    for row in range(len(dones)):
        for seat in range(last.shape[1]):
            decision = last[row, seat]
            if decision >= 0:
                rewards[decision] += paid[row, seat]
                if dones[row]:
                    links[decision] = ENDED
                    last[row, seat] = OPEN


@kernel
def advantages_along_links(
    rewards: Any,
    values: Any,
    links: Any,
    gae_lambda: float,
    advantages: Any,
    first: int,
    end: int,
) -> None:
    """Generalised advantage estimates (Schulman et al., 2016) of decisions ``first .. end - 1``.

    Open decisions get no estimate; one that leads to an open decision bootstraps from the value
    there. What follows a truncation is part of ``rewards``: see
    :meth:`gangland.training.rollout.buffer.DecisionBuffer.truncate`.

    Args:
        rewards: Float32 ``(capacity,)``.
        values: Float32 ``(capacity,)``: value estimates of the decisions.
        links: Int64 ``(capacity,)``.
        gae_lambda: Weight of longer estimates.
        advantages: Float32 ``(capacity,)``, filled.
        first: The first of the decisions, whose links lead no further than ``end``.
        end: Index after the last one.
    """
    for i in range(end - 1, first - 1, -1):
        following = links[i]
        if following == OPEN:
            advantages[i] = 0.0
            continue
        estimate = rewards[i] - values[i]
        if following >= 0:
            estimate += values[following]
            if links[following] != OPEN:
                estimate += gae_lambda * advantages[following]
        advantages[i] = estimate


@kernel
def gather_rows(
    rows: Any, observations: Any, masks: Any, to_observations: Any, to_masks: Any, first: int
) -> None:
    """Copy observation and mask of some tables to consecutive places from ``first`` on."""
    for k in range(len(rows)):
        to_observations[first + k] = observations[rows[k]]
        to_masks[first + k] = masks[rows[k]]


@kernel
def sample_actions(
    logits: Any,
    masks: Any,
    sharpness: float,
    uniforms: Any,
    rows: Any,
    actions: Any,
    chosen: Any,
    log_probs: Any,
) -> int:
    """Draw legal actions from the softmax of ``sharpness * logits`` over the legal ones.

    Args:
        logits: Float32 ``(B, actions)``.
        masks: Bool ``(B, actions)``.
        sharpness: Inverse of the temperature, finite.
        uniforms: Float64 ``(B,)`` in [0, 1).
        rows: Int64 ``(B,)``: where in ``actions`` each one goes.
        actions: Int64 ``(N,)``, filled at ``rows``.
        chosen: Int64 ``(B,)``, filled.
        log_probs: Float32 ``(B,)``, filled with the log probability of each action.

    Returns:
        The first row without a legal action, or -1. Its action is not set.
    """
    for k in range(len(rows)):
        top = -np.inf
        for action in range(masks.shape[1]):
            if masks[k, action] and logits[k, action] > top:
                top = logits[k, action]
        if top == -np.inf:
            return k
        total = 0.0
        for action in range(masks.shape[1]):
            if masks[k, action]:
                total += np.exp(sharpness * (logits[k, action] - top))
        left = uniforms[k] * total
        pick = -1
        for action in range(masks.shape[1]):
            if masks[k, action]:
                pick = action
                left -= np.exp(sharpness * (logits[k, action] - top))
                if left < 0.0:
                    break
        chosen[k] = pick
        actions[rows[k]] = pick
        log_probs[k] = sharpness * (logits[k, pick] - top) - np.log(total)
    return -1


@kernel
def log_probs_of(logits: Any, masks: Any, actions: Any) -> Any:
    """Log probabilities of given legal actions, float32 ``(B,)``.

    Args:
        logits: Float32 ``(B, actions)``.
        masks: Bool ``(B, actions)``.
        actions: Int64 ``(B,)``.
    """
    log_probs = np.zeros(len(actions), np.float32)
    for k in range(len(actions)):
        top = logits[k, actions[k]]
        for action in range(masks.shape[1]):
            if masks[k, action] and logits[k, action] > top:
                top = logits[k, action]
        total = 0.0
        for action in range(masks.shape[1]):
            if masks[k, action]:
                total += np.exp(logits[k, action] - top)
        log_probs[k] = logits[k, actions[k]] - top - np.log(total)
    return log_probs
