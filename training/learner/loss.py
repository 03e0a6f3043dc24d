"""PPO's loss.

Schulman et al., "Proximal policy optimization algorithms", 2017, equations 7 and 9: the clipped
surrogate objective, the squared error of the values and an entropy bonus, over legal actions only.
Two things may be added. A magnet: the Kullback-Leibler divergence of the policy from a slower one,
as in magnetic mirror descent (Sokota et al., "A unified approach to reinforcement learning, quantal
response equilibria, and two-player zero-sum games", 2023), which keeps self-play from cycling. And
the cross-entropy of each seat's win probability, where the network estimates them.
:func:`formula` is the loss. On a CPU :mod:`.fused` computes the same numbers and their gradients
faster; nothing is decided there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import torch as th
from torch.nn import functional

from .fused import FusedLoss
from .sparse import CodedRows, SparseRows

ILLEGAL = -1e8
"""Logit of an illegal action. Its probability is 0 exactly, and 0 * -1e8 is 0 in the entropy."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Decisions to learn from, as tensors on the learner's device.

    Attributes:
        inputs: Float32 ``(B, inputs)``: what the network was given; sparse, or coded in bytes.
        masks: Bool ``(B, actions)``: legal actions.
        actions: Int64 ``(B,)``: the actions taken.
        log_probs: Float32 ``(B,)``: their log probabilities when they were taken.
        advantages: Float32 ``(B,)``: advantage estimates.
        returns: Float32 ``(B,)``: targets of the values, or of the rewards besides the result where
            the network estimates win probabilities.
        targets: Float32 ``(B, seats)``: targets of the win probabilities, the deciding seat's
            first; no columns where the network estimates none.
        taught: Float32 ``(B, actions)``: how likely the teacher would take each action; no columns
            where nobody teaches.
        magnet: Float32 ``(B, actions)``: unmasked logits of the magnet; ``None`` without one.
    """

    inputs: th.Tensor | SparseRows | CodedRows
    masks: th.Tensor
    actions: th.Tensor
    log_probs: th.Tensor
    advantages: th.Tensor
    returns: th.Tensor
    targets: th.Tensor
    taught: th.Tensor
    magnet: th.Tensor | None = None

    def __len__(self) -> int:
        return len(self.actions)

    def take(self, rows: th.Tensor) -> Batch:
        """Some of the decisions, in the order of ``rows``, int64 ``(B,)``."""
        return Batch(
            self.inputs.index_select(0, rows),
            self.masks.index_select(0, rows),
            self.actions.index_select(0, rows),
            self.log_probs.index_select(0, rows),
            self.advantages.index_select(0, rows),
            self.returns.index_select(0, rows),
            self.targets.index_select(0, rows),
            self.taught.index_select(0, rows),
            None if self.magnet is None else self.magnet.index_select(0, rows),
        )


class Loss(Protocol):
    """What a learner minimises.

    Attributes:
        metrics: Names of the metrics that are logged of each minibatch.
    """

    metrics: ClassVar[tuple[str, ...]]

    @property
    def magnet_coefficient(self) -> float:
        """Weight of the divergence from the magnet; 0 for none."""

    def __call__(
        self, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int
    ) -> tuple[th.Tensor, th.Tensor]:
        """The share of some decisions in a minibatch's mean loss; shares add up to the whole.

        Args:
            logits: Float32 ``(B, actions)``, unmasked, from the network as it is now.
            values: Float32 ``(B, outputs)``, likewise: the value part's outputs.
            batch: The decisions.
            count: Number of decisions of the whole minibatch.

        Returns:
            The loss, to be differentiated, and the share of each metric.
        """


@dataclass(frozen=True)
class PPOLoss:
    """PPO's loss with its coefficients.

    Attributes:
        metrics: Named as stable-baselines3 logs them.
        clip_range: Distance of the probability ratio from 1 at which it is clipped.
        entropy_coefficient: Weight of the entropy bonus.
        value_coefficient: Weight of the value loss.
        magnet_coefficient: Weight of the divergence from the magnet.
    """

    metrics: ClassVar[tuple[str, ...]] = (
        "loss",
        "policy_gradient_loss",
        "value_loss",
        "entropy_loss",
        "approx_kl",
        "clip_fraction",
        "magnet_kl",
    )
    clip_range: float
    entropy_coefficient: float
    value_coefficient: float
    magnet_coefficient: float = 0.0

    def __call__(
        self, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int
    ) -> tuple[th.Tensor, th.Tensor]:
        """The share of some decisions in a minibatch's mean loss, and its metrics."""
        if logits.device.type == "cpu":
            loss, metrics = FusedLoss.apply(logits, values, batch, count, self)  # type: ignore[no-untyped-call]
            return loss, metrics
        return formula(self, logits, values, batch, count)


def formula(
    loss: PPOLoss, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int
) -> tuple[th.Tensor, th.Tensor]:
    """PPO's loss in torch; see :meth:`Loss.__call__`."""
    log_probs = masked_log_softmax(logits, batch.masks)
    entropy = -(log_probs.exp() * log_probs).sum(1)
    log_ratio = log_probs.gather(1, batch.actions.unsqueeze(1)).squeeze(1) - batch.log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1.0 - loss.clip_range, 1.0 + loss.clip_range)

    policy_loss = -th.min(batch.advantages * ratio, batch.advantages * clipped).sum() / count
    value_loss = value_error(values, batch) / count
    entropy_loss = -entropy.sum() / count
    magnet_kl = th.zeros_like(entropy_loss)
    if batch.magnet is not None:
        magnet = masked_log_softmax(batch.magnet, batch.masks)
        magnet_kl = (log_probs.exp() * (log_probs - magnet)).sum() / count
    total = (
        policy_loss
        + loss.entropy_coefficient * entropy_loss
        + loss.value_coefficient * value_loss
        + loss.magnet_coefficient * magnet_kl
    )
    with th.no_grad():
        approx_kl = (ratio - 1.0 - log_ratio).sum() / count
        clip_fraction = ((ratio - 1.0).abs() > loss.clip_range).sum() / count
        parts = [total, policy_loss, value_loss, entropy_loss, approx_kl, clip_fraction, magnet_kl]
        metrics = th.stack(parts)
    return total, metrics


def value_error(values: th.Tensor, batch: Batch) -> th.Tensor:
    """Squared error of the first output, and cross-entropy of the others; summed over a batch.

    Args:
        values: Float32 ``(B, outputs)``.
        batch: The decisions.
    """
    error = (values[:, 0] - batch.returns).square().sum()
    if values.shape[1] > 1:
        error = error - (batch.targets * functional.log_softmax(values[:, 1:], dim=1)).sum()
    return error


def masked_log_softmax(logits: th.Tensor, masks: th.Tensor) -> th.Tensor:
    """Log probabilities over the legal actions, of the logits' shape."""
    return functional.log_softmax(logits.masked_fill(~masks, ILLEGAL), dim=1)
