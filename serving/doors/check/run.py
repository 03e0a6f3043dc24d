"""Runs a server with one match, and a client in it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.middleware import Middleware

from ....envs.core.errors import GanglandError, reason_of
from ....envs.core.options import OptionValue
from ....envs.registry import load
from ...protocol import NewMatch
from ...protocol.matches import BotSeat, HumanSeat
from ...settings import Limits, Settings
from ..http.app import create_app
from ..http.server import Server, check_address, configuration
from .faults import Faults, abortable
from .observer import Check, Observer

HOST = "127.0.0.1"
BOT = "random"
SEAT = 0
"""The seat of the client."""
PARTING = 5.0
"""Seconds for a command to end after the match, and then after it was asked to."""


class CommandError(GanglandError, OSError):
    """A client's command cannot be started."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A match in which a client is checked.

    Attributes:
        game: Name of the game.
        options: Options of the game.
        seed: Seed of the match.
        port: Port of the server; 0 picks a free one.
        origins: Web origins whose pages may call the server.
        seconds: Time for the match.
        command: Program and arguments of the client; empty if somebody else starts it.
    """

    game: str
    options: dict[str, OptionValue] = field(default_factory=dict)
    seed: int = 0
    port: int = 0
    origins: tuple[str, ...] = ()
    seconds: float = 600.0
    command: Sequence[str] = ()


def check_client(trial: Trial, announce: Callable[[dict[str, str]], object]) -> list[Check]:
    """Play the server's side of a match and say how the client did; Ctrl-C ends it early.

    Args:
        trial: The match.
        announce: Called with what a client needs, as environment variables: ``GANGLAND`` (the
            server's address), ``GANGLAND_MATCH``, ``GANGLAND_SEAT``, ``GANGLAND_TOKEN``.

    Raises:
        GanglandError: For an unknown game or option, an address or a command that cannot be used.
    """
    check_address(HOST, trial.port)
    with tempfile.TemporaryDirectory() as folder:
        running = _Running(trial, f"sqlite:///{folder}/match.db")
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(running.run(announce))
    return running.observer.checks(running.finished, running.ended)


class _Running:
    """The server of a trial.

    Attributes:
        observer: Watches the client.
        finished: Whether the client has played until the game was over.
        ended: How the trial ended, for people.
    """

    def __init__(self, trial: Trial, database: str) -> None:
        self.trial = trial
        self.observer = Observer()
        self.finished = False
        self.ended = "interrupted"
        settings = Settings(
            database, games=(trial.game,), origins=trial.origins, limits=Limits(rate=0.0)
        )
        app = create_app(settings)
        # Innermost: what it sends passes through the middleware that browsers need (CORS).
        app.user_middleware.append(Middleware(Faults, observer=self.observer))
        self.hub = app.state.hub
        config = configuration(app, settings, HOST, trial.port)
        config.http = abortable(config.http)  # type: ignore[arg-type]
        self.server = Server(config, self.hub)

    async def run(self, announce: Callable[[dict[str, str]], object]) -> None:
        """Serve until the client has ended."""
        serving = asyncio.create_task(self.server.serve())
        try:
            while not self.server.started:
                await asyncio.wait({serving}, timeout=0.01)
                if serving.done():
                    return
            variables = await self._create()
            announce(variables)
            await self._watch(variables, serving)
            match = (await self.hub.room(self.observer.match)).match
            own = match.seats[SEAT]
            if own.bot:
                self.ended = "it gave its seat to a bot"
            elif match.agreed:
                self.ended = "it agreed to end the match"
            self.finished = match.status == "finished" and not own.bot and not match.agreed
        finally:
            self.server.should_exit = True
            await serving

    async def _create(self) -> dict[str, str]:
        """Create the match; gives what a client needs to know."""
        trial = self.trial
        game = load(trial.game)
        players = game.num_players(game.options.resolve(trial.options))
        bots = [BotSeat(kind="bot", bot=BOT)] * (players - 1)
        wanted = NewMatch(
            game=trial.game,
            options=trial.options,
            seats=[HumanSeat(kind="human", name="Client"), *bots],
            seed=trial.seed,
            substitute=BOT,
            listed=False,
        )
        (own,) = (await self.hub.create(wanted)).tokens
        self.observer.token, self.observer.match = own.token, own.match
        port = self.server.servers[0].sockets[0].getsockname()[1]
        return {
            "GANGLAND": f"http://{HOST}:{port}",
            "GANGLAND_MATCH": own.match,
            "GANGLAND_SEAT": str(SEAT),
            "GANGLAND_TOKEN": own.token,
        }

    async def _watch(self, variables: dict[str, str], serving: asyncio.Task[None]) -> None:
        """Wait for the end of the match, the command, the server or the time."""
        seconds = self.trial.seconds
        async with _client(self.trial.command, variables) as exits:
            over = asyncio.create_task(self.observer.over.wait())
            ends: set[asyncio.Future[Any]] = {serving, over, exits}
            done, _ = await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            over.cancel()
            if over in done:
                self.ended = "the match was over"
                await asyncio.wait({exits}, timeout=PARTING if self.trial.command else 0)
            elif exits in done:
                self.ended = f"the command ended with exit code {exits.result()}"
            elif not done:
                self.ended = f"the time of {seconds:g} s was over"


@contextlib.asynccontextmanager
async def _client(
    command: Sequence[str], variables: dict[str, str]
) -> AsyncIterator[asyncio.Future[int]]:
    """Run a command, if there is one; gives its exit code once it has ended."""
    if not command:
        yield asyncio.get_running_loop().create_future()
        return
    try:
        process = await asyncio.create_subprocess_exec(*command, env={**os.environ, **variables})
    except OSError as error:
        raise CommandError(f"cannot start {command[0]!r}: {reason_of(error)}") from error
    exits = asyncio.create_task(process.wait())
    try:
        yield exits
    finally:
        for stop in (process.terminate, process.kill):
            if process.returncode is None:
                stop()
                await asyncio.wait({exits}, timeout=PARTING)
