"""A Plackett-Luce model fitted to all rankings at once, so that their order does not matter.

Every agent has a strength ``exp(s)``. A ranking comes about place by place: each place goes to one
of the seats that are left with a probability in proportion to its strength (Luce 1959, Plackett
1975). Seats that share a place all take it from the same set (Breslow 1974, for ties of the same
likelihood). An agent in several seats has one strength. The log likelihood is concave, and Newton's
method finds its maximum. A weak prior, one win and one defeat against an average agent for each,
keeps agents finite that always or never win (after Caron and Doucet, 2012).

Intervals are by deals: with ``H`` the Hessian and ``g_d`` the gradient of deal ``d`` at the
maximum, ``H^-1 (sum g_d g_d') H^-1`` is the cluster-robust covariance (Liang and Zeger 1986).

References:
    R. L. Plackett, "The analysis of permutations", Applied Statistics 24, 1975.
    D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32,
    2004.
    N. Breslow, "Covariance analysis of censored survival data", Biometrics 30, 1974.
    F. Caron and A. Doucet, "Efficient Bayesian inference for generalized Bradley-Terry models",
    JCGS 21, 2012.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..statistics import CONFIDENCE, student_t

POINTS = 400 / math.log(10)
"""Rating points of a unit of log strength, as in Elo's scale: 400 points are odds of ten to one."""

_STEPS = 100
_PRECISE = 1e-10


@dataclass(frozen=True)
class Fit:
    """Fitted strengths, in rating points around the pool's mean of 0.

    Attributes:
        ratings: Float64 of shape ``(agents,)``.
        covariance: Float64 of shape ``(agents, agents)``, cluster-robust.
        deals: Number of deals.
    """

    ratings: NDArray[np.float64]
    covariance: NDArray[np.float64]
    deals: int

    def half_width(self, agent: int, other: int | None = None) -> float:
        """Half the 95 % interval of a rating, or of the difference of two."""
        if self.deals < 2:
            return math.inf
        pick = np.zeros(len(self.ratings))
        pick[agent] += 1.0
        if other is not None:
            pick[other] -= 1.0
        error = math.sqrt(max(0.0, float(pick @ self.covariance @ pick)))
        return student_t((1 + CONFIDENCE) / 2, self.deals - 1) * error


def fit(
    line_ups: NDArray[np.int64],
    places: NDArray[np.int8],
    deals: NDArray[np.int64],
    num_agents: int,
) -> Fit:
    """Fit the strengths of all agents to all games.

    Args:
        line_ups: Shape ``(G, seats)``: index of the agent in each seat.
        places: Shape ``(G, seats)``: final places from 1, ties share one.
        deals: Shape ``(G,)``: deal of each game.
        num_agents: Number of agents.
    """
    _, cluster = np.unique(deals, return_inverse=True)
    strengths = np.zeros(num_agents)
    for _ in range(_STEPS):
        scores, hessian = _derivatives(line_ups, places, strengths)
        gradient, curvature = _prior(strengths)
        step = np.linalg.solve(hessian + curvature, scores.sum(0) + gradient)
        # Far from the maximum a full step may overshoot.
        strengths = strengths + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < _PRECISE:
            break
    scores, hessian = _derivatives(line_ups, places, strengths)
    by_deal = np.zeros((int(cluster.max()) + 1, num_agents))
    np.add.at(by_deal, cluster.reshape(-1), scores)
    inverse = np.linalg.inv(hessian + _prior(strengths)[1])
    count = len(by_deal)
    meat = by_deal.T @ by_deal * (count / max(1, count - 1))
    centre = np.eye(num_agents) - 1 / num_agents
    covariance = centre @ inverse @ meat @ inverse @ centre.T
    return Fit((strengths - strengths.mean()) * POINTS, covariance * POINTS**2, count)


def _derivatives(
    line_ups: NDArray[np.int64], places: NDArray[np.int8], strengths: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradient of each game, of shape ``(G, agents)``, and minus the Hessian of all."""
    games, seats = line_ups.shape
    agents = len(strengths)
    weights = np.exp(strengths)[line_ups]
    owner = np.zeros((games, seats, agents))
    np.put_along_axis(owner, line_ups[:, :, None], 1.0, axis=2)
    gradient = np.zeros((games, agents))
    hessian = np.zeros((agents, agents))
    for seat in range(seats):
        # This seat takes its place from all that are placed no better.
        left = places >= places[:, seat, None]
        # The last place is no choice.
        real = left.sum(1) > 1
        share = np.where(left, weights, 0.0)
        share /= share.sum(1, keepdims=True)
        expected = np.einsum("gs,gsa->ga", share, owner)
        gradient += (owner[:, seat] - expected) * real[:, None]
        hessian += np.diag((expected * real[:, None]).sum(0))
        hessian -= (expected * real[:, None]).T @ expected
    return gradient, hessian


def _prior(strengths: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradient and minus the Hessian of a win and a defeat against an agent of strength 1."""
    wins = 1 / (1 + np.exp(-strengths))
    return 1.0 - 2.0 * wins, np.diag(2.0 * wins * (1.0 - wins))
