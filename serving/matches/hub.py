"""All matches of a server: creating, playing and listing them.

Everything here runs in one event loop. A match is changed under its lock, one entry at a time, and
each entry is stored before it is applied. If several processes share a database, a process may find
when it stores an entry that another one was faster; then it applies what is new and checks its own
entry again. Views are made without the lock, since a match is always
consistent between two steps of the loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from ...envs.core.rng import draw_seed
from ..bots.service import BotService
from ..errors import NoSuchMatchError, ServingError
from ..metrics import COMMITS, DECISIONS, FINISHED, MATCHES, OVERTAKEN
from ..protocol import (
    BotSeat,
    Coaching,
    Hint,
    HumanSeat,
    MatchCreated,
    MatchInfo,
    NewMatch,
    Phrase,
    Review,
    SeatToken,
    Status,
)
from ..settings import Settings
from ..storage.database import Line, OvertakenError, reason
from ..storage.journal import Entry, SeatSetup, Setup, token_hash
from ..storage.postgres import open_storage
from ..storage.thread import StorageThread
from . import ending, quota, rematch
from .coach import Coach
from .driver import Driver
from .match import Match
from .peers import Peers
from .quota import Quota
from .rooms import Room, Rooms, Uptime
from .views import info

log = logging.getLogger(__name__)

Value = TypeVar("Value")

PATIENCE = 3.0
"""Seconds within which the database must answer for the server to be ready."""

ATTEMPTS = 20
"""Times that a request is checked again because another process was faster."""


def summary(match: Match) -> str:
    """A match's entry in the list of matches, as JSON."""
    return info(match).model_dump_json()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Hub(BotService):
    """The matches of a server, besides its games and bots.

    Args:
        settings: The server's settings.

    Attributes:
        disk: The database.
        uptime: The time by which people's clocks run.
        rooms: The matches in memory.
        coach: Advises people and rates their decisions.
        quota: Limits on the number of matches.
        peers: The other processes that share the database, if any.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        limits = settings.limits
        self.disk = StorageThread(open_storage(settings.database))
        self.uptime = Uptime()
        self.rooms = Rooms(
            self.disk,
            self.bots.pool,
            self.tasks,
            limits.matches,
            self.uptime,
            self._added,
            self._applied,
        )
        self.quota = Quota(limits, self.disk, self.rooms, self.tasks)
        self._driver = Driver(self.bots, self._commit, self.tasks.start, self._owns)
        self.coach = Coach(self.bots, self.tasks.start)
        self.peers = Peers(self.disk, self.rooms, self._driver, self.tasks)

    async def start(self) -> None:
        """Continue matches that need no requests, then expire old ones from time to time."""
        self.tasks.start(self.uptime.run())
        if self.disk.shared is not None:
            self.peers.start()
        else:
            for name in await self.disk.run(self.disk.storage.unattended):
                try:
                    await self.room(name)
                except Exception as error:
                    # A damaged match must not stop the others.
                    log.warning("match %s cannot go on: %s", name, error)
        while True:
            try:
                await self.quota.clear()
            except Exception as error:
                log.warning("old matches cannot be looked for: %s", error)
            await asyncio.sleep(quota.CLEARING)

    def close(self) -> None:
        """Answer all waiting requests, as the server is shutting down."""
        super().close()
        for room in self.rooms:
            room.notify()

    async def stop(self) -> None:
        """Stop all work; everything is on disk already."""
        self.close()
        for room in self.rooms:
            if room.alarm is not None:
                room.alarm.cancel()
        await super().stop()
        await self.peers.stop()
        self.disk.close()

    async def unready(self) -> str:
        """Why the server cannot do its work at this moment; empty if it can."""
        if self.closing:
            return "the server is shutting down"
        if not self.peers.connected:
            return "the other processes cannot be reached"
        try:
            async with asyncio.timeout(PATIENCE):
                await self.disk.run(self.disk.storage.ping)
        except Exception as error:
            log.warning("the database does not answer: %s", reason(error))
            return "the database does not answer"
        return ""

    # --- matches ---------------------------------------------------------------------------------

    async def create(self, wanted: NewMatch) -> MatchCreated:
        """Create a match.

        Raises:
            GanglandError: For an unknown game, option or bot.
            ServingError: If seats and game do not fit, there are too many matches, a bot cannot be
                loaded, or the match cannot be stored.
        """
        game = self.game(wanted.game)
        options = game.options.resolve(wanted.options)
        players = game.num_players(options)
        if len(wanted.seats) != players:
            raise ServingError(
                "bad_request", f"seats: {len(wanted.seats)} given, {game.name} needs {players}"
            )
        tokens: dict[int, str] = {}
        seats = []
        for k, seat in enumerate(wanted.seats):
            if isinstance(seat, HumanSeat):
                tokens[k] = secrets.token_urlsafe(24)
                seats.append(SeatSetup("human", seat.name, token=token_hash(tokens[k])))
            elif isinstance(seat, BotSeat):
                seats.append(SeatSetup("bot", bot=self.bots.check(game.name, seat.bot)))
            else:
                seats.append(SeatSetup("open"))
        setup = Setup(
            match=secrets.token_hex(8),
            game=game.name,
            rules_version=game.rules_version,
            options=options,
            seed=draw_seed() if wanted.seed is None else wanted.seed,
            seats=tuple(seats),
            clock=wanted.clock,
            substitute=self.bots.check(game.name, wanted.substitute),
            listed=wanted.listed,
            rated=wanted.seed is None,
            created=_now(),
        )
        await self._open(setup)
        return MatchCreated(
            match=setup.match,
            tokens=[SeatToken(match=setup.match, seat=k, token=t) for k, t in tokens.items()],
        )

    async def _open(self, setup: Setup) -> Room:
        """Load the bots of a new match, and store it."""
        await self.quota.admit(setup)
        bots = [seat.bot for seat in setup.seats if seat.kind == "bot"]
        await self.bots.ready(setup.game, [*bots, setup.substitute])
        match = await self._in_pool(Match, setup)
        try:
            await self.disk.run(
                self.disk.storage.create, setup, match.status, summary(match), quota.now()
            )
        except SQLAlchemyError as error:
            log.error("a match could not be stored: %s", error)
            raise ServingError("unavailable", "the match could not be stored") from error
        self.quota.unfinished += match.status != "finished"
        self.peers.created(setup.match)
        room = Room(match, self.uptime)
        self.rooms.add(room)
        MATCHES.labels(setup.game).inc()
        return room

    async def room(self, name: str) -> Room:
        """The room of a match, read from disk if needed.

        Raises:
            ServingError: ``not_found``, or ``unavailable`` if the rules have changed since.
        """
        return await self.rooms.find(name)

    async def listed(self, game: str | None, status: Status | None, limit: int) -> list[MatchInfo]:
        """Listed matches, newest first."""
        if game is not None and not game.isprintable():
            return []  # PostgreSQL refuses some characters
        rows = await self.disk.run(self.disk.storage.listed, game, status, limit)
        found = []
        for name, now_status, text in rows:
            try:
                row = MatchInfo.model_validate_json(text)
            except ValidationError:
                log.warning("match %s is left out of the list: its row is damaged", name)
            else:
                found.append(row.model_copy(update={"status": now_status}))
        return found

    async def leaderboard(self, game: str, limit: int) -> list[dict[str, Any]]:
        """A game's players by rating, as rows of the table ``players``."""
        return await self.disk.run(self.disk.storage.leaderboard, game, limit)

    # --- requests of people ----------------------------------------------------------------------

    async def act(self, room: Room, seat: int, decision: int, chosen: int | str) -> None:
        """Make a person's decision.

        Raises:
            ServingError: If it is late, repeated, out of turn or illegal.
        """
        await self._change(
            room, lambda: room.match.play(seat, decision, chosen, round(room.spent(), 3))
        )

    async def join(self, room: Room, name: str, seat: int | None) -> SeatToken:
        """Take an open seat."""
        token = secrets.token_urlsafe(24)
        entry = await self._change(room, lambda: room.match.join(name, token, seat))
        return SeatToken(match=room.match.setup.match, seat=entry.seat, token=token)

    async def undo(self, room: Room, seat: int) -> None:
        """Take a person's last decision back."""
        await self._change(room, lambda: room.match.undo(seat))

    async def leave(self, room: Room, seat: int, bot: str | None) -> None:
        """Hand a seat to a bot."""
        match = room.match
        spec = match.setup.substitute if bot is None else self.bots.check(match.game.name, bot)
        match.leave(seat, spec)  # refuse what is impossible before loading the bot
        await self.bots.ready(match.game.name, [spec])
        await self._change(room, lambda: match.leave(seat, spec))

    async def come_back(self, room: Room, seat: int) -> None:
        """Take a seat back from the bot."""
        await self._change(room, lambda: room.match.come_back(seat))

    async def concede(self, room: Room, seat: int) -> None:
        """Give a seat up: it is lost, and a bot plays on."""
        match = room.match
        await self.bots.ready(match.game.name, [match.setup.substitute])
        await self._change(room, lambda: ending.concede(match, seat, match.setup.substitute))

    async def end(self, room: Room, seat: int, agrees: bool) -> None:
        """Note whether a person agrees to end the match; it ends when all who sit there do."""
        await self._change(room, lambda: ending.agree(room.match, seat, agrees))

    async def say(self, room: Room, seat: int, phrase: Phrase) -> None:
        """Say something to the others at the table."""
        await self._change(room, lambda: room.match.say(seat, phrase))

    async def begin(self, room: Room, seat: int) -> None:
        """Begin a rematch without the people who have not come."""
        match = room.match
        await self.bots.ready(match.game.name, [match.setup.substitute])
        await self._change(room, lambda: rematch.begin(match, seat, match.setup.substitute))

    async def rematch(self, room: Room, seat: int) -> str:
        """Ask for a rematch, or sit down at the one that somebody has asked for.

        Returns:
            Name of the rematch. The person has the same seat and the same token there.

        Raises:
            ServingError: If the match is not finished, the seat is not kept any more, or there are
                too many matches.
        """
        match = room.match
        if not match.rematch:
            await self.quota.admit(match.setup)
            name = secrets.token_hex(8)
            try:
                await self._change(room, lambda: rematch.ask(match, seat, name))
            except ServingError:
                if not match.rematch:
                    raise
        async with room.lock:
            found = await self._rematch_of(match)
        own = found.match.seats[seat]
        token = match.seats[seat].token
        if own.open or own.token != token:
            await self._change(found, lambda: rematch.sit_down(found.match, seat, token))
        return match.rematch

    async def _rematch_of(self, match: Match) -> Room:
        """The rematch of a match, created if it does not exist yet."""
        with contextlib.suppress(NoSuchMatchError):
            return await self.room(match.rematch)
        setup = rematch.rematch_of(match, match.rematch, draw_seed(), _now())
        for spec in (setup.substitute, *(seat.bot for seat in setup.seats if seat.bot)):
            self.bots.check(setup.game, spec)
        try:
            return await self._open(setup)
        except ServingError as error:
            with contextlib.suppress(NoSuchMatchError):  # another process was faster
                return await self.room(match.rematch)
            raise error

    async def hint(self, room: Room, seat: int, bot: str | None) -> Hint:
        """A bot's advice for a seat that is to decide, from what the seat knows."""
        spec = self.bots.check(room.match.game.name, bot)
        return await self.coach.advise(room.match, seat, spec)

    async def rate(self, room: Room, seat: int, decision: int | None, bot: str | None) -> Coaching:
        """What a bot thinks of a person's decision."""
        spec = self.bots.judge(room.match.game.name, bot)
        assessment = await self.coach.rate(room.match, seat, decision, spec)
        return Coaching(bot=spec, assessment=assessment)

    async def review(self, room: Room, seat: int, bot: str | None) -> Review:
        """A finished match as a bot sees it from one seat's point of view."""
        spec = self.bots.judge(room.match.game.name, bot)
        return await self.coach.review(room.match, seat, spec)

    # --- changing a match ------------------------------------------------------------------------

    async def _change(self, room: Room, make: Callable[[], Entry]) -> Entry:
        """Commit the entry that a person asks for.

        Args:
            room: The match.
            make: Checks the request in the current position and makes the entry.

        Raises:
            ServingError: If the request cannot be met, or the entry cannot be stored.
        """
        async with room.lock:
            for _ in range(ATTEMPTS):
                at = room.match.entries
                try:
                    entry = make()
                except ServingError:
                    # It may fit a position that another process has stored just now.
                    if await self.rooms.refresh(room):
                        continue
                    raise
                try:
                    await self._commit(room, entry, at)
                except OvertakenError:
                    continue
                return entry
        raise ServingError("unavailable", "the match changes too often; try again")

    async def _commit(self, room: Room, entry: Entry, at: int) -> None:
        """Store an entry, then apply it; the caller holds the lock.

        Args:
            room: The match.
            entry: The entry.
            at: Number of entries upon which it was decided.

        Raises:
            OvertakenError: If there are more entries by now; they have been applied.
            ServingError: ``unavailable`` if it cannot be stored.
        """
        match = room.match
        if match.entries != at:
            OVERTAKEN.inc()
            raise OvertakenError("the position has changed")
        if self.disk.shared is not None:
            entry = dataclasses.replace(entry, at=round(time.time(), 6))
        before = match.status
        status, outcomes = ending.foresee(match, entry)
        line = Line(
            match.setup.match,
            at,
            entry,
            status,
            match.game.name,
            tuple(outcomes),
            begins=(entry.kind, entry.by) == ("play", "human")
            and not match.seats[entry.seat].decisions,
        )
        try:
            with COMMITS.time():
                await self.disk.append(line)
        except OvertakenError:
            OVERTAKEN.inc()
            # If the connection broke, the entry that was found there may be this one.
            if (await self.rooms.refresh(room))[:1] != [entry]:
                raise
        except Exception as error:
            log.exception("match %s: an entry could not be stored", match.setup.match)
            self.rooms.drop(room)
            raise ServingError("unavailable", "the match could not be stored") from error
        if match.entries == at:  # else a request that came meanwhile has read it from disk
            match.apply(entry)
            self._applied(room, before)
        if entry.kind == "play":
            DECISIONS.labels(match.game.name, entry.by).inc()
        if status == "finished" and before != status:
            FINISHED.labels(match.game.name).inc()
        if entry.kind not in ("play", "say") or match.status != before:
            # Needed by the list of matches only: it may be stored later, or lost in a crash.
            self.tasks.start(self._summarise(match.setup.match, summary(match)))

    def _applied(self, room: Room, before: Status) -> None:
        """Take note of an entry that was applied."""
        if before != "finished" and room.match.status == "finished":
            self.quota.finished(room.match)
        self._changed(room)

    async def _summarise(self, name: str, text: str) -> None:
        try:
            await self.disk.run(self.disk.storage.summarise, name, text)
        except SQLAlchemyError as error:
            log.warning("match %s: the list of matches could not be changed: %s", name, error)

    def _owns(self, room: Room) -> bool:
        return self.disk.shared is None or self.peers.owns(room)

    def _added(self, room: Room) -> None:
        """Take note of a match that was created or read from disk."""
        self.quota.note(room.match)
        self._changed(room)
        self.peers.added(room)

    def _changed(self, room: Room) -> None:
        """Notify the listeners, start the clock, wake the bots."""
        room.used_at = time.monotonic()
        self.rooms.used.add(room.match.setup.match)
        room.notify()
        self._driver.wake(room)

    async def wait_until(self, room: Room, met: Callable[[], bool], seconds: float) -> None:
        """Wait until a condition holds, time runs out, or the server shuts down."""
        if met():
            return
        changed = asyncio.Event()
        room.listeners.add(changed.set)
        try:
            async with asyncio.timeout(min(seconds, self.settings.limits.wait)):
                while not (met() or room.gone or self.closing):
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            pass
        finally:
            room.listeners.discard(changed.set)

    async def settled(self, room: Room, viewer: int | None) -> None:
        """Wait until no bot is to decide without the viewer knowing; see :meth:`Match.is_held`.

        A bot that takes longer than a request may wait is noticed, as a person is.
        """
        await self.wait_until(
            room, lambda: not room.match.is_held(viewer), self.settings.limits.wait
        )

    async def _in_pool(self, work: Callable[..., Value], *arguments: Any) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self.bots.pool, work, *arguments)
