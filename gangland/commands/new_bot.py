"""``gangland new-bot``: a bot to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.common import shell_line
from .shared.terminal import echo

TEMPLATE = '''"""A bot. Wherever an agent is asked for, the name of this file stands for it."""


def act(view):
    """Choose one of ``view.legal_actions``, which are numbers.

    ``view.describe(action)`` says what one does, ``view.text()`` shows the table, ``view.known`` is
    everything that the seat ``view.seat`` may know. Chance comes from ``view.seed`` alone, so that
    a match can be played again.
    """
    return view.legal_actions[view.seed % len(view.legal_actions)]
'''


@click.command(name="new-bot")
@click.argument("name")
def command(name: str) -> None:
    """Write NAME.py, a bot that plays at random until you change it."""
    path = Path(name if name.endswith(".py") else f"{name}.py")
    if "," in name:
        raise click.UsageError(f"{path}: commas separate agents: take another name")
    if path.exists():
        raise click.UsageError(f"{path} exists: take another name")
    if not path.parent.is_dir():
        raise click.UsageError(f"{path}: there is no folder {path.parent}")
    path.write_text(TEMPLATE, encoding="utf-8")
    table = ",".join([str(path), *["random"] * 4])
    echo(f"{path} is written. Let it play:")
    echo(f"  {shell_line('gangland', 'arena', '--game', 'chicago', '--table', table)}")
    others = ("--game", "chicago", "--with", "heuristic,random")
    echo(f"  {shell_line('gangland', 'tournament', path.parent, *others)}")
    echo(f"  {shell_line('gangland', 'play', '--game', 'chicago', '--seat', '0', '--bots', path)}")
