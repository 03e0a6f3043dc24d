"""``gangland serve``: the server."""

from __future__ import annotations

from pathlib import Path

import click

from .common import one_blas_thread


@click.command(name="serve")
@click.option(
    "--game", "games", multiple=True, help="Serve this game; may be repeated. [default: all]"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--db",
    "database",
    default="gangland.db",
    show_default=True,
    help="SQLite file for the matches, or the SQLAlchemy URL of another database.",
)
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 256),
    help="Server processes behind the address; more than one needs a PostgreSQL database.",
)
@click.option(
    "--checkpoints",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of checkpoints to offer besides the package's bots.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="GAME=SPEC",
    help="Offer this agent as well; may be repeated. Clients can only name offered agents.",
)
@click.option(
    "--cors",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Web origin whose pages may call the server; may be repeated. None by default.",
)
@click.option(
    "--rate",
    default=100.0,
    show_default=True,
    type=click.FloatRange(0),
    help="Requests per second from one address; 0 for no limit.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Host name to answer to, such as play.example.org or *.example.org; may be repeated. IP "
    "addresses and this machine's own names are always accepted; * accepts every name.",
)
@click.option(
    "--trust-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="Trust the X-Forwarded-For header of a proxy at this address; may be repeated. "
    "None by default.",
)
@click.option(
    "--connections-each",
    default=256,
    show_default=True,
    type=click.IntRange(0),
    help="Open connections per address, WebSockets included; 0 for no limit.",
)
@click.option(
    "--bot-matches",
    default=100,
    show_default=True,
    type=click.IntRange(0),
    help="Maximum number of matches between bots only at the same time.",
)
@click.option(
    "--expire-waiting",
    default=24.0,
    show_default=True,
    type=click.FloatRange(0),
    metavar="HOURS",
    help="Time after which an unused match expires if it waits for people or no person has decided "
    "in it; 0 for never.",
)
@click.option(
    "--expire-unfinished",
    default=30.0,
    show_default=True,
    type=click.FloatRange(0),
    metavar="DAYS",
    help="The same for all other unfinished matches.",
)
@click.option(
    "--metrics-token",
    default="",
    envvar="GANGLAND_METRICS_TOKEN",
    metavar="TOKEN",
    help="Show /metrics to whoever sends this token; better set as GANGLAND_METRICS_TOKEN, since "
    "command lines are public on a machine. Nobody may see them by default.",
)
@click.option("--quiet", is_flag=True, help="Print warnings only.")
def command(
    games: tuple[str, ...],
    host: str,
    port: int,
    database: str,
    workers: int,
    checkpoints: Path | None,
    bots: tuple[str, ...],
    origins: tuple[str, ...],
    rate: float,
    hosts: tuple[str, ...],
    proxies: tuple[str, ...],
    connections_each: int,
    bot_matches: int,
    expire_waiting: float,
    expire_unfinished: float,
    metrics_token: str,
    quiet: bool,
) -> None:
    """Serve games to browsers (at /) and to programs; see docs/serving.md."""
    one_blas_thread()
    try:
        from ..serving.doors.http.server import serve
        from ..serving.doors.http.workers import serve_together
        from ..serving.settings import Limits, Settings
    except ImportError as error:
        from ..envs.core.errors import MissingDependencyError

        raise MissingDependencyError(
            f"serving needs more packages ({error.name}): pip install 'gangland[serve]'"
        ) from error
    settings = Settings(
        database=database if "://" in database else f"sqlite:///{database}",
        games=games,
        checkpoints=checkpoints,
        bots=tuple(offer(text) for text in bots),
        origins=origins,
        # A server that listens on a host name also answers to it.
        hosts=(host, *hosts),
        proxies=proxies,
        workers=workers,
        metrics_token=secret(metrics_token),
        limits=Limits(
            rate=rate,
            connections_each=connections_each,
            bot_matches=bot_matches,
            waiting_age=expire_waiting * 3600,
            unfinished_age=expire_unfinished * 24 * 3600,
        ),
    )
    if workers == 1:
        serve(settings, host, port, quiet=quiet)
    else:
        serve_together(settings, host, port, quiet=quiet)


def secret(token: str) -> str:
    """The operator's token, if it is long enough."""
    if token and (len(token) < 16 or not token.isascii() or not token.isprintable()):
        raise click.BadParameter(
            "must have at least 16 characters, all of them ASCII", param_hint="--metrics-token"
        )
    return token


def offer(text: str) -> tuple[str, str]:
    """Game and spec of an offered bot."""
    game, equals, spec = text.partition("=")
    if not game or not equals or not spec:
        raise click.BadParameter(f"{text!r} must be GAME=SPEC", param_hint="--bot")
    return game.strip(), spec.strip()
