"""Uniform legal decisions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..envs.core.batch import sample_legal
from ..envs.core.game import Game
from ..envs.core.view import View, ViewBatch
from .base import Agent


class RandomAgent(Agent):
    """Chooses uniformly among the legal actions, from the decision's seed alone.

    Args:
        game: The game; any will do.
    """

    spec = "random"
    needs_records = False

    def __init__(self, game: Game) -> None:
        self.game = game
        # Compiled here, not in the first decision.
        _sample(np.ones((1, 1), np.bool_), np.zeros(1, np.uint64))

    def act(self, view: View) -> int:
        """A uniform legal action; always the same for the same seed."""
        seeds = np.array([view.seed], np.uint64)
        return int(_sample(view.action_mask[None, :], seeds)[0])

    def act_batch(self, views: ViewBatch) -> NDArray[np.int64]:
        """Uniform legal actions of shape ``(B,)``, the same that :meth:`act` gives."""
        return _sample(views.masks, views.seeds.copy())

    def probabilities(self, view: View) -> NDArray[np.float64]:
        """Float64 of shape ``(num_actions,)``: how likely each action is."""
        share: NDArray[np.float64] = view.action_mask / view.action_mask.sum()
        return share


def _sample(masks: NDArray[np.bool_], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    actions = np.full(len(masks), -1, np.int64)
    sample_legal(np.ascontiguousarray(masks), seeds, actions, 0, len(masks))
    return actions
