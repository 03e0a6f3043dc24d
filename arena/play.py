"""Plays the games of a schedule, many tables at a time.

The schedule is cut into chunks of fixed size, and what an agent is asked depends only on the
chunk, so results are the same, bit by bit, for any number of workers. Workers are threads, or the
processes of a cluster (:mod:`gangland.arena.workers`). NumPy's own threads are best limited to one
then (``OPENBLAS_NUM_THREADS=1``, as ``gangland arena`` sets it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..agents.base import Agent
from ..agents.seeds import players_key
from ..agents.table import TableBatch, deal
from ..envs.core.game import Game
from ..envs.core.options import OptionValue
from ..envs.core.replay import Replay, record
from ..envs.core.rng import stream
from .forfeits import FaultLog, Lenient
from .games import Games, joined
from .schedule import Schedule
from .workers import Players, Watch, Workers, workers_of

CHUNK = 256
"""Tables played side by side. Like the seed, it is part of what results depend on."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called, from any thread, with the number of games that have just ended and that of all games."""

_DEALS = np.uint64(1)
"""Stream of the arena's seed from which the deals come."""


def play_games(
    game: Game,
    options: dict[str, OptionValue],
    agents: Sequence[Agent],
    schedule: Schedule,
    *,
    seed: int = 0,
    workers: int | Workers = 1,
    replays: bool = False,
    progress: Progress | None = None,
) -> Games:
    """Play all games of a schedule.

    Args:
        game: The game.
        options: Its resolved options.
        agents: The agents that the schedule's indices refer to; several threads ask them at once.
        schedule: Who plays where on which deal.
        seed: Seed of the deals and of the players' own randomness, which are independent.
        workers: Threads, or other workers; the result is the same for any.
        replays: Whether to keep every game as a replay.
        progress: Called with the number of ended games; see :data:`Progress`.

    Raises:
        IllegalActionError: Naming the agent that gave an illegal action.
        GanglandError: If other processes cannot make the game or an agent.
    """
    players = Players(game, options, agents)
    with closing(
        play_schedules(
            players, [(schedule, seed)], workers=workers, replays=replays, progress=progress
        )
    ) as played:
        return next(played)[1] if len(schedule) else joined([])


def play_schedules(
    players: Players,
    schedules: Sequence[tuple[Schedule, int]],
    *,
    workers: int | Workers = 1,
    replays: bool = False,
    forfeits: bool = False,
    progress: Progress | None = None,
) -> Generator[tuple[int, Games]]:
    """Play several schedules, each with a seed of its own, chunk by chunk.

    Args:
        players: The game, its options, and the agents that the schedules' indices refer to.
        schedules: Each with its seed; begun in this order.
        workers: Threads, or other workers; the games are the same for any.
        replays: Whether to keep every game as a replay.
        forfeits: Whether games go on when an agent fails; see :mod:`gangland.arena.forfeits`.
        progress: Called with the number of ended games; see :data:`Progress`.

    Yields:
        The number of a schedule and its games, in the order in which schedules end.

    Raises:
        IllegalActionError: Naming the agent that gave an illegal action.
        GanglandError: If other processes cannot make the game or an agent.
    """
    # Compiled once here, not by several threads at the same time.
    assert players.game.compiled
    total = sum(len(schedule) for schedule, _ in schedules)
    chunks = [
        Chunk(
            schedule.line_ups[first : first + CHUNK],
            schedule.deals[first : first + CHUNK],
            first,
            seed,
            replays,
            forfeits,
        )
        for schedule, seed in schedules
        for first in range(0, len(schedule), CHUNK)
    ]
    owners = [
        number
        for number, (schedule, _) in enumerate(schedules)
        for _ in range(0, len(schedule), CHUNK)
    ]
    missing = Counter(owners)
    parts: dict[int, dict[int, Games]] = {number: {} for number in missing}

    def report(ended: int) -> None:
        if progress is not None:
            progress(ended, total)

    with closing(workers_of(workers).results(_play_chunk, players, chunks, report)) as results:
        for place, games in results:
            owner = owners[place]
            parts[owner][place] = games
            missing[owner] -= 1
            if not missing[owner]:
                yield owner, joined([part for _, part in sorted(parts.pop(owner).items())])


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some consecutive games of a schedule.

    Attributes:
        line_ups: Int64 of shape ``(G, seats)``: index of the agent in each seat.
        deals: Int64 of shape ``(G,)``: number of the game's seed.
        first: Number of the first game in its schedule.
        seed: Seed of the schedule.
        replays: Whether to keep every game as a replay.
        forfeits: Whether games go on when an agent fails.
    """

    line_ups: NDArray[np.int64]
    deals: NDArray[np.int64]
    first: int
    seed: int
    replays: bool
    forfeits: bool


def _play_chunk(players: Players, chunk: Chunk, watch: Watch) -> Games:
    """The games of a chunk."""
    return _Tables(players, chunk, watch).play()


class _Tables:
    """The tables of one chunk, while they are played."""

    def __init__(self, players: Players, chunk: Chunk, watch: Watch) -> None:
        self.game = players.game
        self.options = players.options
        self.agents = (
            [Lenient(agent, players.game) for agent in players.agents]
            if chunk.forfeits
            else players.agents
        )
        self.line_ups = chunk.line_ups
        self.deals = chunk.deals
        self.watch = watch
        self._first = chunk.first
        base = np.uint64(stream(np.uint64(chunk.seed), _DEALS))
        numbers = range(chunk.first, chunk.first + len(self.line_ups))
        self._seeds = np.array([stream(base, np.uint64(d)) for d in self.deals], np.uint64)
        self._players_keys = np.array([players_key(chunk.seed, number) for number in numbers])
        self._actions: list[list[int]] | None = [[] for _ in numbers] if chunk.replays else None

    def play(self) -> Games:
        """Play the chunk to the end."""
        states = deal(self.game, self.options, self._seeds)
        log = FaultLog(states, self._first)
        tables = TableBatch(
            self.game,
            states,
            self.agents,
            self.line_ups,
            self._players_keys,
            on_decisions=log.note,
        )
        running = len(states)
        for rows, actions in tables.steps():
            if self.watch.stopped:
                return self._outcome(tables, log)
            if self._actions is not None:
                for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
                    self._actions[row].append(action)
            self._report(running - len(rows))
            running = len(rows)
        self._report(running)
        return self._outcome(tables, log)

    def _report(self, ended: int) -> None:
        if ended:
            self.watch.report(ended)

    def _outcome(self, tables: TableBatch, log: FaultLog) -> Games:
        states, seats = tables.states, self.line_ups.shape[1]
        return Games(
            line_ups=self.line_ups,
            deals=self.deals,
            places=states["places"][:, :seats].copy(),
            scores=states["scores"][:, :seats].copy(),
            lengths=states["ply"].astype(np.int64),
            capped=states["capped"] != 0,
            truncated=np.isin(states["capped"], self.game.truncating_caps),
            decisions=tables.decisions,
            seconds=tables.seconds,
            replays=self._replays(),
            events=dict(self.game.event_counts(states)),
            faults=log.faults,
        )

    def _replays(self) -> list[Replay]:
        if self._actions is None or self.watch.stopped:
            return []
        specs = [agent.spec for agent in self.agents]
        return [
            _replay(self.game, int(seed), actions, [specs[a] for a in line_up], self.options)
            for seed, actions, line_up in zip(
                self._seeds, self._actions, self.line_ups, strict=True
            )
        ]


def _replay(
    game: Game,
    deal_seed: int,
    actions: list[int],
    players: list[str],
    options: dict[str, OptionValue],
) -> Replay:
    # A deal is the first game of its seed; see ``gangland.agents.table.deal``.
    seed = int(stream(np.uint64(deal_seed), np.uint64(0)))
    return replace(record(game, seed, actions, **options), players=tuple(players))
