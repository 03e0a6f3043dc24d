"""All matches of a server: created, loaded, driven by bots and clocks, watched.

Everything here runs in one event loop; a match is changed under its lock, entry by entry, each
stored before it takes effect. Views are read without the lock: between two steps of the loop a
match is always whole.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from ..envs import game_names, load
from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.rng import draw_seed
from ..envs.registry import UnknownGameError
from .batching import Batcher, Overloaded
from .bots import Bots, question
from .match import Entry, Match, SeatSetup, Setup, restore, token_hash
from .problems import ServingError
from .protocol import (
    BotSeat,
    Hint,
    HumanSeat,
    MatchCreated,
    MatchInfo,
    NewMatch,
    SeatToken,
    Status,
    Thought,
)
from .room import Driver, Room
from .sandbox import Job, Sandbox
from .settings import Settings
from .storage import Line, Outcome, Storage
from .views import action, info

log = logging.getLogger(__name__)

CLEARING = 60.0
"""Seconds between looking for matches that have expired."""

GIVE_WAY = 600.0
"""Seconds that nobody must have looked at a match before it gives way to new ones."""

Value = TypeVar("Value")


def now() -> float:
    """Seconds since 1970: ages of matches are kept on the disk."""
    return time.time()


def summary(match: Match) -> str:
    """What the list of matches shows of a match, as JSON."""
    return info(match).model_dump_json()


class Hub:
    """The matches of a server.

    Args:
        settings: What the operator decided.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.bots = Bots(settings.checkpoints, settings.bots, settings.limits.bot)
        self.storage = Storage(settings.database)
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="storage")
        self._writer: Batcher[Line, None] = Batcher(self._write, self._disk, size=256)
        self._sandbox = Sandbox(settings.limits.bot)
        self._judge = ThreadPoolExecutor(1, thread_name_prefix="sandbox")
        self._judging: Batcher[Job, dict[str, Any]] = Batcher(
            self._sandbox.run, self._judge, size=64, waiting=1000
        )
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._driver = Driver(self.bots, self._commit, self._spawn)
        self._unfinished = self.storage.count("playing") + self.storage.count("waiting")
        self._of_bots: set[str] = set()
        self._touched: set[str] = set()
        self._clearing: asyncio.Future[None] | None = None
        self._cleared_at = 0.0
        self.closing = False

    @property
    def games(self) -> list[str]:
        """Names of the games that are served."""
        return list(self.settings.games) or game_names()

    def game(self, name: str) -> Game:
        """A game that is served.

        Raises:
            UnknownGameError: Naming the games that are.
        """
        if name not in self.games:
            raise UnknownGameError(f"no game {name!r}: there are {', '.join(self.games)}")
        return load(name)

    async def start(self) -> None:
        """Go on with the matches that need nobody's call; let old ones expire, now and then."""
        for name in await self._in_disk_thread(self.storage.unattended):
            try:
                await self.room(name)
            except Exception as error:
                # Whatever one match holds, the others go on.
                log.warning("match %s cannot go on: %s", name, error)
        while True:
            try:
                await self.clear()
            except Exception as error:
                log.warning("old matches cannot be looked for: %s", error)
            await asyncio.sleep(CLEARING)

    def close(self) -> None:
        """Tell everybody who waits that the server ends."""
        self.closing = True
        for room in list(self._rooms.values()):
            room.tell()

    async def stop(self) -> None:
        """End what runs; everything is on the disk already."""
        self.close()
        for room in self._rooms.values():
            if room.alarm is not None:
                room.alarm.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.bots.close()
        self._judge.shutdown(cancel_futures=True, wait=False)
        self._sandbox.close()
        self._disk.shutdown()
        self.storage.close()

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
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        await self._admit(setup)
        match = await self._in_pool(Match, setup)
        try:
            await self._in_disk_thread(
                self.storage.create, setup, match.status, summary(match), now()
            )
        except SQLAlchemyError as error:
            log.error("a match could not be stored: %s", error)
            raise ServingError("unavailable", "the match could not be stored") from error
        self._unfinished += match.status != "finished"
        self._add(Room(match))
        return MatchCreated(
            match=setup.match,
            tokens=[SeatToken(match=setup.match, seat=k, token=t) for k, t in tokens.items()],
        )

    async def _admit(self, setup: Setup) -> None:
        """Whether there is room for a match; its bots are loaded then."""
        limits = self.settings.limits
        alone = all(seat.kind == "bot" for seat in setup.seats)
        if alone and len(self._of_bots) >= limits.bot_matches:
            raise ServingError(
                "too_many",
                f"{limits.bot_matches} matches of bots alone are running: wait for one to end",
                retry_after=10,
            )
        if self._unfinished >= limits.unfinished and now() > self._cleared_at + CLEARING / 10:
            await self.clear()
        if self._unfinished >= limits.unfinished:
            raise ServingError("unavailable", "there are too many unfinished matches")
        bots = [seat.bot for seat in setup.seats if seat.kind == "bot"]
        await self.bots.ready(setup.game, [*bots, setup.substitute])

    async def clear(self) -> None:
        """Mark the matches that have expired, and some more if there are too many."""
        if self._clearing is None or self._clearing.done():
            self._clearing = self._spawn(self._clear())
        await asyncio.shield(self._clearing)

    async def _clear(self) -> None:
        limits, time_ = self.settings.limits, now()
        self._cleared_at = time_
        watched = {name for name, room in self._rooms.items() if room.listeners}
        touched, self._touched = self._touched | watched, set()
        try:
            await self._in_disk_thread(self.storage.touch, touched, time_)
        except SQLAlchemyError:
            self._touched |= touched
            raise
        gone = await self._in_disk_thread(
            self.storage.expire,
            time_ - limits.waiting_age if limits.waiting_age else None,
            time_ - limits.unfinished_age if limits.unfinished_age else None,
        )
        if self._unfinished - len(gone) >= limits.unfinished:
            spare = max(1, limits.unfinished // 100)
            gone += await self._in_disk_thread(self.storage.give_way, time_ - GIVE_WAY, spare)
        self._unfinished -= len(gone)
        for name in gone:
            self._of_bots.discard(name)
            if name in self._rooms:
                self._rooms[name].match.expired = True
                self._drop(self._rooms[name])

    async def room(self, name: str) -> Room:
        """A match, from memory or from the disk.

        Raises:
            ServingError: ``not_found``, or ``unavailable`` if the rules have changed since.
        """
        if name not in self._rooms:
            if name not in self._loading:
                self._loading[name] = self._spawn(self._load(name))
            try:
                return await asyncio.shield(self._loading[name])
            finally:
                self._loading.pop(name, None)
        room = self._rooms[name]
        room.used_at = time.monotonic()
        self._touched.add(name)
        self._rooms.move_to_end(name)
        return room

    async def listed(self, game: str | None, status: Status | None, limit: int) -> list[MatchInfo]:
        """Listed matches, the newest first."""
        rows = await self._in_disk_thread(self.storage.listed, game, status, limit)
        found = []
        for name, now_status, text in rows:
            try:
                row = MatchInfo.model_validate_json(text)
            except ValidationError:
                log.warning("match %s is left out of the list: its row is damaged", name)
            else:
                found.append(row.model_copy(update={"status": now_status}))
        return found

    async def ask_sandbox(self, job: Job) -> dict[str, Any]:
        """A bot's answer about a posted position.

        Raises:
            ServingError: ``bad_request`` if the position makes no sense.
        """
        try:
            return await self._judging.submit(job)
        except Overloaded as error:
            raise ServingError("too_many", "too many positions wait", retry_after=1) from error

    async def leaderboard(self, game: str, limit: int) -> list[dict[str, Any]]:
        """Rows of a game's players by rating."""
        return await self._in_disk_thread(self.storage.leaderboard, game, limit)

    # --- what people do --------------------------------------------------------------------------

    async def act(self, room: Room, seat: int, decision: int, chosen: int | str) -> None:
        """A person's decision.

        Raises:
            ServingError: If it is late, twice, out of turn or illegal.
        """
        async with room.lock:
            spent = asyncio.get_running_loop().time() - room.asked_at
            await self._commit(room, room.match.play(seat, decision, chosen, round(spent, 3)))

    async def join(self, room: Room, name: str, seat: int | None) -> SeatToken:
        """Take an open seat."""
        token = secrets.token_urlsafe(24)
        async with room.lock:
            entry = room.match.join(name, token, seat)
            await self._commit(room, entry)
        return SeatToken(match=room.match.setup.match, seat=entry.seat, token=token)

    async def undo(self, room: Room, seat: int) -> None:
        """Take a decision back."""
        async with room.lock:
            await self._commit(room, room.match.undo(seat))

    async def leave(self, room: Room, seat: int, bot: str | None) -> None:
        """Hand a seat to a bot."""
        match = room.match
        spec = match.setup.substitute if bot is None else self.bots.check(match.game.name, bot)
        match.leave(seat, spec)  # what cannot be is said before the bot is loaded
        await self.bots.ready(match.game.name, [spec])
        async with room.lock:
            await self._commit(room, match.leave(seat, spec))

    async def come_back(self, room: Room, seat: int) -> None:
        """Take a seat back from the bot."""
        async with room.lock:
            await self._commit(room, room.match.come_back(seat))

    async def hint(self, room: Room, seat: int, bot: str | None) -> Hint:
        """What a bot thinks of the decision before a seat, from what the seat knows."""
        match = room.match
        spec = self.bots.check(match.game.name, bot)
        if match.status != "playing" or match.to_act != seat or match.seats[seat].bot:
            raise ServingError("not_your_turn", f"seat {seat} is not to decide now")
        decision, seen = match.seats[seat].decisions, match.bot_view()
        answer = await self.bots.ask(match.game.name, spec, question(seen, explain=True))
        values = answer.values
        if values is None:
            thinker = await self._in_pool(self.bots.bot, match.game.name, spec)
            values = await self._in_pool(thinker.values, seen)
        chances = answer.probabilities
        thoughts = [
            Thought(
                **action(match.game, seen.known, a).model_dump(),
                probability=None if chances is None else float(chances[a]),
            )
            for a in seen.legal_actions
        ]
        thoughts.sort(key=lambda t: (-(t.probability or 0.0), t.id != answer.action, t.id))
        return Hint(
            bot=spec,
            decision=decision,
            action=action(match.game, seen.known, answer.action),
            thoughts=thoughts,
            values=values,
        )

    # --- what goes on by itself ------------------------------------------------------------------

    async def _commit(self, room: Room, entry: Entry) -> None:
        """Store an entry, then let it take effect; the caller holds the lock."""
        match = room.match
        before = match.status
        status, outcomes = self._foresee(match, entry)
        line = Line(
            match.setup.match,
            match.entries,
            entry,
            status,
            match.game.name,
            tuple(outcomes),
            begins=(entry.kind, entry.by) == ("play", "human")
            and not match.seats[entry.seat].decisions,
        )
        try:
            await asyncio.shield(self._writer.submit(line))
        except Exception as error:
            log.exception("match %s: an entry could not be stored", match.setup.match)
            self._drop(room)
            raise ServingError("unavailable", "the match could not be stored") from error
        match.apply(entry)
        if before != "finished" and match.status == "finished":
            self._unfinished -= 1
            self._of_bots.discard(match.setup.match)
        if entry.kind != "play" or match.status != before:
            # Only the list of matches reads it: it may come after, and be lost with the process.
            self._spawn(self._summarise(match.setup.match, summary(match)))
        self._changed(room)

    async def _summarise(self, name: str, text: str) -> None:
        try:
            await self._in_disk_thread(self.storage.summarise, name, text)
        except SQLAlchemyError as error:
            log.warning("match %s: the list of matches could not be changed: %s", name, error)

    def _foresee(self, match: Match, entry: Entry) -> tuple[Status, list[Outcome]]:
        """Status and rated outcomes of a match after an entry, before it takes effect."""
        if entry.kind == "join":
            return ("waiting" if sum(s.open for s in match.seats) > 1 else "playing"), []
        if entry.kind != "play":
            return match.status, []
        after = match.game.clone(match.state)
        match.game.apply(after, entry.action)
        if not after.over:
            return "playing", []
        result = match.game.result(after)
        outcomes = [
            Outcome(
                seat.player or seat.bot,
                not seat.player,
                result.places[k],
                result.win_shares[k],
            )
            for k, seat in enumerate(match.seats)
        ]
        return "finished", outcomes if match.rated else []

    def _changed(self, room: Room) -> None:
        """Tell who looks, wind the clock, wake the bots."""
        room.used_at = time.monotonic()
        self._touched.add(room.match.setup.match)
        room.tell()
        self._driver.wake(room)

    # --- memory and disk -------------------------------------------------------------------------

    async def _load(self, name: str) -> Room:
        try:
            found = await self._in_disk_thread(self.storage.read, name)
            if found is None:
                raise ServingError("not_found", "there is no such match")
            match = await self._in_pool(restore, *found)
            match.expired = await self._in_disk_thread(self.storage.has_expired, name)
        except (ServingError, UnknownGameError):
            raise
        except Exception as error:
            log.warning("match %s is damaged: %s: %s", name, type(error).__name__, error)
            raise ServingError("unavailable", "the match cannot be read") from error
        room = Room(match)
        self._add(room)
        return room

    def _add(self, room: Room) -> None:
        match = room.match
        self._rooms[match.setup.match] = room
        if match.status == "playing" and all(seat.kind == "bot" for seat in match.setup.seats):
            self._of_bots.add(match.setup.match)
        self._changed(room)
        if len(self._rooms) > self.settings.limits.matches:
            self._make_space()

    def _make_space(self) -> None:
        """Drop the least recently used matches that nobody looks at, a tenth more than needed."""
        wanted = len(self._rooms) - int(0.9 * self.settings.limits.matches)
        idle = [room for room in self._rooms.values() if room.idle]
        for room in idle[: max(0, wanted)]:
            self._drop(room)

    def _drop(self, room: Room) -> None:
        """Forget a match in memory; the next call reads it from the disk."""
        if room.alarm is not None:
            room.alarm.cancel()
        name = room.match.setup.match
        if self._rooms.get(name) is room:
            del self._rooms[name]
        room.gone = True
        room.tell()

    def _write(self, lines: Sequence[Line]) -> list[Exception | None]:
        """Store entries together; if that fails, each by itself, so that one cannot hurt others."""
        try:
            self.storage.append(lines)
        except Exception as error:
            if len(lines) == 1:
                return [error]
            return [self._write([line])[0] for line in lines]
        return [None] * len(lines)

    async def _in_pool(self, work: Callable[..., Value], *arguments: Any) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self.bots.pool, work, *arguments)

    async def _in_disk_thread(self, work: Callable[..., Value], *arguments: Any) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._disk, work, *arguments)

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, GanglandError):
            log.error("a task of the server failed", exc_info=error)
