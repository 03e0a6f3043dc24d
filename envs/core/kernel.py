"""The ``kernel`` decorator: rules compiled to machine code, with a cache that cannot go stale.

Numba's own cache looks only at the file that a function stands in. Rules call rules in other
files, so an edit there would leave stale machine code behind. Here each module has a cache folder
whose name carries a hash of all files that the module imports, at any depth, and of their data. So
an edit of a rule compiles the modules that import it, and an edit of a heuristic or a picture,
which no rule imports, compiles no rule.
"""

from __future__ import annotations

import re
import shutil
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, overload

import numba

from .compiling.interpreted import INTERPRETED, interpreted
from .compiling.kernel_cache import KernelCache, cache_root, trusted
from .compiling.numba_private import (
    PartCompiler,
    caches_in,
    refuse_python,
    use_cache,
    widen_integers,
)
from .compiling.sources import digest

P = ParamSpec("P")
R = TypeVar("R")

KEPT_CACHES = 8
"""Cache folders kept of each module; the others are removed when something new is compiled."""

KEPT_DAYS = 90
"""Days after which a folder that is not used is removed as well."""

NAMES = re.compile(r"[\w.]+-[0-9a-f]{16}")
"""Of cache folders: a module, and a hash of the sources."""


@overload
def kernel(function: Callable[P, R], /) -> Callable[P, R]: ...


@overload
def kernel(*, leaf: bool) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def kernel(function: Any = None, /, *, leaf: bool = False) -> Any:
    """Compile a rule with Numba: no Python objects, no global interpreter lock, cached on disk.

    Args:
        function: The function to compile, on its first call or when a game is first used.
        leaf: Called by other kernels only; from Python it raises a ``TypeError``. It is optimised
            and translated with each kernel that Python calls, not by itself, which saves most of
            the compile time.
    """

    def decorate(body: Callable[..., Any]) -> Any:
        if INTERPRETED:
            return interpreted(body)
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        if leaf:
            options |= {"no_cpython_wrapper": True, "pipeline_class": PartCompiler}
        compiled = numba.njit(**options)(body)
        widen_integers(compiled)
        if leaf:
            refuse_python(compiled)
            return compiled  # What is cached is the kernel that it is part of.
        name = cache_name(body.__module__, body.__code__.co_filename)
        with caches_in(trusted(name)):
            use_cache(compiled, KernelCache(body, name))
        return compiled

    return decorate if function is None else decorate(function)


def cache_folder(module: str, file: str) -> Path:
    """Folder of the machine code of a module's kernels.

    Args:
        module: Dotted name of the module.
        file: Path of its source file.
    """
    return trusted(cache_name(module, file))


def cache_name(module: str, file: str) -> str:
    """The name of that folder, which carries a hash of what the machine code depends on."""
    return f"{module}-{digest(module, file)[:16]}"


def forget_old_caches() -> None:
    """Remove the machine code of sources edited away long ago."""
    # Other programs may keep their own in the same folder.
    kept: Counter[str] = Counter()
    folders = [p for p in cache_root().iterdir() if NAMES.fullmatch(p.name) and p.is_dir()]
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for age, folder in sorted(((p.stat().st_mtime, p) for p in folders), reverse=True):
        module = folder.name.rpartition("-")[0]
        kept[module] += 1
        if kept[module] > KEPT_CACHES or age < oldest:
            shutil.rmtree(folder, ignore_errors=True)
