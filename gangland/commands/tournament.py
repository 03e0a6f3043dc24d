"""``gangland tournament``: all bots of a folder play each other."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared.common import (
    SEED,
    Folder,
    comma_list,
    game_options,
    one_blas_thread,
    opened_workers,
    ray_option,
    workers_option,
    write_text,
    written,
)
from .shared.progress import live_table
from .shared.terminal import echo, make_console

if TYPE_CHECKING:
    from ..arena.folder import FolderResult
    from ..envs.core.game import Game

REPORT, GAMES, KEPT = "report.html", "games.jsonl", "kept"
"""What is written into the folder of results."""


@click.command(name="tournament")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--game", "name", default="chicago", show_default=True, help="The game.")
@click.option("--with", "also", metavar="A,B", help="Further agents, such as heuristic,random.")
@click.option(
    "--games",
    default=1000,
    show_default=True,
    help="Games to play; rounded up so that all bots play equally often.",
)
@game_options
@click.option(
    "--seed", type=SEED, default=0, show_default=True, help="Seed of line-ups, deals and players."
)
@workers_option()
@ray_option("Play")
@click.option(
    "--out",
    type=Folder(),
    help=f"Folder for {REPORT}, {GAMES} and what is needed to continue.  [default: DIR/tournament]",
)
@click.option("--quiet", is_flag=True, help="Show neither progress nor tables.")
def command(
    folder: Path,
    name: str,
    also: str | None,
    games: int,
    options: tuple[tuple[str, Any], ...],
    seed: int,
    workers: int | None,
    address: str | None,
    out: Path | None,
    quiet: bool,
) -> None:
    """Let all bots in the folder DIR play each other, and write a report with standings.

    A bot is a Python file with a function act(view), as `gangland new-bot` writes it, or a folder
    with a trained model. Every bot plays equally often in every seat, in mixed line-ups that are
    played in all rotations on the same deals. With fewer bots than seats, a bot sits in several
    seats; add others by --with. Names that begin with a dot or an underscore are left out.

    A decision that fails is made at random, and the bot has forfeited that game: it is last in it.
    A bot that cannot be loaded does not take part. The report names file and line.

    After an interruption the same command continues; so does one with more --games. An edited bot
    plays again.
    """
    one_blas_thread()
    from ..arena.folder import find_entrants, play_folder
    from ..envs import load

    game = load(name)
    field = find_entrants(folder, game, comma_list(also))
    place = _made(folder / "tournament" if out is None else out)
    for why in field.refused.values():
        echo(f"does not take part: {why}", err=True)
    with (
        _continued(),
        opened_workers(workers, address) as players,
        live_table(quiet) as live,
    ):
        result = play_folder(
            game,
            field,
            games,
            seed=seed,
            workers=players,
            progress=None if live is None else live.finished,
            on_round=None if live is None else live.show_standings,
            kept=place / KEPT,
            **dict(options),
        )
    _write(result, game, folder, place)
    if not quiet:
        _show(result, place)


@contextmanager
def _continued() -> Iterator[None]:
    """Says after Ctrl-C how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        echo("The same command continues from here.", err=True)
        raise


def _made(place: Path) -> Path:
    with written(place):
        place.mkdir(parents=True, exist_ok=True)
    return place


def _write(result: FolderResult, game: Game, folder: Path, place: Path) -> None:
    from ..arena.folder import as_html, decisive_moments
    from ..arena.folder.moments import judge_of

    replays = result.played.replays
    write_text(place / GAMES, "".join(replay.write() + "\n" for replay in replays))
    judge = judge_of(game)
    page = as_html(
        result,
        game,
        decisive_moments(result, game, judge),
        title=folder.resolve().name,
        command=_command_line(),
        replays=str(place / GAMES),
        judge=None if judge is None else judge.spec,
    )
    write_text(place / REPORT, page)


def _show(result: FolderResult, place: Path) -> None:
    from ..arena.folder import as_tables

    shown = make_console()
    for table in as_tables(result):
        shown.print(table)
    echo(f"{place / REPORT} has the standings, the faults and the decisive moments")


def _command_line() -> str:
    """The command line, without what does not change the results."""
    words = click.get_current_context().params
    line = ["gangland", "tournament", str(words["folder"]), "--game", words["name"]]
    if words["also"]:
        line += ["--with", words["also"]]
    for name in ("games", "seed"):
        line += [f"--{name}", str(words[name])]
    for key, value in words["options"]:
        line += ["--option", f"{key}={value}"]
    return shlex.join(line)
