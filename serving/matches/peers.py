"""Other server processes that share the database: who drives a match, and what they have changed.

Without a shared database there are none, and nothing here does anything.
"""

from __future__ import annotations

import asyncio
import logging
import time

from ..metrics import TAKEN_OVER
from ..storage.database import reason
from ..storage.postgres import SILENCE, Listener, SharedStorage
from ..storage.thread import StorageThread
from ..tasks import Tasks
from .driver import Driver
from .rooms import Room, Rooms

log = logging.getLogger(__name__)

BEAT = 1.0
"""Seconds between two heartbeats of this process."""

ADOPTED = 50
"""Matches of an ended process that are taken over at a time."""


class Peers:
    """Takes, keeps and gives back the leases of matches, and follows what other processes store.

    Args:
        disk: The database.
        rooms: The matches in memory.
        driver: Plays the bots' turns and watches the clocks of matches whose lease is held.
        tasks: Runs the background work.

    Attributes:
        owned: Names of the matches whose lease this process has.
    """

    def __init__(self, disk: StorageThread, rooms: Rooms, driver: Driver, tasks: Tasks) -> None:
        self._disk = disk
        self._rooms = rooms
        self._driver = driver
        self._tasks = tasks
        self._listener: Listener | None = None
        self._wanted = asyncio.Event()
        self._behind: set[str] = set()
        self._damaged: set[str] = set()
        self._beaten_at = 0.0
        self.owned: set[str] = set()

    @property
    def connected(self) -> bool:
        """Whether this process gets notifications, and others know that it is alive."""
        if self._disk.shared is None:
            return True
        alive = time.monotonic() - self._beaten_at < SILENCE
        return alive and self._listener is not None and self._listener.listening

    def owns(self, room: Room) -> bool:
        """Whether this process drives a match."""
        return room.match.setup.match in self.owned

    def created(self, name: str) -> None:
        """Take note of a match that this process has created, together with its lease."""
        if self._disk.shared is not None:
            self.owned.add(name)

    def added(self, room: Room) -> None:
        """Take the lease of a match that was read from disk, soon and unless somebody has it."""
        if not self.owns(room):
            self._wanted.set()

    def start(self) -> None:
        """Begin to listen and to send heartbeats."""
        shared = self._disk.shared
        assert shared is not None
        self._listener = Listener(shared, self._heard, self._missed)
        self._tasks.start(self._run(shared))

    async def stop(self) -> None:
        """Give all leases back."""
        if self._listener is not None:
            self._listener.close()
        if self._disk.shared is not None:
            try:
                await self._disk.run(self._disk.shared.resign)
            except Exception as error:
                log.warning(
                    "the matches of this process could not be given back: %s", reason(error)
                )

    # --- leases ----------------------------------------------------------------------------------

    async def _run(self, shared: SharedStorage) -> None:
        lost = False
        while True:
            try:
                await self._beat(shared)
                await self._claim(shared)
                await self._adopt(shared)
                await self._release(shared)
                lost = False
            except Exception as error:
                if not lost:
                    log.warning("the other processes cannot be reached: %s", reason(error))
                lost = True
            try:
                async with asyncio.timeout(BEAT):
                    await self._wanted.wait()
            except TimeoutError:
                pass
            self._wanted.clear()

    async def _beat(self, shared: SharedStorage) -> None:
        now = time.monotonic()
        if now - self._beaten_at < BEAT / 2:
            return
        await self._disk.run(shared.beat)
        if now - self._beaten_at > SILENCE:
            # Others may have taken the leases meanwhile.
            self.owned.clear()
        self._beaten_at = now

    async def _claim(self, shared: SharedStorage) -> None:
        """Take the leases of matches in memory that need a driver, and wake it."""
        wanted = {}
        for room in self._rooms:
            if room.needs_driver:
                if self.owns(room):
                    self._wake(room)
                else:
                    seats = room.match.setup.seats
                    wanted[room.match.setup.match] = all(seat.kind == "bot" for seat in seats)
        if not wanted:
            return
        for name in await self._disk.run(shared.claim, wanted):
            self._take(name)
            if name in self._rooms:
                self._driver.take(self._rooms[name])

    async def _adopt(self, shared: SharedStorage) -> None:
        """Continue matches that nobody drives and perhaps nobody asks for."""
        for name in await self._disk.run(shared.adopt, ADOPTED):
            self._take(name)
            # There may be more.
            self._wanted.set()
            try:
                self._driver.take(await self._rooms.find(name))
            except Exception as error:
                # A damaged match must not stop the others, nor be tried again and again.
                self._damaged.add(name)
                log.warning("match %s cannot go on: %s", name, error)

    async def _release(self, shared: SharedStorage) -> None:
        """Give back the leases of matches that are not in memory."""
        gone = {name for name in self.owned - self._damaged if name not in self._rooms}
        if gone:
            self.owned -= gone
            await self._disk.run(shared.release, gone)

    def _take(self, name: str) -> None:
        self.owned.add(name)
        TAKEN_OVER.inc()

    def _wake(self, room: Room) -> None:
        """Start the driver again if it has ended by an error."""
        if room.driver is None and room.alarm is None:
            self._driver.wake(room)

    # --- changes ---------------------------------------------------------------------------------

    def _heard(self, names: list[str]) -> None:
        for name in names:
            if name in self._rooms and name not in self._behind:
                self._behind.add(name)
                self._tasks.start(self._catch_up(name))

    def _missed(self) -> None:
        self._heard([room.match.setup.match for room in self._rooms])

    async def _catch_up(self, name: str) -> None:
        # From here on, a further notification means that there is more to read.
        self._behind.discard(name)
        if name in self._rooms:
            await self._rooms.refresh(self._rooms[name])
