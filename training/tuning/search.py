"""Runs the trainings of a search side by side, by Ray Tune."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from stable_baselines3.common.callbacks import BaseCallback

from ...agents.registry import policy_spec
from ...arena.workers.on_ray import LOCAL, connected
from ...arena.workers.players import known_game
from ...envs import load
from ...envs.core.errors import GanglandError
from ...envs.registry import entry_of
from ..checkpoint import save_checkpoint
from ..config import TrainConfig
from ..config.files import with_changes
from ..folder_lock import folder_lock
from ..measure.exploit import RECIPE, exploit
from ..run import Status, last_checkpoint, train
from ..selfplay import SelfPlay
from .space import Space

Objective: TypeAlias = Literal["worst", "exploit"]
"""What is searched for: the highest worst row of the training's own pool, or the lowest
exploitability, as ``gangland exploit`` measures it."""

MEASURED = "measured"
"""In the folder of a trial: the checkpoint that was measured last, before the end."""

TRIALS = "trials"
"""In the folder of a search: a folder for each trial, a run as of ``gangland train``."""

RETRIES = 3
"""Times that a trial goes on after its process or node has died."""


class TuneError(GanglandError, ValueError):
    """A search cannot be made as asked."""


@dataclass(frozen=True, slots=True)
class Point:
    """What a trial was worth at some time.

    Attributes:
        percent: Share of the training that was over, 0 to 100.
        decisions: Decisions learnt from.
        value: The objective, in units of par: the win share of equal players.
    """

    percent: float
    decisions: int
    value: float


@dataclass(slots=True)
class Trial:
    """One training.

    Attributes:
        number: Its number in the search.
        changes: What was changed in the configuration, by dotted key.
        spec: Its bot.
        points: What it was worth in the course of the training.
        state: ``finished``, ``ended early``, ``failed``, or ``interrupted``.
        error: Why it failed; empty if it did not.
    """

    number: int
    changes: dict[str, Any]
    spec: str
    points: list[Point] = field(default_factory=list)
    state: str = "interrupted"
    error: str = ""

    @property
    def value(self) -> float:
        """What it was worth in the end; NaN if that was never measured."""
        return self.points[-1].value if self.points else float("nan")


@dataclass(slots=True)
class Tuning:
    """The result of a search.

    Attributes:
        game: Name of the game.
        objective: What was searched for.
        space: What was tried.
        seed: Seed of the draw.
        trials: All trials by number.
    """

    game: str
    objective: Objective
    space: Space
    seed: int
    trials: list[Trial]

    @property
    def ranked(self) -> list[Trial]:
        """Trials that came furthest first, the best of them first."""
        sign = 1.0 if self.objective == "exploit" else -1.0

        def key(trial: Trial) -> tuple[float, float, int]:
            if not trial.points:
                return (0.0, 0.0, trial.number)
            return (-trial.points[-1].percent, sign * trial.value, trial.number)

        return sorted(self.trials, key=key)

    def to_dict(self) -> dict[str, Any]:
        """Return the trials as values that JSON can hold."""
        return {
            "format": "gangland-tune/1",
            "game": self.game,
            "objective": self.objective,
            "space": self.space.to_dict(),
            "seed": self.seed,
            "trials": [
                {**asdict(trial), "value": trial.value if trial.points else None}
                for trial in self.ranked
            ],
        }


def tune(
    data: Mapping[str, Any],
    space: Space,
    out: Path,
    *,
    samples: int = 16,
    seed: int = 0,
    objective: Objective = "worst",
    exploit_decisions: int = 500_000,
    grace: float = 10.0,
    factor: float = 3.0,
    address: str = LOCAL,
    parallel: int | None = None,
    report: Callable[[Trial], None] = lambda trial: None,
) -> Tuning:
    """Train with drawn hyper-parameters, several trainings at a time, and end poor ones early.

    A trial is measured whenever its configuration evaluates it (``evaluation.every``), and at the
    end. A trial that dies continues from its last checkpoint.

    Args:
        data: The configuration's plain values, as from ``read_config``.
        space: What is tried.
        out: Folder of the search, which must not hold one; all machines of a cluster should see it.
        samples: Number of trials.
        seed: Seed of the values drawn. All trials train with the configuration's own seed.
        objective: What is searched for.
        exploit_decisions: Budget of each exploiter, for ``exploit``.
        grace: Percentage of its training that every trial gets; 100 to end no trial early.
        factor: At each step of the selection, one in this many trials continues; the steps are
            at ``grace`` times the powers of it.
        address: Of the cluster; see :func:`gangland.arena.workers.on_ray.connected`.
        parallel: Maximum number of trials at the same time; by default as many as there are
            processors for, at least two on a cluster of this machine alone.
        report: Called with a trial whenever it has been measured, and when it ends.

    Raises:
        SpaceError: If the configuration has no such keys, or does not allow the values.
        ConfigError: If it does not allow them together.
        TuneError: If a number is out of range, the trainings are never evaluated, or there is a
            search in the folder.
        MissingDependencyError: If Ray Tune is not installed.
        ClusterError: If there is no such cluster.
    """
    _check_numbers(samples, exploit_decisions, grace, factor, parallel)
    config = with_changes(data, {})
    if not config.evaluation.every or not config.pool():
        raise TuneError("evaluation.every, evaluation.baselines: a search needs both")
    space.check(data)
    drawn = space.draw(samples, seed)
    configs = [with_changes(data, changes) for changes in drawn]
    if (out / TRIALS).exists():
        raise TuneError(f"{out} holds a search: --out takes another folder")
    assert load(config.game).compiled  # once here, not in every trial
    processors = max(config.threads for config in configs)
    if objective == "exploit":
        processors = max(processors, int(RECIPE["threads"]))
    trials = [
        Trial(number, changes, policy_spec(out / TRIALS / f"{number:03}"))
        for number, changes in enumerate(drawn)
    ]
    job = {
        "configs": [config.model_dump() for config in configs],
        "target": entry_of(config.game).target,
        "out": str(out.resolve()),
        "objective": objective,
        "exploit_decisions": exploit_decisions,
    }
    side_by_side = max(2, parallel or 2)
    cpus = side_by_side * processors
    with folder_lock(out), connected(address, cpus, "ray.tune"):
        _run(job, trials, processors, grace, factor, parallel, objective, report)
    shutil.rmtree(out / "ray", ignore_errors=True)
    return Tuning(config.game, objective, space, seed, trials)


def _check_numbers(
    samples: int, exploit_decisions: int, grace: float, factor: float, parallel: int | None
) -> None:
    if samples < 1 or exploit_decisions < 1 or (parallel is not None and parallel < 1):
        raise TuneError("samples, exploit decisions, trials at a time: must be at least 1")
    if not 0.0 < grace <= 100.0:
        raise TuneError(f"grace={grace}: must be a percentage above 0")
    if not factor > 1.0:
        raise TuneError(f"factor={factor}: must be above 1")


def _run(
    job: dict[str, Any],
    trials: Sequence[Trial],
    processors: int,
    grace: float,
    factor: float,
    parallel: int | None,
    objective: Objective,
    report: Callable[[Trial], None],
) -> None:
    """Run all trials by Ray Tune, and note what comes of them."""
    from ray import tune as ray_tune
    from ray.tune.schedulers import ASHAScheduler

    trainable = ray_tune.with_resources(
        ray_tune.with_parameters(_train_trial, job=job), {"cpu": processors}
    )
    tuner = ray_tune.Tuner(
        trainable,
        param_space={"number": ray_tune.grid_search([trial.number for trial in trials])},
        tune_config=ray_tune.TuneConfig(
            metric="value",
            mode="min" if objective == "exploit" else "max",
            scheduler=ASHAScheduler(
                time_attr="percent", max_t=100, grace_period=grace, reduction_factor=factor
            ),
            max_concurrent_trials=parallel,
        ),
        run_config=ray_tune.RunConfig(
            name="search",
            storage_path=str(Path(job["out"]) / "ray"),
            failure_config=ray_tune.FailureConfig(max_failures=RETRIES),
            callbacks=[_follower(trials, report)],
            verbose=0,
        ),
    )
    for result in tuner.fit():
        if result.config is None:
            continue
        trial = trials[result.config["number"]]
        if result.error is not None:
            trial.state, trial.error = "failed", _why(result.error)
        elif trial.state == "interrupted" and result.metrics and result.metrics.get("done"):
            trial.state = "ended early"
        report(trial)


def _why(error: BaseException) -> str:
    """The last line of an error, which is that of the process in which it happened."""
    lines = str(getattr(error, "cause", None) or error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__


def _follower(followed: Sequence[Trial], report: Callable[[Trial], None]) -> Any:
    """Notes what each trial is worth, as Ray Tune receives it."""
    from ray import tune as ray_tune

    class Follower(ray_tune.Callback):  # type: ignore[misc]
        def on_trial_result(
            self, iteration: Any, trials: Any, trial: Any, result: Any, **info: Any
        ) -> None:
            one = followed[trial.config["number"]]
            point = Point(result["percent"], result["decisions"], result["value"])
            # One that goes on from a checkpoint reports some of them again.
            one.points = [old for old in one.points if old.percent < point.percent] + [point]
            if point.percent >= 100.0:
                one.state = "finished"
            report(one)

    return Follower()


# --- in the trials --------------------------------------------------------------------------------


def _train_trial(params: Mapping[str, Any], job: Mapping[str, Any]) -> None:
    """One trial, from its start or its last checkpoint to its end."""
    number = int(params["number"])
    known_game(job["configs"][number]["game"], job["target"])
    config = with_changes(job["configs"][number], {})
    folder = Path(job["out"]) / TRIALS / f"{number:03}"
    reporter = _Reporter(config, folder, job)
    resume = folder.is_dir() and last_checkpoint(folder) is not None
    outcome = train(
        config, folder, resume=resume, device="cpu", report=reporter.note, callbacks=[reporter]
    )
    reporter.report(outcome.status, 100.0, outcome.folder)


class _Reporter(BaseCallback):
    """Reports to Ray Tune what a training is worth, whenever that has been measured."""

    model: SelfPlay  # type: ignore[assignment]

    def __init__(self, config: TrainConfig, folder: Path, job: Mapping[str, Any]) -> None:
        super().__init__()
        self._config = config
        self._folder = folder
        self._job = job
        self._status = Status()
        self._reported = 0

    def note(self, status: Status) -> None:
        """Note how the training stands."""
        self._status = status

    def report(self, status: Status, percent: float, checkpoint: Path) -> None:
        """Report what a checkpoint is worth; the training continues if it may."""
        from ray import tune as ray_tune

        assert status.worst is not None
        value = status.worst.win.share / status.worst.par
        if self._job["objective"] == "exploit":
            value = exploitability(
                self._config, checkpoint, self._folder, self._job["exploit_decisions"]
            )
        ray_tune.report({"percent": percent, "decisions": status.steps, "value": value})

    def _on_step(self) -> bool:
        status = self._status
        # What is measured at the end is reported once there is a checkpoint of it.
        if status.measured > self._reported and status.progress < 1.0:
            self._reported = status.measured
            kept = self._folder / MEASURED
            checkpoint = save_checkpoint(kept, self.model, 0.0, kept=1)
            self.report(status, 100.0 * status.progress, checkpoint)
        return True


def exploitability(config: TrainConfig, checkpoint: Path, folder: Path, decisions: int) -> float:
    """What exploiters of a checkpoint win, in units of par; in the role in which that is most.

    Args:
        config: The configuration by which it was trained.
        checkpoint: Its folder.
        folder: Where the exploiters' runs are, until they are over.
        decisions: Budget of each exploiter.
    """
    game = load(config.game)
    options = config.table_options()[0]
    roles = sorted(set(game.seat_roles(game.options.resolve(options))))
    runs = folder / "exploit" / checkpoint.name
    values = []
    for role in roles:
        found = exploit(
            game,
            policy_spec(checkpoint),
            runs,
            decisions=decisions,
            role=game.roles[role],
            points=1,
            games=1,
            final_games=config.evaluation.games,
            seed=config.seed,
            device="cpu",
            options=options,
        )
        assert found is not None
        values.append(max(curve.share for curve in found.curves) / found.par)
    shutil.rmtree(runs)
    return max(values)
