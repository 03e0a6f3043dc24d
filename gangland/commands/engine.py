"""``gangland engine``: a bot on standard input and output."""

from __future__ import annotations

import os
import sys

import click

from .common import one_blas_thread


@click.command(name="engine")
@click.option("--game", default="chicago", show_default=True, help="The game.")
@click.option("--bot", help="Agent that decides. [default: the strongest available]")
def command(game: str, bot: str | None) -> None:
    """Answer a frontend's questions line by line, in the spirit of UCI; see docs/engine.md.

    Type hello, newgame, go and quit to try it.
    """
    one_blas_thread()
    # Only answers go to the output, where prints of a bot could be mistaken for them.
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
