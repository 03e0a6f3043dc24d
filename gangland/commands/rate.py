"""``gangland rate``: a trained bot against its baselines, as at the end of its training."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .shared.common import Count, OutputFile, comma_list, need_torch, one_blas_thread, write_text
from .shared.terminal import echo, make_console


@click.command(name="rate")
@click.argument("checkpoint")
@click.option(
    "--games",
    type=Count(1),
    default=2000,
    show_default=True,
    help="Games for each row.",
)
@click.option(
    "--against", help="Agents A,B,C. [default: random, the game's heuristics and shipped bots]"
)
@click.option(
    "--workers",
    type=Count(1),
    default=1,
    show_default=True,
    help="Number of threads; the ratings are the same for any.",
)
@click.option(
    "--write", is_flag=True, help="Keep the ratings in the checkpoint, for `gangland agents`."
)
@click.option("--json", "json_file", type=OutputFile(dash=True), help="Write JSON; - for stdout.")
@click.option("--quiet", is_flag=True, help="Show no table.")
def command(
    checkpoint: str,
    games: int,
    against: str | None,
    workers: int,
    write: bool,
    json_file: Path | None,
    quiet: bool,
) -> None:
    """Play CHECKPOINT in one seat against tables of each agent.

    CHECKPOINT is a folder, or a shipped bot such as chicago. It plays every kind of table that it
    was trained for. A run rates its last checkpoint only; this command rates another one, such as
    the run's best/, or an older bot under today's rules.
    """
    need_torch()
    one_blas_thread()
    from ..agents.registry import policy_spec
    from ..agents.trained.policy import load_checkpoint
    from ..arena.ladder import small_pool
    from ..envs import load
    from ..training.checkpoint import add_ratings
    from ..training.config import parse
    from ..training.measure.final import as_ratings, as_table, rate_against_baselines, verdict

    found = load_checkpoint(checkpoint)
    game = load(found.model["game"])
    model = found.fitted(game).model
    # Of the checkpoint's own configuration nothing is used: it may be somebody else's.
    settings = parse(
        {
            "game": model["game"],
            "variants": model["options"] or None,
            "steps": 1,
            "evaluation": {
                "final_games": games,
                "baselines": comma_list(against) or small_pool(game),
            },
        }
    )
    spec = policy_spec(found.folder)
    rated = rate_against_baselines(
        settings, spec, workers, lambda row: None if quiet else echo(f"  {row}", err=True)
    )
    ratings = as_ratings(rated)
    if write:
        add_ratings(found.folder, ratings)
    if json_file is not None:
        write_text(json_file, json.dumps(ratings, indent=1) + "\n")
    if not quiet:
        shown = make_console(stderr=str(json_file) == "-")
        shown.print(as_table(rated, spec))
        shown.print(verdict(rated))
