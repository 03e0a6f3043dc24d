"""Exact best responses and NashConv of small games.

For games that list all their deals (:meth:`gangland.envs.core.game.Game.deals`): all chance is in
the deal, and every action is seen by all. Then everybody walks the same public tree, whatever the
cards, and each of its nodes is computed for all deals at once (after M. Johanson et al.,
"Accelerating best response calculation in large extensive games", 2011).

A seat's best response is against the others' strategies as they are. NashConv is what all seats
together would win by deviating alone; no equilibrium has more than 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.base import Agent
from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.state import NO_SEAT, State, States, copy_states
from ..envs.core.view import ViewBatch

MOST_POSITIONS = 20_000_000
"""Nodes of the public tree times deals, above which a game counts as too large."""


class NotExactError(GanglandError, ValueError):
    """Exact best responses cannot be computed for this game."""


@dataclass(frozen=True)
class Exploitability:
    """How far a table of strategies is from an equilibrium, in units of the game's scores.

    Attributes:
        unit: Unit of the values.
        values: What each seat wins on average.
        best_responses: What each seat would win if it alone played its best response.
    """

    unit: str
    values: tuple[float, ...]
    best_responses: tuple[float, ...]

    @property
    def nash_conv(self) -> float:
        """Sum over the seats of what a best response gains."""
        return sum(self.best_responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        """NashConv divided by the number of seats."""
        return self.nash_conv / len(self.values)


@dataclass(slots=True)
class _Node:
    """A point of the public tree, for all deals.

    Attributes:
        seat: Who decides; ``NO_SEAT`` at an end.
        information: Number of the information state of each deal, int64 of shape ``(D,)``.
        children: Action and the node that it leads to.
        scores: Float64 of shape ``(seats, D)`` at an end.
    """

    seat: int
    information: NDArray[np.int64]
    children: list[tuple[int, _Node]]
    scores: NDArray[np.float64]


_NOTHING: NDArray[Any] = np.zeros(0, np.int64)


class PublicTree:
    """The whole tree of a game, built once, evaluated for any strategies.

    Attributes:
        game: The game.
        seats: Number of seats.
        nodes: Points of the public tree.
        deciders: Int64 of shape ``(I,)``: the seat of each information state.
        observations: Float32 of shape ``(I, observation_size)``.
        masks: Bool of shape ``(I, num_actions)``.

    Args:
        game: The game.
        **options: The game's options.

    Raises:
        NotExactError: If the game does not list its deals, or is too large.
        OptionError: For an option that the game does not have.
    """

    def __init__(self, game: Game, **options: Any) -> None:
        self.game = game
        resolved = game.options.resolve(options)
        dealt = game.deals(resolved)
        if dealt is None:
            raise NotExactError(f"{game.name}: exact best responses are for kuhn and leduc only")
        states, self._probabilities = dealt
        self.seats = game.num_players(resolved)
        self.nodes = 0
        self._states: list[States] = []
        self._deciders: list[NDArray[np.int64]] = []
        self._observations: list[NDArray[np.float32]] = []
        self._masks: list[NDArray[np.bool_]] = []
        self._count = 0
        self._measure(states[0], len(states))
        self._root = self._build(states)
        self.deciders = np.concatenate(self._deciders)
        self.observations = np.concatenate(self._observations)
        self.masks = np.concatenate(self._masks)
        self._examples = np.concatenate(self._states)

    def strategies(self, agents: Sequence[Agent]) -> NDArray[np.float64]:
        """Every agent's strategy in its seat.

        Args:
            agents: One for each seat.

        Returns:
            Float64 of shape ``(I, num_actions)``.

        Raises:
            NotExactError: If there is not one agent for each seat.
            StrategyUnknownError: If an agent does not know its strategy.
        """
        if len(agents) != self.seats:
            raise NotExactError(f"{len(agents)} agents: {self.seats} seats need one each")
        found = np.zeros(self.masks.shape)
        for seat, agent in enumerate(agents):
            rows = np.flatnonzero(self.deciders == seat)
            views = ViewBatch(
                self.game,
                self._examples,
                rows,
                self.deciders[rows],
                self.observations[rows],
                self.masks[rows],
                np.zeros(len(rows), np.uint64),
            )
            found[rows] = agent.strategy(views)
        return found

    def evaluate(self, strategies: NDArray[np.float64]) -> Exploitability:
        """Values and best responses.

        Args:
            strategies: Float64 of shape ``(I, num_actions)``: probabilities of actions at each
                information state, 0 where they are not legal.
        """
        own = np.ones((self.seats, len(self._probabilities)))
        values, best = self._walk(self._root, own, strategies)
        step = self.game.score_step
        return Exploitability(
            self.game.score_unit,
            tuple(float(value) * step for value in values.sum(1)),
            tuple(float(value) * step for value in best.sum(1)),
        )

    def _measure(self, first: State, deals: int) -> None:
        """Make sure that the tree is small enough, by one deal alone."""
        game, open_positions, nodes = self.game, [first], 0
        while open_positions:
            state = open_positions.pop()
            nodes += 1
            if nodes * deals > MOST_POSITIONS:
                raise NotExactError(
                    f"{game.name} with {self.seats} seats is too large: more than "
                    f"{MOST_POSITIONS:,} positions; fewer players make it smaller"
                )
            for action in game.legal_actions(state):
                after = game.clone(state)
                game.compiled.apply(after, action)
                open_positions.append(after)

    def _build(self, states: States) -> _Node:
        """The node of positions that look alike to all but for cards, and all below it."""
        game, count = self.game, len(states)
        compiled = game.compiled
        self.nodes += 1
        observations = np.empty((count, game.observation_size), np.float32)
        masks = np.zeros((count, game.num_actions), np.bool_)
        seats = np.empty(count, np.int64)
        compiled.batch["look_batch"](
            compiled.pointers.legal_actions,
            compiled.pointers.observe,
            states,
            observations,
            masks,
            seats,
            0,
            count,
        )
        if (seats != seats[0]).any() or (masks != masks[0]).any():
            raise NotExactError(f"{game.name}: who decides, or what is legal, depends on the deal")
        seat = int(seats[0])
        if seat == NO_SEAT:
            scores = states["scores"][:, : self.seats].T.astype(np.float64)
            return _Node(seat, _NOTHING, [], scores)
        information = self._number(states, seat, observations, masks)
        children = []
        for action in np.flatnonzero(masks[0]):
            after = copy_states(states)
            actions = np.full(count, action, np.int64)
            compiled.batch["apply_batch"](compiled.pointers.apply, after, actions, 0, count)
            children.append((int(action), self._build(after)))
        return _Node(seat, information, children, _NOTHING)

    def _number(
        self,
        states: States,
        seat: int,
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
    ) -> NDArray[np.int64]:
        """Number the information states of a node: what the seat can distinguish."""
        _, first, which = np.unique(observations, axis=0, return_index=True, return_inverse=True)
        self._states.append(copy_states(states[first]))
        self._deciders.append(np.full(len(first), seat, np.int64))
        self._observations.append(observations[first])
        self._masks.append(masks[first])
        information: NDArray[np.int64] = self._count + which.reshape(-1)
        self._count += len(first)
        return information

    def _walk(
        self, node: _Node, own: NDArray[np.float64], strategies: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Values from a node on, weighted by how likely the node is reached.

        Args:
            node: The node.
            own: Float64 of shape ``(seats, D)``: how likely each seat itself plays to get there.
            strategies: See :meth:`evaluate`.

        Returns:
            For every seat and deal the value of what is played, weighted by the deal and all
            seats; and that of its best response, weighted by the deal and the other seats.
        """
        if node.seat == NO_SEAT:
            return self._pay(node, own)
        seat = node.seat
        shares = strategies[node.information]
        values, best = np.zeros_like(own), np.zeros_like(own)
        answers = []
        for action, child in node.children:
            reach = own.copy()
            reach[seat] *= shares[:, action]
            value, response = self._walk(child, reach, strategies)
            values += value
            answers.append(response[seat].copy())
            response[seat] = 0.0
            best += response
        # The seat answers alike in all deals that it cannot distinguish.
        each = np.stack(answers)
        first = int(node.information.min())
        groups = node.information - first
        sums = np.stack([np.bincount(groups, weights=answer) for answer in each])
        best[seat] = each[sums.argmax(0)[groups], np.arange(each.shape[1])]
        return values, best

    def _pay(
        self, node: _Node, own: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        values = self._probabilities * own.prod(0) * node.scores
        best = np.empty_like(own)
        for seat in range(self.seats):
            others = np.delete(own, seat, 0).prod(0)
            best[seat] = self._probabilities * others * node.scores[seat]
        return values, best
