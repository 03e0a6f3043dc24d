"""``gangland ladder``: a pool of agents, every one against every other."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from .arena import default_workers, game_progress
from .common import OutputFile, check_plot, comma_list, game_options, one_blas_thread, write_text


@click.command(name="ladder")
@click.argument("game")
@click.option("--add", multiple=True, metavar="SPEC", help="One more agent; may be repeated.")
@click.option("--pool", help="These agents A,B,C in place of the fixed pool.")
@click.option("--games", default=1000, show_default=True, help="Games of each cell of the matrix.")
@click.option(
    "--search-games",
    default=100,
    show_default=True,
    help="Games of a cell in which an agent searches, or is remote.",
)
@click.option("--mixed-games", default=5000, show_default=True, help="Games of mixed line-ups.")
@game_options
@click.option("--seed", default=0, show_default=True, help="Seed of line-ups, deals and players.")
@click.option(
    "--workers", type=int, help="Threads; the result is the same for any number. [default: cores]"
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep each cell in a folder once it is played: the same command goes on from there.",
)
@click.option("--json", "json_file", type=OutputFile(dash=True), help="Write JSON; - for stdout.")
@click.option("--page", type=OutputFile(), help="Write a page in Markdown.")
@click.option("--plot", type=OutputFile(), help="Draw the matrix, such as ladder.png.")
@click.option("--quiet", is_flag=True, help="No progress and no tables.")
def command(
    game: str,
    add: tuple[str, ...],
    pool: str | None,
    games: int,
    search_games: int,
    mixed_games: int,
    options: tuple[tuple[str, Any], ...],
    seed: int,
    workers: int | None,
    keep: Path | None,
    json_file: Path | None,
    page: Path | None,
    plot: Path | None,
    quiet: bool,
) -> None:
    """Rank a fixed pool of agents: one of each against a table of each other, and all mixed.

    The pool of GAME is random, its heuristics, a search with a fixed number of positions, and every
    bot that ships; --add takes any spec, an engine by cmd: included. What counts for an agent is
    its worst row, and how much a single opponent wins at a table full of it.
    """
    if plot is not None:
        check_plot(plot)
    one_blas_thread()
    from ..arena.ladder import as_json, as_page, as_tables, play_ladder, save_plot

    with game_progress(0, quiet) as progress:
        ladder = play_ladder(
            game,
            comma_list(pool) if pool else None,
            add,
            games=games,
            search_games=search_games,
            mixed_games=mixed_games,
            seed=seed,
            workers=default_workers() if workers is None else workers,
            progress=progress,
            kept=keep,
            **dict(options),
        )
    if json_file is not None:
        write_text(json_file, as_json(ladder))
    if plot is not None:
        save_plot(ladder, plot)
    if page is not None:
        write_text(page, as_page(ladder, _made_by(), plot.name if plot is not None else None))
    if not quiet:
        from rich.console import Console

        console = Console(stderr=str(json_file) == "-")
        for table in as_tables(ladder):
            console.print(table)


def _made_by() -> str:
    """The command line, without what does not change the figures."""
    words = click.get_current_context().params
    line = ["gangland", "ladder", words["game"]]
    for spec in words["add"]:
        line += ["--add", spec]
    if words["pool"]:
        line += ["--pool", words["pool"]]
    for name in ("games", "search_games", "mixed_games", "seed"):
        line += [f"--{name.replace('_', '-')}", str(words[name])]
    for key, value in words["options"]:
        line += ["--option", f"{key}={value}"]
    return shlex.join(line)
