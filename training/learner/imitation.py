"""Learning a teacher's decisions and their results before self-play begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch as th
from numpy.typing import NDArray

from ...envs.core.kernel import kernel
from .loss import VALUE_COEFFICIENT, Batch, Legal, value_error

if TYPE_CHECKING:
    from .ppo import PPO


SHARPNESS = 3.0
"""By how much the logarithm of an action's probability falls where it loses as much value as lies
between the best two actions of a typical decision."""

SMOOTHING = 0.02
"""Part of the target that is spread over all legal actions, so that self-play still explores."""


def preferences(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """How likely a teacher would take each action, if that depended on what it is worth.

    Args:
        values: Float64 ``(B, actions)``, in any unit; -inf for illegal actions.

    Returns:
        Float32 of the same shape, each row with the sum 1.
    """
    losses = losses_of_second_best(values)
    typical = losses[np.isfinite(losses) & (losses > 0.0)]
    unit = float(np.median(typical)) if len(typical) else 1.0
    weights = np.zeros(values.shape, np.float32)
    weigh(values, SHARPNESS / unit, weights)
    return weights


@kernel
def losses_of_second_best(values: Any) -> Any:
    """By how much each row's second highest value is below its highest one, float64 ``(B,)``.

    Args:
        values: Float64 ``(B, actions)``; -inf for illegal actions.
    """
    losses = np.empty(len(values))
    for row in range(len(values)):
        first = second = -np.inf
        for action in range(values.shape[1]):
            value = values[row, action]
            if value > first:
                first, second = value, first
            elif value > second:
                second = value
        losses[row] = first - second
    return losses


@kernel
def weigh(values: Any, sharpness: float, weights: Any) -> None:
    """Fill each row of ``weights`` with a softmax of that row's values, times ``sharpness``.

    Args:
        values: Float64 ``(B, actions)``; -inf for illegal actions.
        sharpness: As above.
        weights: Float32 ``(B, actions)``, zeros; filled where actions are legal.
    """
    for row in range(len(values)):
        best = values[row].max()
        total = 0.0
        for action in range(values.shape[1]):
            if values[row, action] > -np.inf:
                weight = np.exp(sharpness * (values[row, action] - best))
                weights[row, action] = weight
                total += weight
        for action in range(values.shape[1]):
            weights[row, action] /= total


@dataclass(frozen=True)
class ImitationLoss:
    """Cross-entropy to a teacher's preferences, and the value's error.

    Attributes:
        metrics: Cross-entropy, value loss, and how often the most probable action is the teacher's.
    """

    metrics: ClassVar[tuple[str, ...]] = ("loss", "value_loss", "accuracy")
    magnet_coefficient: float = 0.0

    def __call__(
        self, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int
    ) -> tuple[th.Tensor, th.Tensor]:
        """The share of some decisions in a minibatch's mean loss, and its metrics."""
        legal = Legal(batch.masks)
        log_probs = legal.log_softmax(logits)
        even = 1.0 / batch.masks.sum(1)[legal.rows]
        taught = batch.taught[legal.rows, legal.actions]
        target = (1.0 - SMOOTHING) * taught + SMOOTHING * even
        loss = -(target * log_probs).sum() / count
        value_loss = value_error(values, batch) / count
        with th.no_grad():
            likeliest = logits.masked_fill(~batch.masks, -th.inf).argmax(1)
            accuracy = (likeliest == batch.taught.argmax(1)).sum() / count
            metrics = th.stack([loss, value_loss, accuracy])
        return loss + VALUE_COEFFICIENT * value_loss, metrics


def imitate(learner: PPO, progress: float) -> None:
    """Learn from a rollout that the teacher has played, and log the metrics.

    Args:
        learner: Whose buffer holds the rollout.
        progress: Share of the training that is over, for the learning rate.
    """
    loss = ImitationLoss()
    for name, values in learner.learn(loss, progress).items():
        learner.logger.record(f"imitation/{name}", values.mean())
