"""Summaries of a result: the worst row of each agent, and their mean over training seeds.

The score of a training is its worst row. With three trainings an interquartile mean has nothing to
cut off, so the mean and the best are reported. The mean's interval is a stratified bootstrap as in
rliable: trainings are drawn with replacement, in each stratum (role) by itself, and the ends are
percentiles. Few trainings have few samples, so these are enumerated rather than drawn: the
interval has no randomness of its own, and can be recomputed from the file.

It says how much trainings differ, not how exactly each row was measured, which the rows' own
intervals say. A bootstrap of three is narrow: it never goes beyond the worst and the best of them.

Reference: R. Agarwal, M. Schwarzer, P. S. Castro, A. Courville and M. G. Bellemare, "Deep
reinforcement learning at the edge of the statistical precipice", NeurIPS 2021.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from ..ladder import Cell, worst_of
from ..statistics import CONFIDENCE
from .submission import Row, Summary

MOST_SEEDS = 10
"""Most trainings of a result, whose 92,378 different samples are quickly enumerated."""


def worst_rows(spec: str, rows: Sequence[Row]) -> list[Row]:
    """The row with the lowest win share, of each role."""
    cells = {Cell(spec, **row.model_dump()): row for row in rows}
    return [cells[cell] for cell in worst_of(list(cells))]


def summarise(worst: Sequence[Sequence[Row]]) -> list[Summary]:
    """Mean and best worst row over training seeds, of each role.

    Args:
        worst: The worst rows of each training, each in the same order of roles.
    """
    scores = np.array([[row.share for row in rows] for rows in worst])
    ends = bootstrap_interval(scores) if len(scores) > 1 else np.full((2, scores.shape[1]), None)
    found = []
    for stratum, row in enumerate(worst[0]):
        low, high = (None if end is None else round(float(end), 4) for end in ends[:, stratum])
        mean = round(float(scores[:, stratum].mean()), 4)
        best = float(scores[:, stratum].max())
        found.append(Summary(role=row.role, mean=mean, low=low, high=high, best=best))
    return found


def bootstrap_interval(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """95 % percentile intervals of the mean score of each stratum.

    Args:
        scores: Float64 of shape ``(trainings, strata)``, of at most :data:`MOST_SEEDS` trainings.

    Returns:
        Float64 of shape ``(2, strata)``: lower and upper ends.

    >>> bootstrap_interval(np.array([[0.2], [0.3], [0.4]])).ravel().round(3).tolist()
    [0.2, 0.4]
    """
    runs = len(scores)
    drawn = np.array(list(combinations_with_replacement(range(runs), runs)))
    counts = (drawn[:, :, None] == np.arange(runs)).sum(axis=1)
    ways = np.array([math.factorial(runs) / math.prod(map(math.factorial, c)) for c in counts])
    means = counts @ scores / runs
    order = means.argsort(axis=0)
    probability = np.cumsum(ways[order], axis=0) / runs**runs
    tail = (1 - CONFIDENCE) / 2
    at = np.array([(probability < tail).sum(axis=0), (probability < 1 - tail).sum(axis=0)])
    ends: NDArray[np.float64] = np.take_along_axis(np.sort(means, axis=0), at, axis=0)
    return ends
