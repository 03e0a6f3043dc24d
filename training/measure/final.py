"""The end of a training run: the saved bot plays against each baseline in the arena."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arena.tables import FoldedTable
from ...envs import load
from ...envs.core.rng import stream
from ..config import TrainConfig

if TYPE_CHECKING:
    from ...arena import AgentResult
    from ...envs.core.game import Game


@dataclass(frozen=True)
class Rated:
    """One bot at a table of baselines.

    Attributes:
        baseline: Spec of the agent in all other seats.
        players: Seats at the table.
        options: The table's options, as far as they were given.
        role: The role that the bot played; empty in games with a single role.
        par: Its win share if all players were equally strong.
        result: Its results in the arena.
    """

    baseline: str
    players: int
    options: dict[str, Any]
    role: str
    par: float
    result: AgentResult

    @property
    def table(self) -> str:
        """What is special about the table, for people."""
        given = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return given or f"{self.players} players"


def rate_against_baselines(
    config: TrainConfig,
    spec: str,
    workers: int = 1,
    report: Callable[[str], None] = lambda row: None,
) -> list[Rated]:
    """One bot against a table of each baseline, ``final_games`` each, seats rotated.

    Args:
        config: The training configuration.
        spec: The bot, ``ppo:PATH``.
        workers: Threads of the arena.
        report: Called with each row in words, once it has been played.
    """
    game = load(config.game)
    seed = int(stream(np.uint64(config.seed), np.uint64(999)))
    rated = []
    for baseline in config.pool():
        for options in config.distinct_options():
            roles = game.seat_roles(game.options.resolve(options))
            for role in sorted(set(roles)):
                games = config.evaluation.final_games
                row = rate(game, spec, baseline, games, role, seed, workers, **options)
                rated.append(row)
                report(in_words(row))
    return rated


def rate(
    game: Game,
    spec: str,
    baseline: str,
    games: int,
    role: int = 0,
    seed: int = 0,
    workers: int = 1,
    **options: Any,
) -> Rated:
    """One agent against a table of another, seats rotated.

    Args:
        game: The game.
        spec: The agent that is rated.
        baseline: The agent in all other seats.
        games: Games wanted; rounded up to full rotations.
        role: The role that the rated agent plays, as a number.
        seed: Seed of deals and players.
        workers: Threads of the arena.
        **options: The game's options.
    """
    from ...arena import play_table

    roles = game.seat_roles(game.options.resolve(options))
    table = [baseline] * len(roles)
    table[roles.index(role)] = spec
    arena = play_table(game, table, games, seed=seed, workers=workers, **options)
    name = game.roles[role] if len(game.roles) > 1 else ""
    return Rated(baseline, len(roles), options, name, arena.par, arena.of(spec))


def as_ratings(rated: list[Rated]) -> list[dict[str, Any]]:
    """Results for ``model.json``: win shares with their 95 % intervals."""
    return [
        {
            "baseline": row.baseline,
            "players": row.players,
            **({"options": row.options} if row.options else {}),
            **({"role": row.role} if row.role else {}),
            "games": row.result.games,
            "win_share": round(row.result.win.share, 4),
            "interval": [round(row.result.win.low, 4), round(row.result.win.high, 4)],
            "par": round(row.par, 4),
            "score": round(row.result.score, 2),
            "place": round(row.result.place, 2),
        }
        for row in rated
    ]


def verdict(rated: list[Rated]) -> str:
    """The worst row in a sentence, and every row that is below par."""
    worst = min(rated, key=lambda row: row.result.win.share / row.par)
    lowest = f"worst row: {in_words(worst)}"
    below = [row for row in rated if row.result.win.high < row.par]
    unclear = [row for row in rated if row.result.win.low < row.par <= row.result.win.high]
    if below:
        return f"BELOW PAR against {', '.join(map(in_words, below))}; {lowest}"
    if unclear:
        return f"not clearly above par against {', '.join(map(in_words, unclear))}; {lowest}"
    return f"above par against the whole pool; {lowest}"


def in_words(row: Rated) -> str:
    """A row for people, in one line."""
    role = f" as {row.role}" if row.role else ""
    table = f" at {row.table}" if row.options else ""
    return f"{row.baseline}{role}{table} ({row.result.win.share:.1%}, par {row.par:.0%})"


def as_table(rated: list[Rated], bot: str) -> FoldedTable:
    """The results for people."""
    results = [row.result for row in rated]
    wins = [result.win for result in results]
    seats = [[share for share in result.seat_shares if share is not None] for result in results]
    columns = {
        "baseline": [row.baseline for row in rated],
        "table": [row.table for row in rated],
        "role": [row.role for row in rated],
        "games": [f"{result.games:,}" for result in results],
        "win share, 95 %": [f"{win.share:.1%} ({win.low:.0%}-{win.high:.0%})" for win in wins],
        "par": [f"{row.par:.0%}" for row in rated],
        "score": [f"{result.score:.1f}" for result in results],
        "by seat": [" ".join(f"{share:.0%}" for share in shares) for shares in seats],
    }
    # What all rows share goes into the title.
    title = f"{bot}, one seat, against baselines"
    for name, unit in (("table", ""), ("games", " games a row")):
        if len(set(columns[name])) == 1:
            title += f", {columns.pop(name)[0]}{unit}"
    if not any(columns["role"]):
        del columns["role"]
    names, *others = columns
    table = FoldedTable(title, names, others, texts=("table", "role", "by seat"))
    for cells in zip(*columns.values(), strict=True):
        table.add_row(*cells)
    return table
