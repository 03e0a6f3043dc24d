"""``gangland mcp``: games and advice for language models."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.common import needs_extra, one_blas_thread


@click.command(name="mcp")
@click.option("--game", "games", multiple=True, help="Only this game; may be repeated.")
@click.option(
    "--checkpoints",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Also offer the trained bots in this folder.",
)
def command(games: tuple[str, ...], checkpoints: Path | None) -> None:
    """Serve the Model Context Protocol on standard input and output.

    A language model can play a seat against bots and ask a bot for advice. It sees only what its
    seat may know. See docs/engine.md.
    """
    one_blas_thread()
    with needs_extra("mcp", "gangland mcp"):
        from ..serving.bots.registry import Bots
        from ..serving.doors.mcp import make_server

    make_server(Bots(checkpoints), games).run()
