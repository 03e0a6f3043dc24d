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
    """A page with all parts of a script made anew.

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


def worst_row(ladder: Json, spec: str) -> Json:
    """The cell of a ladder in which one such agent wins least."""
    return min((c for c in ladder["cells"] if c["one"] == spec), key=lambda c: c["share"])


def most_invaded(ladder: Json, spec: str) -> Json:
    """The cell of a ladder in which somebody wins most at a table of such agents."""
    return max((c for c in ladder["cells"] if c["table"] == spec), key=lambda c: c["share"])


def as_role(cell: Json) -> str:
    """`` as police``, for the cell of a game with several roles."""
    return f" as {cell['role']}" if cell["role"] else ""
