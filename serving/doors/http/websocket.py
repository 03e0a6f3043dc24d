"""The WebSocket of a match: it sends views and receives decisions."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError

from ....envs.core.errors import GanglandError
from ...errors import Code, ServingError, explain
from ...matches.hub import Hub
from ...matches.rooms import Room
from ...matches.views import Wanted
from ...metrics import ERRORS, SOCKETS
from ...protocol import (
    CLIENT_MESSAGE,
    PREFIX,
    Command,
    Hello,
    Ping,
    Pong,
    Problem,
    SocketAct,
    SocketBegin,
    SocketConcede,
    SocketEnd,
    SocketHint,
    SocketLeave,
    SocketSay,
    SocketUndo,
    ref_of,
)
from .limits import Bucket

log = logging.getLogger(__name__)

socket_router = APIRouter(prefix=PREFIX)

FAULTS = 50
"""Refused messages after which a client is disconnected."""

SENDING = 20.0
"""Seconds within which a client must read a message."""

POLICY, TRY_LATER = 1008, 1013
"""WebSocket close codes."""

_open: Counter[str] = Counter()


@socket_router.websocket("/matches/{match}/ws")
async def match_socket(websocket: WebSocket, match: str) -> None:
    """Wait for a hello, then send a view whenever something changes."""
    hub: Hub = websocket.app.state.hub
    if not _same_origin(websocket, hub.settings.origins):
        await websocket.close(POLICY)
        return
    address = websocket.client.host if websocket.client else ""
    limits = hub.settings.limits
    if _open[address] >= limits.sockets_each or _open.total() >= limits.sockets:
        await websocket.close(TRY_LATER)
        return
    _open[address] += 1
    SOCKETS.inc()
    try:
        await websocket.accept()
        await Connection(websocket, hub, match, websocket.app.state.clock).run()
    finally:
        SOCKETS.dec()
        _open[address] -= 1
        if not _open[address]:
            del _open[address]


class Connection:
    """One client's WebSocket.

    Args:
        websocket: The accepted WebSocket.
        hub: The hub.
        name: Name of the match.
        clock: Returns seconds, for the rate of messages.
    """

    def __init__(
        self,
        websocket: WebSocket,
        hub: Hub,
        name: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.websocket = websocket
        self.hub = hub
        self.name = name
        self.room: Room
        self.viewer: int | None = None
        self.wanted = Wanted()
        self.changes = -1
        self.faults = 0
        self.changed = asyncio.Event()
        self.sending = asyncio.Lock()
        limits = hub.settings.limits
        self.bucket = Bucket(limits.rate, limits.burst, clock)

    async def run(self) -> None:
        """Serve the client until it disconnects or the server shuts down."""
        try:
            if not await self._greet():
                return
            watcher = asyncio.create_task(self._watch())
            try:
                await self._listen()
            finally:
                watcher.cancel()
                self.room.listeners.discard(self.changed.set)
                # Not gather: if this task were cancelled now, gather would raise the watcher's
                # cancellation instead of this task's own, and the canceller would not recognise it.
                await asyncio.wait([watcher])
                if not watcher.cancelled() and (error := watcher.exception()):
                    log.error("watching a match failed", exc_info=error)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            # The client has disconnected, or reads too slowly.
            with contextlib.suppress(Exception):
                await self.websocket.close(POLICY)

    async def _greet(self) -> bool:
        """Wait for the hello and answer it with a view."""
        try:
            async with asyncio.timeout(self.hub.settings.limits.hello):
                command = await self._receive()
        except TimeoutError:
            await self._refuse("bad_request", "no hello arrived")
            return False
        if not isinstance(command, Hello):
            if command is not None:
                await self._refuse("bad_request", "the first message must be a hello", command.ref)
            await self.websocket.close(POLICY)
            return False
        try:
            self.room = await self.hub.room(self.name)
            if command.token is not None:
                self.viewer = self.room.match.seat_of(command.token)
        except ServingError as error:
            await self._refuse(error.code, str(error), command.ref)
            await self.websocket.close(POLICY)
            return False
        self.room.listeners.add(self.changed.set)
        self._want(command)
        await self._show(command.ref)
        return True

    def _want(self, hello: Hello) -> None:
        self.wanted = Wanted(hello.since, hello.svg, hello.text, hello.observation, hello.state)

    async def _listen(self) -> None:
        while self.faults < FAULTS:
            command = await self._receive()
            if command is None:
                continue
            try:
                await self._obey(command)
            except ServingError as error:
                await self._refuse(error.code, str(error), command.ref)
            except GanglandError:
                log.exception("a WebSocket message failed")
                await self._refuse("internal", "internal server error", command.ref)
        await self.websocket.close(POLICY)

    async def _receive(self) -> Command | None:
        """The next message; ``None`` if it was refused."""
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        self.faults += 1
        text = message.get("text")
        if not self.bucket.take():
            ref = None if text is None else ref_of(text)
            await self._refuse("too_many", "too many messages, slow down", ref)
            return None
        if text is None:
            await self._refuse("bad_request", "messages must be text")
            return None
        try:
            command = CLIENT_MESSAGE.validate_json(text)
        except ValidationError as error:
            reason = explain(error.errors(include_url=False))
            await self._refuse("bad_request", reason, ref_of(text))
            return None
        self.faults -= 1
        return command

    async def _obey(self, command: Command) -> None:
        room = await self._room()
        if isinstance(command, Ping):
            await self._send(Pong(ref=command.ref))
        elif isinstance(command, Hello):
            if command.token is not None and room.match.seat_of(command.token) != self.viewer:
                raise ServingError("conflict", "this connection belongs to another seat")
            self._want(command)
            await self._show(command.ref)
        elif self.viewer is None:
            raise ServingError("unauthorized", "spectators can only watch")
        elif isinstance(command, SocketHint):
            hint = await self.hub.hint(room, self.viewer, command.bot)
            await self._send(hint.model_copy(update={"ref": command.ref}))
        else:
            await self._change(room, self.viewer, command)
            await self._show(command.ref)

    async def _change(self, room: Room, seat: int, command: Command) -> None:
        hub = self.hub
        if isinstance(command, SocketAct):
            await hub.act(room, seat, command.decision, command.action)
        elif isinstance(command, SocketUndo):
            await hub.undo(room, seat)
        elif isinstance(command, SocketLeave):
            await hub.leave(room, seat, command.bot)
        elif isinstance(command, SocketConcede):
            await hub.concede(room, seat)
        elif isinstance(command, SocketEnd):
            await hub.end(room, seat, command.agree)
        elif isinstance(command, SocketBegin):
            await hub.begin(room, seat)
        elif isinstance(command, SocketSay):
            await hub.say(room, seat, command.phrase)
        else:
            await hub.come_back(room, seat)

    async def _room(self) -> Room:
        """The room of the match, read from disk again if it was dropped from memory."""
        if self.room.gone:
            self.room.listeners.discard(self.changed.set)
            self.room = await self.hub.room(self.name)
            self.room.listeners.add(self.changed.set)
        return self.room

    async def _watch(self) -> None:
        """Send a view whenever something has changed; slow clients miss some in between."""
        try:
            while True:
                await self.changed.wait()
                self.changed.clear()
                room = await self._room()
                if room.match.watch(self.viewer).changes > self.changes:
                    await self._show(None)
        except (WebSocketDisconnect, RuntimeError, TimeoutError, ServingError):
            with contextlib.suppress(Exception):
                await self.websocket.close(TRY_LATER)

    async def _show(self, ref: int | None) -> None:
        async with self.sending:
            await self.hub.settled(self.room, self.viewer)
            self.changes = self.room.match.watch(self.viewer).changes
            view = self.room.view(self.viewer, self.wanted)
            wanted = self.wanted
            self.wanted = Wanted(
                view.next_event, wanted.svg, wanted.text, wanted.observation, wanted.state
            )
            view.ref = ref
            await self._write(view)

    async def _send(self, message: BaseModel) -> None:
        async with self.sending:
            await self._write(message)

    async def _write(self, message: BaseModel) -> None:
        async with asyncio.timeout(SENDING):
            await self.websocket.send_text(message.model_dump_json())

    async def _refuse(self, code: Code, message: str, ref: int | None = None) -> None:
        ERRORS.labels(code).inc()
        await self._send(Problem(code=code, message=message, ref=ref))


def _same_origin(websocket: WebSocket, origins: tuple[str, ...]) -> bool:
    """Whether the caller is a page of this server or of an allowed origin, or no page at all."""
    origin = websocket.headers.get("origin")
    if origin is None or origin in origins:
        return True
    return urlsplit(origin).netloc == websocket.headers.get("host")
