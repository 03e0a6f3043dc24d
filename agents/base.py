"""The agent interface: views in, decisions out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..envs.core.errors import GanglandError, IllegalActionError
from ..envs.core.game import Game
from ..envs.core.integers import as_integer, shown
from ..envs.core.view import View, ViewBatch
from .decision import Decision, Decisions


class StrategyUnknownError(GanglandError, TypeError):
    """An agent was asked for its strategy that does not know it."""


class NotADecisionError(GanglandError, TypeError):
    """An agent answered with something other than a decision."""


class Agent(ABC):
    """Decides for a seat, from what that seat may know.

    A new agent overrides :meth:`decide` alone:

    >>> class First(Agent):
    ...     def decide(self, view):
    ...         return Decision(view.legal_actions[0])

    One that decides for many tables at once is a :class:`BatchAgent`.

    Agents keep nothing between decisions and draw randomness only from the seed in the view, so
    that a match is the same however it is spread over workers. One that remembers sets
    ``needs_history`` and reads ``view.history``, from which it can build its memory again.

    Attributes:
        spec: The text from which the registry makes this agent again. The registry fills it in
            where an agent does not.
        needs_records: Whether it reads the records of a batch of views. An agent that needs only
            observations, masks, roles and seeds sets this to False, which saves making the records.
        needs_history: Whether it reads ``view.history``, of which somebody must take note from the
            first decision on.
        batched: Whether a batch of decisions costs less than the same decisions one by one.
        quick: Whether a decision takes a few microseconds, less than passing the request to another
            thread.
        deliberate: Whether a decision takes milliseconds or more, as with a search or a remote
            player. Arenas plan fewer games for it.
        folder: Checkpoint whose weights training can start from; ``None`` if there is none.
    """

    spec: str = ""
    needs_records: bool = True
    needs_history: bool = False
    batched: bool = False
    quick: bool = False
    deliberate: bool = False
    folder: Path | None = None

    @abstractmethod
    def decide(self, view: View) -> Decision:
        """A decision for the deciding seat of ``view``."""

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """Decisions for many tables at once, the same that :meth:`decide` gives for each."""
        return Decisions.of([decision_of(self, views[k]) for k in range(len(views))])

    def strategy(self, views: ViewBatch) -> NDArray[np.float64]:
        """The probability with which it plays each action, as exact best responses need it.

        Returns:
            Float64 of shape ``(B, num_actions)``, each row with the sum 1.

        Raises:
            StrategyUnknownError: If the agent does not know them, as with a search or a remote
                player.
        """
        raise StrategyUnknownError(
            f"{self.spec or type(self).__name__} does not give the probabilities of its actions"
        )

    def within(self, seconds: float) -> Agent:
        """This agent with a time limit for each decision; itself if it has no use for one.

        Args:
            seconds: Time for each decision, above 0.
        """
        return self

    def report(self) -> str:
        """A line on its decisions so far that people should see, such as their cost.

        The arena shows it at the end; empty if there is nothing to say.
        """
        return ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.spec}>"


def decision_of(agent: Agent, view: View) -> Decision:
    """What an agent decides in a view.

    Raises:
        NotADecisionError: Naming the agent, if it answers with something else, or its
            probabilities or chances have another shape.
        IllegalActionError: Likewise, if the action is no integer.
    """
    decision, name = agent.decide(view), agent.spec or type(agent).__name__
    if not isinstance(decision, Decision):
        raise NotADecisionError(f"{name}: decide returned {shown(decision)}: must be a Decision")
    if as_integer(decision.action) is None:
        raise IllegalActionError(
            f"{view.game.name}: agent {name} chose action {shown(decision.action)}: must be an "
            f"integer 0..{view.game.num_actions - 1}"
        )
    sizes = {"probabilities": view.game.num_actions, "chances": view.game.max_seats}
    for part, size in sizes.items():
        given = getattr(decision, part)
        if given is not None and np.shape(given) != (size,):
            what = f"{part} of shape {np.shape(given)}"
            raise NotADecisionError(f"{name}: decide returned {what}: must be ({size},)")
    return decision


class BatchAgent(Agent):
    """An agent that decides for many tables at once; it overrides :meth:`decide_batch` alone."""

    batched = True

    def decide(self, view: View) -> Decision:
        """A decision for the deciding seat of ``view``: a batch of one."""
        return self.decide_batch(ViewBatch.of([view]))[0]

    @abstractmethod
    def decide_batch(self, views: ViewBatch) -> Decisions:
        """Decisions for many tables at once."""


class OutsideAgent(BatchAgent):
    """An agent that decides elsewhere: in a process, or at an address.

    It is pickled as what it was made from, and connects again where it is unpickled.

    Attributes:
        game: The game.
        argument: What follows the colon of its spec, or all of an address.
    """

    game: Game
    argument: str
    deliberate = True

    def __reduce__(self) -> tuple[type[OutsideAgent], tuple[Game, str]]:
        return type(self), (self.game, self.argument)
