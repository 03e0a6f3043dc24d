"""The bots of a server, without matches: all that the stateless endpoint needs.

Among it are decisions in posted positions, for frontends that implement the rules. Nothing is
stored.
"""

from __future__ import annotations

import os
from binascii import a2b_base64
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.registry import make
from ...arena.workers.base import cores
from ...envs import game_names, load
from ...envs.core.game import Game
from ...envs.core.view import Detail
from ...envs.registry import UnknownGameError
from ..batching import Batcher, Overloaded
from ..errors import ServingError
from ..metrics import BOT_REPLIES, of
from ..protocol import BotReply, BotRequest
from ..settings import Settings
from ..tasks import Tasks
from .bot import Question
from .registry import Bots
from .sandbox import Job, Sandbox


class Positions:
    """Asks bots for decisions in posted positions.

    Args:
        bots: The bots.
        game: Looks up a served game by name.
        seconds: Time limit of a position.
    """

    def __init__(self, bots: Bots, game: Callable[[str], Game], seconds: float) -> None:
        self._bots = bots
        self._game = game
        self._sandbox = Sandbox(seconds)
        self._seeds = _seeds()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sandbox")
        self._batcher: Batcher[Job, dict[str, Any]] = Batcher(
            self._sandbox.run, self._thread, size=64, waiting=1000
        )

    def close(self) -> None:
        """Stop the sandbox."""
        self._thread.shutdown(cancel_futures=True, wait=False)
        self._sandbox.close()

    async def reply(self, name: str, asked: BotRequest, bot: str | None) -> BotReply:
        """A bot's decision in a posted position.

        Raises:
            UnknownGameError: If there is no such game.
            ServingError: ``bad_request`` if the position is not valid.
        """
        game = self._game(name)
        spec = self._bots.check(name, bot)
        if (asked.state is None) == (asked.observation is None):
            raise ServingError("bad_request", "give either state or observation and legal")
        of(BOT_REPLIES, name).inc()
        seed = next(self._seeds) if asked.seed is None else asked.seed
        offer = self._bots.offers(name)[spec]
        if asked.state is not None:
            job = Job(name, offer.made_from, asked.state, seed, asked.explain)
            return BotReply(bot=spec, **await self._judge(job))
        if not offer.traits.observations:
            raise ServingError("bad_request", f"{spec} needs a state, not an observation")
        decision = await self._bots.ask(name, spec, from_arrays(game, asked, seed))
        return BotReply(
            bot=spec,
            action=decision.action,
            probabilities=_by_action(decision.probabilities, asked.legal or []),
            chance=decision.chance(0),
        )

    async def _judge(self, job: Job) -> dict[str, Any]:
        try:
            return await self._batcher.submit(job)
        except Overloaded as error:
            raise ServingError("too_many", "too many positions wait", retry_after=1) from error


def _seeds() -> Iterator[int]:
    """Seeds as from ``draw_seed``; the system is asked for many at a time."""
    while True:
        yield from map(int, np.frombuffer(os.urandom(8 * 512), np.uint64))


def from_arrays(game: Game, asked: BotRequest, seed: int) -> Question:
    """The question for a posted observation and its legal actions.

    Raises:
        ServingError: ``bad_request``, naming what does not fit the game.
    """
    observation = _numbers(asked.observation)
    if observation.shape != (game.observation_size,) or not np.isfinite(observation).all():
        raise ServingError(
            "bad_request", f"observation: must be {game.observation_size} finite numbers"
        )
    if not asked.legal or max(asked.legal) >= game.num_actions:
        raise ServingError("bad_request", f"legal: must be actions 0..{game.num_actions - 1}")
    if asked.role is None and len(game.roles) > 1:
        raise ServingError("bad_request", f"role: must be one of {', '.join(game.roles)}")
    if asked.role is not None and asked.role not in game.roles:
        raise ServingError("bad_request", f"role: must be one of {', '.join(game.roles)}")
    mask = np.zeros(game.num_actions, np.bool_)
    mask[asked.legal] = True
    role = 0 if asked.role is None else game.roles.index(asked.role)
    detail = Detail.OWN if asked.explain else Detail.ACTION
    return Question(observation, mask, role, seed, detail)


def _numbers(observation: list[float] | str | None) -> NDArray[np.float32]:
    """The numbers of a posted observation, float32 of shape ``(numbers,)``; finite or not.

    Raises:
        ServingError: ``bad_request`` if it is a text that is not base64 of whole float32 numbers.
    """
    if not isinstance(observation, str):
        with np.errstate(over="ignore"):
            return np.array(observation, np.float32)
    try:
        return np.frombuffer(a2b_base64(observation), "<f4").astype(np.float32)
    except ValueError as error:
        raise ServingError("bad_request", f"observation: not float32 in base64: {error}") from error


def _by_action(shares: Any, legal: list[int]) -> dict[int, float] | None:
    return None if shares is None else {a: float(shares[a]) for a in sorted(set(legal))}


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
        # Two at least: a bot that keeps its thread waiting must not stop all others.
        threads = max(2, cores() // settings.workers)
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
