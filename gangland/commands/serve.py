"""``gangland serve``: the server."""

from __future__ import annotations

from pathlib import Path

import click

from .common import one_blas_thread


@click.command(name="serve")
@click.option(
    "--game", "games", multiple=True, help="Serve this game; may be repeated. [default: all]"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--db",
    "database",
    default="gangland.db",
    show_default=True,
    help="File of the matches (SQLite), or SQLAlchemy's URL of another database.",
)
@click.option(
    "--checkpoints",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of checkpoints to offer beside the bots of the package.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="GAME=SPEC",
    help="Offer this agent too; may be repeated. Clients can name no other agents.",
)
@click.option(
    "--cors", "origins", multiple=True, metavar="ORIGIN", help="Web origin allowed to call; may be "
    "repeated. None by default."
)  # fmt: skip
@click.option(
    "--rate",
    default=100.0,
    show_default=True,
    type=click.FloatRange(0),
    help="Requests a second from one address; 0 for no bound.",
)
@click.option("--quiet", is_flag=True, help="Say nothing but warnings.")
def command(
    games: tuple[str, ...],
    host: str,
    port: int,
    database: str,
    checkpoints: Path | None,
    bots: tuple[str, ...],
    origins: tuple[str, ...],
    rate: float,
    quiet: bool,
) -> None:
    """Serve every game to browsers (at /) and to programs; see docs/serving.md."""
    one_blas_thread()
    try:
        from ..serving.server import serve
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
        bots=tuple(_offer(text) for text in bots),
        origins=origins,
        limits=Limits(rate=rate),
    )
    serve(settings, host, port, quiet=quiet)


def _offer(text: str) -> tuple[str, str]:
    game, equals, spec = text.partition("=")
    if not game or not equals or not spec:
        raise click.BadParameter(f"{text!r} must be GAME=SPEC", param_hint="--bot")
    return game.strip(), spec.strip()
