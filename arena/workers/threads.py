"""Work in threads of this process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from ...envs.core.integers import MAX_THREADS, whole_number
from .base import Piece, Result, Shared, Watch, Work, Workers


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Threads(Workers):
    """Threads: rules, heuristics and matrix products release the interpreter's lock.

    Args:
        count: Number of threads; with 1, the work is done in the calling thread.

    Raises:
        IntegerError: If it is no integer 1 to 1024.
    """

    def __init__(self, count: int = 1) -> None:
        self._count = whole_number("workers", count, 1, MAX_THREADS)

    @property
    def count(self) -> int:
        """Number of threads."""
        return self._count

    def results(
        self,
        work: Work[Shared, Piece, Result],
        shared: Shared,
        pieces: Sequence[Piece],
        report: Callable[[int], None] = lambda ended: None,
        processors: int = 1,
    ) -> Generator[tuple[int, Result]]:
        """The number and the result of every piece; see :meth:`Workers.results`."""
        stop = threading.Event()
        watch = Watch(report, stop)
        if self._count == 1:
            for number, piece in enumerate(pieces):
                yield number, work(shared, piece, watch)
            return
        pool = ThreadPoolExecutor(self._count)
        try:
            waiting = {
                pool.submit(work, shared, piece, watch): number
                for number, piece in enumerate(pieces)
            }
            for future in as_completed(list(waiting)):
                # Not held any longer than the caller does.
                yield waiting.pop(future), future.result()
        finally:
            # After an error or Ctrl-C, what runs stops after its next step; others never begin.
            stop.set()
            pool.shutdown(cancel_futures=True)


def workers_of(workers: int | Workers) -> Workers:
    """Workers as they are, or so many threads.

    Raises:
        IntegerError: If it is neither, or no integer 1 to 1024.
    """
    if isinstance(workers, Workers):
        return workers
    return Threads(workers)
