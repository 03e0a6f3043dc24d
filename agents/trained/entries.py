"""Matrices of which few numbers are not zero, as observations are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...envs.core.kernel import kernel

GROUP = 8
"""Numbers of a row that are looked at together."""

MAGNITUDE = np.int32(0x7FFFFFFF)
"""A float32's bits without its sign: none of them is set in either zero."""


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


Run: TypeAlias = Callable[[Callable[[int], Any], int], list[Any]]
"""Does ``work(k)`` for each of so many parts, as :class:`training.rollout.thread_pool.ThreadPool`
does side by side."""


def in_turn(work: Callable[[int], Any], parts: int) -> list[Any]:
    """Do one part after another."""
    return [work(part) for part in range(parts)]


def nonzero(
    dense: NDArray[np.float32],
    rows: NDArray[np.int64] | None = None,
    *,
    run: Run = in_turn,
    parts: int = 1,
) -> Entries:
    """What is not zero of a float32 matrix ``(B, inputs)``.

    Args:
        dense: The matrix.
        rows: Int64, ascending: the rows that are read, the others being taken as zero; all of them
            by default.
        run: What does the parts of the work.
        parts: Number of parts.
    """
    rows = np.arange(len(dense)) if rows is None else rows
    shares = np.array_split(rows, parts) if parts > 1 else [rows]
    counts = sum(run(lambda part: count_nonzero(dense, shares[part]), parts))
    # One more for each part: the kernel writes a number before it knows whether it counts.
    ends = np.cumsum(counts)
    for share in shares[:-1]:
        if len(share):
            ends[share[-1] + 1 :] += 1
    total = int(ends[-1]) + 1 if len(ends) else 0
    columns, numbers = np.empty(total, np.int32), np.empty(total, np.float32)
    starts = ends - counts

    def fill_in(part: int) -> None:
        share = shares[part]
        if len(share):
            here = slice(starts[share[0]], ends[share[-1]] + 1)
            pick_nonzero(dense, share, columns[here], numbers[here])

    run(fill_in, parts)
    return Entries(starts, ends, columns, numbers)


@kernel
def count_nonzero(dense: Any, rows: Any) -> Any:
    """How many numbers of each row are not zero, int64 ``(B,)``; 0 for rows that are not named."""
    counts = np.zeros(len(dense), np.int64)
    for row in rows:
        for column in range(dense.shape[1]):
            counts[row] += 1 if dense[row, column] != 0.0 else 0
    return counts


@kernel
def pick_nonzero(dense: Any, rows: Any, columns: Any, numbers: Any) -> None:
    """Fill in what is not zero of some rows, one after another, and where it stands.

    Args:
        dense: Float32 ``(B, inputs)``.
        rows: Int64, ascending.
        columns: Int32, one longer than there are such numbers.
        numbers: Float32, likewise.
    """
    at = 0
    for row in rows:
        at = pick_row(dense[row], columns, numbers, at)


@kernel(leaf=True)
def pick_row(row: Any, columns: Any, numbers: Any, at: int) -> int:
    """Fill in what is not zero of one row from place ``at`` on, and return the place behind it."""
    bits, into = row.view(np.int32), numbers.view(np.int32)
    column, end = 0, len(row)
    while column + GROUP <= end:
        joined = np.int32(0)
        for other in range(column, column + GROUP):
            joined |= bits[other]
        if joined != 0:  # Zeros stand together: most groups are nothing else.
            for other in range(column, column + GROUP):
                # Without a branch, which would be foreseen wrongly every other time.
                columns[at] = other
                into[at] = bits[other]
                at += 1 if bits[other] & MAGNITUDE else 0
        column += GROUP
    while column < end:  # Apart: loops of a known length are unrolled, twice as fast as others.
        columns[at] = column
        into[at] = bits[column]
        at += 1 if bits[column] & MAGNITUDE else 0
        column += 1
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
