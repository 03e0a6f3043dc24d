"""Priority: matches with people go before matches of bots only."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Gate:
    """Lets prioritised work through at once, and other work while a thread is free.

    Args:
        threads: Number of threads that do the work.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._most_behind = max(1, threads - 1)
        self._ahead = 0
        self._behind = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def ahead(self) -> AsyncIterator[None]:
        """Prioritised work: does not wait."""
        self._ahead += 1
        try:
            yield
        finally:
            self._ahead -= 1
            self._admit()

    @asynccontextmanager
    async def behind(self) -> AsyncIterator[None]:
        """Other work: waits in order of arrival until prioritised work leaves a thread free."""
        waiting = asyncio.get_running_loop().create_future()
        self._queue.append(waiting)
        self._admit()
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.cancelled():
                self._queue.remove(waiting)
            else:
                self._leave()
            raise
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> None:
        self._behind -= 1
        self._admit()

    def _admit(self) -> None:
        while self._queue and self._ahead < self._threads and self._behind < self._most_behind:
            self._behind += 1
            self._queue.popleft().set_result(None)
