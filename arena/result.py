"""An arena's result: numbers for every agent, statistics of the games, and timing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.core.game import Game
from ..envs.core.options import OptionValue
from .games import Games
from .ratings.online import Rating, rate
from .statistics import (
    CONFIDENCE,
    GameStats,
    Intervals,
    Share,
    cross_play,
    game_stats,
    mean_score,
    pool_shares,
    ranks,
    win_shares,
)

FORMAT = "gangland-arena/1"


@dataclass(frozen=True, slots=True)
class AgentResult:
    """Results of one agent; several seats with the same spec are one agent.

    Intervals are by deals; see :mod:`gangland.arena.statistics`.

    Attributes:
        spec: The agent.
        games: Games in which it took part.
        truncated: Games among them that ended by a cap that pays nobody, and so had no winner.
        seats: Total number of seats that it played in them.
        win: Its win share of the seats played, with the interval.
        score: Its mean score.
        score_low: Lower end of the interval of ``score``; ``None`` if there was only one deal.
        score_high: Upper end, or ``None``.
        place: Its mean place; a truncated game counts as the middle place for everybody.
        rating: Its rating on the full rankings, with the interval.
        seat_shares: Its win share in each seat; ``None`` for seats that it never played.
        role_shares: Its win share in each role, in games with several roles.
        decisions: Decisions that it made.
    """

    spec: str
    games: int
    truncated: int
    seats: int
    win: Share
    score: float
    score_low: float | None
    score_high: float | None
    place: float
    rating: Rating
    seat_shares: tuple[float | None, ...]
    role_shares: dict[str, float | None]
    decisions: int


@dataclass(frozen=True, slots=True)
class Timing:
    """How fast the games were played; differs from run to run.

    Attributes:
        workers: Threads, or processors of a cluster.
        seconds: Time from the first decision to the last.
        games_per_s: Games per second.
        decisions_per_s: For each agent, its decisions per second of its own time.
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
        deals: Deals on which they were played.
        par: Win share of a seat if all players were equally strong.
        intervals: How the intervals were made.
        agents: Results by agent, in the order given.
        ahead: How often the row's agent finishes ahead of the column's in the same game, ties
            half and truncated games as ties; ``None`` on the diagonal and for agents that never
            met.
        met: Pairs of seats compared for ``ahead``.
        stats: What the games were like.
        timing: How fast they were played; not compared.
        records: All outcomes, one row for each game; not compared, not in :meth:`to_dict`.
        notes: What agents say of their decisions, by spec, of those that say anything; see
            :meth:`gangland.agents.base.Agent.report`. Not compared.
    """

    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seed: int
    games: int
    deals: int
    par: float
    intervals: Intervals
    agents: tuple[AgentResult, ...]
    ahead: tuple[tuple[float | None, ...], ...]
    met: tuple[tuple[int, ...], ...]
    stats: GameStats
    timing: Timing = field(compare=False)
    records: Games = field(compare=False, repr=False)
    notes: dict[str, str] = field(default_factory=dict, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able values of everything but ``records``."""
        names = [name for name in self.__dataclass_fields__ if name != "records"]
        values = {name: getattr(self, name) for name in names}
        for name in ("intervals", "stats", "timing"):
            values[name] = asdict(values[name])
        values["agents"] = [asdict(agent) for agent in self.agents]
        return {"format": FORMAT, **values}

    def of(self, spec: str) -> AgentResult:
        """The result of one agent.

        Raises:
            KeyError: If it did not take part, with those that did.
        """
        for agent in self.agents:
            if agent.spec == spec:
                return agent
        known = ", ".join(agent.spec for agent in self.agents)
        raise KeyError(f"{spec}: must be one of {known}")


def evaluate(
    game: Game,
    options: dict[str, OptionValue],
    specs: Sequence[str],
    games: Games,
    *,
    seed: int,
    workers: int,
    seconds: float,
) -> ArenaResult:
    """Compute the result of games that were played.

    Args:
        game: The game.
        options: Its resolved options.
        specs: The agents, in the order of the indices in ``games.line_ups``.
        games: The games.
        seed: Seed of the arena, also that of the ratings' bootstrap.
        workers: Threads that played, or processors of a cluster.
        seconds: Time that they took.

    Raises:
        MissingDependencyError: If openskill is not installed.
    """
    places = ranks(games.places, games.truncated)
    ratings = rate(games.line_ups, places, games.deals, len(specs), seed=seed)
    shares, met = cross_play(games.line_ups, places, len(specs))
    won = win_shares(games.places, games.truncated)
    wins = pool_shares(won, games.line_ups, games.deals, len(specs))
    speeds = games.decisions / np.maximum(games.seconds, 1e-9)
    deals = len(np.unique(games.deals))
    return ArenaResult(
        game=game.name,
        rules_version=game.rules_version,
        options=options,
        seed=seed,
        games=len(games),
        deals=deals,
        par=1 / games.places.shape[1],
        intervals=Intervals(CONFIDENCE, "deal", deals),
        agents=tuple(
            _agent_result(
                game,
                options,
                games,
                index,
                spec,
                won,
                wins[index],
                ratings[index],
            )
            for index, spec in enumerate(specs)
        ),
        ahead=tuple(tuple(None if math.isnan(x) else x for x in row) for row in shares.tolist()),
        met=tuple(tuple(row) for row in met.tolist()),
        stats=game_stats(games),
        timing=Timing(
            workers, seconds, len(games) / seconds, dict(zip(specs, speeds.tolist(), strict=True))
        ),
        records=games,
    )


def _agent_result(
    game: Game,
    options: dict[str, OptionValue],
    games: Games,
    index: int,
    spec: str,
    won: NDArray[np.float64],
    win: Share,
    rating: Rating,
) -> AgentResult:
    mine = games.line_ups == index
    played = mine.any(axis=1)
    seats = mine.shape[1]

    def share_in(some: list[int]) -> float | None:
        chosen = mine[:, some]
        return float(won[:, some][chosen].mean()) if chosen.any() else None

    roles = game.seat_roles(options)
    by_role = {
        game.roles[role]: share_in([s for s, r in enumerate(roles) if r == role])
        for role in sorted(set(roles))
    }
    score = mean_score(games.scores, mine, games.deals)
    places = np.where(games.truncated[:, None], (1 + seats) / 2, games.places)
    return AgentResult(
        spec=spec,
        games=int(played.sum()),
        truncated=int(games.truncated[played].sum()),
        seats=int(mine.sum()),
        win=win,
        score=score.mean,
        score_low=score.low,
        score_high=score.high,
        place=float(places[mine].mean()),
        rating=rating,
        seat_shares=tuple(share_in([seat]) for seat in range(seats)),
        role_shares=by_role if len(by_role) > 1 else {},
        decisions=int(games.decisions[index]),
    )
