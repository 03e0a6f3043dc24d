"""Which games, options and positions the generic tests run over, and which of them every day."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from typing import Any

import numpy as np
import pytest

from gangland.agents.baseline.heuristic import has_heuristic
from gangland.envs import load, make_vec, register
from gangland.envs.core.view import ViewBatch
from gangland.envs.registry import ENTRIES
from gangland.envs.testing.cases import case_id, option_values, random_positions, variants

__all__ = [
    "CALIBRATION", "CASES", "CONFORMING", "GAMES", "OURS", "TOY", "bot_of", "case_id",
    "chosen_games", "long_ones_slow", "option_values", "random_positions", "slow_but", "views_of",
]  # fmt: skip

TOY = "highcard"
register(TOY, "tests.toy.game:HighCard")

OURS = [
    name for name, entry in ENTRIES.items() if entry.source == "gangland" and not entry.calibration
]
"""The games of this distribution that are there to be played."""

CALIBRATION = [name for name, entry in ENTRIES.items() if entry.calibration]
"""Those that are there to measure with."""


def chosen_games(wanted: str | None) -> list[str]:
    """All our games and the toy; of these the ones named in a list with commas, if there is one."""
    known = [*OURS, *CALIBRATION, TOY]
    if wanted is None:
        return known
    names = wanted.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise pytest.UsageError(
            f"GAMES={wanted}: no game {', '.join(map(repr, unknown))}, there are {', '.join(known)}"
        )
    return [name for name in known if name in names]


CONFORMING = chosen_games(os.environ.get("GAMES"))
"""What the conformance suite runs over; ``GAMES=chicago,highcard pytest`` picks some."""

GAMES = [name for name in CONFORMING if name not in CALIBRATION]
"""What all other generic tests run over."""


def bot_of(name: str) -> str:
    """Spec of the bot that the generic tests take: rules of thumb, if the game has some."""
    return "heuristic" if has_heuristic(load(name)) else "random"


def long_ones_slow(names: list[str]) -> list[object]:
    """Parameters for a test of whole games, which takes long where a game has many decisions."""
    long = ("crime_lords", "gangsters")
    return [pytest.param(name, marks=[pytest.mark.slow] * (name in long)) for name in names]


CASES = [(name, options) for name in GAMES for options in variants(name)]


def slow_but(fast: Container[Any], cases: Iterable[Any]) -> list[Any]:
    """Cases for ``parametrize``, slow ones but those in ``fast``; a tuple is several arguments."""
    return [
        case
        if case in fast
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for case in cases
    ]


def views_of(name, tables=40, plies=1, seed=3, records=True, **options):
    """A batch of the views of all deciding seats after some random decisions."""
    game = load(name)
    vec = make_vec(name, tables, seed, **options)
    vec.reset()
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        vec.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in vec.action_masks]))
    rows = np.arange(tables)
    seeds = rng.integers(2**63, size=tables).astype(np.uint64)
    return ViewBatch(
        game,
        vec.states,
        rows,
        vec.seats.copy(),
        vec.observations,
        vec.action_masks,
        seeds,
        records=records,
    )
