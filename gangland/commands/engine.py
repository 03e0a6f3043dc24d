"""``gangland engine``: a bot on standard input and output."""

from __future__ import annotations

import os
import sys

import click

from .shared.common import one_blas_thread


@click.command(name="engine")
@click.option("--game", default="chicago", show_default=True, help="The game.")
@click.option("--bot", help="Agent that decides. [default: the strongest available]")
def command(game: str, bot: str | None) -> None:
    """Run a bot on standard input and output, with a line protocol like UCI; see docs/engine.md.

    To try it, type hello, newgame, go and quit.
    """
    one_blas_thread()
    # A bot may print: only answers may reach the standard output.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace", buffering=1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    from ..agents.registry import strongest
    from ..envs import load
    from ..serving.doors.engine import Engine

    loaded = load(game)

    def write(line: str) -> None:
        answers.write(line + "\n")
        answers.flush()

    with open(0, encoding="utf-8", errors="replace", closefd=False) as lines:
        try:
            Engine(loaded, bot or strongest(loaded), write).run(lines)
        except (BrokenPipeError, KeyboardInterrupt):
            sys.exit(0)
