"""Training on a Ray cluster: one process a worker, which add up their gradients.

Ray Train starts the workers, joins them in one process group of torch's, and starts all of them
again when one dies: they go on from the last checkpoint. Each plays its share of the tables. What
the first worker logs, reports and saves reaches the driver through an actor, so that the folder of
the run, TensorBoard and the progress bar are those of a training without Ray.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat

from ..agents.trained.model_file import CheckpointError
from ..envs.core.errors import GanglandError
from .config import TrainConfig, parse
from .folder_lock import RunError, folder_lock
from .processes import TorchProcesses
from .rollout.buffer import shard_bounds
from .rollout.thread_pool import single_thread
from .run import (
    BEST,
    CHECKPOINTS,
    NOTE,
    TENSORBOARD,
    Interrupt,
    Outcome,
    Status,
    last_checkpoint,
    train_together,
)

LOCAL = "local"
"""In place of an address: a cluster of this machine alone, which ends with the training."""
POLL_SECONDS = 0.3
TIMEOUT_SECONDS = 1800
"""Time after which a worker that does not answer counts as lost."""

Files = dict[str, bytes]
"""A checkpoint folder's files by name."""


class ClusterError(GanglandError, RuntimeError):
    """A cluster cannot be used as asked, or the training on it has failed."""


@dataclass
class News:
    """What the first worker has told since the last time.

    Attributes:
        status: How far it is; ``None`` for nothing new.
        logs: Figures to log, each with the step.
        checkpoints: New checkpoints by name, from Ray's storage.
        best: Files of the checkpoint with the best worst row; ``None`` for nothing new.
        error: Why the training cannot go on; empty if it can.
        pids: Processes of the workers, by rank.
    """

    status: Status | None = None
    logs: list[tuple[dict[str, Any], dict[str, Any], int]] = field(default_factory=list)
    checkpoints: list[tuple[str, Any]] = field(default_factory=list)
    best: Files | None = None
    error: str = ""
    pids: dict[int, int] = field(default_factory=dict)


class Board:
    """The actor between the workers and the driver."""

    def __init__(self) -> None:
        self._news = News()
        self._stopped = self._failed = False

    def post(self, **fields: Any) -> bool:
        """Tell news, a field each; lists grow. Answers whether the training is to stop."""
        self._failed |= "error" in fields
        for name, value in fields.items():
            old = getattr(self._news, name)
            if isinstance(old, list):
                old.append(value)
            elif isinstance(old, dict):
                old.update(value)
            else:
                setattr(self._news, name, value)
        return self._stopped

    def take(self) -> News:
        """The news since the last time."""
        news, self._news = self._news, News()
        return news

    def stop(self) -> None:
        """Ask the training to stop."""
        self._stopped = True

    def failed(self) -> bool:
        """Whether the training cannot go on."""
        return self._failed


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
        ClusterError: If Ray is not installed or has no such cluster, or if the training fails.
    """
    if workers < 1 or gpus_per_worker < 0:
        raise ClusterError(f"workers={workers}, GPUs={gpus_per_worker}: at least 1 and 0")
    _check_share(config, workers)
    if resume and not out.is_dir():
        raise CheckpointError(f"{out} holds no checkpoint to resume from")
    with folder_lock(out), _connected(address) as ray:
        last = last_checkpoint(out)
        if last is not None and not resume:
            raise RunError(
                f"{out} holds a training run: --resume goes on with it, --out takes another"
            )
        if last is None and resume:
            raise CheckpointError(f"{out} holds no checkpoint to resume from")
        board = ray.remote(num_cpus=0)(Board).remote()
        job = {
            "config": config.model_dump(),
            "board": board,
            "last": None if last is None else {last.name: _files_of(last)},
        }
        fit = _Fit(_trainer(job, config, workers, gpus_per_worker, storage, timeout, out))
        driver = _Driver(ray, board, out, report, stop, started)
        finished = driver.follow(fit)
    folder = last_checkpoint(out)
    assert folder is not None
    return Outcome(folder, finished, driver.status)


def _check_share(config: TrainConfig, workers: int) -> None:
    class _Last(TorchProcesses):
        def __init__(self) -> None:
            self.rank, self.size = workers - 1, workers

    shard_bounds(config, _Last())


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """Ray, connected; disconnected afterwards unless it had been before."""
    try:
        import ray
        import ray.train.torch
    except ImportError as error:
        raise ClusterError(f"--ray needs Ray: pip install 'gangland[ray]' ({error})") from error
    if ray.is_initialized():
        yield ray
        return
    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        ray.init(
            address=None if address == LOCAL else address,
            log_to_driver=False,
            logging_level=logging.ERROR,
            include_dashboard=False if address == LOCAL else None,
        )
    except (ConnectionError, ValueError) as error:
        why = str(error).splitlines()[0]
        raise ClusterError(f"--ray {address}: no cluster there: {why}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


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
        _work,
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
        torch_config=TorchConfig(backend="nccl" if gpus else "gloo", timeout_s=int(timeout)),
    )


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
        except BaseException as error:  # told to the driver's thread
            self.error = error

    @property
    def running(self) -> bool:
        """Whether workers are still at it."""
        return self._thread.is_alive()


class _Driver:
    """Follows the news: writes logs and checkpoints, reports, and passes on the wish to stop."""

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

    def follow(self, fit: _Fit) -> bool:
        """Until the end; False if it was interrupted.

        Raises:
            ClusterError: If the training fails.
        """
        asked = False
        with Interrupt() as interrupt:
            while True:
                running = fit.running
                self._spread(self._ray.get(self._board.take.remote()))
                if not running:
                    break
                if not asked and (interrupt.asked or self._stop(self.status)):
                    asked = True
                    self._ray.get(self._board.stop.remote())
                time.sleep(POLL_SECONDS)
        self._log.close()
        if fit.error is not None:
            raise ClusterError(f"the training on Ray has failed: {fit.error}") from fit.error
        if not asked:  # All that was needed for restarts; what is worth keeping is in `out`.
            shutil.rmtree(self._out / "ray", ignore_errors=True)
        return not asked

    def _spread(self, news: News) -> None:
        if news.error:
            raise ClusterError(news.error)
        if news.pids:
            self._started(news.pids)
        for values, excluded, step in news.logs:
            self._log.write(values, excluded, step)
        for name, checkpoint in news.checkpoints:
            self._keep(name, checkpoint)
        if news.best is not None:
            _write_files(self._out / BEST, news.best)
        if news.status is not None:
            self.status = news.status
            self._report(self.status)

    def _keep(self, name: str, checkpoint: Any) -> None:
        """Copy a checkpoint from Ray's storage, whole or not at all."""
        root = self._out / CHECKPOINTS
        draft, folder = root / f".draft-{name}", root / name
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        checkpoint.to_directory(str(draft))
        if folder.exists():
            shutil.rmtree(folder)
        draft.rename(folder)
        for old in sorted(root.glob("step-*"))[:-2]:
            shutil.rmtree(old)


# --- in the workers -------------------------------------------------------------------------------


def _work(job: dict[str, Any]) -> None:
    """One worker, from its start to its end."""
    import ray
    import ray.train

    if ray.get(job["board"].failed.remote()):
        return  # Ray starts workers again after every error.
    reported = ray.train.get_checkpoint()
    place = Path(tempfile.mkdtemp(prefix="gangland-"))
    try:
        last = place / "last" / "none"
        if reported is not None:
            last = place / "last" / "checkpoint"
            reported.to_directory(str(last))
        elif job["last"]:
            ((name, files),) = job["last"].items()
            last = place / "last" / name
            _write_files(last, files)
        _Worker(job, place, last if last.is_dir() else None).run()
    finally:
        shutil.rmtree(place, ignore_errors=True)


class _Worker:
    """A process of the training."""

    def __init__(self, job: dict[str, Any], place: Path, last: Path | None) -> None:
        self._config = parse(job["config"])
        self._board = job["board"]
        self._place = place
        self._last = last
        self._processes = TorchProcesses()
        self._best = 0.0

    def run(self) -> None:
        """Train; errors of the training itself are told to the driver."""
        import os

        import ray.train.torch

        self._post(pids={self._processes.rank: os.getpid()})
        first = self._processes.rank == 0
        device = str(ray.train.torch.get_device())
        try:
            with single_thread():
                train_together(
                    self._config,
                    self._place,
                    self._last,
                    device=device,
                    logger=Logger(None, [_BoardWriter(self._post)] if first else []),
                    report=self._report,
                    stop=lambda status: self._post() if first else False,
                    saved=self._saved,
                    processes=self._processes,
                )
        except (GanglandError, OSError) as error:
            self._post(error=f"{type(error).__name__}: {error}")
            raise

    def _post(self, **fields: Any) -> bool:
        import ray

        return bool(ray.get(self._board.post.remote(**fields)))

    def _report(self, status: Status) -> None:
        self._post(status=status)
        note = self._place / BEST / NOTE
        if note.is_file() and note.stat().st_mtime > self._best:
            self._best = note.stat().st_mtime
            self._post(best=_files_of(self._place / BEST))

    def _saved(self, folder: Path | None) -> None:
        import ray.train

        if folder is None:
            ray.train.report({})
            return
        ray.train.report({}, checkpoint=ray.train.Checkpoint.from_directory(folder))
        self._post(checkpoints=(folder.name, ray.train.get_checkpoint()))


class _BoardWriter(KVWriter):
    """Sends figures to the driver, which writes them to TensorBoard."""

    def __init__(self, post: Callable[..., bool]) -> None:
        self._post = post

    def write(
        self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0
    ) -> None:
        """Send the figures of a step."""
        self._post(logs=(key_values, key_excluded, step))

    def close(self) -> None:
        """Nothing is open."""


def _files_of(folder: Path) -> Files:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _write_files(folder: Path, files: Files) -> None:
    """Write a folder, whole or not at all."""
    draft = folder.with_name(f".draft-{folder.name}")
    shutil.rmtree(draft, ignore_errors=True)
    for name, data in files.items():
        path = draft / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)
