"""Learning a teacher's decisions and their results before self-play begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import torch as th
from numpy.typing import NDArray

from .loss import Batch, Legal, value_error

if TYPE_CHECKING:
    from ..config import ImitationConfig
    from .ppo import PPO


SHARPNESS = 3.0
"""By how much the logarithm of an action's probability falls where it loses as much value as lies
between the best two actions of a typical decision."""


def preferences(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """How likely a teacher would take each action, if that depended on what it is worth.

    Args:
        values: Float64 ``(B, actions)``, in any unit; -inf for illegal actions.

    Returns:
        Float32 of the same shape, each row with the sum 1.
    """
    losses = values.max(1, keepdims=True) - values
    second = np.partition(losses, 1, axis=1)[:, 1]
    typical = second[np.isfinite(second) & (second > 0.0)]
    unit = np.median(typical) if len(typical) else 1.0
    weights = np.exp(-SHARPNESS * losses / unit)
    return (weights / weights.sum(1, keepdims=True)).astype(np.float32)


@dataclass(frozen=True)
class ImitationLoss:
    """Cross-entropy to a teacher's preferences, and the value's error.

    Attributes:
        metrics: Cross-entropy, value loss, and how often the most probable action is the teacher's.
        smoothing: Part of the target that is spread over all legal actions.
        value_coefficient: Weight of the value loss.
    """

    metrics: ClassVar[tuple[str, ...]] = ("loss", "value_loss", "accuracy")
    smoothing: float
    value_coefficient: float
    magnet_coefficient: float = 0.0

    def __call__(
        self, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int
    ) -> tuple[th.Tensor, th.Tensor]:
        """The share of some decisions in a minibatch's mean loss, and its metrics."""
        legal = Legal(batch.masks)
        log_probs = legal.log_softmax(logits)
        even = 1.0 / batch.masks.sum(1)[legal.rows]
        taught = batch.taught[legal.rows, legal.actions]
        target = (1.0 - self.smoothing) * taught + self.smoothing * even
        loss = -(target * log_probs).sum() / count
        value_loss = value_error(values, batch) / count
        with th.no_grad():
            likeliest = logits.masked_fill(~batch.masks, -th.inf).argmax(1)
            accuracy = (likeliest == batch.taught.argmax(1)).sum() / count
            metrics = th.stack([loss, value_loss, accuracy])
        return loss + self.value_coefficient * value_loss, metrics


def imitate(learner: PPO, imitation: ImitationConfig, progress: float) -> None:
    """Learn from a rollout that the teacher has played, and log the metrics.

    Args:
        learner: Whose buffer holds the rollout.
        imitation: The smoothing.
        progress: Share of the training that is over, for the learning rate.
    """
    loss = ImitationLoss(imitation.smoothing, learner.config.value_coefficient)
    for name, values in learner.learn(loss, progress).items():
        learner.logger.record(f"imitation/{name}", values.mean())
