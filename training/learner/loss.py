"""PPO's loss.

Schulman et al., "Proximal policy optimization algorithms", 2017, equations 7 and 9: the clipped
surrogate objective, the squared error of the values and an entropy bonus, over legal actions only.
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
        returns: Float32 ``(B,)``: targets of the values.
    """

    inputs: th.Tensor
    masks: th.Tensor
    actions: th.Tensor
    log_probs: th.Tensor
    advantages: th.Tensor
    returns: th.Tensor

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
        )


class Loss(Protocol):
    """What a learner minimises.

    Attributes:
        figures: Names of the figures that are logged of each minibatch.
    """

    figures: ClassVar[tuple[str, ...]]

    def __call__(
        self, logits: th.Tensor, values: th.Tensor, batch: Batch, count: int
    ) -> tuple[th.Tensor, th.Tensor]:
        """The share of some decisions in a minibatch's mean loss; shares add up to the whole.

        Args:
            logits: Float32 ``(B, actions)``, unmasked, from the network as it is now.
            values: Float32 ``(B,)``, likewise.
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
    """

    figures: ClassVar[tuple[str, ...]] = (
        "loss",
        "policy_gradient_loss",
        "value_loss",
        "entropy_loss",
        "approx_kl",
        "clip_fraction",
    )
    clip_range: float
    entropy_coefficient: float
    value_coefficient: float

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
    value_loss = (values - batch.returns).square().sum() / count
    entropy_loss = -entropy.sum() / count
    total = (
        policy_loss + loss.entropy_coefficient * entropy_loss + loss.value_coefficient * value_loss
    )
    with th.no_grad():
        approx_kl = (ratio - 1.0 - log_ratio).sum() / count
        clip_fraction = ((ratio - 1.0).abs() > loss.clip_range).sum() / count
        figures = th.stack([total, policy_loss, value_loss, entropy_loss, approx_kl, clip_fraction])
    return total, figures


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
            loss.clip_range,
            loss.entropy_coefficient,
            loss.value_coefficient,
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
    clip_range: float,
    entropy_coefficient: float,
    value_coefficient: float,
    count: int,
    logit_gradients: Any,
    value_gradients: Any,
    figures: Any,
) -> None:
    """Fill the loss's gradients and figures; arguments as in :func:`formula`.

    Args:
        logits: Float32 ``(B, actions)``, unmasked.
        values: Float32 ``(B,)``.
        masks: Bool ``(B, actions)``.
        actions: Int64 ``(B,)``.
        old_log_probs: Float32 ``(B,)``.
        advantages: Float32 ``(B,)``.
        returns: Float32 ``(B,)``.
        clip_range: Distance of the probability ratio from 1 at which it is clipped.
        entropy_coefficient: Weight of the entropy bonus.
        value_coefficient: Weight of the value loss.
        count: Number of decisions of the whole minibatch.
        logit_gradients: Float32 ``(B, actions)``, filled.
        value_gradients: Float32 ``(B,)``, filled.
        figures: Float64 ``(6,)``, filled: see :class:`PPOLoss`.
    """
    scale = 1.0 / count
    legal = np.empty(logits.shape[1], np.int64)
    log_probs = np.empty(logits.shape[1])
    logit_gradients[:] = 0.0
    policy_loss = value_loss = entropy_loss = approx_kl = clip_fraction = 0.0
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
        policy_loss -= min(advantage * ratio, advantage * clipped) * scale
        value_loss += error * error * scale
        entropy_loss -= entropy * scale
        approx_kl += (ratio - 1.0 - log_ratio) * scale
        clip_fraction += scale if abs(ratio - 1.0) > clip_range else 0.0
    figures[0] = policy_loss + entropy_coefficient * entropy_loss + value_coefficient * value_loss
    figures[1] = policy_loss
    figures[2] = value_loss
    figures[3] = entropy_loss
    figures[4] = approx_kl
    figures[5] = clip_fraction
