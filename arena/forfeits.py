"""Games that go on although an agent fails in them.

A decision that fails, by an error or an illegal answer, is made uniformly at random from the
decision's own seed, so that the others can play on. The agent has forfeited that game: it is last,
whatever comes of it, and the others close up. Each decision is judged by itself, so results do not
depend on how games are spread over workers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..agents.base import Agent, decision_of
from ..agents.baseline.random import RandomAgent
from ..agents.decision import Decision, Decisions, require_legal
from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.state import States
from ..envs.core.view import View, ViewBatch

FAILURES = (Exception, SystemExit)
"""What counts as a failure: not Ctrl-C."""


class Fault(NamedTuple):
    """A seat's first decision in a game that failed.

    Attributes:
        game: Number of the game in its schedule.
        seat: The seat.
        ply: Decisions of all seats before it.
        what: The error, in one line.
    """

    game: int
    seat: int
    ply: int
    what: str


@dataclass(frozen=True, slots=True)
class Mended(Decisions):
    """Decisions, some of them random ones in place of those that failed.

    Attributes:
        faults: What went wrong, by row.
    """

    faults: Mapping[int, str] = field(default_factory=dict)


class Lenient(Agent):
    """An agent whose decisions never fail: random ones take the place of those that do.

    An agent that decides for many tables at once fails at all of them.

    Args:
        agent: The agent.
        game: The game.
    """

    def __init__(self, agent: Agent, game: Game) -> None:
        self.spec = agent.spec
        self.needs_records = agent.needs_records or not agent.batched
        self.needs_history = agent.needs_history
        self._agent = agent
        self._random = RandomAgent(game)

    def decide(self, view: View) -> Decision:
        """The agent's decision, or a random one."""
        return self.decide_batch(ViewBatch.of([view]))[0]

    def decide_batch(self, views: ViewBatch) -> Decisions:
        """The agent's decisions, those that fail mended."""
        if not self._agent.batched:
            return self._one_by_one(views)
        try:
            answers = self._agent.decide_batch(views)
            require_legal(views.game, self.spec, views.masks, answers.actions)
        except FAILURES as error:
            what = self._what(error)
            substitutes = self._random.decide_batch(views)
            return Mended(substitutes.actions, faults=dict.fromkeys(range(len(views)), what))
        return answers

    def _one_by_one(self, views: ViewBatch) -> Decisions:
        actions = self._random.decide_batch(views).actions
        faults = {}
        for k in range(len(views)):
            try:
                action = int(decision_of(self._agent, views[k]).action)
                require_legal(views.game, self.spec, views.masks[k : k + 1], np.array([action]))
            except FAILURES as error:
                faults[k] = self._what(error)
            else:
                actions[k] = action
        return Mended(actions, faults=faults)

    def _what(self, error: BaseException) -> str:
        if isinstance(error, GanglandError):
            return " ".join(str(error).split())
        return " ".join(f"{self.spec}: {type(error).__name__}: {error}".split())


class FaultLog:
    """Collects the first fault of each seat in each game while tables are played.

    Args:
        states: The tables' records, as they are when decisions are reported.
        first: Number of the first table's game.
    """

    def __init__(self, states: States, first: int) -> None:
        self._states = states
        self._first = first
        self._faults: dict[tuple[int, int], Fault] = {}

    def note(self, rows: NDArray[np.int64], seats: NDArray[np.int64], answers: Decisions) -> None:
        """Take in decisions; see :data:`gangland.agents.table.OnDecisions`."""
        if not isinstance(answers, Mended):
            return
        for k, what in answers.faults.items():
            row, seat = int(rows[k]), int(seats[k])
            ply = int(self._states["ply"][row])
            fault = Fault(self._first + row, seat, ply, what)
            self._faults.setdefault((row, seat), fault)

    @property
    def faults(self) -> list[Fault]:
        """All faults, by game and seat."""
        return [fault for _, fault in sorted(self._faults.items())]


def without_forfeits(
    places: NDArray[np.int8], truncated: NDArray[np.bool_], faults: Sequence[Fault]
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Places once those that have forfeited are last, and which games nobody has won.

    Seats that forfeited a game share its last place. A game that all have forfeited is won by
    nobody; one that was cut off by a cap that pays nobody stays a draw.

    Args:
        places: Int8 of shape ``(G, seats)``, as the games ended.
        truncated: Bool of shape ``(G,)``.
        faults: The faults, numbered as the rows.

    >>> places, truncated = np.array([[1, 2, 2]], np.int8), np.array([False])
    >>> without_forfeits(places, truncated, [Fault(0, 0, 7, "")])[0].tolist()
    [[3, 1, 1]]
    """
    lost = np.zeros(places.shape, np.bool_)
    for fault in faults:
        lost[fault.game, fault.seat] = True
    ordered = np.where(lost, np.int8(np.iinfo(np.int8).max), places)
    ahead = (ordered[:, None, :] < ordered[:, :, None]).sum(axis=2)
    found = np.where(lost.any(axis=1, keepdims=True), (1 + ahead).astype(np.int8), places)
    return found, truncated | lost.all(axis=1)
