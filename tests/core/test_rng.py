"""Chance: uniform, in the record, independent of everything outside."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from gangland.envs.core.rng import (
    GAMMA,
    draw_seed,
    mix,
    next_u64,
    randint,
    seed_chance,
    shuffle,
    stream,
)
from gangland.envs.core.state import record_dtype
from tests.scenes import chance_seed, dice

DTYPE = record_dtype(1, [])


def fresh(seed):
    state = np.zeros(1, DTYPE)[0]
    state.rng = seed
    return state


def test_the_stream_is_splitmix64():
    """First outputs for seed 1234567, as published with the reference implementation."""
    state = fresh(1234567)
    assert [int(next_u64(state)) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("bound", [1, 2, 6, 54, 1000])
def test_bounded_integers_are_uniform(bound):
    state = fresh(99)
    draws = np.array([randint(state, bound) for _ in range(60 * bound + 2000)])
    counts = np.bincount(draws, minlength=bound)
    assert len(counts) == bound
    expected = len(draws) / bound
    chi_square = ((counts - expected) ** 2 / expected).sum()
    # Mean bound - 1, variance 2 (bound - 1); five standard deviations, for one fixed seed.
    assert chi_square <= (bound - 1) + 5 * (2 * (bound - 1)) ** 0.5


def test_rejection_makes_large_bounds_exact():
    """With bound 3 * 2**30 a quarter of the raw draws has to be rejected."""
    state = fresh(5)
    bound = 3 * 2**30
    before = int(state.rng)
    draws = [randint(state, bound) for _ in range(2000)]
    assert all(0 <= draw < bound for draw in draws)
    used = ((int(state.rng) - before) % 2**64) // 1
    gamma = 0x9E3779B97F4A7C15
    steps = (used * pow(gamma, -1, 2**64)) % 2**64
    assert 2000 < steps < 3200


def test_a_shuffle_is_a_permutation_and_reaches_all_orders():
    state = fresh(3)
    orders = set()
    for _ in range(300):
        items = np.arange(4)
        shuffle(state, items)
        assert sorted(items) == [0, 1, 2, 3]
        orders.add(tuple(items))
    assert len(orders) == 24


def test_streams_differ_and_mix_is_a_bijection_on_a_sample():
    seeds = {int(stream(np.uint64(s), np.uint64(n))) for s in range(50) for n in range(50)}
    assert len(seeds) == 2500
    assert len({int(mix(np.uint64(v))) for v in range(10_000)}) == 10_000


def started(seed):
    """Where the chance of a game with this seed starts."""
    state = np.zeros(1, DTYPE)[0]
    seed_chance(state, np.uint64(seed))
    return int(state.rng)


def test_the_chance_of_small_seeds_starts_anywhere():
    """No small counters; neighbours differ in half of the bits, not by a few steps."""
    starts = [started(seed) for seed in range(2000)]
    assert len(set(starts)) == 2000
    assert min(starts) > 2**50
    pairs = list(pairwise(starts))
    flipped = sum((a ^ b).bit_count() for a, b in pairs)
    # 1,999 * 64 fair bits: standard deviation 179; five of them.
    assert abs(flipped - len(pairs) * 32) < 5 * 179
    inverse = pow(int(GAMMA), -1, 2**64)
    steps = [(b - a) * inverse % 2**64 for a, b in pairs]
    assert min(min(step, 2**64 - step) for step in steps) > 2**32


def test_games_a_step_of_the_stream_apart_do_not_share_their_chance():
    """The seeds ``s`` and ``s + GAMMA`` would otherwise draw the same, one draw later."""
    first = fresh(started(7))
    second = fresh(started(7 + int(GAMMA)))
    draws = {int(next_u64(first)) for _ in range(1000)}
    assert not draws & {int(next_u64(second)) for _ in range(1000)}


def test_the_chance_is_none_of_the_streams_that_have_numbers():
    seed = np.uint64(7)
    streams = {int(stream(seed, np.uint64(n))) for n in range(10_000)}
    state = fresh(started(7))
    chance = {int(state.rng)} | {int(next_u64(state)) for _ in range(1000)}
    assert not streams & chance


def test_a_drawn_seed_uses_all_of_its_64_bits():
    seeds = [draw_seed() for _ in range(200)]
    every, none = 0, 2**64 - 1
    for seed in seeds:
        assert 0 <= seed < 2**64
        every |= seed
        none &= seed
    assert (every, none) == (2**64 - 1, 0)


def test_nothing_outside_the_record_is_read_or_written():
    random.seed(1)
    np.random.seed(1)
    outside = (random.getstate(), np.random.get_state()[1].tobytes())
    first = [randint(fresh(4), 6) for _ in range(3)]
    random.seed(2)
    np.random.seed(2)
    assert [randint(fresh(4), 6) for _ in range(3)] == first
    random.seed(1)
    np.random.seed(1)
    fresh(4)
    assert (random.getstate(), np.random.get_state()[1].tobytes()) == outside


def test_scenes_find_chance_that_comes_out_as_wanted():
    state = fresh(chance_seed([*dice(6, 1, 3), (54, 53)]))
    assert [randint(state, 6) + 1 for _ in range(3)] == [6, 1, 3]
    assert randint(state, 54) == 53
    with pytest.raises(AssertionError, match="impossible"):
        chance_seed([(6, 6)])
