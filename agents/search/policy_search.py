"""Search over a trained policy: its most likely actions, evaluated by rollouts of the policy.

At the root, the policy's most likely actions are compared by sequential halving, and the one with
the highest sum of logit and scaled gain is played (I. Danihelka et al., "Policy improvement by
planning with Gumbel", 2022). An action is evaluated by rollouts of the policy (G. Tesauro and G. R.
Galperin, "On-line policy improvement using Monte-Carlo search", 1996): what is hidden is
sampled again, all seats play the policy for a while, and the network estimates the chances of
winning where that ends. All seats go on as they would play, each from what it may know, so that
nobody is assumed to see hidden cards, as a tree of sampled positions would have it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import starmap
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...envs.core.game import Game
from ...envs.core.state import States
from ...envs.core.view import Detail, View, ViewBatch
from ..decision import Decisions
from ..trained.policy import PolicyAgent, masked_softmax
from .base import Budget, SearchAgent, SearchSpecError, is_number, parse_budget
from .rollouts import Rollouts

DEFAULT_BUDGET = "5000"
MOST_POSITIONS = 10_000_000
BATCH = 128
"""Most rollouts of a decision that advance in step, about."""
TOGETHER = 64
"""Most decisions whose rollouts advance in step, where no time is kept."""
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
        depth: Own later turns at whose beginning a rollout ends.
        scale: Weight of the gain against the logits.
        temperature: At which all seats of a rollout draw their actions; ``None`` for the policy's
            own, so that rivals of its kind are taken for what they are.
        threads: Batches of rollouts that are played side by side.
    """

    path: str
    budget: Budget
    actions: int = 8
    depth: int = 4
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
        tried = self.visits == self.visits.max()
        return int(np.where(tried, self.probabilities[self.actions], -1.0).argmax())


class PolicySearchAgent(SearchAgent):
    """Plays what a search over a trained policy finds.

    Args:
        game: The game.
        argument: Policy, budget and settings, as in ``search:chicago/bot``,
            ``search:chicago/bot?2000``, ``search:runs/mine?500ms&depth=1&actions=8``.

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
        if not self.policy.gives_chances:
            raise SearchSpecError(
                f"search:{argument}: {self.config.path}: must be a network that learns chances"
            )
        given = self.config.temperature
        self._temperature = self.policy.temperature if given is None else given

    def search(self, view: View) -> PolicySearchResult:
        """Search from a seat's view.

        Args:
            view: Of the seat that decides.
        """
        return self.search_batch(ViewBatch.of([view]))[0]

    def search_batch(self, views: ViewBatch) -> list[PolicySearchResult]:
        """Search from many views side by side, in step: each finds what it would find alone.

        Small searches are several times as fast then. A budget of time is shared by all.

        Args:
            views: Of seats that decide.
        """
        config = self.config
        logits = self.policy.logits(views)
        rollouts = self.rollouts(views)
        searches = [
            _Search(int(seat), self.game.max_seats, row, mask, config)
            for seat, row, mask in zip(views.seats, logits, views.masks, strict=True)
        ]
        _search_in_step(searches, rollouts, config.threads)
        return [search.result() for search in searches]

    def rollouts(self, views: ViewBatch) -> Rollouts:
        """Rollouts from what the seats know."""
        return self.rollouts_from(views.known, views)

    def rollouts_from(
        self, positions: States, views: ViewBatch, *, whole: bool = False
    ) -> Rollouts:
        """Rollouts from records ``(B,)`` of the views' positions; see :class:`Rollouts`."""
        return Rollouts(
            self.game,
            self.policy.networks,
            positions,
            views.seats,
            views.seeds,
            depth=self.config.depth,
            temperature=self._temperature,
            longest=LONGEST,
            whole=whole,
        )

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """What searches find, which advance in step unless each has a time of its own."""
        if self.config.budget.seconds is not None or views.detail != Detail.ACTION:
            return super().decide_batch(views)
        actions = views.masks.argmax(1)
        asked = np.flatnonzero(views.masks.sum(1) > 1)
        for first in range(0, len(asked), TOGETHER):
            rows = asked[first : first + TOGETHER]
            found = self.search_batch(ViewBatch.of([views[k] for k in rows.tolist()]))
            actions[rows] = [result.action for result in found]
        return Decisions(actions)


_Request: TypeAlias = tuple[NDArray[np.int64], int]
"""Rollouts that a search requests: of which of its actions, and how many samples of each."""


class _Search:
    """One decision's actions that are tried out, and their rollouts so far.

    Attributes:
        actions: Int64 ``(A,)``: the actions, likeliest first.
        visits: Int64 ``(A,)``: rollouts of each.
        read: Positions looked at so far.

    Args:
        seat: Who decides.
        max_seats: Most seats at a table.
        logits: Float64 ``(num_actions,)``: the policy's.
        mask: Bool ``(num_actions,)``.
        config: Budget and settings.
    """

    def __init__(
        self,
        seat: int,
        max_seats: int,
        logits: NDArray[np.float64],
        mask: NDArray[np.bool_],
        config: PolicySearchConfig,
    ) -> None:
        legal = np.flatnonzero(mask)
        self.actions = legal[np.argsort(-logits[legal], kind="stable")][: config.actions]
        self.visits = np.zeros(len(self.actions), np.int64)
        self.read = 0
        self._sums = np.zeros((len(self.actions), max_seats))
        self._seat = seat
        self._logits = logits
        self._mask = mask
        self._config = config
        self._began = time.perf_counter()

    @property
    def spent(self) -> float:
        """Share of the budget that is used up."""
        return self._config.budget.spent(self.read, self._began)

    def requests(self) -> Generator[_Request, None, None]:
        """Sequential halving: each phase has an equal share of the budget, and half go on.

        What is requested has been played, and noted, before the next request.
        """
        kept = np.arange(len(self.actions))
        phases = max(1, math.ceil(math.log2(len(kept))))
        yield kept, 1
        for phase in range(phases):
            while self.spent < (phase + 1) / phases:
                yield kept, self._affordable(kept, (phase + 1) / phases)
            if phase < phases - 1:
                gains = self._weight * self._means[kept, self._seat]
                order = np.argsort(-(self._logits[self.actions[kept]] + gains), kind="stable")
                kept = np.sort(kept[order[: (len(kept) + 1) // 2]])

    def batch(self, request: _Request, thread: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A thread's actions and samples, int64 ``(kept * samples,)`` each."""
        kept, size = request
        first = self.visits[kept[0]] + size * thread
        samples = np.tile(np.arange(first, first + size), len(kept))
        return np.repeat(self.actions[kept], size), samples

    def note(self, kept: NDArray[np.int64], chances: NDArray[np.float64], read: int) -> None:
        """Add the rollouts of a request.

        Args:
            kept: Of which actions.
            chances: Float64 ``(kept, samples, max_seats)``: where they ended.
            read: Positions looked at.
        """
        self._sums[kept] += chances.sum(1)
        self.visits[kept] += chances.shape[1]
        self.read += read

    def result(self) -> PolicySearchResult:
        """What has been found."""
        return PolicySearchResult(
            self.actions, self.visits, self._means, self._improved(), self.read
        )

    @property
    def _means(self) -> NDArray[np.float64]:
        """Mean chances ``(actions, seats)``."""
        means: NDArray[np.float64] = self._sums / self.visits[:, None]
        return means

    @property
    def _weight(self) -> float:
        """Of the gains against the logits."""
        return (VISITS + float(self.visits.max())) * self._config.scale

    def _affordable(self, kept: NDArray[np.int64], share: float) -> int:
        """Samples of a batch by which about ``share`` of the budget's positions is not exceeded."""
        each = self.read / self.visits.sum() * len(kept) * self._config.threads
        left = share * self._config.budget.count - self.read
        return max(1, min(int(left / each), BATCH // len(kept)))

    def _improved(self) -> NDArray[np.float64]:
        """The improved policy; what was not tried is taken to be worth what the policy expects."""
        known = self._means[:, self._seat]
        share = masked_softmax(self._logits, self._mask)[self.actions]
        gains = np.full(len(self._logits), float((share * known).sum() / share.sum()))
        gains[self.actions] = known
        return masked_softmax(self._logits + self._weight * gains, self._mask)


def _search_in_step(searches: Sequence[_Search], rollouts: Rollouts, threads: int) -> None:
    """Play what searches request, the requests of all of them at the same time, to their ends.

    Args:
        searches: One of each root, in their order.
        rollouts: From the roots.
        threads: Batches that are played side by side; a request is for each of them.
    """
    plans = {root: search.requests() for root, search in enumerate(searches)}
    while requests := {
        root: request for root, plan in plans.items() if (request := next(plan, None))
    }:
        plans = {root: plans[root] for root in requests}
        batches = [_joined(searches, requests, thread) for thread in range(threads)]
        played: Iterable[Any] = starmap(rollouts.run, batches)
        if threads > 1:
            played = _pool(threads).map(rollouts.run, *zip(*batches, strict=True))
        for chances, read in played:
            first = 0
            for root, (kept, size) in requests.items():
                mine = slice(first, first := first + len(kept) * size)
                of_request = chances[mine].reshape(len(kept), size, -1)
                searches[root].note(kept, of_request, int(read[mine].sum()))


def _joined(
    searches: Sequence[_Search], requests: Mapping[int, _Request], thread: int
) -> tuple[NDArray[np.int64], ...]:
    """Roots, actions and samples of all that a thread is to play, int64 ``(B,)`` each."""
    parts = [
        (np.full(len(actions), root), actions, samples)
        for root, request in requests.items()
        for actions, samples in [searches[root].batch(request, thread)]
    ]
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="search")


def parse(argument: str) -> PolicySearchConfig:
    """Read a search agent's spec after the colon.

    Raises:
        SearchSpecError: Naming the part that cannot be read and what is allowed.
    """
    path, _, query = argument.partition("?")
    if not path:
        raise SearchSpecError(
            f"search:{argument}: needs a policy, as search:chicago/bot or search:PATH?1s"
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
