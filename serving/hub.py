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

from ..envs import game_names, load
from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.rng import draw_seed
from ..envs.core.state import NO_SEAT
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
    View,
)
from .sandbox import Job, Sandbox
from .settings import Settings
from .storage import Line, Outcome, Storage
from .views import Wanted, action, info, view

log = logging.getLogger(__name__)

BRIEFLY = 5.0
"""Seconds that a match stays in memory after it was used."""

LAST_RESORT = "random"
"""Plays on for a bot that fails."""

Value = TypeVar("Value")


def summary(match: Match) -> str:
    """What the list of matches shows of a match, as JSON."""
    return info(match).model_dump_json()


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
        return view(self.match, viewer, wanted, self.time_left())


class Hub:
    """The matches of a server.

    Args:
        settings: What the operator decided.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.bots = Bots(settings.checkpoints, settings.bots)
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
        self._unfinished = self.storage.count("playing") + self.storage.count("waiting")

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
        """Go on with the matches that need nobody's call."""
        for name in await self._in_disk_thread(self.storage.unattended):
            try:
                await self.room(name)
            except GanglandError as error:
                log.warning("match %s cannot go on: %s", name, error)

    async def stop(self) -> None:
        """End what runs; everything is on the disk already."""
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
            ServingError: If seats and game do not fit, or there are too many matches.
        """
        if self._unfinished >= self.settings.limits.unfinished:
            raise ServingError("unavailable", "there are too many unfinished matches")
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
        match = await self._in_pool(Match, setup)
        await self._in_disk_thread(self.storage.create, setup, match.status, summary(match))
        self._unfinished += match.status != "finished"
        self._add(Room(match))
        return MatchCreated(
            match=setup.match,
            tokens=[SeatToken(match=setup.match, seat=k, token=t) for k, t in tokens.items()],
        )

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
        self._rooms.move_to_end(name)
        return room

    async def listed(self, game: str | None, status: Status | None, limit: int) -> list[MatchInfo]:
        """Listed matches, the newest first."""
        rows = await self._in_disk_thread(self.storage.listed, game, status, limit)
        return [MatchInfo.model_validate_json(row) for row in rows]

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
            match.setup.match, match.entries, entry, status, match.game.name, tuple(outcomes)
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
        if entry.kind != "play" or match.status != before:
            # Only the list of matches reads it: it may come after, and be lost with the process.
            self._spawn(
                self._in_disk_thread(self.storage.summarise, match.setup.match, summary(match))
            )
        self._changed(room)

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
        room.tell()
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
            seat, clock = asked[0], match.setup.clock
            spent = asyncio.get_running_loop().time() - room.asked_at
            late = match.late_action()
            if late is None:
                late = await self._decide(room, match.setup.substitute)
            strikes = match.seats[seat].strikes + 1
            await self._commit(room, Entry("play", seat, late, "clock", round(spent, 3)))
            if clock is not None and strikes >= clock.strikes and match.status == "playing":
                await self._commit(room, match.leave(seat, match.setup.substitute))

    async def _drive(self, room: Room) -> None:
        """Let the bots decide until a person is to."""
        match = room.match
        try:
            while match.bot_to_act:
                async with room.lock:
                    spec = match.bot_to_act
                    if not spec:
                        continue
                    seat = match.to_act
                    chosen = await self._decide(room, spec)
                    await self._commit(room, Entry("play", seat, chosen, "bot"))
        finally:
            room.driver = None

    async def _decide(self, room: Room, spec: str) -> int:
        """A bot's decision; one that fails is replaced, and everybody is told."""
        match = room.match
        try:
            asked = question(match.bot_view())
            answer = self.bots.ask(match.game.name, spec, asked)
            return (await asyncio.wait_for(answer, self.settings.limits.bot)).action
        except Exception:
            if spec == LAST_RESORT:
                raise
            log.exception("match %s: %s failed", match.setup.match, spec)
        if match.bot_to_act == spec:
            await self._commit(room, Entry("leave", match.to_act, text=LAST_RESORT))
        return await self._decide(room, LAST_RESORT)

    # --- memory and disk -------------------------------------------------------------------------

    async def _load(self, name: str) -> Room:
        found = await self._in_disk_thread(self.storage.read, name)
        if found is None:
            raise ServingError("not_found", "there is no such match")
        room = Room(await self._in_pool(restore, *found))
        self._add(room)
        return room

    def _add(self, room: Room) -> None:
        self._rooms[room.match.setup.match] = room
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
