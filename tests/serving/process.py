"""A real server: ``gangland serve`` in a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import httpx

from tests.serving.client import Client


class Server:
    """``gangland serve`` with these arguments, listening at a free port.

    Attributes:
        url: Where it listens.
        errors: What it wrote to its error stream so far.
    """

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "gangland.cli", "serve", "--port", "0", *arguments]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.errors: list[str] = []
        threading.Thread(target=self._drain, daemon=True).start()
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "served at" in line, line + "".join(self.errors)
        self.url = line.split()[-1].rstrip("/")

    def _drain(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def kill(self) -> None:
        """End it without a warning (``kill -9``)."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """End it as Ctrl-C does; returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[tuple[Server, Client]]:
    """A server and a client of it; the server is ended."""
    server = Server(*arguments)
    try:
        with httpx.Client(base_url=server.url, timeout=60) as http:
            yield server, Client(http)
    finally:
        if server.process.poll() is None:
            server.kill()
