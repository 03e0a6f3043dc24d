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
    logit_gradients: Any,
    value_gradients: Any,
    statistics: Any,
) -> None:
    """Fill the gradients of the mean loss, and the means of what is logged.

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
        logit_gradients: Float32 ``(B, actions)``, filled.
        value_gradients: Float32 ``(B,)``, filled.
        statistics: Float64 ``(STATISTICS,)``, filled with means over the batch.
    """
    count = len(actions)
    scale = 1.0 / count
    statistics[:] = 0.0
    for row in range(count):
        highest = -np.inf
        for action in range(logits.shape[1]):
            if masks[row, action]:
                highest = max(highest, logits[row, action])
        total = 0.0
        for action in range(logits.shape[1]):
            if masks[row, action]:
                total += np.exp(logits[row, action] - highest)
        log_total = np.log(total) + highest
        entropy = 0.0
        for action in range(logits.shape[1]):
            if masks[row, action]:
                log_prob = logits[row, action] - log_total
                entropy -= np.exp(log_prob) * log_prob
        log_ratio = logits[row, actions[row]] - log_total - old_log_probs[row]
        ratio = np.exp(log_ratio)
        clipped = min(max(ratio, 1.0 - clip_range), 1.0 + clip_range)
        advantage = advantages[row]
        # The gradient is that of the smaller branch; the clipped one is flat.
        flat = advantage * clipped < advantage * ratio
        push = 0.0 if flat else -advantage * ratio
        for action in range(logits.shape[1]):
            if masks[row, action]:
                log_prob = logits[row, action] - log_total
                prob = np.exp(log_prob)
                chosen = 1.0 if action == actions[row] else 0.0
                gradient = push * (chosen - prob)
                gradient += entropy_coefficient * prob * (log_prob + entropy)
                gradient *= scale
                logit_gradients[row, action] = gradient if abs(gradient) > NEGLIGIBLE else 0.0
            else:
                logit_gradients[row, action] = 0.0
        error = values[row] - returns[row]
        value_gradients[row] = 2.0 * value_coefficient * error * scale
        statistics[POLICY_LOSS] -= min(advantage * ratio, advantage * clipped) * scale
        statistics[VALUE_LOSS] += error * error * scale
        statistics[ENTROPY] += entropy * scale
        statistics[APPROX_KL] += (ratio - 1.0 - log_ratio) * scale
        statistics[CLIP_FRACTION] += scale if abs(ratio - 1.0) > clip_range else 0.0


@kernel
def take_rows(
    rows: Any,
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
    """Copy a minibatch out of the rollout, its advantages normalised to mean 0, deviation 1."""
    count = len(rows)
    mean = 0.0
    for k in range(count):
        row = rows[k]
        batch_observations[k] = observations[row]
        batch_masks[k] = masks[row]
        batch_actions[k] = actions[row]
        batch_log_probs[k] = log_probs[row]
        batch_returns[k] = values[row] + advantages[row]
        mean += advantages[row]
    mean /= count
    variance = 0.0
    for k in range(count):
        variance += (advantages[rows[k]] - mean) ** 2
    factor = 1.0 / (np.sqrt(variance / max(count - 1, 1)) + 1e-8)
    for k in range(count):
        batch_advantages[k] = (advantages[rows[k]] - mean) * factor
