"""Who does independent pieces of work: the interface, and threads of this process."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeAlias, TypeVar

from ...envs.core.integers import MAX_THREADS, whole_number

Shared = TypeVar("Shared")
Piece = TypeVar("Piece")
Result = TypeVar("Result", bound=Sized)


class Watch:
    """What a piece of work reports while it runs, and how it is asked to stop.

    Args:
        report: Called with the number of games that have just ended, from any thread.
        stop: Set when nobody waits for the result any more.
    """

    def __init__(
        self,
        report: Callable[[int], None] = lambda ended: None,
        stop: threading.Event | None = None,
    ) -> None:
        self.report = report
        self._stop = threading.Event() if stop is None else stop

    @property
    def stopped(self) -> bool:
        """Whether the work is to end; what it returns then is of no use."""
        return self._stop.is_set()


Work: TypeAlias = Callable[[Shared, Piece, Watch], Result]
"""Makes the result of one piece. On a cluster it has to be a function of a module."""


class Workers(ABC):
    """Does independent pieces of work, several at a time."""

    @property
    @abstractmethod
    def count(self) -> int:
        """About how many pieces are worked on at the same time."""

    @abstractmethod
    def results(
        self,
        work: Work[Shared, Piece, Result],
        shared: Shared,
        pieces: Sequence[Piece],
        report: Callable[[int], None] = lambda ended: None,
        processors: int = 1,
    ) -> Generator[tuple[int, Result]]:
        """The number and the result of every piece, as soon as it is there, in any order.

        A caller that stops asking should close the iterator, which ends what still runs.

        Args:
            work: Makes the result of a piece, whose length is the number of games in it.
            shared: What all pieces need, handed to each call.
            pieces: The pieces; begun in this order.
            report: Called with the number of games that have just ended, from any thread.
            processors: Processors that a piece takes, on a cluster.

        Raises:
            Exception: Whatever the work of a piece raises first.
        """


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
