"""Leduc hold'em, handed over as a ``Game``."""

from __future__ import annotations

from .limit_poker import LimitPoker


class Leduc(LimitPoker):
    """Two suits of ``n + 1`` ranks, two rounds of betting, a card for all between them.

    After F. Southey et al., "Bayes' bluff: opponent modelling in poker", 2005.
    """

    name = "leduc"
    title = "Leduc hold'em"
    rounds = 2
    suits = 2
    most_raises = 2
    sizes = (2, 4)
    score_scale = 52.0
    """Thirteen chips that one of two seats loses to the other, in half chips."""
