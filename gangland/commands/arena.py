"""``gangland arena``: lets agents play each other and rates them."""

from __future__ import annotations

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
    from ..arena import ArenaResult


@click.command(name="arena")
@click.option("--game", default="chicago", show_default=True, help="The game.")
@click.option("--agents", help="Pool A,B,C from which line-ups are drawn evenly.")
@click.option("--table", help="One table A,B,B,B,B, played in all its rotations.")
@click.option(
    "--games",
    default=1000,
    show_default=True,
    help="Games to play; rounded up to full rotations.",
)
@game_options
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of deals and players.")
@workers_option()
@ray_option("Play")
@click.option("--json", "json_file", type=OutputFile(dash=True), help="Write JSON; - for stdout.")
@click.option("--csv", "csv_file", type=OutputFile(dash=True), help="Write CSV; - for stdout.")
@click.option("--plot", type=OutputFile(), help="Draw a picture, such as arena.png.")
@click.option("--replays", type=OutputFile(), help="Write every game as a replay.")
@click.option("--stats", is_flag=True, help="Also show how long the games were and how they ended.")
@click.option("--quiet", is_flag=True, help="Show neither progress nor tables.")
def command(
    game: str,
    agents: str | None,
    table: str | None,
    games: int,
    options: tuple[tuple[str, Any], ...],
    seed: int,
    workers: int | None,
    address: str | None,
    json_file: Path | None,
    csv_file: Path | None,
    plot: Path | None,
    replays: Path | None,
    stats: bool,
    quiet: bool,
) -> None:
    """Let agents play each other, and show win shares, ratings and who finishes ahead of whom.

    Agents are specs as `gangland agents` lists them. Give either a pool (--agents) or one table
    (--table). Every line-up is played in all rotations of its seats on the same deals; in games
    whose seats differ in kind, agents rotate within their role. Intervals count each deal once,
    because all games of a deal share its luck.
    """
    if (agents is None) == (table is None):
        raise click.UsageError("give either --agents A,B,C or --table A,B,B,B,B")
    if sum(str(path) == "-" for path in (json_file, csv_file)) > 1:
        raise click.UsageError("only one of --json and --csv can go to the standard output")
    if plot is not None:
        check_plot(plot)
    one_blas_thread()
    from ..arena import play_pool, play_table

    play = play_pool if table is None else play_table
    with opened_workers(workers, address) as players, game_progress(games, quiet) as progress:
        result = play(
            game,
            comma_list(agents if table is None else table),
            games,
            seed=seed,
            workers=players,
            replays=replays is not None,
            progress=progress,
            **dict(options),
        )
    _write(result, json_file, csv_file, plot, replays)
    if not quiet:
        _show(result, stats, on_stderr=Path("-") in (json_file, csv_file))


def _write(
    result: ArenaResult,
    json_file: Path | None,
    csv_file: Path | None,
    plot: Path | None,
    replays: Path | None,
) -> None:
    from ..arena import as_csv, as_json, save_plot

    if json_file is not None:
        write_text(json_file, as_json(result))
    if csv_file is not None:
        write_text(csv_file, as_csv(result))
    if plot is not None:
        save_plot(result, plot)
    if replays is not None:
        write_text(replays, "".join(replay.write() + "\n" for replay in result.records.replays))


def _show(result: ArenaResult, stats: bool, on_stderr: bool) -> None:
    from ..arena import as_tables

    shown = make_console(stderr=on_stderr)
    for table in as_tables(result, stats=stats):
        shown.print(table)
