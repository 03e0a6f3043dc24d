"""What ratings and win shares of a ladder are computed from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games import Games
from ..kept import Kept
from ..schedule import Schedule


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
