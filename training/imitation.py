"""Learning a teacher's decisions, and what they lead to, before self-play begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch as th
from torch.nn import functional

from .network import HUGE_NEGATIVE

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples

    from .network import MaskedPolicy
    from .selfplay import SelfPlayPPO


def imitate(learner: SelfPlayPPO) -> None:
    """Supervised learning from a rollout that the teacher has played, ``epochs`` passes over it.

    Minimises the cross-entropy to the teacher's decisions, a part of the target spread over all
    legal actions, and the squared error of the value.
    """
    imitation = learner.config.imitation
    assert imitation is not None
    policy = learner.policy
    policy.set_training_mode(True)
    learner._update_learning_rate(policy.optimizer)
    logged = []
    for _ in range(learner.n_epochs):
        for batch in learner.rollout_buffer.get(learner.batch_size):
            losses, right = _losses(policy, batch, imitation.smoothing)
            policy.optimizer.zero_grad(set_to_none=True)
            (losses[0] + learner.vf_coef * losses[1]).backward()
            th.nn.utils.clip_grad_norm_(policy.parameters(), learner.max_grad_norm)
            policy.optimizer.step()
            logged.append([*(loss.item() for loss in losses), right.item()])
    for tag, value in zip(("loss", "value_loss", "accuracy"), np.mean(logged, 0), strict=True):
        learner.logger.record(f"imitation/{tag}", value)


def _losses(
    policy: MaskedPolicy, batch: MaskableRolloutBufferSamples, smoothing: float
) -> tuple[tuple[th.Tensor, th.Tensor], th.Tensor]:
    """Losses of policy and value, and how often the likeliest action is the teacher's."""
    logits, values = policy.logits_and_values(batch.observations)
    masks = batch.action_masks.view(logits.shape)
    log_probs = functional.log_softmax(logits.masked_fill(~masks, HUGE_NEGATIVE), dim=1)
    actions = batch.actions.long().view(-1, 1)
    taught = log_probs.gather(1, actions).squeeze(1)
    spread = (log_probs * masks).sum(1) / masks.sum(1)
    loss = -((1 - smoothing) * taught + smoothing * spread).mean()
    right = (log_probs.argmax(1) == actions.squeeze(1)).float().mean()
    return (loss, functional.mse_loss(values, batch.returns)), right
