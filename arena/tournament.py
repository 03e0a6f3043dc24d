"""Tournaments: agents play each other and get win shares, ratings and a cross-play matrix.

>>> result = play_table("chicago", ["heuristic"] + ["random"] * 4, games=200, seed=1)
>>> result.agents[0].win.share > 0.5
True

Games are fair by construction: every line-up is played in all its rotations on the same deals
(:mod:`gangland.arena.schedule`), each decision has randomness of its own from (seed, game, ply,
seat), and results do not depend on the number of workers (:mod:`gangland.arena.play`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..agents.base import Agent
from ..agents.registry import make
from ..envs import load
from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.integers import MAX_GAMES, as_seed, whole_number
from ..envs.core.options import OptionValue
from .play import Progress, play_games
from .result import ArenaResult, evaluate
from .schedule import Schedule, pool_schedule, table_schedule
from .workers import Workers, workers_of


class ArenaError(GanglandError, ValueError):
    """A tournament cannot be played as asked."""


def play_table(
    game: Game | str,
    agents: Sequence[Agent | str],
    games: int,
    *,
    seed: int = 0,
    workers: int | Workers = 1,
    replays: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> ArenaResult:
    """Play exactly this table, in all its rotations.

    Args:
        game: The game or its name.
        agents: The agent, or its spec, of each seat.
        games: Games wanted; rounded up to full rotations.
        seed: Seed of deals and players.
        workers: Threads, or other workers; the result is the same for any.
        replays: Whether ``records.replays`` keeps every game.
        progress: Called with the number of ended games; see :data:`gangland.arena.play.Progress`.
        **options: The game's options.

    Raises:
        ArenaError: If there is not one agent for each seat, or two different ones have one spec.
        IntegerError: If a number is no integer, or out of range.
        GanglandError: For an unknown game, agent or option, or an illegal action.
    """
    game = load(game) if isinstance(game, str) else game
    games, seed = whole_number("games", games, 1, MAX_GAMES), as_seed(seed)
    resolved = game.options.resolve(options)
    specs = [_spec(agent) for agent in agents]
    seats = game.num_players(resolved)
    if len(specs) != seats:
        raise ArenaError(
            f"table of {len(specs)} agents: {game.name} with players={seats} needs {seats}"
        )
    pool = _pool(game, agents)
    names = list(pool)
    table = [names.index(spec) for spec in specs]
    schedule = table_schedule(table, game.seat_roles(resolved), games)
    return _run(game, resolved, pool, schedule, seed, workers, replays, progress)


def play_pool(
    game: Game | str,
    agents: Sequence[Agent | str],
    games: int,
    *,
    seed: int = 0,
    workers: int | Workers = 1,
    replays: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> ArenaResult:
    """Play line-ups drawn evenly from a pool: everybody plays equally often in every seat.

    Args:
        game: The game or its name.
        agents: Agents or specs; one given twice counts once.
        games: Games wanted; rounded up to full deals.
        seed: Seed of line-ups, deals and players.
        workers: Threads, or other workers; the result is the same for any.
        replays: Whether ``records.replays`` keeps every game.
        progress: Called with the number of ended games; see :data:`gangland.arena.play.Progress`.
        **options: The game's options.

    Raises:
        ArenaError: If there are no agents, or two different ones have one spec.
        IntegerError: If a number is no integer, or out of range.
        GanglandError: For an unknown game, agent or option, or an illegal action.
    """
    game = load(game) if isinstance(game, str) else game
    games, seed = whole_number("games", games, 1, MAX_GAMES), as_seed(seed)
    resolved = game.options.resolve(options)
    pool = _pool(game, agents)
    if not pool:
        raise ArenaError("no agents: at least one is needed")
    schedule = pool_schedule(len(pool), game.seat_roles(resolved), games, seed)
    return _run(game, resolved, pool, schedule, seed, workers, replays, progress)


def _spec(agent: Agent | str) -> str:
    return agent.strip() if isinstance(agent, str) else agent.spec or type(agent).__name__


def _pool(game: Game, agents: Sequence[Agent | str]) -> dict[str, Agent]:
    """The distinct agents by spec, in order. A spec is made once; an agent stands for itself.

    Raises:
        ArenaError: If two agents have one name: their games would be counted together.
    """
    given = {_spec(agent): agent for agent in agents if isinstance(agent, Agent)}
    for agent in agents:
        if (name := _spec(agent)) in given and agent is not given[name]:
            raise ArenaError(
                f"two agents are called {name!r}: pass one object for both, or give each a spec "
                "of its own"
            )
    names = dict.fromkeys(_spec(agent) for agent in agents)
    return {name: given.get(name) or make(name, game) for name in names}


def _run(
    game: Game,
    options: dict[str, OptionValue],
    pool: dict[str, Agent],
    schedule: Schedule,
    seed: int,
    workers: int | Workers,
    replays: bool,
    progress: Progress | None,
) -> ArenaResult:
    workers = workers_of(workers)
    # Compiled before the clock starts.
    assert game.compiled
    started = time.perf_counter()
    games = play_games(
        game,
        options,
        list(pool.values()),
        schedule,
        seed=seed,
        workers=workers,
        replays=replays,
        progress=progress,
    )
    seconds = time.perf_counter() - started
    result = evaluate(
        game, options, list(pool), games, seed=seed, workers=workers.count, seconds=seconds
    )
    notes = {spec: said for spec, agent in pool.items() if (said := agent.report())}
    return replace(result, notes=notes)
