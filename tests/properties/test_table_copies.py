"""Copies of running batched tables: equal to the byte, and they go on exactly the same."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from gangland.envs import make_vec
from gangland.envs.core.batch import sample_legal
from tests.games import GAMES

ARRAYS = (
    "states", "observations", "action_masks", "seats", "rewards", "dones", "truncations", "scores",
    "places", "lengths", "final_states",
)  # fmt: skip
TABLES = 5


def play(tables, steps, seeds):
    """Random decisions; what every array held after each step."""
    actions = np.zeros(TABLES, np.int64)
    chain = []
    for _ in range(steps):
        sample_legal(tables.action_masks, seeds, actions, 0, TABLES)
        tables.step(actions)
        chain.append(contents(tables))
    return chain


def contents(tables):
    """Every array, byte by byte."""
    return {name: getattr(tables, name).tobytes() for name in ARRAYS}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "twin",
    [copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t)), lambda t: t.clone()],
    ids=["deepcopy", "pickle", "clone"],
)
def test_copies_are_equal_to_the_byte_and_go_on(name, threads, twin):
    options = {"max_rounds": 1} if name == "gangsters" else {}
    tables = make_vec(name, TABLES, seed=6, threads=threads, **options)
    tables.reset()
    seeds = np.arange(TABLES, dtype=np.uint64)
    play(tables, 120, seeds)
    # Memory that was used before: a copy that leaves bytes out shows what was in it.
    rubbish = [np.full(tables.states.nbytes, 0xAB, np.uint8) for _ in range(4)]
    del rubbish
    other = twin(tables)
    assert contents(other) == contents(tables)
    for array in ARRAYS:
        assert not np.shares_memory(getattr(other, array), getattr(tables, array))
        assert getattr(other, array).dtype == getattr(tables, array).dtype
    assert (other._pool is None) == (tables._pool is None)
    before = contents(other)
    kept = seeds.copy()
    first = play(tables, 150, seeds)
    assert contents(other) == before  # neither moves the other
    assert play(other, 150, kept) == first
    other.reset()  # the games to come are the same too
    tables.reset()
    assert contents(other) == contents(tables)
    other.close()
    tables.close()


def test_a_copy_has_threads_of_its_own():
    tables = make_vec("highcard", TABLES, seed=6, threads=3)
    tables.reset()
    other = tables.clone()
    tables.close()
    assert len(play(other, 4, np.arange(TABLES, dtype=np.uint64))) == 4
    other.close()
