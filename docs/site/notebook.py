"""Notebooks as pages, and tutorials as notebooks.

A notebook becomes a page with its text, its code and the output that was saved with it. A tutorial
becomes a notebook without output: the site offers it, and the tests execute it. Blocks of a
tutorial in ``python`` and ``sh`` become cells, those with a title cells that write the file, and
everything else is text. A comment before a block says how the tests shorten it:
``<!-- in tests: 500_000 -> 5_000; --minutes 5 -> --steps 900 -->``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .links import LINK, OUTSIDE

BLOCK = re.compile(
    r"(?:^<!-- in tests: (?P<short>.*?) -->\n+)?"
    r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<code>.*?)^```$\n?',
    re.S | re.M,
)
RUN = {"python": "", "sh": "%%bash -e -o pipefail\n"}
"""Languages of blocks that are run, with the line of IPython that begins their cells."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code in a tutorial.

    Attributes:
        language: Its language.
        title: The file that it is written to; empty for a block that is run or only shown.
        code: Its text.
        short: How the tests shorten it; empty where they do not.
        start: Where it starts in the page, with the comment before it.
        end: Where it ends.
    """

    language: str
    title: str
    code: str
    short: str
    start: int
    end: int


def blocks(text: str) -> Iterator[Block]:
    """The blocks of code of a tutorial."""
    for found in BLOCK.finditer(text):
        title, short = found["title"] or "", found["short"] or ""
        yield Block(found["language"], title, found["code"], short, found.start(), found.end())


def from_markdown(text: str) -> dict[str, Any]:
    """A tutorial as a notebook, in the JSON of an ``.ipynb``.

    Links to other pages become plain text, since a notebook is taken away from them.
    """
    cells: list[dict[str, Any]] = []

    def add(kind: str, source: str, **more: Any) -> None:
        cell = {"cell_type": kind, "id": f"cell-{len(cells)}", "metadata": {}, "source": source}
        cells.append({**cell, **more})

    def add_text(part: str) -> None:
        if part.strip():
            add("markdown", LINK.sub(_without_local_link, part).strip())

    rest = 0
    for block in blocks(text):
        if not block.title and block.language not in RUN:
            continue
        add_text(text[rest : block.start])
        rest = block.end
        head = f"%%writefile {block.title}\n" if block.title else RUN[block.language]
        metadata = {"in_tests": block.short} if block.short else {}
        source = head + block.code.rstrip("\n")
        add("code", source, metadata=metadata, execution_count=None, outputs=[])
    add_text(text[rest:])
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _without_local_link(link: re.Match[str]) -> str:
    return link[0] if OUTSIDE.match(link[3]) else link[2]


def as_markdown(notebook: dict[str, Any]) -> str:
    """A notebook (the JSON of an ``.ipynb``) as Markdown; pictures stand in the page."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code":
            parts.append(f"```py\n{source}\n```")
            parts += [_output(output) for output in _joined(cell["outputs"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def _joined(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outputs of a cell; what it printed line by line is one of them."""
    found: list[dict[str, Any]] = []
    for output in outputs:
        if found and output["output_type"] == "stream" == found[-1]["output_type"]:
            found[-1] = {**output, "text": [*found[-1]["text"], *output["text"]]}
        else:
            found.append(output)
    return found


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "error":
        raise ValueError(f"a cell failed: {output['ename']}: {output['evalue']}")
    shown = output.get("data", {"text/plain": output.get("text", "")})
    if "text/html" in shown:
        return f'<div class="drawn">\n{"".join(shown["text/html"])}\n</div>'
    if "image/svg+xml" in shown:
        return f'<div class="drawn">\n{"".join(shown["image/svg+xml"])}\n</div>'
    if "image/png" in shown:
        data = "".join(shown["image/png"].split())
        return f'<p><img alt="Output of the cell above" src="data:image/png;base64,{data}"></p>'
    text = "".join(shown.get("text/plain", "")).rstrip()
    return f"``` {{ .text .output }}\n{text}\n```" if text else ""
