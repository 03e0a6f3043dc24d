"""Calibration: an agent's estimates of its chances of winning, compared with the results.

The agent plays all seats. At each of its decisions it estimates how likely the deciding seat is to
win (:class:`gangland.agents.decision.Decision`). Wherever it estimates 30 %, it should win 30 % of
the time. The Brier score is the mean squared error, 0 at best; estimating par at every decision
serves as a reference (Brier, "Verification of forecasts expressed in terms of probability", 1950;
DeGroot and Fienberg, "The comparison and evaluation of forecasters", 1983). Decisions of one deal
are not independent, so intervals are computed by deals.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.base import Agent
from ..agents.decision import Decisions
from ..agents.registry import make
from ..agents.seeds import players_key
from ..agents.table import TableBatch, deal
from ..envs import load
from ..envs.core.game import Game
from ..envs.core.integers import MAX_GAMES, as_seed, whole_number
from ..envs.core.rng import stream
from ..envs.core.view import Detail
from .statistics import mean_score, win_shares
from .tables import new_figure
from .tournament import ArenaError

CHUNK = 256
"""Tables played side by side."""

BINS = 10


class NoChancesError(ArenaError):
    """An agent gives no chances."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Decisions at which the agent estimated about the same chance.

    Attributes:
        low: Lowest chance in the bin.
        high: Highest chance in the bin.
        decisions: Number of decisions.
        said: Mean of the agent's estimates.
        came: Mean share of the win that the deciding seats got.
        came_low: Lower end of the 95 % interval of ``came``, by deals; ``None`` if all decisions
            are of one deal.
        came_high: Upper end, or ``None``.
    """

    low: float
    high: float
    decisions: int
    said: float
    came: float
    came_low: float | None
    came_high: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How an agent's chances compare with results.

    Attributes:
        game: Name of the game.
        bot: Spec of the agent.
        options: Resolved options.
        seed: Seed.
        games: Games played, each on a deal of its own.
        decisions: Decisions of all seats.
        par: Chance of a seat about which nothing is known.
        brier: Mean squared difference between chance and result.
        brier_low: Lower end of its 95 % interval, by deals.
        brier_high: Upper end.
        brier_of_par: The Brier score of estimating par at every decision.
        error: Mean distance between ``said`` and ``came`` over the bins, weighted by decisions.
        bins: The bins with decisions, from the lowest chance.
    """

    game: str
    bot: str
    options: dict[str, Any]
    seed: int
    games: int
    decisions: int
    par: float
    brier: float
    brier_low: float | None
    brier_high: float | None
    brier_of_par: float
    error: float
    bins: tuple[Bin, ...]

    @property
    def skill(self) -> float:
        """Brier skill score: 1 for perfect estimates, 0 for par, negative if worse than par."""
        return 1.0 - self.brier / self.brier_of_par

    def to_dict(self) -> dict[str, Any]:
        """Return the report as values that JSON can hold."""
        return {**asdict(self), "skill": self.skill}


def calibrate(
    game: Game | str, bot: Agent | str, games: int = 1000, *, seed: int = 0, **options: Any
) -> Calibration:
    """Let an agent play all seats, and compare its estimates with the results.

    Args:
        game: The game or its name.
        bot: The agent or its spec.
        games: Games to play.
        seed: Seed of deals and players.
        **options: The game's options.

    Raises:
        NoChancesError: If the agent does not give the deciding seat's chance.
        IntegerError: If a number is no integer, or out of range.
        GanglandError: For an unknown game, agent or option.
    """
    game = load(game) if isinstance(game, str) else game
    agent = make(bot, game) if isinstance(bot, str) else bot
    games, seed = whole_number("games", games, 1, MAX_GAMES), as_seed(seed)
    resolved = game.options.resolve(options)
    seats = game.num_players(resolved)
    said: list[NDArray[np.float64]] = []
    came: list[NDArray[np.float64]] = []
    deals: list[NDArray[np.int64]] = []
    for first in range(0, games, CHUNK):
        numbers = np.arange(first, min(games, first + CHUNK))
        chances, results, rows = _play(game, resolved, agent, seats, numbers, seed)
        said.append(chances)
        came.append(results)
        deals.append(numbers[rows])
    answers = np.concatenate(said), np.concatenate(came)
    return _compare(game, agent, resolved, seed, games, *answers, np.concatenate(deals))


def _play(
    game: Game,
    options: dict[str, Any],
    agent: Agent,
    seats: int,
    numbers: NDArray[np.int64],
    seed: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Chance, result and table of every decision of some games."""
    chances: list[NDArray[np.float64]] = []
    tables: list[NDArray[np.int64]] = []
    deciders: list[NDArray[np.int64]] = []

    def note(rows: NDArray[np.int64], movers: NDArray[np.int64], answers: Decisions) -> None:
        if answers.chances is None:
            raise NoChancesError(f"{agent.spec} does not estimate its chances of winning")
        chances.append(answers.chances[np.arange(len(rows)), movers])
        tables.append(rows)
        deciders.append(movers)

    seeds = np.array([stream(np.uint64(seed), np.uint64(number)) for number in numbers], np.uint64)
    keys = np.stack([players_key(int(s)) for s in seeds])
    line_ups = np.zeros((len(numbers), seats), np.int64)
    states = deal(game, options, seeds)
    batch = TableBatch(game, states, [agent], line_ups, keys, detail=Detail.OWN, on_decisions=note)
    for _ in batch.steps():
        pass
    states = batch.states
    truncated = np.array([game.is_truncated(state) for state in states])
    won = win_shares(states["places"][:, :seats], truncated)
    rows = np.concatenate(tables)
    return np.concatenate(chances), won[rows, np.concatenate(deciders)], rows


def _compare(
    game: Game,
    agent: Agent,
    options: dict[str, Any],
    seed: int,
    games: int,
    said: NDArray[np.float64],
    came: NDArray[np.float64],
    deals: NDArray[np.int64],
) -> Calibration:
    par = 1 / game.num_players(options)
    everything = np.ones((len(said), 1), np.bool_)
    brier = mean_score(((said - came) ** 2)[:, None], everything, deals)
    which = np.minimum((said * BINS).astype(int), BINS - 1)
    bins = []
    for number in range(BINS):
        mine = which == number
        if mine.any():
            mean = mean_score(came[mine][:, None], everything[mine], deals[mine])
            bins.append(
                Bin(
                    number / BINS,
                    (number + 1) / BINS,
                    int(mine.sum()),
                    float(said[mine].mean()),
                    mean.mean,
                    mean.low,
                    mean.high,
                )
            )
    error = sum(b.decisions * abs(b.said - b.came) for b in bins) / len(said)
    return Calibration(
        game.name,
        agent.spec,
        options,
        seed,
        games,
        len(said),
        par,
        brier.mean,
        brier.low,
        brier.high,
        float(((par - came) ** 2).mean()),
        error,
        tuple(bins),
    )


def save_plot(found: Calibration, path: Path) -> None:
    """Write the reliability diagram: results against estimates, with a histogram of the estimates.

    Args:
        found: The calibration.
        path: The file; its ending chooses the format (``.png``, ``.svg``, ``.pdf``).

    Raises:
        MissingDependencyError: If matplotlib is not installed.
    """
    figure = new_figure(5.2, 5.6)
    above, below = figure.subplots(2, 1, height_ratios=[3, 1], sharex=True)
    above.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
    said = [one.said for one in found.bins]
    came = [one.came for one in found.bins]
    ends = [
        (
            one.came if one.came_low is None else one.came_low,
            one.came if one.came_high is None else one.came_high,
        )
        for one in found.bins
    ]
    low = [max(0.0, one.came - end) for one, (end, _) in zip(found.bins, ends, strict=True)]
    high = [max(0.0, end - one.came) for one, (_, end) in zip(found.bins, ends, strict=True)]
    above.errorbar(said, came, yerr=[low, high], marker="o", color="#1d4ed8", capsize=3)
    above.set_ylabel("came, 95 % by deals")
    above.set_xlim(0, 1)
    above.set_ylim(0, 1)
    above.set_title(
        f"{found.game}: chances of {found.bot}\n"
        f"Brier {found.brier:.4f}, of par {found.brier_of_par:.4f}, skill {found.skill:.1%}",
        fontsize=10,
    )
    below.bar(
        [one.low for one in found.bins],
        [one.decisions / found.decisions for one in found.bins],
        width=[one.high - one.low for one in found.bins],
        align="edge",
        color="#93c5fd",
        edgecolor="white",
    )
    below.set_xlabel("said")
    below.set_ylabel("decisions")
    figure.savefig(path, dpi=150)
