"""What somebody could try who is shown some 64-bit numbers and wants the chance behind them.

The finaliser of splitmix64 is a bijection, and anybody can compute its inverse: a number that comes
out of :func:`gangland.envs.core.rng.mix` or :func:`gangland.envs.core.rng.stream` is as good as the
number that went in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gangland.envs.core.rng import GAMMA

Numbers = NDArray[np.uint64]

STEPS = 2**20
"""Draws forward or back within which a position of the chance counts as found."""
PLIES_AND_SEATS = 64 * 64
"""Numbers of streams tried first: decisions times seats, as a decision's seed may number them."""
SMALL = 16
"""Numbers of streams tried after that: tables, games, players, episodes."""

_GAMMA_INVERSE = np.uint64(pow(int(GAMMA), -1, 2**64))


def undo_xorshift(values: Numbers, shift: int) -> Numbers:
    """The values of which ``z ^ (z >> shift)`` was taken."""
    found = values.copy()
    for _ in range(64 // shift):
        found = values ^ (found >> np.uint64(shift))
    return found


def undo_mix(values: Numbers) -> Numbers:
    """The values that ``mix`` scrambled."""
    z = undo_xorshift(values, 31) * np.uint64(pow(0x94D049BB133111EB, -1, 2**64))
    z = undo_xorshift(z, 27) * np.uint64(pow(0xBF58476D1CE4E5B9, -1, 2**64))
    return undo_xorshift(z, 30)


def undo_stream(values: Numbers, numbers: int) -> Numbers:
    """The seeds whose streams of the numbers ``0 .. numbers - 1`` start with these values."""
    steps = np.arange(numbers, dtype=np.uint64) * GAMMA
    return undo_mix((undo_mix(values)[:, None] - steps).ravel()) - GAMMA


def guesses(values: Numbers) -> Iterable[Numbers]:
    """All numbers that may have led to these, and the numbers themselves."""
    yield values
    yield undo_mix(values)
    first = undo_stream(values, PLIES_AND_SEATS)
    yield first
    second = undo_stream(first, SMALL)
    yield second
    yield undo_stream(second, 4)


def found_by_attack(
    given: Iterable[int], chance: Iterable[int], secrets: Mapping[str, Iterable[int]]
) -> set[str]:
    """What of the secrets the given numbers lead to.

    Args:
        given: Decision seeds and other 64-bit numbers that a seat was shown, few of them: every
            two are also combined.
        chance: Positions of the chance, ``state.rng``; found are also those a few draws away.
        secrets: By name, other numbers that must not be found: seeds, words of keys.

    Returns:
        Names of what was found; ``chance`` among them.
    """
    single = np.unique(np.array([int(number) for number in given], np.uint64))
    a, b = np.array(list(combinations(single, 2)), np.uint64).reshape(-1, 2).T
    pairs = np.concatenate([a ^ b, a - b, b - a])
    values = np.concatenate([single, pairs])
    found = set()
    with np.errstate(over="ignore"):
        for part in np.array_split(values, max(1, len(values) // 8)):
            for candidates in guesses(part):
                for rng in chance:
                    steps = (candidates - np.uint64(rng)) * _GAMMA_INVERSE
                    if (steps + np.uint64(STEPS) < np.uint64(2 * STEPS)).any():
                        found.add("chance")
                for name, numbers in secrets.items():
                    if np.isin(candidates, np.array(list(numbers), np.uint64)).any():
                        found.add(name)
    return found
