"""The bots of a server, without matches: all that the stateless endpoint needs."""

from __future__ import annotations

import os

from ...agents.registry import make
from ...envs import game_names, load
from ...envs.core.game import Game
from ...envs.registry import UnknownGameError
from ..settings import Settings
from ..tasks import Tasks
from .positions import Positions
from .registry import Bots


class BotService:
    """Games, bots and posted positions.

    Args:
        settings: The server's settings.

    Attributes:
        bots: The bots that are offered.
        positions: Decisions in posted positions.
        tasks: Background tasks.
        closing: Whether the server is shutting down.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        limit = settings.limits.bot
        threads = max(1, (os.cpu_count() or 1) // settings.workers)
        self.bots = Bots(settings.checkpoints, settings.bots, limit, threads)
        self.positions = Positions(self.bots, self.game, limit)
        self.tasks = Tasks()
        self.closing = False

    @property
    def games(self) -> list[str]:
        """Names of the served games."""
        return list(self.settings.games) or game_names()

    def game(self, name: str) -> Game:
        """A served game.

        Raises:
            UnknownGameError: If it is not served; the message names those that are.
        """
        if name not in self.games:
            raise UnknownGameError(f"no game {name!r}: there are {', '.join(self.games)}")
        return load(name)

    def warm_up(self) -> None:
        """Compile and load the strongest bot of every game, and what the operator offers.

        Raises:
            GanglandError: If one of them cannot be used.
        """
        for name in self.games:
            self.bots.bot(name, self.bots.default(name))
        for name, spec in self.settings.bots:
            make(spec, load(name))

    async def unready(self) -> str:
        """Why the server cannot do its work at this moment; empty if it can."""
        return "the server is shutting down" if self.closing else ""

    def close(self) -> None:
        """Take note that the server is shutting down."""
        self.closing = True

    async def stop(self) -> None:
        """Stop all work."""
        self.close()
        await self.tasks.stop()
        self.bots.close()
        self.positions.close()
