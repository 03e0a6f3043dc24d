"""Tables for terminals of any width, and the figures of plots.

Columns that do not fit go into further tables below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.table import Table
    from rich.text import Text

    from .statistics import Share

from typing import Any

from ..envs.core.errors import MissingDependencyError

Cell: TypeAlias = "str | Text"
Justify: TypeAlias = Literal["left", "right"]
BESIDE = 3
"""What a column takes beside its text: a space on each side and a line."""
NAME, WORDS = 10, 30
"""Characters that names and texts get at least, if they are as long and the terminal is as wide."""
NOTHING = "–"
"""Shown in place of a missing number."""


class FoldedTable:
    """A table of which no figure is ever cut, however narrow the terminal is.

    Each row has a name, which is folded onto several lines where it is long, and so are texts. The
    columns stand in as many tables as their widths need, one below the other, each with the names.
    Cells are shown as they are: what looks like markup is none.

    Args:
        title: Its title, of the first table.
        names: Head of the column of names.
        columns: Heads of the others.
        texts: Which of them hold texts, which are aligned to the left and wrapped between words.
    """

    def __init__(
        self, title: str, names: str, columns: Sequence[str], texts: Collection[str] = ()
    ) -> None:
        self.title = title
        self.names = names
        self.columns = list(columns)
        self._texts = [head in texts for head in columns]
        self._rows: list[tuple[Cell, ...]] = []

    def add_row(self, *cells: Cell) -> None:
        """Add a row: its name, then a cell for each column."""
        if len(cells) != 1 + len(self.columns):
            raise ValueError(f"{len(cells)} cells, must be {1 + len(self.columns)}")
        self._rows.append(cells)

    @property
    def row_count(self) -> int:
        """How many rows it has."""
        return len(self._rows)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        def text(cell: str) -> Text:
            return console.render_str(cell, markup=False, emoji=False, highlight=False)

        yield from self.parts(options.max_width, text)

    def parts(self, width: int, text: Callable[[str], Text] | None = None) -> Iterator[Table]:
        """The tables for a width in characters.

        Args:
            width: The width.
            text: What makes a text of a cell; by default all characters stay as they are.
        """
        from rich.table import Table
        from rich.text import Text

        made = text or Text
        heads = [made(head) for head in (self.names, *self.columns)]
        rows = [
            [made(cell) if isinstance(cell, str) else cell for cell in row] for row in self._rows
        ]
        longest, *widths = (
            max(cell.cell_len for cell in column) for column in zip(heads, *rows, strict=True)
        )
        # The names get what the widest figures leave them, and half of the width at the most.
        room = width - BESIDE * 2 - 1
        names = min(longest, max(room - sum(widths) - BESIDE * (len(widths) - 1), room // 2))
        figures = [each for each, words in zip(widths, self._texts, strict=True) if not words]
        names = max(min(names, room - max(figures, default=0)), min(longest, NAME))
        least = [
            min(each, WORDS, room - names) if words else each
            for each, words in zip(widths, self._texts, strict=True)
        ]
        first = 0
        while True:
            last, used = first, names + BESIDE + 1
            while last < len(least) and (last == first or used + least[last] + BESIDE <= width):
                used += least[last] + BESIDE
                last += 1
            table = Table(title=made(self.title) if first == 0 else None)
            table.add_column(heads[0], overflow="fold", width=names)
            for k in range(first, last):
                justify: Justify = "left" if self._texts[k] else "right"
                # A lone column of figures that is wider than the terminal is folded, too.
                whole = used <= width and not self._texts[k]
                table.add_column(heads[k + 1], justify=justify, overflow="fold", no_wrap=whole)
            for row in rows:
                table.add_row(row[0], *row[first + 1 : last + 1])
            yield table
            if last >= len(least):
                return
            first = last


def deals(count: int) -> str:
    """How many deals, in words."""
    return "1 deal" if count == 1 else f"{count:,} deals"


def percent(share: float | None) -> str:
    """A share; a dash for none, such as of agents that never met."""
    return NOTHING if share is None or math.isnan(share) else f"{share:.1%}"


def win_cells(win: Share, par: float) -> tuple[str, str, Text]:
    """A win share, its interval, and how it compares with par, in colour if it clearly differs."""
    from rich.text import Text

    colour = "green" if win.low > par else "red" if win.high < par else ""
    against = Text(f"{win.share / par:.2f}×", style=colour)
    return f"{win.share:.1%}", f"{win.low:.1%}–{win.high:.1%}", against


def cross_table(names: Sequence[str], ahead: Sequence[Sequence[float | None]]) -> FoldedTable:
    """How often each agent finishes ahead of each other one, both in the order of ``names``."""
    title = "row finishes ahead of column in the same game (ties half)"
    table = FoldedTable(title, "", [f"{number}" for number, _ in enumerate(names, 1)])
    for number, (name, row) in enumerate(zip(names, ahead, strict=True), 1):
        table.add_row(f"{number} {name}", *map(percent, row))
    return table


def new_figure(width: float, height: float) -> Any:
    """An empty matplotlib figure that is not bound to a screen.

    Args:
        width: In inches.
        height: In inches.

    Raises:
        MissingDependencyError: If matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependencyError(
            "plots need matplotlib: pip install 'gangland[arena]'"
        ) from error
    return Figure(figsize=(width, height), layout="constrained")
