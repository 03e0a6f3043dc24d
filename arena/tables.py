"""Tables for terminals of any width: columns that do not fit go into further tables below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.table import Table
    from rich.text import Text

Cell: TypeAlias = "str | Text"
Justify: TypeAlias = Literal["left", "right"]
BESIDE = 3
"""What a column takes beside its text: a space on each side and a line."""


class FoldedTable:
    """A table of which no figure is ever cut, however narrow the terminal is.

    Each row has a name, which is folded onto several lines where it is long. The other columns
    stand in as many tables as their widths need, one below the other, each with the names. Texts
    are shown as they are: what looks like markup is none.

    Args:
        title: Its title, of the first table.
        names: Head of the column of names.
        columns: Heads of the others.
        left: How many of them are texts, which are aligned to the left; they come first.
    """

    def __init__(self, title: str, names: str, columns: Sequence[str], left: int = 0) -> None:
        self.title = title
        self.names = names
        self.columns = list(columns)
        self._left = left
        self._rows: list[list[Text]] = []

    def add_row(self, *cells: Cell) -> None:
        """Add a row: its name, then a cell for each column."""
        from rich.text import Text

        row = [cell if isinstance(cell, Text) else Text(cell) for cell in cells]
        if len(row) != 1 + len(self.columns):
            raise ValueError(f"{len(row)} cells, must be {1 + len(self.columns)}")
        self._rows.append(row)

    @property
    def row_count(self) -> int:
        """How many rows it has."""
        return len(self._rows)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        yield from self.parts(options.max_width)

    def parts(self, width: int) -> Iterator[Table]:
        """The tables for a width in characters."""
        widths = [self._width(k + 1, head) for k, head in enumerate(self.columns)]
        longest = self._width(0, self.names)
        # The names get what the widest column leaves them, and half of the width at the most.
        room = width - BESIDE * 2 - 1
        names = min(longest, max(room - sum(widths) - BESIDE * (len(widths) - 1), room // 2))
        if widths:
            names = max(1, min(names, room - max(widths)))
        first = 0
        while True:
            last, used = first, names + BESIDE + 1
            while last < len(widths) and (last == first or used + widths[last] + BESIDE <= width):
                used += widths[last] + BESIDE
                last += 1
            yield self._table(first, last, names)
            if last >= len(widths):
                return
            first = last

    def _width(self, column: int, head: str) -> int:
        from rich.cells import cell_len

        return max([cell_len(head), *(row[column].cell_len for row in self._rows)])

    def _table(self, first: int, last: int, names: int) -> Table:
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(self.title) if first == 0 else None)
        table.add_column(Text(self.names), overflow="fold", width=names)
        for k in range(first, last):
            justify: Justify = "left" if k < self._left else "right"
            # A lone column that is wider than the terminal is folded, too.
            table.add_column(Text(self.columns[k]), justify=justify, overflow="fold")
        for row in self._rows:
            table.add_row(row[0], *row[first + 1 : last + 1])
        return table
