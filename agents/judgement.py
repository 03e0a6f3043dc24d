"""How an agent judges a decision: what it expects of each action, from what the seat knew.

An action is tried out by samples: what the seat cannot know is sampled again, the action is played,
and the agent plays all seats, each from what it may know, until the seat is asked again after
others have decided, or the game is over. There the agent's chances of winning are read. All actions
are tried in the same samples, so that their differences are known better than the chances
themselves.

Only a view is needed, so a judgement reveals no more than the seat knew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.state import States
from ..envs.core.view import Detail, View, ViewBatch
from .base import Agent

SAMPLES = 32
"""Samples of what is hidden in which every action is tried."""

ACTIONS = 4
"""Likeliest actions that are tried, besides the one that was played."""

LONGEST = 300
"""Decisions of all seats after which a sample is judged in any case."""


class JudgementError(GanglandError, TypeError):
    """An agent was asked to judge that does not give its probabilities or its chances."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How an agent evaluates a decision.

    Attributes:
        actions: Int64 ``(A,)``: the actions that were tried, the agent's likeliest first; the one
            that was played is among them.
        probabilities: Float64 ``(A,)``: how likely the agent plays each.
        chances: Float64 ``(A, seats)``: each seat's chance of winning after each action, means
            over the samples; each row has the sum 1.
        errors: Float64 ``(A,)``: standard error of the difference between the deciding seat's
            chance after each action and after the first one.
        seat: The deciding seat.
    """

    actions: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    chances: NDArray[np.float64]
    errors: NDArray[np.float64]
    seat: int

    @property
    def before(self) -> NDArray[np.float64]:
        """Chances before the decision, if the agent were to make it; float64 ``(seats,)``."""
        weights = self.probabilities / self.probabilities.sum()
        expected: NDArray[np.float64] = weights @ self.chances
        return expected

    def row(self, action: int) -> int:
        """The index of an action that was tried."""
        return int(np.flatnonzero(self.actions == action)[0])

    def cost(self, action: int) -> float:
        """What an action loses of the chance that the likeliest one has; negative for a gain."""
        own = self.chances[:, self.seat]
        return float(own[0] - own[self.row(action)])


def judge(
    agent: Agent, view: View, played: int, *, actions: int = ACTIONS, samples: int = SAMPLES
) -> Judgement:
    """Judge a decision.

    Args:
        agent: It has to give probabilities of actions and chances of all seats.
        view: Of the seat that decides.
        played: The legal action that was played.
        actions: Likeliest actions to try besides, at least 1.
        samples: Samples of what is hidden, at least 2.

    Raises:
        JudgementError: If the agent does not give what is needed.
    """
    game = view.game
    own = View(game, view.known, view.seat, view.seed, Detail.OWN)
    probabilities = agent.decide(own).probabilities
    if probabilities is None:
        raise JudgementError(f"{agent.spec} does not give the probabilities of its actions")
    legal = sorted(view.legal_actions, key=lambda action: (-probabilities[action], action))
    tried = legal[:actions]
    if played not in tried:
        tried.append(played)
    chances = _tried(agent, view, tried, samples)
    lost = chances[0] - chances
    return Judgement(
        np.array(tried, np.int64),
        probabilities[tried],
        chances.mean(1),
        lost[:, :, view.seat].std(1, ddof=1) / np.sqrt(samples),
        view.seat,
    )


def _tried(agent: Agent, view: View, actions: list[int], samples: int) -> NDArray[np.float64]:
    """Chances after each action in each sample, float64 ``(actions, samples, seats)``."""
    game, seats = view.game, view.game.num_seats(view.known)
    rng = np.random.default_rng(view.seed)
    deals = [
        game.resample_hidden(view.known, view.seat, int(seed)).tobytes()
        for seed in rng.integers(0, 2**64, samples, np.uint64)
    ]
    # Byte by byte: NumPy joins records field by field.
    states = np.frombuffer(bytearray(b"".join(deals * len(actions))), game.dtype)
    first = np.repeat(np.array(actions, np.int64), samples)
    compiled = game.compiled
    compiled.batch["apply_batch"](compiled.pointers.apply, states, first, 0, len(states))
    chances = play_on(agent, game, states, view.seat, rng)
    return chances[:, :seats].reshape(len(actions), samples, seats)


def play_on(
    agent: Agent, game: Game, states: States, seat: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Let an agent play all seats until a seat's next turn; its chances of winning there.

    Args:
        agent: The agent.
        game: The game.
        states: Positions ``(B,)``, which are played on in place.
        seat: The seat at whose first decision after one of another seat a table stops.
        rng: Randomness of the agent's decisions.

    Returns:
        Float64 ``(B, max_seats)``: chances at that decision as its seat sees them, or shares of
        the win where the game ended; 0 for seats that are not at the table.

    Raises:
        JudgementError: If the agent does not give the chances of all seats.
    """
    batch, pointers = game.compiled.batch, game.compiled.pointers
    chances = np.zeros((len(states), game.max_seats))
    rows = np.arange(len(states))
    away = np.zeros(len(states), np.bool_)
    for step in range(LONGEST + 1):
        over = states["over"] != 0
        for k in np.flatnonzero(over):
            chances[rows[k]] = _shares(game, states, int(k))
        rows, states, away = rows[~over], states[~over], away[~over]
        if not len(rows):
            break
        views = _look(game, states, rng)
        away |= views.seats != seat
        last = (away & (views.seats == seat)) | (step == LONGEST)
        if last.any():
            given = agent.decide_batch(_rows(views, last, Detail.ALL)).chances
            if given is None:
                raise JudgementError(f"{agent.spec} does not give the chances of all seats")
            chances[rows[last]] = np.nan_to_num(given)
        rows, states, away = rows[~last], states[~last], away[~last]
        if not len(rows):
            break
        going = _rows(views, ~last, Detail.ACTION, records=agent.needs_records)
        chosen = agent.decide_batch(going).actions
        batch["apply_batch"](pointers.apply, states, chosen, 0, len(states))
    return chances


@dataclass(frozen=True, slots=True)
class _Looked:
    """What the deciding seats of some tables see."""

    game: Game
    seats: NDArray[np.int64]
    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    seeds: NDArray[np.uint64]
    states: States


def _look(game: Game, states: States, rng: np.random.Generator) -> _Looked:
    count = len(states)
    observations = np.zeros((count, game.observation_size), np.float32)
    masks = np.zeros((count, game.num_actions), np.bool_)
    seats = np.zeros(count, np.int64)
    game.compiled.batch["look_batch"](
        game.compiled.pointers.legal_actions,
        game.compiled.pointers.observe,
        states,
        observations,
        masks,
        seats,
        0,
        count,
    )
    seeds = rng.integers(0, 2**64, count, np.uint64)
    return _Looked(game, seats, observations, masks, seeds, states)


def _rows(
    looked: _Looked,
    some: NDArray[np.bool_],
    detail: Detail,
    *,
    records: bool = True,
) -> ViewBatch:
    """The views of some tables, asked for this detail."""
    return ViewBatch(
        looked.game,
        looked.states,
        np.flatnonzero(some),
        looked.seats[some],
        looked.observations[some],
        looked.masks[some],
        looked.seeds[some],
        records=records,
        detail=detail,
    )


def _shares(game: Game, states: States, k: int) -> NDArray[np.float64]:
    """Shares of the win in a game that is over; equal ones where it pays nobody."""
    shares = np.zeros(game.max_seats)
    won = game.result(states[k]).win_shares
    shares[: len(won)] = won if any(won) else 1 / len(won)
    return shares
