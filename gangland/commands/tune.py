"""``gangland tune``: searches for good hyper-parameters."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared.common import (
    INTERRUPTED,
    SEED,
    Count,
    Finite,
    Folder,
    OutputFile,
    check_plot,
    need_torch,
    ray_option,
    set_option,
    write_text,
)
from .shared.terminal import echo, make_console

if TYPE_CHECKING:
    from ..training.tuning import Trial, Tuning


@click.command("tune")
@click.argument("config")
@click.option(
    "--space",
    "space_file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="YAML file of keys and how they are drawn, such as "
    "ppo.learning_rate: {loguniform: [1e-4, 1e-2]}.",
)
@click.option(
    "--samples",
    type=click.IntRange(1, 10_000),
    default=16,
    show_default=True,
    help="Number of trials.",
)
@click.option(
    "--objective",
    type=click.Choice(["worst", "exploit"]),
    default="worst",
    show_default=True,
    help="What a trial is judged by: its worst row against the configuration's pool, or what "
    "exploiters win against it.",
)
@click.option(
    "--exploit-decisions",
    type=Count(1),
    default=500_000,
    show_default=True,
    help="With --objective exploit: budget of each exploiter, in its own decisions.",
)
@set_option("in all trials")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the values drawn.")
@click.option(
    "--grace",
    type=Finite(0, 100, min_open=True),
    default=10.0,
    show_default=True,
    help="Percentage of its training that every trial gets; 100 to end no trial early.",
)
@click.option(
    "--factor",
    type=Finite(1, min_open=True),
    default=3.0,
    show_default=True,
    help="At each step of the selection, one in this many trials continues.",
)
@click.option(
    "--parallel",
    type=Count(1),
    help="Maximum number of trials at the same time. [default: as many as there are processors "
    "for, at least two without a cluster]",
)
@ray_option("Train")
@click.option("--out", type=Folder(), help="Folder. [default: runs/tune/CONFIG]")
@click.option("--json", "json_file", type=OutputFile(dash=True), help="Write JSON; - for stdout.")
@click.option("--plot", type=OutputFile(), help="Draw a picture, such as tune.png.")
@click.option("--quiet", is_flag=True, help="Show neither progress nor tables.")
def command(
    config: str,
    space_file: Path,
    samples: int,
    objective: Any,
    exploit_decisions: int,
    overrides: tuple[str, ...],
    seed: int,
    grace: float,
    factor: float,
    parallel: int | None,
    address: str | None,
    out: Path | None,
    json_file: Path | None,
    plot: Path | None,
    quiet: bool,
) -> None:
    """Train with different hyper-parameters side by side, and show which do best.

    CONFIG is what `gangland train` takes. Each trial draws a value for every key of the space;
    trials that do worse than others at the same point are ended early (ASHA). Without --ray, they
    share this machine. Each trial is a training in OUT/trials, whose bot can be played.
    """
    if plot is not None:
        check_plot(plot)
    need_torch()
    from ..training.config import parse, read_config
    from ..training.tuning import as_json, as_table, read_space, save_plot, tune

    values = read_config(config, overrides)
    parse(values, config)
    found = tune(
        values,
        read_space(space_file),
        out or Path("runs") / "tune" / Path(config).stem,
        samples=samples,
        seed=seed,
        objective=objective,
        exploit_decisions=exploit_decisions,
        grace=grace,
        factor=factor,
        address=address or "local",
        parallel=parallel,
        report=(lambda trial: None) if quiet else _tell,
    )
    if json_file is not None:
        write_text(json_file, as_json(found))
    if plot is not None:
        save_plot(found, plot)
    if not quiet:
        shown = make_console(stderr=str(json_file) == "-")
        shown.print(as_table(found))
        shown.print(f"The best bot is {found.ranked[0].spec}", highlight=False)
    _end(found)


def _tell(trial: Trial) -> None:
    """A line for each measurement."""
    if trial.error:
        from ..envs.core.foreign_text import printable

        echo(f"trial {trial.number} failed: {printable(str(trial.error))}", err=True)
    elif trial.points:
        last = trial.points[-1]
        echo(f"trial {trial.number}: {last.value:.3f} at {last.percent:.0f} %", err=True)


def _end(found: Tuning) -> None:
    """Exit with the code that says how it went."""
    states = [trial.state for trial in found.trials]
    if "interrupted" in states:
        echo("Interrupted; the trials so far are in the table.", err=True)
        sys.exit(INTERRUPTED)
    if all(state == "failed" for state in states):
        sys.exit(1)
