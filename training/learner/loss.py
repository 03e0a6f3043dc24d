"""PPO's loss.

Schulman et al., "Proximal policy optimization algorithms", 2017, equations 7 and 9: the clipped
surrogate objective, the squared error of the values and an entropy bonus, over legal actions only.
Two things may be added. A magnet: the Kullback-Leibler divergence of the policy from a slower one,
as in magnetic mirror descent (Sokota et al., "A unified approach to reinforcement learning, quantal
response equilibria, and two-player zero-sum games", 2023), which keeps self-play from cycling. And
the cross-entropy of each seat's chances of winning, where the network tells them.
:func:`formula` writes it in torch. Few of the actions are legal, and torch takes a dozen passes
over all of them, which costs 8 to 28 % of the speed of training on a CPU. There :class:`FusedLoss`
computes the same loss and its gradient with respect to logits and values in one compiled pass over
the legal actions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import torch as th
from torch.nn import functional

from ...envs.core.kernel import kernel
from .sparse import SparseRows

ILLEGAL = -1e8
"""Logit of an illegal action. Its probability is 0 exactly, and 0 * -1e8 is 0 in the entropy."""

NEGLIGIBLE = 1e-25
"""Gradients below this count as zero: denormals slow matrix products down a hundredfold."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Decisions to learn from, as tensors on the learner's device.

    Attributes:
        inputs: Float32 ``(B, inputs)``: what the network was given.
        masks: Bool ``(B, actions)``: legal actions.
        actions: Int64 ``(B,)``: the actions taken.
        log_probs: Float32 ``(B,)``: their log probabilities when they were taken.
        advantages: Float32 ``(B,)``: advantage estimates.
        returns: Float32 ``(B,)``: targets of the values, or of the rewards besides the result where
            the network tells chances.
        targets: Float32 ``(B, seats)``: targets of the chances, the deciding seat's first; no
            columns where the network tells none.
        magnet: Float32 ``(B, actions)``: unmasked logits of the magnet; ``None`` without one.
    """

    inputs: th.Tensor | SparseRows
    masks: th.Tensor
    actions: th.Tensor
    log_probs: th.Tensor
    advantages: th.Tensor
    returns: th.Tensor
    targets: th.Tensor
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
            None if self.magnet is None else self.magnet.index_select(0, rows),
        )


class Loss(Protocol):
    """What a learner minimises.

    Attributes:
        figures: Names of the figures that are logged of each minibatch.
    """

    figures: ClassVar[tuple[str, ...]]

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
            The loss, to be differentiated, and the share of each figure.
        """


@dataclass(frozen=True)
class PPOLoss:
    """PPO's loss with its coefficients.

    Attributes:
        figures: Named as stable-baselines3 logs them.
        clip_range: Distance of the probability ratio from 1 at which it is clipped.
        entropy_coefficient: Weight of the entropy bonus.
        value_coefficient: Weight of the value loss.
        magnet_coefficient: Weight of the divergence from the magnet.
    """

    figures: ClassVar[tuple[str, ...]] = (
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
        """The share of some decisions in a minibatch's mean loss, and its figures."""
        if logits.device.type == "cpu":
            loss, figures = FusedLoss.apply(logits, values, batch, count, self)  # type: ignore[no-untyped-call]
            return loss, figures
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
        figures = th.stack(parts)
    return total, figures


def value_error(values: th.Tensor, batch: Batch) -> th.Tensor:
    """Squared error of the first output, and cross-entropy of the chances; summed over a batch.

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


class FusedLoss(th.autograd.Function):
    """:func:`formula` and its gradient on a CPU, in one pass of :func:`fused_loss`."""

    @staticmethod
    def forward(
        ctx: Any, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int, loss: PPOLoss
    ) -> tuple[th.Tensor, th.Tensor]:
        """Loss and figures; keeps the gradients."""
        logit_gradients, value_gradients = th.empty_like(logits), th.empty_like(values)
        figures = np.zeros(len(loss.figures))
        fused_loss(
            logits.detach().numpy(),
            values.detach().numpy(),
            batch.masks.numpy(),
            batch.actions.numpy(),
            batch.log_probs.numpy(),
            batch.advantages.numpy(),
            batch.returns.numpy(),
            batch.targets.numpy(),
            (logits.detach() if batch.magnet is None else batch.magnet).numpy(),
            loss.clip_range,
            loss.entropy_coefficient,
            loss.value_coefficient,
            loss.magnet_coefficient,
            count,
            logit_gradients.numpy(),
            value_gradients.numpy(),
            figures,
        )
        ctx.save_for_backward(logit_gradients, value_gradients)
        of_figures = th.from_numpy(figures)
        ctx.mark_non_differentiable(of_figures)
        return of_figures[0].clone(), of_figures

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
    masks: Any,
    actions: Any,
    old_log_probs: Any,
    advantages: Any,
    returns: Any,
    targets: Any,
    magnet: Any,
    clip_range: float,
    entropy_coefficient: float,
    value_coefficient: float,
    magnet_coefficient: float,
    count: int,
    logit_gradients: Any,
    value_gradients: Any,
    figures: Any,
) -> None:
    """Fill the loss's gradients and figures; arguments as in :func:`formula`.

    Args:
        logits: Float32 ``(B, actions)``, unmasked.
        values: Float32 ``(B, outputs)``.
        masks: Bool ``(B, actions)``.
        actions: Int64 ``(B,)``.
        old_log_probs: Float32 ``(B,)``.
        advantages: Float32 ``(B,)``.
        returns: Float32 ``(B,)``.
        targets: Float32 ``(B, outputs - 1)``.
        magnet: Float32 ``(B, actions)``, unmasked; the logits themselves without a magnet.
        clip_range: Distance of the probability ratio from 1 at which it is clipped.
        entropy_coefficient: Weight of the entropy bonus.
        value_coefficient: Weight of the value loss.
        magnet_coefficient: Weight of the divergence from the magnet.
        count: Number of decisions of the whole minibatch.
        logit_gradients: Float32 ``(B, actions)``, filled.
        value_gradients: Float32 ``(B, outputs)``, filled.
        figures: Float64 ``(7,)``, filled: see :class:`PPOLoss`.
    """
    scale = 1.0 / count
    legal = np.empty(logits.shape[1], np.int64)
    log_probs = np.empty(logits.shape[1])
    leads = np.empty(logits.shape[1])
    logit_gradients[:] = 0.0
    policy_loss = value_loss = entropy_loss = approx_kl = clip_fraction = magnet_kl = 0.0
    for row in range(len(actions)):
        choices = 0
        for action in range(logits.shape[1]):
            if masks[row, action]:
                legal[choices] = action
                choices += 1
        log_total = log_total_of(logits[row], legal[:choices])
        magnet_total = log_total_of(magnet[row], legal[:choices])
        entropy = divergence = 0.0
        for k in range(choices):
            log_probs[k] = logits[row, legal[k]] - log_total
            leads[k] = log_probs[k] - (magnet[row, legal[k]] - magnet_total)
            prob = np.exp(log_probs[k])
            entropy -= prob * log_probs[k]
            divergence += prob * leads[k]
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
            gradient += magnet_coefficient * prob * (leads[k] - divergence)
            gradient *= scale
            if abs(gradient) > NEGLIGIBLE:
                logit_gradients[row, legal[k]] = gradient
        error = values[row, 0] - returns[row]
        value_gradients[row, 0] = 2.0 * value_coefficient * error * scale
        if values.shape[1] > 1:
            weight = value_coefficient * scale
            value_loss += scale * chance_loss(
                values[row, 1:], targets[row], weight, value_gradients[row, 1:]
            )
        policy_loss -= min(advantage * ratio, advantage * clipped) * scale
        value_loss += error * error * scale
        entropy_loss -= entropy * scale
        approx_kl += (ratio - 1.0 - log_ratio) * scale
        clip_fraction += scale if abs(ratio - 1.0) > clip_range else 0.0
        magnet_kl += divergence * scale
    figures[0] = (
        policy_loss
        + entropy_coefficient * entropy_loss
        + value_coefficient * value_loss
        + magnet_coefficient * magnet_kl
    )
    figures[1] = policy_loss
    figures[2] = value_loss
    figures[3] = entropy_loss
    figures[4] = approx_kl
    figures[5] = clip_fraction
    figures[6] = magnet_kl


@kernel
def log_total_of(logits: Any, legal: Any) -> float:
    """Logarithm of the sum of the exponentials of some of the logits."""
    highest = -np.inf
    for action in legal:
        highest = max(highest, logits[action])
    total = 0.0
    for action in legal:
        total += np.exp(logits[action] - highest)
    return np.log(total) + highest


@kernel
def chance_loss(logits: Any, targets: Any, weight: float, gradients: Any) -> float:
    """Cross-entropy of chances, and its gradient times ``weight``.

    Args:
        logits: Float32 ``(seats,)``.
        targets: Float32 ``(seats,)``, with the sum 1.
        weight: Factor of the gradient.
        gradients: Float32 ``(seats,)``, filled.
    """
    highest = -np.inf
    for seat in range(len(logits)):
        highest = max(highest, logits[seat])
    total = 0.0
    for seat in range(len(logits)):
        total += np.exp(logits[seat] - highest)
    log_total = np.log(total) + highest
    loss = 0.0
    for seat in range(len(logits)):
        log_chance = logits[seat] - log_total
        loss -= targets[seat] * log_chance
        gradients[seat] = weight * (np.exp(log_chance) - targets[seat])
    return loss
