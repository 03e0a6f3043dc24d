"""Which options and positions of a game the suite looks at, and what the game says of itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pytest

from .. import load
from ..core.errors import OptionError
from ..core.game import Game
from ..core.options import Option
from ..core.state import State

Options: TypeAlias = dict[str, Any]
Case: TypeAlias = tuple[str, Options]
"""A game's name, and options."""

VIOLATIONS = "violations"
RULEBOOK = "rulebook"
LAYOUT = "layout"
SCORED = "scored"


class _Hidden:
    """Stands in a class for a test without cases: pytest collects nothing there."""


_HIDDEN = _Hidden()


class Suite:
    """Tests that run over games: those with an argument ``name`` once for each, those with an
    argument ``case`` once for each of the game's options at each value worth testing.

    A test of what none of the games has, as a cap that pays nobody, is not there at all.

    Attributes:
        games: Names of the games, to be given in the body of the class.
    """

    games: ClassVar[Sequence[str]] = ()

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Hide the tests that have no case among the games of this class."""
        super().__init_subclass__(**arguments)
        for test in [name for name in dir(cls) if name.startswith("test_")]:
            found = [vars(base)[test] for base in cls.__mro__ if test in vars(base)]
            function = next(value for value in found if value is not _HIDDEN)
            if not callable(function):  # taken out by hand
                continue
            wanted = set(inspect.signature(function).parameters) & FINDERS.keys()
            if cls.games and any(not _cases(cls.games, argument) for argument in wanted):
                setattr(cls, test, _HIDDEN)
            elif found[0] is _HIDDEN:  # by a class above, of other games
                setattr(cls, test, function)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give each test its games and options."""
        if not self.games:
            raise pytest.UsageError(f"{type(self).__name__}.games: must name the games to test")
        arguments = metafunc.fixturenames
        if "name" in arguments:
            metafunc.parametrize("name", self.games)
        for argument in FINDERS.keys() & set(arguments):
            metafunc.parametrize(argument, _cases(self.games, argument), ids=case_id)


def conformance_of(name: str) -> ModuleType | None:
    """A game's description for the suite; ``None`` if it has no such module."""
    game = load(name)
    return game.module(game.conformance)


def exemptions(name: str) -> Mapping[str, str]:
    """What a game says it does not have, with the reasons."""
    found: Mapping[str, str] = getattr(conformance_of(name), "EXEMPTIONS", {})
    return found


def violations(game: Game, state: State) -> list[str]:
    """The game's own laws that a position breaks."""
    check = getattr(game.module(game.conformance), VIOLATIONS, None)
    return [] if check is None else list(check(game, state))


def truncated(name: str) -> Sequence[Options]:
    """Options with which a random game soon meets a cap that pays nobody."""
    found: Sequence[Options] = getattr(conformance_of(name), "TRUNCATED", ())
    return found


def scored(name: str) -> Sequence[Options]:
    """Options with which a random game soon meets a cap that is scored."""
    found: Sequence[Options] = getattr(conformance_of(name), "SCORED", ())
    return found


def option_values(option: Option) -> list[Any]:
    """The values of an option worth testing: all words and flags, small ranges in full, ends."""
    values: list[Any] = list(option.words)
    if option.flag:
        values += [False, True]
    if option.low is not None:
        high = option.high if isinstance(option.high, int) else option.low
        whole = range(option.low, high + 1)
        values += list(whole) if option.name in ("players", "gangs") else [option.low, high]
    return values


@cache
def variants(name: str) -> Sequence[Options]:
    """Default options, then every single option at each of its values worth testing."""
    game = load(name)
    found: list[Options] = [{}]
    for option in game.options:
        for value in option_values(option):
            candidate = {option.name: value}
            try:
                game.options.resolve(candidate)
                game.template(**candidate)
            except OptionError:
                continue
            if value != option.default:
                found.append(candidate)
    return found


def symmetric(name: str) -> Sequence[Options]:
    """Options of tables whose seats all have the same role."""
    return [options for options in variants(name) if len(set(roles_of(name, options))) == 1]


FINDERS: Mapping[str, Callable[[str], Sequence[Options]]] = {
    "case": variants,
    "symmetric_case": symmetric,
    "truncated_case": truncated,
    "scored_case": scored,
    "capped_case": lambda name: [*truncated(name), *scored(name)],
}
"""Argument of a test -> options of a game that it is run with."""


def _cases(games: Sequence[str], argument: str) -> list[Case]:
    return [(name, options) for name in games for options in FINDERS[argument](name)]


def roles_of(name: str, options: Options) -> tuple[int, ...]:
    """Index of each seat's role."""
    game = load(name)
    return game.seat_roles(game.options.resolve(options))


def case_id(case: Case) -> str:
    """A case in the name of a test."""
    name, options = case
    return name + "".join(f"-{k}={v}" for k, v in options.items())


def random_positions(
    game: Game, seed: int, every: int = 1, **options: Any
) -> Iterator[tuple[State, State, int, State]]:
    """``(state, before, action, after)`` along a random game; ``state`` is the live record."""
    rng = np.random.default_rng(seed)
    state = game.new_state(seed, **options)
    ply = 0
    while not game.is_over(state):
        before = game.clone(state)
        legal = np.flatnonzero(game.action_mask(state))
        action = int(legal[rng.integers(len(legal))])
        game.apply(state, action)
        if ply % every == 0 or game.is_over(state):
            yield state, before, action, game.clone(state)
        ply += 1
