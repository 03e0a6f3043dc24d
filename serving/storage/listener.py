"""Follows what other processes store in a shared PostgreSQL database."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Any

from .database import reason
from .postgres import CHANNEL, SharedStorage

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds after which the thread looks whether it is to end, and between attempts to connect."""


class Listener:
    """A thread with a connection of its own, which waits for notifications.

    Args:
        storage: The database.
        heard: Called in the event loop with the names of matches that another process changed.
        missed: Called in the event loop when it listens again after notifications may have been
            lost, and once at the start.

    Attributes:
        listening: Whether it is connected.
    """

    def __init__(
        self,
        storage: SharedStorage,
        heard: Callable[[list[str]], None],
        missed: Callable[[], None],
    ) -> None:
        self._storage = storage
        self._heard = heard
        self._missed = missed
        self._ending = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self.listening = False
        self._lost = False
        self._thread.start()

    def close(self) -> None:
        """End the thread; it notices within :data:`PATIENCE` seconds."""
        self._ending.set()

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self._listen()
            except Exception as error:  # psycopg's and SQLAlchemy's, of many kinds
                if not self._lost and not self._ending.is_set():
                    log.warning("the database cannot be listened to: %s", reason(error))
                    self._lost = True
            self.listening = False
            self._ending.wait(PATIENCE)

    def _listen(self) -> None:
        with contextlib.closing(self._connect()) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.listening, self._lost = True, False
            self._tell(self._missed)
            while not self._ending.is_set():
                for note in connection.notifies(timeout=PATIENCE):
                    sender, *names = note.payload.split()
                    if sender != str(self._storage.server):
                        self._tell(self._heard, names)

    def _connect(self) -> Any:
        """psycopg's connection, taken out of SQLAlchemy's pool."""
        taken = self._storage.engine.raw_connection()
        connection: Any = taken.driver_connection
        taken.detach()
        connection.rollback()
        connection.autocommit = True
        return connection

    def _tell(self, what: Callable[..., None], *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(what, *arguments)
