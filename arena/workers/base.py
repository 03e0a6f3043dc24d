"""The interface of whatever does independent pieces of work."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence, Sized
from typing import TypeAlias, TypeVar

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
