"""Ratings from full rankings: openskill's Plackett-Luce model, with intervals by deals.

An agent in several seats of a game is one agent with one skill. Its seats are rated from the same
prior; the model's gradient in a shared skill is the sum of the seats' gradients, so their changes
of the mean are added and the factors by which they shrink the deviation are multiplied. A game in
which one agent has all seats carries no information and changes nothing. :func:`rate_game`
implements this rule; the arena and the server's leaderboard both use it.

Agents do not change between the games of an arena, so their skill does not drift. The uncertainty
of a rating comes from a bootstrap over deals, the independent observations
(:mod:`gangland.arena.statistics`): arenas of as many deals are drawn with replacement, a deal
always with all its games, in random order, and rated again. Ratings depend on the order of the
games, and the random order makes that part of the uncertainty. With ``s`` for the standard
deviation of these ratings, ``D`` deals and Student's t with ``D - 1`` degrees of freedom, the
interval is

    mu ± t * s * sqrt(D / (D - 1))

(The percentiles of the bootstrap would not give such an interval: they lie around the typical
rating over all orders of the games, whereas ``mu`` belongs to one order.)

References:
    R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", JMLR 12, 2011,
    algorithm 4. The ratings are openskill's own; the bootstrap makes the same update thousands of
    times, in a kernel that is tested against openskill.
    A. C. Davison and D. V. Hinkley, "Bootstrap methods and their application", Cambridge 1997,
    section 3.8 (resampling of clusters).
    B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", Chapman & Hall 1993, chapter
    12 (intervals from the bootstrap's standard error).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.errors import MissingDependencyError
from ...envs.core.integers import whole_number
from ...envs.core.kernel import kernel
from ...envs.core.rng import randint
from ...envs.core.state import record_dtype
from ..statistics import CONFIDENCE, student_t

MU = 25.0
"""Initial mean."""

SIGMA = MU / 3
"""Initial deviation."""

BETA = MU / 6
"""Deviation of one game's performance."""

KAPPA = 0.0001
"""Smallest factor by which one game can shrink a variance."""

RESAMPLES = 200
"""Bootstrap samples."""

_CHANCE = record_dtype(1, [])


@dataclass(frozen=True, slots=True)
class Rating:
    """An agent's rating.

    Attributes:
        mu: Mean of its skill.
        sigma: The model's own deviation.
        low: Lower end of the interval of ``mu``; ``None`` with one deal, or deals all alike.
        high: Upper end, or ``None``.
    """

    mu: float
    sigma: float
    low: float | None
    high: float | None


def rate(
    line_ups: NDArray[np.int64],
    places: NDArray[np.int8],
    deals: NDArray[np.int64],
    num_agents: int,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> list[Rating]:
    """Rate all agents of an arena.

    Args:
        line_ups: Shape ``(G, seats)``: index of the agent in each seat.
        places: Shape ``(G, seats)``: final places from 1, ties share one.
        deals: Shape ``(G,)``: deal of each game.
        num_agents: Number of agents.
        seed: Seed of the bootstrap.
        resamples: Bootstrap samples.
        confidence: How often an interval contains the expected rating of arenas of this size.

    Raises:
        MissingDependencyError: If openskill is not installed.
    """
    mu, sigma = rate_in_order(line_ups, places, num_agents)
    count = len(np.unique(deals))
    if count < 2:
        return [Rating(float(m), float(s), None, None) for m, s in zip(mu, sigma, strict=True)]
    samples = bootstrap(line_ups, places, deals, num_agents, seed=seed, resamples=resamples)
    half = half_widths(samples, count, confidence)
    return [
        # Deals that are all alike say nothing of how far others lie apart.
        Rating(float(m), float(s), float(m - h), float(m + h))
        if h > 1e-6
        else Rating(float(m), float(s), None, None)
        for m, s, h in zip(mu, sigma, half, strict=True)
    ]


def half_widths(
    samples: NDArray[np.float64], deals: int, confidence: float = CONFIDENCE
) -> NDArray[np.float64]:
    """Half the lengths of the intervals of ratings, of shape ``(agents,)``.

    Args:
        samples: Of shape ``(resamples, agents)``, from :func:`bootstrap`.
        deals: Number of deals, at least 2.
        confidence: How often an interval contains the expected rating of arenas of this size.
    """
    t = student_t((1 + confidence) / 2, deals - 1)
    half: NDArray[np.float64] = t * samples.std(axis=0, ddof=1) * math.sqrt(deals / (deals - 1))
    return half


def rate_in_order(
    line_ups: NDArray[np.int64], places: NDArray[np.int8], num_agents: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means and deviations, each of shape ``(agents,)``, after all games in order, by openskill.

    Raises:
        MissingDependencyError: If openskill is not installed.
    """
    skills = [(MU, SIGMA)] * num_agents
    for line_up, ranks in zip(line_ups.tolist(), places.tolist(), strict=True):
        rate_game(skills, line_up, ranks)
    return np.array([mu for mu, _ in skills]), np.array([sigma for _, sigma in skills])


def rate_game(
    skills: list[tuple[float, float]],
    line_up: Sequence[int],
    places: Sequence[int],
    *,
    drift: float = 0.0,
) -> None:
    """Update skills in place with one game, by openskill.

    Args:
        skills: Mean and deviation of each agent.
        line_up: Agent of each seat: an index of ``skills``.
        places: Final place of each seat, equal for ties.
        drift: Deviation by which a skill may have changed since the last game (openskill's
            ``tau``): 0 for bots, above 0 for people who learn.

    Raises:
        ValueError: If a seat's agent has no skill, or a skill or the drift is no finite number.
        MissingDependencyError: If openskill is not installed.
    """
    line_up = [whole_number("line_up", agent, 0, len(skills) - 1) for agent in line_up]
    if not (math.isfinite(drift) and drift >= 0.0):
        raise ValueError(f"drift={drift}: must be a finite number, at least 0")
    for agent in set(line_up):
        mean, deviation = skills[agent]
        if not (math.isfinite(mean) and math.isfinite(deviation) and deviation > 0.0):
            raise ValueError(
                f"skills[{agent}]={skills[agent]}: must be a finite mean and a deviation above 0"
            )
    if len(set(line_up)) == 1:
        return
    model = _model()
    before = {a: (skills[a][0], math.hypot(skills[a][1], drift)) for a in line_up}
    rated = model.rate(
        [[model.rating(mu=before[a][0], sigma=before[a][1])] for a in line_up],
        ranks=[float(place) for place in places],
    )
    after = dict(before)
    for agent, (seat,) in zip(line_up, rated, strict=True):
        (mu, sigma), (prior_mu, prior_sigma) = after[agent], before[agent]
        after[agent] = mu + seat.mu - prior_mu, sigma * seat.sigma / prior_sigma
    for agent, skill in after.items():
        skills[agent] = skill


def bootstrap(
    line_ups: NDArray[np.int64],
    places: NDArray[np.int8],
    deals: NDArray[np.int64],
    num_agents: int,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> NDArray[np.float64]:
    """Means of resampled arenas: as many deals, drawn with replacement, in the order drawn.

    Returns:
        Float64 of shape ``(resamples, agents)``.
    """
    order = np.argsort(deals, kind="stable")
    firsts = np.flatnonzero(np.diff(deals[order], prepend=deals[order][0] - 1))
    means = np.zeros((resamples, num_agents))
    chance = np.zeros(1, _CHANCE)[0]
    chance.rng = np.uint64(seed)
    _bootstrap(
        chance,
        np.append(firsts, len(order)),
        np.ascontiguousarray(line_ups[order], np.int64),
        np.ascontiguousarray(places[order], np.int64),
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
    alone = True
    for i in range(1, n):
        alone &= line_up[i] == line_up[0]
    if alone:
        return
    total = 0.0
    for i in range(n):
        total += sigma[line_up[i]] ** 2 + BETA**2
    c = np.sqrt(total)
    strength = np.zeros(n)
    for i in range(n):
        strength[i] = np.exp(mu[line_up[i]] / c)
    # For each seat: how many share its place, and the total strength of those that it is ranked
    # above or level with.
    ties = np.zeros(n)
    rivals = np.zeros(n)
    for q in range(n):
        for s in range(n):
            ties[q] += places[s] == places[q]
            if places[s] >= places[q]:
                rivals[q] += strength[s]
    change = np.zeros(n)
    shrink = np.zeros(n)
    for i in range(n):
        variance = sigma[line_up[i]] ** 2
        omega = 0.0
        delta = 0.0
        for q in range(n):
            if places[q] <= places[i]:
                share = strength[i] / rivals[q]
                omega += ((q == i) - share) / ties[q]
                delta += share * (1 - share) / ties[q]
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
def _bootstrap(chance: Any, firsts: Any, line_ups: Any, places: Any, means: Any) -> None:
    """Rates resampled arenas; the games of deal ``d`` are ``firsts[d]`` to ``firsts[d + 1]``."""
    deals = len(firsts) - 1
    sigma = np.zeros(means.shape[1])
    for b in range(means.shape[0]):
        means[b, :] = MU
        sigma[:] = SIGMA
        for _ in range(deals):
            d = randint(chance, deals)
            for g in range(firsts[d], firsts[d + 1]):
                update(line_ups[g], places[g], means[b], sigma)


def _model() -> Any:
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise MissingDependencyError(
            "ratings need openskill: pip install 'gangland[arena]'"
        ) from error
    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=0.0)
