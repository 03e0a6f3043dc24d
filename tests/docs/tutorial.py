"""Runs a tutorial as a reader would: as a notebook, from its first cell to its last.

The site makes the same notebook of the page (``docs/site/notebook.py``). What the tests replace in
a cell to shorten it has to be there, so that such notes cannot outlive what they are about.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

import pytest

notebooks = importlib.import_module("docs.site.notebook")

CELL = 600
"""Seconds that a cell may take."""


def shortened(code: str, replacements: str) -> str:
    """A cell with ``A -> B; C -> D`` applied.

    Raises:
        ValueError: If there is nothing to replace.
    """
    for pair in filter(None, replacements.split("; ")):
        old, arrow, new = pair.partition(" -> ")
        if not arrow or old not in code:
            raise ValueError(f"in tests: {pair!r} replaces nothing in:\n{code}")
        code = code.replace(old, new)
    return code


def run(page: Path, folder: Path) -> str:
    """Execute a tutorial, a page or a notebook, in a folder.

    Args:
        page: The tutorial.
        folder: Where its files are written.

    Returns:
        What its cells printed.

    Raises:
        nbclient.exceptions.CellExecutionError: If a cell fails.
    """
    nbformat = pytest.importorskip("nbformat", reason="needs the extra docs")
    nbclient = pytest.importorskip("nbclient", reason="needs the extra docs")
    pytest.importorskip("ipykernel", reason="needs the extra docs")
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".md":
        text = json.dumps(notebooks.from_markdown(text))
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        cell.source = shortened(cell.source, cell.metadata.get("in_tests", ""))
    where = {"metadata": {"path": str(folder)}}
    client = nbclient.NotebookClient(notebook, timeout=CELL, resources=where)
    client.execute(env=with_command(folder / "bin"))
    return "".join(
        output.get("text", "")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream"
    )


def with_command(folder: Path) -> dict[str, str]:
    """The environment for a tutorial: ``gangland`` and ``python`` are those of the tests."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, arguments in (("gangland", " -m gangland.cli"), ("python", "")):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
        program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
