"""The options that ``gangland serve`` and ``gangland serve-bots`` share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from .common import Finite

SHORTEST_TOKEN = 16


class Offer(click.ParamType):  # type: ignore[type-arg]
    """``GAME=SPEC``: a bot to offer, as game and spec."""

    name = "GAME=SPEC"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split at the first equals sign; the registry checks game and spec."""
        if isinstance(value, tuple):
            return value
        game, equals, spec = str(value).partition("=")
        if not game or not equals or not spec:
            self.fail(f"{value!r} must be GAME=SPEC", param, ctx)
        return game.strip(), spec.strip()


def check_token(_context: click.Context, _parameter: click.Parameter, token: str) -> str:
    """The operator's token, if it is long enough."""
    usable = token.isascii() and token.isprintable()
    if token and (len(token) < SHORTEST_TOKEN or not usable):
        raise click.BadParameter(
            f"must have at least {SHORTEST_TOKEN} characters, all of them ASCII"
        )
    return token


def server_options(*, rate: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: games, address, bots, limits per address, the operator's token.

    Args:
        rate: Default number of requests per second from one address; 0 for no limit.
    """
    options = [
        click.option(
            "--game",
            "games",
            multiple=True,
            help="Serve this game; may be repeated. [default: all]",
        ),
        click.option(
            "--host", default="127.0.0.1", show_default=True, help="Address to listen on."
        ),
        click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535)),
        click.option(
            "--checkpoints",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="Folder of checkpoints to offer besides the package's bots.",
        ),
        click.option(
            "--bot",
            "bots",
            type=Offer(),
            multiple=True,
            help="Offer this agent as well; may be repeated. Clients can only name offered agents.",
        ),
        click.option(
            "--rate",
            default=rate,
            show_default=True,
            type=Finite(0),
            help="Requests per second from one address; 0 for no limit.",
        ),
        click.option(
            "--allow-host",
            "hosts",
            multiple=True,
            metavar="NAME",
            help="Host name to answer to, such as play.example.org or *.example.org; may be "
            "repeated. IP addresses and this machine's own names are always accepted; * accepts "
            "every name.",
        ),
        click.option(
            "--metrics-token",
            default="",
            envvar="GANGLAND_METRICS_TOKEN",
            metavar="TOKEN",
            callback=check_token,
            help="Show /metrics to whoever sends this token; better set as GANGLAND_METRICS_TOKEN, "
            "since command lines are public on a machine. Nobody may see them by default.",
        ),
    ]

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add
