"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome of a finished game, indexed by seat.

    Attributes:
        rewards: The result as paid: winners share +1, the others share -1.
        scores: Final scores by the game's own count.
        places: Final places from 1; ties share a place.
        win_shares: 1 divided among the winners; 0 for the others, and for everybody in a game that
            was stopped by a cap that pays nobody.
        capped: Whether a cap of the specification ended the game; see
            :meth:`~.game.Game.is_truncated` for whether that cap pays.
    """

    rewards: tuple[float, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    win_shares: tuple[float, ...]
    capped: bool
