"""What search agents have in common, and how long each may search."""

from __future__ import annotations

import re
import time
from abc import abstractmethod
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ...envs.core.view import Detail, View
from ..base import Agent
from ..decision import Decision


class SearchSpecError(GanglandError, ValueError):
    """A search agent's spec cannot be read."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long each decision may be searched for.

    Attributes:
        count: Number of positions or iterations; an upper bound if there is a time.
        seconds: Time; ``None``: no limit. Results of a search by time depend on the machine.
    """

    count: int
    seconds: float | None = None

    def spent(self, done: int, began: float) -> float:
        """Share of the budget that is used up.

        Args:
            done: Positions or iterations so far.
            began: When the search began, by ``time.perf_counter``.
        """
        by_count = done / self.count
        if self.seconds is None:
            return by_count
        return max(by_count, (time.perf_counter() - began) / self.seconds)


def parse_budget(kind: str, argument: str, budget: str, unit: str, most: int) -> Budget:
    """Read a budget such as ``500``, ``200ms`` or ``2s``.

    Args:
        kind: The agent's prefix, for the message.
        argument: All that stands behind it, for the message.
        budget: The text.
        unit: What is counted, for the message.
        most: The largest number; also the number that stands for a time.

    Raises:
        SearchSpecError: If it cannot be read.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|)", budget)
    number = float(found[1]) if found else 0.0
    if found is None or number <= 0 or (not found[2] and not 1 <= number <= most):
        raise SearchSpecError(
            f"{kind}:{argument}: budget {budget!r} must be a number of {unit} from 1 to "
            f"{most:,}, or a time such as 500ms or 2s"
        )
    if not found[2] and not number.is_integer():
        raise SearchSpecError(f"{kind}:{argument}: {budget} {unit}: must be a whole number")
    if not found[2]:
        return Budget(int(number))
    return Budget(most, number * (0.001 if found[2] == "ms" else 1.0))


def is_number(text: str) -> bool:
    """Whether a text is a number from 0 in plain digits."""
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None


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
