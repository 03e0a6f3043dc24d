"""Names of cards, places and actions."""

from __future__ import annotations

from typing import Final

from .state import MAX_RANKS, MAX_SEATS

RANKS: Final = ("8", "9", "T", "J", "Q", "K")
"""All ranks, from the lowest. A table of ``n`` seats plays with the ``n + 1`` highest."""
PLACES: Final = tuple(f"place {place}" for place in range(1, MAX_SEATS + 1))
ACTIONS: Final = ("fold", "check or call", "bet or raise")


def rank_name(rank: int, players: int) -> str:
    """Name of a rank, numbered from 0 at a table of so many seats."""
    return RANKS[MAX_RANKS - 1 - players + rank]
