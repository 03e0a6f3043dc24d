"""The arena: agents play each other, and get win shares, ratings and a cross-play matrix.

>>> result = play_table("chicago", ["heuristic"] + ["random"] * 4, games=200, seed=1)
>>> result.agents[0].win.share > 0.5
True

Games are fair by construction: every line-up is played from all its rotations on the same deals
(:mod:`gangland.training.arena_schedule`), each decision has randomness of its own from (seed,
game, ply, seat), and results do not depend on the number of workers
(:mod:`gangland.training.arena_play`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..agents.base import Agent
from ..agents.registry import make
from ..envs import load
from ..envs.core.errors import GanglandError
from ..envs.core.game import Game
from ..envs.core.options import OptionValue
from .arena_play import Games, Progress, play_games
from .arena_schedule import Schedule, pool_schedule, table_schedule
from .arena_stats import GameStats, Share, cross_play, game_stats, win_share, win_shares
from .ratings import Rating, rate

FORMAT = "gangland-arena/1"


class ArenaError(GanglandError, ValueError):
    """An arena cannot be played as asked."""


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What one agent reached; several seats with the same spec are one agent.

    Attributes:
        spec: The agent.
        games: Games that it took part in.
        seats: Seats that it played in them, together.
        win: Its win share of the seats played, with the interval.
        score: Its mean score.
        place: Its mean place.
        rating: Its rating on the full rankings, with the bootstrap interval.
        seat_shares: Its win share in each seat; ``None`` where it never sat.
        role_shares: Its win share in each role, in games whose seats differ in kind.
        decisions: Decisions that it made.
    """

    spec: str
    games: int
    seats: int
    win: Share
    score: float
    place: float
    rating: Rating
    seat_shares: tuple[float | None, ...]
    role_shares: dict[str, float | None]
    decisions: int


@dataclass(frozen=True, slots=True)
class Timing:
    """How fast it went; differs from run to run.

    Attributes:
        workers: Threads.
        seconds: Time from the first decision to the last.
        games_per_s: Games a second.
        decisions_per_s: By agent: its decisions by the seconds spent in it.
    """

    workers: int
    seconds: float
    games_per_s: float
    decisions_per_s: dict[str, float]


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """Outcome of an arena. Equal for equal arguments, whatever the number of workers.

    Attributes:
        game: Name of the game.
        rules_version: Version of its rules.
        options: Resolved options.
        seed: Seed.
        games: Games played.
        deals: Deals that they were played on.
        par: Win share of a seat among equals.
        agents: Results by agent, in the order given.
        ahead: How often the row's agent finishes ahead of the column's in the same game, ties
            half; ``None`` on the diagonal and for agents that never met.
        met: Pairs of seats compared for ``ahead``.
        stats: What the games were like.
        timing: How fast it went; not compared.
        records: All outcomes, one row a game; not compared, not in :meth:`to_dict`.
    """

    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seed: int
    games: int
    deals: int
    par: float
    agents: tuple[AgentResult, ...]
    ahead: tuple[tuple[float | None, ...], ...]
    met: tuple[tuple[int, ...], ...]
    stats: GameStats
    timing: Timing = field(compare=False)
    records: Games = field(compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able values of everything but ``records``."""
        names = [name for name in self.__dataclass_fields__ if name != "records"]
        values = {name: getattr(self, name) for name in names}
        values["agents"] = [asdict(agent) for agent in self.agents]
        values["stats"] = asdict(self.stats)
        values["timing"] = asdict(self.timing)
        return {"format": FORMAT, **values}

    def of(self, spec: str) -> AgentResult:
        """The result of one agent.

        Raises:
            KeyError: If it did not take part.
        """
        for agent in self.agents:
            if agent.spec == spec:
                return agent
        raise KeyError(spec)


def play_table(
    game: Game | str,
    agents: Sequence[Agent | str],
    games: int,
    *,
    seed: int = 0,
    workers: int = 1,
    replays: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> ArenaResult:
    """Exactly this table, in all its rotations.

    Args:
        game: The game or its name.
        agents: Agent or spec of each seat.
        games: Games wanted; rounded up to full rotations.
        seed: Seed of deals and players.
        workers: Threads; the result is the same for any number.
        replays: Whether ``records.replays`` keeps every game.
        progress: Told how many games have just ended, and of how many; from any thread.
        **options: The game's options.

    Raises:
        ArenaError: If the table has not one agent a seat, or a number is out of range.
        GanglandError: For an unknown game, agent or option, or an illegal action.
    """
    game = load(game) if isinstance(game, str) else game
    resolved = _checked(game, games, seed, workers, options)
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
    workers: int = 1,
    replays: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> ArenaResult:
    """Line-ups drawn evenly from a pool: everybody plays as often as all others in every seat.

    Args:
        game: The game or its name.
        agents: Agents or specs; one named twice counts once.
        games: Games wanted; rounded up to full deals.
        seed: Seed of line-ups, deals and players.
        workers: Threads; the result is the same for any number.
        replays: Whether ``records.replays`` keeps every game.
        progress: Told how many games have just ended, and of how many; from any thread.
        **options: The game's options.

    Raises:
        ArenaError: If there are no agents, or a number is out of range.
        GanglandError: For an unknown game, agent or option, or an illegal action.
    """
    game = load(game) if isinstance(game, str) else game
    resolved = _checked(game, games, seed, workers, options)
    pool = _pool(game, agents)
    if not pool:
        raise ArenaError("no agents: at least one is needed")
    schedule = pool_schedule(len(pool), game.seat_roles(resolved), games, seed)
    return _run(game, resolved, pool, schedule, seed, workers, replays, progress)


def _checked(
    game: Game, games: int, seed: int, workers: int, options: dict[str, Any]
) -> dict[str, OptionValue]:
    if games < 1:
        raise ArenaError(f"games={games}: must be at least 1")
    if workers < 1:
        raise ArenaError(f"workers={workers}: must be at least 1")
    if not 0 <= seed < 2**64:
        raise ArenaError(f"seed={seed}: must be 0..{2**64 - 1}")
    return game.options.resolve(options)


def _spec(agent: Agent | str) -> str:
    return agent.strip() if isinstance(agent, str) else agent.spec


def _pool(game: Game, agents: Sequence[Agent | str]) -> dict[str, Agent]:
    """The different agents by spec, in order."""
    pool: dict[str, Agent] = {}
    for agent in agents:
        if _spec(agent) not in pool:
            pool[_spec(agent)] = make(agent, game) if isinstance(agent, str) else agent
    return pool


def _run(
    game: Game,
    options: dict[str, OptionValue],
    pool: dict[str, Agent],
    schedule: Schedule,
    seed: int,
    workers: int,
    replays: bool,
    progress: Progress | None,
) -> ArenaResult:
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
    ratings = rate(games.line_ups, games.places, len(pool), seed=seed)
    shares, met = cross_play(games.line_ups, games.places, len(pool))
    won = win_shares(games.places)
    speeds = games.decisions / np.maximum(games.seconds, 1e-9)
    return ArenaResult(
        game=game.name,
        rules_version=game.rules_version,
        options=options,
        seed=seed,
        games=len(games),
        deals=int(schedule.deals[-1]) + 1,
        par=1 / games.places.shape[1],
        agents=tuple(
            _agent_result(game, options, games, won, index, spec, ratings[index])
            for index, spec in enumerate(pool)
        ),
        ahead=tuple(tuple(None if math.isnan(x) else x for x in row) for row in shares.tolist()),
        met=tuple(tuple(row) for row in met.tolist()),
        stats=game_stats(games),
        timing=Timing(
            workers,
            seconds,
            len(games) / seconds,
            dict(zip(pool, speeds.tolist(), strict=True)),
        ),
        records=games,
    )


def _agent_result(
    game: Game,
    options: dict[str, OptionValue],
    games: Games,
    won: np.ndarray[Any, Any],
    index: int,
    spec: str,
    rating: Rating,
) -> AgentResult:
    mine = games.line_ups == index

    def share_in(seats: list[int]) -> float | None:
        chosen = mine[:, seats]
        return float(won[:, seats][chosen].mean()) if chosen.any() else None

    roles = game.seat_roles(options)
    by_role = {
        game.roles[role]: share_in([s for s, r in enumerate(roles) if r == role])
        for role in sorted(set(roles))
    }
    return AgentResult(
        spec=spec,
        games=int(mine.any(axis=1).sum()),
        seats=int(mine.sum()),
        win=win_share(won, mine),
        score=float(games.scores[mine].mean()),
        place=float(games.places[mine].mean()),
        rating=rating,
        seat_shares=tuple(share_in([seat]) for seat in range(mine.shape[1])),
        role_shares=by_role if len(by_role) > 1 else {},
        decisions=int(games.decisions[index]),
    )
