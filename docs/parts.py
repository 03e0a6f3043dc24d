"""Parts of committed pages that scripts make: what they share.

A part stands between ``<!-- NAME: docs/SCRIPT.py -->`` and ``<!-- end -->``. The scripts are run
from the root of the project, ``python -m docs.make_games`` for example, and tests fail where a page
is not up to date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def fill(text: str, script: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """A page with all parts of a script made again.

    Args:
        text: The page.
        script: Name of the script that the parts name, ``make_games`` for example.
        parts: What makes each part, by its name.

    Raises:
        ValueError: If the page has other parts than these, or one of them twice.
    """
    block = re.compile(rf"(<!-- (\w+): docs/{script}\.py -->\n)(.*?)(<!-- end -->)", re.S)
    found = [match[2] for match in block.finditer(text)]
    if sorted(found) != sorted(parts):
        raise ValueError(f"parts {sorted(parts)} expected, {sorted(found)} found")
    return block.sub(lambda match: match[1] + parts[match[2]]() + match[4], text)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in lines
    )


def read(file: Path) -> Any:
    """The contents of a JSON file."""
    return json.loads(file.read_text(encoding="utf-8"))


def worst_row(ladder: Json, spec: str, share: Callable[[Json], str]) -> str:
    """Where one such agent wins least, in each role.

    Args:
        ladder: The ladder.
        spec: The agent.
        share: Writes a cell's win share.
    """
    cells = worst_cells(ladder, spec)
    return "; ".join(f"{share(cell)} against `{cell['table']}`{as_role(cell)}" for cell in cells)


def worst_cells(ladder: Json, spec: str) -> list[Json]:
    """The cell in which one such agent wins least, of each role."""
    return [min(cells, key=_share) for cells in _of_each_role(ladder, spec, "one")]


def most_invading_cells(ladder: Json, spec: str) -> list[Json]:
    """The cell in which somebody wins most at a table of such agents, of each role."""
    return [max(cells, key=_share) for cells in _of_each_role(ladder, spec, "table")]


def _share(cell: Json) -> float:
    return float(cell["share"])


def _of_each_role(ladder: Json, spec: str, place: str) -> list[list[Json]]:
    cells = [cell for cell in ladder["cells"] if cell[place] == spec]
    roles = dict.fromkeys(cell["role"] for cell in cells)
    return [[cell for cell in cells if cell["role"] == role] for role in roles]


def as_role(cell: Json) -> str:
    """`` as police``, for the cell of a game with several roles."""
    return f" as {cell['role']}" if cell["role"] else ""
