"""Linear programs of a few hundred numbers, by the simplex method.

References:
    G. B. Dantzig, "Linear programming and extensions", Princeton 1963.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-9
"""Numbers closer to 0 than this are 0 up to rounding, in programs whose numbers are about 1."""

_TIE = 1e-12
"""Difference up to which rows bound a variable equally."""

_PIVOTS = 10_000
"""Pivots before giving up; a program of 300 numbers takes about 30."""


def maximise(
    objective: NDArray[np.float64], matrix: NDArray[np.float64], bounds: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Find ``x >= 0`` with ``matrix @ x <= bounds`` for which ``objective @ x`` is greatest.

    Args:
        objective: Float64 of shape ``(variables,)``.
        matrix: Float64 of shape ``(rows, variables)``.
        bounds: Float64 of shape ``(rows,)``, at least 0, so that ``x = 0`` is a solution.

    Returns:
        The greatest value, and a vertex ``x`` of shape ``(variables,)`` that has it.

    Raises:
        ValueError: If a bound is negative or a number is not finite.
        ArithmeticError: If there is no greatest value, or rounding kept it from being found.

    >>> value, x = maximise(np.array([3.0, 2.0]), np.array([[1.0, 1], [1, 0]]), np.array([4.0, 2]))
    >>> round(value, 6), x.round(6).tolist()
    (10.0, [2.0, 2.0])
    """
    rows, variables = matrix.shape
    tableau = np.zeros((rows + 1, variables + 1))
    tableau[:-1, :-1], tableau[:-1, -1], tableau[-1, :-1] = matrix, bounds, -objective
    if not np.isfinite(tableau).all() or bounds.min(initial=0.0) < 0:
        raise ValueError("a linear program must have finite numbers, and bounds of at least 0")
    outside, basis = np.arange(variables), variables + np.arange(rows)
    for _ in range(_PIVOTS):
        column = int(tableau[-1, :-1].argmin())
        if tableau[-1, column] >= -TOLERANCE:
            break
        row = _leaving(tableau, column)
        _pivot(tableau, row, column)
        basis[row], outside[column] = outside[column], basis[row]
    else:
        raise ArithmeticError(f"no solution after {_PIVOTS} pivots")
    values = np.zeros(variables + rows)
    values[basis] = tableau[:-1, -1]
    return float(tableau[-1, -1]), values[:variables]


def _leaving(tableau: NDArray[np.float64], column: int) -> int:
    """The row that bounds the entering variable first; of several, that of the largest pivot."""
    rows = np.flatnonzero(tableau[:-1, column] > TOLERANCE)
    if len(rows) == 0:
        raise ArithmeticError("a linear program without a greatest value")
    pivots = tableau[rows, column]
    ratios = np.maximum(tableau[rows, -1], 0) / pivots
    ties = ratios <= ratios.min() + _TIE
    return int(rows[ties][pivots[ties].argmax()])


def _pivot(tableau: NDArray[np.float64], row: int, column: int) -> None:
    """Exchange the variable of a row for that of a column, in place."""
    pivot = tableau[row, column]
    entering = tableau[:, column].copy()
    entering[row] = 0.0
    tableau[row] /= pivot
    tableau -= entering[:, None] * tableau[row]
    tableau[:, column] = entering / -pivot
    tableau[row, column] = 1 / pivot
