"""The agent interface: views in, actions out."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from ..envs.core.view import View, ViewBatch


class Agent(ABC):
    """Decides for a seat, from what that seat may know.

    Agents keep no memory between decisions and draw randomness only from the seed in the view,
    so that a match is the same however it is spread over workers.

    Attributes:
        spec: The text from which the registry makes this agent again.
        needs_records: Whether it reads the records of a batch of views. An agent to which
            observations, masks and seeds are enough says no and is not made to wait for them.
    """

    spec: str
    needs_records: bool = True

    @abstractmethod
    def act(self, view: View) -> int:
        """A legal action for the deciding seat of ``view``."""

    def act_batch(self, views: ViewBatch) -> NDArray[np.int64]:
        """Legal actions of shape ``(B,)`` for many tables at once."""
        return np.array([self.act(views[k]) for k in range(len(views))], np.int64)

    def advise(self, view: View, scale: float = 0.0) -> NDArray[np.float32]:
        """What the agent thinks of every action, for networks that are told.

        Args:
            view: Of the deciding seat.
            scale: In the agent's own unit; see :meth:`advise_batch`.

        Returns:
            Float32 of shape ``(num_actions,)``.
        """
        advice = np.zeros(len(view.action_mask), np.float32)
        advice[self.act(view)] = 1.0
        return advice

    def advise_batch(self, views: ViewBatch, scale: float = 0.0) -> NDArray[np.float32]:
        """What the agent thinks of every action at many tables at once.

        Args:
            views: Of the deciding seats.
            scale: How much worse than the best an action is that gets 0, in the agent's own unit;
                those between get a share. 0, or an agent that does not value actions: 1 for its
                choice and 0 for all others.

        Returns:
            Float32 of shape ``(B, num_actions)``, from 0 to 1.
        """
        advice = np.zeros(views.masks.shape, np.float32)
        advice[np.arange(len(views)), self.act_batch(views)] = 1.0
        return advice

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.spec}>"
