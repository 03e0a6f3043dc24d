"""Playing games: the agent of the deciding seat is asked, again and again, until the end.

:func:`decisions` plays one table whose position belongs to somebody else: an environment, a
recorder, a person's terminal. :class:`TableBatch` plays many tables side by side and asks each
agent once for all the tables at which it decides. A server's matches, which store every decision
before the next one, ask their bots with :func:`deciding_view`. All of them give a decision the same
seed, made of the players' key, the number of the decision and the seat, so a game does not depend
on the form in which it was played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.history import History, Memory
from ..envs.core.options import OptionValue
from ..envs.core.state import NO_SEAT, State, States, blank
from ..envs.core.view import Detail, View, ViewBatch, roles_of_seats
from .base import Agent, decision_of
from .decision import Decisions, require_legal
from .seeds import decision_seed, decision_seeds

OnDecisions: TypeAlias = Callable[[NDArray[np.int64], NDArray[np.int64], Decisions], None]
"""Called with tables, deciding seats and decisions."""


class NotPlayedError(GanglandError, RuntimeError):
    """A caller of :func:`decisions` asked for the next decision without playing the last one."""


class Memories:
    """Takes note of a game at one table for the agents that need its history.

    Args:
        game: The game.
        agents: The agent of each seat; ``None`` for a seat that somebody else plays.
        state: The true record of the first position.
    """

    def __init__(self, game: Game, agents: Sequence[Agent | None], state: State) -> None:
        self._by_seat = {
            seat: Memory(game, seat, state)
            for seat, agent in enumerate(agents)
            if agent is not None and agent.needs_history
        }

    def __bool__(self) -> bool:
        """Whether any agent needs it."""
        return bool(self._by_seat)

    def see(self, actor: int, action: int, state: State) -> None:
        """Take note of a decision: the seat that made it, its action, the true record after it."""
        for memory in self._by_seat.values():
            memory.see(actor, action, state)

    def of(self, seat: int) -> History | None:
        """A seat's history so far; ``None`` if its agent needs none."""
        return self._by_seat[seat].history if seat in self._by_seat else None


def deciding_view(
    game: Game,
    state: State,
    key: NDArray[np.uint64],
    detail: Detail = Detail.ACTION,
    history: History | None = None,
) -> View:
    """What the deciding seat may know, with the seed of its decision.

    Args:
        game: The game.
        state: A position in which a seat decides.
        key: The players' key, uint64 of shape ``(2,)``; see
            :func:`gangland.agents.seeds.players_key`.
        detail: What an agent is asked to give besides the action.
        history: What the seat has noticed so far, if its agent needs that.
    """
    seat = game.seat_to_act(state)
    seed = int(decision_seed(key, int(state.ply), seat))
    return game.view(state, seat, seed, detail, history)


def decisions(
    game: Game,
    state: State,
    agents: Sequence[Agent | None],
    key: NDArray[np.uint64],
    memories: Memories | None = None,
) -> Iterator[tuple[int, int]]:
    """Ask the agents of one table until the game is over or a seat without an agent decides.

    The caller plays each decision, in its own way, before it asks for the next one:

    >>> from gangland.agents.registry import make
    >>> from gangland.agents.seeds import players_key
    >>> from gangland.envs import load
    >>> game = load("chicago")
    >>> state = game.new_state(seed=1)
    >>> for seat, action in decisions(game, state, [make("random", game)] * 5, players_key(1)):
    ...     game.apply(state, action)
    >>> game.is_over(state)
    True

    Args:
        game: The game.
        state: The position, which the caller changes in place.
        agents: The agent of each seat; ``None`` for a seat that somebody else plays.
        key: The players' key, uint64 of shape ``(2,)``.
        memories: What agents that remember are shown; the caller tells them every decision.

    Yields:
        The deciding seat and its agent's action, which is legal.

    Raises:
        IllegalActionError: Naming the agent that gave an illegal action.
        NotPlayedError: If the last decision was not played.
    """
    played = -1
    while (seat := game.seat_to_act(state)) != NO_SEAT:
        agent = agents[seat]
        if agent is None:
            return
        ply = int(state.ply)
        if ply == played:
            raise NotPlayedError(f"{game.name}: decision {ply} was not played")
        history = None if memories is None else memories.of(seat)
        view = deciding_view(game, state, key, history=history)
        # A copy, because the agent may change its view.
        mask = view.action_mask.copy()
        action = int(decision_of(agent, view).action)
        if not (0 <= action < len(mask) and mask[action]):
            require_legal(game, agent.spec, mask[None], np.array([action]))
        yield seat, action
        played = ply


def deal(game: Game, options: Mapping[str, OptionValue], seeds: NDArray[np.uint64]) -> States:
    """First positions of many games, as records of shape ``(N,)``.

    They are the games that batched tables of the same seeds play first: the one of seed ``s``
    is ``game.new_state(stream(s, 0))``.

    Args:
        game: The game.
        options: Its resolved options.
        seeds: Uint64 of shape ``(N,)``.
    """
    states = blank(game.dtype, len(seeds))
    first_episodes = np.zeros(len(seeds), np.uint64)
    compiled = game.compiled
    compiled.batch["reset_batch"](
        compiled.pointers.reset,
        game.template(**options),
        states,
        np.ascontiguousarray(seeds, np.uint64),
        first_episodes,
        0,
        len(seeds),
    )
    return states


class TableBatch:
    """Many tables of one game, played to the end side by side.

    Attributes:
        states: Records of shape ``(N,)``, played in place.
        decisions: Int64 of shape ``(agents,)``: decisions that each agent has made.
        seconds: Float64 of shape ``(agents,)``: time that each agent took for them.

    Args:
        game: The game.
        states: The positions from which the games continue.
        agents: The agents.
        line_ups: Int64 of shape ``(N, seats)``: index of the agent in each seat.
        keys: Uint64 of shape ``(N, 2)``: the players' key of each table.
        detail: What agents are asked to give besides their actions.
        on_decisions: Called with an agent's answers: the tables and the deciding seats, int64 of
            shape ``(B,)`` each, and the decisions, before they are played.
    """

    def __init__(
        self,
        game: Game,
        states: States,
        agents: Sequence[Agent],
        line_ups: NDArray[np.int64],
        keys: NDArray[np.uint64],
        *,
        detail: Detail = Detail.ACTION,
        on_decisions: OnDecisions | None = None,
    ) -> None:
        self.game = game
        self.states = states
        self._detail = detail
        self._on_decisions = on_decisions
        self.decisions = np.zeros(len(agents), np.int64)
        self.seconds = np.zeros(len(agents), np.float64)
        self._agents = agents
        self._line_ups = line_ups
        self._keys = keys
        count = len(states)
        self._roles = roles_of_seats(game, states)
        self._masks = np.zeros((count, game.num_actions), np.bool_)
        self._seats = np.zeros(count, np.int64)
        self._actions = np.zeros(count, np.int64)
        self._memories: dict[int, Memories] = {}
        if any(agent.needs_history for agent in agents):
            for row, seated in enumerate(line_ups.tolist()):
                here = [agents[index] for index in seated[: int(states["num_seats"][row])]]
                if memories := Memories(game, here, states[row]):
                    self._memories[row] = memories

    def steps(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Play one decision at every running table, again and again, until all games are over.

        Yields:
            After each step the tables at which a decision was played and the actions, int64 of
            shape ``(B,)`` each. Whoever stops iterating stops the games where they are.

        Raises:
            IllegalActionError: Naming the agent that gave an illegal action.
        """
        compiled, count = self.game.compiled, len(self.states)
        while True:
            compiled.batch["mask_batch"](
                compiled.pointers.legal_actions, self.states, self._masks, self._seats, 0, count
            )
            rows = np.flatnonzero(self._seats >= 0)
            if len(rows) == 0:
                return
            self._ask(rows)
            # Games that are over are left as they are.
            compiled.batch["apply_batch"](
                compiled.pointers.apply, self.states, self._actions, 0, count
            )
            self._remember(rows)
            yield rows, self._actions[rows]

    def _remember(self, rows: NDArray[np.int64]) -> None:
        """Take note of decisions that were just played."""
        for row in rows.tolist() if self._memories else ():
            if row in self._memories:
                played = int(self._seats[row]), int(self._actions[row])
                self._memories[row].see(*played, self.states[row])

    def _ask(self, rows: NDArray[np.int64]) -> None:
        """Ask each agent once for all the tables at which it decides."""
        seats = self._seats[rows]
        movers = self._line_ups[rows, seats]
        seeds = np.zeros(len(rows), np.uint64)
        decision_seeds(self._keys, rows, self.states["ply"][rows].astype(np.int64), seats, seeds)
        pending = PendingDecisions(
            self.game,
            self.states,
            self._masks,
            rows,
            seats,
            self._roles[rows, seats],
            seeds,
            self._memories,
        )
        answered = ask_each(self._agents, movers, pending, self._detail)
        for index, mine, answers, seconds in answered:
            at = rows[mine]
            self.seconds[index] += seconds
            self.decisions[index] += len(at)
            self._actions[at] = answers.actions
            if self._on_decisions is not None:
                self._on_decisions(at, seats[mine], answers)


@dataclass(frozen=True, slots=True)
class PendingDecisions:
    """Decisions to be made at some of many tables, one at each.

    Attributes:
        game: The game.
        states: Records ``(N,)`` of all tables; agents are shown redacted copies.
        masks: Bool ``(N, num_actions)``: legal actions.
        rows: Int64 ``(B,)``: the tables at which a decision is made.
        seats: Int64 ``(B,)``: the seats that decide there.
        roles: Int64 ``(B,)``: their roles.
        seeds: Uint64 ``(B,)``: seeds of the decisions.
        memories: By table, what its agents that remember are shown.
    """

    game: Game
    states: States
    masks: NDArray[np.bool_]
    rows: NDArray[np.int64]
    seats: NDArray[np.int64]
    roles: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    memories: Mapping[int, Memories] = field(default_factory=dict)

    def views(self, some: NDArray[np.int64], agent: Agent, detail: Detail) -> ViewBatch:
        """What the deciding seats may know.

        Args:
            some: Int64: places in :attr:`rows` of the tables that are meant.
            agent: Who decides there.
            detail: What the agent is asked to give besides the action.
        """
        at = self.rows[some]
        histories = None
        if agent.needs_history and self.memories:
            pairs = zip(at.tolist(), self.seats[some].tolist(), strict=True)
            histories = [self.memories[row].of(seat) for row, seat in pairs]
        return ViewBatch(
            self.game,
            self.states,
            at,
            self.seats[some],
            None,  # Most agents that read records do not read observations.
            self.masks[at],
            self.seeds[some],
            roles=self.roles[some],
            records=agent.needs_records,
            detail=detail,
            histories=histories,
        )


def ask_each(
    agents: Sequence[Agent],
    movers: NDArray[np.int64],
    pending: PendingDecisions,
    detail: Detail = Detail.ACTION,
) -> Iterator[tuple[int, NDArray[np.int64], Decisions, float]]:
    """Ask each agent once for all the tables at which it decides.

    Args:
        agents: The agents.
        movers: Int64 ``(B,)``: index of the agent that makes each decision.
        pending: The decisions.
        detail: What agents are asked to give besides their actions.

    Yields:
        The agent's index, int64 places in ``movers`` of its decisions, its answers, and how many
        seconds it took.

    Raises:
        IllegalActionError: Naming the agent that gave an illegal action.
    """
    for index in np.unique(movers).tolist():
        agent, mine = agents[index], np.flatnonzero(movers == index)
        views = pending.views(mine, agent, detail)
        started = time.perf_counter()
        answers = agent.decide_batch(views)
        seconds = time.perf_counter() - started
        # The masks that the agent was given are its own copy, which it may have changed.
        masks = pending.masks[pending.rows[mine]]
        require_legal(pending.game, agent.spec, masks, answers.actions)
        yield index, mine, answers, seconds
