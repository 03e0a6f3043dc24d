"""Training in several processes of this machine, each with a core of its own.

Many threads of one process wait for Python's interpreter lock; processes wait for each other's
gradients alone, see :mod:`gangland.training.processes`.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from ..envs.registry import entry_of
from .config import TrainConfig, parse
from .folders import RunError
from .processes import ALONE, Processes, TorchProcesses

PATIENCE = timedelta(days=7)
"""How long a process waits for another one, which may be stopped; a death ends the wait at once."""

ENDING_SECONDS = 20.0
"""Time that a process has to end after the training."""

NETWORK = "GLOO_SOCKET_IFNAME"
"""Variable that names the network over which processes meet, where it is to be another one."""


@contextmanager
def side_by_side(config: TrainConfig, last: Path | None, count: int) -> Iterator[Processes]:
    """The first of ``count`` processes, while the others train with it.

    Args:
        config: The training configuration.
        last: Checkpoint to go on from; ``None`` for a new run.
        count: Number of processes, this one included.

    Raises:
        RunError: If another one ends with an error before this one does.
    """
    if count == 1:
        yield ALONE
        return
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="gangland-") as folder:
        errors = context.SimpleQueue()
        job = (config.model_dump(), entry_of(config.game).target, last, f"{folder}/meeting", errors)
        others = [
            context.Process(target=_help, args=(rank, count, *job), daemon=True)
            for rank in range(1, count)
        ]
        for process in others:
            process.start()
        try:
            with _meeting(0, count, f"{folder}/meeting"):
                yield TorchProcesses()
        except RuntimeError as error:
            if why := _why(others, errors):
                raise RunError(why) from error
            raise
        finally:
            _end(others)


def _help(
    rank: int,
    count: int,
    values: dict[str, Any],
    target: str,
    last: Path | None,
    meeting: str,
    errors: Any,
) -> None:
    """One of the other processes, from its start to its end."""
    from stable_baselines3.common.logger import Logger

    from ..arena.workers.players import known_game
    from .rollout.thread_pool import single_thread
    from .run import train_together

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The first process hears it, and tells all.
    try:
        known_game(values["game"], target)
        with _meeting(rank, count, meeting), single_thread():
            out = Path(meeting).parent / str(rank)
            processes = TorchProcesses()
            train_together(
                parse(values), out, last, device="cpu", logger=Logger(None, []), processes=processes
            )
    except Exception as error:  # the first process says so
        errors.put(f"{type(error).__name__}: {error}")
        sys.exit(1)


@contextmanager
def _meeting(rank: int, count: int, meeting: str) -> Iterator[None]:
    """Torch's default process group, over this machine's own network."""
    from torch import distributed

    given = NETWORK in os.environ
    os.environ.setdefault(NETWORK, "lo0" if sys.platform == "darwin" else "lo")
    distributed.init_process_group(
        "gloo", f"file://{meeting}", rank=rank, world_size=count, timeout=PATIENCE
    )
    try:
        yield
    finally:
        distributed.destroy_process_group()
        if not given:
            del os.environ[NETWORK]


def _why(others: Sequence[BaseProcess], errors: Any) -> str:
    """Why one of the processes has ended; empty if none has ended with an error."""
    for process in others:
        process.join(1.0)
    for rank, process in enumerate(others, 1):
        if process.exitcode:
            why = f"with exit code {process.exitcode}" if errors.empty() else f"of {errors.get()}"
            return f"process {rank} of the training has ended {why}"
    return ""


def _end(others: Sequence[BaseProcess]) -> None:
    """See that no process outlives the training."""
    for process in others:
        process.join(ENDING_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()
