"""What all four share: games with statistics, and these beside specified figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from gangland.envs import load

STANDARD_ERRORS = 3.0
"""Figures farther apart than this disagree; the errors of both samples are counted."""


class Report:
    """Lines of figures; remembers how many disagreed.

    Args:
        left_open: Names of figures that may differ while ``drift`` is allowed.

    Attributes:
        drift: Relative difference that is allowed besides sampling error and rounding.
        figures: Number of figures compared.
        failed: Number of those that disagree.
        open: Number of those that disagree and are left open.
    """

    def __init__(self, left_open: Collection[str] = ()) -> None:
        self.left_open = left_open
        self.drift = 0.0
        self.figures = 0
        self.failed = 0
        self.open = 0

    def title(self, text: str) -> None:
        """Begin a table."""
        click.echo(f"{text}\n  {'':34} {'measured':>20} {'specified':>10} {'std. err.':>8}")

    def line(self, name: str, measured: str, specified: str, distance: float) -> None:
        """Print one figure; ``distance`` is in standard errors."""
        bad = distance > STANDARD_ERRORS
        settled = not self.drift or name not in self.left_open
        self.figures += 1
        self.failed += bad and settled
        self.open += bad and not settled
        mark = ("  <-- disagrees" if settled else "  <-- differs, left open") if bad else ""
        click.echo(f"  {name:34} {measured:>20} {specified:>10} {distance:8.2f}{mark}")

    def mean(
        self,
        name: str,
        top: Any,
        wanted: float,
        games: int,
        unit: float,
        *,
        bottom: Any = None,
        least: float = 0.0,
    ) -> None:
        """A mean over games, or a ratio of two sums.

        Args:
            name: Of the figure.
            top: A number of each game.
            wanted: The specified figure.
            games: Games that it was taken from.
            unit: Its last digit.
            bottom: What ``top`` is divided by, a number of each game.
            least: Standard deviation that a game has at least, where a sample may show none.
        """
        bottom = np.ones(len(top)) if bottom is None else bottom
        ratio = float(top.sum() / bottom.sum())
        spread = max(float(np.std(top - ratio * bottom) / bottom.mean()), least)
        allowed = unit / 2 + self.drift * abs(wanted)
        self._compare(name, ratio, spread, len(top), wanted, games, allowed)

    def share(self, name: str, hits: Any, wanted: float, games: int, unit: float = 0.001) -> None:
        """A share of games; half of the drift is allowed, absolute."""
        pooled = (hits.sum() + wanted * games) / (len(hits) + games)
        spread = float(np.sqrt(pooled * (1 - pooled)))
        allowed = unit / 2 + self.drift / 2
        self._compare(name, float(hits.mean()), spread, len(hits), wanted, games, allowed)

    def _compare(
        self, name: str, got: float, spread: float, n: int, wanted: float, games: int, far: float
    ) -> None:
        error = spread * np.sqrt(1 / n + 1 / games)
        off = max(0.0, abs(got - wanted) - far)
        distance = off / error if error > 0 else (0.0 if off == 0 else np.inf)
        self.line(name, f"{got:.3f} +- {spread / np.sqrt(n):.3f}", f"{wanted:g}", distance)

    def quantiles(
        self,
        name: str,
        values: Any,
        shares: Iterable[float],
        wanted: Iterable[float],
        games: int,
        unit: float = 0.0,
    ) -> None:
        """Several quantiles of the same values; see :meth:`quantile`."""
        for q, value in zip(shares, wanted, strict=True):
            which = "median" if q == 0.5 else f"{100 * q:g} %"
            self.quantile(f"{name}, {which}", values, q, value, games, unit)

    def quantile(
        self, name: str, values: Any, q: float, wanted: float, games: int, unit: float = 0.0
    ) -> None:
        """A quantile, compared where the specified value lies in the measured distribution."""
        low = wanted * (1 - self.drift) - unit / 2
        high = wanted * (1 + self.drift) + unit / 2
        below, upto = (values < low).mean(), (values <= high).mean()
        error = np.sqrt(q * (1 - q) * (1 / len(values) + 1 / games))
        distance = max(0.0, below - q, q - upto) / error
        got = np.quantile(values, q, method="inverted_cdf")
        self.line(name, f"{got:g}", f"{wanted:g}", distance)


def play_each(
    name: str,
    play_game: Callable[..., None],
    num_stats: int,
    options: dict[str, Any],
    games: int,
    bots: Sequence[int],
    seed: int,
) -> NDArray[np.float64]:
    """Play games, game ``i`` with the bots ``bots[i % len(bots)]``.

    Args:
        name: Name of the game.
        play_game: ``play_game(state, seed, bots, masks, actions, seeds, stats)``, which plays one
            game and fills in its statistics. ``bots`` is the bit set of the seats that the bot
            plays, the next three are scratch for :func:`gangland.envs.core.batch.sample_legal`.
        num_stats: Number of statistics.
        options: Options of the game.
        games: Number of games.
        bots: Bit sets.
        seed: Seed of all games.

    Returns:
        Float64 of shape ``(games, num_stats)``.
    """
    game = load(name)
    template = game.template(**options)
    masks = np.zeros((1, game.num_actions), np.bool_)
    stats = np.zeros((games, num_stats))
    for i in range(games):
        state = game.clone(template[0])
        chance = np.uint64((seed << 32) + i)
        seeds, actions = np.zeros(1, np.uint64), np.zeros(1, np.int64)
        play_game(state, chance, bots[i % len(bots)], masks, actions, seeds, stats[i])
    return stats
