"""Linear programs: against all vertices of small ones, and where there is nothing to find."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from gangland.arena.simplex import maximise


def best_vertex(objective, matrix, bounds):
    """The greatest value over all points in which as many constraints as variables are tight."""
    rows = np.vstack([matrix, -np.eye(len(objective))])
    limits = np.append(bounds, np.zeros(len(objective)))
    best = -np.inf
    for tight in map(list, combinations(range(len(rows)), len(objective))):
        if abs(np.linalg.det(rows[tight])) > 1e-9:
            point = np.linalg.solve(rows[tight], limits[tight])
            if (rows @ point <= limits + 1e-9).all():
                best = max(best, objective @ point)
    return best


@pytest.mark.parametrize("seed", range(20))
def test_it_finds_the_best_vertex(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-2, 4, (4, 3)).astype(float)
    matrix = np.vstack([matrix, np.ones(3)])  # a greatest value exists
    bounds = np.append(rng.integers(0, 3, 4), 5).astype(float)  # several of 0: degenerate
    objective = rng.integers(-3, 4, 3).astype(float)
    value, x = maximise(objective, matrix, bounds)
    assert value == pytest.approx(best_vertex(objective, matrix, bounds), abs=1e-9)
    assert objective @ x == pytest.approx(value, abs=1e-9)
    assert (matrix @ x <= bounds + 1e-9).all()
    assert (x >= 0).all()


def test_what_it_cannot_solve_is_named():
    with pytest.raises(ArithmeticError, match="without a greatest value"):
        maximise(np.array([1.0]), np.array([[-1.0]]), np.array([1.0]))
    for bound in (-1.0, np.nan):
        with pytest.raises(ValueError, match="at least 0"):
            maximise(np.array([1.0]), np.array([[1.0]]), np.array([bound]))
