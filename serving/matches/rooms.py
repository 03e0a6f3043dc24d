"""The matches in memory, each with its lock, its clock and its listeners.

Others are read from disk when they are asked for.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor

from sqlalchemy.exc import SQLAlchemyError

from ...envs.core.state import NO_SEAT
from ...envs.registry import UnknownGameError
from ..errors import NoSuchMatchError, ServingError
from ..metrics import IN_MEMORY
from ..protocol import Status, View
from ..storage.database import reason
from ..storage.journal import ASKING, Entry
from ..storage.thread import StorageThread
from ..tasks import Tasks
from .match import Match, restore
from .views import Wanted, view
from .watch import Watch

BRIEFLY = 5.0
"""Seconds for which a match stays in memory after it was used."""

STEP, LONGEST_STEP = 1.0, 2.0
"""Seconds between two readings of the server's uptime, and the most of them that count."""

NOBODY = (NO_SEAT, -1)
"""What stands for a seat and the number of its decision when no person is to decide."""


class Pictures:
    """Keeps the latest pictures of the viewers that looked last, and frees those of others.

    A picture takes up to 115 KB, and a server has thousands of viewers.

    Args:
        most: Number of viewers whose pictures are kept.
    """

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._watches: OrderedDict[int, Watch] = OrderedDict()

    def keep(self, watch: Watch) -> None:
        """Note that a viewer was sent a picture."""
        self._watches[id(watch)] = watch
        self._watches.move_to_end(id(watch))
        while len(self._watches) > self._most:
            self._watches.popitem(last=False)[1].forget_picture()


PICTURES = Pictures()


class Uptime:
    """Seconds that a server has been able to take decisions; people's clocks run by it.

    While the process is stopped, the machine sleeps or the event loop is blocked, nobody can
    decide: of what passes between two readings, :data:`LONGEST_STEP` seconds count at most. The
    server reads it every :data:`STEP` seconds.
    """

    def __init__(self) -> None:
        self._counted = 0.0
        self._read_at: float | None = None

    def now(self) -> float:
        """Seconds since the first reading, without standstills."""
        at = asyncio.get_running_loop().time()
        if self._read_at is not None:
            self._counted += min(at - self._read_at, LONGEST_STEP)
        self._read_at = at
        return self._counted

    async def run(self) -> None:
        """Read it for ever."""
        while True:
            self.now()
            await asyncio.sleep(STEP)


class Room:
    """A match in memory with its lock, its clock and its listeners.

    Args:
        match: The match.
        uptime: The server's.

    Attributes:
        match: The match.
        lock: Held while the match is changed.
        listeners: Called after every change.
        driver: Task in which bots decide, while it runs.
        alarm: Timer of the deciding person's clock.
        asked: Seat of the person who was asked last, and the number of the decision;
            ``(NO_SEAT, -1)`` while no person is to decide.
        asked_at: The server's uptime when it was asked, minus what the person had used before.
        used: The decision at which a person left, and the seconds used by then, in case that the
            person returns to it.
        behind: Seconds that have passed since the latest entry was stored, if another process
            stored it; else 0.
        used_at: When the room was last used (``time.monotonic``).
        gone: Whether it was dropped from memory; the match then needs a new room.
    """

    def __init__(self, match: Match, uptime: Uptime | None = None) -> None:
        self.match = match
        self.uptime = uptime or Uptime()
        self.lock = asyncio.Lock()
        self.listeners: set[Callable[[], None]] = set()
        self.driver: asyncio.Task[None] | None = None
        self.alarm: asyncio.TimerHandle | None = None
        self.asked = NOBODY
        self.asked_at = 0.0
        self.used: tuple[tuple[int, int], float] = (NOBODY, 0.0)
        self.behind = 0.0
        self.used_at = time.monotonic()
        self.gone = False

    @property
    def idle(self) -> bool:
        """Whether it can be dropped: nobody listens, nothing runs, and it was not used just now."""
        busy = self.listeners or self.driver or self.alarm or self.lock.locked()
        return not busy and time.monotonic() - self.used_at > BRIEFLY

    @property
    def attended(self) -> bool:
        """Whether a person is playing, who would have to wait for the bots."""
        return any(seat.token and not seat.bot for seat in self.match.seats)

    @property
    def needs_driver(self) -> bool:
        """Whether the match goes on without requests: a bot is to decide, or a clock runs."""
        return bool(self.match.bot_to_act) or self.match.time_left() is not None

    def notify(self) -> None:
        """Notify all listeners."""
        for listener in list(self.listeners):
            listener()

    def time_left(self) -> float | None:
        """Seconds that the deciding person has left; ``None`` without limits."""
        left = self.match.time_left()
        if left is None:
            return None
        return max(0.0, left - self.spent())

    def spent(self) -> float:
        """Seconds since the deciding person was asked, without standstills of the server."""
        return self.uptime.now() - self.asked_at

    def ask(self) -> None:
        """Take note of who is to decide; a person's time begins when it is a new decision."""
        match, now = self.match, self.uptime.now()
        seat = match.to_act
        asked = (seat, match.seats[seat].decisions) if seat != NO_SEAT else NOBODY
        if match.bot_to_act:
            if asked == self.asked:
                self.used = asked, now - self.asked_at
            self.asked = NOBODY
        elif asked != self.asked:
            used = self.used[1] if asked == self.used[0] else 0.0
            self.asked, self.asked_at = asked, now - max(self.behind, used)

    def begin_again(self) -> None:
        """Let the clock of the pending decision start again."""
        self.asked, self.used = NOBODY, (NOBODY, 0.0)

    def view(self, viewer: int | None, wanted: Wanted) -> View:
        """The match as a viewer may see it."""
        made = view(self.match, viewer, wanted, self.time_left())
        if wanted.svg:
            PICTURES.keep(self.match.watch(viewer))
        return made


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
            room.behind = max(0.0, time.time() - max(leased_at, asked_at(match, found[1])))
        self.add(room)
        room.behind = 0.0
        # Notifications that came before the room was added have been ignored.
        await self.refresh(room)
        return room


def asked_at(match: Match, journal: Sequence[Entry]) -> float:
    """When the deciding seat was asked, in seconds since 1970, as far as the journal holds it."""
    for entry in reversed(journal):
        if entry.kind in ASKING or (entry.kind == "return" and entry.seat == match.to_act):
            return entry.at
    return 0.0
