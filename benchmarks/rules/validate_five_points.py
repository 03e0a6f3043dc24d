"""Reproduce the validation table of Five Points (FP-21.1): measured beside specified figures.

Exit code 1 if a figure lies more than three standard errors away, the sampling error of the
specification's own run included.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from shared import Report, play_each

from gangland.envs.core.batch import sample_legal
from gangland.envs.core.kernel import kernel
from gangland.envs.five_points.heuristics import choose_specified as choose
from gangland.envs.five_points.rules.engine import resolve
from gangland.envs.five_points.rules.phases import decide, legal_actions
from gangland.envs.five_points.rules.setup import reset
from gangland.envs.five_points.state import (
    BOSSES,
    ELECTION,
    NUM_COLOURS,
    SIDE,
    SPECIAL_ELECTION,
    STOP,
)

ROUNDS, DECISIONS, LEGAL, ELECTIONS, SHARED_ELECTIONS = 0, 1, 2, 3, 4
FIVE_BOSSES, PILE, COVERED, CAPPED, SHARED_WIN = 5, 6, 7, 8, 9
MEAN_SCORE, BEST_SCORE, MOST_LEGAL, LONGEST_SIDE, BOT_SHARE = 10, 11, 12, 13, 14
NUM_STATS = 15


@kernel(leaf=True)
def longest_side(state: Any) -> int:
    """Longest side of the city's bounding box, in cells."""
    low_row, high_row, low_column, high_column = SIDE, 0, SIDE, 0
    for tile in range(state.num_tiles):
        row, column = state.cell[tile] // SIDE, state.cell[tile] % SIDE
        low_row, high_row = min(low_row, row), max(high_row, row)
        low_column, high_column = min(low_column, column), max(high_column, column)
    return max(high_row - low_row, high_column - low_column) + 1


@kernel
def play_game(
    state: Any,
    seed: np.uint64,
    bots: int,
    masks: NDArray[np.bool_],
    actions: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    stats: NDArray[np.float64],
) -> None:
    """Play one game; ``bots`` is the bit set of the seats that the bot plays."""
    reset(state, seed)
    seeds[0] = seed + np.uint64(1)
    while state.over == 0:
        legal_actions(state, masks[0])
        count = masks[0].sum()
        stats[DECISIONS] += 1
        stats[LEGAL] += count
        stats[MOST_LEGAL] = max(stats[MOST_LEGAL], count)
        if bots >> state.seat & 1:
            actions[0] = choose(state, state.seat, masks[0], seed)
        else:
            sample_legal(masks, seeds, actions, 0, 1)
        state.ply += 1
        step = decide(state, actions[0])
        while step != STOP:
            held = -1
            if step == SPECIAL_ELECTION and state.num_specials > 0:
                held = state.specials[0]
            elif step == ELECTION and state.num_chosen > 0:
                held = state.chosen[0]
            if held >= 0:
                stats[ELECTIONS] += 1
                shared = shares(state, held)
                stats[SHARED_ELECTIONS] += shared
            step = resolve(state, step)
        stats[LONGEST_SIDE] = max(stats[LONGEST_SIDE], longest_side(state))
    finish_stats(state, bots, stats)


@kernel
def shares(state: Any, tile: int) -> bool:
    """Whether an election on the tile, held now, would have several winners; counted again here."""
    best = 0
    leaders = 0
    for seat in range(state.num_seats):
        total = state.rabble[tile, seat] + state.flat_votes[seat]
        total += 3 * state.colour_votes[seat, state.colour[tile]]
        total += state.boss_votes[seat] * state.boss_count[seat]
        if total > best:
            best = total
            leaders = 0
        leaders += total == best
    return best > 0 and leaders > 1


@kernel
def finish_stats(state: Any, bots: int, stats: NDArray[np.float64]) -> None:
    """How the game ended."""
    stats[ROUNDS] = state.round_number
    five = False
    winners = 0
    for seat in range(state.num_seats):
        five |= state.boss_count[seat] == BOSSES
        stats[MEAN_SCORE] += state.scores[seat] / state.num_seats
        stats[BEST_SCORE] = max(stats[BEST_SCORE], state.scores[seat])
        winners += state.places[seat] == 1
    for seat in range(state.num_seats):
        if state.places[seat] == 1 and bots >> seat & 1:
            stats[BOT_SHARE] += 1 / winners
    pile = False
    for colour in range(NUM_COLOURS):
        pile |= state.supply[colour] == 0
    stats[FIVE_BOSSES] = five
    stats[PILE] = pile and not five
    stats[COVERED] = not pile and not five and state.capped == 0
    stats[CAPPED] = state.capped
    stats[SHARED_WIN] = winners > 1


@dataclass(frozen=True)
class Row:
    """One row of the specification's table."""

    name: str
    games: int
    bot: bool
    options: dict[str, Any]
    rounds: tuple[int, int, int]
    decisions: tuple[int, int]
    legal: float
    elections: float
    shared: float
    ends: tuple[float, float, float]
    scores: tuple[float, float]


FIRST = {"election_limit": "first_round_only"}
TABLE = (
    Row("random, 3 seats", 1000, False, {"players": 3}, (5, 3, 8), (66, 104), 12.3, 1.64, 0.233,
        (0.991, 0.008, 0.001), (29.1, 40.0)),
    Row("random, 4 seats", 1000, False, {"players": 4}, (5, 3, 8), (91, 144), 13.7, 1.67, 0.269,
        (0.976, 0.023, 0.001), (25.7, 38.2)),
    Row("random, 5 seats", 1000, False, {}, (6, 3, 8), (120, 180), 15.5, 1.70, 0.298,
        (0.987, 0.013, 0.0), (23.9, 37.6)),
    Row("bot, 3 seats", 300, True, {"players": 3}, (7, 4, 10), (147, 223), 13.3, 1.53, 0.185,
        (0.733, 0.267, 0.0), (41.4, 53.3)),
    Row("bot, 4 seats", 300, True, {"players": 4}, (7, 5, 10), (228, 331), 14.6, 1.48, 0.248,
        (0.597, 0.403, 0.0), (35.4, 48.5)),
    Row("bot, 5 seats", 300, True, {}, (8, 5, 10), (305, 396), 16.5, 1.49, 0.246,
        (0.357, 0.643, 0.0), (29.6, 42.7)),
    Row("bot, control_markers=8", 150, True, {"control_markers": 8}, (5, 4, 7), (211, 291), 16.2,
        1.50, 0.265, (0.113, 0.887, 0.0), (21.7, 31.8)),
    Row("bot, first_round_only", 150, True, FIRST, (8, 5, 10), (307, 408), 16.5, 1.46, 0.251,
        (0.360, 0.640, 0.0), (29.8, 42.4)),
    Row("bot, demo18", 150, True, {"marker_set": "demo18"}, (7, 5, 10), (286, 374), 16.3, 1.62,
        0.251, (0.393, 0.607, 0.0), (29.5, 43.3)),
)  # fmt: skip
BOT_AGAINST_RANDOM = (0.997, 300)


def play(
    options: dict[str, Any], games: int, bots: Sequence[int], seed: int
) -> NDArray[np.float64]:
    """Statistics of shape ``(games, NUM_STATS)``; game i is played with ``bots[i % len(bots)]``."""
    return play_each("five_points", play_game, NUM_STATS, options, games, bots, seed)


def validate(report: Report, row: Row, stats: NDArray[np.float64]) -> None:
    """Compare one row of the table."""
    games = row.games
    rounds, decisions = stats[:, ROUNDS], stats[:, DECISIONS]
    report.quantiles("rounds", rounds, (0.5, 0.1, 0.9), row.rounds, games)
    report.quantiles("decisions", decisions, (0.5, 0.9), row.decisions, games)
    # The specification's figure is the mean over games of each game's own mean.
    report.mean("mean legal actions", stats[:, LEGAL] / decisions, row.legal, games, 0.1)
    elections = stats[:, ELECTIONS]
    report.mean("elections per round", elections, row.elections, games, 0.01, bottom=rounds)
    shared = stats[:, SHARED_ELECTIONS]
    report.mean(
        "elections with several winners", shared, row.shared, games, 0.001, bottom=elections
    )
    for name, column, wanted in zip(
        ("five bosses", "empty pile", "all tiles covered"),
        (FIVE_BOSSES, PILE, COVERED),
        row.ends,
        strict=True,
    ):
        report.share(f"ends by {name}", stats[:, column], wanted, games)
    report.mean("mean score", stats[:, MEAN_SCORE], row.scores[0], games, 0.1)
    report.mean("mean best score", stats[:, BEST_SCORE], row.scores[1], games, 0.1)
    report.share("capped", stats[:, CAPPED], 0.0, games)
    report.share("shared wins", stats[:, SHARED_WIN], 0.0, games)
    click.echo(
        f"  longest {rounds.max():.0f} rounds, {stats[:, MOST_LEGAL].max():.0f} legal actions, "
        f"side of {stats[:, LONGEST_SIDE].max():.0f} cells"
    )


@click.command()
@click.option("--random-games", default=4000, show_default=True, help="Games a row of random play.")
@click.option("--bot-games", default=1000, show_default=True, help="Games a row of the bot.")
@click.option("--seed", default=1, show_default=True)
def main(random_games: int, bot_games: int, seed: int) -> None:
    """Play the settings of the table and compare."""
    report = Report()
    for number, row in enumerate(TABLE):
        games = bot_games if row.bot else random_games
        report.title(f"{row.name}, {games} games")
        bots = [2**5 - 1 if row.bot else 0]
        validate(report, row, play(row.options, games, bots, seed * 100 + number))
    report.title(f"one bot against four random seats, {bot_games} games")
    stats = play({}, bot_games, [1 << seat for seat in range(5)], seed * 100 + len(TABLE))
    report.share("win share", stats[:, BOT_SHARE], *BOT_AGAINST_RANDOM)
    click.echo(f"{report.failed} figures disagree" if report.failed else "all figures agree")
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
