"""The decisions of a match as they stood at one moment, for work that takes a while.

A match goes on, or goes back, while a thread replays its decisions. What such work needs is copied
beforehand, in the event loop; then it can be done in any thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...envs.core.game import Game
from ...envs.core.state import State


@dataclass(frozen=True, slots=True)
class Past:
    """The decisions of a match as they stood at one moment.

    Attributes:
        game: The game.
        start: The true record before the first decision; it is not changed.
        actions: All decisions that had not been taken back.
    """

    game: Game
    start: State
    actions: tuple[int, ...]

    def position(self, plies: int) -> State:
        """The true record after the first ``plies`` decisions."""
        return next(self.positions([plies]))

    def positions(self, plies: Iterable[int]) -> Iterator[State]:
        """The true records after these numbers of decisions, which ascend; each a copy."""
        state, at = self.game.clone(self.start), 0
        for ply in plies:
            for action in self.actions[at:ply]:
                self.game.apply(state, action)
            at = ply
            yield self.game.clone(state)
