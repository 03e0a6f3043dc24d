"""Names of cards, seats and actions."""

from __future__ import annotations

from typing import Final

from .state import MAX_RANKS, MAX_SEATS

RANKS: Final = ("8", "9", "T", "J", "Q", "K")
"""All ranks, from the lowest. A table of ``n`` seats plays with the ``n + 1`` highest."""
SEATS: Final = tuple(f"seat {seat}" for seat in range(MAX_SEATS))
ACTIONS: Final = ("fold", "check or call", "bet or raise")


def rank_name(rank: int, players: int) -> str:
    """Name of a rank, numbered from 0 at a table of so many seats."""
    return RANKS[MAX_RANKS - 1 - players + rank]
