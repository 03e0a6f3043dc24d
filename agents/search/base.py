"""What search agents have in common."""

from __future__ import annotations

from abc import abstractmethod
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ...envs.core.game import Game
from ...envs.core.view import Detail, View
from ..base import Agent
from ..decision import Decision
from .budget import Budget


class Found(Protocol):
    """What a search has found."""

    @property
    def action(self) -> int:
        """The action to play."""

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """How good each action looked, ``(num_actions,)``, summing to 1."""

    @property
    def chances_after(self) -> NDArray[np.float64]:
        """Each seat's chance of winning after the action to play, ``(max_seats,)``."""


class SearchAgent(Agent):
    """Searches before each decision.

    Attributes:
        config: Settings, the ``budget`` among them.
        most: Largest count of a budget.
    """

    deliberate = True
    most: ClassVar[int]
    game: Game
    config: Any

    @abstractmethod
    def search(self, view: View) -> Found:
        """Search from a seat's view.

        Args:
            view: Of the seat that decides.
        """

    def choose(self, view: View) -> int:
        """The action that :meth:`search` finds; a search may find it sooner than all the rest.

        Args:
            view: Of the seat that decides.
        """
        return self.search(view).action

    def decide(self, view: View) -> Decision:
        """What :meth:`search` finds.

        An only action is played without searching, unless chances are asked for.
        """
        if view.detail == Detail.ACTION:
            legal = view.legal_actions
            return Decision(legal[0] if len(legal) == 1 else self.choose(view))
        found = self.search(view)
        chances = found.chances_after.copy()
        chances[self.game.num_seats(view.known) :] = np.nan
        return Decision(found.action, found.probabilities, chances)

    def within(self, seconds: float) -> Self:
        """The same search, for so many seconds instead of its own budget."""
        agent = copy(self)
        agent.config = replace(self.config, budget=Budget(self.most, seconds))
        return agent
