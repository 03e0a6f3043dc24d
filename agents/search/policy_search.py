"""Search over a trained policy: its own best guesses, tried out against itself.

At the root, the policy's likeliest actions are compared by sequential halving, and the one is
played for which logit and gain speak best (I. Danihelka et al., "Policy improvement by planning
with Gumbel", 2022). An action is tried out by rollouts of the policy (G. Tesauro and G. R.
Galperin, "On-line policy improvement using Monte-Carlo search", 1996): what is hidden is drawn
anew, all seats play the policy for a while, and the network's chances of winning are read where
that ends. All seats go on as they would play, each from what it may know, so that nobody is taken
to see hidden cards, as a tree of sampled positions would have it.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.game import Game
from ...envs.core.view import Detail, View
from ..base import Agent
from ..decision import Decision
from ..trained.policy import PolicyAgent
from .budget import SearchSpecError, is_number, parse_budget
from .rollouts import Rollouts

DEFAULT_BUDGET = "5000"
MOST_POSITIONS = 10_000_000
BATCH = 128
"""Rollouts that advance in step, about."""
LONGEST = 200
"""Decisions of a rollout at which it is judged in any case."""
VISITS = 50.0
"""Weight of the gain before an action is tried, as in the paper."""


@dataclass(frozen=True, slots=True)
class PolicySearchConfig:
    """How long to search, and how.

    Attributes:
        path: Checkpoint of the policy: a folder or the name of a shipped bot.
        positions: Positions that a network judges for each decision, about; an upper bound if
            there is a time.
        seconds: Time for each decision; ``None``: no limit. Results of a search by time depend on
            the machine.
        actions: Most actions compared.
        depth: Own later decisions at which a rollout ends.
        scale: Weight of the gain against the logits.
        threads: Batches of rollouts that are played side by side.
    """

    path: str
    positions: int
    seconds: float | None
    actions: int = 16
    depth: int = 2
    scale: float = 1.0
    threads: int = 1


@dataclass(frozen=True, slots=True)
class PolicySearchResult:
    """What a search found.

    Attributes:
        actions: Int64 ``(A,)``: actions compared, likeliest first.
        visits: Int64 ``(A,)``: rollouts of each.
        chances: Float64 ``(A, max_seats)``: each seat's mean chance of winning after each.
        probabilities: Float64 ``(num_actions,)``: the improved policy.
        positions: Positions that networks read.
    """

    actions: NDArray[np.int64]
    visits: NDArray[np.int64]
    chances: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    positions: int

    @property
    def best(self) -> int:
        """Index into ``actions`` of the one to play: the most visited of highest probability."""
        told = np.where(self.visits == self.visits.max(), self.probabilities[self.actions], -1.0)
        return int(told.argmax())


class PolicySearchAgent(Agent):
    """Plays what a search over a trained policy finds.

    Args:
        game: The game.
        argument: Policy, budget and settings, as in ``search:chicago/v2``,
            ``search:chicago/v2?2000``, ``search:runs/mine?500ms&depth=1&actions=8``.

    Raises:
        SearchSpecError: Naming the part that cannot be read and what is allowed, or if the policy
            cannot be searched with.
        CheckpointError: If there is no checkpoint, or it does not fit the game.
    """

    deliberate = True

    def __init__(self, game: Game, argument: str = "") -> None:
        self.game = game
        self.config = parse(argument)
        self.spec = f"search:{argument}"
        self.policy = PolicyAgent(game, self.config.path)
        if self.policy.advisor is not None or not self.policy.tells_chances:
            raise SearchSpecError(
                f"search:{argument}: needs a network that tells chances and takes no advice; "
                f"{self.config.path} does not"
            )

    def decide(self, view: View) -> Decision:
        """The action that holds out longest, the improved policy, and the chances after it.

        An only action is played without searching, unless chances are asked for.
        """
        legal = view.legal_actions
        if len(legal) == 1 and view.detail == Detail.ACTION:
            return Decision(legal[0])
        found = self.search(view)
        chances = found.chances[found.best].copy()
        chances[self.game.num_seats(view.known) :] = np.nan
        return Decision(int(found.actions[found.best]), found.probabilities, chances)

    def within(self, seconds: float) -> PolicySearchAgent:
        """The same search, for so many seconds instead of its own budget."""
        agent = copy(self)
        agent.config = replace(self.config, positions=MOST_POSITIONS, seconds=seconds)
        return agent

    def search(self, view: View) -> PolicySearchResult:
        """Search from a seat's view.

        Args:
            view: Of the seat that decides.
        """
        config = self.config
        logits = self.policy.logits(view)
        legal = np.flatnonzero(view.action_mask)
        actions = legal[np.argsort(-logits[legal], kind="stable")][: config.actions]
        rollouts = Rollouts(
            self.game,
            self.policy.networks,
            view.known,
            view.seat,
            view.seed,
            depth=config.depth,
            longest=LONGEST,
        )
        tried = _Tried(rollouts, actions, logits[actions], config)
        tried.halve(view.seat)
        improved = _improved(logits, legal, tried, view.seat, config.scale)
        return PolicySearchResult(actions, tried.visits, tried.means, improved, tried.read)


class _Tried:
    """Actions that are tried out, and their rollouts so far.

    Attributes:
        actions: Int64 ``(A,)``: the actions.
        visits: Int64 ``(A,)``: rollouts of each.
        read: Positions that networks have read.
    """

    def __init__(
        self,
        rollouts: Rollouts,
        actions: NDArray[np.int64],
        logits: NDArray[np.float64],
        config: PolicySearchConfig,
    ) -> None:
        self.actions = actions
        self.visits = np.zeros(len(actions), np.int64)
        self.read = 0
        self._sums = np.zeros((len(actions), rollouts.seats))
        self._rollouts = rollouts
        self._logits = logits
        self._config = config
        self._began = time.perf_counter()

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean chances ``(actions, seats)``; 0 before the first rollout."""
        means: NDArray[np.float64] = self._sums / np.maximum(self.visits, 1)[:, None]
        return means

    @property
    def spent(self) -> float:
        """Share of the budget that is used up."""
        by_count = self.read / self._config.positions
        if self._config.seconds is None:
            return by_count
        return max(by_count, (time.perf_counter() - self._began) / self._config.seconds)

    def halve(self, seat: int) -> None:
        """Sequential halving: each phase has an equal share of the budget, and half go on."""
        kept = np.arange(len(self.actions))
        phases = max(1, math.ceil(math.log2(len(kept))))
        for phase in range(phases):
            self._play(kept)
            while self.spent < (phase + 1) / phases:
                self._play(kept)
            if phase < phases - 1:
                gains = _weight(self, self._config.scale) * self.means[kept, seat]
                order = np.argsort(-(self._logits[kept] + gains), kind="stable")
                kept = np.sort(kept[order[: (len(kept) + 1) // 2]])

    def _play(self, kept: NDArray[np.int64]) -> None:
        """Some more rollouts of each of the actions ``kept``, the same samples for all."""
        threads = self._config.threads
        size = max(1, BATCH // len(kept))
        firsts = self.visits[kept[0]] + size * np.arange(threads)

        def run(first: int) -> tuple[NDArray[np.float64], int]:
            samples = np.tile(np.arange(first, first + size), len(kept))
            return self._rollouts.run(np.repeat(self.actions[kept], size), samples)

        for chances, read in map(run, firsts) if threads == 1 else _pool(threads).map(run, firsts):
            self._sums[kept] += chances.reshape(len(kept), size, -1).sum(1)
            self.visits[kept] += size
            self.read += read


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="search")


def _weight(tried: _Tried, scale: float) -> float:
    return (VISITS + float(tried.visits.max())) * scale


def _improved(
    logits: NDArray[np.float64],
    legal: NDArray[np.int64],
    tried: _Tried,
    seat: int,
    scale: float,
) -> NDArray[np.float64]:
    """The improved policy; what was not tried is taken to be worth what the policy expects."""
    prior = np.full(len(logits), -np.inf)
    prior[legal] = logits[legal]
    weights = np.exp(prior - prior.max())
    weights /= weights.sum()
    known = tried.means[:, seat]
    share = weights[tried.actions]
    gains = np.full(len(logits), float((share * known).sum() / share.sum()))
    gains[tried.actions] = known
    scores = prior + _weight(tried, scale) * gains
    improved = np.exp(scores - scores.max())
    result: NDArray[np.float64] = improved / improved.sum()
    return result


def parse(argument: str) -> PolicySearchConfig:
    """Read a search agent's spec after the colon.

    Raises:
        SearchSpecError: Naming the part that cannot be read and what is allowed.
    """
    path, _, query = argument.partition("?")
    if not path:
        raise SearchSpecError(
            f"search:{argument}: needs a policy, as search:chicago/v2 or search:PATH?1s"
        )
    first, *rest = query.split("&")
    if "=" in first:
        first, rest = "", [first, *rest]
    positions, seconds = parse_budget(
        "search", argument, first or DEFAULT_BUDGET, "positions", MOST_POSITIONS
    )
    given: dict[str, Any] = {}
    for part in filter(None, rest):
        key, _, value = part.partition("=")
        if key in ("actions", "depth", "threads") and value.isdecimal() and 1 <= int(value) <= 100:
            given[key] = int(value)
        elif key == "scale" and is_number(value):
            given[key] = float(value)
        else:
            raise SearchSpecError(
                f"search:{argument}: {part!r} must be actions=N, depth=N or threads=N, N "
                "from 1 to 100, or scale=X, X a number from 0"
            )
    return PolicySearchConfig(path, positions, seconds, **given)
