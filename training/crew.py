"""Threads that share a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import TypeVar

import torch as th

Part = TypeVar("Part")

LEAST = 32
"""Rows of a batch below which a thread's help costs more than it gives."""


def even_bounds(count: int, parts: int) -> list[int]:
    """Where parts of nearly equal size begin, and ``count``."""
    return [count * k // parts for k in range(parts + 1)]


class Crew:
    """Does the parts of a batch side by side, each with a single thread of torch.

    Torch's own threads split every product of matrices; with networks of a few hundred units they
    wait for each other longer than they compute. Parts of a batch meet once. What is computed
    depends on the number of parts alone, not on how many cores there are.

    Attributes:
        size: Number of parts.

    Args:
        size: Number of parts.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool = ThreadPoolExecutor(self.size, "crew", _settle)

    def run(self, work: Callable[[int], Part], parts: int) -> list[Part]:
        """``[work(0), work(1), ...]``, the first one in this thread.

        Args:
            work: What to do for a part; an error of any of them is raised here.
            parts: Number of parts.
        """
        others = [self._pool.submit(work, k) for k in range(1, parts)]
        try:
            first = work(0)
        finally:
            done = [future.exception() for future in others]
        for error in done:
            if error is not None:
                raise error
        return [first, *(future.result() for future in others)]

    def spans(self, count: int) -> list[slice]:
        """Where the parts of a batch are: as many as the crew takes, not too small for a thread."""
        parts = min(self.size, max(1, count // LEAST))
        return [slice(first, last) for first, last in pairwise(even_bounds(count, parts))]

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()


@contextmanager
def single_thread() -> Iterator[None]:
    """What the crew's threads have, for the one that they help; as it was when left.

    Both settings are each thread's own: a single thread of torch's, and no denormal numbers. Adam's
    moments of weights without gradient decay into those, and they are slow.
    """
    threads = th.get_num_threads()
    _settle()
    try:
        yield
    finally:
        th.set_num_threads(threads)
        th.set_flush_denormal(False)


def _settle() -> None:
    th.set_num_threads(1)
    th.set_flush_denormal(True)
