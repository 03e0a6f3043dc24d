"""Heuristic agents: a game's hand-written strategies, as kernels over what a seat may know.

The module ``heuristics`` of a game's package (see ``Game.heuristics``) holds ``choose(known, seat,
mask, seed) -> action`` and, if there are more, variants ``choose_<name>`` with the same signature.
Where ``choose`` takes the action of the highest value, ``value_actions(known, seat, mask, seed,
values)`` may give the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from ...envs.core.compiling.compiled import compile_all
from ...envs.core.compiling.pointers import address_of
from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ...envs.core.view import View, ViewBatch
from ..base import BatchAgent
from ..decision import Decision, Decisions, require_legal
from .heuristic_kernels import (
    choose_batch,
    signature_of_batch,
    signature_of_choose,
    signature_of_values,
    value_batch,
)

VALUE = "value_actions"
"""Name of the kernel of a main heuristic's values; of variants: ``value_actions_<name>``."""

DEFAULT = "choose"
"""Name of a game's main heuristic; variants are called ``choose_<name>``."""


_compiling = Lock()


class NoHeuristicError(GanglandError, ValueError):
    """A game has no heuristic, or none of that name."""


@dataclass(frozen=True, slots=True)
class _Entries:
    """Machine code of one heuristic for one game."""

    choose: Any
    address: int
    choose_batch: Any


@dataclass(frozen=True, slots=True)
class _Values:
    """Machine code of one heuristic's values for one game."""

    address: int
    value_batch: Any


class HeuristicAgent(BatchAgent):
    """Plays a game's heuristic; needs no training.

    Args:
        game: The game.
        name: Variant, as listed by :func:`variants`; empty for the main one.

    Raises:
        NoHeuristicError: If the game has no such heuristic.
    """

    def __init__(self, game: Game, name: str = "") -> None:
        self.game = game
        self.name = name
        self.spec = spec_of(name)
        self._entries = _compiled(game, kernel_of(game, name), self.spec)

    def __reduce__(self) -> tuple[type[HeuristicAgent], tuple[Game, str]]:
        # Machine code belongs to its process.
        return HeuristicAgent, (self.game, self.name)

    def decide(self, view: View) -> Decision:
        """The heuristic's decision; the same as in a batch, without making one."""
        mask = np.ascontiguousarray(view.action_mask)
        action = int(self._entries.choose(view.known, view.seat, mask, np.uint64(view.seed)))
        require_legal(self.game, self.spec, mask[None, :], np.array([action], np.int64))
        return Decision(action)

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """Decide for a batch of positions, one action each."""
        return Decisions(self._choose(views))

    @property
    def values_actions(self) -> bool:
        """Whether it values all actions, and not only chooses one."""
        return values_of(self.game, self.name) is not None

    def compile_values(self) -> None:
        """Compile the values of all actions now rather than on first use, if it has any."""
        if self.values_actions:
            _ = self._values

    def values(self, views: ViewBatch) -> NDArray[np.float64]:
        """What it thinks of every action, in a unit of its own.

        Returns:
            Float64 of shape ``(B, num_actions)``; -inf for illegal actions.
        """
        values = np.empty(views.masks.shape)
        known, seats, masks, seeds = views.known, views.seats, views.masks, views.seeds
        self._values.value_batch(self._values.address, known, seats, masks, seeds, values)
        values[~masks] = -np.inf
        return values

    def _choose(self, views: ViewBatch) -> NDArray[np.int64]:
        actions = np.full(len(views), -1, np.int64)
        self._entries.choose_batch(
            self._entries.address, views.known, views.seats, views.masks, views.seeds, actions
        )
        require_legal(self.game, self.spec, views.masks, actions)
        return actions

    @cached_property
    def _values(self) -> _Values:
        """Compiled on first use, as few need them."""
        value = values_of(self.game, self.name)
        assert value is not None
        with _compiling:
            return _compiled_values(self.game, value, self.spec)


def has_heuristic(game: Game) -> bool:
    """Whether the game comes with a heuristic."""
    return _module(game) is not None


def variants(game: Game) -> dict[str, str]:
    """Names of a game's heuristics with the first line of their documentation.

    The main one has the empty name and comes first; empty if the game has none.
    """
    module = _module(game)
    if module is None:
        return {}
    names = [name for name in vars(module) if name.startswith(f"{DEFAULT}_")]
    kernels = {DEFAULT: "", **{name: name.removeprefix(f"{DEFAULT}_") for name in names}}
    return {
        short: _first_line(vars(module)[name])
        for name, short in kernels.items()
        if hasattr(vars(module).get(name), "py_func")
    }


def spec_of(name: str) -> str:
    """Spec of a heuristic; the main one has the empty name."""
    return f"heuristic:{name}" if name else "heuristic"


def specs_of(game: Game) -> dict[str, str]:
    """Names of a game's heuristics by spec, the main one first."""
    return {spec_of(name): name for name in variants(game)}


def name_of(spec: str, game: Game) -> str:
    """Name of the heuristic of a spec, ``heuristic`` or ``heuristic:NAME``.

    Raises:
        NoHeuristicError: If the game has no such heuristic.
    """
    known = specs_of(game)
    if spec not in known:
        there = f"there are {', '.join(known)}" if known else "it has no heuristic"
        raise NoHeuristicError(f"{game.name} has no agent {spec[:60]!r}: {there}")
    return known[spec]


def make_heuristic(spec: str, game: Game) -> HeuristicAgent:
    """The agent of a heuristic's spec.

    Raises:
        NoHeuristicError: If the game has no such heuristic.
    """
    return HeuristicAgent(game, name_of(spec, game))


def kernel_of(game: Game, name: str) -> Any:
    """The kernel ``choose(known, seat, mask, seed) -> action`` of a game's heuristic.

    Args:
        game: The game.
        name: Variant, as listed by :func:`variants`; empty for the main one.

    Raises:
        NoHeuristicError: If the game has no such heuristic.
    """
    module = _module(game)
    if module is None:
        raise NoHeuristicError(f"{game.name} has no heuristic agent")
    known = variants(game)
    if name not in known:
        specs = ", ".join(specs_of(game))
        raise NoHeuristicError(f"{game.name} has no heuristic {name!r}: there are {specs}")
    return vars(module)[f"{DEFAULT}_{name}" if name else DEFAULT]


def values_of(game: Game, name: str) -> Any:
    """The kernel ``value_actions`` of a heuristic; ``None`` if it has none.

    Args:
        game: The game.
        name: Variant; empty for the main one.
    """
    module = _module(game)
    return None if module is None else vars(module).get(f"{VALUE}_{name}" if name else VALUE)


def _module(game: Game) -> ModuleType | None:
    return game.module(game.heuristics)


@cache
def _compiled(game: Game, choose: Any, spec: str) -> _Entries:
    """Compile a heuristic for a game, or load it from the cache; prints one line."""
    record = numba.from_dtype(game.dtype)
    signature = signature_of_choose(record)
    batched = signature_of_batch(signature, record, types.Array(types.int64, 1, "C"))
    one, many = compile_all(f"{game.name} {spec}", [(choose, signature), (choose_batch, batched)])
    return _Entries(one, address_of(choose, signature), many)


@cache
def _compiled_values(game: Game, value: Any, spec: str) -> _Values:
    """Compile a heuristic's values for a game, or load them from the cache."""
    record = numba.from_dtype(game.dtype)
    signature = signature_of_values(record)
    batched = signature_of_batch(signature, record, types.Array(types.float64, 2, "C"))
    kernels = [(value, signature), (value_batch, batched)]
    many = compile_all(f"{game.name} {spec} values", kernels)[1]
    return _Values(address_of(value, signature), many)


def _first_line(kernel_: Any) -> str:
    lines = (kernel_.py_func.__doc__ or "").strip().splitlines()
    return lines[0].rstrip(".") if lines else ""
