"""Learning a teacher's decisions and their results before self-play begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import torch as th

from .loss import Batch, masked_log_softmax, value_error

if TYPE_CHECKING:
    from ..config import ImitationConfig
    from .ppo import PPO


@dataclass(frozen=True)
class ImitationLoss:
    """Cross-entropy to a teacher's decisions, and the value's error.

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
        log_probs = masked_log_softmax(logits, batch.masks)
        taught = log_probs.gather(1, batch.actions.unsqueeze(1)).squeeze(1)
        spread = (log_probs * batch.masks).sum(1) / batch.masks.sum(1)
        loss = -((1.0 - self.smoothing) * taught + self.smoothing * spread).sum() / count
        value_loss = value_error(values, batch) / count
        with th.no_grad():
            accuracy = (log_probs.argmax(1) == batch.actions).sum() / count
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
