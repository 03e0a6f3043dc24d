"""Whole numbers from outside: one rule at every entrance, one error that names the range."""

from __future__ import annotations

import operator
from typing import Any

from .errors import GanglandError

MAX_SEED = 2**64 - 1
"""The largest seed; the smallest is 0."""
MAX_PLIES = 2**31 - 1
"""The most decisions that a record counts."""
MAX_TABLES = 2**20
"""The most tables of one batch."""
MAX_GAMES = 10**7
"""The most games of one tournament."""
MAX_THREADS = 1024
"""The most threads of one pool."""


class IntegerError(GanglandError, ValueError):
    """A number is not an integer, or not in its range."""


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """An argument as a Python integer: from one of Python or NumPy.

    Args:
        name: Name of the argument, for the message.
        value: What was given.
        low: Least value.
        high: Greatest value.

    Raises:
        IntegerError: For a number out of range, and for anything else: truth values, fractions
            (2.0 too) and text.

    >>> import numpy as np
    >>> whole_number("seed", np.uint64(7), 0, MAX_SEED)
    7
    >>> whole_number("seed", 7.9, 0, MAX_SEED)
    Traceback (most recent call last):
    gangland.envs.core.integers.IntegerError: seed=7.9: must be an integer 0..18446744073709551615
    """
    number = as_integer(value)
    if number is not None and low <= number <= high:
        return number
    raise IntegerError(f"{name}={shown(value)}: must be an integer {low}..{high}")


def shown(value: Any) -> str:
    """A wrong value for an error message: one of any length fits, and none fails to print."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no integer of more than 4,300 digits.
        return "a number of thousands of digits"
    return text if len(text) <= 200 else f"{text[:197]}..."


def as_integer(value: Any) -> int | None:
    """An integer of Python or NumPy as one of Python; ``None`` for anything else.

    Truth values are no integers here, nor are fractions and text.
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def as_seed(value: Any) -> int:
    """A seed as a Python integer, 0 to 2**64 - 1.

    Raises:
        IntegerError: For anything else; see :func:`whole_number`.
    """
    return whole_number("seed", value, 0, MAX_SEED)
