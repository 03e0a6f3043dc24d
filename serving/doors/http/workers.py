"""Several server processes behind one address.

The parent opens the socket, and every worker accepts connections from it: while one worker is being
replaced, connections that have not been accepted wait for the others. Workers share nothing but the
socket and the database. One that ends is replaced; all end with their parent, however that ends.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from ....envs.core.errors import GanglandError
from ... import metrics
from ...errors import log_warnings
from ...settings import Settings
from ...storage.postgres import SharedStorage, open_storage
from .server import announce, configuration, prepare

log = logging.getLogger(__name__)

ENDING = 15.0
"""Seconds within which a worker must end before it is killed."""

SOON = 2.0
"""Seconds between two starts of workers if one ends as soon as it has begun."""

SPAWN = multiprocessing.get_context("spawn")


def serve_together(settings: Settings, host: str, port: int, *, quiet: bool = False) -> None:
    """Serve with several processes until interrupted.

    Args:
        settings: The server's settings; ``workers`` is the number of processes.
        host: Address to listen on.
        port: Port; 0 picks a free one.
        quiet: Whether to print warnings only.

    Raises:
        GanglandError: If the database is not one that processes can share, or an offered bot
            cannot be used.
    """
    storage = open_storage(settings.database)
    storage.close()
    if not isinstance(storage, SharedStorage):
        raise GanglandError(
            "several processes need a database that they can share: "
            "--db postgresql+psycopg://..., or --workers 1"
        )
    log_warnings()
    listener = configuration(None, settings, host, port).bind_socket()
    listener.listen(4096)
    Workers(settings, listener, quiet=quiet).run()


class Workers:
    """Starts the workers, replaces those that end, and stops them.

    Args:
        settings: The server's settings.
        listener: The socket.
        quiet: Whether to print nothing.
    """

    def __init__(self, settings: Settings, listener: socket.socket, *, quiet: bool) -> None:
        self._settings = settings
        self._listener = listener
        self._quiet = quiet
        self._workers: dict[BaseProcess, Connection] = {}
        self._started_at = 0.0
        self._stopping = threading.Event()

    def run(self) -> None:
        """Run until a signal asks to stop.

        Raises:
            GanglandError: If the first worker cannot start.
        """
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stopping.set())
        folder = tempfile.TemporaryDirectory(prefix="gangland-metrics-")
        os.environ[metrics.FOLDER] = folder.name
        try:
            # The first one compiles what has not been compiled yet, the others load it.
            self._start_first()
            if not self._quiet and not self._stopping.is_set():
                announce(self._listener)
            while not self._stopping.is_set():
                self._replace()
                wait([worker.sentinel for worker in self._workers], timeout=0.5)
        finally:
            self._stop()
            folder.cleanup()

    def _start(self) -> BaseProcess:
        ours, theirs = SPAWN.Pipe(duplex=False)
        worker = SPAWN.Process(
            target=work, args=(self._settings, self._listener, theirs), daemon=True
        )
        worker.start()
        theirs.close()
        self._workers[worker] = ours
        self._started_at = time.monotonic()
        return worker

    def _start_first(self) -> None:
        worker = self._start()
        while not self._stopping.is_set():
            if not self._workers[worker].poll(0.2):
                continue
            problem = self._problem(worker)
            if problem is None:
                problem = "a server process ended while it was starting"
            if problem:
                raise GanglandError(problem)
            return

    def _problem(self, worker: BaseProcess) -> str | None:
        """Why a worker did not start, an empty text if it did; ``None`` if it is not known yet."""
        outcome = self._workers[worker]
        try:
            return str(outcome.recv()) if outcome.poll() else None
        except EOFError:
            return None

    def _replace(self) -> None:
        """Start as many workers as are missing."""
        for worker in [worker for worker in self._workers if worker.exitcode is not None]:
            problem = self._problem(worker) or f"status {worker.exitcode}"
            self._workers.pop(worker).close()
            metrics.forget(worker.pid)
            log.warning("a server process ended (%s); another one is started", problem)
            if time.monotonic() - self._started_at < SOON:
                self._stopping.wait(SOON)
        while len(self._workers) < self._settings.workers and not self._stopping.is_set():
            self._start()

    def _stop(self) -> None:
        self._listener.close()
        for worker in self._workers:
            worker.terminate()
        deadline = time.monotonic() + ENDING
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))
            if worker.exitcode is None:
                worker.kill()
                worker.join()


def work(settings: Settings, listener: socket.socket, outcome: Connection) -> None:
    """The main function of a worker.

    Args:
        settings: The server's settings.
        listener: The socket.
        outcome: Receives why the worker cannot start, or an empty text when it does.
    """
    # Ctrl-C reaches all processes of a terminal; until it serves, a worker leaves it to its parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        server = prepare(settings, "", 0, quiet=True)
    except GanglandError as error:
        outcome.send(str(error))
        return
    outcome.send("")
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        server.should_exit = True

    threading.Thread(target=end_with_parent, daemon=True).start()
    server.run([listener])
