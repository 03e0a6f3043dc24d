"""PPO's loss on a CPU: the formula of :mod:`.loss` and its gradient, in one compiled pass.

:func:`.loss.formula` defines what is computed, and a test holds both to the same loss, metrics and
gradients for every option. Few of the actions are legal, and torch takes a dozen passes over
all of them, which costs 8 to 28 % of the speed of training on a CPU. Here each decision is read
once, and only at its legal actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch as th

from ...envs.core.kernel import kernel

if TYPE_CHECKING:
    from .loss import Batch, PPOLoss

NEGLIGIBLE = 1e-25
"""Gradients below this count as zero: denormals slow matrix products down a hundredfold."""

# Where the metrics of PPOLoss stand.
TOTAL, POLICY_LOSS, VALUE_LOSS, ENTROPY_LOSS, APPROX_KL, CLIP_FRACTION, MAGNET_KL = range(7)


class Coefficients(NamedTuple):
    """The numbers of a :class:`.loss.PPOLoss`."""

    clip_range: float
    entropy: float
    value: float
    magnet: float


class Taken(NamedTuple):
    """What decisions are weighed by; arrays of a :class:`.loss.Batch`."""

    masks: Any
    actions: Any
    log_probs: Any
    advantages: Any
    returns: Any
    targets: Any
    magnet: Any


class FusedLoss(th.autograd.Function):
    """:func:`.loss.formula` and its gradient on a CPU, in one pass of :func:`fused_loss`."""

    @staticmethod
    def forward(
        ctx: Any, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int, loss: PPOLoss
    ) -> tuple[th.Tensor, th.Tensor]:
        """Loss and metrics; keeps the gradients."""
        logit_gradients, value_gradients = th.empty_like(logits), th.empty_like(values)
        metrics = np.zeros(len(loss.metrics))
        magnet = logits.detach() if batch.magnet is None else batch.magnet
        fused_loss(
            logits.detach().numpy(),
            values.detach().numpy(),
            Taken(
                batch.masks.numpy(),
                batch.actions.numpy(),
                batch.log_probs.numpy(),
                batch.advantages.numpy(),
                batch.returns.numpy(),
                batch.targets.numpy(),
                magnet.numpy(),
            ),
            Coefficients(
                loss.clip_range,
                loss.entropy_coefficient,
                loss.value_coefficient,
                loss.magnet_coefficient,
            ),
            count,
            logit_gradients.numpy(),
            value_gradients.numpy(),
            metrics,
        )
        ctx.save_for_backward(logit_gradients, value_gradients)
        of_metrics = th.from_numpy(metrics)
        ctx.mark_non_differentiable(of_metrics)
        return of_metrics[TOTAL].clone(), of_metrics

    @staticmethod
    def backward(ctx: Any, *gradients: th.Tensor) -> Any:
        """The kept gradients, times that of the loss."""
        of_loss = float(gradients[0])
        kept = ctx.saved_tensors
        if of_loss != 1.0:
            kept = [of_loss * gradient for gradient in kept]
        return (*kept, None, None, None)


@kernel
def fused_loss(
    logits: Any,
    values: Any,
    taken: Taken,
    coefficients: Coefficients,
    count: int,
    logit_gradients: Any,
    value_gradients: Any,
    metrics: Any,
) -> None:
    """Fill the loss's gradients and metrics.

    Args:
        logits: Float32 ``(B, actions)``, unmasked.
        values: Float32 ``(B, outputs)``.
        taken: The decisions; as the magnet the logits themselves, if there is none.
        coefficients: Weights of the parts of the loss.
        count: Number of decisions of the whole minibatch.
        logit_gradients: Float32 ``(B, actions)``, filled.
        value_gradients: Float32 ``(B, outputs)``, filled.
        metrics: Float64 ``(7,)``, zeros, filled: see :class:`.loss.PPOLoss`.
    """
    scale = 1.0 / count
    legal = np.empty(logits.shape[1], np.int64)
    log_probs = np.empty(logits.shape[1])
    leads = np.empty(logits.shape[1])
    logit_gradients[:] = 0.0
    for row in range(len(taken.actions)):
        choices = 0
        for action in range(logits.shape[1]):
            if taken.masks[row, action]:
                legal[choices] = action
                choices += 1
        add_policy(
            logits[row],
            taken.magnet[row],
            legal[:choices],
            log_probs[:choices],
            leads[:choices],
            taken.actions[row],
            taken.log_probs[row],
            taken.advantages[row],
            coefficients,
            scale,
            logit_gradients[row],
            metrics,
        )
        metrics[VALUE_LOSS] += scale * value_loss(
            values[row],
            taken.returns[row],
            taken.targets[row],
            coefficients.value * scale,
            value_gradients[row],
        )
    metrics[TOTAL] = (
        metrics[POLICY_LOSS]
        + coefficients.entropy * metrics[ENTROPY_LOSS]
        + coefficients.value * metrics[VALUE_LOSS]
        + coefficients.magnet * metrics[MAGNET_KL]
    )


@kernel(leaf=True)
def add_policy(
    logits: Any,
    magnet: Any,
    legal: Any,
    log_probs: Any,
    leads: Any,
    action: int,
    old_log_prob: float,
    advantage: float,
    coefficients: Coefficients,
    scale: float,
    gradients: Any,
    metrics: Any,
) -> None:
    """Add one decision's policy loss, entropy and divergences to the metrics.

    Args:
        logits: Float32 ``(actions,)``, unmasked.
        magnet: Float32 ``(actions,)``, unmasked.
        legal: Int64 ``(choices,)``: the legal actions.
        log_probs: Float64 ``(choices,)``, scratch: of the legal actions.
        leads: Float64 ``(choices,)``, scratch: how far those are above the magnet's.
        action: The action taken.
        old_log_prob: Its log probability when it was taken.
        advantage: Its advantage.
        coefficients: Weights of the parts of the loss.
        scale: Weight of the decision in the minibatch.
        gradients: Float32 ``(actions,)``, zeros, filled for the legal actions.
        metrics: Float64 ``(7,)``.
    """
    for k in range(len(legal)):
        log_probs[k] = logits[legal[k]]
        leads[k] = magnet[legal[k]]
    log_total, magnet_total = log_sum_exp(log_probs), log_sum_exp(leads)
    entropy = divergence = 0.0
    for k in range(len(legal)):
        log_probs[k] -= log_total
        leads[k] = log_probs[k] - (leads[k] - magnet_total)
        prob = np.exp(log_probs[k])
        entropy -= prob * log_probs[k]
        divergence += prob * leads[k]
    log_ratio = logits[action] - log_total - old_log_prob
    ratio = np.exp(log_ratio)
    clipped = min(max(ratio, 1.0 - coefficients.clip_range), 1.0 + coefficients.clip_range)
    # The gradient is that of the smaller branch; the clipped one is flat.
    flat = advantage * clipped < advantage * ratio
    push = 0.0 if flat else -advantage * ratio
    for k in range(len(legal)):
        prob = np.exp(log_probs[k])
        chosen = 1.0 if legal[k] == action else 0.0
        gradient = push * (chosen - prob)
        gradient += coefficients.entropy * prob * (log_probs[k] + entropy)
        gradient += coefficients.magnet * prob * (leads[k] - divergence)
        gradient *= scale
        if abs(gradient) > NEGLIGIBLE:
            gradients[legal[k]] = gradient
    metrics[POLICY_LOSS] -= min(advantage * ratio, advantage * clipped) * scale
    metrics[ENTROPY_LOSS] -= entropy * scale
    metrics[APPROX_KL] += (ratio - 1.0 - log_ratio) * scale
    metrics[CLIP_FRACTION] += scale if abs(ratio - 1.0) > coefficients.clip_range else 0.0
    metrics[MAGNET_KL] += divergence * scale


@kernel(leaf=True)
def value_loss(values: Any, earned: float, targets: Any, weight: float, gradients: Any) -> float:
    """The squared error and cross-entropy of one decision; see ``loss.value_error``.

    Args:
        values: Float32 ``(outputs,)``.
        earned: The target of the first output.
        targets: Float32 ``(outputs - 1,)``: of the win probabilities.
        weight: Factor of the gradients.
        gradients: Float32 ``(outputs,)``, filled.
    """
    error = values[0] - earned
    gradients[0] = 2.0 * weight * error
    entropy = 0.0
    if len(values) > 1:
        entropy = cross_entropy(values[1:], targets, weight, gradients[1:])
    return entropy + error * error


@kernel(leaf=True)
def log_sum_exp(numbers: Any) -> float:
    """Logarithm of the sum of the exponentials."""
    highest = -np.inf
    for number in numbers:
        highest = max(highest, number)
    total = 0.0
    for number in numbers:
        total += np.exp(number - highest)
    return np.log(total) + highest


@kernel(leaf=True)
def cross_entropy(logits: Any, targets: Any, weight: float, gradients: Any) -> float:
    """Cross-entropy of win probabilities, and its gradient times ``weight``.

    Args:
        logits: Float32 ``(seats,)``.
        targets: Float32 ``(seats,)``, with the sum 1.
        weight: Factor of the gradient.
        gradients: Float32 ``(seats,)``, filled.
    """
    log_total = log_sum_exp(logits)
    loss = 0.0
    for seat in range(len(logits)):
        log_chance = logits[seat] - log_total
        loss -= targets[seat] * log_chance
        gradients[seat] = weight * (np.exp(log_chance) - targets[seat])
    return loss
