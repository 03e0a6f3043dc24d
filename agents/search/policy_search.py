"""Search over a trained policy: its most likely actions, evaluated by rollouts of the policy.

At the root, the policy's most likely actions are compared by sequential halving, and the one with
the highest sum of logit and scaled gain is played (I. Danihelka et al., "Policy improvement by
planning with Gumbel", 2022). An action is evaluated by rollouts of the policy (G. Tesauro and G. R.
Galperin, "On-line policy improvement using Monte-Carlo search", 1996): what is hidden is drawn
anew, all seats play the policy for a while, and the network estimates the chances of winning where
that ends. All seats go on as they would play, each from what it may know, so that nobody is assumed
to see hidden cards, as a tree of sampled positions would have it.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.game import Game
from ...envs.core.view import View
from ..trained.policy import PolicyAgent, masked_softmax
from .base import SearchAgent
from .budget import Budget, SearchSpecError, is_number, parse_budget
from .rollouts import Rollouts

DEFAULT_BUDGET = "5000"
MOST_POSITIONS = 10_000_000
BATCH = 128
"""Most rollouts that advance in step, about."""
LONGEST = 200
"""Decisions of a rollout at which it is judged in any case."""
VISITS = 50.0
"""Weight of the gain before an action is tried, as in the paper."""


@dataclass(frozen=True, slots=True)
class PolicySearchConfig:
    """Budget and settings of a search.

    Attributes:
        path: Checkpoint of the policy: a folder or the name of a shipped bot.
        budget: Positions looked at for each decision, about, or the time.
        actions: Most actions compared.
        depth: Own later decisions at which a rollout ends.
        scale: Weight of the gain against the logits.
        temperature: At which all seats of a rollout draw their actions; ``None`` for the policy's
            own, so that rivals of its kind are taken for what they are.
        threads: Batches of rollouts that are played side by side.
    """

    path: str
    budget: Budget
    actions: int = 16
    depth: int = 2
    scale: float = 1.0
    temperature: float | None = None
    threads: int = 1


@dataclass(frozen=True, slots=True)
class PolicySearchResult:
    """What a search found.

    Attributes:
        actions: Int64 ``(A,)``: actions compared, likeliest first.
        visits: Int64 ``(A,)``: rollouts of each.
        chances: Float64 ``(A, max_seats)``: each seat's mean chance of winning after each.
        probabilities: Float64 ``(num_actions,)``: the improved policy.
        positions: Positions looked at: networks read them, or the game was over.
    """

    actions: NDArray[np.int64]
    visits: NDArray[np.int64]
    chances: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    positions: int

    @property
    def action(self) -> int:
        """The action to play: of those tried most often, the most probable one."""
        return int(self.actions[self._best])

    @property
    def chances_after(self) -> NDArray[np.float64]:
        """Mean chance of winning of each seat after :attr:`action`."""
        chances: NDArray[np.float64] = self.chances[self._best]
        return chances

    @property
    def _best(self) -> int:
        told = np.where(self.visits == self.visits.max(), self.probabilities[self.actions], -1.0)
        return int(told.argmax())


class PolicySearchAgent(SearchAgent):
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

    most = MOST_POSITIONS

    def __init__(self, game: Game, argument: str = "") -> None:
        self.game = game
        self.config = parse(argument)
        self.spec = f"search:{argument}"
        self.policy = PolicyAgent(game, self.config.path)
        if self.policy.advisor is not None or not self.policy.tells_chances:
            raise SearchSpecError(
                f"search:{argument}: needs a network that learns chances and takes no advice; "
                f"{self.config.path} does not"
            )
        given = self.config.temperature
        self._temperature = self.policy.temperature if given is None else given

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
            temperature=self._temperature,
            longest=LONGEST,
        )
        tried = _Tried(rollouts, actions, logits[actions], config)
        tried.halve(view.seat)
        improved = _improved(logits, view.action_mask, tried, view.seat, config.scale)
        return PolicySearchResult(actions, tried.visits, tried.means, improved, tried.read)


class _Tried:
    """Actions that are tried out, and their rollouts so far.

    Attributes:
        actions: Int64 ``(A,)``: the actions.
        visits: Int64 ``(A,)``: rollouts of each.
        read: Positions looked at so far.
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
        return self._config.budget.spent(self.read, self._began)

    def halve(self, seat: int) -> None:
        """Sequential halving: each phase has an equal share of the budget, and half go on."""
        kept = np.arange(len(self.actions))
        phases = max(1, math.ceil(math.log2(len(kept))))
        self._play(kept, 1)
        for phase in range(phases):
            while self.spent < (phase + 1) / phases:
                self._play(kept, self._affordable(kept, (phase + 1) / phases))
            if phase < phases - 1:
                gains = _weight(self, self._config.scale) * self.means[kept, seat]
                order = np.argsort(-(self._logits[kept] + gains), kind="stable")
                kept = np.sort(kept[order[: (len(kept) + 1) // 2]])

    def _affordable(self, kept: NDArray[np.int64], share: float) -> int:
        """Samples of a batch by which about ``share`` of the budget's positions is not exceeded."""
        each = self.read / self.visits.sum() * len(kept) * self._config.threads
        left = share * self._config.budget.count - self.read
        return max(1, min(int(left / each), BATCH // len(kept)))

    def _play(self, kept: NDArray[np.int64], size: int) -> None:
        """Rollouts of each of the actions ``kept``: ``size`` samples a thread, the same for all."""
        threads = self._config.threads
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
    mask: NDArray[np.bool_],
    tried: _Tried,
    seat: int,
    scale: float,
) -> NDArray[np.float64]:
    """The improved policy; what was not tried is taken to be worth what the policy expects."""
    known = tried.means[:, seat]
    share = masked_softmax(logits, mask)[tried.actions]
    gains = np.full(len(logits), float((share * known).sum() / share.sum()))
    gains[tried.actions] = known
    return masked_softmax(logits + _weight(tried, scale) * gains, mask)


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
    budget = parse_budget("search", argument, first or DEFAULT_BUDGET, "positions", MOST_POSITIONS)
    given: dict[str, Any] = {}
    for part in filter(None, rest):
        key, _, value = part.partition("=")
        if key in ("actions", "depth", "threads") and value.isdecimal() and 1 <= int(value) <= 100:
            given[key] = int(value)
        elif key in ("scale", "temperature") and is_number(value):
            given[key] = float(value)
        else:
            raise SearchSpecError(
                f"search:{argument}: {part!r} must be actions=N, depth=N or threads=N, N "
                "from 1 to 100, or scale=X or temperature=X, X a number from 0"
            )
    return PolicySearchConfig(path, budget, **given)
