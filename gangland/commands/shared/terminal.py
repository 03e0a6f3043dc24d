"""What commands print: text, tables and styles, but nothing that a terminal obeys from elsewhere.

Names, notes and errors come from files, from people and from other machines. All that is printed
goes through ``printable`` of :mod:`gangland.envs.core.presentation.foreign_text`, and gets its
style after that. Terminals and files may have any encoding: what it lacks is written in its
likeness.
"""

from __future__ import annotations

import codecs
import io
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

_LONG_NUMBER = re.compile(r"(\d{100,})(\.\.\.)?")


def echo(text: str = "", *, bold: str = "", dim: bool = False, err: bool = False) -> None:
    """Print a line, with styles if the terminal has them.

    Args:
        text: The line, or several.
        bold: The part of it that is bold.
        dim: Whether all of it is dim.
        err: Whether to print to the error stream.
    """
    # Imported late: the help of a command must not pay for it.
    from ...envs.core.presentation.foreign_text import printable

    shown, strong = printable(text, lines=True), printable(bold, lines=True)
    if strong:
        shown = shown.replace(strong, click.style(strong, bold=True), 1)
    click.echo(click.style(shown, dim=True) if dim else shown, err=err)


def echo_folded(text: str, *, dim: bool = False) -> None:
    """Print lines; those that are wider than the terminal are folded between words.

    Args:
        text: The line, or several; runs of spaces stay.
        dim: Whether they are dim.
    """
    width = _columns()
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip(" ·")) + 2)
        parts = textwrap.wrap(
            line,
            width,
            subsequent_indent=indent if 2 * len(indent) < width else "",
            replace_whitespace=False,
            break_on_hyphens=False,
        )
        echo("\n".join(parts), dim=dim)


def folded(text: str, first: int = 0, others: int = 0) -> str:
    """A text folded to the width of the terminal; in files and pipes it stays in one line.

    Args:
        text: The text, without colours.
        first: Spaces before its first line.
        others: Spaces before the others.
    """
    return textwrap.fill(
        text,
        _columns(),
        initial_indent=" " * first,
        subsequent_indent=" " * others,
        break_on_hyphens=False,
    )


def echo_if_too_wide(table: str) -> None:
    """Say so where a table is wider than the terminal, which then breaks its lines."""
    width, columns = max(map(len, table.split("\n"))), _columns()
    if width > columns:
        echo_folded(f"The table is {width} columns wide, this terminal {columns}: make it wider.")


def echo_rows(rows: Sequence[Sequence[str]], indent: int) -> None:
    """Print rows in columns, of which the last is folded, or below its row if it gets no room.

    Args:
        rows: Cells of each row.
        indent: Spaces before each row.
    """
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    hang = indent + sum(sizes) + 2 * len(sizes)
    for *cells, text in rows:
        row = "".join(f"{cell:<{size}}  " for cell, size in zip(cells, sizes, strict=True))
        if _columns() - hang < 30:
            echo(folded(row.rstrip(), indent, indent + 4))
            echo(folded(text, indent + 4, indent + 4))
        else:
            echo(" " * indent + row + folded(text, hang, hang).lstrip())


def _columns() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10**6


def message(text: str, *, lines: bool = False) -> str:
    """The text of an error without what a terminal obeys, and with long numbers cut short.

    Args:
        text: It may quote a file, what was typed, or what another machine has answered.
        lines: Whether to keep line ends; an error is one line.
    """
    from ...envs.core.presentation.foreign_text import printable

    return printable(_LONG_NUMBER.sub(_shortened, text), lines=lines)


def _shortened(number: re.Match[str]) -> str:
    digits, cut = number.groups()
    return f"{digits[:20]}..." if cut else f"{digits[:20]}... ({len(digits)} digits)"


def make_console(*, stderr: bool = False, width: int | None = None) -> Console:
    """Where tables are printed; brackets in their cells are text, not markup.

    Args:
        stderr: Whether to print to the error stream.
        width: Columns; by default those of the terminal, and at least 120 in files and pipes.
    """
    from rich.console import Console
    from rich.segment import Segment
    from rich.text import Text

    from ...envs.core.presentation.foreign_text import printable

    class Harmless(Console):
        """Escapes the texts in tables; what rich adds to them may be colours."""

        def render_str(self, text: str, **how: Any) -> Text:
            # Before anything is measured.
            likeness = in_encoding(printable(text, lines=True), self.encoding)
            return super().render_str(likeness, **how)

        def render(self, *given: Any, **how: Any) -> Iterator[Segment]:
            for text, style, control in super().render(*given, **how):
                yield Segment(text if control else printable(text, lines=True), style, control)

    made = Harmless(stderr=stderr, width=width, markup=False, emoji=False)
    if width is None and not made.is_terminal:
        made.width = max(made.width, 120)
    return made


# --- encodings ------------------------------------------------------------------------------------

_LIKENESS = {
    "–": "-", "—": "-", "−": "-", "×": "x", "·": ".", "…": "...", "±": "+/-", "•": "*",
    "▶": ">", "►": ">", "▸": ">", "→": "->", "←": "<-", "√": "v", "✓": "v", "★": "*",
    "‘": "'", "’": "'", "“": '"', "”": '"', "│": "|", "─": "-", "═": "=", "█": "#", "░": ".",
}  # fmt: skip
_HANDLER = "gangland.likeness"


def _like(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding lacks; a question mark for want of better."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_LIKENESS.get(character, "?") for character in missing), error.end


codecs.register_error(_HANDLER, _like)


def in_encoding(text: str, encoding: str) -> str:
    """A text with the likeness of each character that an encoding lacks."""
    return text.encode(encoding, _HANDLER).decode(encoding)


def write_in_any_encoding() -> None:
    """Let no character stop the output, whatever the encoding of the standard streams is.

    A program that has worked for an hour must not fail on the dash in its last line.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)
