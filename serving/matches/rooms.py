"""The matches in memory; others are read from disk when they are asked for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Executor

from ...envs.registry import UnknownGameError
from ..errors import ServingError
from ..storage.thread import StorageThread
from ..tasks import Tasks
from .match import restore
from .room import Room

log = logging.getLogger(__name__)


class Rooms:
    """A cache of rooms by name of the match; the least recently used are dropped first.

    Args:
        disk: The database.
        pool: Thread pool in which the journals of matches are replayed.
        tasks: Runs the loading, so that it goes on when a client disconnects.
        most: Number of rooms above which idle ones are dropped.
        added: Called with every room that is added.

    Attributes:
        used: Names of the matches used since :class:`~.quota.Quota` last stored them.
    """

    def __init__(
        self,
        disk: StorageThread,
        pool: Executor,
        tasks: Tasks,
        most: int,
        added: Callable[[Room], None],
    ) -> None:
        self._disk = disk
        self._pool = pool
        self._tasks = tasks
        self._most = most
        self._added = added
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self.used: set[str] = set()

    def __len__(self) -> int:
        return len(self._rooms)

    def __contains__(self, name: str) -> bool:
        return name in self._rooms

    def __getitem__(self, name: str) -> Room:
        return self._rooms[name]

    def __iter__(self) -> Iterator[Room]:
        return iter(list(self._rooms.values()))

    async def find(self, name: str) -> Room:
        """The room of a match, read from disk if needed.

        Raises:
            ServingError: ``not_found``, or ``unavailable`` if the rules have changed since.
        """
        if name not in self._rooms:
            if name not in self._loading:
                self._loading[name] = self._tasks.start(self._load(name))
            try:
                return await asyncio.shield(self._loading[name])
            finally:
                self._loading.pop(name, None)
        room = self._rooms[name]
        room.used_at = time.monotonic()
        self.used.add(name)
        self._rooms.move_to_end(name)
        return room

    def add(self, room: Room) -> None:
        """Add a room, and drop idle ones if there are too many."""
        self._rooms[room.match.setup.match] = room
        self._added(room)
        if len(self._rooms) > self._most:
            self._make_space()

    def drop(self, room: Room) -> None:
        """Remove a match from memory; the next request reads it from disk."""
        if room.alarm is not None:
            room.alarm.cancel()
        name = room.match.setup.match
        if self._rooms.get(name) is room:
            del self._rooms[name]
        room.gone = True
        room.tell()

    def _make_space(self) -> None:
        """Drop the least recently used idle rooms, a tenth more than needed."""
        wanted = len(self._rooms) - int(0.9 * self._most)
        idle = [room for room in self._rooms.values() if room.idle]
        for room in idle[: max(0, wanted)]:
            self.drop(room)

    async def _load(self, name: str) -> Room:
        storage = self._disk.storage
        try:
            found = await self._disk.run(storage.read, name)
            if found is None:
                raise ServingError("not_found", "there is no such match")
            loop = asyncio.get_running_loop()
            match = await loop.run_in_executor(self._pool, restore, *found)
            match.expired = await self._disk.run(storage.has_expired, name)
        except (ServingError, UnknownGameError):
            raise
        except Exception as error:
            log.warning("match %s is damaged: %s: %s", name, type(error).__name__, error)
            raise ServingError("unavailable", "the match cannot be read") from error
        room = Room(match)
        self.add(room)
        return room
