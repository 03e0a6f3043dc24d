"""``gangland rate``: a trained bot against its baselines, as at the end of its training, or the
levels of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared.common import Count, OutputFile, comma_list, need_torch, one_blas_thread, write_text
from .shared.terminal import echo, make_console

if TYPE_CHECKING:
    from ..agents.trained.policy import Checkpoint
    from ..training.measure.final import Rated


@click.command(name="rate")
@click.argument("checkpoint")
@click.option(
    "--games",
    type=Count(1),
    help="Games for each row. [default: 2000; 1000 with --levels]",
)
@click.option(
    "--against", help="Agents A,B,C. [default: random, the game's heuristics and shipped bots]"
)
@click.option(
    "--levels",
    is_flag=True,
    help="Find the bot's easier levels, and play each against the next lower one instead.",
)
@click.option(
    "--workers",
    type=Count(1),
    default=1,
    show_default=True,
    help="Number of threads; the ratings are the same for any.",
)
@click.option(
    "--write", is_flag=True, help="Keep the results in the checkpoint, for `gangland agents`."
)
@click.option("--json", "json_file", type=OutputFile(dash=True), help="Write JSON; - for stdout.")
@click.option("--quiet", is_flag=True, help="Show no table.")
def command(
    checkpoint: str,
    games: int | None,
    against: str | None,
    levels: bool,
    workers: int,
    write: bool,
    json_file: Path | None,
    quiet: bool,
) -> None:
    """Play CHECKPOINT in one seat against tables of each agent.

    CHECKPOINT is a folder, or a shipped bot such as chicago. It plays every kind of table that it
    was trained for. A run rates its last checkpoint only; this command rates another one, such as
    the run's best/, or an older bot under today's rules.

    With --levels it finds the temperatures of bot:medium and bot:easy below the bot as it is, in
    400 games for each that it tries.
    """
    if levels and against is not None:
        raise click.UsageError("--against: must not be given with --levels")
    need_torch()
    one_blas_thread()
    from ..agents.registry import policy_spec
    from ..agents.trained.policy import load_checkpoint
    from ..envs import load
    from ..training.checkpoint import add_results
    from ..training.measure.final import as_ratings, as_table, verdict
    from ..training.measure.levels import REPORTED_GAMES, as_levels, measure_levels

    found = load_checkpoint(checkpoint)
    game = load(found.model["game"])
    spec = policy_spec(found.fitted(game).folder)

    def report(row: str) -> None:
        if not quiet:
            echo(f"  {row}", err=True)

    results: dict[str, Any]
    if levels:
        measured = measure_levels(game, found, games or REPORTED_GAMES, workers, report)
        results = {"levels": as_levels(measured)}
        tables = [as_table(level.rows, f"bot:{level.name}") for level in reversed(measured)]
        words = ""
    else:
        rated = _rated(found, spec, games or 2000, against, workers, report)
        results = {"ratings": as_ratings(rated)}
        tables, words = [as_table(rated, spec)], verdict(rated)
    if write:
        add_results(found.folder, **results)
    if json_file is not None:
        (kept,) = results.values()
        write_text(json_file, json.dumps(kept, indent=1) + "\n")
    if not quiet:
        shown = make_console(stderr=str(json_file) == "-")
        for table in tables:
            shown.print(table)
        if words:
            shown.print(words)


def _rated(
    bot: Checkpoint,
    spec: str,
    games: int,
    against: str | None,
    workers: int,
    report: Callable[[str], None],
) -> list[Rated]:
    from ..arena.ladder import small_pool
    from ..envs import load
    from ..training.config import parse
    from ..training.measure.final import rate_against_baselines

    # Of the checkpoint's own configuration nothing is used: it may be somebody else's.
    settings = parse(
        {
            "game": bot.model["game"],
            "options": bot.model["options"] or {},
            "steps": 1,
            "evaluation": {
                "final_games": games,
                "baselines": comma_list(against) or small_pool(load(bot.model["game"])),
            },
        }
    )
    return rate_against_baselines(settings, spec, workers, report)
