"""Randomness of decisions: every decision of a match has a seed of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..envs.core.kernel import kernel
from ..envs.core.rng import stream

SEATS = 64
"""Bound on seats, so that ply and seat make one number."""


@kernel
def decision_seed(players_seed: np.uint64, ply: int, seat: int) -> np.uint64:
    """Seed that the agent at ``seat`` may use for the decision numbered ``ply``.

    Args:
        players_seed: Seed of the players' randomness in this game; not that of the game's chance,
            from which an agent could foretell the dice.
        ply: Decisions made so far.
        seat: Who decides.
    """
    return stream(np.uint64(players_seed), np.uint64(ply) * np.uint64(SEATS) + np.uint64(seat))


@kernel
def decision_seeds(players_seeds: Any, rows: Any, plies: Any, seats: Any, seeds: Any) -> None:
    """:func:`decision_seed` of many tables.

    Args:
        players_seeds: Uint64 of shape ``(N,)``, one a table.
        rows: Int64 of shape ``(B,)``: tables that decide.
        plies: Int64 of shape ``(B,)``.
        seats: Int64 of shape ``(B,)``.
        seeds: Uint64 of shape ``(B,)``, filled.
    """
    for k in range(len(rows)):
        seeds[k] = decision_seed(players_seeds[rows[k]], plies[k], seats[k])
