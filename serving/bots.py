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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.base import Agent
from ..agents.legality import require_legal
from ..agents.model_file import MODEL_FILE, CheckpointError
from ..agents.policy import (
    Checkpoint,
    PolicyAgent,
    choose_actions,
    find_checkpoint,
    read_checkpoint,
)
from ..agents.random import RandomAgent
from ..agents.registry import make, specs, strongest
from ..envs import load
from ..envs.core.game import Game
from ..envs.core.view import View, ViewBatch
from .batching import Batcher, Late, Overloaded
from .problems import ServingError

BATCH = 64
"""The most decisions of one batch."""

QUICK = 300_000
"""Weights up to which a network answers in less time than a thread takes to get its turn."""

DEALS = 16
"""Deals over which the values of other seats are averaged."""

OPENING = 200
"""Decisions within which every role has been asked something, in every game."""

log = logging.getLogger(__name__)


class BotLateError(ServingError):
    """A bot takes longer than it may."""

    def __init__(self, spec: str) -> None:
        super().__init__("unavailable", f"{spec} takes too long")


@dataclass(frozen=True, slots=True)
class Question:
    """A decision for a bot.

    Attributes:
        observation: Float32 of shape ``(observation_size,)``.
        mask: Bool of shape ``(num_actions,)``.
        role: Index of the seat's role.
        seed: Randomness of the decision.
        view: The view, where there is one.
        explain: Whether probabilities and value are wanted.
    """

    observation: NDArray[np.float32]
    mask: NDArray[np.bool_]
    role: int
    seed: int
    view: View | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A bot's decision.

    Attributes:
        action: A legal action.
        probabilities: Float64 of shape ``(num_actions,)``, if the bot tells.
        value: Expected result of the deciding seat, if the bot tells.
        values: Expected result of every seat, if the bot tells with the decision.
    """

    action: int
    probabilities: NDArray[np.float64] | None = None
    value: float | None = None
    values: list[float] | None = None


def question(view: View, *, explain: bool = False) -> Question:
    """What to ask about a view."""
    role = 0
    if len(view.game.roles) > 1:
        role = view.game.seat_roles(view.game.read_options(view.known))[view.seat]
    return Question(view.observation, view.action_mask, role, view.seed, view, explain)


class Bot:
    """One agent for one game.

    Args:
        game: The game.
        spec: Name among the server's bots.
        agent: The agent.
    """

    def __init__(self, game: Game, spec: str, agent: Agent) -> None:
        self.game = game
        self.spec = spec
        self.agent = agent

    @property
    def batches(self) -> bool:
        """Whether many decisions together cost less than one by one."""
        return type(self.agent).act_batch is not Agent.act_batch

    @property
    def quick(self) -> bool:
        """Whether it decides from observations within microseconds."""
        agent = self.agent
        if isinstance(agent, RandomAgent) and type(agent).act_batch is RandomAgent.act_batch:
            return True
        if not isinstance(agent, PolicyAgent) or agent.advisor is not None:
            return False
        return all(net.size <= QUICK for net in agent.checkpoint.networks.values())

    def try_out(self) -> None:
        """Decide once in every role, so that nothing is left to be compiled or loaded.

        Raises:
            GanglandError: If the bot fails.
        """
        for seen in openings(self.game):
            self.answer([question(seen, explain=True)])

    def answers(self, questions: Sequence[Question]) -> Sequence[Answer | Exception]:
        """Decide many times; where a batch fails, each question fails or not by itself."""
        try:
            return self.answer(questions)
        except Exception as error:
            if len(questions) == 1:
                return [error]
            return [self.answers([asked])[0] for asked in questions]

    def answer(self, questions: Sequence[Question]) -> list[Answer]:
        """Decide many times; every action is legal.

        Raises:
            GanglandError: If the agent fails or answers with an illegal action.
        """
        masks = np.stack([q.mask for q in questions])
        observations = np.stack([q.observation for q in questions])
        seeds = np.array([q.seed for q in questions], np.uint64)
        if isinstance(self.agent, PolicyAgent):
            found = self._policy(self.agent, observations, masks, seeds, questions)
        else:
            found = self._agent(observations, masks, seeds, questions)
        actions = np.array([answer.action for answer in found], np.int64)
        require_legal(self.game, self.spec, masks, actions)
        return found

    def _policy(
        self,
        agent: PolicyAgent,
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        seeds: NDArray[np.uint64],
        questions: Sequence[Question],
    ) -> list[Answer]:
        actions = np.full(len(masks), -1, np.int64)
        shares: list[NDArray[np.float64] | None] = [None] * len(masks)
        values: list[float | None] = [None] * len(masks)
        roles = np.array([q.role for q in questions])
        if agent.advisor is not None:
            views = [q.view for q in questions if q.view is not None]
            if len(views) < len(questions):
                raise ServingError("bad_request", f"{self.spec} needs a state, not an observation")
            observations = np.concatenate([agent.inputs(view) for view in views])
        for index, role in enumerate(self.game.roles):
            rows = np.flatnonzero(roles == index)
            if not len(rows):
                continue
            network = agent.checkpoint.networks[role]
            logits = network.logits(observations[rows])
            choose_actions(logits, masks, seeds, rows, agent.temperature, actions)
            wanted = [k for k, row in enumerate(rows) if questions[int(row)].explain]
            if wanted:
                value = network.values(observations[rows[wanted]])
                for k, number in zip(wanted, value, strict=True):
                    shares[rows[k]] = _softmax(logits[k], masks[rows[k]])
                    values[rows[k]] = float(number)
        if (actions < 0).any():
            raise CheckpointError(f"{self.spec}: logits that are no numbers")
        return [Answer(int(a), p, v) for a, p, v in zip(actions, shares, values, strict=True)]

    def _agent(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        seeds: NDArray[np.uint64],
        questions: Sequence[Question],
    ) -> list[Answer]:
        views = [q.view for q in questions if q.view is not None]
        if len(views) < len(questions):
            raise ServingError("bad_request", f"{self.spec} needs a state, not an observation")
        search = getattr(self.agent, "search", None)
        if search is not None:
            return [self._searched(search, view) for view in views]
        if self.batches and len(views) > 1:
            known = np.concatenate([np.atleast_1d(view.known) for view in views])
            batch = ViewBatch(
                self.game,
                known.view(self.game.dtype),
                np.arange(len(views)),
                np.array([view.seat for view in views], np.int64),
                observations,
                masks,
                seeds,
            )
            actions = [int(action) for action in self.agent.act_batch(batch)]
        else:
            actions = [int(self.agent.act(view)) for view in views]
        return [
            self._explained(action, view) if q.explain else Answer(action)
            for action, view, q in zip(actions, views, questions, strict=True)
        ]

    def _searched(self, search: Any, view: View) -> Answer:
        """A search's decision: visits are its probabilities, and it values every seat."""
        if len(view.legal_actions) == 1:
            return Answer(view.legal_actions[0], view.action_mask.astype(np.float64))
        found = search(view)
        values = [float(v) for v in found.values[found.best][: self.game.num_seats(view.known)]]
        shares = found.visits / found.visits.sum()
        return Answer(found.best, shares, values[view.seat], values)

    def _explained(self, action: int, view: View) -> Answer:
        probabilities: Any = getattr(self.agent, "probabilities", None)
        value: Any = getattr(self.agent, "value", None)
        return Answer(
            action,
            None if probabilities is None else probabilities(view),
            None if value is None else float(value(view)),
        )

    def values(self, view: View) -> list[float] | None:
        """Expected result of each seat from what the view's seat knows.

        Rivals' cards are not looked at: they are drawn anew, :data:`DEALS` times, as the seat
        might imagine them, and the values averaged.
        """
        if not isinstance(self.agent, PolicyAgent):
            return None
        game, seats = self.game, self.game.num_seats(view.known)
        roles = game.seat_roles(game.read_options(view.known))
        deals = [view.sample_state((view.seed + k) % 2**64) for k in range(DEALS)]
        found = []
        for seat in range(seats):
            if seat == view.seat:
                rows = self.agent.inputs(view)
            else:
                rows = np.concatenate([self.agent.inputs(View(game, d, seat)) for d in deals])
            network = self.agent.checkpoint.networks[game.roles[roles[seat]]]
            found.append(float(network.values(rows).mean()))
        return found


def _softmax(logits: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    masked = np.where(mask, logits.astype(np.float64), -np.inf)
    weights = np.exp(masked - masked.max())
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def openings(game: Game) -> list[View]:
    """For each role of the default table, its first decision between several actions."""
    state, rng = game.new_state(0), np.random.default_rng(0)
    roles = game.seat_roles(game.read_options(state))
    found: dict[int, View] = {}
    for _ in range(OPENING):
        if game.is_over(state) or len(found) == len(set(roles)):
            break
        seat, legal = game.seat_to_act(state), game.legal_actions(state)
        if len(legal) > 1 and roles[seat] not in found:
            found[roles[seat]] = game.view(state, seat)
        game.apply(state, int(rng.choice(legal)))
    return list(found.values())


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
