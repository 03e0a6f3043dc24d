"""Limits on the number of connections, and on how long a client may keep one busy.

A server that waits for the rest of every request can be blocked by anybody who opens connections
and sends half a request over each. uvicorn has no limits against this; they are added here to its
HTTP protocol.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ...errors import Code
from ...protocol import Problem
from ...settings import Limits, Settings

log = logging.getLogger(__name__)

RESERVE = 100
"""Open files that are reserved for the database, the bots and the page."""


class ConnectionCounter:
    """Counts open connections, in total and by address.

    Args:
        limits: The limits.
        proxies: Addresses without a limit of their own, since they forward requests of others.
    """

    def __init__(self, limits: Limits, proxies: tuple[str, ...] = ()) -> None:
        self.limits = limits
        self._proxies = frozenset(proxies)
        self._most = min(limits.connections, open_files() - RESERVE)
        self._each: Counter[str] = Counter()
        self._all = 0

    def refusal(self, address: str) -> str:
        """Why another connection from an address is refused; empty if it is accepted."""
        if self._all >= self._most:
            return "too many connections to this server"
        most = self.limits.connections_each
        if most and self._each[address] >= most and address not in self._proxies:
            return f"too many connections from {address}"
        return ""

    def opened(self, address: str) -> None:
        """Count a connection that was accepted."""
        self._all += 1
        self._each[address] += 1

    def closed(self, address: str) -> None:
        """Stop counting a connection."""
        self._all -= 1
        self._each[address] -= 1
        if not self._each[address]:
            del self._each[address]


class HeadTooLargeError(Exception):
    """Stops the parser; it becomes a response with status 431."""


class Protocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits; :func:`protocol` makes a subclass for a server."""

    counter: ConnectionCounter

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._counted: str | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        # What the client has to send next: the headers of a request, its body, or nothing.
        self._awaited = "head"
        self._part, self._timed = 0, -1
        self._head_size = self._head_parsed = 0

    # --- the connection --------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept or refuse the connection."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        reason = self.counter.refusal(address)
        if reason:
            self._turn_away("too_many", 429, reason)
            return
        self._counted = address
        self.counter.opened(address)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop its timers and stop counting it."""
        self._forget()
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand over to the WebSocket's protocol; the connection is still counted."""
        self._forget()
        counter, address = self.counter, self._counted
        self._counted = None
        known: Any = self.ws_protocol_class

        class Counted(known):  # type: ignore[misc]
            def connection_lost(self, exc: Exception | None) -> None:
                if address is not None:
                    counter.closed(address)
                super().connection_lost(exc)

        self.ws_protocol_class = Counted
        super().handle_websocket_upgrade()

    def _leave(self) -> None:
        if self._counted is not None:
            self.counter.closed(self._counted)
        self._counted = None

    # --- incoming data ---------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read data; a timer runs while a part of a request is missing."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._counted is None or self.transport.is_closing():
            return
        if not self._awaited and self.cycle is not None and self.cycle.response_complete:
            # Empty lines before a request end the idle time, but do not begin the request.
            self._await("head")
        if self._awaited == "head":
            self._head_size += len(data)
            if self._head_size > self.counter.limits.head_size:
                self._refuse_head()
                return
        self._watch()

    def on_message_begin(self) -> None:
        """Expect the headers of a request."""
        super().on_message_begin()
        self._head_parsed = 0
        self._await("head")

    def on_url(self, url: bytes) -> None:
        """Read the address, or a part of it."""
        super().on_url(url)
        self._parsed(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header."""
        super().on_header(name, value)
        self._parsed(len(name) + len(value) + len(b": \r\n"))

    def _parsed(self, size: int) -> None:
        """Count what has been parsed: headers that arrive at once are never waited for."""
        self._head_parsed += size
        if self._head_parsed > self.counter.limits.head_size:
            raise HeadTooLargeError

    def on_headers_complete(self) -> None:
        """Expect its body."""
        super().on_headers_complete()
        self._await("body")

    def on_message_complete(self) -> None:
        """Expect nothing: the request is complete."""
        super().on_message_complete()
        self._await("")

    def _await(self, what: str) -> None:
        self._awaited = what
        self._part += 1
        self._head_size = 0

    def _watch(self) -> None:
        """Run a timer for the part of the request that is expected now, and no other timer."""
        if self._part == self._timed:
            return
        self._forget()
        self._timed = self._part
        if self._awaited:
            limits = self.counter.limits
            seconds = limits.head if self._awaited == "head" else limits.upload
            self._deadline = self.loop.call_later(seconds, self._too_slow, self._part)

    def _too_slow(self, part: int) -> None:
        self._deadline = None
        if part != self._part or self.transport.is_closing():
            return
        if self.flow.read_paused:
            # The server has paused reading: that is not the client's fault.
            self._timed = -1
            self._watch()
            return
        self._turn_away(
            "bad_request", 408, f"the {self._awaited} of the request did not arrive in time"
        )

    # --- outgoing data ---------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Start a timer: the client does not read what it is sent."""
        super().pause_writing()
        if self._taking is None:
            self._taking = self.loop.call_later(self.counter.limits.taking, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer: the client reads again."""
        super().resume_writing()
        self._forget_taking()

    # --- closing ---------------------------------------------------------------------------------

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._forget_taking()

    def _forget_taking(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def send_400_response(self, msg: str) -> None:
        """Refuse what could not be parsed."""
        if self._head_parsed > self.counter.limits.head_size:
            self._refuse_head()
        else:
            self._turn_away("bad_request", 400, msg)

    def _refuse_head(self) -> None:
        self._turn_away("too_large", 431, "the headers of the request are too large")

    def _turn_away(self, code: Code, status: int, message: str) -> None:
        """Close the connection, with an error response unless one has been started."""
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            body = Problem(code=code, message=message).model_dump_json().encode()
            self.transport.write(
                b"HTTP/1.1 %d \r\ncontent-type: application/json\r\n" % status
                + b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body)
                + body
            )
        self.transport.close()


def protocol(settings: Settings) -> type[Protocol]:
    """uvicorn's HTTP protocol with the limits of a server."""
    counter = ConnectionCounter(settings.limits, settings.proxies)
    return type("BoundProtocol", (Protocol,), {"counter": counter})


def open_files() -> int:
    """Number of files that this process may open, after raising it as far as the system allows.

    If the limit is unknown, a small one is assumed.
    """
    try:
        import resource
    except ImportError:  # not a Unix
        return 2048
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2**20 if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError) as error:  # some systems allow less than their limit
            log.warning("the number of open files stays at %d: %s", soft, error)
            return soft
    return wanted
