"""How fast training is, and how fast it could be: torch alone on the same network and batches."""

from __future__ import annotations

import time
from dataclasses import dataclass

import torch as th
from gymnasium import spaces

from ..envs import load
from .config import TrainConfig
from .crew import single_thread
from .network import MaskedPolicy, policy_kwargs
from .selfplay import make_learner


@dataclass(frozen=True)
class Speed:
    """Self-play training, learning included.

    Attributes:
        decisions_per_second: Decisions of learning seats that were collected and learnt from.
        shares: Share of the time by kind; see :class:`gangland.training.collector.Collector`.
    """

    decisions_per_second: float
    shares: dict[str, float]


def torch_ceiling(config: TrainConfig, seconds: float = 10.0, device: str = "auto") -> float:
    """Decisions a second of torch alone, with all its threads: what the networks must compute.

    For each minibatch one forward pass without gradients, as the tables need, and ``epochs``
    times a forward and a backward pass. No tables, no sampling, no advantages, no loss worth the
    name, no optimiser, no copies.

    Args:
        config: Decides network, minibatch size and epochs.
        seconds: How long to measure.
        device: As for torch, or ``auto``.
    """
    game = load(config.game)
    low, high = game.observation_range
    inputs = config.network.inputs(game.observation_size, game.num_actions)
    policy = MaskedPolicy(
        spaces.Box(low, high, (inputs,)),
        spaces.Discrete(game.num_actions),
        lambda _: 1e-3,
        **policy_kwargs(config.network),
    )
    from stable_baselines3.common.utils import get_device

    policy = policy.to(get_device(device))
    size = config.ppo.batch_size
    observations = th.rand((size, inputs), device=policy.device)

    def learn_from_batch() -> None:
        with th.inference_mode():
            policy.logits_and_values(observations)
        for _ in range(config.ppo.epochs):
            logits, values = policy.logits_and_values(observations)
            policy.zero_grad()
            (logits.sum() + values.sum()).backward()

    learn_from_batch()
    batches, began = 0, _now(policy.device)
    while _now(policy.device) - began < seconds or batches < 2:
        learn_from_batch()
        batches += 1
    return batches * size / (_now(policy.device) - began)


def selfplay_speed(config: TrainConfig, seconds: float = 10.0, device: str = "auto") -> Speed:
    """Speed of training as configured: collecting, league, advantages, updates, all of it.

    Args:
        config: The training configuration; its length does not matter.
        seconds: How long to measure, after two iterations to warm up.
        device: As for torch, or ``auto``.
    """
    with single_thread():
        return _selfplay_speed(config, seconds, device)


def _selfplay_speed(config: TrainConfig, seconds: float, device: str) -> Speed:
    leader = make_learner(config, device)
    collector = leader.collector

    def iterate() -> int:
        for learner in leader.learners:
            learner.policy.set_training_mode(False)
        new = collector.collect(0.0)
        leader.train()
        return new

    from stable_baselines3.common.logger import Logger

    for learner in leader.learners:
        learner.set_logger(Logger(None, []))
    for _ in range(2):
        iterate()
    collector.take_times()
    decisions, began = 0, _now(leader.device)
    while _now(leader.device) - began < seconds:
        decisions += iterate()
    spent = _now(leader.device) - began
    times = collector.take_times()
    collector.close()
    return Speed(decisions / spent, {clock: part / spent for clock, part in times.items()})


def _now(device: th.device) -> float:
    if device.type == "cuda":
        th.cuda.synchronize(device)
    return time.perf_counter()
