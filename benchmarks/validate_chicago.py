"""Reproduce the validation table of Chicago Underworld (CU-21.1): measured beside specified.

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

from gangland import envs
from gangland.agents.heuristics.chicago import choose_specified
from gangland.envs.chicago import state as s
from gangland.envs.chicago.rules import apply, legal_actions, reset
from gangland.envs.core.batch import sample_legal
from gangland.envs.core.kernel import kernel
from gangland.envs.core.rng import stream

STATS = (
    *("turns", "decisions", "legal", "deck", "twelve", "cap", "mean score", "best score"),
    *("unowned", "Aces", "mob attacks", "raids", "purchases", "battles", "battles won"),
    *("grabs", "bribe decisions", "bribes paid", "bot share", "shared win"),
)
AT = {name: index for index, name in enumerate(STATS)}
PLACE_AT = len(STATS)
NUM_STATS = PLACE_AT + s.MAX_SEATS
TURNS, DECISIONS, LEGAL, DECK, TWELVE, CAP, MEAN_SCORE, BEST_SCORE, UNOWNED = range(9)
ACES, MOBS, RAIDS, BOUGHT, BATTLES, WON, GRABS, ASKED, BRIBED, BOT_SHARE, SHARED = range(9, 20)

STANDARD_ERRORS = 3.0
QUICK_GAMES = 300


@kernel
def count_events(state: Any, stats: NDArray[np.float64]) -> None:
    """Add the events since the last choice."""
    for k in range(state.log_size):
        kind = state.log[k, 0]
        stats[ACES] += kind == s.HIT_MAN
        stats[MOBS] += kind == s.AIMED and state.log[k, 3] == s.BLACK_JOKER
        stats[RAIDS] += kind == s.AIMED and state.log[k, 3] == s.RED_JOKER
        stats[BOUGHT] += kind == s.BOUGHT
        stats[GRABS] += kind == s.GRABBED
        stats[BRIBED] += kind == s.BRIBED
        if kind == s.FOUGHT:
            stats[BATTLES] += 1
            stats[WON] += max(state.dice[0]) > max(state.dice[1])


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
    """Play one game; ``bots`` is the bit set of the seats that the bot of CU-20.1 plays."""
    reset(state, seed)
    first = state.current
    while state.over == 0:
        legal_actions(state, masks[0])
        stats[LEGAL] += masks[0].sum()
        stats[ASKED] += state.phase == s.BRIBE
        if bots >> state.seat & 1:
            actions[0] = choose_specified(state, state.seat, masks[0], seed)
        else:
            sample_legal(masks, seeds, actions, 0, 1)
        apply(state, actions[0])
        count_events(state, stats)
    finish_stats(state, first, bots, stats)


@kernel
def finish_stats(state: Any, first: int, bots: int, stats: NDArray[np.float64]) -> None:
    """How the game ended."""
    n = state.num_seats
    stats[TURNS] = state.turns
    stats[DECISIONS] = state.ply
    winners = 0
    for seat in range(n):
        stats[MEAN_SCORE] += state.scores[seat] / n
        stats[BEST_SCORE] = max(stats[BEST_SCORE], state.scores[seat])
        winners += state.places[seat] == 1
    for seat in range(n):
        if state.places[seat] == 1:
            stats[PLACE_AT + (seat - first + n) % n] += 1 / winners
            if bots >> seat & 1:
                stats[BOT_SHARE] += 1 / winners
    stats[SHARED] = winners > 1
    same = True
    for x in range(s.TERRITORIES):
        stats[UNOWNED] += state.owner[x] == s.NONE
        same = same and state.owner[x] != s.NONE and state.owner[x] == state.owner[0]
    stats[CAP] = state.capped
    stats[TWELVE] = same
    stats[DECK] = not same and state.capped == 0


@kernel
def play_games(
    states: Any,
    seed: np.uint64,
    bots: NDArray[np.int64],
    masks: NDArray[np.bool_],
    stats: NDArray[np.float64],
) -> None:
    """Play a game in every record; game ``i`` with ``bots[i % len(bots)]``."""
    actions = np.zeros(1, np.int64)
    seeds = np.zeros(1, np.uint64)
    for i in range(len(states)):
        chance = stream(seed, i)
        seeds[0] = stream(~chance, i)
        play_game(states[i], chance, bots[i % len(bots)], masks, actions, seeds, stats[i])


def play(
    options: dict[str, Any], games: int, bots: Sequence[int], seed: int
) -> NDArray[np.float64]:
    """Statistics of shape ``(games, NUM_STATS)``."""
    game = envs.load("chicago")
    states = np.repeat(game.template(**options), games)
    masks = np.zeros((1, game.num_actions), np.bool_)
    stats = np.zeros((games, NUM_STATS))
    play_games(states, np.uint64(seed), np.array(bots, np.int64), masks, stats)
    return stats


@dataclass(frozen=True)
class Row:
    """One row of the specification's table."""

    name: str
    games: int
    bot: bool
    options: dict[str, Any]
    turns: tuple[int, int, int]
    decisions: tuple[int, int]
    legal: float
    ends: tuple[float, float, float]
    scores: tuple[float, float]
    unowned: float


def _seats(n: int, bot: bool, *figures: Any) -> Row:
    kind = "bot" if bot else "random"
    return Row(f"{kind}, {n} seats", 1000, bot, {"players": n}, *figures)


TABLE = (
    _seats(2, False, (240, 216, 240), (285, 302), 3.6, (.005, .166, .829), (74.1, 127.7), 2.16),
    _seats(3, False, (240, 240, 240), (302, 318), 3.6, (.002, .032, .966), (49.4, 108.3), 3.90),
    _seats(4, False, (240, 240, 240), (308, 321), 3.7, (.001, .007, .992), (38.1, 92.2), 4.86),
    _seats(5, False, (300, 300, 300), (386, 400), 4.0, (.003, .009, .988), (34.1, 88.5), 4.53),
    _seats(6, False, (360, 360, 360), (464, 478), 4.3, (.008, .011, .981), (31.8, 81.9), 3.98),
    _seats(2, True, (134, 101, 172), (226, 296), 4.2, (.991, .009, 0), (104.4, 123.2), 0.00),
    _seats(3, True, (146, 113, 189), (242, 323), 5.1, (.991, 0, .009), (81.4, 97.5), 0.00),
    _seats(4, True, (158, 118, 207), (255, 346), 5.7, (.976, 0, .024), (68.2, 85.1), 0.02),
    _seats(5, True, (165, 125, 220), (260, 353), 6.3, (.994, 0, .006), (59.6, 79.1), 0.01),
    _seats(6, True, (175, 135, 239), (270, 381), 6.7, (.999, 0, .001), (53.2, 74.5), 0.00),
    Row("bot, bribe=25", 500, True, {"bribe": 25}, (168, 126, 228), (264, 378), 6.3,
        (.994, 0, .006), (60.3, 79.4), 0.00),
    Row("bot, deck_end=reshuffle", 500, True, {"deck_end": "reshuffle"}, (300, 300, 300),
        (505, 525), 7.2, (0, 0, 1), (62.8, 81.9), 0.37),
)  # fmt: skip

FIVE_BOTS = {
    "Aces": 12.9,
    "mob attacks": 4.2,
    "raids": 3.6,
    "purchases": 12.3,
    "battles": 1.8,
    "battles won": 1.1,
    "grabs": 0.8,
}
"""Events per game of five bots."""
WITH_BRIBE = {"bribe decisions": 2.9, "bribes paid": 1.7}
BOT_AGAINST_RANDOM = (0.987, 1000)
BY_PLACE = ((0.188, 0.198, 0.212, 0.194, 0.208), 2000)
SHARED_WINS = 0.008


class Report:
    """Lines of measured and specified figures; remembers how many disagreed."""

    def __init__(self) -> None:
        self.failed = 0

    def title(self, name: str, games: int) -> None:
        """Head of a block."""
        click.echo(f"{name}, {games} games")
        click.echo(f"  {'':28} {'measured':>18} {'specified':>10} {'std. err.':>9}")

    def line(self, name: str, measured: str, specified: str, distance: float) -> None:
        """Print one figure; ``distance`` is in standard errors."""
        bad = distance > STANDARD_ERRORS
        self.failed += bad
        mark = "  <-- disagrees" if bad else ""
        click.echo(f"  {name:28} {measured:>18} {specified:>10} {distance:9.2f}{mark}")

    def mean(self, name: str, values: Any, wanted: float, games: int, unit: float) -> None:
        """A mean over games, specified to a multiple of ``unit`` from a sample of ``games``."""
        self._compare(name, values.mean(), values.std(), len(values), wanted, games, unit)

    def share(self, name: str, hits: Any, wanted: float, games: int, unit: float = 0.001) -> None:
        """A share of games; for the error both samples are pooled, so that 0 has one too."""
        pooled = (hits.sum() + wanted * games) / (len(hits) + games)
        spread = np.sqrt(pooled * (1 - pooled))
        self._compare(name, hits.mean(), spread, len(hits), wanted, games, unit)

    def _compare(
        self, name: str, got: float, spread: float, n: int, wanted: float, games: int, unit: float
    ) -> None:
        error = spread * np.sqrt(1 / n + 1 / games)
        off = max(0.0, abs(got - wanted) - unit / 2)
        distance = off / error if error > 0 else (0.0 if off == 0 else np.inf)
        self.line(name, f"{got:.3f} +- {spread / np.sqrt(n):.3f}", f"{wanted:g}", distance)

    def quantile(self, name: str, values: Any, q: float, wanted: int, games: int) -> None:
        """A quantile, compared where the specified value lies in the measured distribution."""
        below, upto = (values < wanted).mean(), (values <= wanted).mean()
        error = np.sqrt(q * (1 - q) * (1 / len(values) + 1 / games))
        distance = max(0.0, below - q, q - upto) / error
        got = int(np.quantile(values, q, method="inverted_cdf"))
        self.line(name, f"{got}", f"{wanted}", distance)


def compare_row(report: Report, row: Row, stats: NDArray[np.float64]) -> None:
    """Compare one row of the table."""
    games = row.games
    for name, q, wanted in zip(("median", "10 %", "90 %"), (0.5, 0.1, 0.9), row.turns, strict=True):
        report.quantile(f"turns, {name}", stats[:, TURNS], q, wanted, games)
    decisions = stats[:, DECISIONS]
    report.quantile("decisions, median", decisions, 0.5, row.decisions[0], games)
    report.quantile("decisions, 90 %", decisions, 0.9, row.decisions[1], games)
    # Linearised around the ratio of sums, so that the spread is that of the ratio.
    ratio = stats[:, LEGAL].sum() / decisions.sum()
    per_game = ratio + (stats[:, LEGAL] - ratio * decisions) / decisions.mean()
    report.mean("mean legal actions", per_game, row.legal, games, 0.1)
    for name, column, wanted in zip(
        ("deck", "twelve", "cap"), (DECK, TWELVE, CAP), row.ends, strict=True
    ):
        report.share(f"ends by {name}", stats[:, column], wanted, games)
    report.mean("mean score", stats[:, MEAN_SCORE], row.scores[0], games, 0.1)
    report.mean("mean best score", stats[:, BEST_SCORE], row.scores[1], games, 0.1)
    report.mean("unowned territories", stats[:, UNOWNED], row.unowned, games, 0.01)


def compare_events(
    report: Report, wanted: dict[str, float], stats: NDArray[np.float64], games: int
) -> None:
    """Compare events per game."""
    for name, figure in wanted.items():
        report.mean(name, stats[:, AT[name]], figure, games, 0.1)


@click.command()
@click.option("--games", default=4000, show_default=True, help="Games a row.")
@click.option("--quick", is_flag=True, help=f"{QUICK_GAMES} games a row.")
@click.option("--seed", default=1, show_default=True)
def main(games: int, quick: bool, seed: int) -> None:
    """Play the settings of the table and compare."""
    games = QUICK_GAMES if quick else games
    report = Report()
    for number, row in enumerate(TABLE):
        bots = [2**s.MAX_SEATS - 1 if row.bot else 0]
        stats = play(row.options, games, bots, seed * 100 + number)
        report.title(row.name, games)
        compare_row(report, row, stats)
        if row.name == "bot, 5 seats":
            compare_events(report, FIVE_BOTS, stats, row.games)
            report.share("shared wins", stats[:, SHARED], SHARED_WINS, row.games)
            for place, wanted in enumerate(BY_PLACE[0]):
                won = stats[:, PLACE_AT + place]
                report.share(f"wins, place {place + 1} in turn order", won, wanted, BY_PLACE[1])
        if "bribe" in row.options:
            compare_events(report, WITH_BRIBE, stats, row.games)
    stats = play({}, games, [1 << seat for seat in range(5)], seed * 100 + len(TABLE))
    report.title("one bot against four random seats", games)
    report.share("win share", stats[:, BOT_SHARE], *BOT_AGAINST_RANDOM)
    click.echo(f"{report.failed} figures disagree" if report.failed else "all figures agree")
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
