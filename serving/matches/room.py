"""A match in memory: its lock, its clock, and those who look at it."""

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
"""Seconds that a match stays in memory after it was used."""


class Pictures:
    """The viewers whose latest pictures are kept: the last ones that looked.

    A picture takes up to 100 KB, and a server has thousands of viewers.

    Args:
        most: How many.
    """

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._watches: OrderedDict[int, Watch] = OrderedDict()

    def keep(self, watch: Watch) -> None:
        """A viewer has got a picture."""
        self._watches[id(watch)] = watch
        self._watches.move_to_end(id(watch))
        while len(self._watches) > self._most:
            self._watches.popitem(last=False)[1].forget_picture()


PICTURES = Pictures()


class Room:
    """A match in memory with its lock, its clock and those who look at it.

    Attributes:
        match: The match.
        lock: Held while the match is changed.
        listeners: Called after every change.
        asked_at: When the deciding person was asked, by the loop's clock.
        used_at: When somebody last dealt with it.
        gone: Whether it has left the memory; the hub then has another room, or will.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lock = asyncio.Lock()
        self.listeners: set[Callable[[], None]] = set()
        self.driver: asyncio.Task[None] | None = None
        self.alarm: asyncio.TimerHandle | None = None
        self.asked: tuple[int, int] = (NO_SEAT, -1)
        self.asked_at = 0.0
        self.used_at = time.monotonic()
        self.gone = False

    @property
    def idle(self) -> bool:
        """Whether it may leave the memory: nobody looks, nothing runs, nobody was here just now."""
        busy = self.listeners or self.driver or self.alarm or self.lock.locked()
        return not busy and time.monotonic() - self.used_at > BRIEFLY

    @property
    def attended(self) -> bool:
        """Whether a person plays, who would have to wait for the bots."""
        return any(seat.token and not seat.bot for seat in self.match.seats)

    def tell(self) -> None:
        """Call all who look."""
        for listener in list(self.listeners):
            listener()

    def time_left(self) -> float | None:
        """Seconds left to the deciding person."""
        left = self.match.time_left()
        if left is None:
            return None
        return max(0.0, left - (asyncio.get_running_loop().time() - self.asked_at))

    def view(self, viewer: int | None, wanted: Wanted) -> View:
        """The match as a viewer may know it."""
        made = view(self.match, viewer, wanted, self.time_left())
        if wanted.svg:
            PICTURES.keep(self.match.watch(viewer))
        return made
