"""Figures of an arena: shares with intervals, places, cross-play, lengths."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arena_play import Games

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Share:
    """A win share with its interval.

    Attributes:
        share: Wins by seats played; a win shared by ``w`` seats counts ``1 / w`` for each.
        low: Lower end of the Wilson interval.
        high: Upper end.
        effective: Independent trials that the interval rests on; see :func:`win_share`.
    """

    share: float
    low: float
    high: float
    effective: float


@dataclass(frozen=True, slots=True)
class GameStats:
    """What the games were like, whoever played.

    Attributes:
        length: Decisions of a game: mean, and the quantiles ``min``, ``p25``, ``median``,
            ``p75``, ``p95``, ``max``.
        capped: Share of games ended by the specification's cap.
        shared_wins: Share of games with several winners.
        seat_shares: Win share of each seat.
        seat_scores: Mean score of each seat.
        score: All scores: mean, ``sd`` and the same quantiles.
        winning_score: Mean score of the winners.
        margin: Mean distance in score from the best to the next.
        events: Mean a game of what the game counts, by name.
    """

    length: dict[str, float]
    capped: float
    shared_wins: float
    seat_shares: tuple[float, ...]
    seat_scores: tuple[float, ...]
    score: dict[str, float]
    winning_score: float
    margin: float
    events: dict[str, float]


def wilson(share: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval of a share.

    Reference: E. B. Wilson, "Probable inference, the law of succession, and statistical
    inference", JASA 22, 1927.

    Args:
        share: Observed share of successes, 0 to 1.
        trials: Independent trials, above 0; may be fractional.
        confidence: How often such intervals hold the true share.

    >>> [round(x, 4) for x in wilson(0.5, 100)]
    [0.4038, 0.5962]
    """
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = math.sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2))) / (1 + z2 / trials)
    low = 0.0 if share == 0 else centre - half
    high = 1.0 if share == 1 else centre + half
    return low, high


def win_shares(places: NDArray[np.int8]) -> NDArray[np.float64]:
    """What each seat won of each game, of shape ``(G, seats)``; rows sum to 1."""
    won = places == 1
    shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
    return shares


def win_share(won: NDArray[np.float64], mine: NDArray[np.bool_]) -> Share:
    """An agent's win share.

    The seats that an agent has in one game do not win independently, and shared wins vary less
    than whole ones. The interval therefore rests on ``p (1 - p) / v`` trials, ``v`` being the
    variance of the share as the games show it, but never on more than the seats played.

    Args:
        won: What each seat won, of shape ``(G, seats)``.
        mine: Which seats are the agent's, of the same shape.
    """
    seats = mine.sum(axis=1)
    played = seats > 0
    wins, taken = (won * mine).sum(axis=1)[played], seats[played]
    share = float(wins.sum() / taken.sum())
    # Variance of a ratio of means over games.
    residual = wins - share * taken
    count, total = len(taken), int(taken.sum())
    variance = float((residual**2).sum()) / max(1, count - 1) * count / total**2
    effective = float(count)
    if variance > 0 and 0 < share < 1:
        effective = min(share * (1 - share) / variance, float(total))
    return Share(share, *wilson(share, effective), effective)


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
    """Figures of the games, whoever played."""
    won = win_shares(games.places)
    ordered = np.sort(games.scores, axis=1)
    return GameStats(
        length={"mean": float(games.lengths.mean()), **_quantiles(games.lengths)},
        capped=float(games.capped.mean()),
        shared_wins=float(((games.places == 1).sum(axis=1) > 1).mean()),
        seat_shares=tuple(won.mean(axis=0).tolist()),
        seat_scores=tuple(games.scores.mean(axis=0).tolist()),
        score={
            "mean": float(games.scores.mean()),
            "sd": float(games.scores.std()),
            **_quantiles(games.scores),
        },
        winning_score=float((won * games.scores).sum(axis=1).mean()),
        margin=float((ordered[:, -1] - ordered[:, -2]).mean()),
        events={name: float(counts.mean()) for name, counts in games.events.items()},
    )


def _quantiles(values: NDArray[Any]) -> dict[str, float]:
    names = {"min": 0.0, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "max": 1.0}
    found = np.quantile(values, list(names.values()))
    return {name: float(value) for name, value in zip(names, found, strict=True)}
