"""Uniform legal decisions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...envs.core.batch import sample_legal
from ...envs.core.game import Game
from ...envs.core.view import Detail, ViewBatch
from ..base import BatchAgent
from ..decision import Decisions


class RandomAgent(BatchAgent):
    """Chooses uniformly among the legal actions, from the decision's seed alone.

    Args:
        game: The game; any will do.
    """

    spec = "random"
    needs_records = False
    quick = True

    def __init__(self, game: Game) -> None:
        self.game = game
        # Compiled here, not in the first decision.
        _sample(np.ones((1, 1), np.bool_), np.zeros(1, np.uint64))

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """Uniform legal actions; always the same for the same seeds."""
        actions = _sample(views.masks, views.seeds.copy())
        if views.detail == Detail.ACTION:
            return Decisions(actions)
        return Decisions(actions, self.strategy(views))

    def strategy(self, views: ViewBatch) -> NDArray[np.float64]:
        """The same probability for every legal action."""
        shares: NDArray[np.float64] = views.masks / views.masks.sum(1, keepdims=True)
        return shares


def _sample(masks: NDArray[np.bool_], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    actions = np.full(len(masks), -1, np.int64)
    sample_legal(np.ascontiguousarray(masks), seeds, actions, 0, len(masks))
    return actions
