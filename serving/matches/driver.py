"""What happens in a match without a request: bots decide and clocks run out.

Matches with people go before matches of bots only.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from ..bots.registry import BotLateError, Bots
from ..errors import ServingError
from ..storage.database import OvertakenError
from ..storage.journal import By, Entry
from .rooms import Room

log = logging.getLogger(__name__)

LAST_RESORT = "random"
"""Bot that takes over when another one fails or is late."""


class Driver:
    """Lets bots decide and enforces clocks.

    Args:
        bots: The server's bots.
        commit: Stores and applies an entry, given the number of entries upon which it was
            decided; the caller holds the room's lock.
        spawn: Starts a background task.
        owns: Whether this process, and no other one, lets the bots of a match decide and watches
            its clock.
    """

    def __init__(
        self,
        bots: Bots,
        commit: Callable[[Room, Entry, int], Awaitable[None]],
        spawn: Callable[[Any], asyncio.Task[Any]],
        owns: Callable[[Room], bool],
    ) -> None:
        self._bots = bots
        self._commit = commit
        self._spawn = spawn
        self._owns = owns
        self._gate = Gate(bots.threads)

    def wake(self, room: Room) -> None:
        """Start the clock of the deciding person, or let the bots decide if it is their turn."""
        self._start_clock(room)
        if not self._owns(room):
            return
        if room.match.bot_to_act and (room.driver is None or room.driver.done()):
            room.driver = self._spawn(self._drive(room))

    def take(self, room: Room) -> None:
        """Drive a match that nobody has driven, perhaps for a while; its clock starts again."""
        room.begin_again()
        self.wake(room)

    def _start_clock(self, room: Room) -> None:
        room.ask()
        asked = room.asked
        if room.alarm is not None:
            room.alarm.cancel()
            room.alarm = None
        left = room.time_left()
        if left is not None and self._owns(room):
            loop = asyncio.get_running_loop()
            room.alarm = loop.call_later(left, lambda: self._spawn(self._expire(room, asked)))

    async def _expire(self, room: Room, asked: tuple[int, int]) -> None:
        """Decide for a person whose time is up."""
        with contextlib.suppress(OvertakenError):
            await self._decide_late(room, asked)

    async def _decide_late(self, room: Room, asked: tuple[int, int]) -> None:
        async with room.lock:
            match = room.match
            if room.asked != asked or match.to_act != asked[0] or match.bot_to_act:
                return
            seat, clock, in_secret = asked[0], match.setup.clock, match.in_secret
            if room.time_left():  # the server has stood still meanwhile
                self._start_clock(room)
                return
            spent = room.spent()
            late, at = match.late_action(), match.entries
            if late is None:
                late, at = await self._decide(room, match.setup.substitute)
            await self._go_on(room, Entry("play", seat, late, "clock", round(spent, 3)), at)
            too_many = clock is not None and match.seats[seat].strikes >= clock.strikes
            if too_many and not in_secret and match.status == "playing":
                await self._commit(room, match.leave(seat, match.setup.substitute), match.entries)

    async def _drive(self, room: Room) -> None:
        """Let bots decide until it is a person's turn."""
        try:
            while room.match.bot_to_act and self._owns(room):
                async with self._gate.ahead() if room.attended else self._gate.behind():
                    # If another process was faster, the match has changed: look again.
                    with contextlib.suppress(OvertakenError):
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
                entry = Entry("return", seat, by="bot", text=returning)
                await self._go_on(room, entry, match.entries)
            chosen, at = await self._decide(room, match.bot_to_act)
            await self._commit(room, Entry("play", seat, chosen, "bot"), at)

    async def _go_on(self, room: Room, entry: Entry, at: int) -> None:
        """Commit an entry after which there is more to do in the same position.

        Raises:
            OvertakenError: If another process has changed the match before or after it.
        """
        await self._commit(room, entry, at)
        if room.match.entries != at + 1:
            raise OvertakenError("the position has changed")

    async def _decide(self, room: Room, spec: str) -> tuple[int, int]:
        """A bot's decision, and the number of entries upon which it decided.

        A bot that fails or is late is replaced, and everybody is notified. In a secret decision the
        bot keeps its seat and :data:`LAST_RESORT` decides for it this once: the message would
        reveal that there was a decision.
        """
        match, at = room.match, room.match.entries
        try:
            view = match.bot_view(history=await self._bots.remembers(match.game.name, spec))
            return (await self._bots.ask(match.game.name, spec, view)).action, at
        except Exception as error:
            if spec == LAST_RESORT:
                raise
            # Overloaded, or not loaded yet: that is not the bot's fault.
            late = isinstance(error, BotLateError) or (
                isinstance(error, ServingError) and error.code in ("too_many", "unavailable")
            )
            if late:
                log.warning("match %s: %s", match.setup.match, error)
            else:
                log.exception("match %s: %s failed", match.setup.match, spec)
        if match.entries != at:
            raise OvertakenError("the position has changed")
        if match.bot_to_act == spec and not match.in_secret:
            by: By = "clock" if late else "bot"
            await self._go_on(room, Entry("leave", match.to_act, by=by, text=LAST_RESORT), at)
        return await self._decide(room, LAST_RESORT)


class Gate:
    """Lets prioritised work through at once, and other work while a thread is free.

    Args:
        threads: Number of threads that do the work.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._most_behind = max(1, threads - 1)
        self._ahead = 0
        self._behind = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def ahead(self) -> AsyncIterator[None]:
        """Prioritised work: does not wait."""
        self._ahead += 1
        try:
            yield
        finally:
            self._ahead -= 1
            self._admit()

    @asynccontextmanager
    async def behind(self) -> AsyncIterator[None]:
        """Other work: waits in order of arrival until prioritised work leaves a thread free."""
        waiting = asyncio.get_running_loop().create_future()
        self._queue.append(waiting)
        self._admit()
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.cancelled():
                self._queue.remove(waiting)
            else:
                self._leave()
            raise
        try:
            yield
        finally:
            self._leave()

    def _leave(self) -> None:
        self._behind -= 1
        self._admit()

    def _admit(self) -> None:
        while self._queue and self._ahead < self._threads and self._behind < self._most_behind:
            self._behind += 1
            self._queue.popleft().set_result(None)
