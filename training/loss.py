"""PPO's loss and its gradient with respect to logits and values, in one compiled pass.

Torch takes a dozen passes over a ``(B, actions)`` array for masking, softmax, entropy and their
gradients. Few actions are legal, so a pass that touches only those costs next to nothing, and the
backward pass starts at the logits. Loss after Schulman et al., "Proximal policy optimization
algorithms", 2017, equations 7 and 9, as in sb3-contrib's MaskablePPO (a test compares both).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.core.kernel import kernel

NEGLIGIBLE = 1e-25
"""Gradients below this count as zero: denormals slow matrix products down a hundredfold."""

POLICY_LOSS, VALUE_LOSS, ENTROPY, APPROX_KL, CLIP_FRACTION = range(5)
STATISTICS = 5


@kernel
def ppo_gradients(
    logits: Any,
    values: Any,
    masks: Any,
    actions: Any,
    old_log_probs: Any,
    advantages: Any,
    returns: Any,
    clip_range: float,
    entropy_coefficient: float,
    value_coefficient: float,
    count: int,
    logit_gradients: Any,
    value_gradients: Any,
    statistics: Any,
) -> None:
    """Fill the gradients of a minibatch's mean loss, and its means of what is logged.

    For a part of a minibatch they are that part's share: shares add up to the whole.

    Args:
        logits: Float32 ``(B, actions)``, unmasked.
        values: Float32 ``(B,)``.
        masks: Bool ``(B, actions)``: legal actions.
        actions: Int64 ``(B,)``: the actions taken.
        old_log_probs: Float32 ``(B,)``: log probabilities when they were taken.
        advantages: Float32 ``(B,)``, normalised if they are to be.
        returns: Float32 ``(B,)``: targets of the values.
        clip_range: How far the probability ratio counts from 1.
        entropy_coefficient: Weight of the entropy bonus.
        value_coefficient: Weight of the squared error of the values.
        count: Decisions of the whole minibatch, of which these may be a part.
        logit_gradients: Float32 ``(B, actions)``, filled.
        value_gradients: Float32 ``(B,)``, filled.
        statistics: Float64 ``(STATISTICS,)``, filled.
    """
    scale = 1.0 / count
    legal = np.empty(logits.shape[1], np.int64)
    log_probs = np.empty(logits.shape[1])
    statistics[:] = 0.0
    logit_gradients[:] = 0.0
    for row in range(len(actions)):
        choices = 0
        highest = -np.inf
        for action in range(logits.shape[1]):
            if masks[row, action]:
                legal[choices] = action
                log_probs[choices] = logits[row, action]
                highest = max(highest, log_probs[choices])
                choices += 1
        total = 0.0
        for k in range(choices):
            total += np.exp(log_probs[k] - highest)
        log_total = np.log(total) + highest
        entropy = 0.0
        for k in range(choices):
            log_probs[k] -= log_total
            entropy -= np.exp(log_probs[k]) * log_probs[k]
        log_ratio = logits[row, actions[row]] - log_total - old_log_probs[row]
        ratio = np.exp(log_ratio)
        clipped = min(max(ratio, 1.0 - clip_range), 1.0 + clip_range)
        advantage = advantages[row]
        # The gradient is that of the smaller branch; the clipped one is flat.
        flat = advantage * clipped < advantage * ratio
        push = 0.0 if flat else -advantage * ratio
        for k in range(choices):
            prob = np.exp(log_probs[k])
            chosen = 1.0 if legal[k] == actions[row] else 0.0
            gradient = push * (chosen - prob)
            gradient += entropy_coefficient * prob * (log_probs[k] + entropy)
            gradient *= scale
            if abs(gradient) > NEGLIGIBLE:
                logit_gradients[row, legal[k]] = gradient
        error = values[row] - returns[row]
        value_gradients[row] = 2.0 * value_coefficient * error * scale
        statistics[POLICY_LOSS] -= min(advantage * ratio, advantage * clipped) * scale
        statistics[VALUE_LOSS] += error * error * scale
        statistics[ENTROPY] += entropy * scale
        statistics[APPROX_KL] += (ratio - 1.0 - log_ratio) * scale
        statistics[CLIP_FRACTION] += scale if abs(ratio - 1.0) > clip_range else 0.0


@kernel
def normalisation(rows: Any, advantages: Any) -> Any:
    """``(mean, factor)`` that give a minibatch's advantages mean 0 and deviation 1."""
    mean = 0.0
    for k in range(len(rows)):
        mean += advantages[rows[k]]
    mean /= len(rows)
    variance = 0.0
    for k in range(len(rows)):
        variance += (advantages[rows[k]] - mean) ** 2
    return mean, 1.0 / (np.sqrt(variance / max(len(rows) - 1, 1)) + 1e-8)


@kernel
def take_rows(
    rows: Any,
    mean: float,
    factor: float,
    observations: Any,
    masks: Any,
    actions: Any,
    log_probs: Any,
    advantages: Any,
    values: Any,
    batch_observations: Any,
    batch_masks: Any,
    batch_actions: Any,
    batch_log_probs: Any,
    batch_advantages: Any,
    batch_returns: Any,
) -> None:
    """Copy decisions out of the rollout, their advantages by :func:`normalisation`."""
    for k in range(len(rows)):
        row = rows[k]
        batch_observations[k] = observations[row]
        batch_masks[k] = masks[row]
        batch_actions[k] = actions[row]
        batch_log_probs[k] = log_probs[row]
        batch_returns[k] = values[row] + advantages[row]
        batch_advantages[k] = (advantages[row] - mean) * factor
