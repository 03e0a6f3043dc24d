"""``gangland check-client``: whether a client copes with what servers and networks do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared.common import Finite, game_options, needs_extra
from .shared.terminal import echo, message

if TYPE_CHECKING:
    from ..envs.core.options import OptionValue

Options = tuple[tuple[str, "OptionValue"], ...]


@click.command(name="check-client")
@click.argument("program", nargs=-1, metavar="[-- COMMAND ...]")
@click.option("--game", default="chicago", show_default=True, help="The game.")
@game_options
@click.option(
    "--seed",
    type=click.IntRange(0, 2**53 - 1),
    default=0,
    show_default=True,
    help="Seed of the match.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of the server. By default a free one.",
)
@click.option(
    "--cors",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Web origin of a client in a browser; may be repeated. None by default.",
)
@click.option(
    "--seconds",
    type=Finite(0, min_open=True),
    default=600.0,
    show_default=True,
    help="Time for the match.",
)
def command(
    program: tuple[str, ...],
    game: str,
    options: Options,
    seed: int,
    port: int,
    origins: tuple[str, ...],
    seconds: float,
) -> None:
    """Check that a client of `gangland serve` plays a match through all that may go wrong.

    A server with one match starts here. It refuses reads, cuts connections and delays answers.
    COMMAND is the client; it finds the server, the match and its seat's token in the environment
    as GANGLAND, GANGLAND_MATCH, GANGLAND_SEAT and GANGLAND_TOKEN. Without COMMAND these are
    printed, and the match waits for a client. Exits with code 1 if a check fails, and says what
    the client did.
    """
    with needs_extra("serve", "serving"):
        from ..serving.doors.check.run import Trial, check_client

    def announce(variables: dict[str, str]) -> None:
        if not program:
            echo("\n".join(f"{name}={value}" for name, value in variables.items()))

    trial = Trial(game, dict(options), seed, port, origins, seconds, program)
    failed = 0
    for check in check_client(trial, announce):
        failed += bool(check.fault)
        outcome = "failed" if check.fault else "ok" if check.seen else "not seen"
        echo(f"{outcome:>8}  {check.name}")
        if check.fault:
            echo(f"          {message(check.fault)}")
    if failed:
        raise click.exceptions.Exit(1)
