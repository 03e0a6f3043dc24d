"""One worker of a training on Ray."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import KVWriter, Logger

from ...arena.workers.players import known_game
from ...envs.core.errors import GanglandError
from ..config import parse
from ..folders import files_of, write_files
from ..processes import TorchProcesses
from ..rollout.thread_pool import single_thread
from ..run import BEST, NOTE, Status, train_together


def work(job: dict[str, Any]) -> None:
    """One worker, from its start to its end."""
    import ray
    import ray.train

    if ray.get(job["board"].failed.remote()):
        return  # Ray starts workers again after every error.
    reported = ray.train.get_checkpoint()
    place = Path(tempfile.mkdtemp(prefix="gangland-"))
    try:
        last: Path | None = None
        if reported is not None:
            last = place / "last" / "checkpoint"
            reported.to_directory(str(last))
        elif job["last"]:
            ((name, files),) = job["last"].items()
            last = place / "last" / name
            write_files(last, files)
        _Worker(job, place, last).run()
    finally:
        shutil.rmtree(place, ignore_errors=True)


class _Worker:
    """A process of the training."""

    def __init__(self, job: dict[str, Any], place: Path, last: Path | None) -> None:
        known_game(job["config"]["game"], job["target"])
        self._config = parse(job["config"])
        self._board = job["board"]
        self._place = place
        self._last = last
        self._processes = TorchProcesses()
        self._best = 0.0
        self._asked_to_stop = False

    def run(self) -> None:
        """Train; errors of the training itself are reported to the driver."""
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
                    stop=lambda status: self._asked_to_stop,
                    saved=self._saved,
                    processes=self._processes,
                )
        except (GanglandError, OSError) as error:
            self._post(error=f"{type(error).__name__}: {error}")
            raise
        except Exception as error:  # such as that of another worker that has died
            self._post(troubles=f"{type(error).__name__}: {error}")
            raise

    def _post(self, **fields: Any) -> bool:
        import ray

        return bool(ray.get(self._board.post.remote(**fields)))

    def _report(self, status: Status) -> None:
        self._asked_to_stop = self._post(status=status)
        note = self._place / BEST / NOTE
        if note.is_file() and note.stat().st_mtime > self._best:
            self._best = note.stat().st_mtime
            self._post(best=files_of(self._place / BEST))

    def _saved(self, folder: Path | None) -> None:
        import ray.train

        if folder is None:
            ray.train.report({})
            return
        ray.train.report({}, checkpoint=ray.train.Checkpoint.from_directory(folder))
        self._post(checkpoints=(folder.name, ray.train.get_checkpoint()))


class _BoardWriter(KVWriter):
    """Sends metrics to the driver, which writes them to TensorBoard."""

    def __init__(self, post: Callable[..., bool]) -> None:
        self._post = post

    def write(
        self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0
    ) -> None:
        """Send the metrics of a step."""
        self._post(logs=(key_values, key_excluded, step))

    def close(self) -> None:
        """Do nothing: a worker holds nothing open."""
