"""Search agent: information-set Monte Carlo tree search over any registered game.

Single-observer ISMCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
2012): every iteration draws a position that fits what the seat knows, so hidden cards and dice to
come are sampled, never read. Values are vectors with an entry per seat, and every mover maximises
its own (max^n). Positions are played out at random or by the game's heuristic, which then also
says what is worth trying first.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from ...envs.core.compiling.compiled import compile_all, signatures_of_rules
from ...envs.core.compiling.pointers import address_of
from ...envs.core.game import Game
from ...envs.core.view import View
from ..baseline.heuristic import has_heuristic, kernel_of, name_of
from ..baseline.heuristic_kernels import signature_of_choose
from . import tree as search_tree
from .base import Budget, SearchAgent, SearchSpecError, is_number, parse_budget

DEFAULT_BUDGET = "500"
EXPLORATION = 4.0
DEPTH = 10_000
"""Maximum number of decisions of a play-out; a longer game pays nobody."""
SLICE = 32
"""Iterations between two readings of the clock, or of the visits."""
MOST_ITERATIONS = 1_000_000


@dataclass(frozen=True, slots=True)
class TreeSearchConfig:
    """Budget and settings of a search.

    Attributes:
        budget: Positions to play out for each decision, or the time.
        rollout: ``random``, or a heuristic's spec.
        exploration: Weight of the confidence bound; rewards lie in -1 to 1.
    """

    budget: Budget
    rollout: str
    exploration: float = EXPLORATION


@dataclass(frozen=True, slots=True)
class TreeSearchResult:
    """What a search found.

    Attributes:
        visits: Int64 of shape ``(num_actions,)``: iterations that tried each action first.
        values: Float64 of shape ``(num_actions, seats)``: mean reward of each seat after each
            action; 0 for actions never tried.
        chances: Float64 of shape ``(num_actions, seats)``: mean share of the win of each seat
            after each action; 0 for actions never tried and for seats that are not at the table.
        iterations: Positions played out.
    """

    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    chances: NDArray[np.float64]
    iterations: int

    @property
    def action(self) -> int:
        """The action tried most often; the lowest of equals."""
        return int(self.visits.argmax())

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Shares of the visits, ``(num_actions,)``."""
        shares: NDArray[np.float64] = self.visits / self.visits.sum()
        return shares

    @property
    def chances_after(self) -> NDArray[np.float64]:
        """Mean share of the win of each seat after :attr:`action`."""
        chances: NDArray[np.float64] = self.chances[self.action]
        return chances


class TreeSearchAgent(SearchAgent):
    """Searches the tree of its own information sets.

    Args:
        game: The game.
        argument: Budget and settings, as in ``ismcts:500``, ``ismcts:200ms``,
            ``ismcts:1000?rollout=random&exploration=1``.

    Raises:
        SearchSpecError: Naming the part that cannot be read and what is allowed.
        NoHeuristicError: If the rollout names a heuristic that the game does not have.
    """

    most = MOST_ITERATIONS

    def __init__(self, game: Game, argument: str = "") -> None:
        self.game = game
        self.config = parse_search(argument, game)
        self.spec = f"ismcts:{argument}" if argument else "ismcts"
        self._rollout = self.config.rollout
        self._search, self._rules = _compiled(game, self._rollout)

    def __getstate__(self) -> dict[str, Any]:
        # Machine code and its addresses belong to their process.
        return {k: v for k, v in self.__dict__.items() if k not in ("_search", "_rules")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._search, self._rules = _compiled(self.game, self._rollout)

    def search(self, view: View) -> TreeSearchResult:
        """Search from a seat's view.

        Args:
            view: Of the seat that decides.
        """
        return self._grow(view, until_decided=False)

    def choose(self, view: View) -> int:
        """The action that :meth:`search` would find, without what cannot change it any more.

        A search with a number of positions ends once no other action can be tried as often as the
        leading one: after about seven tenths of them.

        Args:
            view: Of the seat that decides.
        """
        return self._grow(view, until_decided=True).action

    def _grow(self, view: View, *, until_decided: bool) -> TreeSearchResult:
        game, config = self.game, self.config
        began = time.perf_counter()
        budget = config.budget
        sliced = until_decided or budget.seconds is not None
        rows = budget.count + 1
        if budget.seconds is not None:
            rows = min(rows, 4096)
        tree = _Nodes(rows, game.max_seats)
        root, tables = np.zeros(1, game.dtype), np.zeros(2, game.dtype)
        root[0] = view.known
        mask = np.zeros(game.num_actions, np.bool_)
        child_of = np.zeros(game.num_actions, np.int64)
        wins = np.zeros((game.num_actions, game.max_seats))
        settings = search_tree.Settings(config.exploration, config.rollout != "random", DEPTH)
        done, nodes = 0, 1
        while budget.spent(done, began) < 1.0:
            slice_ = budget.count - done
            if sliced:
                slice_ = min(slice_, SLICE)
            tree.make_room(nodes + slice_)
            nodes = self._search(
                self._rules,
                settings,
                tree.arrays,
                nodes,
                search_tree.Scratch(mask, child_of, tree.path),
                tables,
                root,
                view.seat,
                np.uint64(view.seed),
                done,
                done + slice_,
                wins,
            )
            done += slice_
            if until_decided and tree.lead() > budget.count - done:
                break
        return tree.result(wins, done)


class _Nodes:
    """The arrays of a tree, as many rows as are needed; node 0 is the root."""

    def __init__(self, rows: int, seats: int) -> None:
        self.path = np.zeros(rows, np.int64)
        self.arrays = search_tree.Tree(
            first_child=np.full(rows, search_tree.NONE, np.int64),
            next_sibling=np.full(rows, search_tree.NONE, np.int64),
            actions=np.zeros(rows, np.int64),
            visits=np.zeros(rows, np.int64),
            available=np.zeros(rows, np.int64),
            values=np.zeros((rows, seats)),
        )

    def make_room(self, rows: int) -> None:
        """Have at least ``rows`` rows."""
        if rows > len(self.path):
            grown = _Nodes(2 * rows, self.arrays.values.shape[1])
            for new, old in zip(grown.arrays, self.arrays, strict=True):
                new[: len(old)] = old
            self.path, self.arrays = grown.path, grown.arrays

    def lead(self) -> int:
        """By how many visits the root's first child is ahead of its second, or of none."""
        first, second = 0, 0
        child = self.arrays.first_child[search_tree.ROOT]
        while child != search_tree.NONE:
            visits = int(self.arrays.visits[child])
            first, second = max(first, visits), max(second, min(first, visits))
            child = self.arrays.next_sibling[child]
        return first - second

    def result(self, wins: NDArray[np.float64], iterations: int) -> TreeSearchResult:
        """Visits, values and chances of the root's children.

        Args:
            wins: Float64 of shape ``(num_actions, seats)``: sums of shares of the win.
            iterations: Positions played out.
        """
        tree = self.arrays
        visits = np.zeros(len(wins), np.int64)
        values = np.zeros(wins.shape)
        child = tree.first_child[search_tree.ROOT]
        while child != search_tree.NONE:
            visits[tree.actions[child]] = tree.visits[child]
            values[tree.actions[child]] = tree.values[child] / tree.visits[child]
            child = tree.next_sibling[child]
        chances = wins / np.maximum(visits, 1)[:, None]
        return TreeSearchResult(visits, values, chances, iterations)


def parse_search(argument: str, game: Game) -> TreeSearchConfig:
    """Read a search agent's spec after the colon.

    Raises:
        SearchSpecError: Naming the part that cannot be read and what is allowed.
    """
    length, _, query = argument.partition("?")
    budget = parse_budget(
        "ismcts", argument, length or DEFAULT_BUDGET, "iterations", MOST_ITERATIONS
    )
    rollout = "heuristic" if has_heuristic(game) else "random"
    exploration = EXPLORATION
    for part in filter(None, query.split("&")):
        key, _, value = part.partition("=")
        if key == "rollout" and re.fullmatch(r"random|heuristic(:\w+)?", value):
            rollout = value
        elif key == "exploration" and is_number(value):
            exploration = float(value)
        else:
            raise SearchSpecError(
                f"ismcts:{argument}: {part!r} must be rollout=random, rollout=heuristic[:NAME] "
                "or exploration=C, C a number from 0"
            )
    return TreeSearchConfig(budget, rollout, exploration)


@cache
def _compiled(game: Game, rollout: str) -> tuple[Any, search_tree.Rules]:
    """The search for a game, and the addresses of what it calls."""
    record = numba.from_dtype(game.dtype)
    choose: Any = search_tree.choose_random
    if rollout != "random":
        choose = kernel_of(game, name_of(rollout, game))
    signature = signature_of_choose(record)
    wanted = search_tree.signature_of_search(signatures_of_rules(record), record)
    jobs = [(choose, signature), (search_tree.search, wanted)]
    search = compile_all(f"{game.name} search", jobs)[1]
    own = {name: getattr(game.compiled.pointers, name) for name in search_tree.OF_THE_GAME}
    return search, search_tree.Rules(**own, choose=address_of(choose, signature))
