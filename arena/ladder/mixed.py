"""Ratings and win shares from a ladder's mixed line-ups."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..ratings import plackett_luce
from ..statistics import ranks, win_share, win_shares
from .outcomes import Outcomes
from .result import Standing


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
