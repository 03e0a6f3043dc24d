"""A bot: an agent that answers questions, in batches where that is cheaper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...agents.base import Agent
from ...agents.decision import Decision, require_legal
from ...envs.core.game import Game
from ...envs.core.history import History
from ...envs.core.view import Detail, View, ViewBatch
from ..errors import ServingError
from ..metrics import BOT_SIZES, of

OPENING = 200
"""In every game, each role has to decide within this number of decisions."""


@dataclass(frozen=True, slots=True)
class Question:
    """A request for a decision that contains an observation instead of a position.

    Attributes:
        observation: Float32 of shape ``(observation_size,)``.
        mask: Bool of shape ``(num_actions,)``.
        role: Index of the seat's role.
        seed: Seed for the bot's random choices in this decision.
        detail: Which details the bot is asked for. As the number of the deciding seat is not
            known, its chance of winning is reported as that of seat 0.
    """

    observation: NDArray[np.float32]
    mask: NDArray[np.bool_]
    role: int
    seed: int
    detail: Detail = Detail.ACTION


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

    def try_out(self) -> None:
        """Decide once in every role, so that everything is compiled and loaded afterwards.

        Raises:
            GanglandError: If the bot fails.
        """
        for seen in openings(self.game):
            self.answer([seen])

    def answers(self, questions: Sequence[View | Question]) -> Sequence[Decision | Exception]:
        """Answer a batch; if that fails, ask each question alone, so that only bad ones fail."""
        try:
            return self.answer(questions)
        except Exception as error:
            if len(questions) == 1:
                return [error]
            return [self.answers([asked])[0] for asked in questions]

    def answer(self, questions: Sequence[View | Question]) -> list[Decision]:
        """Answer a batch of questions with legal actions.

        Raises:
            GanglandError: If the agent fails or answers with an illegal action.
        """
        of(BOT_SIZES, self.game.name).observe(len(questions))
        groups: dict[tuple[bool, Detail], list[int]] = {}
        for k, asked in enumerate(questions):
            groups.setdefault((isinstance(asked, View), asked.detail), []).append(k)
        found: dict[int, Decision] = {}
        for rows in groups.values():
            views = self._batch([questions[k] for k in rows])
            decisions = self.agent.decide_batch(views)
            require_legal(self.game, self.spec, views.masks, decisions.actions)
            found |= {row: decisions[k] for k, row in enumerate(rows)}
        return [found[k] for k in range(len(questions))]

    def _batch(self, asked: Sequence[View | Question]) -> ViewBatch:
        """The batch to decide: of questions that all contain a position, or all an observation."""
        views = [one for one in asked if isinstance(one, View)]
        if views:
            return ViewBatch.of(views)
        if self.agent.needs_records:
            raise ServingError("bad_request", f"{self.spec} needs a state, not an observation")
        posted = [one for one in asked if isinstance(one, Question)]
        nowhere = np.zeros(len(posted), np.int64)
        return ViewBatch(
            self.game,
            np.zeros(0, self.game.dtype),
            nowhere,
            nowhere,
            np.stack([one.observation for one in posted]),
            np.stack([one.mask for one in posted]),
            np.array([one.seed for one in posted], np.uint64),
            roles=np.array([one.role for one in posted], np.int64),
            records=False,
            detail=posted[0].detail,
        )


def openings(game: Game) -> list[View]:
    """For each role at the default table, its first decision with more than one legal action."""
    start, rng = game.new_state(0), np.random.default_rng(0)
    state, played = game.clone(start), list[int]()
    roles = game.seat_roles(game.read_options(state))
    found: dict[int, View] = {}
    for _ in range(OPENING):
        if game.is_over(state) or len(found) == len(set(roles)):
            break
        seat, legal = game.seat_to_act(state), game.legal_actions(state)
        if len(legal) > 1 and roles[seat] not in found:
            history = History.of(game, seat, start, played)
            found[roles[seat]] = game.view(state, seat, detail=Detail.OWN, history=history)
        played.append(int(rng.choice(legal)))
        game.apply(state, played[-1])
    return list(found.values())
