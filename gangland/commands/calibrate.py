"""``gangland calibrate``: how well a bot's estimates of its chances are calibrated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared.common import SEED, OutputFile, check_plot, game_options, one_blas_thread, write_text
from .shared.terminal import make_console

if TYPE_CHECKING:
    from ..arena.calibration import Calibration
    from ..arena.tables import FoldedTable


@click.command(name="calibrate")
@click.argument("bot")
@click.option("--game", default="chicago", show_default=True, help="The game.")
@click.option("--games", default=1000, show_default=True, help="Games to play.")
@game_options
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of deals and players.")
@click.option("--json", "json_file", type=OutputFile(dash=True), help="Write JSON; - for stdout.")
@click.option("--plot", type=OutputFile(), help="Draw a reliability diagram, such as chances.png.")
@click.option("--quiet", is_flag=True, help="Show no table.")
def command(
    bot: str,
    game: str,
    games: int,
    options: tuple[tuple[str, Any], ...],
    seed: int,
    json_file: Path | None,
    plot: Path | None,
    quiet: bool,
) -> None:
    """Compare the chances of winning that BOT estimates with the results.

    BOT plays all seats. Wherever it estimates its chance at 30 %, it should win 30 % of the games.
    The Brier score is the mean squared error, 0 at best. The skill compares it with always
    estimating par: 100 % is perfect, 0 % is no better than par. The 95 % intervals treat each deal
    as one observation.
    """
    if plot is not None:
        check_plot(plot)
    one_blas_thread()
    from ..arena.calibration import calibrate, save_plot

    found = calibrate(game, bot, games, seed=seed, **dict(options))
    if json_file is not None:
        write_text(json_file, json.dumps(found.to_dict(), indent=1) + "\n")
    if plot is not None:
        save_plot(found, plot)
    if not quiet:
        shown = make_console(stderr=str(json_file) == "-")
        shown.print(_table(found))
        interval = f" ({found.brier_low:.4f}-{found.brier_high:.4f})" if found.brier_low else ""
        shown.print(
            f"Brier score {found.brier:.4f}{interval}; of saying par {found.brier_of_par:.4f}; "
            f"skill {found.skill:.1%}; mean error {found.error:.1%}; "
            f"{found.decisions:,} decisions of {found.games:,} games"
        )


def _table(found: Calibration) -> FoldedTable:
    from ..arena.tables import FoldedTable

    table = FoldedTable(
        f"{found.game}: chances of {found.bot}", "said", ("decisions", "mean said", "came, 95 %")
    )
    for one in found.bins:
        came = f"{one.came:.1%}"
        if one.came_low is not None and one.came_high is not None:
            came += f" ({max(0.0, one.came_low):.1%}-{min(1.0, one.came_high):.1%})"
        table.add_row(
            f"{one.low:.0%}-{one.high:.0%}", f"{one.decisions:,}", f"{one.said:.1%}", came
        )
    return table
