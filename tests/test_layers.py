"""The layers of the package and of serving: imports run downward only, no game imports another."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from gangland.envs.plugins import AGENTS, GAMES

ROOT = Path(__file__).resolve().parents[1]
GAME_FOLDERS = sorted(
    path.parent.name
    for name in ("game.py", "games.py")
    for path in (ROOT / "envs").glob(f"*/{name}")
    if path.parent.name != "core"
)
LAYERS = {"agents": 4, "arena": 5, "training": 6, "serving": 6, "adapters": 6}
"""Folders above ``envs``, whose own three layers are 1 to 3."""
TOP = 7
DATA = ("checkpoints", "configs")
"""Packages that hold files and no code."""


def module_of(path):
    """Dotted name of a source file inside the package."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts if parts[0] == "gangland" else ["gangland", *parts])


DOTTED = re.compile(r"gangland(\.\w+)+")
"""A text that names a module, alone or before the colon of ``module:name``."""


NAMED_ONLY = {
    ("gangland.envs.registration", "gangland.agents.seat_env"),
    ("gangland.envs.registration", "gangland.adapters.gymnasium_vector"),
}
"""``gymnasium.make`` and ``make_vec`` build environments of one seat, which need agents for the
others. Their id has to be known once the games are, so their registration names them, as text:
Gymnasium imports them when they are made. No other arrow runs up."""


def imports_of(path):
    """Dotted names of everything that a source file imports from the package, by text as well."""
    yield from imports_in(path.read_text(), module_of(path), path.name == "__init__.py")


def imports_in(text, module, is_package=False):
    """The same of a source text that stands in a module."""
    package = module.split(".")
    if not is_package:
        package = package[:-1]
    for node in ast.walk(ast.parse(text)):
        yield from named_in_text(node, package)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("gangland"))
        elif isinstance(node, ast.ImportFrom):
            name = source_of(node, package)
            if name.startswith("gangland"):
                yield from (f"{name}.{alias.name}" for alias in node.names)


def source_of(node, package):
    """Dotted name of the module that a ``from`` statement of a package's module reads."""
    base = package[: len(package) - node.level + 1] if node.level else []
    return ".".join([*base, *(node.module or "").split(".")]).strip(".")


def named_in_text(node, package):
    """Modules that a piece of text names: ``"gangland.x.y:z"``, or ``import_module("..x")``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        dotted = node.value.split(":")[0]
        if DOTTED.fullmatch(dotted) and dotted not in (GAMES, AGENTS):
            yield dotted
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
        name = node.args[0]
        if isinstance(name, ast.Constant) and name.value.startswith("."):
            bare = name.value.lstrip(".")
            dots = len(name.value) - len(bare)
            yield ".".join([*package[: len(package) - dots + 1], bare])


def layer_of(module):
    """``(layer, game)`` of a module."""
    parts = module.split(".")[1:]
    if parts and parts[0] in DATA:
        return (0, None)
    if not parts or (parts[0] != "envs" and parts[0] not in LAYERS):
        return (TOP, None)
    if parts[0] == "envs":
        if len(parts) > 1 and parts[1] == "core":
            return (1, None)
        if len(parts) > 1 and parts[1] in GAME_FOLDERS:
            return (2, parts[1])
        return (3, None)
    return (LAYERS[parts[0]], None)


SOURCES = [
    path
    for folder in ("envs", *LAYERS, "gangland")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


def test_there_are_games_and_sources():
    assert "chicago" in GAME_FOLDERS
    assert len(SOURCES) > 30


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_imports_run_downward(path):
    layer, game = layer_of(module_of(path))
    own = module_of(path).split(".")[:2]
    for name in imports_of(path):
        if name.startswith("gangland.__version__"):
            continue
        if (module_of(path), name) in NAMED_ONLY:
            continue
        other_layer, other_game = layer_of(name)
        assert other_layer <= layer, f"{module_of(path)} imports {name} from a layer above"
        if game is not None and other_game is not None:
            assert other_game == game, f"{module_of(path)} reaches into {name}"
        if layer == other_layer and layer in LAYERS.values():
            assert name.split(".")[:2] == own, f"{module_of(path)} reaches across to {name}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from ..envs import load", ["gangland.envs.load"]),
        ("make('gangland.serving.app:create')", ["gangland.serving.app"]),
        ("importlib.import_module('..training.run', __package__)", ["gangland.training.run"]),
        ("x = 'a sentence about gangland.serving'", []),
        ("x = 'gangland.games'", []),  # a group of entry points, not a module
    ],
)
def test_imports_are_seen_by_statement_and_by_text(text, found):
    assert list(imports_in(text, "gangland.agents.registry")) == found


@pytest.mark.parametrize("module", ["arena", "agents.table", "agents.registry"])
def test_the_arena_and_what_it_stands_on_need_no_torch(module):
    code = f"import sys, gangland.{module}; print({{'torch', 'sb3_contrib'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


MACHINE_PATH = re.compile(r"""["'](?:/(?!api/|proc/)[a-z]+/|[A-Z]:\\\\)\w""")


def test_nothing_is_read_from_outside_the_project():
    for path in SOURCES:
        text = path.read_text()
        assert "../shared" not in text, path
        assert MACHINE_PATH.search(text) is None, path


@pytest.mark.parametrize("text", ['"/home/ann/x"', "'/tmp/x'", r'"C:\\users"'])
def test_paths_of_a_machine_are_found(text):
    assert MACHINE_PATH.search(text)


# --- serving: which part may import which, and all from elsewhere is declared ---------------------

SERVING = ROOT / "serving"
SERVING_LAYERS = (
    {"errors", "settings", "metrics"},
    {"protocol"},
    {"batching", "tasks", "rulebook"},
    {"storage", "bots"},
    {"matches"},
    {"texts"},
    {"page", "lessons"},
    {"doors"},
)
"""From the ground up; parts of one layer do not import each other."""
SERVING_FILES = sorted(SERVING.rglob("*.py"))


def part_of(path):
    return path.relative_to(SERVING).parts[0].removesuffix(".py")


def serving_layer_of(part):
    return next(k for k, layer in enumerate(SERVING_LAYERS) if part in layer)


def levels_and_names(path):
    """``(level, dotted name)`` of everything that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


def test_every_part_has_a_layer():
    parts = {part_of(path) for path in SERVING_FILES} - {"__init__"}
    assert parts == set().union(*SERVING_LAYERS)


@pytest.mark.parametrize(
    "path", SERVING_FILES, ids=lambda path: path.relative_to(SERVING).as_posix()
)
def test_imports_within_serving_run_downward(path):
    depth = len(path.relative_to(SERVING).parts)
    for level, name in levels_and_names(path):
        if level != depth or not name:  # from above serving, or from the same folder
            continue
        own, other = part_of(path), name.split(".")[0]
        assert own == other or serving_layer_of(other) < serving_layer_of(own), (
            f"{own} imports {name}"
        )


def test_what_is_imported_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    names = ("serve", "postgres", "ray-serve", "onnx", "mcp")
    wanted = [*project["dependencies"], *(text for name in names for text in extras[name])]
    declared = {re.split(r"[\s<>=;\[]", text)[0].lower().replace("_", "-") for text in wanted}
    known = packages_distributions()
    used = {
        name.split(".")[0]
        for path in SERVING_FILES
        for level, name in levels_and_names(path)
        if not level
    }
    for name in used - set(sys.stdlib_module_names) - {"gangland"}:
        names = {found.lower().replace("_", "-") for found in known.get(name, [name])}
        assert names & declared, f"{name} comes from {names}, which pyproject.toml does not name"
