"""PPO: one role's network, and how it learns from a rollout."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, cast

import numpy as np
import torch as th
from numpy.typing import NDArray
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import explained_variance
from torch.optim.swa_utils import AveragedModel

from ...agents.trained.network import Architecture, Weights
from ..config import PPOConfig, value_at
from ..processes import ALONE, Processes
from ..rollout.buffer import DecisionBuffer
from ..rollout.thread_pool import ThreadPool
from .loss import Batch, Loss, PPOLoss
from .network import PolicyNetwork, initial_weights

ADAM_EPSILON = 1e-5
"""As in stable-baselines3."""

MAX_GRADIENT_NORM = 0.5
"""Norm to which gradients are clipped, likewise."""
SMALLEST = 32
"""Decisions that each minibatch has at least, where a role decides seldom."""
MAGNET_ROWS = 2048
"""Decisions that the magnet is asked for at a time."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The decisions of a minibatch in all processes, and how their advantages are normalised.

    Attributes:
        count: Number of decisions.
        mean: What is taken off.
        deviation: What they are divided by then.
    """

    count: int
    mean: float
    deviation: float


class PPO:
    """Proximal policy optimisation of one role's network (Schulman et al., 2017).

    :meth:`train` does what ``MaskablePPO.train`` of sb3-contrib does and logs the same metrics; a
    test compares the weights after both.

    Attributes:
        network: The network that learns.
        average: Moving average of its weights; ``None`` without averaging.
        magnet: The network that the policy stays near, where there is an imitation.
        optimizer: Adam.
        buffer: The rollout to learn from.
        updates: Number of passes over rollouts so far.
        busiest: Decisions of the busiest role's rollout, which sets the pace for all.
        logger: Where metrics are recorded.

    Args:
        config: Hyper-parameters.
        architecture: Layers of the network.
        buffer: The rollout buffer.
        pool: Threads that share a minibatch on a CPU.
        seed: Seed of the initial weights.
        device: Where the network learns and plays.
        weights: The initial weights in place of random ones.
        processes: The processes of the training. Each has its own decisions; all learn from all.
    """

    def __init__(
        self,
        config: PPOConfig,
        architecture: Architecture,
        buffer: DecisionBuffer,
        pool: ThreadPool,
        seed: int = 0,
        device: th.device | str = "cpu",
        weights: Weights | None = None,
        *,
        processes: Processes = ALONE,
    ) -> None:
        self.config = config
        self._processes = processes
        self.buffer = buffer
        first = initial_weights(architecture, seed) if weights is None else weights
        self.network = PolicyNetwork(architecture, first).to(device)
        self.average: AveragedModel | None = None
        self.magnet: PolicyNetwork | None = None
        if config.averaging:
            self.average = AveragedModel(self.network, multi_avg_fn=self._follow)
        # Fused: one pass over each weight in place of a dozen.
        self.optimizer = th.optim.Adam(
            map(_as_in_memory, self.network.parameters()), eps=ADAM_EPSILON, fused=True, lr=0.0
        )
        # Nor does it count what it changes, which TorchBackend asks for.
        self.optimizer.register_step_post_hook(_count_changes)
        self.updates = 0
        self.busiest = 0
        self.logger = Logger(None, [])
        self._pool = pool

    @property
    def best_network(self) -> PolicyNetwork:
        """The network that is evaluated, frozen and saved: the averaged one, if there is one."""
        return self.network if self.average is None else cast(PolicyNetwork, self.average.module)

    @property
    def decisions(self) -> int:
        """Decisions of the rollout that are trained on, in all processes together."""
        return int(self._processes.total(np.array(self.buffer.size)))

    def train(self, progress: float) -> None:
        """Learn from the rollout, and log the metrics.

        Args:
            progress: Share of the training that is over, 0 to 1, for the schedules.
        """
        loss = PPOLoss(
            value_at(self.config.clip_range, progress),
            value_at(self.config.entropy, progress),
            value_at(self.config.magnet, progress),
        )
        metrics = self.learn(loss, progress)
        for name, values in metrics.items():
            # As stable-baselines3 has it: the loss of the last minibatch, means of all others.
            self.logger.record(f"train/{name}", values[-1] if name == "loss" else values.mean())
        explained = explained_variance(self.buffer.values, self.buffer.returns)
        self.logger.record("train/explained_variance", explained)
        self.logger.record("train/clip_range", loss.clip_range)
        self.logger.record("train/entropy_coefficient", loss.entropy_coefficient)
        self.logger.record("train/n_updates", self.updates, exclude="tensorboard")

    def learn(self, loss: Loss, progress: float) -> dict[str, NDArray[np.float64]]:
        """Minimise a loss over the rollout in minibatches.

        Args:
            loss: The loss.
            progress: Share of the training that is over, for the learning rate.

        Returns:
            The loss's metrics, each float64 of shape ``(minibatches,)``.
        """
        total = self._paced(self.decisions)
        learning_rate = value_at(self.config.learning_rate, progress)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        self.logger.record("train/learning_rate", learning_rate)
        rollout = self.buffer.batch(self._pool, self.network.device)
        if loss.magnet_coefficient:
            rollout = replace(rollout, magnet=self._magnet_logits(rollout))
        parameters = list(self.network.parameters())
        metrics: list[th.Tensor] = []
        for _ in range(self.config.epochs):
            self.updates += 1
            minibatches = self.buffer.minibatches(self.config.batch_size, total)
            for rows, spread in zip(minibatches, self._spreads(minibatches), strict=True):
                if not spread.count:
                    continue
                gradients, of_minibatch = self._gradients(loss, rollout, rows, spread, parameters)
                self._processes.add([*gradients, of_minibatch])
                metrics.append(of_minibatch)
                self._step(gradients)
        return _by_name(loss, metrics)

    def _step(self, gradients: Sequence[th.Tensor]) -> None:
        """Change the weights by clipped gradients, each in its parameter's order of memory."""
        parameters = self.optimizer.param_groups[0]["params"]
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.grad = gradient if gradient.is_contiguous() else gradient.T
        th.nn.utils.clip_grad_norm_(parameters, MAX_GRADIENT_NORM)
        self.optimizer.step()

    def _paced(self, decisions: int) -> int:
        """Decisions that would be as many minibatches as the busiest role's, none too small."""
        size = self.config.batch_size
        return max(decisions, min(self.busiest, decisions // SMALLEST * size))

    def _spreads(self, minibatches: Sequence[NDArray[np.int64]]) -> list[Spread]:
        """Of each minibatch, with all processes' decisions; one message for all of them."""
        sums = np.zeros((len(minibatches), 3))
        for at, rows in enumerate(minibatches):
            advantages = self.buffer.advantages[rows].astype(np.float64)
            sums[at] = len(rows), advantages.sum(), np.square(advantages).sum()
        counts, totals, squares = self._processes.total(sums).T
        means = totals / np.maximum(counts, 1.0)
        if not self.config.normalize_advantages:
            return [Spread(int(count), 0.0, 1.0) for count in counts]
        variances = (squares - counts * np.square(means)) / np.maximum(counts - 1.0, 1.0)
        deviations = np.sqrt(np.maximum(variances, 0.0)) + 1e-8
        return [
            Spread(int(count), float(mean), float(deviation))
            for count, mean, deviation in zip(counts, means, deviations, strict=True)
        ]

    def _follow(self, average: Any, latest: Any, count: int | th.Tensor) -> None:
        """One step of the average, which forgets the first weights soon."""
        decay = min(self.config.averaging, (1.0 + float(count)) / (10.0 + float(count)))
        th._foreach_lerp_(average, latest, 1.0 - decay)

    def update_average(self) -> None:
        """Update the averaged weights, if there are any."""
        if self.average is not None:
            self.average.update_parameters(self.network)

    def move_magnet(self) -> None:
        """Make the network as it is now the magnet, if the loss has one."""
        if self.config.magnet != 0.0:
            self.magnet = deepcopy(self.best_network).requires_grad_(False)

    def _magnet_logits(self, rollout: Batch) -> th.Tensor:
        """The magnet's logits of the decisions that are trained on, float32 ``(B, actions)``.

        It stays as it is during an update, so that one pass serves all epochs.
        """
        magnet = self.best_network if self.magnet is None else self.magnet
        logits = th.zeros(rollout.masks.shape, device=magnet.device)
        chunks = th.split(th.from_numpy(self.buffer.trained).to(magnet.device), MAGNET_ROWS)
        parts = self._pool.size if magnet.device.type == "cpu" else 1

        def fill_in(part: int) -> None:
            with th.no_grad():
                for rows in chunks[part::parts]:
                    logits[rows] = magnet.logits(rollout.inputs.index_select(0, rows))

        self._pool.run(fill_in, parts)
        return logits

    def _gradients(
        self,
        loss: Loss,
        rollout: Batch,
        rows: NDArray[np.int64],
        spread: Spread,
        parameters: list[Any],
    ) -> tuple[tuple[th.Tensor, ...], th.Tensor]:
        """This process's share in the gradients of a minibatch's mean loss, and in its metrics."""
        device = self.network.device
        if not len(rows):
            nothing = th.zeros(len(loss.metrics), device=device)
            return tuple(th.zeros_like(parameter) for parameter in parameters), nothing
        picked = th.from_numpy(rows).to(device)
        # On a CPU the pool's threads take a part each; an accelerator takes the whole.
        spans = self._pool.split(len(rows)) if device.type == "cpu" else [slice(None)]

        def learn_from(part: int) -> tuple[tuple[th.Tensor, ...], th.Tensor]:
            batch = rollout.take(picked[spans[part]])
            batch.advantages.sub_(spread.mean).div_(spread.deviation)
            logits, values = self.network.logits_and_values(batch.inputs)
            share, metrics = loss(logits, values, batch, spread.count)
            gradients = th.autograd.grad(share, parameters)
            return tuple(map(_laid_out_as, gradients, parameters)), metrics

        gradients, metrics = zip(*self._pool.run(learn_from, len(spans)), strict=True)
        added = tuple(reduce(th.Tensor.add_, shares) for shares in zip(*gradients, strict=True))
        return added, sum(metrics[1:], metrics[0])


def _as_in_memory(parameter: th.nn.Parameter) -> th.nn.Parameter:
    """The parameter, or its transpose, if that is how it lies in memory: Adam is faster then."""
    return parameter if parameter.is_contiguous() else th.nn.Parameter(parameter.detach().T)


def _laid_out_as(gradient: th.Tensor, parameter: th.Tensor) -> th.Tensor:
    """A gradient in its parameter's order of memory."""
    if gradient.stride() == parameter.stride():
        return gradient
    return th.empty_like(parameter, requires_grad=False).copy_(gradient)


def _count_changes(optimizer: th.optim.Optimizer, *_: Any) -> None:
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            th.autograd.graph.increment_version(parameter)


def _by_name(loss: Loss, metrics: list[th.Tensor]) -> dict[str, NDArray[np.float64]]:
    table = th.stack(metrics).cpu().numpy().astype(np.float64)
    return dict(zip(loss.metrics, table.T, strict=True))
