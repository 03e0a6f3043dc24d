"""Outcomes of a ladder's games, and from those of mixed line-ups ratings and win shares."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games import Games
from ..kept import Kept
from ..ratings import plackett_luce
from ..schedule import Schedule
from ..statistics import ranks, win_share, win_shares
from .result import Standing


class Outcomes(NamedTuple):
    """Outcomes of games; fields as in :class:`gangland.arena.games.Games`."""

    line_ups: NDArray[np.int64]
    deals: NDArray[np.int64]
    places: NDArray[np.int8]
    truncated: NDArray[np.bool_]

    @classmethod
    def of(cls, games: Games) -> Outcomes:
        """Keep only what the ladder needs of a result."""
        return cls(games.line_ups, games.deals, games.places, games.truncated)

    @classmethod
    def find(cls, kept: Kept, schedule: Schedule, seed: int) -> Outcomes | None:
        """Outcomes that have been kept; ``None`` if the games have to be played."""
        found = kept.find(schedule, seed, ("places", "truncated"))
        return None if found is None else cls(schedule.line_ups, schedule.deals, **found)

    def keep(self, kept: Kept, schedule: Schedule, seed: int) -> None:
        """Keep them, whole or not at all."""
        kept.keep(schedule, seed, places=self.places, truncated=self.truncated)


def rate_mixed(
    parts: Sequence[Outcomes], specs: Sequence[str], tracks: Sequence[str]
) -> tuple[tuple[Standing, ...], tuple[tuple[float, float], ...]]:
    """Standings of all agents, best rating first, and the intervals of their leads.

    Args:
        parts: All games of mixed line-ups. Deals of different parts are different deals.
        specs: The agents that their line-ups refer to.
        tracks: The track of each.

    Returns:
        The standings, and for each but the last the 95 % interval of its lead over the next one.
    """
    firsts = np.cumsum([0, *(int(part.deals.max()) + 1 for part in parts[:-1])])
    deals = np.concatenate([p.deals + first for p, first in zip(parts, firsts, strict=True)])
    line_ups = np.concatenate([part.line_ups for part in parts])
    places = np.concatenate([part.places for part in parts])
    truncated = np.concatenate([part.truncated for part in parts])
    fitted = plackett_luce.fit(line_ups, ranks(places, truncated), deals, len(specs))
    won = win_shares(places, truncated)
    order = np.argsort(-fitted.ratings, kind="stable").tolist()
    standings = []
    for agent in order:
        share = win_share(won, line_ups == agent, deals)
        rating, margin = float(fitted.ratings[agent]), fitted.half_width(agent)
        numbers = rating, margin, share.share, share.low, share.high
        standings.append(Standing(specs[agent], *numbers, tracks[agent]))
    differences = []
    for agent, following in pairwise(order):
        lead = float(fitted.ratings[agent] - fitted.ratings[following])
        half = fitted.half_width(agent, following)
        differences.append((lead - half, lead + half))
    return tuple(standings), tuple(differences)
