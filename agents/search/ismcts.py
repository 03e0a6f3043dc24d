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
from numba import types
from numpy.typing import NDArray

from ...envs.core.compiling.compiled import compile_all
from ...envs.core.compiling.pointers import KernelPointer, address_of
from ...envs.core.game import Game
from ...envs.core.view import View
from ..heuristic import has_heuristic, kernel_of, name_of
from . import tree as search_tree
from .base import SearchAgent
from .budget import Budget, SearchSpecError, is_number, parse_budget

DEFAULT_BUDGET = "500"
EXPLORATION = 4.0
DEPTH = 10_000
"""Maximum number of decisions of a play-out; a longer game pays nobody."""
SLICE = 32
"""Iterations between two readings of the clock."""
MOST_ITERATIONS = 1_000_000


@dataclass(frozen=True, slots=True)
class TreeSearchConfig:
    """How long to search, and how.

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
        self._search, self._choose = _compiled(game, self._rollout)

    def search(self, view: View) -> TreeSearchResult:
        """Search from a seat's view.

        Args:
            view: Of the seat that decides.
        """
        game, config = self.game, self.config
        began = time.perf_counter()
        budget = config.budget
        rows = budget.count + 1
        if budget.seconds is not None:
            rows = min(rows, 4096)
        tree = _Tree(rows, game.max_seats)
        root = np.zeros(1, game.dtype)
        root[0] = view.known
        scratch = np.zeros(2, game.dtype)
        mask = np.zeros(game.num_actions, np.bool_)
        child_of = np.zeros(game.num_actions, np.int64)
        wins = np.zeros((game.num_actions, game.max_seats))
        pointers = game.compiled.pointers
        done, nodes = 0, 1
        while budget.spent(done, began) < 1.0:
            slice_ = budget.count - done
            if budget.seconds is not None:
                slice_ = min(slice_, SLICE)
            tree.make_room(nodes + slice_)
            nodes = self._search(
                pointers.apply,
                pointers.legal_actions,
                pointers.redact,
                pointers.resample_hidden,
                self._choose,
                root,
                view.seat,
                np.uint64(view.seed),
                nodes,
                done,
                done + slice_,
                config.exploration,
                self.config.rollout != "random",
                DEPTH,
                scratch,
                mask,
                child_of,
                *tree.arrays(),
                wins,
            )
            done += slice_
        return tree.result(wins, done)


class _Tree:
    """The arrays of a tree; node 0 is the root."""

    def __init__(self, rows: int, seats: int) -> None:
        self.path = np.zeros(rows, np.int64)
        self.first_child = np.full(rows, search_tree.NONE, np.int64)
        self.next_sibling = np.full(rows, search_tree.NONE, np.int64)
        self.actions = np.zeros(rows, np.int64)
        self.visits = np.zeros(rows, np.int64)
        self.available = np.zeros(rows, np.int64)
        self.values = np.zeros((rows, seats))

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays, in the kernel's order."""
        return (
            self.path,
            self.first_child,
            self.next_sibling,
            self.actions,
            self.visits,
            self.available,
            self.values,
        )

    def make_room(self, rows: int) -> None:
        """Have at least ``rows`` rows."""
        if rows > len(self.visits):
            grown = _Tree(2 * rows, self.values.shape[1])
            for new, old in zip(grown.arrays(), self.arrays(), strict=True):
                new[: len(old)] = old
            self.__dict__ = grown.__dict__

    def result(self, wins: NDArray[np.float64], iterations: int) -> TreeSearchResult:
        """Visits, values and chances of the root's children.

        Args:
            wins: Float64 of shape ``(num_actions, seats)``: sums of shares of the win.
            iterations: Positions played out.
        """
        visits = np.zeros(len(wins), np.int64)
        values = np.zeros(wins.shape)
        child = self.first_child[search_tree.ROOT]
        while child != search_tree.NONE:
            visits[self.actions[child]] = self.visits[child]
            values[self.actions[child]] = self.values[child] / self.visits[child]
            child = self.next_sibling[child]
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
def _compiled(game: Game, rollout: str) -> tuple[Any, int]:
    """The search for a game, and the address of what plays its positions out."""
    record = numba.from_dtype(game.dtype)
    choose: Any = search_tree.choose_random
    if rollout != "random":
        choose = kernel_of(game, name_of(rollout, game))
    signature = search_tree.signature_of_choose(record)
    kernels = {
        "apply": types.void(record, types.int64),
        "legal_actions": types.void(record, types.Array(types.boolean, 1, "C")),
        "redact": types.void(record, types.int64),
        "resample_hidden": types.void(record, types.int64, types.uint64),
    }
    pointers = {name: KernelPointer(sign) for name, sign in kernels.items()}
    wanted = search_tree.signature_of_search(pointers, record)
    jobs = [(choose, signature), (search_tree.search, wanted)]
    search = compile_all(f"{game.name} search", jobs)[1]
    return search, address_of(choose, signature)
