"""Access to the database from the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ..batching import Batcher
from ..metrics import COMMIT_SIZES
from .database import Line, Storage
from .postgres import Changes, SharedStorage

Value = TypeVar("Value")


class StorageThread:
    """One thread that does all database work.

    If other processes share the database, a second thread reads what they have stored, so that
    readers need not wait until writes are on disk.

    Args:
        storage: The database.

    Attributes:
        shared: The database, if other processes share it; else ``None``.
    """

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.shared = storage if isinstance(storage, SharedStorage) else None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="storage")
        self._writer: Batcher[Line, None] = Batcher(self._write, self._thread, size=256)
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="changes")
        self._reader: Batcher[tuple[str, int], Changes] = Batcher(
            self._read, self._reading, size=256
        )

    async def run(self, work: Callable[..., Value], *arguments: Any) -> Value:
        """Call a function in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def append(self, line: Line) -> None:
        """Store an entry, together with others that arrive at the same time.

        It is stored even if the caller is cancelled meanwhile.

        Raises:
            OvertakenError: If another process has changed the match.
            Exception: Of any kind, if it could not be stored.
        """
        await asyncio.shield(self._writer.submit(line))

    async def changes(self, match: str, first: int) -> Changes:
        """Entries of a match from a number on, read together with others asked at the same time.

        Raises:
            Exception: Of any kind, if they could not be read.
        """
        return await self._reader.submit((match, first))

    def close(self) -> None:
        """Finish pending work and close the database."""
        self._thread.shutdown()
        self._reading.shutdown()
        self.storage.close()

    def _write(self, lines: Sequence[Line]) -> list[Exception | None]:
        """Store entries together; if that fails, one by one, so that a bad one harms no other."""
        try:
            self.storage.append(lines)
            COMMIT_SIZES.observe(len(lines))
        except Exception as error:
            if len(lines) == 1:
                return [error]
            return [self._write([line])[0] for line in lines]
        return [None] * len(lines)

    def _read(self, asked: Sequence[tuple[str, int]]) -> list[Changes]:
        assert self.shared is not None
        return self.shared.changes(asked)
