"""PPO's loss.

Schulman et al., "Proximal policy optimization algorithms", 2017, equations 7 and 9: the clipped
surrogate objective, the squared error of the values and an entropy bonus, over legal actions only.
Three things may be added. A magnet: the Kullback-Leibler divergence of the policy from a slower
one, as in magnetic mirror descent (Sokota et al., "A unified approach to reinforcement learning,
quantal response equilibria, and two-player zero-sum games", 2023), which keeps self-play from
cycling. The cross-entropy to what a look ahead found, at decisions that had one (see
:mod:`gangland.training.rollout.lookahead`). And the cross-entropy of each seat's win probability,
where the network estimates them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import torch as th
from torch.nn import functional

from .sparse import SparseRows

NEGLIGIBLE = 1e-25
"""Gradients below this count as zero: denormals slow matrix products down a hundredfold."""


LOOKAHEAD_COEFFICIENT = 60.0
"""Weight of the cross-entropy to improved policies, which few decisions of a minibatch have."""

VALUE_COEFFICIENT = 0.5
"""Weight of the value's error beside the policy's loss, as in stable-baselines3."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Decisions to learn from, as tensors on the learner's device.

    Attributes:
        inputs: Float32 ``(B, inputs)``: what the network was given; sparse on a CPU.
        masks: Bool ``(B, actions)``: legal actions.
        actions: Int64 ``(B,)``: the actions taken.
        log_probs: Float32 ``(B,)``: their log probabilities when they were taken.
        advantages: Float32 ``(B,)``: advantage estimates.
        returns: Float32 ``(B,)``: targets of the values, or of the rewards besides the result where
            the network estimates win probabilities.
        targets: Float32 ``(B, seats)``: targets of the win probabilities, the deciding seat's
            first; no columns where the network estimates none.
        taught: Float32 ``(B, actions)``: how likely a teacher would take each action, or the policy
            as a look ahead has improved it; zeros where there was neither.
        magnet: Float32 ``(B, actions)``: unmasked logits of the magnet; ``None`` without one.
    """

    inputs: th.Tensor | SparseRows
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
        "lookahead_kl",
    )
    clip_range: float
    entropy_coefficient: float
    magnet_coefficient: float = 0.0

    def __call__(
        self, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int
    ) -> tuple[th.Tensor, th.Tensor]:
        """The share of some decisions in a minibatch's mean loss, and its metrics."""
        legal = Legal(batch.masks)
        log_probs = legal.log_softmax(logits)
        log_ratio = legal.taken(log_probs, batch.actions) - batch.log_probs
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1.0 - self.clip_range, 1.0 + self.clip_range)

        policy_loss = -th.min(batch.advantages * ratio, batch.advantages * clipped).sum() / count
        value_loss = value_error(values, batch) / count
        probs = log_probs.exp()
        entropy_loss = (probs * log_probs).sum() / count
        magnet_kl = th.zeros_like(entropy_loss)
        if batch.magnet is not None:
            magnet_kl = (probs * (log_probs - legal.log_softmax(batch.magnet))).sum() / count
        improved = batch.taught[legal.rows, legal.actions]
        lookahead_loss = -(improved * log_probs).sum() / count
        total = (
            policy_loss
            + self.entropy_coefficient * entropy_loss
            + VALUE_COEFFICIENT * value_loss
            + self.magnet_coefficient * magnet_kl
            + LOOKAHEAD_COEFFICIENT * lookahead_loss
        )
        with th.no_grad():
            approx_kl = (ratio - 1.0 - log_ratio).sum() / count
            clip_fraction = ((ratio - 1.0).abs() > self.clip_range).sum() / count
            parts = [total, policy_loss, value_loss, entropy_loss, approx_kl, clip_fraction]
            # The entropy of what is to be learnt cannot be learnt: it is taken off.
            lookahead_kl = lookahead_loss + th.xlogy(improved, improved).sum() / count
            metrics = th.stack([*parts, magnet_kl, lookahead_kl])
        return total, metrics


class Legal:
    """The legal actions of some decisions, one after the other: few of all actions are legal.

    Attributes:
        rows: Int64 ``(legal,)``: the decision that each belongs to.
        actions: Int64 ``(legal,)``: their numbers, in ascending order within a decision.

    Args:
        masks: Bool ``(B, actions)``; each decision has a legal action.
    """

    def __init__(self, masks: th.Tensor) -> None:
        self.rows, self.actions = masks.nonzero(as_tuple=True)
        self._count = len(masks)

    def log_softmax(self, logits: th.Tensor) -> th.Tensor:
        """Log probabilities of the legal actions, ``(legal,)``, from logits ``(B, actions)``."""
        picked = logits[self.rows, self.actions]
        if picked.requires_grad:
            picked.register_hook(_without_denormals)  # type: ignore[no-untyped-call]
        highest = picked.new_full((self._count,), -th.inf)
        highest.scatter_reduce_(0, self.rows, picked.detach(), "amax")
        picked = picked - highest[self.rows]
        totals = picked.new_zeros(self._count).index_add(0, self.rows, picked.exp())
        return picked - totals.log()[self.rows]

    def taken(self, log_probs: th.Tensor, actions: th.Tensor) -> th.Tensor:
        """Of log probabilities of the legal actions those of ``actions``, int64 ``(B,)``."""
        return log_probs[self.actions == actions[self.rows]]


def _without_denormals(gradient: th.Tensor) -> th.Tensor:
    return gradient * (gradient.abs() > NEGLIGIBLE)


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
