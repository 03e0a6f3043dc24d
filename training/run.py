"""A training run: logs, evaluations, checkpoints, the end, and resuming."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from stable_baselines3.common.utils import get_device

from ..agents.baseline.heuristic import spec_of
from ..agents.registry import make
from ..agents.trained.model_file import MODEL_FILE, CheckpointError
from ..agents.trained.whole import whole_file
from ..envs import load
from ..envs.core.errors import GanglandError
from ..envs.core.rng import stream
from . import checkpoint
from .config import ConfigError, TrainConfig
from .config.files import kept_config
from .folders import RunError, folder_lock
from .local import side_by_side
from .measure.evaluation import Match, current_policies, play_match, worst_of
from .processes import ALONE, Processes
from .rollout.buffer import shard_bounds
from .rollout.thread_pool import single_thread
from .selfplay import SelfPlay, make_trainer
from .summary import SummaryCallback

CHECKPOINTS = "checkpoints"
TENSORBOARD = "tensorboard"
BEST = "best"
"""Folder of the latest checkpoint whose worst match is as good as the best, within its interval."""
NOTE = "worst_row.json"
"""What that match was, in the same folder."""
ENDLESS = 2**62


@dataclass
class Status:
    """Progress of a run, for a display.

    Attributes:
        steps: Decisions learnt from.
        seconds: Time trained, earlier parts of a resumed run included.
        progress: 0 to 1.
        decisions_per_second: Over the last few rollouts, learning included.
        matches: The latest match against each agent of the pool, by name.
        worst: The one of them that went worst; ``None`` before the first.
        measured: Decisions learnt from when they were played.
    """

    steps: int = 0
    seconds: float = 0.0
    progress: float = 0.0
    decisions_per_second: float = 0.0
    matches: dict[str, Match] = field(default_factory=dict)
    worst: Match | None = None
    measured: int = 0


@dataclass
class Outcome:
    """How a run ended.

    Attributes:
        folder: The last checkpoint.
        finished: False if it was interrupted.
        status: Where it stood.
    """

    folder: Path
    finished: bool
    status: Status


class RunCallback(BaseCallback):
    """Before each rollout: evaluate, checkpoint, report, and stop when it is time.

    Args:
        config: The training configuration.
        out: Folder of the run.
        seconds: Time trained before.
        report: Called with the status before each rollout.
        stop: Asked before each rollout; True interrupts.
        saved: Called in each process, in the first with the folder, once there is a checkpoint.
    """

    model: SelfPlay  # type: ignore[assignment]

    def __init__(
        self,
        config: TrainConfig,
        out: Path,
        seconds: float,
        report: Callable[[Status], None],
        stop: Callable[[Status], bool],
        saved: Callable[[Path | None], None] = lambda folder: None,
    ) -> None:
        super().__init__()
        self.config = config
        self.out = out
        self.status = Status(seconds=seconds)
        self.interrupted = False
        self._report = report
        self._stop = stop
        self._saved = saved
        self._before = seconds
        self._began = time.monotonic()
        self._saved_at = self._began
        self._last: tuple[float, int] | None = None
        self._evaluated = -1
        self._processes: Processes = ALONE

    def elapsed(self) -> float:
        """Seconds trained, earlier parts included."""
        return self._before + time.monotonic() - self._began

    def progress(self) -> float:
        """Share of the time that is over; 0 without a time limit."""
        minutes = self.config.minutes
        return 0.0 if minutes is None else min(1.0, self.elapsed() / (60.0 * minutes))

    def _on_training_start(self) -> None:
        self._processes = self.model.collector.processes
        self.model.time_used = lambda: self._processes.broadcast(self.progress())

    def _on_step(self) -> bool:
        checkpoint.require_finite(self.model)
        self._measure()
        every = self.config.evaluation.every
        iteration = self.model.iteration
        if self._processes.rank == 0:
            if every and iteration % every == 0 and iteration and iteration != self._evaluated:
                self.evaluate()
            self._report(self.status)
        if self._processes.broadcast(self.progress() >= 1.0):
            return False
        stopped, unsaved = self._processes.broadcast(
            (self._stop(self.status), time.monotonic() - self._saved_at)
        )
        if stopped:
            self.interrupted = True
            return False
        if unsaved >= 60.0 * self.config.checkpoint_minutes:
            self.save()
        return True

    def _measure(self) -> None:
        now, steps = time.monotonic(), self.model.num_timesteps
        status = self.status
        status.steps, status.seconds = steps, self.elapsed()
        by_steps = steps / self.config.steps if self.config.steps else 0.0
        status.progress = min(1.0, max(by_steps, self.progress()))
        if self._last is not None and now > self._last[0]:
            speed = (steps - self._last[1]) / (now - self._last[0])
            old = status.decisions_per_second
            status.decisions_per_second = old + 0.3 * (speed - old) if old else speed
        self._last = now, steps

    def evaluate(self) -> None:
        """Let the current policy meet the pool, log how it did, and keep it if it is the best."""
        self._evaluated = self.model.iteration
        game = self.model.collector.game
        seed = int(stream(np.uint64(self.config.seed), np.uint64(1000 + self.model.iteration)))
        policies, roles = current_policies(self.model), self._roles()
        matches = []
        for spec in self.config.pool():
            opponent = make(spec, game)
            for role in roles:
                match = play_match(
                    game,
                    self.config.options,
                    policies,
                    opponent,
                    self.config.evaluation.games,
                    seed,
                    role,
                )
                matches.append(match)
                self._log(match)
        if matches:
            self.status.matches = {match.name: match for match in matches}
            self.status.worst = worst_of(matches)
            self.status.measured = self.model.num_timesteps
            self.logger.record("eval/worst_row", self.status.worst.win.share)
            self._keep_best(self.status.worst)
        # Playing matches is not training speed.
        self._last = time.monotonic(), self.model.num_timesteps

    def _roles(self) -> list[int | None]:
        """The roles that are evaluated one by one; ``None`` for all seats in turn."""
        game, learner = self.model.collector.game, self.config.league.learner_role
        if len(game.roles) == 1:
            return [None]
        present = {
            role
            for options in self.config.options
            for role in game.seat_roles(game.options.resolve(options))
        }
        return [role for role in sorted(present) if learner is None or game.roles[role] == learner]

    def _log(self, match: Match) -> None:
        name = match.name.replace(" ", "_")
        self.logger.record(f"eval/win_share_vs_{name}", match.win.share)
        self.logger.record(f"eval/score_vs_{name}", match.score)
        for seat in np.flatnonzero(~np.isnan(match.seat_shares)):
            share = float(match.seat_shares[seat])
            self.logger.record(f"eval_seats/win_share_vs_{name}_seat_{seat}", share)

    def _keep_best(self, worst: Match) -> None:
        """Save the policy unless its worst match went worse than the best of any before.

        Of matches whose intervals overlap, the later policy has learnt more.
        """
        note = self.out / BEST / NOTE
        kept = json.loads(note.read_text(encoding="utf-8")) if note.is_file() else {}
        record = kept.get("record", -1.0)
        if worst.win.high / worst.par < record:
            return
        checkpoint.save_checkpoint(self.out / BEST, self.model, self.elapsed(), kept=1)
        figures = {
            "steps": self.model.num_timesteps,
            "worst_row": worst.win.share,
            "against": worst.name,
            "par": worst.par,
            "record": max(record, worst.win.share / worst.par),
        }
        with whole_file(note) as draft:
            draft.write_text(json.dumps(figures) + "\n", encoding="utf-8")

    def save(self) -> Path:
        """Write a checkpoint, in the first process."""
        self._saved_at = time.monotonic()
        tables = self._processes.gather(checkpoint.tables_state(self.model))
        if self._processes.rank > 0:
            self._saved(None)
            return self.out / CHECKPOINTS
        folder = checkpoint.save_checkpoint(
            self.out / CHECKPOINTS, self.model, self.elapsed(), tables=tables
        )
        self._saved(folder)
        return folder


def train(
    config: TrainConfig,
    out: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    device: str = "auto",
    report: Callable[[Status], None] = lambda status: None,
    stop: Callable[[Status], bool] = lambda status: False,
    callbacks: Sequence[BaseCallback] = (),
) -> Outcome:
    """Train until the configuration's end, or until interrupted.

    Ctrl-C finishes the current iteration and saves; a second Ctrl-C aborts at once.

    Args:
        config: The training configuration.
        out: Folder of the run: ``checkpoints/`` and ``tensorboard/`` are written there.
        workers: Processes that share the tables, on a CPU; results depend on their number. Where
            there are several, a script has to be importable: ``if __name__ == "__main__"``.
        resume: Continue from the last checkpoint there.
        device: As for torch, or ``auto``.
        report: Called with the status before each rollout.
        stop: Asked before each rollout; True interrupts.
        callbacks: Called before each rollout, after ``report``.

    Raises:
        RunError: If another training uses ``out``, if there is a run in it already and ``resume``
            is off, if a worker ends before the training, or if there are several on a GPU.
        CheckpointError: If there is none to resume, or it does not fit.
        ConfigError: If there are fewer tables than workers.
    """
    if workers > 1:
        _check_workers(config, workers, device)
        _make_ready(config)  # once for all of them
    with (
        run_folder(out, resume=resume) as last,
        single_thread(),
        side_by_side(config, last, workers) as processes,
    ):
        logger = Logger(str(out), [TensorBoardOutputFormat(str(out / TENSORBOARD))])
        with Interrupt() as interrupt:
            return train_together(
                config,
                out,
                last,
                device=device,
                logger=logger,
                callbacks=callbacks,
                report=report,
                stop=lambda status: interrupt.asked or stop(status),
                processes=processes,
            )


@contextmanager
def run_folder(out: Path, *, resume: bool) -> Iterator[Path | None]:
    """A run's folder, locked: the checkpoint to go on from, or ``None`` for a new run.

    A new folder goes again if the training is refused before it begins.

    Args:
        out: The folder.
        resume: Whether there has to be a checkpoint; without, there must not be one.

    Raises:
        RunError: If another training uses it, or if there is a run in it and ``resume`` is off.
        CheckpointError: If there is none to resume.
    """
    nothing = CheckpointError(f"{out} holds no checkpoint to resume from")
    if resume and not out.is_dir():
        raise nothing
    new = not out.exists()
    with folder_lock(out):
        last = last_checkpoint(out)
        if last is not None and not resume:
            raise RunError(
                f"{out} holds a training run: --resume continues it, --out takes another"
            )
        if last is None and resume:
            raise nothing
        try:
            yield last
        except GanglandError as error:
            began = isinstance(error, checkpoint.DivergedError) or kept_config(out)
            if new and not began and last_checkpoint(out) is None:
                shutil.rmtree(out, ignore_errors=True)
            raise


def train_together(
    config: TrainConfig,
    out: Path,
    last: Path | None,
    *,
    device: str = "auto",
    logger: Logger,
    report: Callable[[Status], None] = lambda status: None,
    stop: Callable[[Status], bool] = lambda status: False,
    saved: Callable[[Path | None], None] = lambda folder: None,
    processes: Processes = ALONE,
    callbacks: Sequence[BaseCallback] = (),
) -> Outcome:
    """Train as one of several processes, or as the only one.

    The first process evaluates, saves and reports; its answers to ``stop`` count. Torch should use
    one thread (:func:`~gangland.training.rollout.thread_pool.single_thread`).

    Args:
        config: The training configuration; ``ppo.tables`` and ``ppo.batch_size`` are those of all
            processes, ``threads`` those of each.
        out: Folder of the run, used by the first process alone.
        last: Checkpoint to go on from; ``None`` for a new run.
        device: As for torch, or ``auto``.
        logger: Where figures go.
        report: Called with the status before each rollout.
        stop: Asked before each rollout; True interrupts.
        saved: Called in each process, in the first with the folder, once there is a checkpoint.
        processes: Those of the training.
        callbacks: Further callbacks of the first process.

    Raises:
        CheckpointError: If ``last`` does not fit.
        ConfigError: If the configuration fits neither the game nor the memory.
        DivergedError: If weights are no longer finite; the last checkpoint stays.
    """
    check_device(device)
    try:
        trainer = make_trainer(config, device, processes)
    except MemoryError as error:
        raise ConfigError(
            f"ppo.tables={config.ppo.tables}, ppo.steps={config.ppo.steps}: so many decisions at a "
            f"time do not fit into memory: {error}"
        ) from error
    _make_ready(config)
    seconds = checkpoint.resume(last, trainer) if last is not None else 0.0
    trainer.set_logger(logger)
    callback = RunCallback(config, out, seconds, report, stop, saved)
    summary = SummaryCallback(config, lambda: callback.status)
    own = [summary, *callbacks] if processes.rank == 0 else []
    try:
        trainer.learn(config.steps or ENDLESS, [callback, *own])
        callback._measure()
        folder = callback.save()
    except checkpoint.DivergedError as error:
        logger.close()
        trainer.collector.close()
        good = last_checkpoint(out)
        raise checkpoint.DivergedError(
            f"{error}. {f'The last good checkpoint is {good}' if good else 'Nothing was saved'}"
        ) from error
    if processes.rank == 0:
        if not callback.interrupted and config.evaluation.every:
            callback.evaluate()
            summary.record()
        logger.dump(trainer.num_timesteps)
        report(callback.status)
    logger.close()
    trainer.collector.close()
    return Outcome(folder, not callback.interrupted, callback.status)


def _check_workers(config: TrainConfig, workers: int, device: str) -> None:
    check_device(device)
    if th.device(get_device(device)).type != "cpu":
        raise RunError(f"workers={workers}: must be 1 on a GPU; several share the tables on a CPU")
    shard_bounds(config, Processes(workers - 1, workers))


def _make_ready(config: TrainConfig) -> None:
    """Compile or load rules and agents, so that this does not count as training time."""
    game = load(config.game)
    _ = game.compiled  # reading it compiles
    teacher = [] if config.imitation is None else [spec_of("")]
    for spec in {*teacher, *config.opponents(), *config.pool()}:
        make(spec, game)


def check_device(device: str) -> None:
    """Make sure that torch can use a device.

    Raises:
        RunError: If it cannot, with torch's reason.
    """
    if device == "auto":
        return
    try:
        th.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        why = str(error).splitlines()[0]
        raise RunError(f"device={device!r}: must be auto, cpu or one torch has: {why}") from error


def last_checkpoint(out: Path) -> Path | None:
    """The newest checkpoint of a run; ``None`` if there is none."""
    found = [p.parent for p in (out / CHECKPOINTS).glob(f"step-*/{MODEL_FILE}")]
    return max(found, default=None)


class Interrupt:
    """Notes the first Ctrl-C instead of raising, and says so; the second one raises as usual."""

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: Any) -> None:
        self.asked = True
        print("saving; another Ctrl-C ends it without", file=sys.stderr, flush=True)
        signal.signal(signal.SIGINT, self._before)

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
