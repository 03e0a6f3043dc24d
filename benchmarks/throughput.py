"""How much of the machine a training uses: ratios, all measured in one run.

``python -m benchmarks.throughput`` trains by the games' recipe with self-play in every seat, and
prints for each game

- two threads against one, as a share of what two processes with one thread each reach together,
- eight threads against the better of one and two,
- the pipeline without a network (tables, observations, draws, storage, advantages; no looks ahead)
  against the tables alone, on one thread.

Each rate is measured in a process of its own, in turns, as the machine's speed drifts; ratios are
medians.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import click
import torch as th

from gangland.bench import batched_rate
from gangland.bench_training import pure_selfplay
from gangland.envs import load
from gangland.envs.registry import game_names
from gangland.training.config import TrainConfig, load_config
from gangland.training.measure.ceiling import selfplay_speed
from gangland.training.rollout import table_worker
from gangland.training.rollout.thread_pool import single_thread
from gangland.training.selfplay import make_trainer


class NullNetwork:
    """Takes no time: a uniform policy, and values of zero.

    Args:
        like: The network whose outputs it has.
    """

    device = th.device("cpu")

    def __init__(self, like: Any) -> None:
        self.architecture = like.architecture
        self._logits = th.zeros(4096, like.architecture.num_actions)
        self._outputs = th.zeros(4096, like.architecture.value_outputs)

    def logits_and_values(self, inputs: Any) -> tuple[th.Tensor, th.Tensor]:
        """Zeros."""
        return self._logits[: len(inputs)], self._outputs[: len(inputs)]


def null_rate(config: TrainConfig, seconds: float) -> float:
    """Decisions a second of the rollouts of a network that takes no time, nor looks ahead."""
    config.ppo.lookahead = 0.0
    trainer = make_trainer(config, "cpu")
    for learner in trainer.learners:
        learner.network = NullNetwork(learner.network)  # type: ignore[assignment]
    # Such a network does not look at its inputs, so nobody needs to look for what is not zero.
    table_worker.inputs_for = lambda array, *_, **__: array  # type: ignore[assignment]
    collector = trainer.collector
    collector.collect(0.0)
    decisions, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        decisions += collector.collect(0.0)
    spent = time.perf_counter() - began
    collector.close()
    return decisions / spent


def rate_of(game: str, kind: str, seconds: float) -> float:
    """Decisions a second of one kind: a number of threads, ``null`` or ``tables``."""
    if kind == "tables":
        return batched_rate(load(game))
    threads = 1 if kind == "null" else int(kind)
    config = pure_selfplay(load_config(game, [f"threads={threads}"]))
    if kind == "null":
        with single_thread():
            return null_rate(config, seconds)
    return selfplay_speed(config, seconds, "cpu").decisions_per_second


def measured(game: str, *kinds: str, seconds: float) -> list[float]:
    """Rates of kinds that are measured at the same time, each in a process of its own."""
    command = [sys.executable, "-m", __spec__.name, "--one", game]
    started = [
        subprocess.Popen(
            [*command, "--kind", kind, "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True
        )
        for kind in kinds
    ]
    return [json.loads(process.communicate()[0]) for process in started]


def ratios(game: str, seconds: float) -> SimpleNamespace:
    """The three ratios of a game, and the rate of one thread."""
    (one,), (two,), (eight,), (null,), (tables,) = (
        measured(game, kind, seconds=seconds) for kind in ("1", "2", "8", "null", "tables")
    )
    both = sum(measured(game, "1", "1", seconds=seconds))
    return SimpleNamespace(
        one=one, two=two / both, eight=eight / max(one, two), null=null / tables, both=both / one
    )


@click.command()
@click.option("--game", "games", multiple=True, help="Only this game; may be repeated.")
@click.option("--seconds", default=8.0, help="Length of each measurement.")
@click.option("--rounds", default=3, help="Measurements of each kind.")
@click.option("--one", hidden=True)
@click.option("--kind", hidden=True)
def main(
    games: tuple[str, ...], seconds: float, rounds: int, one: str | None, kind: str | None
) -> None:
    """Measure, and print a table."""
    if one is not None and kind is not None:
        click.echo(json.dumps(rate_of(one, kind, seconds)))
        return
    click.echo(f"{'game':20} {'1 thread':>10} {'2 processes':>12} {'2 threads':>10} ", nl=False)
    click.echo(f"{'8 threads':>10} {'no network':>11}")
    for game in games or game_names():
        found = [ratios(game, seconds) for _ in range(rounds)]
        one_, both, two, eight, null = (
            statistics.median(getattr(each, key) for each in found)
            for key in ("one", "both", "two", "eight", "null")
        )
        click.echo(f"{game:20} {one_:8,.0f}/s {both:11.2f}x {two:10.2f} {eight:10.2f} {null:11.2f}")


if __name__ == "__main__":
    main()
