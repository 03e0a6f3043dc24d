"""An arena's result for people and programs: tables, JSON, CSV, plots."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .result import AgentResult, ArenaResult
from .tables import NOTHING, FoldedTable, cross_table, deals, new_figure, percent, win_cells

if TYPE_CHECKING:
    from rich.console import RenderableType


def as_json(result: ArenaResult) -> str:
    """The result as JSON text."""
    return json.dumps(result.to_dict(), indent=2) + "\n"


def as_csv(result: ArenaResult) -> str:
    """One line for each agent: its results, then how often it finishes ahead of each other agent.

    A column between them says how the intervals were computed.
    """
    seats = len(result.agents[0].seat_shares)
    header = [
        "agent",
        "games",
        "truncated",
        "seats",
        "win_share",
        "win_low",
        "win_high",
        "par",
        "score",
        "score_low",
        "score_high",
        "place",
        "rating",
        "rating_low",
        "rating_high",
        "decisions",
        "decisions_per_s",
    ]
    header += [f"win_share_seat_{seat}" for seat in range(seats)]
    header.append("intervals")
    header += [f"ahead_of {agent.spec}" for agent in result.agents]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for agent, ahead in zip(result.agents, result.ahead, strict=True):
        cells = [
            *(agent.spec, agent.games, agent.truncated, agent.seats),
            *(agent.win.share, agent.win.low, agent.win.high, result.par),
            *(agent.score, agent.score_low, agent.score_high, agent.place),
            *(agent.rating.mu, agent.rating.low, agent.rating.high),
            *(agent.decisions, result.timing.decisions_per_s[agent.spec]),
            *agent.seat_shares,
            str(result.intervals),
            *ahead,
        ]
        writer.writerow("" if cell is None else cell for cell in cells)
    return text.getvalue()


def as_tables(result: ArenaResult, *, stats: bool = False) -> list[RenderableType]:
    """Tables for the terminal, best agent first, and a line on how intervals were computed.

    Args:
        result: The arena's result.
        stats: Whether to add what the games were like.
    """
    tables: list[RenderableType] = [_main_table(result), _seat_table(result)]
    if len(result.agents) > 1:
        tables.append(_cross_table(result))
    if stats:
        tables.append(_stats_table(result))
    from rich.text import Text

    notes = [Text(f"{spec}: {said}", style="dim") for spec, said in result.notes.items()]
    return [*tables, *notes, _footer(result)]


def save_plot(result: ArenaResult, path: Path) -> None:
    """Write win shares, ratings and the cross-play matrix as one picture.

    Args:
        result: The arena's result.
        path: The file; its ending chooses the format (``.png``, ``.svg``, ``.pdf``).

    Raises:
        MissingDependencyError: If matplotlib is not installed.
    """
    ranked = _ranked(result)
    size = 1.6 + 0.45 * len(ranked)
    figure = new_figure(13, max(3.2, size))
    options = ", ".join(f"{key}={value}" for key, value in result.options.items())
    title = f"{result.game}: {result.games} games on {deals(result.deals)} ({options})"
    figure.suptitle(title, fontsize=10)
    figure.supxlabel(_intervals_and_truncations(result), fontsize=8, color="0.3")
    shares, ratings, cross = figure.subplots(1, 3, width_ratios=[1.2, 1.2, 1])
    names = [_short(agent.spec) for _, agent in ranked]
    wins = [(a.win.share, a.win.low, a.win.high) for _, a in ranked]
    confidence = f"{result.intervals.confidence:.0%} interval by {result.intervals.cluster}"
    _draw_intervals(shares, names, wins, f"win share, {confidence}")
    shares.axvline(result.par, color="0.5", linestyle="--", linewidth=1)
    shares.annotate(
        " par", (result.par, 0.0), xycoords=("data", "axes fraction"), color="0.4", fontsize=8
    )
    rated = [(a.rating.mu, a.rating.low, a.rating.high) for _, a in ranked]
    _draw_intervals(ratings, names, rated, f"rating (Plackett-Luce), {confidence}")
    ratings.set_yticklabels([])
    _heat_map(cross, result, [index for index, _ in ranked], names)
    figure.savefig(path, dpi=150)


def _ranked(result: ArenaResult) -> list[tuple[int, AgentResult]]:
    """Agents with their index, best rating first."""
    return sorted(enumerate(result.agents), key=lambda pair: -pair[1].rating.mu)


def _short(spec: str, limit: int = 32) -> str:
    return spec if len(spec) <= limit else f"{spec[: limit // 3]}…{spec[-(limit - limit // 3) :]}"


def _main_table(result: ArenaResult) -> FoldedTable:
    interval = f"{result.intervals.confidence:.0%}"
    columns = (
        *("win share", interval, "vs par", f"rating ± {interval}", "games"),
        *(f"score ± {interval}", "place", "decisions/s"),
    )
    title = f"{result.game}, {result.games} games on {deals(result.deals)}"
    table = FoldedTable(title, "agent", columns)
    for _, agent in _ranked(result):
        win, rating = agent.win, agent.rating
        table.add_row(
            agent.spec,
            *win_cells(win, result.par),
            _plus_minus(rating.mu, rating.high),
            f"{agent.games}",
            _plus_minus(agent.score, agent.score_high),
            f"{agent.place:.2f}",
            f"{result.timing.decisions_per_s[agent.spec]:,.0f}",
        )
    return table


def _seat_table(result: ArenaResult) -> FoldedTable:
    seats = len(result.agents[0].seat_shares)
    columns = [*(f"seat {seat}" for seat in range(seats)), *result.agents[0].role_shares]
    table = FoldedTable(f"win share by seat (par {result.par:.1%})", "agent", columns)
    for _, agent in _ranked(result):
        shares = [*agent.seat_shares, *agent.role_shares.values()]
        table.add_row(agent.spec, *map(percent, shares))
    return table


def _cross_table(result: ArenaResult) -> FoldedTable:
    ranked = _ranked(result)
    rows = [[result.ahead[index][other] for other, _ in ranked] for index, _ in ranked]
    return cross_table([agent.spec for _, agent in ranked], rows)


def _stats_table(result: ArenaResult) -> RenderableType:
    from rich.table import Table

    stats = result.stats
    table = Table(title="the games", show_header=False)
    table.add_column("", overflow="fold")
    table.add_column("", justify="right", overflow="fold")
    rows = [
        ("decisions per game", _spread(stats.length)),
        ("scores", f"{_spread(stats.score)}, sd {stats.score['sd']:.1f}"),
        ("winner's score", _number(stats.winning_score)),
        ("winner's margin", f"{stats.margin:.1f}"),
        ("reached a cap of the rules", f"{stats.capped:.1%}"),
        ("truncated, won by nobody", f"{stats.truncated}"),
        ("shared wins", f"{stats.shared_wins:.1%}"),
        ("win share by seat", " ".join(f"{share:.1%}" for share in stats.seat_shares)),
        ("score by seat", " ".join(f"{score:.1f}" for score in stats.seat_scores)),
        *((name, f"{mean:.2f}") for name, mean in stats.events.items()),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def _spread(values: dict[str, float]) -> str:
    middle = f"{values['p25']:g} / {values['median']:g} / {values['p75']:g}"
    return f"mean {values['mean']:.1f}, quartiles {middle}, {values['min']:g} to {values['max']:g}"


def _footer(result: ArenaResult) -> RenderableType:
    from rich.text import Text

    length, timing = result.stats.length, result.timing
    return Text(
        f"{length['mean']:.0f} decisions per game, {result.stats.capped:.1%} reached a cap of the "
        f"rules; {timing.seconds:.1f} s, {timing.games_per_s:,.0f} games/s, seed {result.seed}\n"
        f"{_intervals_and_truncations(result)}",
        style="dim",
    )


def _intervals_and_truncations(result: ArenaResult) -> str:
    """How the intervals were made, and how many games had no winner."""
    cut = result.stats.truncated
    if cut == 0:
        return str(result.intervals)
    games = "1 game was" if cut == 1 else f"{cut:,} games were"
    return f"{result.intervals}\n{games} cut off by a cap that pays nobody: a win for nobody"


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1f}"


def _plus_minus(value: float, high: float | None) -> str:
    """A value with its symmetric interval, if it has one."""
    return f"{value:.1f}" if high is None else f"{value:.1f} ± {high - value:.1f}"


def _draw_intervals(
    axes: Any,
    names: Sequence[str],
    values: Sequence[tuple[float, float | None, float | None]],
    title: str,
) -> None:
    """Points with intervals, where there are any; the first name is at the top."""
    for row, (middle, low, high) in enumerate(values):
        if low is not None and high is not None:
            axes.plot([low, high], [row, row], color="#8c1c13", linewidth=2, solid_capstyle="butt")
        axes.plot([middle], [row], "o", color="#8c1c13")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_title(title, fontsize=10)
    axes.grid(axis="x", alpha=0.3)


def _heat_map(axes: Any, result: ArenaResult, order: list[int], names: Sequence[str]) -> None:
    shares = [[result.ahead[i][j] for j in order] for i in order]
    colours = [[0.5 if share is None else share for share in row] for row in shares]
    axes.imshow(colours, vmin=0, vmax=1, cmap="RdYlGn")
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            words = NOTHING if share is None else f"{share:.0%}"
            ink = "white" if share is not None and abs(share - 0.5) > 0.35 else "black"
            axes.text(j, i, words, ha="center", va="center", fontsize=8, color=ink)
    axes.set_xticks(range(len(names)), [str(k + 1) for k in range(len(names))])
    axes.set_yticks(range(len(names)), [str(k + 1) for k in range(len(names))])
    axes.set_title("row finishes ahead of column", fontsize=10)
