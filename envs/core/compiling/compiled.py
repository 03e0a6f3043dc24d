"""A game's kernels as machine code: compiled on first use, with a line of output, then cached."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types

from .. import batch
from ..kernel import cache_folder, forget_old_caches
from .interpreted import INTERPRETED
from .numba_private import cache_of, entry_point, quick_records, result_type
from .pointers import KernelPointer, address_of


@dataclass(frozen=True, slots=True)
class Rules:
    """The kernels of a game, with the same signatures for every game.

    Attributes:
        reset: ``reset(state, seed)``. Options and ``num_seats`` already sit in the record, all
            else is zero; draws the set-up and runs to the first real decision.
        legal_actions: ``legal_actions(state, mask)``. Fills a bool mask of shape
            ``(num_actions,)``; never empty while the game runs.
        apply: ``apply(state, action)``. Plays one legal decision, resolves chance and forced
            steps, stops at the next real decision or at the end.
        observe: ``observe(state, seat, out)``. Fills float32 of shape ``(observation_size,)`` as
            seen from ``seat``, itself first; reads nothing that the seat may not know.
        redact: ``redact(state, seat)``. Overwrites with neutral values, in place, all that
            ``seat`` may not know, the chance included. What is left is the seat's view.
        resample_hidden: ``resample_hidden(state, seat, seed)``. Redraws, in place, all that
            ``seat`` cannot know, consistently with all that it does, and gives the record
            chance of its own. Reads nothing that ``redact`` blanks.
    """

    reset: Any
    legal_actions: Any
    apply: Any
    observe: Any
    redact: Any
    resample_hidden: Any


@dataclass(frozen=True, slots=True)
class Pointers:
    """Machine addresses of a game's kernels."""

    reset: int
    legal_actions: int
    apply: int
    observe: int
    redact: int
    resample_hidden: int


def signatures_of_rules(record: Any) -> dict[str, Any]:
    """Numba's signatures of the kernels in :class:`Rules`, by name.

    Args:
        record: Numba's type of the game's record.
    """
    action = seat = types.int64
    seed = types.uint64
    return {
        "reset": types.void(record, seed),
        "legal_actions": types.void(record, types.Array(types.boolean, 1, "C")),
        "apply": types.void(record, action),
        "observe": types.void(record, seat, types.Array(types.float32, 1, "C")),
        "redact": types.void(record, seat),
        "resample_hidden": types.void(record, seat, seed),
    }


class Compiled:
    """Entry points of a game's kernels, called without Numba's dispatch by argument types.

    ``pointers`` holds the kernels' addresses, as the generic kernels in ``batch`` take them.

    Args:
        name: The game's name, for the message.
        dtype: The game's record dtype.
        rules: The game's kernels.
    """

    def __init__(self, name: str, dtype: np.dtype[Any], rules: Rules) -> None:
        record = numba.from_dtype(dtype)
        states = types.Array(record, 1, "C")
        signatures = signatures_of_rules(record)
        pointers = {key: KernelPointer(value) for key, value in signatures.items()}
        jobs = [(getattr(rules, key), signature) for key, signature in signatures.items()]
        jobs += [
            (getattr(batch, key), build(pointers, states))
            for key, build in batch.SIGNATURES.items()
        ]
        entries = compile_all(name, jobs)
        self.pointers = Pointers(
            **{key: address_of(getattr(rules, key), sign) for key, sign in signatures.items()}
        )
        (
            self.reset,
            self.legal_actions,
            self.apply,
            self.observe,
            self.redact,
            self.resample_hidden,
        ) = entries[: len(signatures)]
        self.batch: dict[str, Callable[..., Any]] = dict(
            zip(batch.SIGNATURES, entries[len(signatures) :], strict=True)
        )


def compile_all(name: str, jobs: Iterable[tuple[Any, Any]]) -> list[Callable[..., Any]]:
    """Compile kernels, or load them from the cache.

    Reports on the error stream if anything has to be compiled: before, that it compiles and how to
    do that ahead of time; in a terminal, how far it is; after, how long it took. If another process
    compiles the same just now, it is waited for and its kernels are loaded.

    Args:
        name: What is compiled, for the message.
        jobs: Kernels with the signature that each is wanted in.

    Returns:
        Native entry points that take arguments of just these types.
    """
    work = list(jobs)
    if INTERPRETED:
        return [body for body, _ in work]
    with _without_collector(), quick_records(), contextlib.ExitStack() as held:
        missing = next((job for job in work if not _is_there(*job)), None)
        if missing is not None:
            held.enter_context(_one_at_a_time(_marker(*missing).parents[1] / "lock"))
        return _compile(name, work)


def _compile(name: str, work: Sequence[tuple[Any, Any]]) -> list[Callable[..., Any]]:
    entries: list[Callable[..., Any]] = []
    started = time.perf_counter()
    announced = False
    for done, (dispatcher, signature) in enumerate(work):
        marker = _marker(dispatcher, signature)
        if marker.exists():
            with contextlib.suppress(OSError):
                os.utime(marker.parents[1])  # The folder is in use: see forget_old_caches.
        elif not announced and not _is_there(dispatcher, signature):
            announced = True
            forget_old_caches()
            _say(
                f"gangland: compiling {name} once, which takes seconds to minutes; "
                "`gangland compile` does it ahead of time"
            )
        if announced and sys.stderr.isatty():
            _say(f"\rgangland: compiling {name}, {done}/{len(work)} kernels ...", end="")
        # By the arguments alone, as where another kernel calls it: else the cache misses it there.
        dispatcher.compile(signature.args)
        returned = result_type(dispatcher, signature)
        if returned != signature.return_type:
            raise TypeError(
                f"{dispatcher.py_func.__qualname__} returns {returned}, "
                f"must return {signature.return_type}"
            )
        entries.append(entry_point(dispatcher, signature))
        if announced:
            with contextlib.suppress(OSError):  # a full disk: compiled again by the next process
                marker.parent.mkdir(parents=True, exist_ok=True)
                marker.touch()
    if announced:
        seconds = time.perf_counter() - started
        line = f"gangland: compiled {name}, {len(work)} kernels in {seconds:.1f} s"
        _say(f"\r{line}" if sys.stderr.isatty() else line)
    return entries


@contextlib.contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    """Hold a file's lock, which ends with the process at the latest; go on without one where the
    system or the disk has none, as compiling twice does no harm."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            path.parent.mkdir(parents=True, exist_ok=True)
            file = held.enter_context(path.open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Without the garbage collector, which takes a tenth of the time and finds little."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _is_there(dispatcher: Any, signature: Any) -> bool:
    """Whether a kernel's machine code is in the cache, or comes with the package."""
    if _marker(dispatcher, signature).exists():
        return True
    return bool(cache_of(dispatcher).comes_with_the_package(signature.args))


def _marker(dispatcher: Any, signature: Any) -> Path:
    """A file that stands when this kernel's machine code is in the cache."""
    body = dispatcher.py_func
    folder = cache_folder(body.__module__, body.__code__.co_filename)
    # Numba keeps the code of each file by its path.
    place = f"{body.__code__.co_filename}:{body.__module__}.{body.__qualname__}"
    words = f"{place}{signature}{numba.__version__}"
    return folder / "ready" / f"{_digest(words)}"


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _say(text: str, end: str = "\n") -> None:
    print(text, end=end, file=sys.stderr, flush=True)
