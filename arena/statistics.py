"""An arena's statistics: shares and means with intervals by deals, cross-play, lengths.

All rotations of a line-up are played on the same deal and share its luck, so the games of one deal
are not independent trials; deals are. Every interval here treats a deal as one observation, a
*cluster* of games.

An agent's win share and its mean score are ratios of sums over deals: of what it won (or scored)
by the seats that it played. With ``W_d`` and ``T_d`` for these two on deal ``d``, and ``D`` deals,

    p = sum(W_d) / sum(T_d)
    v = D / (D - 1) * sum((W_d - p * T_d) ** 2) / sum(T_d) ** 2

is the linearised variance of a ratio under cluster sampling (Cochran 1977, chapters 6 and 9A),
the same as the cluster-robust "sandwich" variance of a weighted mean (Liang and Zeger 1986). With
few deals ``v`` is itself uncertain, so Student's t with ``D - 1`` degrees of freedom takes the
place of the normal quantile (Cameron and Miller 2015, section VI).

- A mean score has the interval ``p ± t * sqrt(v)``.
- A win share lies between 0 and 1 and has Wilson's interval (1927) on the *effective sample size*
  ``p (1 - p) / v * (z / t) ** 2``, the number of independent trials that would be as uncertain
  (Korn and Graubard 1998; Franco et al. 2019 compare such intervals and recommend Wilson's). An
  agent that wins always or never shows no variance. It is given the largest *design effect* that
  another agent of the arena shows, and at least 1: the number of games that are worth one
  independent trial. If no agent shows any, each deal counts as one trial.

Ratings have a bootstrap over deals; see :mod:`gangland.arena.ratings.online`.

References:
    W. G. Cochran, "Sampling Techniques", 3rd edition, Wiley 1977.
    K.-Y. Liang and S. L. Zeger, "Longitudinal data analysis using generalized linear models",
    Biometrika 73, 1986.
    A. C. Cameron and D. L. Miller, "A practitioner's guide to cluster-robust inference", Journal of
    Human Resources 50, 2015.
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22,
    1927.
    E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data", Survey Methodology 24, 1998.
    C. Franco, R. J. A. Little, T. A. Louis and E. V. Slud, "Comparative study of confidence
    intervals for proportions in complex sample surveys", Journal of Survey Statistics and
    Methodology 7, 2019.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .games import Games

CONFIDENCE = 0.95
"""Coverage of the intervals: how often they contain the true value."""

_NO_VARIANCE = 1e-12
"""Standard errors below this are zero up to rounding."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """How the intervals of an arena's result were made, for its readers.

    Attributes:
        confidence: How often such an interval contains the true value.
        cluster: What counts as one independent observation.
        clusters: Number of these.
        win_share: Interval of win shares.
        score: Interval of mean scores.
        rating: Interval of ratings.
    """

    confidence: float
    cluster: str
    clusters: int
    win_share: str = "Wilson, effective sample size"
    score: str = "Student's t, cluster-robust"
    rating: str = "bootstrap"

    def __str__(self) -> str:
        return (
            f"{self.confidence:.0%} intervals by {self.cluster} ({self.clusters:,}): "
            f"win share {self.win_share}; score {self.score}; rating {self.rating}"
        )


@dataclass(frozen=True, slots=True)
class Share:
    """A win share with its interval.

    Attributes:
        share: Wins by seats played; a win shared by ``w`` seats counts ``1 / w`` for each.
        low: Lower end of the interval.
        high: Upper end.
        effective: Independent trials that the interval rests on; 0 if there was only one deal,
            which leaves everything from 0 to 1 possible.
    """

    share: float
    low: float
    high: float
    effective: float


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its interval.

    Attributes:
        mean: The mean.
        low: Lower end of the interval; ``None`` if there was only one deal.
        high: Upper end, or ``None``.
    """

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class GameStats:
    """What the games were like, whoever played.

    Attributes:
        length: Decisions of a game: mean, and the quantiles ``min``, ``p25``, ``median``,
            ``p75``, ``p95``, ``max``.
        capped: Share of games ended by one of the specification's caps.
        truncated: Number of games ended by a cap that pays nobody: nobody has won these.
        shared_wins: Share of games with several winners.
        seat_shares: Win share of each seat.
        seat_scores: Mean score of each seat.
        score: All scores: mean, ``sd`` and the same quantiles.
        winning_score: Mean score of the winners; ``None`` if nobody ever won.
        margin: Mean distance in score from the best to the next.
        events: Mean of what the game counts, by name.
    """

    length: dict[str, float]
    capped: float
    truncated: int
    shared_wins: float
    seat_shares: tuple[float, ...]
    seat_scores: tuple[float, ...]
    score: dict[str, float]
    winning_score: float | None
    margin: float
    events: dict[str, float]


def wilson(share: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval of a share.

    Args:
        share: Observed share of successes, 0 to 1.
        trials: Independent trials; may be fractional. None leave everything from 0 to 1 possible.
        confidence: How often such intervals contain the true share.

    >>> [round(x, 4) for x in wilson(0.5, 100)]
    [0.4038, 0.5962]
    """
    if trials <= 0:
        return 0.0, 1.0
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    low = 0.0 if share == 0 else centre - half
    high = 1.0 if share == 1 else centre + half
    return low, high


def student_t(probability: float, degrees: int) -> float:
    """Quantile of Student's t distribution, accurate to six digits.

    References: Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964: the quantile is
    found by bisection of the distribution function (26.7.3, 26.7.4); for many degrees of freedom
    by the expansion about the normal quantile (26.7.5).

    Args:
        probability: From 0.5 to below 1.
        degrees: Degrees of freedom, at least 1.

    >>> [round(student_t(0.975, degrees), 3) for degrees in (1, 2, 10, 1000)]
    [12.706, 4.303, 2.228, 1.962]
    """
    if degrees > 100:
        z = NormalDist().inv_cdf(probability)
        terms = (
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        )
        return z + sum(term / degrees**k for k, term in enumerate(terms, 1))
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if _t_distribution(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees) * math.tan(low)


def _t_distribution(angle: float, degrees: int) -> float:
    """Probability that t is at most ``sqrt(degrees) * tan(angle)``, for angles from 0 to pi / 2."""
    sine, square = math.sin(angle), math.cos(angle) ** 2
    odd = degrees % 2
    term = total = 0.0
    if odd:
        term = math.cos(angle) if degrees > 1 else 0.0
        total = term
        for k in range(3, degrees - 1, 2):
            term *= square * (k - 1) / k
            total += term
        inside = 2 / math.pi * (angle + sine * total)
    else:
        term = total = 1.0
        for k in range(2, degrees - 1, 2):
            term *= square * (k - 1) / k
            total += term
        inside = sine * total
    return 0.5 + inside / 2


def win_shares(places: NDArray[np.int8], truncated: NDArray[np.bool_]) -> NDArray[np.float64]:
    """What each seat won of each game, of shape ``(G, seats)``.

    Rows sum to 1, but for truncated games, which nobody has won: they are all zero.

    Args:
        places: Final places, of shape ``(G, seats)``.
        truncated: Whether the game was cut off by a cap that pays nobody, of shape ``(G,)``.
    """
    won = (places == 1) & ~truncated[:, None]
    shares: NDArray[np.float64] = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    return shares


def ranks(places: NDArray[np.int8], truncated: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Places by which agents are compared, of shape ``(G, seats)``: a truncated game is a draw.

    It pays everybody the same, so all seats share the first rank and nobody is ahead.
    """
    return np.where(truncated[:, None], np.int8(1), places)


def win_share(
    won: NDArray[np.float64],
    mine: NDArray[np.bool_],
    deals: NDArray[np.int64],
    others_effect: float | None = None,
) -> Share:
    """An agent's win share, with an interval by deals.

    Args:
        won: What each seat won, of shape ``(G, seats)``.
        mine: Which seats are the agent's, of the same shape; at least one.
        deals: Deal of each game, of shape ``(G,)``.
        others_effect: Largest design effect of the arena's agents, for an agent that shows no
            variance; ``None`` if nobody shows any.
    """
    share, error, clusters = _ratio(won, mine, deals)
    if clusters < 2:
        return Share(share, 0.0, 1.0, 0.0)
    if error > _NO_VARIANCE:
        effective = share * (1 - share) / error**2
    elif others_effect is not None:
        effective = max(clusters, mine.any(axis=1).sum() / max(1.0, others_effect))
    else:
        effective = float(clusters)
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    effective *= (z / student_t((1 + CONFIDENCE) / 2, clusters - 1)) ** 2
    return Share(share, *wilson(share, effective), effective)


def pool_shares(
    won: NDArray[np.float64],
    line_ups: NDArray[np.int64],
    deals: NDArray[np.int64],
    num_agents: int,
) -> list[Share]:
    """Win shares of all agents of an arena, with intervals by deals.

    Args:
        won: What each seat won, of shape ``(G, seats)``.
        line_ups: Index of the agent in each seat, of the same shape; each takes part.
        deals: Deal of each game, of shape ``(G,)``.
        num_agents: Number of agents.
    """
    seated = [line_ups == index for index in range(num_agents)]
    effects = [design_effect(won, mine, deals) for mine in seated]
    largest = max((effect for effect in effects if effect is not None), default=None)
    return [win_share(won, mine, deals, largest) for mine in seated]


def design_effect(
    won: NDArray[np.float64], mine: NDArray[np.bool_], deals: NDArray[np.int64]
) -> float | None:
    """How many of an agent's games are worth one independent trial; ``None`` without variance.

    Args:
        won: What each seat won, of shape ``(G, seats)``.
        mine: Which seats are the agent's, of the same shape; at least one.
        deals: Deal of each game, of shape ``(G,)``.
    """
    share, error, clusters = _ratio(won, mine, deals)
    if clusters < 2 or error <= _NO_VARIANCE:
        return None
    return float(mine.any(axis=1).sum()) * error**2 / (share * (1 - share))


def mean_score(scores: NDArray[Any], mine: NDArray[np.bool_], deals: NDArray[np.int64]) -> Mean:
    """An agent's mean score by seats played, with an interval by deals.

    Args:
        scores: Score of each seat, of shape ``(G, seats)``.
        mine: Which seats are the agent's, of the same shape; at least one.
        deals: Deal of each game, of shape ``(G,)``.
    """
    mean, error, clusters = _ratio(scores, mine, deals)
    if clusters < 2:
        return Mean(mean, None, None)
    half = student_t((1 + CONFIDENCE) / 2, clusters - 1) * error
    return Mean(mean, mean - half, mean + half)


def _ratio(
    values: NDArray[Any], mine: NDArray[np.bool_], deals: NDArray[np.int64]
) -> tuple[float, float, int]:
    """Mean of an agent's values by seats played, its standard error, and the number of deals."""
    played = mine.any(axis=1)
    _, cluster = np.unique(deals[played], return_inverse=True)
    totals = np.bincount(cluster, (values * mine).sum(axis=1)[played])
    seats = np.bincount(cluster, mine.sum(axis=1)[played])
    count, ratio = len(seats), float(totals.sum() / seats.sum())
    squares = float(((totals - ratio * seats) ** 2).sum())
    variance = squares * count / max(1, count - 1) / float(seats.sum()) ** 2
    return ratio, math.sqrt(variance), count


def cross_play(
    line_ups: NDArray[np.int64], places: NDArray[np.int8], num_agents: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """How often each agent finishes ahead of each other one in the same game, ties half.

    Returns:
        Shares and numbers of pairs of seats compared, both of shape ``(agents, agents)``; shares
        are NaN on the diagonal and for agents that never met.
    """
    ahead = np.zeros((num_agents, num_agents))
    pairs = np.zeros((num_agents, num_agents), np.int64)
    seats = range(line_ups.shape[1])
    for i in seats:
        for j in seats:
            if i != j:
                a, b = line_ups[:, i], line_ups[:, j]
                better = (places[:, i] < places[:, j]) + 0.5 * (places[:, i] == places[:, j])
                np.add.at(ahead, (a, b), better)
                np.add.at(pairs, (a, b), 1)
    np.fill_diagonal(pairs, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(pairs > 0, ahead / pairs, np.nan)
    return shares, pairs


def game_stats(games: Games) -> GameStats:
    """Statistics of the games, whoever played."""
    won = win_shares(games.places, games.truncated)
    decided = int((~games.truncated).sum())
    ordered = np.sort(games.scores, axis=1)
    return GameStats(
        length={"mean": float(games.lengths.mean()), **_quantiles(games.lengths)},
        capped=float(games.capped.mean()),
        truncated=len(games) - decided,
        shared_wins=float(((won > 0).sum(axis=1) > 1).mean()),
        seat_shares=tuple(won.mean(axis=0).tolist()),
        seat_scores=tuple(games.scores.mean(axis=0).tolist()),
        score={
            "mean": float(games.scores.mean()),
            "sd": float(games.scores.std()),
            **_quantiles(games.scores),
        },
        winning_score=float((won * games.scores).sum() / decided) if decided else None,
        margin=float((ordered[:, -1] - ordered[:, -2]).mean()),
        events={name: float(counts.mean()) for name, counts in games.events.items()},
    )


def _quantiles(values: NDArray[Any]) -> dict[str, float]:
    names = {"min": 0.0, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "max": 1.0}
    found = np.quantile(values, list(names.values()))
    return {name: float(value) for name, value in zip(names, found, strict=True)}
