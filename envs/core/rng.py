"""Chance, inside the state record: a splitmix64 stream that each game owns.

Reference: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014;
bounded integers after Lemire, "Fast random integer generation in an interval", 2019.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from .kernel import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
CHANCE = np.uint64(0x6368616E6365)
"""Stream of a game's seed that its chance starts from: far from all numbers of tables or seats."""
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_S32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_TWO32 = np.uint64(1 << 32)


def draw_seed() -> int:
    """A seed that nobody can guess, 0 to 2**64 - 1: for games whose seed nobody chose."""
    return secrets.randbits(64)


@kernel
def mix(value: np.uint64) -> np.uint64:
    """Scramble 64 bits: the splitmix64 finaliser, a bijection."""
    z = np.uint64(value)
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@kernel
def stream(seed: np.uint64, number: np.uint64) -> np.uint64:
    """Seed of the ``number``-th independent stream of ``seed`` (tables, episodes, seats)."""
    return mix(mix(np.uint64(seed) + GAMMA) + np.uint64(number) * GAMMA)


@kernel
def seed_chance(state: Any, seed: np.uint64) -> None:
    """Start the chance of a game: the first thing that a game's ``reset`` does.

    All 64 bits of ``state.rng`` depend on all of the seed's, so that the seeds 7 and 8, or two that
    are a few steps of the stream apart, have nothing in common.
    """
    state.rng = stream(seed, CHANCE)


@kernel
def next_u64(state: Any) -> np.uint64:
    """Next 64 random bits of a state record; advances ``state.rng``."""
    state.rng = np.uint64(state.rng) + GAMMA
    return mix(state.rng)


@kernel
def randint(state: Any, bound: int) -> int:
    """Exactly uniform integer in ``0 .. bound - 1`` (``bound`` from 1 to 2**32 - 1)."""
    n = np.uint64(bound)
    product = (next_u64(state) >> _S32) * n
    low = product & _LOW
    if low < n:
        threshold = (_TWO32 - n) % n
        while low < threshold:
            product = (next_u64(state) >> _S32) * n
            low = product & _LOW
    return np.int64(product >> _S32)  # type: ignore[return-value]


@kernel
def roll_die(state: Any) -> int:
    """One six-sided die, 1 to 6."""
    return randint(state, 6) + 1


@kernel
def shuffle(state: Any, items: np.ndarray[Any, Any]) -> None:
    """Shuffle a one-dimensional array in place (Fisher-Yates)."""
    for i in range(len(items) - 1, 0, -1):
        j = randint(state, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
