"""ASGI middleware that limits the size and rate of requests and checks their host.

It also adds security headers for browsers.

A hostile web page can make its own host name point to this machine (DNS rebinding). A browser then
takes this server for the page's own, and lets its scripts read everything. But the browser sends
that name in the ``Host`` header, so unknown names are refused. IP addresses cannot be used for this
attack and are always accepted.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import STATUS
from ...settings import Limits
from .responses import problem

NOT_OURS = (
    "this server does not answer to that host name; "
    "its operator can allow it: gangland serve --allow-host NAME"
)
ENDING = "the server is shutting down; try again"

ADDRESSES = 10_000
"""Number of addresses whose rates are remembered."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    # Pictures are SVG with style attributes.
    "content-security-policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:"
    ),
}
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
LENGTH, HOST = b"content-length", b"host"

POLICY = 1008
"""WebSocket close code."""


class Bucket:
    """A token bucket.

    Args:
        rate: Tokens added per second; 0 for no limit.
        burst: Maximum number of tokens.
        clock: Returns seconds.
    """

    __slots__ = ("at", "burst", "clock", "rate", "tokens")

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.tokens = burst
        self.at = clock()

    def take(self) -> bool:
        """Take a token; whether there was one."""
        if not self.rate:
            return True
        now = self.clock()
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Guard:
    """Refuses requests that are too large, too frequent or for another host.

    Args:
        app: The application.
        limits: The limits.
        hosts: Host names of this server.
        clock: Returns seconds, for the rates.
    """

    def __init__(
        self, app: ASGIApp, limits: Limits, hosts: Hosts, clock: Callable[[], float]
    ) -> None:
        self.app = app
        self.clock = clock
        self.limits = limits
        self.hosts = hosts
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        hosts = [value for name, value in scope["headers"] if name == HOST]
        ours = len(hosts) == 1 and self.hosts.allow(hosts[0].decode("latin-1"))
        if scope["type"] == "websocket":
            if ours:
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": POLICY})
            return
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                set_already = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(header for header in RAW_HEADERS if header[0] not in set_already),
                ]
            await send(message)

        if not ours:
            answer = problem("bad_request", NOT_OURS)
            answer.status_code = 421
            await answer(scope, receive, sending)
            return
        if not self._bucket(scope).take():
            answer = problem("too_many", "too many requests, slow down", {"retry-after": "1"})
            await answer(scope, receive, sending)
            return
        length = next((value for name, value in scope["headers"] if name == LENGTH), b"0")
        if not length.isdigit() or int(length) > self.limits.body:
            answer = problem("too_large", self._too_large, {"connection": "close"})
            await answer(scope, receive, sending)
            return
        try:
            await self.app(scope, self._counting(receive), sending)
        except asyncio.CancelledError:
            # Requests are cancelled only when the server shuts down; uvicorn would answer 500.
            if started:
                raise
            await problem("unavailable", ENDING)(scope, receive, sending)

    def _counting(self, receive: Receive) -> Receive:
        """Count the body as it arrives, since its length may not be announced."""
        size = 0

        async def receiving() -> Message:
            nonlocal size
            message = await receive()
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                if size > self.limits.body:
                    raise HTTPException(
                        STATUS["too_large"], self._too_large, {"connection": "close"}
                    )
            return message

        return receiving

    @property
    def _too_large(self) -> str:
        return f"a request may have at most {self.limits.body} bytes"

    def _bucket(self, scope: Scope) -> Bucket:
        client: Any = scope.get("client")
        address = client[0] if client else ""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(
                self.limits.rate, self.limits.burst, self.clock
            )
            if len(self._buckets) > ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket


LOCAL = ("localhost", "*.localhost")
"""Names that browsers resolve to this machine without asking a DNS server."""


class Hosts:
    """The host names of this server.

    Args:
        names: Further names: ``play.example.org``, ``*.example.org`` for all subdomains, ``*`` for
            every name.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        found = {name.lower().rstrip(".") for name in (*LOCAL, socket.gethostname(), *names)}
        self.any = "*" in found
        self._exact = {name for name in found if not name.startswith("*")}
        self._endings = tuple(name[1:] for name in found if name.startswith("*."))

    def allow(self, header: str) -> bool:
        """Whether a ``Host`` header names this server."""
        name = _name(header)
        if self.any or name in self._exact or name.endswith(self._endings):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _name(header: str) -> str:
    """The header without port and brackets, in lower case."""
    header = header.strip().lower()
    if header.startswith("["):
        inside, bracket, port = header[1:].partition("]")
        return inside if bracket and _is_port(port) else ""
    name, colon, port = header.partition(":")
    return name.rstrip(".") if _is_port(colon + port) else ""


def _is_port(text: str) -> bool:
    return not text or (text[0] == ":" and (text[1:].isdecimal() or not text[1:]))
