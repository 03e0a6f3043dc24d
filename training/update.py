"""PPO's update without an accelerator: torch for the layers, one kernel for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from stable_baselines3.common.utils import explained_variance

from .loss import (
    APPROX_KL,
    CLIP_FRACTION,
    ENTROPY,
    POLICY_LOSS,
    STATISTICS,
    VALUE_LOSS,
    ppo_gradients,
    take_rows,
)

if TYPE_CHECKING:
    from .selfplay import SelfPlayPPO


class Minibatch:
    """Arrays for one minibatch, made once and filled again and again.

    Args:
        size: Most decisions.
        observation_size: Length of an observation.
        num_actions: Number of actions.
    """

    def __init__(self, size: int, observation_size: int, num_actions: int) -> None:
        self.observations = np.zeros((size, observation_size), np.float32)
        self.masks = np.zeros((size, num_actions), np.bool_)
        self.actions = np.zeros(size, np.int64)
        self.log_probs = np.zeros(size, np.float32)
        self.advantages = np.zeros(size, np.float32)
        self.returns = np.zeros(size, np.float32)
        self.logit_gradients = np.zeros((size, num_actions), np.float32)
        self.value_gradients = np.zeros(size, np.float32)


def update(learner: SelfPlayPPO) -> None:
    """What ``MaskablePPO.train`` does, and logs, with the loss's gradient in one compiled pass."""
    learner.policy.set_training_mode(True)
    learner._update_learning_rate(learner.policy.optimizer)
    clip_range = float(learner.clip_range(learner._current_progress_remaining))  # type: ignore[operator]
    rollout = learner.rollout_buffer
    logged: list[Any] = []
    for _ in range(learner.n_epochs):
        parts = rollout.minibatches(learner.batch_size)
        if not logged:
            shape = rollout.observations.shape[1], rollout.masks.shape[1]
            batch = Minibatch(max(map(len, parts)), *shape)
        learner._n_updates += 1
        for rows in parts:
            logged.append(_gradients(learner, batch, rows, clip_range))
            if _too_far(learner, logged[-1]):
                _log(learner, np.array(logged), clip_range)
                return
            th.nn.utils.clip_grad_norm_(learner.policy.parameters(), learner.max_grad_norm)
            learner.policy.optimizer.step()
    _log(learner, np.array(logged), clip_range)


def _too_far(learner: SelfPlayPPO, statistics: Any) -> bool:
    """Whether the policy has moved so far that the update stops."""
    return learner.target_kl is not None and statistics[APPROX_KL] > 1.5 * learner.target_kl


def _gradients(learner: SelfPlayPPO, batch: Minibatch, rows: Any, clip_range: float) -> Any:
    """Set the gradients of the network's parameters; returns the statistics of the minibatch."""
    rollout = learner.rollout_buffer
    n = len(rows)
    take_rows(
        rows,
        rollout.observations,
        rollout.masks,
        rollout.actions,
        rollout.log_probs,
        rollout.advantages,
        rollout.estimates,
        batch.observations,
        batch.masks,
        batch.actions,
        batch.log_probs,
        batch.advantages,
        batch.returns,
    )
    logits, values = learner.policy.logits_and_values(th.from_numpy(batch.observations[:n]))
    statistics = np.zeros(STATISTICS)
    ppo_gradients(
        logits.detach().numpy(),
        values.detach().numpy(),
        batch.masks[:n],
        batch.actions[:n],
        batch.log_probs[:n],
        batch.advantages[:n],
        batch.returns[:n],
        clip_range,
        learner.ent_coef,
        learner.vf_coef,
        batch.logit_gradients[:n],
        batch.value_gradients[:n],
        statistics,
    )
    learner.policy.optimizer.zero_grad(set_to_none=True)
    th.autograd.backward(
        (logits, values),
        (
            th.from_numpy(batch.logit_gradients[:n]),
            th.from_numpy(batch.value_gradients[:n]),
        ),
    )
    return statistics


def _log(learner: SelfPlayPPO, statistics: Any, clip_range: float) -> None:
    """The tags of ``MaskablePPO.train``."""
    mean = statistics.mean(axis=0)
    last = statistics[-1]
    rollout = learner.rollout_buffer
    loss = last[POLICY_LOSS] - learner.ent_coef * last[ENTROPY] + learner.vf_coef * last[VALUE_LOSS]
    for tag, value in (
        ("entropy_loss", -mean[ENTROPY]),
        ("policy_gradient_loss", mean[POLICY_LOSS]),
        ("value_loss", mean[VALUE_LOSS]),
        ("approx_kl", mean[APPROX_KL]),
        ("clip_fraction", mean[CLIP_FRACTION]),
        ("loss", loss),
        ("explained_variance", explained_variance(rollout.values, rollout.returns)),
        ("clip_range", clip_range),
    ):
        learner.logger.record(f"train/{tag}", value)
    learner.logger.record("train/n_updates", learner._n_updates, exclude="tensorboard")
