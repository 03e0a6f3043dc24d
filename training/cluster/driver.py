"""The driver of a training on Ray: starts the workers, and follows their reports.

The workers report to an actor, the board, which the driver asks.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from stable_baselines3.common.logger import TensorBoardOutputFormat

from ...agents.trained.whole import whole_folder
from ...arena.workers.on_ray import LOCAL, ClusterError, connected
from ...envs.registry import entry_of
from ..checkpoint import KEPT, remove_old
from ..config import TrainConfig
from ..folders import Files, files_of, write_files
from ..processes import Processes
from ..rollout.buffer import shard_bounds
from ..run import (
    BEST,
    CHECKPOINTS,
    TENSORBOARD,
    Interrupt,
    Outcome,
    Status,
    last_checkpoint,
    run_folder,
)
from .worker import work


@dataclass
class Report:
    """What the workers have reported since the last time.

    Attributes:
        status: How far the training is; ``None`` for nothing new.
        logs: Metrics to log, each with the step.
        checkpoints: New checkpoints by name, from Ray's storage.
        best: Files of the checkpoint that is kept as the best; ``None`` for nothing new.
        error: Why the training cannot go on; empty if it can.
        troubles: Errors with which workers have ended; other workers take their place.
        pids: Processes of the workers, by rank.
    """

    status: Status | None = None
    logs: list[tuple[dict[str, Any], dict[str, Any], int]] = field(default_factory=list)
    checkpoints: list[tuple[str, Any]] = field(default_factory=list)
    best: Files | None = None
    error: str = ""
    troubles: list[str] = field(default_factory=list)
    pids: dict[int, int] = field(default_factory=dict)


class Board:
    """The actor between the workers and the driver."""

    def __init__(self) -> None:
        self._report = Report()
        self._stopped = self._failed = False

    def post(self, **fields: Any) -> bool:
        """Add to the report by field, extending lists; returns whether the training is to stop."""
        self._failed |= "error" in fields
        for name, value in fields.items():
            old = getattr(self._report, name)
            if isinstance(old, list):
                old.append(value)
            elif isinstance(old, dict):
                old.update(value)
            else:
                setattr(self._report, name, value)
        return self._stopped

    def take(self) -> Report:
        """What has been reported since the last time."""
        report, self._report = self._report, Report()
        return report

    def stop(self) -> None:
        """Ask the training to stop."""
        self._stopped = True

    def failed(self) -> bool:
        """Whether the training cannot go on."""
        return self._failed


POLL_SECONDS = 0.3
TIMEOUT_SECONDS = 1800
"""Time after which a worker that does not answer counts as lost."""
FRUITLESS = 5
"""Times that workers may die in a row without having learnt anything."""


def train_on_ray(
    config: TrainConfig,
    out: Path,
    *,
    address: str = LOCAL,
    workers: int = 2,
    gpus_per_worker: float = 0.0,
    storage: str | None = None,
    timeout: float = TIMEOUT_SECONDS,
    resume: bool = False,
    report: Callable[[Status], None] = lambda status: None,
    stop: Callable[[Status], bool] = lambda status: False,
    started: Callable[[dict[int, int]], None] = lambda pids: None,
) -> Outcome:
    """Train until the configuration's end, or until interrupted, on a Ray cluster.

    ``ppo.tables`` and ``ppo.batch_size`` are those of all workers together, ``threads`` those of
    each. A worker or a node that dies is replaced, and all go on from the last checkpoint.

    Args:
        config: The training configuration.
        out: Folder of the run, on the driver's machine.
        address: Of the cluster, as for ``ray.init``, or ``local``. A cluster that this process is
            connected to already is used as it is.
        workers: Number of workers.
        gpus_per_worker: GPUs for each; with 0 they learn on the CPU.
        storage: Where Ray keeps checkpoints for restarts: a folder or URL that all nodes reach; by
            default a folder in ``out``, for a single machine.
        timeout: Seconds after which a worker that does not answer counts as lost; longer than any
            evaluation.
        resume: Continue from the last checkpoint in ``out``.
        report: Called with the status now and then.
        stop: Asked now and then; True interrupts.
        started: Called with the workers' process ids by rank whenever they have been started.

    Raises:
        RunError: If another training uses ``out``, or if there is a run in it already and
            ``resume`` is off.
        CheckpointError: If there is none to resume, or it does not fit.
        MissingDependencyError: If Ray is not installed.
        ClusterError: If there is no such cluster, or if the training fails.
    """
    if workers < 1 or gpus_per_worker < 0:
        raise ClusterError(f"workers={workers}, GPUs={gpus_per_worker}: at least 1 and 0")
    shard_bounds(config, Processes(workers - 1, workers))
    cpus = workers * config.threads
    with run_folder(out, resume=resume) as last, connected(address, cpus, "ray.train.torch") as ray:
        board = _board(ray)
        job = {
            "config": config.model_dump(),
            "target": entry_of(config.game).target,
            "board": board,
            "last": None if last is None else {last.name: files_of(last)},
        }
        fit = _Fit(_trainer(job, config, workers, gpus_per_worker, storage, timeout, out))
        driver = _Driver(ray, board, out, report, stop, started)
        finished = driver.follow(fit)
    folder = last_checkpoint(out)
    assert folder is not None
    return Outcome(folder, finished, driver.status)


def _board(ray: Any) -> Any:
    """Beside the driver: on any other node it would die with that node, and the training too."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    return ray.remote(num_cpus=0)(Board).options(scheduling_strategy=here).remote()


def _trainer(
    job: dict[str, Any],
    config: TrainConfig,
    workers: int,
    gpus: float,
    storage: str | None,
    timeout: float,
    out: Path,
) -> Any:
    from ray.train import CheckpointConfig, FailureConfig, RunConfig, ScalingConfig
    from ray.train.torch import TorchConfig, TorchTrainer

    resources = {"CPU": float(config.threads)} | ({"GPU": gpus} if gpus else {})
    return TorchTrainer(
        work,
        train_loop_config=job,
        scaling_config=ScalingConfig(
            num_workers=workers, use_gpu=gpus > 0, resources_per_worker=resources
        ),
        run_config=RunConfig(
            name=f"{config.game}-{time.time_ns()}",
            storage_path=storage or str((out / "ray").resolve()),
            # Whatever dies is replaced; errors of the training itself end it, see _Driver.
            failure_config=FailureConfig(max_failures=-1),
            checkpoint_config=CheckpointConfig(num_to_keep=2),
        ),
        torch_config=TorchConfig(backend=backend_for(gpus), timeout_s=int(timeout)),
    )


def backend_for(gpus: float) -> str:
    """What adds up the gradients of workers with so many GPUs each: NCCL takes whole ones only."""
    return "nccl" if gpus >= 1 else "gloo"


class _Fit:
    """Ray's part of the driver, in a thread of its own."""

    def __init__(self, trainer: Any) -> None:
        self.error: BaseException | None = None
        self._trainer = trainer
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._trainer.fit()
        except BaseException as error:  # raised again by the driver's thread
            self.error = error

    @property
    def running(self) -> bool:
        """Whether any worker is still running."""
        return self._thread.is_alive()


class _Driver:
    """Follows the reports: writes logs and checkpoints, reports progress, and passes on a stop."""

    def __init__(
        self,
        ray: Any,
        board: Any,
        out: Path,
        report: Callable[[Status], None],
        stop: Callable[[Status], bool],
        started: Callable[[dict[int, int]], None],
    ) -> None:
        self.status = Status()
        self._ray = ray
        self._board = board
        self._out = out
        self._report = report
        self._stop = stop
        self._started = started
        self._log = TensorBoardOutputFormat(str(out / TENSORBOARD))
        self._furthest = -1
        self._fruitless = 0
        self._troubles: list[str] = []

    def follow(self, fit: _Fit) -> bool:
        """Until the end; False if it was interrupted.

        Raises:
            ClusterError: If the training fails.
        """
        try:
            asked = self._until_the_end(fit)
        except self._ray.exceptions.RayError as error:
            why = str(error).splitlines()[0]
            raise ClusterError(f"the connection to Ray is lost: {why}") from error
        finally:
            self._log.close()
        if fit.error is not None:
            raise ClusterError(f"the training on Ray has failed: {fit.error}") from fit.error
        if not asked:  # All that was needed for restarts; what is worth keeping is in `out`.
            shutil.rmtree(self._out / "ray", ignore_errors=True)
        return not asked

    def _until_the_end(self, fit: _Fit) -> bool:
        """Handle reports until there are none; whether the training was asked to stop."""
        asked = False
        with Interrupt() as interrupt:
            while True:
                running = fit.running
                self._spread(self._ray.get(self._board.take.remote()))
                if not running:
                    return asked
                if not asked and (interrupt.asked or self._stop(self.status)):
                    asked = True
                    self._ray.get(self._board.stop.remote())
                time.sleep(POLL_SECONDS)

    def _spread(self, report: Report) -> None:
        self._troubles += report.troubles
        if report.pids:
            self._started(report.pids)
            if 0 in report.pids:
                self._count_starts()
        try:
            self._write(report)
        except OSError as error:
            self._give_up(f"{self._out} cannot be written: {error}")
        if report.error:
            raise ClusterError(report.error)
        if report.status is not None:
            self.status = report.status
            self._report(self.status)

    def _write(self, report: Report) -> None:
        for values, excluded, step in report.logs:
            self._log.write(values, excluded, step)
        for name, checkpoint in report.checkpoints:
            self._keep(name, checkpoint)
        if report.best is not None:
            write_files(self._out / BEST, report.best)

    def _count_starts(self) -> None:
        """Workers that die again and again at the same place will not get any further."""
        if self.status.steps > self._furthest:
            self._furthest = self.status.steps
            self._fruitless = 0
            self._troubles = self._troubles[-1:]
            return
        self._fruitless += 1
        if self._fruitless >= FRUITLESS:
            why = self._troubles[0] if self._troubles else "killed from outside"
            self._give_up(f"workers have died {FRUITLESS} times without getting further: {why}")

    def _give_up(self, why: str) -> NoReturn:
        """End the training; workers that Ray starts again end at once."""
        self._ray.get(self._board.post.remote(error=why))
        raise ClusterError(why)

    def _keep(self, name: str, checkpoint: Any) -> None:
        """Copy a checkpoint from Ray's storage, whole or not at all."""
        folder = self._out / CHECKPOINTS / name
        with whole_folder(folder) as draft:
            checkpoint.to_directory(str(draft))
        remove_old(folder.parent, folder, KEPT)
