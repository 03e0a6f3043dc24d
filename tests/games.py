"""Which games, options and positions the generic tests run over."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gangland.envs import load, register
from gangland.envs.core.errors import OptionError
from gangland.envs.core.game import Game
from gangland.envs.registry import ENTRIES

TOY = "highcard"
register(TOY, "tests.toy.game:HighCard")

OURS = [name for name, entry in ENTRIES.items() if entry.source == "gangland"]
"""The games of this distribution."""


def chosen_games(wanted: str | None) -> list[str]:
    """Our games and the toy; of these the ones named in a list with commas, if there is one."""
    known = [*OURS, TOY]
    if wanted is None:
        return known
    names = wanted.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise pytest.UsageError(
            f"GAMES={wanted}: no game {', '.join(map(repr, unknown))}, there are {', '.join(known)}"
        )
    return [name for name in known if name in names]


GAMES = chosen_games(os.environ.get("GAMES"))
"""What the generic tests run over; ``GAMES=chicago,highcard pytest`` picks some."""


def option_values(option: Any) -> list[Any]:
    """The values of an option worth testing: all words and flags, small ranges in full, ends."""
    values: list[Any] = list(option.words)
    if option.flag:
        values += [False, True]
    if option.low is not None:
        high = option.high if isinstance(option.high, int) else option.low
        whole = range(option.low, high + 1)
        values += list(whole) if option.name in ("players", "gangs") else [option.low, high]
    return values


def variants(name: str) -> list[dict[str, Any]]:
    """Default options, then every single option at each of its values worth testing."""
    game = load(name)
    found: list[dict[str, Any]] = [{}]
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


CASES = [(name, options) for name in GAMES for options in variants(name)]


def roles_of(name: str, options: dict[str, Any]) -> tuple[int, ...]:
    """The part that each seat plays."""
    game = load(name)
    return game.seat_roles(game.options.resolve(options))


def case_id(case: Any) -> str:
    name, options = case
    return name + "".join(f"-{k}={v}" for k, v in options.items())


def random_positions(
    game: Game, seed: int, every: int = 1, **options: Any
) -> Iterator[tuple[Any, Any, int, Any]]:
    """``(state, before, action, after)`` along a random game; ``state`` is the live record."""
    rng = np.random.default_rng(seed)
    state = game.new_state(seed, **options)
    ply = 0
    while not game.is_over(state):
        before = game.clone(state)
        action = int(rng.choice(game.legal_actions(state)))
        game.apply(state, action)
        if ply % every == 0 or game.is_over(state):
            yield state, before, action, game.clone(state)
        ply += 1


def violations(game: Game, state: Any) -> list[str]:
    """The wing's own conservation laws; see ``tests/<game>/invariants.py``."""
    folder = "toy" if game.name == TOY else game.name
    module = importlib.import_module(f"tests.{folder}.invariants")
    return list(module.violations(game, state))
