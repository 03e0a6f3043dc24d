"""Servers over real HTTP, in a thread of this process or in a process of their own.

Matches without a server, and a bot that does what a test wants.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import numpy as np

from gangland.agents.baseline.random import RandomAgent
from gangland.envs import load
from gangland.serving.matches.match import Match
from gangland.serving.storage.journal import SeatSetup, Setup, token_hash
from tests.serving.client import Client

if TYPE_CHECKING:
    from gangland.serving.matches.hub import Hub
    from gangland.serving.settings import Settings


@contextlib.contextmanager
def live(settings: Settings) -> Iterator[str]:
    """Serve in a thread, which knows the tests' own games; gives the address."""
    with running(settings) as (url, _):
        yield url


@contextlib.contextmanager
def running(settings: Settings) -> Iterator[tuple[str, Hub]]:
    """The same; gives the address and the matches."""
    from gangland.serving.doors.http.app import create_app
    from gangland.serving.doors.http.server import Server as HttpServer
    from gangland.serving.doors.http.server import configuration

    app = create_app(settings)
    server = HttpServer(configuration(app, settings, "127.0.0.1", 0), app.state.hub)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert thread.is_alive()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}", app.state.hub
    finally:
        server.should_exit = True
        thread.join(30)


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


# --- without a server -----------------------------------------------------------------------------


def new_match(name, seed=5, kind="human", clock=None, **options):
    game = load(name)
    resolved = game.options.resolve(options)
    seats = tuple(
        SeatSetup("human", f"Person {k}", token=token_hash(str(k)))
        if kind == "human"
        else SeatSetup("bot", bot="random")
        for k in range(game.num_players(resolved))
    )
    return Match(
        Setup(
            "m", name, game.rules_version, resolved, seed, seats, clock, "random", True, True, "now"
        )
    )


def played(match, plies, seed=1):
    """Entries of random decisions, applied to the match."""
    rng = np.random.default_rng(seed)
    entries = []
    for _ in range(plies):
        if match.status != "playing":
            break
        seat = match.to_act
        action = int(rng.choice(match.game.legal_actions(match.state)))
        entry = match.play(seat, match.seats[seat].decisions, action)
        match.apply(entry)
        entries.append(entry)
    return entries


class Odd(RandomAgent):
    """Plays at random, after it has called ``before``."""

    quick = False

    def __init__(self, game, before=lambda: None):
        super().__init__(game)
        self.before = before

    def decide_batch(self, views):
        self.before()
        return super().decide_batch(views)
