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
    """

    spec: str

    @abstractmethod
    def act(self, view: View) -> int:
        """A legal action for the deciding seat of ``view``."""

    def act_batch(self, views: ViewBatch) -> NDArray[np.int64]:
        """Legal actions of shape ``(B,)`` for many tables at once."""
        return np.array([self.act(views[k]) for k in range(len(views))], np.int64)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.spec}>"
