"""Limits on the number of matches, and the expiry of old ones."""

from __future__ import annotations

import asyncio
import time

from sqlalchemy.exc import SQLAlchemyError

from ..errors import ServingError
from ..metrics import UNFINISHED
from ..settings import Limits
from ..storage.journal import Setup
from ..storage.thread import StorageThread
from ..tasks import Tasks
from .match import Match
from .rooms import Rooms

CLEARING = 60.0
"""Seconds between two searches for expired matches."""

GIVE_WAY = 600.0
"""Seconds for which a match must be unused before it can expire early, to make room."""


def now() -> float:
    """Seconds since 1970, since the ages of matches are kept on disk."""
    return time.time()


class Quota:
    """Counts matches, refuses new ones when there are too many, and lets old ones expire.

    Args:
        limits: The limits.
        disk: The database.
        rooms: The matches in memory.
        tasks: Runs the search for expired matches.
    """

    def __init__(self, limits: Limits, disk: StorageThread, rooms: Rooms, tasks: Tasks) -> None:
        self._limits = limits
        self._disk = disk
        self._rooms = rooms
        self._tasks = tasks
        self.unfinished = disk.storage.count("playing") + disk.storage.count("waiting")
        self._of_bots: set[str] = set()
        self._clearing: asyncio.Task[None] | None = None
        self._cleared_at = 0.0

    @property
    def unfinished(self) -> int:
        """Number of matches on disk that are neither finished nor expired.

        If other processes share the database, it is counted again from time to time.
        """
        return self._unfinished

    @unfinished.setter
    def unfinished(self, count: int) -> None:
        self._unfinished = count
        UNFINISHED.set(count)

    async def admit(self, setup: Setup) -> None:
        """Check that one more match is allowed.

        Raises:
            ServingError: If there are too many.
        """
        limits = self._limits
        alone = all(seat.kind == "bot" for seat in setup.seats)
        if alone and await self._bot_matches() >= limits.bot_matches:
            raise ServingError(
                "too_many",
                f"{limits.bot_matches} matches of bots alone are running: wait for one to end",
                retry_after=10,
            )
        if self.unfinished >= limits.unfinished and now() > self._cleared_at + CLEARING / 10:
            await self.clear()
        if self.unfinished >= limits.unfinished:
            raise ServingError("unavailable", "there are too many unfinished matches")

    async def _bot_matches(self) -> int:
        shared = self._disk.shared
        return len(self._of_bots) if shared is None else await self._disk.run(shared.bot_matches)

    def note(self, match: Match) -> None:
        """Count a match that has been created or read from disk."""
        if match.status == "playing" and all(seat.kind == "bot" for seat in match.setup.seats):
            self._of_bots.add(match.setup.match)

    def finished(self, match: Match) -> None:
        """Stop counting a match that has ended."""
        self.unfinished -= 1
        self._of_bots.discard(match.setup.match)

    async def clear(self) -> None:
        """Mark expired matches, and a few more if there are too many."""
        if self._clearing is None or self._clearing.done():
            self._clearing = self._tasks.start(self._clear())
        await asyncio.shield(self._clearing)

    async def _clear(self) -> None:
        limits, time_, rooms = self._limits, now(), self._rooms
        storage = self._disk.storage
        self._cleared_at = time_
        watched = {room.match.setup.match for room in rooms if room.listeners}
        used, rooms.used = rooms.used | watched, set()
        try:
            await self._disk.run(storage.touch, used, time_)
        except SQLAlchemyError:
            rooms.used |= used
            raise
        gone = await self._disk.run(
            storage.expire,
            time_ - limits.waiting_age if limits.waiting_age else None,
            time_ - limits.unfinished_age if limits.unfinished_age else None,
        )
        if self.unfinished - len(gone) >= limits.unfinished:
            spare = max(1, limits.unfinished // 100)
            gone += await self._disk.run(storage.give_way, time_ - GIVE_WAY, spare)
        self.unfinished -= len(gone)
        if self._disk.shared is not None:
            playing = await self._disk.run(storage.count, "playing")
            self.unfinished = playing + await self._disk.run(storage.count, "waiting")
        for name in gone:
            self._of_bots.discard(name)
            if name in rooms:
                room = rooms[name]
                room.match.expired = True
                rooms.drop(room)
