"""The record of a hand of limit poker, the limits that it holds, and names of what is in it."""

from __future__ import annotations

from typing import Final

from ..core.state import record_dtype

MAX_SEATS: Final = 5
MAX_RANKS: Final = MAX_SEATS + 1
MAX_ROUNDS: Final = 2
MAX_ACTIONS: Final = 3 * MAX_SEATS - 2
"""Most actions of a round: all check but the last, who bets, and each of two raises goes round."""

NONE: Final = -1
FIRST, SECOND, OVER = range(3)
PHASES: Final = ("FIRST", "SECOND", "OVER")
FOLD, CALL, RAISE = range(3)
"""Actions. ``CALL`` is to check where there is nothing to call, ``RAISE`` also the first bet."""
NUM_ACTIONS: Final = 3

DTYPE: Final = record_dtype(
    MAX_SEATS,
    [
        # What makes it Kuhn or Leduc.
        ("rounds", "i1"),
        ("suits", "i1"),
        ("most_raises", "i1"),
        ("bets", "i1", (MAX_ROUNDS,)),
        # The deal: ranks from 0, NONE where a viewer may not know; the card for all lies ready.
        ("cards", "i1", (MAX_SEATS,)),
        ("public", "i1"),
        # The betting. An action is stored as 1 + its number; 0: not taken yet.
        ("first", "i1"),
        ("stakes", "i1", (MAX_SEATS,)),
        ("folded", "i1", (MAX_SEATS,)),
        ("raises", "i1"),
        ("waiting", "i1"),
        ("count", "i1", (MAX_ROUNDS,)),
        ("history", "i1", (MAX_ROUNDS, MAX_ACTIONS)),
    ],
)
"""``first``: the seat that begins, 0; ``waiting``: seats that still act before the round ends;
``count``: actions of each round."""


RANKS: Final = ("8", "9", "T", "J", "Q", "K")
"""All ranks, from the lowest. A table of ``n`` seats plays with the ``n + 1`` highest."""
PLACES: Final = tuple(f"place {place}" for place in range(1, MAX_SEATS + 1))
ACTIONS: Final = ("fold", "check or call", "bet or raise")


def rank_name(rank: int, players: int) -> str:
    """Name of a rank, numbered from 0 at a table of so many seats."""
    return RANKS[MAX_RANKS - 1 - players + rank]
