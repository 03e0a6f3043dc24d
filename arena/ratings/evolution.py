"""Alpha-rank: agents rated by how long evolving populations keep to them.

Each player of a game is a population all of one strategy (here: an agent). Now and then one member
of one population tries another strategy, which takes the population over, or dies out before the
next one comes. With ``d`` for what the mutant earns more than its fellows, ``alpha`` for how
closely imitation follows earnings, and ``m`` members, it takes over with the probability

    (1 - exp(-alpha d)) / (1 - exp(-m alpha d)),        1 / m if d = 0.

These are the transitions of a Markov chain over joint strategies, and the share of time that it
spends in each is the result. For large ``alpha`` (from about 100 for win shares) that is the share
of time in cycles of better replies that none leaves.

Probabilities reach down to ``exp(-m alpha)``, so all is computed in logarithms, by an elimination
without subtractions.

References:
    S. Omidshafiei, C. Papadimitriou, G. Piliouras et al., "α-Rank: multi-agent evaluation by
    evolution", Scientific Reports 9, 2019, arXiv 1903.01373.
    W. K. Grassmann, M. I. Taksar and D. P. Heyman, "Regenerative analysis and steady state
    distributions for Markov chains", Operations Research 33, 1985.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .equilibrium import check_normal_form

ALPHA = 100.0
"""How closely imitation follows earnings, for payoffs that are win shares."""

POPULATION = 50
"""Members of each population."""


def alpha_rank(
    payoffs: NDArray[np.float64], *, alpha: float = ALPHA, population: int = POPULATION
) -> NDArray[np.float64]:
    """Share of time that populations spend in each joint strategy of a game in normal form.

    A strategy's own share is the sum over those of the other players.

    Args:
        payoffs: Float64 of shape ``(players, strategies of player 0, of player 1, ...)``: what
            each player is paid for each joint choice, in any unit.
        alpha: How closely imitation follows earnings, in one divided by this unit; at least 0.
        population: Members of each population, at least 2.

    Returns:
        Float64 of shape ``(strategies of player 0, of player 1, ...)``; sums to 1.

    Raises:
        ValueError: If the shape is another, a player has no strategy, or a number is not finite or
            out of range.

    In a prisoner's dilemma all defect:

    >>> one = np.array([[3.0, 0], [5, 1]])
    >>> alpha_rank(np.stack([one, one.T])).round(6).tolist()
    [[0.0, 0.0], [0.0, 1.0]]
    """
    check_normal_form(payoffs)
    if not (math.isfinite(alpha) and alpha >= 0):
        raise ValueError(f"alpha={alpha}: must be a finite number, at least 0")
    if population < 2:
        raise ValueError(f"population={population}: must be at least 2")
    shape = payoffs.shape[1:]
    states = np.arange(math.prod(shape)).reshape(shape)
    rates = np.full((states.size, states.size), -np.inf)
    for player, own in enumerate(payoffs):
        # A row for each choice of the others, with the player's own strategies in it.
        here = np.moveaxis(states, player, -1).reshape(-1, shape[player])
        paid = np.moveaxis(own, player, -1).reshape(-1, shape[player])
        leads = paid[:, None, :] - paid[:, :, None]
        rates[here[:, :, None], here[:, None, :]] = _log_fixation(alpha * leads, population)
    return np.exp(_log_stationary(rates)).reshape(shape)


def _log_fixation(lead: NDArray[np.float64], members: int) -> NDArray[np.float64]:
    """Logarithm of the probability that a mutant takes over, by alpha times its lead."""
    size = np.abs(lead)
    even = size < 1e-14
    size = np.where(even, 1.0, size)
    found = np.log(-np.expm1(-size)) - np.log(-np.expm1(-members * size))
    return np.where(even, -math.log(members), found + np.minimum(0.0, (members - 1) * lead))


def _log_stationary(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of a chain's stationary distribution, of shape ``(states,)``.

    Args:
        rates: Logarithms of transition rates, of shape ``(states, states)``; the diagonal does not
            matter. Every state leads to every other. Destroyed.
    """
    count = len(rates)
    for state in range(count - 1, 0, -1):
        # Watch the chain only while it is in the states before this one.
        rates[:state, state] -= np.logaddexp.reduce(rates[state, :state])
        around = rates[:state, state, None] + rates[None, state, :state]
        rates[:state, :state] = np.logaddexp(rates[:state, :state], around)
    found = np.zeros(count)
    for state in range(1, count):
        found[state] = np.logaddexp.reduce(found[:state] + rates[:state, state])
    return found - np.logaddexp.reduce(found)
