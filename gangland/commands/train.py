"""``gangland train``: self-play training with live progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared.common import (
    INTERRUPTED,
    SEED,
    Count,
    Finite,
    Folder,
    need_torch,
    ray_option,
    set_option,
    shell_line,
)
from .shared.progress import training_progress
from .shared.terminal import echo, make_console

if TYPE_CHECKING:
    from ..training.config import TrainConfig
    from ..training.run import Outcome


@click.command("train")
@click.argument("config", required=False)
@click.option(
    "--out",
    type=Folder(),
    help="Folder of the run. [default: a new one, runs/CONFIG, runs/CONFIG-2, ...]",
)
@click.option(
    "--steps",
    type=Count(1),
    help="Length in decisions of learning seats, rounded up to whole rollouts.",
)
@click.option("--minutes", type=Finite(0, min_open=True), help="Length of the training in minutes.")
@click.option("--seed", type=SEED, help="Seed of all randomness.")
@set_option()
@click.option(
    "--resume",
    is_flag=True,
    help="Continue the run in --out, or the latest of CONFIG, as it was started.",
)
@click.option(
    "--quiet", is_flag=True, help="Print only errors and, at the end, the checkpoint's folder."
)
@click.option("--device", default="auto", show_default=True, help="cpu, cuda, or auto.")
@ray_option("Train")
@click.option(
    "--workers",
    type=Count(1),
    help="Processes that share the tables.  [default: 1; with --ray 2]",
)
@click.option(
    "--gpus-per-worker",
    type=Finite(0),
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
    config: str | None,
    out: Path | None,
    steps: int | None,
    minutes: float | None,
    seed: int | None,
    overrides: tuple[str, ...],
    resume: bool,
    quiet: bool,
    device: str,
    address: str | None,
    workers: int | None,
    gpus_per_worker: float,
    storage: str | None,
) -> None:
    """Train bots by self-play, then rate them against the baselines.

    CONFIG is a YAML file, the name of a shipped configuration, such as chicago, or the name of any
    other game, which is trained by the same recipe. --steps and --minutes override its length.
    Without --out, every run gets a new folder.

    Ctrl-C saves the run and exits with code 130; a second one does not wait for that. --resume
    continues it with the configuration that it was started with; what --steps, --minutes, --seed
    and --set change is listed.
    """
    need_torch()
    from ..agents.registry import policy_spec
    from ..training.config.files import keep_config
    from ..training.run import Status, check_device, train

    if config is None and (out is None or not resume):
        raise click.UsageError("CONFIG is missing; only --resume with --out does without")
    folder = out or _default_folder(Path("runs") / Path(config or "").stem, resume, quiet)
    policy_spec(folder)  # a name that no spec can hold is refused before anything is trained
    overrides = (*_lengths(steps, minutes), *_seed(seed), *overrides)
    values, settings, changes = _settings(config, folder, overrides, resume)
    kept: list[bool] = []
    if address is None:
        check_device(device)  # of a cluster, its machines do
    with training_progress(f"training {settings.game}", quiet) as display:

        def report(status: Status) -> None:
            # Not before: what a run refuses must not replace what it was started with.
            if not kept:
                keep_config(folder, values)
                kept.append(True)
                if changes and not quiet:
                    echo("\n  ".join([f"Resuming {folder} with changes:", *changes]), err=True)
                if address is None and not quiet:
                    _compare_cores(settings.threads * (workers or 1), device)
            display.report(status)

        if address is None:
            outcome = train(
                settings, folder, workers=workers or 1, resume=resume, device=device, report=report
            )
        else:
            from ..training.cluster import train_on_ray

            outcome = train_on_ray(
                settings,
                folder,
                address=address,
                workers=workers or 2,
                gpus_per_worker=gpus_per_worker,
                storage=storage,
                resume=resume,
                report=report,
            )
    if not outcome.finished:
        echo(f"Interrupted; saved to {outcome.folder}. Continue with:")
        echo(f"  {_continuing(config, folder)}")
        sys.exit(INTERRUPTED)
    _conclude(settings, folder, outcome, quiet)


def _settings(
    config: str | None, folder: Path, overrides: Sequence[str], resume: bool
) -> tuple[dict[str, Any], TrainConfig, list[str]]:
    """A configuration's plain values, its settings, and what differs from the run's own.

    A run that is resumed has those that it was started with, kept in its folder.
    """
    from ..training.config import ConfigError, load_config, parse, read_config
    from ..training.config.files import changed_keys, kept_config

    kept = kept_config(folder) if resume else None
    name = str(kept or config)
    if kept is None and config is None:
        lacks = "keeps no configuration" if folder.is_dir() else "does not exist"
        raise ConfigError(f"{folder} {lacks}: name the one it was started with")
    values = read_config(name, overrides)
    settings = parse(values, name)
    changes: list[str] = []
    if kept is not None:
        before = load_config(name)
        if config is not None and (other := load_config(config).game) != before.game:
            raise ConfigError(
                f"{folder} is a training of {before.game}, {config} is one of {other}"
            )
        changes = list(changed_keys(before, settings))
    return values, settings, changes


def _continuing(config: str | None, folder: Path) -> str:
    """The command that continues an interrupted run where and how it ran."""
    own = {"out", "resume", "steps", "minutes", "seed", "overrides", "config"}
    context = click.get_current_context()
    words = ["gangland", "train", *([config] if config else []), "--out", str(folder), "--resume"]
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE
        if name in own or not given:
            continue
        value = context.params[name]
        if value is True:
            words.append(option.opts[0])
            continue
        for one in value if isinstance(value, tuple) else [value]:
            words += [option.opts[0], str(one)]
    return shell_line(*words)


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


def _compare_cores(threads: int, device: str) -> None:
    """Say what would use a CPU better; a GPU needs twice as many threads as there are cores."""
    from stable_baselines3.common.utils import get_device

    from ..arena.workers.base import cores

    if get_device(device).type != "cpu":
        return
    if threads > cores():
        echo(f"threads: {threads}, cores: {cores()}; fewer threads would be faster", err=True)
    elif threads <= cores() // 2:
        hint = f"--workers {cores()} --set threads=1 uses them all"
        echo(f"threads: {threads}, cores: {cores()}; {hint}", err=True)


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
    others = ",".join(settings.pool() or ["random"])
    game = ["--game", settings.game]
    for key, value in settings.options[0].items():
        game += ["--option", f"{key}={value}"]
    echo(f"  {shell_line('gangland', 'play', *game, '--bots', spec)}")
    echo(f"  {shell_line('gangland', 'arena', *game, '--agents', f'{spec},{others}')}")
    _mention_best(folder)


def _mention_best(folder: Path) -> None:
    """Say which checkpoint is kept as the best, and what its worst row was."""
    from ..agents.registry import policy_spec
    from ..training.run import BEST, NOTE

    note = folder / BEST / NOTE
    if note.is_file():
        kept = json.loads(note.read_text(encoding="utf-8"))
        echo(
            f"Kept, as the latest whose worst row equals the best within its interval: "
            f"{policy_spec(folder / BEST)}, {kept['worst_row']:.0%} against {kept['against']} "
            f"after {kept['steps']:,} decisions"
        )


def _rate(settings: TrainConfig, out: Path, outcome: Outcome, quiet: bool) -> None:
    from ..agents.registry import policy_spec
    from ..arena.workers.base import cores
    from ..training.checkpoint import add_results
    from ..training.folders import folder_lock
    from ..training.measure.final import as_ratings, as_table, rate_against_baselines, verdict

    spec = policy_spec(out)
    if not quiet:
        echo(f"rating it over {settings.evaluation.final_games:,} games ...", err=True)
    # A resumed training would remove the checkpoint meanwhile.
    with folder_lock(out):
        rated = rate_against_baselines(
            settings,
            spec,
            cores(),
            lambda row: None if quiet else echo(f"  {row}", err=True),
        )
        add_results(outcome.folder, ratings=as_ratings(rated))
    if not quiet:
        make_console().print(as_table(rated, spec))
        echo(verdict(rated))
