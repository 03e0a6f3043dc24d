"""Matrices of which few numbers are not zero, as observations are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.core.kernel import kernel


class Entries(NamedTuple):
    """The numbers of a matrix that are not zero, row after row.

    Attributes:
        starts: Int64 ``(B,)``: where each row's numbers begin.
        ends: Int64 ``(B,)``: where they end.
        columns: Int32: the column of each number.
        numbers: Float32: the numbers.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    columns: NDArray[np.int32]
    numbers: NDArray[np.float32]


def nonzero(dense: NDArray[np.float32]) -> Entries:
    """What is not zero of a float32 matrix ``(B, inputs)``."""
    return picked(
        count_nonzero(dense), lambda columns, numbers: pick_nonzero(dense, columns, numbers)
    )


def picked(counts: NDArray[np.int64], pick: Callable[..., None]) -> Entries:
    """Entries of which each row has so many, and which ``pick(columns, numbers)`` fills in."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    # One more: the kernel writes a number before it knows whether it counts.
    columns, numbers = np.empty(total + 1, np.int32), np.empty(total + 1, np.float32)
    pick(columns, numbers)
    return Entries(ends - counts, ends, columns, numbers)


@kernel
def count_nonzero(dense: Any) -> Any:
    """How many numbers of each row are not zero, int64 ``(B,)``."""
    counts = np.zeros(len(dense), np.int64)
    for row in range(len(dense)):
        for column in range(dense.shape[1]):
            counts[row] += 1 if dense[row, column] != 0.0 else 0
    return counts


@kernel
def pick_nonzero(dense: Any, columns: Any, numbers: Any) -> None:
    """Fill in what is not zero, row after row, and where it stands.

    Args:
        dense: Float32 ``(B, inputs)``.
        columns: Int32, one longer than there are such numbers.
        numbers: Float32, likewise.
    """
    at = 0
    for row in range(len(dense)):
        at = pick_row(dense[row], columns, numbers, at)


@kernel(leaf=True)
def pick_row(row: Any, columns: Any, numbers: Any, at: int) -> int:
    """Fill in what is not zero of one row from place ``at`` on, and return the place behind it."""
    for column in range(len(row)):
        # Without a branch, which would be foreseen wrongly every other time.
        columns[at] = column
        numbers[at] = row[column]
        at += 1 if row[column] != 0.0 else 0
    return at


@kernel(leaf=True)
def first_entry(columns: Any, start: int, end: int, column: int) -> int:
    """Place of the first of the ascending ``columns[start:end]`` that is not below ``column``."""
    while start < end:
        middle = (start + end) // 2
        if columns[middle] < column:
            start = middle + 1
        else:
            end = middle
    return start
