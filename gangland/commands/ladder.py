"""``gangland ladder``: a pool of agents, each against every other."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared.common import (
    SEED,
    OutputFile,
    check_plot,
    comma_list,
    game_options,
    one_blas_thread,
    opened_workers,
    ray_option,
    workers_option,
    write_text,
)
from .shared.progress import game_progress
from .shared.terminal import make_console

if TYPE_CHECKING:
    from ..arena.ladder import Ladder


@click.command(name="ladder")
@click.argument("game")
@click.option(
    "--add", multiple=True, metavar="SPEC", help="Add this agent to the pool; may be repeated."
)
@click.option("--pool", help="Use the agents A,B,C instead of the fixed pool.")
@click.option("--games", default=1000, show_default=True, help="Games for each cell of the matrix.")
@click.option(
    "--search-games",
    default=100,
    show_default=True,
    help="Games for a cell with an agent that searches or is remote.",
)
@click.option(
    "--search-meets",
    metavar="A,B",
    help="Play cells with an agent that searches only against these.  [default: all]",
)
@click.option("--mixed-games", default=5000, show_default=True, help="Games in mixed line-ups.")
@game_options
@click.option(
    "--seed", type=SEED, default=0, show_default=True, help="Seed of line-ups, deals and players."
)
@workers_option()
@ray_option("Play")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Save each finished cell in this folder; the same command then continues from there.",
)
@click.option(
    "--known",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Take over the cells of an earlier ladder's JSON file, which must have the same rules, "
    "options, seed and numbers of games. What has changed since is played.",
)
@click.option("--json", "json_file", type=OutputFile(dash=True), help="Write JSON; - for stdout.")
@click.option("--page", type=OutputFile(), help="Write a page in Markdown.")
@click.option("--plot", type=OutputFile(), help="Draw the matrix, such as ladder.png.")
@click.option("--quiet", is_flag=True, help="Show neither progress nor tables.")
def command(
    game: str,
    add: tuple[str, ...],
    pool: str | None,
    games: int,
    search_games: int,
    search_meets: str | None,
    mixed_games: int,
    options: tuple[tuple[str, Any], ...],
    seed: int,
    workers: int | None,
    address: str | None,
    keep: Path | None,
    known: Path | None,
    json_file: Path | None,
    page: Path | None,
    plot: Path | None,
    quiet: bool,
) -> None:
    """Rank a fixed pool of agents: each against tables of every other, and in mixed line-ups.

    The pool of GAME consists of random, its heuristics, a search with a fixed number of positions,
    and every bot that ships; --add takes any spec, including an engine (cmd:...). An agent is
    judged by its worst row, and by how much a single opponent wins at a table full of it.
    """
    if plot is not None:
        check_plot(plot)
    one_blas_thread()
    from ..arena.ladder import as_json, as_page, as_tables, play_ladder, save_plot

    earlier = None if known is None else _known(known)
    with opened_workers(workers, address) as players, game_progress(0, quiet) as progress:
        ladder = play_ladder(
            game,
            comma_list(pool) if pool else None,
            add,
            games=games,
            search_games=search_games,
            mixed_games=mixed_games,
            search_meets=comma_list(search_meets) if search_meets else None,
            seed=seed,
            workers=players,
            progress=progress,
            kept=keep,
            known=earlier,
            **dict(options),
        )
    if json_file is not None:
        write_text(json_file, as_json(ladder))
    if plot is not None:
        save_plot(ladder, plot)
    if page is not None:
        write_text(page, as_page(ladder, _made_by(), plot.name if plot is not None else None))
    if not quiet:
        shown = make_console(stderr=str(json_file) == "-")
        for table in as_tables(ladder):
            shown.print(table)


def _known(file: Path) -> Ladder:
    from ..arena.ladder import read
    from ..arena.tournament import ArenaError

    try:
        return read(json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, ArenaError) as error:
        raise ArenaError(f"--known {file}: not the JSON of a ladder: {error}") from None


def _made_by() -> str:
    """The command line, without what does not change the results."""
    words = click.get_current_context().params
    line = ["gangland", "ladder", words["game"]]
    for spec in words["add"]:
        line += ["--add", spec]
    if words["pool"]:
        line += ["--pool", words["pool"]]
    if words["search_meets"]:
        line += ["--search-meets", words["search_meets"]]
    for name in ("games", "search_games", "mixed_games", "seed"):
        line += [f"--{name.replace('_', '-')}", str(words[name])]
    for key, value in words["options"]:
        line += ["--option", f"{key}={value}"]
    return shlex.join(line)
