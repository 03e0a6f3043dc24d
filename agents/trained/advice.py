"""What a network is given: the observation and, if it has an advisor, the advisor's advice.

This is the only place where the two are put together. After Silver et al., "Residual policy
learning", 2018: a network that is given a heuristic's value of every action begins as good as the
heuristic and learns where to deviate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.game import Game
from ...envs.core.view import ViewBatch
from ..baseline.heuristic import HeuristicAgent, make_heuristic


class NetworkInputs:
    """Makes a network's inputs from views.

    Attributes:
        advisor: The heuristic whose advice the network is given; ``None`` for none.
        needs_records: Whether the views' records are read.

    Args:
        game: The game.
        network: Fields of :class:`gangland.agents.trained.model_file.NetworkDescription`.
    """

    def __init__(self, game: Game, network: Mapping[str, Any]) -> None:
        self._observation_size = game.observation_size
        self._num_actions = game.num_actions
        self._scale = float(network["advice_scale"])
        self.advisor: HeuristicAgent | None = None
        if network["advisor"] is not None:
            self.advisor = make_heuristic(network["advisor"], game)
        self.needs_records = self.advisor is not None and self.advisor.needs_records

    @property
    def size(self) -> int:
        """Numbers of an input."""
        return self._observation_size + (0 if self.advisor is None else self._num_actions)

    def of(self, views: ViewBatch) -> NDArray[np.float32]:
        """Inputs for many decisions, float32 of shape ``(B, size)``."""
        inputs = self.without_advice(views.observations)
        if self.advisor is not None:
            self.fill_advice(views, inputs)
        return inputs

    def without_advice(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """Inputs for seats that do not decide: with zeros for advice, where there is any.

        Args:
            observations: Float32 of shape ``(B, observation_size)``.
        """
        if self.advisor is None:
            return observations
        inputs = np.zeros((len(observations), self.size), np.float32)
        inputs[:, : self._observation_size] = observations
        return inputs

    def fill_advice(self, views: ViewBatch, inputs: NDArray[np.float32]) -> None:
        """Write the advice into inputs that already hold the observations.

        Args:
            views: Of the deciding seats.
            inputs: Float32 of shape ``(B, size)``, filled behind the observations.
        """
        assert self.advisor is not None
        inputs[:, self._observation_size :] = self.advisor.advise(views, self._scale)
