"""Access to the database from the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ..batching import Batcher
from .database import Line, Storage

Value = TypeVar("Value")


class StorageThread:
    """One thread that does all database work.

    Args:
        storage: The database.
    """

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="storage")
        self._writer: Batcher[Line, None] = Batcher(self._write, self._thread, size=256)

    async def run(self, work: Callable[..., Value], *arguments: Any) -> Value:
        """Call a function in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def append(self, line: Line) -> None:
        """Store an entry, together with others that arrive at the same time.

        It is stored even if the caller is cancelled meanwhile.

        Raises:
            Exception: Of any kind, if it could not be stored.
        """
        await asyncio.shield(self._writer.submit(line))

    def close(self) -> None:
        """Finish pending work and close the database."""
        self._thread.shutdown()
        self.storage.close()

    def _write(self, lines: Sequence[Line]) -> list[Exception | None]:
        """Store entries together; if that fails, one by one, so that a bad one harms no other."""
        try:
            self.storage.append(lines)
        except Exception as error:
            if len(lines) == 1:
                return [error]
            return [self._write([line])[0] for line in lines]
        return [None] * len(lines)
