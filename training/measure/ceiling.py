"""The speed of training, and an upper bound: torch alone on the same network and batches."""

from __future__ import annotations

import time
from dataclasses import dataclass

import torch as th
from stable_baselines3.common.utils import get_device

from ...envs import load
from ..config import TrainConfig
from ..learner.network import PolicyNetwork, initial_weights
from ..rollout.thread_pool import single_thread
from ..selfplay import architecture_for, make_trainer


@dataclass(frozen=True)
class Speed:
    """Self-play training, learning included.

    Attributes:
        decisions_per_second: Decisions of learning seats that were collected and learnt from.
        shares: Share of the time by kind; see
            :class:`gangland.training.rollout.collector.Collector`.
    """

    decisions_per_second: float
    shares: dict[str, float]


def torch_ceiling(config: TrainConfig, seconds: float = 10.0, device: str = "auto") -> float:
    """Decisions per second of torch alone, with all its threads, doing only what networks need.

    For each minibatch one forward pass without gradients, as the tables need, and ``epochs``
    times a forward and a backward pass. No tables, no sampling, no advantages, only a trivial
    loss, no optimiser, no copies.

    Args:
        config: Decides network, minibatch size and epochs.
        seconds: How long to measure.
        device: As for torch, or ``auto``.
    """
    game = load(config.game)
    architecture = architecture_for(config, game)
    network = PolicyNetwork(architecture, initial_weights(architecture, 0)).to(get_device(device))
    size = config.ppo.batch_size
    inputs = th.rand((size, architecture.observation_size), device=network.device)

    def learn_from_batch() -> None:
        with th.inference_mode():
            network.logits_and_values(inputs)
        for _ in range(config.ppo.epochs):
            logits, values = network.logits_and_values(inputs)
            network.zero_grad()
            th.autograd.backward([logits.sum() + values.sum()])

    learn_from_batch()
    batches, began = 0, _now(network.device)
    while _now(network.device) - began < seconds or batches < 2:
        learn_from_batch()
        batches += 1
    return batches * size / (_now(network.device) - began)


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
    trainer = make_trainer(config, device)
    collector, main = trainer.collector, trainer.learners[0].network.device

    def iterate() -> int:
        new = collector.collect(0.0)
        trainer.train()
        return new

    for _ in range(2):
        iterate()
    collector.take_times()
    decisions, began = 0, _now(main)
    while _now(main) - began < seconds:
        decisions += iterate()
    spent = _now(main) - began
    times = collector.take_times()
    collector.close()
    return Speed(decisions / spent, {clock: part / spent for clock, part in times.items()})


def _now(device: th.device) -> float:
    if device.type == "cuda":
        th.cuda.synchronize(device)
    return time.perf_counter()
