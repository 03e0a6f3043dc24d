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


class Room:
    """A match in memory with its lock, its clock and its listeners.

    Attributes:
        match: The match.
        lock: Held while the match is changed.
        listeners: Called after every change.
        driver: Task in which bots decide, while it runs.
        alarm: Timer of the deciding person's clock.
        asked: Seat that was asked last, and the number of its decision.
        asked_at: When it was asked, by the event loop's clock.
        behind: Seconds that have passed since the latest entry was stored, if another process
            stored it; else 0.
        used_at: When the room was last used (``time.monotonic``).
        gone: Whether it was dropped from memory; the match then needs a new room.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lock = asyncio.Lock()
        self.listeners: set[Callable[[], None]] = set()
        self.driver: asyncio.Task[None] | None = None
        self.alarm: asyncio.TimerHandle | None = None
        self.asked: tuple[int, int] = (NO_SEAT, -1)
        self.asked_at = 0.0
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
        return max(0.0, left - (asyncio.get_running_loop().time() - self.asked_at))

    def view(self, viewer: int | None, wanted: Wanted) -> View:
        """The match as a viewer may see it."""
        made = view(self.match, viewer, wanted, self.time_left())
        if wanted.svg:
            PICTURES.keep(self.match.watch(viewer))
        return made
