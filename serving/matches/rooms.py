"""The matches in memory; others are read from disk when they are asked for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor

from sqlalchemy.exc import SQLAlchemyError

from ...envs.registry import UnknownGameError
from ..errors import NoSuchMatchError, ServingError
from ..metrics import IN_MEMORY
from ..protocol import Status
from ..storage.database import reason
from ..storage.journal import Entry
from ..storage.thread import StorageThread
from ..tasks import Tasks
from .match import Match, restore
from .room import Room, Uptime

log = logging.getLogger(__name__)


class Rooms:
    """A cache of rooms by name of the match; the least recently used are dropped first.

    Args:
        disk: The database.
        pool: Thread pool in which the journals of matches are replayed.
        tasks: Runs the loading, so that it goes on when a client disconnects.
        most: Number of rooms above which idle ones are dropped.
        uptime: The server's.
        added: Called with every room that is added.
        applied: Called with a room after an entry of another process was applied, and with the
            status before it.

    Attributes:
        used: Names of the matches used since :class:`~.quota.Quota` last stored them.
    """

    def __init__(
        self,
        disk: StorageThread,
        pool: Executor,
        tasks: Tasks,
        most: int,
        uptime: Uptime,
        added: Callable[[Room], None],
        applied: Callable[[Room, Status], None],
    ) -> None:
        self._disk = disk
        self._pool = pool
        self._tasks = tasks
        self._most = most
        self._uptime = uptime
        self._added = added
        self._applied = applied
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
        """The room of a match, read from disk if needed, with all that is stored by now.

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
        if self._disk.shared is not None:
            await self.refresh(room)
        return room

    async def refresh(self, room: Room) -> list[Entry]:
        """Apply what other processes have stored of a match.

        Returns:
            The new entries, those included that were applied meanwhile.

        Raises:
            ServingError: ``unavailable`` if the database cannot be read.
        """
        match = room.match
        if self._disk.shared is None or room.gone:
            return []
        try:
            changes = await self._disk.changes(match.setup.match, match.entries)
        except (SQLAlchemyError, ValueError, TypeError) as error:
            log.warning("match %s cannot be read: %s", match.setup.match, reason(error))
            raise ServingError("unavailable", "the match cannot be read") from error
        for n, entry in enumerate(changes.entries, changes.first):
            if n == match.entries and not room.gone:
                self._apply(room, entry)
        if changes.expired and not match.expired:
            match.expired = True
            self.drop(room)
        return changes.entries

    def _apply(self, room: Room, entry: Entry) -> None:
        before = room.match.status
        room.behind = max(0.0, time.time() - entry.at)
        room.match.apply(entry)
        self._applied(room, before)
        room.behind = 0.0

    def add(self, room: Room) -> None:
        """Add a room, and drop idle ones if there are too many."""
        self._rooms[room.match.setup.match] = room
        IN_MEMORY.set(len(self._rooms))
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
            IN_MEMORY.set(len(self._rooms))
        room.gone = True
        room.notify()

    def _make_space(self) -> None:
        """Drop the least recently used idle rooms, a tenth more than needed."""
        wanted = len(self._rooms) - int(0.9 * self._most)
        idle = [room for room in self._rooms.values() if room.idle]
        for room in idle[: max(0, wanted)]:
            self.drop(room)

    async def _load(self, name: str) -> Room:
        storage, shared = self._disk.storage, self._disk.shared
        if not (name.isascii() and name.isalnum()):
            raise NoSuchMatchError
        try:
            found = await self._disk.run(storage.read, name)
            if found is None:
                raise NoSuchMatchError
            loop = asyncio.get_running_loop()
            match = await loop.run_in_executor(self._pool, restore, *found)
            match.expired = await self._disk.run(storage.has_expired, name)
            leased_at = await self._disk.run(shared.leased_at, name) if shared else 0.0
        except (ServingError, UnknownGameError):
            raise
        except Exception as error:
            log.warning("match %s is damaged: %s: %s", name, type(error).__name__, error)
            raise ServingError("unavailable", "the match cannot be read") from error
        room = Room(match, self._uptime)
        if shared is not None:
            room.behind = max(0.0, time.time() - max(leased_at, _asked_at(match, found[1])))
        self.add(room)
        room.behind = 0.0
        # Notifications that came before the room was added have been ignored.
        await self.refresh(room)
        return room


def _asked_at(match: Match, journal: Sequence[Entry]) -> float:
    """When the deciding seat was asked, in seconds since 1970, as far as the journal holds it."""
    for entry in reversed(journal):
        if entry.kind != "leave" and (entry.kind != "return" or entry.seat == match.to_act):
            return entry.at
    return 0.0
