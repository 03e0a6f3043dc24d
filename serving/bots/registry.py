"""The bots that the server offers: a fixed list, each loaded once, asked in batches.

Clients name bots by the specs of this list only. What a spec can do on the command line (read
folders, start programs, call other servers) is the operator's to allow.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...agents.model_file import MODEL_FILE, CheckpointError
from ...agents.policy import Checkpoint, find_checkpoint, read_checkpoint
from ...agents.registry import make, specs, strongest
from ...envs import load
from ...envs.core.game import Game
from ..batching import Batcher, Late, Overloaded
from ..errors import ServingError
from .bot import Answer, Bot, Question

BATCH = 64
"""The most decisions of one batch."""

log = logging.getLogger(__name__)


class BotLateError(ServingError):
    """A bot takes longer than it may."""

    def __init__(self, spec: str) -> None:
        super().__init__("unavailable", f"{spec} takes too long")


@dataclass(frozen=True)
class Offer:
    """A bot of the list.

    Attributes:
        spec: How clients name it.
        made_from: Spec for the registry; may hold a path and is never shown.
        doc: One line.
    """

    spec: str
    made_from: str
    doc: str

    @cached_property
    def takes_observations(self) -> bool:
        """Whether observation and mask are enough for a decision."""
        if not self.made_from.startswith("ppo:"):
            return False
        path = self.made_from.removeprefix("ppo:").partition("?")[0]
        return read_checkpoint(find_checkpoint(path)).model["network"]["hint"] is None

    @property
    def thinks(self) -> bool:
        """Whether it tells how likely its decisions are."""
        return self.made_from.partition(":")[0] in ("ppo", "ismcts", "random")


class Bots:
    """All bots of all games.

    Args:
        checkpoints: A folder of checkpoints that are offered beside those of the package.
        more: Further specs that the operator allows, by game.
        seconds: Time for a decision; loading and waiting for a thread cost nothing.
        threads: Threads in which bots think.
    """

    def __init__(
        self,
        checkpoints: Path | None = None,
        more: Sequence[tuple[str, str]] = (),
        seconds: float | None = None,
        threads: int = 0,
    ) -> None:
        self.threads = threads or os.cpu_count() or 1
        self.pool = ThreadPoolExecutor(self.threads, thread_name_prefix="bots")
        # Compiling takes minutes: bots that are there think on meanwhile.
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="loader")
        self._seconds = seconds
        self._checkpoints = checkpoints
        self._more = list(more)
        self._defaults: dict[str, str] = {}
        self._offers: dict[str, dict[str, Offer]] = {}
        self._bots: dict[tuple[str, str], Bot] = {}
        self._batchers: dict[tuple[str, str], Batcher[Question, Answer]] = {}
        self._making = threading.Lock()

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self._loader.shutdown(wait=False, cancel_futures=True)

    def offers(self, game: str) -> dict[str, Offer]:
        """The list of a game's bots, by spec."""
        if game not in self._offers:
            loaded = load(game)
            found = [Offer(spec, spec, doc) for spec, doc in specs(loaded).items()]
            found += self._own(loaded)
            found += [Offer(s, s, "offered by this server") for g, s in self._more if g == game]
            self._offers[game] = {offer.spec: offer for offer in found}
        return self._offers[game]

    def default(self, game: str) -> str:
        """Spec of the strongest bot at hand."""
        if game not in self._defaults:
            self._defaults[game] = strongest(load(game))
        return self._defaults[game]

    def check(self, game: str, spec: str | None) -> str:
        """A spec of the list; the default for ``None``.

        Raises:
            ServingError: ``bad_request``, naming the list.
        """
        offers = self.offers(game)
        spec = self.default(game) if spec is None else spec
        if spec not in offers:
            raise ServingError("bad_request", f"no bot {spec!r}: there are {', '.join(offers)}")
        return spec

    def bot(self, game: str, spec: str) -> Bot:
        """The bot of a checked spec; loading it can take minutes where kernels are compiled.

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
                    # Why is the operator's to know: it may name folders.
                    log.exception("%s for %s cannot be loaded", spec, game)
                    raise ServingError("unavailable", f"{spec} cannot be loaded") from error
                self._bots[game, spec] = bot
            return self._bots[game, spec]

    async def ready(self, game: str, specs: Iterable[str]) -> None:
        """Load checked bots, so that they decide at once when they are asked.

        Raises:
            ServingError: ``unavailable`` if one cannot be loaded.
        """
        for spec in sorted(set(specs)):
            await self._batcher(game, spec)

    async def ask(self, game: str, spec: str, asked: Question) -> Answer:
        """A decision of a checked bot, batched with others for the same bot.

        Raises:
            BotLateError: If it takes too long.
            ServingError: ``too_many`` if the bot has too much to do, ``unavailable`` if it cannot
                be loaded.
            GanglandError: If it fails.
        """
        try:
            return await (await self._batcher(game, spec)).submit(asked)
        except Overloaded as error:
            raise ServingError("too_many", f"{spec} is busy, try again", retry_after=1) from error
        except Late as error:
            raise BotLateError(spec) from error

    async def _batcher(self, game: str, spec: str) -> Batcher[Question, Answer]:
        key = game, spec
        if key not in self._batchers:
            loop = asyncio.get_running_loop()
            bot = await loop.run_in_executor(self._loader, self.bot, game, spec)
            if key not in self._batchers:
                self._batchers[key] = Batcher(
                    bot.answers,
                    None if bot.quick else self.pool,
                    size=BATCH if bot.batches else 1,
                    parallel=1 if bot.batches else self.threads,
                    seconds=self._seconds,
                )
        return self._batchers[key]

    @cached_property
    def _folder(self) -> list[Checkpoint]:
        """Checkpoints of the operator's folder; what is wrong with the others is logged once."""
        found = []
        for path in sorted(self._checkpoints.rglob(MODEL_FILE)) if self._checkpoints else ():
            try:
                found.append(read_checkpoint(path.parent))
            except CheckpointError as error:
                log.warning("not offered: %s", error)
        return found

    def _own(self, game: Game) -> list[Offer]:
        """Bots of the operator's folder, named by their path inside it."""
        found = []
        for checkpoint in self._folder:
            assert self._checkpoints is not None
            name = checkpoint.folder.relative_to(self._checkpoints).as_posix()
            hidden = any(part.startswith(".") and part != "." for part in Path(name).parts)
            # A question mark would begin the settings of the spec.
            if hidden or checkpoint.model["game"] != game.name or "?" in str(checkpoint.folder):
                continue
            try:
                checkpoint.check(game)
            except CheckpointError as error:
                log.warning("not offered: %s", error)
                continue
            made_from = f"ppo:{checkpoint.folder}"
            found.append(Offer(f"ppo:{name}", made_from, "trained bot of this server"))
        return found
