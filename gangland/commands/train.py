"""``gangland train``: self-play training with live progress."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared.common import INTERRUPTED, need_torch, ray_option, set_option
from .shared.progress import training_progress
from .shared.terminal import echo, make_console

if TYPE_CHECKING:
    from ..training.config import TrainConfig
    from ..training.run import Outcome


@click.command("train")
@click.argument("config")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of the run. [default: a new one, runs/CONFIG, runs/CONFIG-2, ...]",
)
@click.option(
    "--steps", type=click.IntRange(1), help="Length of the training in decisions of learning seats."
)
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True), help="Length of the training in minutes."
)
@click.option("--seed", type=click.IntRange(0), help="Seed of all randomness.")
@set_option()
@click.option("--resume", is_flag=True, help="Continue the run in --out, or the latest one.")
@click.option(
    "--quiet", is_flag=True, help="Print only errors and, at the end, the checkpoint's folder."
)
@click.option("--device", default="auto", show_default=True, help="cpu, cuda, or auto.")
@click.option(
    "--track",
    type=click.Choice(["wandb", "mlflow"]),
    multiple=True,
    help="Log to Weights & Biases or MLflow as well; may be repeated.",
)
@ray_option("Train")
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="With --ray: processes that share the tables.",
)
@click.option(
    "--gpus-per-worker",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    help="With --ray: GPUs for each.",
)
@click.option(
    "--storage",
    metavar="URL",
    help="With --ray: where checkpoints are kept for restarts, a folder or URL that all nodes "
    "reach. [default: a folder in --out]",
)
def command(
    config: str,
    out: Path | None,
    steps: int | None,
    minutes: float | None,
    seed: int | None,
    overrides: tuple[str, ...],
    resume: bool,
    quiet: bool,
    device: str,
    track: tuple[str, ...],
    address: str | None,
    workers: int,
    gpus_per_worker: float,
    storage: str | None,
) -> None:
    """Train bots by self-play, then rate them against the baselines.

    CONFIG is a YAML file, the name of a shipped configuration, such as chicago, or the name of any
    other game, which is then trained with the defaults. --steps and --minutes override its length.
    A configuration that comes after another one has that trained first, in a folder of the run.
    Ctrl-C saves the run and exits with code 130; --resume continues it. Without --out, every run
    gets a new folder.
    """
    need_torch()
    from ..training.config_files import load_config
    from ..training.run import train
    from ..training.stages import stages_of, train_stages

    if track and address is not None:
        raise click.UsageError("--track does not go with --ray: the cluster keeps its own log")
    settings = load_config(config, [*_lengths(steps, minutes), *_seed(seed), *overrides])
    stages = stages_of(config, settings)
    folder = out or _default_folder(Path("runs") / Path(config).stem, resume, quiet)

    def train_one(name: str, stage: TrainConfig, at: Path, go_on: bool) -> Outcome:
        title = f"training {stage.game}" if len(stages) == 1 else f"training {name}"
        with training_progress(title, quiet) as display:
            if address is None:
                return train(
                    stage, at, resume=go_on, device=device, track=track, report=display.report
                )
            from ..training.cluster import train_on_ray

            return train_on_ray(
                stage,
                at,
                address=address,
                workers=workers,
                gpus_per_worker=gpus_per_worker,
                storage=storage,
                resume=go_on,
                report=display.report,
            )

    outcome = train_stages(stages, folder, train_one, resume=resume)
    if not outcome.finished:
        echo(f"Interrupted; saved to {outcome.folder}. Continue with:")
        echo(f"  gangland train {config} --out {folder} --resume")
        sys.exit(INTERRUPTED)
    _conclude(settings, folder, outcome, quiet)


def _default_folder(first: Path, resume: bool, quiet: bool) -> Path:
    """``runs/CONFIG``, ``runs/CONFIG-2`` and so on: the latest that exists, or a new one."""
    latest, following, number = first, first, 1
    while following.exists():
        number += 1
        latest, following = following, first.with_name(f"{first.name}-{number}")
    if resume:
        return latest
    if number > 1 and not quiet:
        echo(f"{latest} holds an earlier training; this one goes to {following}.")
    return following


def _lengths(steps: int | None, minutes: float | None) -> list[str]:
    """A length on the command line replaces the configuration's, of either kind."""
    if steps is None and minutes is None:
        return []
    return [f"steps={'null' if steps is None else steps}", f"minutes={minutes or 'null'}"]


def _seed(seed: int | None) -> list[str]:
    return [] if seed is None else [f"seed={seed}"]


def _conclude(settings: TrainConfig, folder: Path, outcome: Outcome, quiet: bool) -> None:
    from ..agents.registry import policy_spec

    spec = policy_spec(folder)
    if settings.evaluation.final_games and settings.pool():
        _rate(settings, folder, outcome, quiet)
    if quiet:
        echo(str(outcome.folder))
        return
    echo(f"\nThe bot is {spec}. Play against it, or rate it further:")
    echo(f"  gangland play --game {settings.game} --bots {spec}")
    others = ",".join(settings.pool() or ["random"])
    echo(f"  gangland arena --game {settings.game} --agents {spec},{others}")
    _mention_best(folder)


def _mention_best(folder: Path) -> None:
    """Say where the checkpoint with the best worst row is, and what that row was."""
    from ..agents.registry import policy_spec
    from ..training.run import BEST, NOTE

    note = folder / BEST / NOTE
    if note.is_file():
        kept = json.loads(note.read_text(encoding="utf-8"))
        echo(
            f"The best worst row during training was {kept['worst_row']:.0%} against "
            f"{kept['against']}, after {kept['steps']:,} decisions: {policy_spec(folder / BEST)}"
        )


def _rate(settings: TrainConfig, out: Path, outcome: Outcome, quiet: bool) -> None:
    from ..agents.registry import policy_spec
    from ..training.checkpoint import add_ratings
    from ..training.folder_lock import folder_lock
    from ..training.measure.final import as_ratings, as_table, rate_against_baselines, verdict

    spec = policy_spec(out)
    if not quiet:
        echo(f"rating it over {settings.evaluation.final_games:,} games ...", err=True)
    # A resumed training would remove the checkpoint meanwhile.
    with folder_lock(out):
        rated = rate_against_baselines(settings, spec, settings.threads)
        add_ratings(outcome.folder, as_ratings(rated))
    if not quiet:
        make_console().print(as_table(rated, spec))
        echo(verdict(rated))
