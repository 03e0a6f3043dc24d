"""A match in memory: its lock, its clock, those who look at it, and what goes on by itself."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from ..envs.core.state import NO_SEAT
from .bots import BotLateError, Bots, question
from .gate import Gate
from .match import By, Entry, Match
from .problems import ServingError
from .protocol import View
from .views import Wanted, view
from .watch import Watch

log = logging.getLogger(__name__)

BRIEFLY = 5.0
"""Seconds that a match stays in memory after it was used."""

LAST_RESORT = "random"
"""Plays on for a bot that fails or is late."""


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


class Driver:
    """Lets bots decide and clocks run out.

    Args:
        bots: The server's bots.
        commit: Stores an entry and lets it take effect; the caller holds the room's lock.
        spawn: Starts a task of the server.
    """

    def __init__(
        self,
        bots: Bots,
        commit: Callable[[Room, Entry], Awaitable[None]],
        spawn: Callable[[Any], asyncio.Task[Any]],
    ) -> None:
        self._bots = bots
        self._commit = commit
        self._spawn = spawn
        self._gate = Gate(bots.threads)

    def wake(self, room: Room) -> None:
        """Wind the clock, and let the bots decide if it is their turn."""
        self._wind(room)
        if room.match.bot_to_act and (room.driver is None or room.driver.done()):
            room.driver = self._spawn(self._drive(room))

    def _wind(self, room: Room) -> None:
        match = room.match
        seat = match.to_act
        asked = (seat, match.seats[seat].decisions if seat != NO_SEAT else -1)
        if match.bot_to_act:
            asked = (NO_SEAT, -1)
        if asked != room.asked:
            room.asked = asked
            room.asked_at = asyncio.get_running_loop().time()
        if room.alarm is not None:
            room.alarm.cancel()
            room.alarm = None
        left = room.time_left()
        if left is not None:
            loop = asyncio.get_running_loop()
            room.alarm = loop.call_later(left, lambda: self._spawn(self._expire(room, asked)))

    async def _expire(self, room: Room, asked: tuple[int, int]) -> None:
        """A person's time is up: the server decides."""
        async with room.lock:
            match = room.match
            if room.asked != asked or match.to_act != asked[0] or match.bot_to_act:
                return
            seat, clock, in_secret = asked[0], match.setup.clock, match.in_secret
            spent = asyncio.get_running_loop().time() - room.asked_at
            late = match.late_action()
            if late is None:
                late = await self._decide(room, match.setup.substitute)
            await self._commit(room, Entry("play", seat, late, "clock", round(spent, 3)))
            too_many = clock is not None and match.seats[seat].strikes >= clock.strikes
            if too_many and not in_secret and match.status == "playing":
                await self._commit(room, match.leave(seat, match.setup.substitute))

    async def _drive(self, room: Room) -> None:
        """Let the bots decide until a person is to."""
        try:
            while room.match.bot_to_act:
                async with self._gate.ahead() if room.attended else self._gate.behind():
                    await self._step(room)
        finally:
            room.driver = None

    async def _step(self, room: Room) -> None:
        """One decision of a bot."""
        match = room.match
        async with room.lock:
            if not match.bot_to_act:
                return
            seat = match.to_act
            returning = match.seats[seat].returning
            if returning and not match.in_secret:
                await self._commit(room, Entry("return", seat, by="bot", text=returning))
            chosen = await self._decide(room, match.bot_to_act)
            await self._commit(room, Entry("play", seat, chosen, "bot"))

    async def _decide(self, room: Room, spec: str) -> int:
        """A bot's decision; one that fails or is late is replaced, and everybody is told.

        In secret only the decision is replaced, as the message would tell that there was one.
        """
        match = room.match
        try:
            return (await self._bots.ask(match.game.name, spec, question(match.bot_view()))).action
        except Exception as error:
            if spec == LAST_RESORT:
                raise
            # Too much to do, or not loaded yet: no fault of the bot's own.
            late = isinstance(error, BotLateError) or (
                isinstance(error, ServingError) and error.code in ("too_many", "unavailable")
            )
            if late:
                log.warning("match %s: %s", match.setup.match, error)
            else:
                log.exception("match %s: %s failed", match.setup.match, spec)
        if match.bot_to_act == spec and not match.in_secret:
            by: By = "clock" if late else "bot"
            await self._commit(room, Entry("leave", match.to_act, by=by, text=LAST_RESORT))
        return await self._decide(room, LAST_RESORT)
