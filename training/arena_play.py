"""Plays the games of a schedule: chunks of tables in lockstep, agents asked in batches.

Chunks have a fixed size, and what an agent is asked depends on its chunk alone, so that results
are the same, bit by bit, for any number of workers. Workers are threads: rules, heuristics and
matrix products release the interpreter's lock. NumPy's own threads are best kept to one then
(``OPENBLAS_NUM_THREADS=1``, as ``gangland arena`` sets it).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..agents.base import Agent
from ..agents.legality import require_legal
from ..agents.seeds import decision_seeds, players_key
from ..envs.core.game import Game
from ..envs.core.options import OptionValue
from ..envs.core.replay import Replay, record
from ..envs.core.rng import stream
from ..envs.core.state import States, blank
from ..envs.core.view import ViewBatch
from .arena_schedule import Schedule

CHUNK = 256
"""Tables played in lockstep. Part of what results depend on, like the seed."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called, from any thread, with the number of games that have just ended and that of all games."""

_DEALS = np.uint64(1)
"""Stream of the arena's seed from which the deals come."""


@dataclass(slots=True)
class Games:
    """Outcomes of games, one row each.

    Attributes:
        line_ups: Int64 of shape ``(G, seats)``: index of the agent in each seat.
        places: Int8 of shape ``(G, seats)``: final places from 1, ties share one.
        scores: Int32 of shape ``(G, seats)``: final scores.
        lengths: Int64 of shape ``(G,)``: decisions.
        capped: Bool of shape ``(G,)``: ended by the specification's cap.
        decisions: Int64 of shape ``(agents,)``: decisions that each agent made.
        seconds: Float64 of shape ``(agents,)``: time that each agent took for them.
        replays: The games as replays, if they were asked for.
        events: What happened, by name, each of shape ``(G,)``; see ``Game.event_counts``.
    """

    line_ups: NDArray[np.int64]
    places: NDArray[np.int8]
    scores: NDArray[np.int32]
    lengths: NDArray[np.int64]
    capped: NDArray[np.bool_]
    decisions: NDArray[np.int64]
    seconds: NDArray[np.float64]
    replays: list[Replay]
    events: dict[str, NDArray[np.float64]]

    def __len__(self) -> int:
        return len(self.lengths)


def play_games(
    game: Game,
    options: dict[str, OptionValue],
    agents: Sequence[Agent],
    schedule: Schedule,
    *,
    seed: int = 0,
    workers: int = 1,
    replays: bool = False,
    progress: Progress | None = None,
) -> Games:
    """Play all games of a schedule.

    Args:
        game: The game.
        options: Its resolved options.
        agents: The agents that the schedule's indices mean; asked from several threads at once if
            there are several workers.
        schedule: Who plays where on which deal.
        seed: Seed of the deals and of the players' own randomness, which are independent.
        workers: Threads; the result is the same for any number.
        replays: Whether to keep every game as a replay.
        progress: Told how the games come on; see :data:`Progress`.

    Raises:
        IllegalActionError: Naming the agent that gave an illegal action.
    """
    # Compiled here once, not by several threads at a time.
    assert game.compiled
    stop = threading.Event()
    chunks = [
        _Chunk(game, options, agents, schedule, first, seed, replays, progress, stop)
        for first in range(0, len(schedule), CHUNK)
    ]
    if workers == 1:
        return _joined([chunk.play() for chunk in chunks])
    pool = ThreadPoolExecutor(workers)
    try:
        return _joined(list(pool.map(_Chunk.play, chunks)))
    finally:
        # After an error or Ctrl-C running chunks end at their next step, others never begin.
        stop.set()
        pool.shutdown(cancel_futures=True)


class _Chunk:
    """Some consecutive games of a schedule."""

    def __init__(
        self,
        game: Game,
        options: dict[str, OptionValue],
        agents: Sequence[Agent],
        schedule: Schedule,
        first: int,
        seed: int,
        replays: bool,
        progress: Progress | None,
        stop: threading.Event,
    ) -> None:
        self.game = game
        self.options = options
        self.agents = agents
        self.line_ups = schedule.line_ups[first : first + CHUNK]
        self.stop = stop
        self.progress = progress
        self.total = len(schedule)
        deals = np.uint64(stream(np.uint64(seed), _DEALS))
        numbers = range(first, first + len(self.line_ups))
        self._deal_seeds = np.array(
            [stream(deals, np.uint64(d)) for d in schedule.deals[first : first + CHUNK]], np.uint64
        )
        self._players_keys = np.array([players_key(seed, number) for number in numbers])
        self._actions: list[list[int]] | None = [[] for _ in numbers] if replays else None

    def play(self) -> Games:
        """Play the chunk to the end."""
        game, count = self.game, len(self.line_ups)
        states = self._start()
        observations = np.zeros((count, game.observation_size), np.float32)
        masks = np.zeros((count, game.num_actions), np.bool_)
        seats = np.zeros(count, np.int64)
        actions = np.zeros(count, np.int64)
        self._decisions = np.zeros(len(self.agents), np.int64)
        self._seconds = np.zeros(len(self.agents), np.float64)
        compiled, running = game.compiled, count
        while not self.stop.is_set():
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
            rows = np.flatnonzero(seats >= 0)
            if self.progress is not None and len(rows) < running:
                self.progress(running - len(rows), self.total)
            running = len(rows)
            if running == 0:
                break
            self._decide(states, rows, seats[rows], observations, masks, actions)
            compiled.batch["apply_batch"](compiled.pointers.apply, states, actions, 0, count)
        return self._outcome(states)

    def _start(self) -> States:
        game, count = self.game, len(self.line_ups)
        states = blank(game.dtype, count)
        game.compiled.batch["reset_batch"](
            game.compiled.pointers.reset,
            game.template(**self.options),
            states,
            self._deal_seeds,
            np.zeros(count, np.uint64),
            0,
            count,
        )
        return states

    def _decide(
        self,
        states: States,
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        observations: NDArray[np.float32],
        masks: NDArray[np.bool_],
        actions: NDArray[np.int64],
    ) -> None:
        """Ask each agent once for all tables at which it decides."""
        movers = self.line_ups[rows, seats]
        seeds = np.zeros(len(rows), np.uint64)
        plies = states["ply"][rows].astype(np.int64)
        decision_seeds(self._players_keys, rows, plies, seats, seeds)
        for index in np.unique(movers):
            mine = movers == index
            at, agent = rows[mine], self.agents[index]
            views = ViewBatch(
                self.game,
                states,
                at,
                seats[mine],
                observations[at],
                masks[at],
                seeds[mine],
                records=agent.needs_records,
            )
            started = time.perf_counter()
            chosen = np.asarray(agent.act_batch(views))
            self._seconds[index] += time.perf_counter() - started
            self._decisions[index] += len(at)
            # The masks that the agent was given are its own copy to do with as it likes.
            require_legal(self.game, agent.spec, masks[at], chosen)
            actions[at] = chosen
        if self._actions is not None:
            for row in rows:
                self._actions[row].append(int(actions[row]))

    def _outcome(self, states: States) -> Games:
        seats = self.line_ups.shape[1]
        return Games(
            self.line_ups,
            states["places"][:, :seats].copy(),
            states["scores"][:, :seats].copy(),
            states["ply"].astype(np.int64),
            states["capped"] != 0,
            self._decisions,
            self._seconds,
            self._replays(),
            dict(self.game.event_counts(states)),
        )

    def _replays(self) -> list[Replay]:
        if self._actions is None or self.stop.is_set():
            return []
        specs = [agent.spec for agent in self.agents]
        return [
            _replay(self.game, int(seed), actions, [specs[a] for a in line_up], self.options)
            for seed, actions, line_up in zip(
                self._deal_seeds, self._actions, self.line_ups, strict=True
            )
        ]


def _replay(
    game: Game,
    deal_seed: int,
    actions: list[int],
    players: list[str],
    options: dict[str, OptionValue],
) -> Replay:
    from dataclasses import replace

    # ``reset_batch`` plays the first episode of each table's seed.
    seed = int(stream(np.uint64(deal_seed), np.uint64(0)))
    made = record(game, seed, actions, **options)
    return replace(made, players=tuple(players))


def _joined(parts: list[Games]) -> Games:
    def rows(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    return Games(
        rows("line_ups"),
        rows("places"),
        rows("scores"),
        rows("lengths"),
        rows("capped"),
        np.sum([part.decisions for part in parts], axis=0),
        np.sum([part.seconds for part in parts], axis=0),
        [replay for part in parts for replay in part.replays],
        {
            name: np.concatenate([part.events[name] for part in parts])
            for name in (parts[0].events if parts else ())
        },
    )
