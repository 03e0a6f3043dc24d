"""Reproduce the validation table of Chicago Underworld (CU-21.1): measured beside specified.

Exit code 1 if a figure lies more than three standard errors away, the sampling error of the
specification's own run included.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from shared import Report, play_each

from gangland.envs.chicago.heuristics import choose_specified
from gangland.envs.chicago.rules.engine import apply, legal_actions, reset
from gangland.envs.chicago.state import (
    BOUGHT,
    BRIBE,
    BRIBED,
    FOUGHT,
    GRABBED,
    HIT_MAN,
    LOG_SIZE,
    MAX_SEATS,
    MOBBED,
    NONE,
    RAIDED,
    TERRITORIES,
)
from gangland.envs.core.batch import sample_legal
from gangland.envs.core.kernel import kernel

EVENTS = 17
"""Columns 0 to 16: how often each kind of event of the record's log happened."""
(TURNS, DECISIONS, LEGAL, DECK, TWELVE, CAP, MEAN_SCORE, BEST_SCORE, UNOWNED) = range(
    EVENTS, EVENTS + 9
)
WON, ASKED, SHARED, BOT_SHARE = range(EVENTS + 9, EVENTS + 13)
SHARE_AT = EVENTS + 13
"""From here on: win share by place in the order of the first turn."""
NUM_STATS = SHARE_AT + MAX_SEATS


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
    first = state.current
    seeds[0] = seed + np.uint64(1)
    while state.over == 0:
        legal_actions(state, masks[0])
        stats[DECISIONS] += 1
        stats[LEGAL] += masks[0].sum()
        stats[ASKED] += state.phase == BRIBE
        if bots >> state.seat & 1:
            actions[0] = choose_specified(state, state.seat, masks[0], seed)
        else:
            sample_legal(masks, seeds, actions, 0, 1)
        before = state.told
        apply(state, actions[0])
        for k in range(max(before, state.told - LOG_SIZE), state.told):
            entry = state.log[k % LOG_SIZE]
            stats[entry[0]] += 1
            if entry[0] == FOUGHT:
                stats[WON] += state.dice[0].max() > state.dice[1].max()
    finish_stats(state, bots, first, stats)


@kernel
def finish_stats(state: Any, bots: int, first: int, stats: NDArray[np.float64]) -> None:
    """How the game ended."""
    n = state.num_seats
    stats[TURNS] = state.turns
    twelve = True
    for x in range(TERRITORIES):
        stats[UNOWNED] += state.owner[x] == NONE
        twelve &= state.owner[x] == state.owner[0] and state.owner[0] != NONE
    stats[TWELVE] = twelve
    stats[CAP] = state.capped
    stats[DECK] = not twelve and state.capped == 0
    winners = 0
    for seat in range(n):
        winners += state.places[seat] == 1
        stats[MEAN_SCORE] += state.scores[seat] / n
        stats[BEST_SCORE] = max(stats[BEST_SCORE], state.scores[seat])
    stats[SHARED] = winners > 1
    for seat in range(n):
        if state.places[seat] == 1:
            stats[SHARE_AT + (seat - first + n) % n] += 1 / winners
            stats[BOT_SHARE] += (bots >> seat & 1) / winners


@dataclass(frozen=True)
class Row:
    """One row of the specification's table."""

    name: str
    bot: bool
    turns: tuple[int, int, int]
    decisions: tuple[int, int]
    legal: float
    ends: tuple[float, float, float]
    scores: tuple[float, float]
    unowned: float
    options: dict[str, Any] = field(default_factory=dict)
    games: int = 1000


RESHUFFLE = {"deck_end": "reshuffle"}
TABLE = (
    Row("random, 2 seats", False, (240, 216, 240), (285, 302), 3.6, (0.005, 0.166, 0.829),
        (74.1, 127.7), 2.16, {"players": 2}),
    Row("random, 3 seats", False, (240, 240, 240), (302, 318), 3.6, (0.002, 0.032, 0.966),
        (49.4, 108.3), 3.90, {"players": 3}),
    Row("random, 4 seats", False, (240, 240, 240), (308, 321), 3.7, (0.001, 0.007, 0.992),
        (38.1, 92.2), 4.86, {"players": 4}),
    Row("random, 5 seats", False, (300, 300, 300), (386, 400), 4.0, (0.003, 0.009, 0.988),
        (34.1, 88.5), 4.53, {"players": 5}),
    Row("random, 6 seats", False, (360, 360, 360), (464, 478), 4.3, (0.008, 0.011, 0.981),
        (31.8, 81.9), 3.98, {"players": 6}),
    Row("bot, 2 seats", True, (134, 101, 172), (226, 296), 4.2, (0.991, 0.009, 0.0),
        (104.4, 123.2), 0.0, {"players": 2}),
    Row("bot, 3 seats", True, (146, 113, 189), (242, 323), 5.1, (0.991, 0.0, 0.009),
        (81.4, 97.5), 0.0, {"players": 3}),
    Row("bot, 4 seats", True, (158, 118, 207), (255, 346), 5.7, (0.976, 0.0, 0.024),
        (68.2, 85.1), 0.02, {"players": 4}),
    Row("bot, 5 seats", True, (165, 125, 220), (260, 353), 6.3, (0.994, 0.0, 0.006),
        (59.6, 79.1), 0.01, {"players": 5}),
    Row("bot, 6 seats", True, (175, 135, 239), (270, 381), 6.7, (0.999, 0.0, 0.001),
        (53.2, 74.5), 0.0, {"players": 6}),
    Row("bot, 5 seats, bribe=25", True, (168, 126, 228), (264, 378), 6.3, (0.994, 0.0, 0.006),
        (60.3, 79.4), 0.0, {"bribe": 25}, 500),
    Row("bot, 5 seats, reshuffle", True, (300, 300, 300), (505, 525), 7.2, (0.0, 0.0, 1.0),
        (62.8, 81.9), 0.37, RESHUFFLE, 500),
)  # fmt: skip

FIVE_BOTS = (
    ("Aces used", HIT_MAN, 12.9),
    ("mob attacks", MOBBED, 4.2),
    ("raids", RAIDED, 3.6),
    ("purchases", BOUGHT, 12.3),
    ("battles with dice", FOUGHT, 1.8),
    ("battles won", WON, 1.1),
    ("undefended grabs", GRABBED, 0.8),
)
BRIBES = (("bribe decisions", ASKED, 2.9), ("bribes paid", BRIBED, 1.7))
FIRST_TURN_SHARES = (0.188, 0.198, 0.212, 0.194, 0.208)
SHARED_WINS = 0.008
BOT_AGAINST_RANDOM = 0.987


def play(
    options: dict[str, Any], games: int, bots: Sequence[int], seed: int
) -> NDArray[np.float64]:
    """Statistics of shape ``(games, NUM_STATS)``; game i is played with ``bots[i % len(bots)]``."""
    return play_each("chicago", play_game, NUM_STATS, options, games, bots, seed)


def least(mean: float) -> float:
    """Standard deviation of whole numbers of a small mean, at the least: a sample may have none."""
    return float(np.sqrt(max(0.0, mean * (1 - mean))))


def validate(report: Report, row: Row, stats: NDArray[np.float64]) -> None:
    """Compare one row of the table."""
    games = row.games
    report.quantiles("turns", stats[:, TURNS], (0.5, 0.1, 0.9), row.turns, games)
    report.quantiles("decisions", stats[:, DECISIONS], (0.5, 0.9), row.decisions, games)
    report.mean("legal actions", stats[:, LEGAL], row.legal, games, 0.1, bottom=stats[:, DECISIONS])
    for name, column, wanted_share in zip(
        ("deck", "all twelve", "cap"), (DECK, TWELVE, CAP), row.ends, strict=True
    ):
        report.share(f"ends by {name}", stats[:, column], wanted_share, games)
    report.mean("mean score", stats[:, MEAN_SCORE], row.scores[0], games, 0.1)
    report.mean("mean best score", stats[:, BEST_SCORE], row.scores[1], games, 0.1)
    report.mean(
        "unowned territories", stats[:, UNOWNED], row.unowned, games, 0.01, least=least(row.unowned)
    )


@click.command()
@click.option("--random-games", default=4000, show_default=True, help="Games a row of random play.")
@click.option("--bot-games", default=4000, show_default=True, help="Games a row of the bot.")
@click.option("--seed", default=1, show_default=True)
def main(random_games: int, bot_games: int, seed: int) -> None:
    """Play the settings of the table and compare."""
    report = Report()
    everyone = 2**MAX_SEATS - 1
    for number, row in enumerate(TABLE):
        games = bot_games if row.bot else random_games
        report.title(f"{row.name}, {games} games")
        stats = play(row.options, games, [everyone if row.bot else 0], seed * 100 + number)
        validate(report, row, stats)
        if row.options.get("bribe") == 25:
            for name, column, wanted in BRIBES:
                report.mean(name, stats[:, column], wanted, row.games, 0.1)
    report.title(f"five bots, {bot_games} games")
    stats = play({}, bot_games, [everyone], seed * 100 + 50)
    for name, column, wanted in FIVE_BOTS:
        report.mean(name, stats[:, column], wanted, 1000, 0.1)
    for place, wanted in enumerate(FIRST_TURN_SHARES):
        got = stats[:, SHARE_AT + place]
        report.mean(f"win share of place {place}", got, wanted, 2000, 0.001, least=least(wanted))
    report.share("shared wins", stats[:, SHARED], SHARED_WINS, 2000)
    report.title(f"one bot against four random seats, {bot_games} games")
    stats = play({}, bot_games, [1 << seat for seat in range(5)], seed * 100 + 60)
    report.share("win share", stats[:, BOT_SHARE], BOT_AGAINST_RANDOM, 1000)
    click.echo(f"{report.failed} of {report.figures} figures disagree")
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
