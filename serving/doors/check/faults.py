"""ASGI middleware that disturbs one client and lets an observer see what it does."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ...errors import Code
from ...protocol import PREFIX
from ..http.responses import problem
from .observer import RETRY_AFTER, Fault, Observer

LATE = 2.0
"""Seconds by which a late answer is late."""
ABORT = "abort"
"""ASGI extension of :func:`abortable`: the function that breaks the connection."""
UNKNOWN_MESSAGE = json.dumps({"type": "unknown_message", "of": ["a", "later", "version"]})
HANG_UP: Message = {"type": "websocket.disconnect", "code": 1006}


class Faults:
    """Passes requests on to the server, and misbehaves towards one client.

    Args:
        app: The server.
        observer: Says when to misbehave.
    """

    def __init__(self, app: ASGIApp, observer: Observer) -> None:
        self.app = app
        self.observer = observer
        self.sockets: set[Socket] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        own = f"{PREFIX}/matches/{self.observer.match}/"
        if scope["type"] == "lifespan" or not self.observer.match:
            await self.app(scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        method = scope.get("method", "WS")
        self.observer.comes(f"{method} {scope['path']}{query and '?' + query}")
        if scope["type"] == "websocket":
            socket = Socket(self, receive, send)
            try:
                await self.app(scope, socket.receive, socket.send)
            finally:
                self.sockets.discard(socket)
        elif scope["path"].startswith(own) and self._is_clients(scope):
            await self._request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _is_clients(self, scope: Scope) -> bool:
        wanted = f"bearer {self.observer.token}".encode()
        name = len(b"bearer ")
        return any(
            key == b"authorization" and value[:name].lower() + value[name:] == wanted
            for key, value in scope["headers"]
        )

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A request with the client's token."""
        name = f"{scope['method']} {scope['path'].rpartition('/')[2]}"
        if name == "GET view" and (fault := self.observer.reads()):
            await _refusal(fault)(scope, receive, send)
            return
        body = await _body(receive)
        act = _read(body) if name == "POST actions" else None
        fault = None if act is None else self._meet(act)
        start, answer = await self._answer(scope, receive, body)
        message = _read(answer)
        if act is not None:
            self.observer.decided(act, message if message.get("type") == "error" else None)
        if fault is Fault.LOST:
            await _abort(scope, receive)
            return
        if fault is Fault.LATE:
            await asyncio.sleep(LATE)
        if message:
            answer = self.shown(message)
        headers = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
        headers.append((b"content-length", str(len(answer)).encode()))
        await send({**start, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    def _meet(self, act: dict[str, Any]) -> Fault | None:
        """The fault to meet an action with, if any; WebSockets are cut at once."""
        live = bool(self.sockets)
        fault = self.observer.acts(act.get("decision"), socket=False, live=live)
        if fault is Fault.CUT:
            for socket in self.sockets:
                socket.cut()
        return fault

    async def _answer(self, scope: Scope, receive: Receive, body: bytes) -> tuple[Message, bytes]:
        """The server's answer: the start of the response, and its body."""
        messages: list[Message] = []
        bodies = [body]

        async def reading() -> Message:
            if bodies:
                return {"type": "http.request", "body": bodies.pop(), "more_body": False}
            return await receive()

        async def keeping(message: Message) -> None:
            messages.append(message)

        await self.app(scope, reading, keeping)
        return messages[0], b"".join(message.get("body", b"") for message in messages[1:])

    def shown(self, message: dict[str, Any]) -> bytes:
        """A message as the client is shown it."""
        if message.get("type") == "view":
            self.observer.shows(message)
        elif message.get("type") == "hint":
            self.observer.advises(message)
        if self.observer.adds_unknown:
            for name in ("seats", "legal", "events"):
                for entry in message.get(name, ()):
                    entry["unknown_field"] = None
            for event in message.get("events", ()):
                event["kind"] = "unknown_kind"
            message["unknown_field"] = {"of": ["a", "later", "version"]}
        return json.dumps(message).encode()


class Socket:
    """A WebSocket between a client and the server.

    Args:
        faults: The middleware.
        receive: Receives from the client.
        send: Sends to the client.
    """

    def __init__(self, faults: Faults, receive: Receive, send: Send) -> None:
        self.faults = faults
        self.observer = faults.observer
        self._receive, self._send = receive, send
        self._broken = asyncio.Event()
        self._acting: dict[str, Any] | None = None
        self._refusal: dict[str, Any] | None = None
        self._fault: Fault | None = None
        self._adds_message = True

    def cut(self) -> None:
        """Break the connection: the server is left, and uvicorn closes it without a goodbye."""
        self._broken.set()
        self.observer.cut()

    async def receive(self) -> Message:
        """The client's next message; the server asks for it once it has handled the last one."""
        if self._acting is not None:
            self.observer.decided(self._acting, self._refusal)
            self._acting = self._refusal = None
            if self._fault is Fault.LOST:
                self.cut()
        message = await self._next()
        sent = _read(message.get("text") or "")
        if sent.get("type") == "hello" and sent.get("token") == self.observer.token:
            self.faults.sockets.add(self)
            self.observer.greets(sent.get("since", 0))
        elif sent.get("type") == "act" and self in self.faults.sockets:
            self._fault = self.observer.acts(sent.get("decision"), socket=True, live=True)
            if self._fault is Fault.CUT:
                self.cut()
                return HANG_UP
            self._acting = sent
        return message

    async def _next(self) -> Message:
        received = asyncio.ensure_future(self._receive())
        broken = asyncio.ensure_future(self._broken.wait())
        try:
            await asyncio.wait({received, broken}, return_when=asyncio.FIRST_COMPLETED)
            return HANG_UP if self._broken.is_set() else received.result()
        finally:
            received.cancel()
            broken.cancel()

    async def send(self, message: Message) -> None:
        """Send what the server says, unless the client shall not get it."""
        own = _read(message.get("text") or "") if self in self.faults.sockets else {}
        if own.get("type") == "error" and self._acting is not None:
            self._refusal = own
        if self._broken.is_set() or (self._acting is not None and self._fault is Fault.LOST):
            return
        if own:
            if self._fault is Fault.LATE:
                self._fault = None
                await asyncio.sleep(LATE)
            message = {**message, "text": self.faults.shown(own).decode()}
            if self.observer.adds_unknown and self._adds_message:
                self._adds_message = False
                await self._send({"type": "websocket.send", "text": UNKNOWN_MESSAGE})
        await self._send(message)


def _refusal(fault: Fault) -> Response:
    code: Code = "unavailable" if fault is Fault.BUSY else "too_many"
    return problem(code, f"try again in {RETRY_AFTER} s", {"retry-after": str(RETRY_AFTER)})


async def _abort(scope: Scope, receive: Receive) -> None:
    """Break the connection of a request that has no answer yet."""
    scope["extensions"][ABORT]()
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(receive: Receive) -> bytes:
    parts, more = [], True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def _read(text: str | bytes) -> dict[str, Any]:
    """A JSON object; empty if the text is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def abortable(base: type[HttpToolsProtocol]) -> type[HttpToolsProtocol]:
    """uvicorn's HTTP protocol with a way for the application to break a connection."""

    class Abortable(base):  # type: ignore[valid-type,misc]
        def on_message_begin(self) -> None:
            super().on_message_begin()
            self.scope["extensions"] = {ABORT: self.transport.abort}

    return Abortable
