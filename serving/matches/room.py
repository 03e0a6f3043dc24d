"""A match in memory, with its lock, its clock and its listeners."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable

from ...envs.core.state import NO_SEAT
from ..protocol import View
from .match import Match
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
