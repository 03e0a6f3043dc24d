"""A bot: an agent that answers questions, in batches where that is cheaper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.base import Agent
from ...agents.legality import require_legal
from ...agents.model_file import CheckpointError
from ...agents.policy import (
    PolicyAgent,
    choose_actions,
)
from ...agents.random import RandomAgent
from ...envs.core.game import Game
from ...envs.core.view import View, ViewBatch
from ..errors import ServingError

QUICK = 300_000
"""Number of weights up to which a network answers faster than a thread can be scheduled."""

DEALS = 16
"""Sampled deals over which the values of the other seats are averaged."""

OPENING = 200
"""Decisions within which every role gets to decide, in every game."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a bot is asked for.

    Attributes:
        observation: Float32 of shape ``(observation_size,)``.
        mask: Bool of shape ``(num_actions,)``.
        role: Index of the seat's role.
        seed: Seed of the bot's randomness in this decision.
        view: The view, if there is one.
        explain: Whether probabilities and value are wanted as well.
    """

    observation: NDArray[np.float32]
    mask: NDArray[np.bool_]
    role: int
    seed: int
    view: View | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A bot's decision.

    Attributes:
        action: A legal action.
        probabilities: Float64 of shape ``(num_actions,)``; ``None`` if the bot has none.
        value: Expected result of the deciding seat; ``None`` if the bot has none.
        values: Expected result of every seat, if the bot computes it with the decision.
    """

    action: int
    probabilities: NDArray[np.float64] | None = None
    value: float | None = None
    values: list[float] | None = None


def question(view: View, *, explain: bool = False) -> Question:
    """The question for the deciding seat of a view."""
    role = 0
    if len(view.game.roles) > 1:
        role = view.game.seat_roles(view.game.read_options(view.known))[view.seat]
    return Question(view.observation, view.action_mask, role, view.seed, view, explain)


class Bot:
    """One agent for one game.

    Args:
        game: The game.
        spec: Name among the server's bots.
        agent: The agent.
    """

    def __init__(self, game: Game, spec: str, agent: Agent) -> None:
        self.game = game
        self.spec = spec
        self.agent = agent

    @property
    def batches(self) -> bool:
        """Whether a batch of decisions costs less than the same decisions one by one."""
        return type(self.agent).act_batch is not Agent.act_batch

    @property
    def quick(self) -> bool:
        """Whether it decides from observations within microseconds."""
        agent = self.agent
        if isinstance(agent, RandomAgent) and type(agent).act_batch is RandomAgent.act_batch:
            return True
        if not isinstance(agent, PolicyAgent) or agent.advisor is not None:
            return False
        return all(net.size <= QUICK for net in agent.checkpoint.networks.values())

    def try_out(self) -> None:
        """Decide once in every role, so that everything is compiled and loaded afterwards.

        Raises:
            GanglandError: If the bot fails.
        """
        for seen in openings(self.game):
            self.answer([question(seen, explain=True)])

    def answers(self, questions: Sequence[Question]) -> Sequence[Answer | Exception]:
        """Answer a batch; if that fails, ask each question alone, so that only bad ones fail."""
        try:
            return self.answer(questions)
        except Exception as error:
            if len(questions) == 1:
                return [error]
            return [self.answers([asked])[0] for asked in questions]

    def answer(self, questions: Sequence[Question]) -> list[Answer]:
        """Answer a batch; every action is legal.

        Raises:
            GanglandError: If the agent fails or answers with an illegal action.
        """
        masks = np.stack([q.mask for q in questions])
        observations = np.stack([q.observation for q in questions])
        seeds = np.array([q.seed for q in questions], np.uint64)
        if isinstance(self.agent, PolicyAgent):
            found = self._policy(self.agent, observations, masks, seeds, questions)
        else:
            found = self._agent(observations, masks, seeds, questions)
        actions = np.array([answer.action for answer in found], np.int64)
        require_legal(self.game, self.spec, masks, actions)
        return found

    def _policy(
        self,
        agent: PolicyAgent,
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        seeds: NDArray[np.uint64],
        questions: Sequence[Question],
    ) -> list[Answer]:
        actions = np.full(len(masks), -1, np.int64)
        shares: list[NDArray[np.float64] | None] = [None] * len(masks)
        values: list[float | None] = [None] * len(masks)
        roles = np.array([q.role for q in questions])
        if agent.advisor is not None:
            views = [q.view for q in questions if q.view is not None]
            if len(views) < len(questions):
                raise ServingError("bad_request", f"{self.spec} needs a state, not an observation")
            observations = np.concatenate([agent.inputs(view) for view in views])
        for index, role in enumerate(self.game.roles):
            rows = np.flatnonzero(roles == index)
            if not len(rows):
                continue
            network = agent.checkpoint.networks[role]
            logits = network.logits(observations[rows])
            choose_actions(logits, masks, seeds, rows, agent.temperature, actions)
            wanted = [k for k, row in enumerate(rows) if questions[int(row)].explain]
            if wanted:
                value = network.values(observations[rows[wanted]])
                for k, number in zip(wanted, value, strict=True):
                    shares[rows[k]] = _softmax(logits[k], masks[rows[k]])
                    values[rows[k]] = float(number)
        if (actions < 0).any():
            raise CheckpointError(f"{self.spec}: logits that are no numbers")
        return [Answer(int(a), p, v) for a, p, v in zip(actions, shares, values, strict=True)]

    def _agent(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        seeds: NDArray[np.uint64],
        questions: Sequence[Question],
    ) -> list[Answer]:
        views = [q.view for q in questions if q.view is not None]
        if len(views) < len(questions):
            raise ServingError("bad_request", f"{self.spec} needs a state, not an observation")
        search = getattr(self.agent, "search", None)
        if search is not None:
            return [self._searched(search, view) for view in views]
        if self.batches and len(views) > 1:
            known = np.concatenate([np.atleast_1d(view.known) for view in views])
            batch = ViewBatch(
                self.game,
                known.view(self.game.dtype),
                np.arange(len(views)),
                np.array([view.seat for view in views], np.int64),
                observations,
                masks,
                seeds,
            )
            actions = [int(action) for action in self.agent.act_batch(batch)]
        else:
            actions = [int(self.agent.act(view)) for view in views]
        return [
            self._explained(action, view) if q.explain else Answer(action)
            for action, view, q in zip(actions, views, questions, strict=True)
        ]

    def _searched(self, search: Any, view: View) -> Answer:
        """A search's decision: shares of visits as probabilities, and values of all seats."""
        if len(view.legal_actions) == 1:
            return Answer(view.legal_actions[0], view.action_mask.astype(np.float64))
        found = search(view)
        values = [float(v) for v in found.values[found.best][: self.game.num_seats(view.known)]]
        shares = found.visits / found.visits.sum()
        return Answer(found.best, shares, values[view.seat], values)

    def _explained(self, action: int, view: View) -> Answer:
        probabilities: Any = getattr(self.agent, "probabilities", None)
        value: Any = getattr(self.agent, "value", None)
        return Answer(
            action,
            None if probabilities is None else probabilities(view),
            None if value is None else float(value(view)),
        )

    def values(self, view: View) -> list[float] | None:
        """Expected result of each seat, from what the view's seat knows.

        The true hidden cards are not used: they are sampled :data:`DEALS` times, consistently with
        what the seat knows, and the values are averaged.
        """
        if not isinstance(self.agent, PolicyAgent):
            return None
        game, seats = self.game, self.game.num_seats(view.known)
        roles = game.seat_roles(game.read_options(view.known))
        deals = [view.sample_state((view.seed + k) % 2**64) for k in range(DEALS)]
        found = []
        for seat in range(seats):
            if seat == view.seat:
                rows = self.agent.inputs(view)
            else:
                rows = np.concatenate([self.agent.inputs(View(game, d, seat)) for d in deals])
            network = self.agent.checkpoint.networks[game.roles[roles[seat]]]
            found.append(float(network.values(rows).mean()))
        return found


def _softmax(logits: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    masked = np.where(mask, logits.astype(np.float64), -np.inf)
    weights = np.exp(masked - masked.max())
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def openings(game: Game) -> list[View]:
    """For each role at the default table, its first decision with more than one legal action."""
    state, rng = game.new_state(0), np.random.default_rng(0)
    roles = game.seat_roles(game.read_options(state))
    found: dict[int, View] = {}
    for _ in range(OPENING):
        if game.is_over(state) or len(found) == len(set(roles)):
            break
        seat, legal = game.seat_to_act(state), game.legal_actions(state)
        if len(legal) > 1 and roles[seat] not in found:
            found[roles[seat]] = game.view(state, seat)
        game.apply(state, int(rng.choice(legal)))
    return list(found.values())
