"""Our games pass the conformance suite, and keep what it asks of nobody else's games."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from gangland.envs import load, make_vec
from gangland.envs.testing.actions import ActionSuite
from gangland.envs.testing.environments import EnvironmentSuite
from gangland.envs.testing.limits import LimitSuite
from gangland.envs.testing.package import PackageSuite
from gangland.envs.testing.rules import RulesSuite, assert_no_dead_end
from gangland.envs.testing.tables import TABLES, TableSuite, play
from tests.games import CONFORMING, GAMES, TOY, slow_but


class TestRules(RulesSuite):
    games = CONFORMING
    stride = 9
    random_games = 500


@pytest.mark.slow
class TestRulesClosely(RulesSuite):
    games = CONFORMING
    stride = 1


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFORMING)
def test_no_dead_end_in_many_random_games(name):
    assert_no_dead_end(name, 10_000)


class TestActions(ActionSuite):
    games = CONFORMING


class TestTables(TableSuite):
    games = CONFORMING


def test_a_copy_has_threads_of_its_own():
    tables = make_vec(TOY, TABLES, seed=6, threads=3)
    tables.reset()
    other = tables.clone()
    tables.close()
    assert len(play(other, 4, np.arange(TABLES, dtype=np.uint64))) == 4
    other.close()


class TestEnvironments(EnvironmentSuite):
    games = CONFORMING


class TestWings(PackageSuite):
    games = CONFORMING


class TestLimits(LimitSuite):
    games = CONFORMING


# --- the unit of ``reward="score"`` is what the documentation says --------------------------------

SCALES = {"chicago": 180, "crime_lords": 16, "five_points": 60, "gangsters": 12600, TOY: 36}
"""What ``docs/environments.md`` says; the conformance suite measures the unit of every game."""


@pytest.mark.parametrize("name", [name for name in GAMES if name in SCALES])
def test_the_unit_is_as_documented(name):
    assert load(name).score_scale == SCALES[name]


# --- rules as plain Python (``NUMBA_DISABLE_JIT=1``) play the same games --------------------------

DECISIONS = 60


def trace(name):
    """One line a decision: the position, and what a seat sees, may know and could imagine."""
    game = load(name)
    rng = np.random.default_rng(1)
    state = game.new_state(1)
    lines = []
    for k in range(DECISIONS):
        if game.is_over(state):
            break
        if k % 20 == 0:
            for seat in range(game.num_seats(state)):
                lines.append(game.observe(state, seat).tobytes().hex())
                lines.append(game.redact(state, seat).tobytes().hex())
                lines.append(game.resample_hidden(state, seat, k).tobytes().hex())
        game.apply(state, int(rng.choice(game.legal_actions(state))))
        lines.append(state.tobytes().hex())
    return lines


@pytest.mark.parametrize("name", slow_but([TOY, "chicago", "five_points"], GAMES))
def test_plain_python_plays_the_same_game(name):
    program = (
        f"from tests.properties.test_conformance import trace; print(*trace({name!r}), sep='\\n')"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == trace(name)
