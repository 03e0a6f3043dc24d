"""What a kernel's machine code depends on: the files that its module imports, and their data.

Followed are imports, at any depth, of modules of this package, of the module's own top-level
package, and of modules beside the importing file; not those for type checkers alone. A module that
reads files has as its data the data files in its folder, and in folders below that hold no modules.
What other modules show from that folder (texts, lessons) compiles nothing when it is edited.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

OWN = __name__.partition(".")[0]

DATA = frozenset(
    (".bin", ".csv", ".dat", ".json", ".npy", ".npz", ".toml", ".tsv", ".txt", ".yaml", ".yml")
)
"""Endings of files that a module may read when it is imported."""

READERS = frozenset(
    (
        "__file__", "__loader__", "__name__", "__package__", "__path__", "__spec__", "Path",
        "find_spec", "fromfile", "genfromtxt", "load", "loadtxt", "memmap", "open", "pkgutil",
        "read_bytes", "read_text", "resources",
    )
)  # fmt: skip
"""Names without which a module finds or reads no file: it looks up its path, or opens a file."""

CORE = __package__.rpartition(".")[0]
EVERYWHERE = (f"{CORE}.kernel", f"{__package__}.pointers")
"""Modules on which all machine code depends: how it is compiled, and Numba's types."""


@cache
def digest(module: str, file: str) -> str:
    """Hash of all that the machine code of a module's kernels depends on.

    Args:
        module: Dotted name of the module.
        file: Path of its source file.
    """
    total = hashlib.sha256()
    for name, path in sorted(closure(module, Path(file)).items()):
        total.update(f"{name} {_contents(path)}\n".encode())
        for data in _data_of(name, path):
            total.update(f"{data.relative_to(path.parent)} {_contents(data)}\n".encode())
    return total.hexdigest()


def closure(module: str, file: Path) -> dict[str, Path]:
    """Source files by module: the module itself, and all that it imports, at any depth.

    Args:
        module: Dotted name of the module.
        file: Path of its source file.
    """
    tops = {OWN, module.partition(".")[0]}
    found: dict[str, Path] = {}
    waiting = [(module, file.resolve())]
    for name in EVERYWHERE:
        path = _locate(name)
        assert path is not None
        waiting.append((name, path))
    while waiting:
        name, path = waiting.pop()
        if name in found or not path.exists():
            continue
        found[name] = path
        for imported in _imports(name, path):
            if imported not in found:
                if imported.partition(".")[0] in tops:
                    target = _locate(imported)
                else:
                    target = _beside(path, imported)
                if target is not None:
                    waiting.append((imported, target))
    return found


@cache
def _contents(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _data_of(module: str, path: Path) -> tuple[Path, ...]:
    """Data files that a module may read; one too few would leave stale machine code."""
    folder = path.parent
    found = [entry for entry in folder.glob("*") if entry.suffix in DATA]
    if "." in module or path.name == "__init__.py":  # else others' packages may stand beside it
        for below in folder.glob("*/"):
            if not any(below.rglob("*.py")):
                found += [entry for entry in below.rglob("*") if entry.suffix in DATA]
    if not found:
        return ()
    names, texts = _mentioned(path)
    if names.isdisjoint(READERS):  # then a reader elsewhere may get the file's name
        found = [entry for entry in found if any(entry.name in text for text in texts)]
    return tuple(sorted(found))


@cache
def _mentioned(path: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Names and string constants of a file."""
    names: set[str] = set()
    texts: set[str] = set()
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            names.update((node.module or "").split("."))
        elif isinstance(node, ast.alias):
            names.update(node.name.split("."))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
    return frozenset(names), frozenset(texts)


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


# --- imports --------------------------------------------------------------------------------------


def _imports(module: str, path: Path) -> Iterator[str]:
    """Dotted names that a file imports; of ``from a import b`` both ``a`` and ``a.b``."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    parts = package.split(".")
    for level, inside, names in _statements(path):
        start = parts[: len(parts) - level + 1] if level else []
        base = ".".join([*start, *filter(None, [inside])])
        yield base
        yield from (f"{base}.{name}" for name in names if name != "*")


BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a statement that hold further statements."""


@cache
def _statements(path: Path) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
    """Level, module and names of each import statement of a file."""
    return tuple(_walk(_parsed(path).body))


def _walk(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Statements alone hold imports; most of a tree are expressions, which are not gone through."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((0, alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", tuple(alias.name for alias in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            yield from _walk(node.orelse)
        else:
            for block in BLOCKS:
                yield from _walk(getattr(node, block, ()))


# --- files of modules -----------------------------------------------------------------------------


def _locate(name: str) -> Path | None:
    """Source file of a module; ``None`` if that is no module, as in ``from module import name``."""
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if loaded is not None:
        return Path(loaded).resolve() if loaded.endswith(".py") else None
    parent, _, last = name.rpartition(".")
    folder = _folder(parent)
    return None if folder is None else _in_folder(folder, last)


def _folder(package: str) -> Path | None:
    """Folder of a package; ``None`` if that is no package."""
    loaded = sys.modules.get(package)
    if loaded is not None:
        paths = list(getattr(loaded, "__path__", ()))
        return Path(paths[0]).resolve() if paths else None
    parent, _, last = package.rpartition(".")
    if parent == OWN:
        # Ours are mapped to folders elsewhere. Nothing is imported: the parent is there.
        spec = importlib.util.find_spec(package)
        places = list(spec.submodule_search_locations or ()) if spec is not None else []
        return Path(places[0]).resolve() if places else None
    above = _folder(parent) if parent else None
    return above / last if above is not None and (above / last).is_dir() else None


def _in_folder(folder: Path, name: str) -> Path | None:
    for path in (folder / name / "__init__.py", folder / f"{name}.py"):
        if path.exists():
            return path.resolve()
    return None


def _beside(path: Path, name: str) -> Path | None:
    """A module that stands beside a file, as scripts import it."""
    first = name.partition(".")[0]
    return _in_folder(path.parent, first) if first == name else None
