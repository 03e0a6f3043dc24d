"""Ratings from full rankings: openskill's Plackett-Luce model, with bootstrap intervals.

Reference: Weng and Lin, "A Bayesian approximation method for online ranking", JMLR 12, 2011,
algorithm 4. The ratings are openskill's own; the bootstrap plays the same update thousands of
times, as a kernel that a test holds to openskill's figures.

Agents do not change between the games of an arena, so ``tau`` (drift of skill) is zero. An agent in
several seats of a game is one agent: its seats are rated from the same prior, their changes of the
mean are added and their shrinkings of the deviation multiplied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.core.errors import MissingDependencyError
from ..envs.core.kernel import kernel
from ..envs.core.rng import randint
from ..envs.core.state import record_dtype

MU = 25.0
"""Mean that everyone starts with."""

SIGMA = MU / 3
"""Deviation that everyone starts with."""

BETA = MU / 6
"""Deviation of one game's performance."""

KAPPA = 0.0001
"""The least that one game leaves of a variance."""

RESAMPLES = 200
"""Bootstrap samples."""

_CHANCE = record_dtype(1, [])


@dataclass(frozen=True, slots=True)
class Rating:
    """An agent's rating.

    Attributes:
        mu: Mean of its skill.
        sigma: The model's own deviation.
        low: Lower end of the bootstrap interval of ``mu``.
        high: Upper end.
    """

    mu: float
    sigma: float
    low: float
    high: float


def rate(
    line_ups: NDArray[np.int64],
    places: NDArray[np.int8],
    num_agents: int,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> list[Rating]:
    """Rate all agents of an arena.

    Args:
        line_ups: Shape ``(G, seats)``: index of the agent in each seat.
        places: Shape ``(G, seats)``: final places from 1, ties share one.
        num_agents: Number of agents.
        seed: Seed of the bootstrap.
        resamples: Bootstrap samples, drawn over games.
        confidence: Share of the samples within the interval.

    Raises:
        MissingDependencyError: If openskill is not installed.
    """
    mu, sigma = rate_in_order(line_ups, places, num_agents)
    samples = bootstrap(line_ups, places, num_agents, seed=seed, resamples=resamples)
    tail = (1 - confidence) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0)
    return [
        Rating(float(mu[a]), float(sigma[a]), float(low[a]), float(high[a]))
        for a in range(num_agents)
    ]


def rate_in_order(
    line_ups: NDArray[np.int64], places: NDArray[np.int8], num_agents: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means and deviations, each of shape ``(agents,)``, after all games in order, by openskill.

    Raises:
        MissingDependencyError: If openskill is not installed.
    """
    model = _model()
    ratings = [model.rating(mu=MU, sigma=SIGMA) for _ in range(num_agents)]
    for line_up, ranks in zip(line_ups.tolist(), places.tolist(), strict=True):
        rate_game(model, ratings, line_up, ranks)
    return np.array([r.mu for r in ratings]), np.array([r.sigma for r in ratings])


def rate_game(
    model: Any, ratings: list[Any], line_up: Sequence[int], places: Sequence[int]
) -> None:
    """Update openskill ratings in place with one game.

    Args:
        model: openskill's ``PlackettLuce``.
        ratings: Its rating of each agent.
        line_up: Agent of each seat.
        places: Final place of each seat, equal for ties.
    """
    before = [(rating.mu, rating.sigma) for rating in ratings]
    after = model.rate(
        [[model.rating(mu=before[a][0], sigma=before[a][1])] for a in line_up],
        ranks=[float(place) for place in places],
    )
    for agent, (team,) in zip(line_up, after, strict=True):
        ratings[agent].mu += team.mu - before[agent][0]
        ratings[agent].sigma *= team.sigma / before[agent][1]


def bootstrap(
    line_ups: NDArray[np.int64],
    places: NDArray[np.int8],
    num_agents: int,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> NDArray[np.float64]:
    """Means of resampled arenas: as many games, drawn with replacement, in the order drawn.

    Returns:
        Float64 of shape ``(resamples, agents)``.
    """
    means = np.zeros((resamples, num_agents))
    chance = np.zeros(1, _CHANCE)[0]
    chance.rng = np.uint64(seed)
    _bootstrap(
        chance,
        np.ascontiguousarray(line_ups, np.int64),
        np.ascontiguousarray(places, np.int64),
        means,
    )
    return means


@kernel(leaf=True)
def update(line_up: Any, places: Any, mu: Any, sigma: Any) -> None:
    """One game's update in place, as :func:`rate_game`.

    Args:
        line_up: Int64 of shape ``(seats,)``.
        places: Int64 of shape ``(seats,)``.
        mu: Float64 of shape ``(agents,)``.
        sigma: Float64 of shape ``(agents,)``.
    """
    n = len(line_up)
    total = 0.0
    for i in range(n):
        total += sigma[line_up[i]] ** 2 + BETA**2
    c = np.sqrt(total)
    change = np.zeros(n)
    shrink = np.zeros(n)
    for i in range(n):
        variance = sigma[line_up[i]] ** 2
        strength = np.exp(mu[line_up[i]] / c)
        omega = 0.0
        delta = 0.0
        for q in range(n):
            if places[q] <= places[i]:
                ties = 0
                rivals = 0.0
                for s in range(n):
                    ties += places[s] == places[q]
                    if places[s] >= places[q]:
                        rivals += np.exp(mu[line_up[s]] / c)
                share = strength / rivals
                omega += ((q == i) - share) / ties
                delta += share * (1 - share) / ties
        change[i] = omega * variance / c
        gamma = np.sqrt(variance) / c
        shrink[i] = np.sqrt(max(1 - delta * gamma * variance / c**2, KAPPA))
    for i in range(n):
        mu[line_up[i]] += change[i]
        sigma[line_up[i]] *= shrink[i]


@kernel
def rate_all(line_ups: Any, places: Any, mu: Any, sigma: Any) -> None:
    """:func:`update` with all games in order."""
    for g in range(len(line_ups)):
        update(line_ups[g], places[g], mu, sigma)


@kernel
def _bootstrap(chance: Any, line_ups: Any, places: Any, means: Any) -> None:
    games = len(line_ups)
    sigma = np.zeros(means.shape[1])
    for b in range(means.shape[0]):
        means[b, :] = MU
        sigma[:] = SIGMA
        for _ in range(games):
            g = randint(chance, games)
            update(line_ups[g], places[g], means[b], sigma)


def _model() -> Any:
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise MissingDependencyError(
            "ratings need openskill: pip install 'gangland[train]'"
        ) from error
    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=0.0)
