"""The folder tree in ``architecture.md``, made from what stands in the folders.

Each package says in the first line of its docstring what it holds::

    python -m docs.make_tree
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from .parts import fill

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
WIDTH = 34
"""Column at which descriptions begin."""
DEEPEST = 1
"""Folders in folders that are shown."""

OTHERS = {
    "benchmarks": "Scripts that measure: exact games, other libraries, the rules, the page.",
    "clients": "Clients of the server in other languages.",
    "docs": "These pages, the scripts that make their tables and pictures, and the site.",
    "examples": "Programs: our games and bots with other libraries; see docs/adapters.md.",
    "release": "What builds a release, and tries it in empty environments.",
    "tests": "Tests, in folders as above; see docs/testing.md.",
}
"""Top-level folders that are no packages of ours."""

HIDDEN = ("__pycache__", "build", "runs", "dist")


def folders(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Path and description of each folder of the project, in the order of the tree."""
    for top in sorted(path for path in root.iterdir() if path.is_dir()):
        if top.name in OTHERS:
            yield top.name, OTHERS[top.name]
        elif (top / "__init__.py").is_file():
            yield from _packages(top, root)


def _packages(folder: Path, root: Path) -> Iterator[tuple[str, str]]:
    init = folder / "__init__.py"
    said = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
    yield folder.relative_to(root).as_posix(), said.partition("\n")[0]
    for inner in sorted(folder.iterdir()):
        if (inner / "__init__.py").is_file() and inner.name not in HIDDEN:
            yield from _packages(inner, root)


def tree() -> str:
    """The upper folders as a block of code, one line for each."""
    lines = []
    for path, said in folders():
        if path.count("/") > DEEPEST:
            continue
        name = f"{'  ' * path.count('/')}{path.rpartition('/')[2]}/"
        lines.append(f"{name:{WIDTH}}{said.replace('``', '')}".rstrip() + "\n")
    return f"```text\n{''.join(lines)}```\n"


def page() -> str:
    """The page with the tree as it is."""
    return fill(PAGE.read_text(encoding="utf-8"), "make_tree", {"tree": tree})


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
