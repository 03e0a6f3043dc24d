"""Kuhn poker, handed over as a ``Game``."""

from __future__ import annotations

from .limit_poker import LimitPoker


class Kuhn(LimitPoker):
    """One card of ``n + 1`` for each of ``n`` seats, one bet of one chip.

    After H. W. Kuhn, "A simplified two-person poker", 1950; for more seats after D. Szafron,
    R. Gibson and N. Sturtevant, "A parameterized family of equilibrium profiles for three-player
    Kuhn poker", 2013.
    """

    name = "kuhn"
    title = "Kuhn poker"
    rounds = 1
    suits = 1
    most_raises = 1
    sizes = (1,)
    score_scale = 8.0
    """Two chips that one of two seats loses to the other, in half chips."""
