"""What in serving may import what, and that all it needs from elsewhere is declared."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVING = ROOT / "serving"
LAYERS = (
    {"errors", "settings", "metrics", "log"},
    {"protocol"},
    {"batching", "tasks", "rulebook", "guide"},
    {"storage", "bots"},
    {"matches"},
    {"texts"},
    {"page", "lessons"},
    {"doors"},
)
"""From the ground up; parts of one layer do not import each other."""
FILES = sorted(SERVING.rglob("*.py"))


def part_of(path):
    return path.relative_to(SERVING).parts[0].removesuffix(".py")


def layer_of(part):
    return next(k for k, layer in enumerate(LAYERS) if part in layer)


def imports_of(path):
    """``(level, dotted name)`` of everything that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


def test_every_part_has_a_layer():
    parts = {part_of(path) for path in FILES} - {"__init__"}
    assert parts == set().union(*LAYERS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SERVING).as_posix())
def test_imports_run_downward(path):
    depth = len(path.relative_to(SERVING).parts)
    for level, name in imports_of(path):
        if level != depth or not name:  # from above serving, or from the same folder
            continue
        own, other = part_of(path), name.split(".")[0]
        assert own == other or layer_of(other) < layer_of(own), f"{own} imports {name}"


def test_what_is_imported_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    names = ("serve", "postgres", "ray-serve", "onnx", "mcp")
    wanted = [*project["dependencies"], *(text for name in names for text in extras[name])]
    declared = {re.split(r"[\s<>=;\[]", text)[0].lower().replace("_", "-") for text in wanted}
    known = packages_distributions()
    used = {name.split(".")[0] for path in FILES for level, name in imports_of(path) if not level}
    for name in used - set(sys.stdlib_module_names) - {"gangland"}:
        names = {found.lower().replace("_", "-") for found in known.get(name, [name])}
        assert names & declared, f"{name} comes from {names}, which pyproject.toml does not name"
