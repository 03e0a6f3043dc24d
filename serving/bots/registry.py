"""The bots that the server offers: a fixed list; each is loaded once and asked in batches.

Clients can only name specs of this list. Specs that read folders, start programs or call other
servers are on it only if the operator has put them there.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...agents.decision import Decision
from ...agents.registry import Traits, make, policy_spec, shipped, specs, strongest, traits
from ...agents.shipped import levels
from ...agents.trained.model_file import MODEL_FILE, CheckpointError
from ...agents.trained.policy import Checkpoint, read_checkpoint
from ...arena.workers.base import cores
from ...envs import load
from ...envs.core.game import Game
from ...envs.core.view import Detail, View
from ..batching import Batcher, Late, Overloaded
from ..errors import ServingError
from ..metrics import BOT_SECONDS, of
from .bot import Bot, Question

BATCH = 64
"""Maximum number of decisions in a batch."""

log = logging.getLogger(__name__)


class BotLateError(ServingError):
    """A bot exceeded its time limit."""

    def __init__(self, spec: str) -> None:
        super().__init__("unavailable", f"{spec} takes too long")


@dataclass(frozen=True)
class Offer:
    """A bot on the list.

    Attributes:
        game: The game that it plays.
        spec: Its name for clients.
        made_from: Its spec for the agent registry; it may contain a path and is never shown.
        doc: One line of description.
    """

    game: Game
    spec: str
    made_from: str
    doc: str

    @cached_property
    def traits(self) -> Traits:
        """What is known about it before it is loaded."""
        return traits(self.made_from, self.game)


class Bots:
    """All bots of all games.

    Args:
        checkpoints: A folder of checkpoints that are offered besides those of the package.
        more: Further specs that the operator allows, as (game, spec).
        seconds: Time limit of a decision; loading and waiting for a thread do not count.
        threads: Number of threads in which bots decide; by default one per core.
    """

    def __init__(
        self,
        checkpoints: Path | None = None,
        more: Sequence[tuple[str, str]] = (),
        seconds: float | None = None,
        threads: int = 0,
    ) -> None:
        self.threads = threads or cores()
        self.pool = ThreadPoolExecutor(self.threads, thread_name_prefix="bots")
        # A thread of its own: compiling takes minutes, and loaded bots go on deciding meanwhile.
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="loader")
        self._seconds = seconds
        self._checkpoints = checkpoints
        self._more = list(more)
        self._defaults: dict[str, str] = {}
        self._offers: dict[str, dict[str, Offer]] = {}
        self._levels: dict[str, dict[str, str]] = {}  # By what they stand for.
        self._bots: dict[tuple[str, str], Bot] = {}
        self._batchers: dict[tuple[str, str, bool], Batcher[View | Question, Decision]] = {}
        self._making = threading.Lock()

    def close(self) -> None:
        """Stop the threads."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self._loader.shutdown(wait=False, cancel_futures=True)

    def offers(self, game: str) -> dict[str, Offer]:
        """A game's bots, by spec."""
        if game not in self._offers:
            loaded = load(game)
            found = [Offer(loaded, spec, spec, doc) for spec, doc in specs(loaded).items()]
            found += self._own(loaded)
            found += [
                Offer(loaded, spec, spec, "offered by this server")
                for name, spec in self._more
                if name == game
            ]
            self._levels[game] = {one.stands_for: spec for spec, one in levels(loaded).items()}
            self._offers[game] = {offer.spec: offer for offer in found}
        return self._offers[game]

    def default(self, game: str) -> str:
        """Spec of the strongest bot available."""
        if game not in self._defaults:
            self._defaults[game] = strongest(load(game))
        return self._defaults[game]

    def check(self, game: str, spec: str | None) -> str:
        """Check that a spec is on the list.

        Args:
            game: Its game.
            spec: ``None`` stands for the default, ``ppo:GAME`` for the newest bot of the package,
                and what a level stands for, for the level.

        Raises:
            ServingError: ``bad_request``, naming the list.
        """
        offers = self.offers(game)
        if spec is None:
            return self.default(game)
        if spec == policy_spec(game) and spec not in offers and (bots := shipped(game)):
            spec = policy_spec(bots[-1])
        spec = spec if spec in offers else self._levels[game].get(spec, spec)
        if spec not in offers:
            raise ServingError("bad_request", f"no bot {spec!r}: there are {', '.join(offers)}")
        return spec

    def judge(self, game: str, spec: str | None) -> str:
        """Check that a bot on the list may rate decisions; ``None`` stands for the strongest.

        Raises:
            ServingError: ``bad_request`` if it is not on the list, or cannot rate.
        """
        wanted = self.check(game, spec)
        if self.offers(game)[wanted].traits.probabilities:
            return wanted
        raise ServingError("bad_request", f"{wanted} does not estimate how likely it wins")

    def bot(self, game: str, spec: str) -> Bot:
        """The bot of a checked spec; loading it can take minutes if kernels have to be compiled.

        Raises:
            ServingError: ``unavailable`` if it cannot be loaded.
        """
        with self._making:
            if (game, spec) not in self._bots:
                try:
                    loaded = load(game)
                    bot = Bot(loaded, spec, make(self.offers(game)[spec].made_from, loaded))
                    bot.try_out()
                except Exception as error:
                    # The reason is for the operator only: it may name folders.
                    log.exception("%s for %s cannot be loaded", spec, game)
                    raise ServingError("unavailable", f"{spec} cannot be loaded") from error
                self._bots[game, spec] = bot
            return self._bots[game, spec]

    async def ready(self, game: str, specs: Iterable[str]) -> None:
        """Load checked bots in advance, so that their first decision takes no longer than others.

        Raises:
            ServingError: ``unavailable`` if one cannot be loaded.
        """
        for spec in sorted(set(specs)):
            await self._batcher(game, spec)

    async def remembers(self, game: str, spec: str) -> bool:
        """Whether a checked bot needs the history of a game.

        Raises:
            ServingError: ``unavailable`` if it cannot be loaded.
        """
        await self._batcher(game, spec)
        return self._bots[game, spec].agent.needs_history

    async def ask(self, game: str, spec: str, asked: View | Question) -> Decision:
        """Ask a checked bot for a decision, batched with others for the same bot.

        Raises:
            BotLateError: If it takes too long.
            ServingError: ``too_many`` if its queue is full, ``unavailable`` if it cannot be
                loaded.
            GanglandError: If it fails.
        """
        try:
            batcher = await self._batcher(game, spec, thorough=asked.detail == Detail.ALL)
            with of(BOT_SECONDS, game).time():
                return await batcher.submit(asked)
        except Overloaded as error:
            raise ServingError("too_many", f"{spec} is busy, try again", retry_after=1) from error
        except Late as error:
            raise BotLateError(spec) from error

    async def _batcher(
        self, game: str, spec: str, *, thorough: bool = False
    ) -> Batcher[View | Question, Decision]:
        """The queue of a bot; questions for all seats' chances have one of their own."""
        key = game, spec, thorough
        if key not in self._batchers:
            loop = asyncio.get_running_loop()
            bot = await loop.run_in_executor(self._loader, self.bot, game, spec)
            if key not in self._batchers:
                self._batchers[key] = Batcher(
                    bot.answers,
                    None if bot.agent.quick and not thorough else self.pool,
                    size=BATCH if bot.agent.batched else 1,
                    parallel=1 if bot.agent.batched else self.threads,
                    seconds=self._seconds,
                )
        return self._batchers[key]

    @cached_property
    def _folder(self) -> list[Checkpoint]:
        """Checkpoints of the operator's folder; damaged ones are logged once and left out."""
        found = []
        for path in sorted(self._checkpoints.rglob(MODEL_FILE)) if self._checkpoints else ():
            try:
                found.append(read_checkpoint(path.parent))
            except CheckpointError as error:
                log.warning("not offered: %s", error)
        return found

    def _own(self, game: Game) -> list[Offer]:
        """Bots from the operator's folder, named by their path inside it; of a run the newest."""
        found: dict[Path, Offer] = {}
        for checkpoint in self._folder:
            assert self._checkpoints is not None
            path = checkpoint.folder.relative_to(self._checkpoints)
            hidden = any(part.startswith(".") for part in path.parts)
            # A question mark would begin the settings of the spec.
            if hidden or checkpoint.model["game"] != game.name or "?" in str(checkpoint.folder):
                continue
            try:
                checkpoint.fitted(game)
            except CheckpointError as error:
                log.warning("not offered: %s", error)
                continue
            name, made_from = _bot_path(path), policy_spec(checkpoint.folder)
            # Steps are in order, and a checkpoint in the run's folder itself comes after them.
            found[name] = Offer(game, policy_spec(name), made_from, "trained bot of this server")
        return list(found.values())


def _bot_path(checkpoint: Path) -> Path:
    """What names a checkpoint's bot, as on the command line: of a run's steps, the run's folder.

    >>> [_bot_path(Path(p)).as_posix() for p in ("a/checkpoints/step-2", "a/best/step-1", "b")]
    ['a', 'a/best', 'b']
    """
    *run, last = checkpoint.parts
    if not run or not last.startswith("step-"):
        return checkpoint
    return Path(*(run[:-1] if run[1:] and run[-1] == "checkpoints" else run))
