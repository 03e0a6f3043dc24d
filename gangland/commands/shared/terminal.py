"""What commands print: text, tables and colours, but nothing else that a terminal obeys.

Names, notes and errors come from files, from people and from other machines. Where one is shown
beside text of ours, it goes through ``printable`` of :mod:`gangland.envs.core.foreign_text`; where
that was forgotten, it can change no more than colours.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

_LONG_NUMBER = re.compile(r"\d{100,}")
_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")


def echo(text: str = "", *, err: bool = False) -> None:
    """Print a line, with colours if the terminal has them.

    Args:
        text: The line, or several.
        err: Whether to print to the error stream.
    """
    click.echo(_harmless(text), err=err)


def message(text: str, *, lines: bool = False) -> str:
    """The text of an error without what a terminal obeys, and with long numbers cut short.

    Args:
        text: It may quote a file, what was typed, or what another machine has answered.
        lines: Whether to keep line ends; an error is one line.
    """
    from ...envs.core.foreign_text import printable

    short = _LONG_NUMBER.sub(lambda found: f"{found[0][:20]}... ({len(found[0])} digits)", text)
    return printable(short, lines=lines)


def make_console(*, stderr: bool = False, width: int | None = None) -> Console:
    """Where tables are printed; brackets in their cells are text, not markup.

    Args:
        stderr: Whether to print to the error stream.
        width: Columns; by default those of the terminal, and at least 120 in files and pipes.
    """
    from rich.console import Console
    from rich.text import Text

    from ...envs.core.foreign_text import printable

    class Harmless(Console):
        """Escapes the texts in tables; what rich adds to them may be colours."""

        def render_str(self, text: str, **how: Any) -> Text:
            return super().render_str(printable(text, lines=True), **how)

    made = Harmless(stderr=stderr, width=width, markup=False, emoji=False)
    if width is None and not made.is_terminal:
        made.width = max(made.width, 120)
    return made


def _harmless(text: str) -> str:
    """A text without control sequences other than those of colours."""
    # Imported late: the help of a command must not pay for it.
    from ...envs.core.foreign_text import printable

    parts = _COLOUR.split(text)
    return "".join(one if k % 2 else printable(one, lines=True) for k, one in enumerate(parts))
