"""Threads that work on the parts of a batch."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import TypeVar

import torch as th

from ...arena.workers.base import cores

Part = TypeVar("Part")

MIN_ROWS = 32
"""Rows of a batch below which another thread costs more than it saves."""

KEPT_MEMORY = {
    -1: 2**31 - 1,  # M_TRIM_THRESHOLD: free memory at the end that is given back
    -3: 2**25,  # M_MMAP_THRESHOLD, at its highest: sizes that the system is asked for one by one
    -8: 1,  # M_ARENA_MAX: further ones, of threads, would give back theirs
}
"""Options of glibc's ``mallopt``."""


def even_bounds(count: int, parts: int) -> list[int]:
    """Where parts of nearly equal size begin, and ``count``."""
    return [count * k // parts for k in range(parts + 1)]


class ThreadPool:
    """Works on the parts of a batch side by side, with one thread of torch's in each.

    Torch's own threads split every matrix product; with networks of a few hundred units they wait
    for each other longer than they compute. Parts of a batch wait for each other only once. Results
    depend on the number of parts; no more than there are cores are worked on at a time.

    Attributes:
        size: Most parts of a batch.

    Args:
        size: Most parts of a batch.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._others = min(size, cores()) - 1
        self._pool = ThreadPoolExecutor(max(1, self._others), "training", _configure_thread)

    def run(self, work: Callable[[int], Part], parts: int) -> list[Part]:
        """``[work(0), work(1), ...]``, in the calling thread and others.

        Args:
            work: What to do for a part. After an error no further part begins; it is raised when
                those that have begun have ended.
            parts: Number of parts.
        """
        waiting = iter(range(parts))
        done: dict[int, Part] = {}
        errors: dict[int, BaseException] = {}

        def take() -> None:
            for k in waiting:
                try:
                    done[k] = work(k)
                except BaseException as error:
                    errors[k] = error
                    for _ in waiting:
                        pass

        others = [self._pool.submit(take) for _ in range(min(self._others, parts - 1))]
        take()
        for other in others:
            other.result()
        if errors:
            raise errors[min(errors)]
        return [done[k] for k in range(parts)]

    def split(self, count: int) -> list[slice]:
        """Parts of a batch of ``count`` rows: none too small, ``size`` if possible."""
        parts = min(self.size, max(1, count // MIN_ROWS))
        return [slice(first, last) for first, last in pairwise(even_bounds(count, parts))]

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()


@contextmanager
def single_thread() -> Iterator[None]:
    """Configure the calling thread like those of the pool, and restore its settings at the end.

    There are two settings, both per thread: a single thread of torch, and denormal numbers flushed
    to zero. Adam's moments of weights without gradient decay into denormals, which are slow to
    process. The process keeps the memory that minibatches free, for the next ones.
    """
    threads = th.get_num_threads()
    _configure_thread()
    _keep_memory()
    try:
        yield
    finally:
        th.set_num_threads(threads)
        th.set_flush_denormal(False)


def _configure_thread() -> None:
    th.set_num_threads(1)
    th.set_flush_denormal(True)


def _keep_memory() -> None:
    """Tell glibc to keep memory that is freed; other libraries do as they do.

    Given back to the system and taken anew, megabytes a minibatch, it costs a fifth of the time of
    two threads that learn.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for option, value in KEPT_MEMORY.items():
            mallopt(option, value)
