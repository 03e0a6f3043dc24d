"""Ratings from the matrix of a ladder: deviation ratings and alpha-rank of one against a table.

Two players choose agents of the pool: the first for one seat, the second for all others, the
*table*. The first is paid the one's win share less par, the second loses as much. Its joint choices
are the cells of the matrix, so that every payoff comes from games that were played, but for the
diagonal: where both choose the same agent, all seats are equally strong, and the one wins par. (In
a game without a winner it would win less. No such game of equal agents is known under default
options.) Where seats have roles, the one takes all seats equally often: its win share is the mean
of the roles' cells, weighted by their seats.

This is no game of five players who choose freely: for that all mixtures of agents at a table would
have to be played. Every agent has two ratings of each kind, as one and as table:

- a *deviation* (:mod:`~gangland.arena.ratings.equilibrium`), in win share: what choosing this
  agent always gains in the strictest coarse correlated equilibrium. The best have 0. A one of -0.1
  wins ten points less, at the tables of the equilibrium, than the best one; a table of -0.1 lets
  the ones of the equilibrium win ten points more than the best table does.
- a *rank* (:mod:`~gangland.arena.ratings.evolution`): the share of time that a population of ones,
  or of tables, spends with it, while each adapts to the other.

Only agents that have met all others can be rated so. As long as a cell is missing, the agent that
misses most is left out; of several, the one with the fewest games.

Intervals are 95 %, of ratings from resampled deals: as many, drawn with replacement, the same for
all cells that have the same number of deals, which are the same deals. The ends are percentiles,
which stay where ratings can be. A cell that was won always or never is the same in every resample,
so that intervals are too narrow where few games stand behind it. Cells taken over from a file bring
no deals, and a cell of one deal says nothing of others: there are no intervals then.

References: those of the two modules; A. C. Davison and D. V. Hinkley, "Bootstrap methods and their
application", Cambridge 1997, sections 3.8 (resampling of clusters) and 5.3 (percentiles).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...envs.core.game import Game
from ...envs.core.options import OptionValue
from ..ratings.equilibrium import deviation_ratings
from ..ratings.evolution import alpha_rank
from ..ratings.online import RESAMPLES
from ..statistics import CONFIDENCE
from .result import Cell, Estimate, MatrixRating


def role_seats(game: Game, options: Mapping[str, OptionValue]) -> dict[str, int]:
    """Number of seats of each role, by its name in cells: empty in games with a single role."""
    names = game.roles if len(game.roles) > 1 else ("",)
    return dict(Counter(names[role] for role in game.seat_roles(options)))


def rate_matrix(
    cells: Sequence[Cell],
    seats: Mapping[str, int],
    won: Sequence[NDArray[np.float64] | None] | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> tuple[MatrixRating, ...]:
    """Deviation ratings and ranks of all agents that have met all others.

    Args:
        cells: The matrix.
        seats: Number of seats of each role; see :func:`role_seats`.
        won: For each cell, the mean win share of its one on each deal: float64 of shape
            ``(deals,)``, in order of deals, or ``None`` where only the cell is known. Without any,
            ratings have no intervals.
        seed: Seed of the resampling.
        resamples: How often deals are drawn.

    Returns:
        In order of the cells; empty if fewer than two agents have met all others.
    """
    specs = _complete_pool(cells)
    if len(specs) < 2:
        return ()
    kept = [k for k, cell in enumerate(cells) if {cell.one, cell.table} <= set(specs)]
    weights = _weights([cells[k] for k in kept], specs, seats)
    found = _ratings(np.array([cells[k].share for k in kept]), weights, 1 / sum(seats.values()))
    deals = [None if won is None else won[k] for k in kept]
    samples = _resampled(deals, np.random.default_rng(seed), resamples)
    if samples is None:
        ends = np.full((2, *found.shape), None)
    else:
        tail = (1 - CONFIDENCE) / 2
        rated = [_ratings(shares, weights, 1 / sum(seats.values())) for shares in samples]
        ends = np.quantile(rated, [tail, 1 - tail], axis=0)
    numbers = np.stack([found.astype(object), *ends.astype(object)], axis=-1).tolist()
    return tuple(
        MatrixRating(spec, *(Estimate(*estimate) for estimate in own))
        for spec, own in zip(specs, numbers, strict=True)
    )


def _complete_pool(cells: Sequence[Cell]) -> list[str]:
    """Agents that have met all others, after those who miss most have been left out."""
    met = {(cell.one, cell.table) for cell in cells}
    games = Counter[str]()
    for cell in cells:
        games.update({cell.one: cell.games, cell.table: cell.games})
    pool = list(games)
    while pool:
        missing = {a: sum(((a, b) not in met) + ((b, a) not in met) for b in pool) for a in pool}
        # Nobody meets itself.
        worst = max(pool, key=lambda spec: (missing[spec], -games[spec]))
        if missing[worst] == 2:
            break
        pool.remove(worst)
    return pool


def _weights(
    cells: Sequence[Cell], specs: Sequence[str], seats: Mapping[str, int]
) -> NDArray[np.float64]:
    """Weight of each cell in the matrix of agents, of shape ``(agents, agents, cells)``."""
    weights = np.zeros((len(specs), len(specs), len(cells)))
    for k, cell in enumerate(cells):
        one, table = specs.index(cell.one), specs.index(cell.table)
        weights[one, table, k] = seats[cell.role] / sum(seats.values())
    return weights


def _ratings(
    shares: NDArray[np.float64], weights: NDArray[np.float64], par: float
) -> NDArray[np.float64]:
    """Deviations and ranks as one and as table, of shape ``(agents, 4)``, by the cells' shares."""
    paid = weights @ shares - par
    np.fill_diagonal(paid, 0.0)
    payoffs = np.stack([paid, -paid])
    ranks = alpha_rank(payoffs)
    return np.stack([*deviation_ratings(payoffs), ranks.sum(1), ranks.sum(0)], axis=1)


def _resampled(
    won: Sequence[NDArray[np.float64] | None], rng: np.random.Generator, resamples: int
) -> NDArray[np.float64] | None:
    """Shares of cells on resampled deals, of shape ``(resamples, cells)``; ``None`` if unknown."""
    drawn: dict[int, NDArray[np.int64]] = {}
    samples = np.zeros((resamples, len(won)))
    for k, by_deal in enumerate(won):
        if by_deal is None or len(by_deal) < 2:
            return None
        count = len(by_deal)
        if count not in drawn:
            drawn[count] = rng.integers(count, size=(resamples, count))
        samples[:, k] = by_deal[drawn[count]].mean(axis=1)
    return samples
