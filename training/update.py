"""PPO's update without an accelerator: torch for the layers, one kernel for the rest.

A minibatch is learnt in parts, side by side (:class:`.crew.Crew`); their gradients add up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from stable_baselines3.common.utils import explained_variance

from .loss import (
    APPROX_KL,
    CLIP_FRACTION,
    ENTROPY,
    POLICY_LOSS,
    STATISTICS,
    VALUE_LOSS,
    normalisation,
    ppo_gradients,
    take_rows,
)

if TYPE_CHECKING:
    from .buffer import DecisionBuffer
    from .selfplay import SelfPlayPPO


class Arrays:
    """A part of a minibatch, made once and filled again and again.

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
        minibatches = rollout.minibatches(learner.batch_size)
        if not logged:
            crew = learner.collector.crew
            shape = rollout.observations.shape[1], rollout.masks.shape[1]
            spans = crew.spans(max(map(len, minibatches)))
            arrays = [Arrays(span.stop - span.start, *shape) for span in spans]
        learner._n_updates += 1
        for rows in minibatches:
            logged.append(_set_gradients(learner, arrays, rows, clip_range))
            if _too_far(learner, logged[-1]):
                _log(learner, np.array(logged), clip_range)
                return
            th.nn.utils.clip_grad_norm_(learner.policy.parameters(), learner.max_grad_norm)
            learner.policy.optimizer.step()
    _log(learner, np.array(logged), clip_range)


def _too_far(learner: SelfPlayPPO, statistics: Any) -> bool:
    """Whether the policy has moved so far that the update stops."""
    return learner.target_kl is not None and statistics[APPROX_KL] > 1.5 * learner.target_kl


def _set_gradients(
    learner: SelfPlayPPO, arrays: list[Arrays], rows: NDArray[np.int64], clip_range: float
) -> Any:
    """Set the gradients of the network's parameters; returns the statistics of the minibatch."""
    spans = learner.collector.crew.spans(len(rows))
    mean, factor = normalisation(rows, learner.rollout_buffer.advantages)

    def learn(k: int) -> tuple[tuple[th.Tensor, ...], Any]:
        part = rows[spans[k]]
        _fill(arrays[k], learner.rollout_buffer, part, mean, factor)
        return _gradients(learner, arrays[k], len(part), clip_range, len(rows))

    learnt = learner.collector.crew.run(learn, len(spans))
    for parameter, *shares in zip(
        learner.policy.parameters(), *(gradients for gradients, _ in learnt), strict=True
    ):
        parameter.grad = shares[0]
        for share in shares[1:]:
            parameter.grad += share
    return sum(statistics for _, statistics in learnt)


def _fill(
    part: Arrays, rollout: DecisionBuffer, rows: NDArray[np.int64], mean: float, factor: float
) -> None:
    take_rows(
        rows,
        mean,
        factor,
        rollout.observations,
        rollout.masks,
        rollout.actions,
        rollout.log_probs,
        rollout.advantages,
        rollout.estimates,
        part.observations,
        part.masks,
        part.actions,
        part.log_probs,
        part.advantages,
        part.returns,
    )


def _gradients(
    learner: SelfPlayPPO, part: Arrays, n: int, clip_range: float, count: int
) -> tuple[tuple[th.Tensor, ...], NDArray[np.float64]]:
    """What ``n`` decisions add to the gradients, and to the statistics, of ``count``."""
    logits, values = learner.policy.logits_and_values(th.from_numpy(part.observations[:n]))
    statistics = np.zeros(STATISTICS)
    ppo_gradients(
        logits.detach().numpy(),
        values.detach().numpy(),
        part.masks[:n],
        part.actions[:n],
        part.log_probs[:n],
        part.advantages[:n],
        part.returns[:n],
        clip_range,
        learner.ent_coef,
        learner.vf_coef,
        count,
        part.logit_gradients[:n],
        part.value_gradients[:n],
        statistics,
    )
    gradients = th.autograd.grad(
        (logits, values),
        tuple(learner.policy.parameters()),
        (
            th.from_numpy(part.logit_gradients[:n]),
            th.from_numpy(part.value_gradients[:n]),
        ),
    )
    return gradients, statistics


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
