"""The ``kernel`` decorator: rules compiled to machine code, with a cache that cannot go stale.

Numba's own cache looks only at the file that a function stands in. Rules call rules in other
files, so an edit there would leave stale machine code behind. Here the cache folder carries a
hash of every source a kernel can reach: in the core and in its own wing the files with kernels,
all that these import from there, what tells Numba its types, and the data; and its own file. So
an edit of a rule leads to a folder of its own, an edit of a picture does not.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, overload

import numba
from numba.core import config as numba_config

from .interpreted import INTERPRETED, interpreted
from .kernel_cache import KernelCache, cache_root, trusted

P = ParamSpec("P")
R = TypeVar("R")

ENVS = Path(__file__).resolve().parents[1]
"""Folder of all games."""

KEPT_CACHES = 40
"""Cache folders kept; those unused for longest are removed when a new one is made."""

NAMES = re.compile(r"\w+(-\w+)*-[0-9a-f]{16}")
"""Of cache folders: the wings, or ``core``, and a hash of the sources."""


@overload
def kernel(function: Callable[P, R], /) -> Callable[P, R]: ...


@overload
def kernel(*, leaf: bool) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def kernel(function: Any = None, /, *, leaf: bool = False) -> Any:
    """Compile a rule with Numba: no Python objects, no global interpreter lock, cached on disk.

    Args:
        function: The function to compile, on its first call or when a game is first used.
        leaf: Called by other kernels only, never from Python; saves compile time.
    """

    def decorate(body: Callable[..., Any]) -> Any:
        if INTERPRETED:
            return interpreted(body)
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
        if leaf:
            options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        compiled = numba.njit(**options)(body)
        with _cache_folder(cache_folder(body.__module__, body.__code__.co_filename)):
            compiled._cache = KernelCache(body)
        return compiled

    return decorate if function is None else decorate(function)


@contextlib.contextmanager
def _cache_folder(folder: Path) -> Iterator[None]:
    """Make Numba place the caches that are made inside this context in ``folder``."""
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba_config.CACHE_DIR = before


def cache_folder(module: str, file: str) -> Path:
    """Folder of the machine code of a module's kernels.

    Args:
        module: Dotted name of the module.
        file: Path of its source file.
    """
    wings = [part for part in module.split(".") if (ENVS / part / "game.py").exists()]
    own = Path(file).resolve()
    inside = own.is_relative_to(ENVS)
    key = _hash_of(tuple(sorted(set(wings))), None if inside else str(own))
    return trusted(key)


@cache
def _hash_of(wings: tuple[str, ...], file: str | None) -> str:
    digest = hashlib.sha256()
    sources = [ENVS / "core", *(ENVS / wing for wing in wings)]
    for folder in sources:
        for path in sorted([*_files_with_rules(folder), *folder.rglob("*.json")]):
            digest.update(str(path.relative_to(ENVS)).encode())
            digest.update(path.read_bytes())
    if file is not None:
        own = Path(file)
        siblings = own.parent.glob("*.py") if own.parent.name in wings else (own,)
        for path in sorted(siblings):
            digest.update(path.name.encode())
            digest.update(path.read_bytes() if path.exists() else b"")
    name = "-".join(wings) or "core"
    return f"{name}-{digest.hexdigest()[:16]}"


def _files_with_rules(folder: Path) -> set[Path]:
    """Files below ``folder`` that hold kernels or use Numba, and those there that they import."""
    trees = {path: ast.parse(path.read_bytes()) for path in folder.rglob("*.py")}
    waiting = [path for path, tree in trees.items() if _compiles(tree)]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [other for other in _imports(path, trees[path]) if other in trees]
    return found


def _compiles(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba":
            return True
        for decorator in getattr(node, "decorator_list", ()):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if getattr(called, "id", getattr(called, "attr", "")) == kernel.__name__:
                return True
    return False


def _imports(path: Path, tree: ast.Module) -> Iterator[Path]:
    """Files of this package that a file imports: modules, and packages' ``__init__``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
            bases = [ENVS.joinpath(*name.split(".")[2:]) for name in modules if _is_ours(name)]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                start = path.parents[node.level - 1]
                base = start.joinpath(*(node.module or "").split("."))
            elif _is_ours(node.module or ""):
                base = ENVS.joinpath(*(node.module or "").split(".")[2:])
            else:
                continue
            bases = [base, *(base / alias.name for alias in node.names)]
        else:
            continue
        for base in bases:
            yield base.with_name(f"{base.name}.py")
            yield base / "__init__.py"


def _is_ours(module: str) -> bool:
    return module.split(".")[:2] == __name__.split(".")[:2]


def forget_old_caches() -> None:
    """Remove the machine code of sources edited away long ago."""
    # Other programs may keep their own in the same folder.
    folders = sorted(
        (p for p in cache_root().iterdir() if NAMES.fullmatch(p.name) and p.is_dir()),
        key=lambda p: p.stat().st_mtime,
        reverse=True,
    )
    for folder in folders[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)
