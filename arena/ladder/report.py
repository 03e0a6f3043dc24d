"""A ladder for people: tables in the terminal, a page in Markdown, a picture."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from ...envs import load
from ..tables import FoldedTable, new_figure
from .matrix import role_seats
from .result import Cell, Estimate, Ladder, read

HEADS = ("agent", "track", "rating", "mixed share", "worst row", "most invaded")
MATRIX_HEADS = ("agent", "deviation, one", "deviation, table", "α-rank, one", "α-rank, table")


def as_json(ladder: Ladder) -> str:
    """All results, rounded to digits that the same command reproduces."""
    return json.dumps(ladder.to_dict(), indent=1) + "\n"


def as_tables(ladder: Ladder) -> list[FoldedTable]:
    """The standings, then the matrix of each role, and ratings from it."""
    title = f"{ladder.game}: ladder, par {ladder.par:.0%}"
    standings = FoldedTable(title, HEADS[0], HEADS[1:], texts=("track", *HEADS[-2:]))
    for row in _standings(ladder):
        standings.add_row(*row)
    found = [standings]
    for role in _roles(ladder):
        numbers = range(1, len(ladder.standings) + 1)
        table = FoldedTable(_title(role), "one of \\ table of", [str(k) for k in numbers])
        for k, (spec, cells) in zip(numbers, _matrix(ladder, role), strict=True):
            shares = ("" if cell is None else f"{cell.share:.1%}" for cell in cells)
            table.add_row(f"{k} {spec}", *shares)
        found.append(table)
    if ladder.matrix_ratings:
        table = FoldedTable("Ratings from the matrix", MATRIX_HEADS[0], MATRIX_HEADS[1:])
        for ratings in _matrix_ratings(ladder):
            table.add_row(*ratings)
        found.append(table)
    return found


def as_page(ladder: Ladder, command: str, picture: str | None = None) -> str:
    """The ladder as a page in Markdown.

    Args:
        ladder: The ladder.
        command: The command that reproduces it.
        picture: Path of its picture from the page; ``None`` for none.
    """
    game = load(ladder.game)
    # Rounded as its file is, so that both have the same digits.
    ladder = read(ladder.to_dict())
    lines = [
        f"# {game.title}: ladder",
        "",
        f"Rules version {ladder.rules_version}, pool `{ladder.pool_version}` of "
        f"{len(ladder.standings)} agents; "
        + ", ".join(f"`{key}={value}`" for key, value in ladder.options.items())
        + f". Par, what equal players win, is {ladder.par:.0%}. Made by",
        "",
        f"    {command}",
        "",
        "which gives the same digits again, with any number of workers. Intervals are 95 %, by "
        "deals: all games on one deal share its luck and count as one observation. How to read "
        "it: [the ladder](README.md).",
        "",
    ]
    if picture:
        lines += [f"![One of each agent against tables of each other]({picture})", ""]
    lines += [
        "## Standings",
        "",
        "The *worst row* is the win share of one such agent at a table of the opponent that it "
        "does worst against; *most invaded* is what a single opponent wins at a table full of it. "
        "There are two tracks: an agent of `observation` is given observation and mask alone, one "
        "of `open` uses more, such as hand-written knowledge or a search. "
        f"Ratings come from {ladder.mixed_games:,} games of mixed line-ups.",
        "",
        "| " + " | ".join(HEADS) + " |",
        "|---|---|---:|---:|---|---|",
        *("| " + " | ".join(row) + " |" for row in _standings(ladder, code=True)),
    ]
    for role in _roles(ladder):
        specs = [standing.spec for standing in ladder.standings]
        lines += [
            "",
            f"## {_title(role)}",
            "",
            "| one of \\ table of | " + " | ".join(f"`{spec}`" for spec in specs) + " |",
            "|---|" + "---:|" * len(specs),
        ]
        for spec, cells in _matrix(ladder, role):
            shown = ["" if cell is None else _interval(cell) for cell in cells]
            lines.append(f"| `{spec}` | " + " | ".join(shown) + " |")
    counts = sorted({cell.games for cell in ladder.cells})
    lines += ["", f"Games of a cell: {' or '.join(f'{count:,}' for count in counts)}.", ""]
    return "\n".join(lines + _matrix_section(ladder))


def _matrix_section(ladder: Ladder) -> list[str]:
    """Lines of the page about the ratings from the matrix."""
    if not ladder.matrix_ratings:
        return []
    seats = role_seats(load(ladder.game), ladder.options)
    rated = {rating.spec for rating in ladder.matrix_ratings}
    missing = [f"`{each.spec}`" for each in ladder.standings if each.spec not in rated]
    known = all(each.low is not None for each in ladder.matrix_ratings[0].estimates)
    notes = [
        "Two players choose agents, the first for one seat, the second for the table; the first is "
        "paid the one's win share less par, and the second loses it. A *deviation* is what always "
        "choosing this agent gains in the strictest coarse correlated equilibrium: 0 for the best, "
        "and copies of an agent change nothing. *α-rank* is the share of time that a population of "
        "ones, or of tables, spends with this agent while each adapts to the other.",
    ]
    if len(seats) > 1:
        parts = " and ".join(
            f"{count} of {sum(seats.values())} times the {role}'s" for role, count in seats.items()
        )
        notes.append(f"The one takes every seat equally often: {parts}.")
    if missing:
        notes.append(f"Without {', '.join(missing)}: not all cells of it were played.")
    if not known:
        notes.append("There are no intervals: cells were taken from a file, which holds no deals.")
    return [
        "## Ratings from the matrix",
        "",
        " ".join(notes),
        "",
        "| " + " | ".join(MATRIX_HEADS) + " |",
        "|---" + "|---:" * (len(MATRIX_HEADS) - 1) + "|",
        *("| " + " | ".join(row) + " |" for row in _matrix_ratings(ladder, code=True)),
        "",
    ]


def _matrix_ratings(ladder: Ladder, code: bool = False) -> list[tuple[str, ...]]:
    """Rows in the order of the standings."""
    mark = "`" if code else ""
    found = {rating.spec: rating for rating in ladder.matrix_ratings}
    specs = [standing.spec for standing in ladder.standings if standing.spec in found]
    return [
        (f"{mark}{spec}{mark}", *(_estimate(number) for number in found[spec].estimates))
        for spec in specs
    ]


def _estimate(number: Estimate) -> str:
    """In percent; 0 has no sign."""
    ends = (number.value, number.low, number.high)
    value, *interval = (f"{round(end, 3) + 0.0:.1%}" for end in ends if end is not None)
    return f"{value} ({' to '.join(interval)})" if interval else value


def save_plot(ladder: Ladder, path: Path) -> None:
    """Write the matrix as a picture: red above par, blue below.

    Args:
        ladder: The ladder.
        path: The file; its ending chooses the format (``.png``, ``.svg``, ``.pdf``).

    Raises:
        MissingDependencyError: If matplotlib is not installed.
    """
    roles = _roles(ladder)
    size = len(ladder.standings)
    figure = new_figure((2.6 + 0.95 * size) * len(roles), 1.8 + 0.62 * size)
    from matplotlib import rc_context
    from matplotlib.colors import TwoSlopeNorm

    specs = [standing.spec for standing in ladder.standings]
    for axes, role in zip(figure.subplots(1, len(roles), squeeze=False)[0], roles, strict=True):
        _draw_matrix(axes, ladder, role, specs, TwoSlopeNorm(ladder.par, 0.0, 1.0))
    # Without date and random names, so that the same numbers give the same file.
    with rc_context({"svg.hashsalt": "gangland"}):
        figure.savefig(path, dpi=120, metadata={"Date": None} if path.suffix == ".svg" else None)


def _draw_matrix(axes: Any, ladder: Ladder, role: str, specs: list[str], norm: Any) -> None:
    values = [
        [float("nan") if cell is None else cell.share for cell in cells]
        for _, cells in _matrix(ladder, role)
    ]
    axes.imshow(values, cmap="RdBu_r", norm=norm, aspect="auto")
    for y, row in enumerate(values):
        for x, value in enumerate(row):
            if not math.isnan(value):
                ink = "white" if value > 0.75 or value < ladder.par / 3 else "black"
                axes.text(x, y, f"{value:.0%}", ha="center", va="center", color=ink, fontsize=9)
    axes.set_xticks(range(len(specs)), specs, rotation=30, ha="right", fontsize=8)
    axes.set_yticks(range(len(specs)), specs, fontsize=8)
    axes.set_xlabel("in all other seats")
    axes.set_ylabel("in one seat")
    axes.set_title(f"{ladder.game}: {_title(role).lower()}; par {ladder.par:.0%}", fontsize=10)


def _roles(ladder: Ladder) -> list[str]:
    return list(dict.fromkeys(cell.role for cell in ladder.cells))


def _title(role: str) -> str:
    return f"One {role} against a table of others" if role else "One against a table of others"


def _matrix(ladder: Ladder, role: str) -> list[tuple[str, list[Cell | None]]]:
    """Rows in the order of the standings; ``None`` on the diagonal."""
    found = {(cell.one, cell.table): cell for cell in ladder.cells if cell.role == role}
    specs = [standing.spec for standing in ladder.standings]
    return [(one, [found.get((one, table)) for table in specs]) for one in specs]


def _standings(ladder: Ladder, code: bool = False) -> list[tuple[str, ...]]:
    mark = "`" if code else ""
    rows: list[tuple[str, ...]] = []
    for standing in ladder.standings:
        worst, invaders = ladder.worst(standing.spec), ladder.worst_invaders(standing.spec)
        rows.append(
            (
                f"{mark}{standing.spec}{mark}",
                standing.track,
                f"{standing.rating:+.0f} ± {standing.margin:.0f}",
                f"{standing.share:.1%} ({standing.low:.1%}-{standing.high:.1%})",
                "; ".join(
                    f"{_interval(cell)} against {mark}{cell.table}{mark}{_as_role(cell)}"
                    for cell in worst
                ),
                "; ".join(
                    f"{_interval(cell)} by {mark}{cell.one}{mark}{_as_role(cell)}"
                    for cell in invaders
                ),
            )
        )
    return rows


def _interval(cell: Cell) -> str:
    return f"{cell.share:.1%} ({cell.low:.1%}-{cell.high:.1%})"


def _as_role(cell: Cell) -> str:
    return f" as {cell.role}" if cell.role else ""
