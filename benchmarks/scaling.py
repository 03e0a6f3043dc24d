"""How training on a cluster scales: timings on this machine, a model, and a check of the model.

``python -m benchmarks.scaling chicago`` measures what one processor plays and learns a second and
how long an all-reduce takes between processes, computes from both what N processors do together,
and then trains with 1, 2 and 4 workers to see whether that is so. It writes
``docs/scaling/<game>.json`` and prints the tables of ``docs/scaling.md``.

Rates are by processor time where they can be, which other work on the machine changes little; a
worker that waits for the others takes none.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch as th

from gangland.training.config import TrainConfig, load_config

OUT = Path(__file__).resolve().parent.parent / "docs" / "scaling"
TABLES = 512
"""Tables of each worker: the model and the runs scale weakly."""
SMALL_MESSAGES = 12
"""Messages of a few bytes in each rollout: results, stops, sizes; and one for each gradient."""
TICKS = os.sysconf("SC_CLK_TCK")

NETWORKS = {
    "1 Gbit/s": (100e-6, 0.117e9),
    "10 Gbit/s": (50e-6, 1.17e9),
    "100 Gbit/s": (20e-6, 11.7e9),
}
"""Assumed of clusters: seconds a message takes at least, and bytes a second."""


@dataclass(frozen=True)
class Core:
    """What one processor does, with learning.

    Attributes:
        decisions: Decisions of a rollout.
        seconds: Processor time of a rollout and of learning from it.
        reductions: Gradients that are added up in learning from it.
        gradient_bytes: Bytes of one.
    """

    decisions: float
    seconds: float
    reductions: int
    gradient_bytes: int

    @property
    def rate(self) -> float:
        """Decisions a second of processor time."""
        return self.decisions / self.seconds


@dataclass(frozen=True)
class Wire:
    """A network by the usual model of a ring: each message waits, then takes its time.

    Attributes:
        latency: Seconds that a message takes at least.
        bandwidth: Bytes a second.
    """

    latency: float
    bandwidth: float

    def all_reduce(self, size: int, workers: int) -> float:
        """Seconds until all workers have the sum of ``size`` bytes (Patarasuk and Yuan, 2009)."""
        steps = 2 * (workers - 1)
        return steps * (self.latency + size / workers / self.bandwidth)

    def rollout(self, core: Core, workers: int) -> float:
        """Seconds of all messages of a rollout."""
        small = (SMALL_MESSAGES + core.reductions) * self.all_reduce(24, workers)
        return core.reductions * self.all_reduce(core.gradient_bytes, workers) + small


def predicted(core: Core, wire: Wire, workers: int, processors: float | None = None) -> float:
    """Decisions a second of all workers.

    Args:
        core: What one processor does.
        wire: What lies between them.
        workers: Workers, each with tables of its own.
        processors: Those that there are for them; by default one each.
    """
    crowding = max(1.0, workers / (processors or workers))
    return workers * core.decisions / (core.seconds * crowding + wire.rollout(core, workers))


def most_useful(core: Core, wire: Wire, efficiency: float = 0.5) -> int:
    """The largest power of two of workers that waste less than the rest of their time."""
    workers = 1
    while workers < 2**20:
        if predicted(core, wire, 2 * workers) < efficiency * 2 * workers * core.rate:
            return workers
        workers *= 2
    return workers


def weak(config: TrainConfig, workers: int) -> TrainConfig:
    """The configuration with the same work for each worker, and nothing but training."""
    data = config.model_dump()
    data["ppo"] |= {
        "tables": TABLES * workers,
        "batch_size": config.ppo.batch_size * workers,
    }
    data["evaluation"] |= {"every": 0, "final_games": 0}
    data |= {"threads": 1, "minutes": None, "steps": 10**12, "checkpoint_minutes": 10**6}
    return TrainConfig.model_validate(data)


def measure_core(config: TrainConfig, seconds: float) -> Core:
    """One worker without others, in this process."""
    from gangland.training.rollout.thread_pool import single_thread
    from gangland.training.selfplay import make_trainer

    with single_thread():
        trainer = make_trainer(weak(config, 1), "cpu")
        for _ in range(2):
            trainer.collector.collect(0.0)
            trainer.train()
        decisions, reductions, rollouts, began = 0, 0, 0, time.process_time()
        while time.process_time() - began < seconds:
            decisions += trainer.collector.collect(0.0)
            for learner in trainer.learners:
                minibatches = max(1, round(learner.decisions / config.ppo.batch_size))
                reductions += config.ppo.epochs * minibatches
            trainer.train()
            rollouts += 1
        spent = time.process_time() - began
        weights = sum(
            parameter.numel()
            for learner in trainer.learners
            for parameter in learner.network.parameters()
        )
        trainer.collector.close()
    return Core(
        decisions / rollouts,
        spent / rollouts,
        round(reductions / rollouts),
        4 * weights // len(trainer.learners),
    )


def measure_wire(size: int) -> dict[str, Any]:
    """All-reduces between processes of this machine: fitted to two, checked with four."""
    sizes = [4, size // 4, size, 4 * size]
    times = {workers: _all_reduces(workers, sizes) for workers in (2, 4)}
    slope, latency = np.polyfit(np.array(sizes) / 2, np.array(times[2]) / 2, 1)
    wire = Wire(max(1e-6, float(latency)), 1 / max(1e-12, float(slope)))
    return {
        "latency_us": wire.latency * 1e6,
        "megabytes_per_s": wire.bandwidth / 1e6,
        "gradient_ms": {workers: 1e3 * found[2] for workers, found in times.items()},
        "gradient_ms_by_the_model": {n: 1e3 * wire.all_reduce(size, n) for n in (2, 4)},
        "wire": wire,
    }


def _all_reduces(workers: int, sizes: list[int]) -> list[float]:
    """Median seconds of an all-reduce of so many bytes between so many processes."""
    with tempfile.TemporaryDirectory() as place:
        th.multiprocessing.spawn(_reduce, (workers, sizes, place), nprocs=workers)
        return [float(number) for number in json.loads((Path(place) / "times").read_text())]


def _reduce(rank: int, workers: int, sizes: list[int], place: str) -> None:
    from torch import distributed

    th.set_num_threads(1)
    distributed.init_process_group(
        "gloo", init_method=f"file://{place}/meet", rank=rank, world_size=workers
    )
    found = []
    for size in sizes:
        tensor = th.zeros(max(1, size // 4))
        times = []
        for _ in range(60):
            distributed.barrier()
            began = time.perf_counter()
            distributed.all_reduce(tensor)
            times.append(time.perf_counter() - began)
        found.append(statistics.median(times[10:]))
    if rank == 0:
        (Path(place) / "times").write_text(json.dumps(found))
    distributed.destroy_process_group()


def measure_run(config: TrainConfig, workers: int, seconds: float) -> dict[str, float]:
    """A training on Ray: decisions a second, by the clock and by its workers' processor time."""
    from gangland.training.cluster import train_on_ray

    pids: dict[int, int] = {}
    seen: list[tuple[float, float, int]] = []

    def report(status: Any) -> None:
        # The first rollouts compile or load, and are not like those that follow.
        if status.steps > 3 * config.ppo.steps * TABLES * workers / 5 and len(pids) == workers:
            spent = sum(_processor_seconds(pid) for pid in pids.values())
            seen.append((time.monotonic(), spent, status.steps))

    def stop(status: Any) -> bool:
        return len(seen) > 2 and seen[-1][0] - seen[0][0] >= seconds

    with tempfile.TemporaryDirectory() as out:
        train_on_ray(
            weak(config, workers),
            Path(out) / "run",
            workers=workers,
            report=report,
            stop=stop,
            started=pids.update,
        )
    (first, spent_first, steps_first), (last, spent_last, steps_last) = seen[0], seen[-1]
    return {
        "decisions_per_s": (steps_last - steps_first) / (last - first),
        "decisions_per_processor_s": (steps_last - steps_first) / (spent_last - spent_first),
        "processors_had": (spent_last - spent_first) / (last - first),
    }


def _processor_seconds(pid: int) -> float:
    """Processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def as_markdown(found: dict[str, Any]) -> str:
    """The tables of ``docs/scaling.md``."""
    core, here = found["core"], found["wire_here"]
    lines = [
        f"Measured on {found['date']} with {found['machine']}, load average {found['load']:.1f} "
        "before it began.",
        "",
        f"One processor learns from {core['rate']:,.0f} decisions of {found['game']} a second "
        f"(a rollout of {core['decisions']:,.0f} takes {core['seconds']:.2f} s), and adds up "
        f"{core['reductions']} gradients of {core['gradient_bytes'] / 1e3:,.0f} kB for each "
        f"rollout. Between processes of this machine, an all-reduce of one takes "
        f"{here['gradient_ms']['2']:.2f} ms between two and {here['gradient_ms']['4']:.2f} ms "
        f"between four (by the model, fitted to two: {here['gradient_ms_by_the_model']['2']:.2f} "
        f"and {here['gradient_ms_by_the_model']['4']:.2f} ms).",
        "",
        "| network | latency, bandwidth assumed | 16 cores | 128 cores | 1,024 cores | "
        "half of the time is lost beyond |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in found["plan"].items():
        rates = " | ".join(
            f"{row[n]['rate'] / 1e6:.2f} M/s ({row[n]['efficiency']:.0%})"
            for n in ("16", "128", "1024")
        )
        latency, bandwidth = NETWORKS[name]
        lines.append(
            f"| {name} | {latency * 1e6:.0f} µs, {bandwidth / 1e6:,.0f} MB/s | {rates} | "
            f"{row['most_useful']:,} cores |"
        )
    if not found["runs"]:
        return "\n".join(lines) + "\n"
    lines += [
        "",
        "| workers here | decisions/s | processors that they got | by the model, with those | "
        "decisions per s of processor time |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {workers} | {run['decisions_per_s']:,.0f} | {run['processors_had']:.2f} | "
        f"{run['by_the_model']:,.0f} | {run['decisions_per_processor_s']:,.0f} |"
        for workers, run in found["runs"].items()
    ]
    return "\n".join(lines) + "\n"


@click.command()
@click.argument("game")
@click.option("--seconds", default=20.0, show_default=True, help="Of each measurement.")
@click.option(
    "--workers",
    default="1,2,4",
    show_default=True,
    help="Numbers of workers with which the model is checked; empty for none.",
)
@click.option("--out", type=click.Path(path_type=Path), help="JSON. [default: docs/scaling/GAME]")
def main(game: str, seconds: float, workers: str, out: Path | None) -> None:
    """Measure, model, and check the model."""
    config = load_config(game)
    load = os.getloadavg()[0]
    core = measure_core(config, seconds)
    here = measure_wire(core.gradient_bytes)
    wire = here.pop("wire")
    runs = {}
    for number in map(int, filter(None, workers.split(","))):
        run = measure_run(config, number, seconds)
        run["by_the_model"] = predicted(core, wire, number, run["processors_had"])
        runs[number] = run
    plan = {
        name: {
            **{
                n: {
                    "rate": predicted(core, Wire(*assumed), n),
                    "efficiency": predicted(core, Wire(*assumed), n) / (n * core.rate),
                }
                for n in (16, 128, 1024)
            },
            "most_useful": most_useful(core, Wire(*assumed)),
        }
        for name, assumed in NETWORKS.items()
    }
    found = {
        "game": game,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores ({platform.machine()}), shared with other work",
        "load": load,
        "core": {**asdict(core), "rate": core.rate},
        "wire_here": here,
        "plan": plan,
        "runs": runs,
    }
    path = out or OUT / f"{game}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(found, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
    click.echo(as_markdown(json.loads(text)))


if __name__ == "__main__":
    main()
