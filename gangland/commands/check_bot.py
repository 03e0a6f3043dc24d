"""``gangland check-bot``: whether a bot keeps the rules that every table relies on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

import click

from .shared.common import SEED, Count, game_options
from .shared.terminal import echo, message

if TYPE_CHECKING:
    from ..envs.core.options import OptionValue

Options = tuple[tuple[str, "OptionValue"], ...]


@click.command(name="check-bot")
@click.argument("bot")
@click.option("--game", default="chicago", show_default=True, help="The game.")
@game_options
@click.option(
    "--games",
    type=Count(1),
    default=2,
    show_default=True,
    help="Games, played at random, in whose positions the bot decides.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of these games.")
def command(bot: str, game: str, options: Options, games: int, seed: int) -> None:
    """Check that BOT decides legally and repeatably, and speaks its protocol.

    BOT is a Python file, cmd:COMMAND for an engine in any language, a web address, or any other
    agent. Exits with code 1 if a check fails, and says what the bot did.
    """
    from ..agents.outside.checks import check_bot, positions
    from ..envs import load

    loaded = load(game)
    views = positions(loaded, games, seed, **dict(options))
    failed = 0
    with _interrupted_in(bot):
        for check in check_bot(bot, loaded, views):
            failed += bool(check.fault)
            echo(f"{'failed' if check.fault else 'ok':>6}  {check.name}")
            if check.fault:
                echo(f"        {message(check.fault)}")
    if failed:
        raise click.exceptions.Exit(1)


@contextmanager
def _interrupted_in(bot: str) -> Iterator[None]:
    """Says after Ctrl-C where a Python file was: it may never come back."""
    try:
        yield
    except KeyboardInterrupt as error:
        for place in reversed(extract_tb(error.__traceback__)):
            if Path(place.filename).resolve() == Path(bot).resolve():
                echo(f"interrupted at {bot}:{place.lineno}: {place.line}", err=True)
                break
        raise
