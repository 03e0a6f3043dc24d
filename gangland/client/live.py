"""The WebSocket of a match: views as they come, with reconnection when the connection is lost."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..envs.core.errors import MissingDependencyError
from ..serving.protocol import Problem, View, server_message
from .connection import ClientError

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

FIRST_PAUSE, LONGEST_PAUSE = 0.3, 10.0
HEARTBEAT = 20.0
"""Seconds of silence after which the connection is tested, and then made again."""
LONGEST_MESSAGE = 2**24


def pause(failures: int, chance: float) -> float:
    """Seconds to wait before the next attempt to connect.

    The time doubles with each failure and has a random part, so that a restarted server does not
    get all its clients back at once.

    Args:
        failures: Failed attempts so far.
        chance: A random number from 0 to 1.
    """
    return min(FIRST_PAUSE * 2.0**failures, LONGEST_PAUSE) * (0.5 + chance / 2)


class Live:
    """The views of one viewer; iterate over it, preferably in a ``with`` block, which closes it.

    The first view comes at once, further ones whenever something changes, and the last one when the
    match is finished. After a lost connection, events continue where they stopped.

    Args:
        url: HTTP address of the match's WebSocket.
        token: The seat's token; ``None`` for a spectator.
        wanted: Contents of the views: ``svg``, ``text``, ``observation``, ``state``.

    Raises:
        MissingDependencyError: Without websockets.
    """

    def __init__(self, url: str, token: str | None, wanted: dict[str, Any]) -> None:
        try:
            import websockets.exceptions
            import websockets.sync.client
        except ImportError as error:
            raise MissingDependencyError(
                "live views need websockets: pip install 'gangland[remote]'"
            ) from error
        self._connect = websockets.sync.client.connect
        self._broken = (websockets.exceptions.WebSocketException, OSError, TimeoutError)
        self._url = "ws" + url.removeprefix("http")
        self._hello = {"type": "hello", "token": token, **wanted}
        self._since = 0
        self._sent: set[int] = set()
        self._socket: ClientConnection | None = None
        self._closed = False

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection and the iteration."""
        self._closed = True
        self._drop()

    def act(self, decision: int, action: int | str) -> None:
        """Decide; the next view shows what follows.

        If the connection is lost, the next view asks for the decision again unless the server has
        accepted it.

        Args:
            decision: The view's ``decision``.
            action: Number or notation of a legal action; an illegal one ends the iteration with a
                :class:`ClientError`.
        """
        self._send({"type": "act", "decision": decision, "action": action, "ref": decision})
        self._sent.add(decision)

    def __iter__(self) -> Iterator[View]:
        """The views.

        Raises:
            ClientError: If the server refuses: no such match, a wrong token, an illegal action.
        """
        failures = 0
        while not self._closed:
            try:
                for view in self._views():
                    failures = 0
                    yield view
                    if view.status in ("finished", "expired"):
                        self.close()
                        return
            except self._broken:
                self._drop()
                if not self._closed:
                    time.sleep(pause(failures, random.random()))
                failures += 1

    def _views(self) -> Iterator[View]:
        """The views of one connection, until it breaks."""
        with self._connect(self._url, max_size=LONGEST_MESSAGE) as self._socket:
            self._send({**self._hello, "since": self._since})
            while self._socket is not None:
                message = server_message(self._receive(self._socket))
                if isinstance(message, View):
                    self._since = message.next_event
                    yield message
                elif isinstance(message, Problem):
                    # A decision may have been sent twice: before and after a connection broke.
                    if message.code == "stale_decision" and message.ref in self._sent:
                        continue
                    raise ClientError(message.code, message.message)

    def _receive(self, socket: ClientConnection) -> str | bytes:
        try:
            return socket.recv(HEARTBEAT)
        except TimeoutError:
            self._send({"type": "ping"})
            return socket.recv(HEARTBEAT)

    def _send(self, message: dict[str, Any]) -> None:
        if self._socket is not None:
            try:
                self._socket.send(json.dumps(message))
            except self._broken:
                # Receiving finds out as well, and connects again.
                self._drop()

    def _drop(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.close()
