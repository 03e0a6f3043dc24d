"""Deviation ratings: agents rated by what choosing them would gain in an equilibrium.

A game of several players, each of whom chooses a strategy (here: an agent), has many equilibria. A
*coarse correlated* one is a distribution over joint choices that nobody gains by leaving for one
fixed strategy. The *strictest* makes the greatest of these deviation gains as small as possible,
then the second greatest, and so on. The gains are then unique, and a strategy's gain is its rating:
0 for the best, and lower the more is lost by choosing it.

A copy of a strategy changes no other rating and has the rating of its original, so that nobody
rises or falls by how many relatives a pool holds. Neither does a mixture of strategies, nor a
payment to a player that depends on the others' choices alone.

References:
    L. Marris, S. Liu, I. Gemp, G. Piliouras and M. Lanctot, "Deviation ratings: a general,
    clone-invariant rating method", ICLR 2025, arXiv 2502.11645.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.errors import MissingDependencyError

TOLERANCE = 1e-9
"""Prices up to this are 0 up to rounding, for payoffs up to 1."""

FINEST = 1e-10
"""The smallest error that the solver can be held to."""


def deviation_ratings(payoffs: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Deviation ratings of all strategies of a game in normal form.

    Args:
        payoffs: Float64 of shape ``(players, strategies of player 0, of player 1, ...)``: what
            each player is paid for each joint choice, in any unit.

    Returns:
        For each player, float64 of shape ``(its strategies,)``: ratings of at most 0, in the unit
        of the payoffs.

    Raises:
        ValueError: If the shape is another, a player has no strategy, or a payoff is not finite.
        ArithmeticError: If rounding keeps a linear program from being solved.
        MissingDependencyError: If scipy is not installed.

    In rock, paper, scissors nothing is better than anything else:

    >>> matrix = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> one, other = deviation_ratings(np.stack([matrix, -matrix]))
    >>> abs(one).round(6).tolist(), abs(other).round(6).tolist()
    ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0])
    """
    check_normal_form(payoffs)
    largest = float(np.abs(payoffs).max())
    unit = largest if largest > 0 else 1.0
    # Rounding leaves some above 0 by less than a billionth.
    ratings = np.minimum(_smallest_gains(_gains(payoffs / unit)) * unit, 0.0)
    return np.split(ratings, np.cumsum(payoffs.shape[1:])[:-1])


def check_normal_form(payoffs: NDArray[np.float64]) -> None:
    """Raise ``ValueError`` unless these are the payoffs of a game in normal form."""
    if payoffs.ndim < 2 or len(payoffs) != payoffs.ndim - 1 or payoffs.size == 0:
        raise ValueError(f"payoffs of shape {payoffs.shape}: must be (players, *strategies)")
    if not np.isfinite(payoffs).all():
        raise ValueError("payoffs must be finite")


def _gains(payoffs: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each deviation gains from each joint choice, of shape ``(joint choices, deviations)``.

    Deviations are the strategies of player 0, then those of player 1, and so on.
    """
    gains = []
    for player, own in enumerate(payoffs):
        for strategy in range(own.shape[player]):
            deviated = np.take(own, [strategy], axis=player)
            gains.append((deviated - own).ravel())
    return np.stack(gains, axis=1)


def _smallest_gains(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """The gains of the distribution whose greatest gain is smallest, then the second greatest...

    One linear program after the other finds the smallest bound on all gains that are not yet
    fixed. Those with a positive dual price reach the bound in all of its solutions, and are fixed
    there.
    """
    joint, deviations = gains.shape
    ratings = np.zeros(deviations)
    free = np.ones(deviations, np.bool_)
    # Unknown are how likely each joint choice is, and the bound.
    objective = np.append(np.zeros(joint), 1.0)
    distribution = np.append(np.ones(joint), 0.0)[None]
    linprog = _linprog()
    while free.any():
        found = linprog(
            objective,
            A_ub=np.column_stack([gains.T, -free.astype(np.float64)]),
            b_ub=np.where(free, 0.0, ratings),
            A_eq=distribution,
            b_eq=[1.0],
            bounds=[(0.0, None)] * joint + [(None, None)],
            options={"primal_feasibility_tolerance": FINEST, "dual_feasibility_tolerance": FINEST},
        )
        if found.status != 0:
            raise ArithmeticError(f"no equilibrium found: {found.message}")
        fixed = free & (found.ineqlin.marginals < -TOLERANCE)
        ratings[fixed] = found.fun
        free &= ~fixed
    return ratings


def _linprog() -> Any:
    """scipy's ``linprog``.

    Raises:
        MissingDependencyError: If scipy is not installed.
    """
    try:
        from scipy.optimize import linprog
    except ImportError as error:
        raise MissingDependencyError(
            "deviation ratings need scipy: pip install 'gangland[arena]'"
        ) from error
    return linprog
