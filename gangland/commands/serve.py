"""``gangland serve``: the server."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.common import Count, Finite, needs_extra, one_blas_thread
from .shared.server_options import server_options


@click.command(name="serve")
@server_options(rate=100.0)
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
    "--cors",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Web origin whose pages may call the server; may be repeated. None by default.",
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
    type=Count(0),
    help="Open connections per address, WebSockets included; 0 for no limit.",
)
@click.option(
    "--bot-matches",
    default=100,
    show_default=True,
    type=Count(0),
    help="Maximum number of matches between bots only at the same time.",
)
@click.option(
    "--expire-waiting",
    default=24.0,
    show_default=True,
    type=Finite(0),
    metavar="HOURS",
    help="Time after which an unused match expires if it waits for people or no person has decided "
    "in it; 0 for never.",
)
@click.option(
    "--expire-unfinished",
    default=30.0,
    show_default=True,
    type=Finite(0),
    metavar="DAYS",
    help="The same for all other unfinished matches.",
)
@click.option("--quiet", is_flag=True, help="Print warnings only.")
def command(
    games: tuple[str, ...],
    host: str,
    port: int,
    database: str,
    workers: int,
    checkpoints: Path | None,
    bots: tuple[tuple[str, str], ...],
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
    with needs_extra("serve", "serving"):
        from ..serving.doors.http.server import serve
        from ..serving.doors.http.workers import serve_together
        from ..serving.settings import Limits, Settings
    settings = Settings(
        database=database if "://" in database else f"sqlite:///{database}",
        games=games,
        checkpoints=checkpoints,
        bots=bots,
        origins=origins,
        # A server that listens on a host name also answers to it.
        hosts=(host, *hosts),
        proxies=proxies,
        workers=workers,
        metrics_token=metrics_token,
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
