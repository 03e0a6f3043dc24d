"""The results of a search, for people and programs: table, JSON, picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...arena.plotting import new_figure
from ...arena.tables import FoldedTable
from .search import Trial, Tuning
from .space import Dimension

MEANING = {"worst": "worst row / par", "exploit": "exploiter's win share / par"}
"""Label of each objective."""

BEST, OTHER = "#c2410c", "#94a3b8"
PANELS = 6
"""Dimensions that a picture has room for."""


def as_json(found: Tuning) -> str:
    """All results as JSON."""
    return json.dumps(found.to_dict(), indent=1, allow_nan=False) + "\n"


def as_table(found: Tuning) -> FoldedTable:
    """All trials, the best first."""
    wanted = "low" if found.objective == "exploit" else "high"
    title = f"{found.game}: {len(found.trials)} trials, {wanted} values are wanted"
    keys = [each.key for each in found.space.dimensions]
    columns = ["", MEANING[found.objective], *keys, "decisions", "trained"]
    table = FoldedTable(title, "trial", columns, texts=[""])
    for trial in found.ranked:
        last = trial.points[-1] if trial.points else None
        table.add_row(
            str(trial.number),
            f"{trial.state}: {trial.error}" if trial.error else trial.state,
            "-" if last is None else f"{last.value:.3f}",
            *(_shown(value) for value in trial.changes.values()),
            "-" if last is None else f"{last.decisions:,}",
            "-" if last is None else f"{last.percent:.0f} %",
        )
    return table


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def save_plot(found: Tuning, path: Path) -> None:
    """Write a picture: every trial over time, and what each dimension has to do with the end.

    Args:
        found: The search.
        path: The file; its ending chooses the format (``.png``, ``.svg``, ``.pdf``).

    Raises:
        MissingDependencyError: If matplotlib is not installed.
    """
    shown = found.space.dimensions[:PANELS]
    measured = [trial for trial in found.ranked if trial.points]
    figure = new_figure(5.2 + 3.2 * len(shown), 4.2)
    first, *others = figure.subplots(1, 1 + len(shown), squeeze=False, sharey=True)[0]
    # The best one last, above the others.
    for place, trial in reversed(list(enumerate(measured))):
        first.plot(
            [point.percent for point in trial.points],
            [point.value for point in trial.points],
            color=OTHER if place else BEST,
            marker=".",
            label=None if place else f"trial {trial.number}",
        )
    first.axhline(1.0, color="0.5", linestyle="--", linewidth=1, label="par")
    first.set_xlabel("percent of the training")
    first.set_ylabel(MEANING[found.objective])
    first.set_title(f"{found.game}: {len(found.trials)} trials", fontsize=10)
    first.legend(fontsize=8)
    for axes, dimension in zip(others, shown, strict=True):
        _scatter(axes, dimension, measured)
    figure.savefig(path, dpi=150)


def _scatter(axes: Any, dimension: Dimension, measured: list[Trial]) -> None:
    """The end of every trial by its value of one dimension; those that came to the end dark."""
    drawn = [trial.changes[dimension.key] for trial in measured]
    if dimension.kind == "choice":
        choices = list(dimension.values)
        axes.set_xticks(range(len(choices)), [str(choice) for choice in choices], fontsize=8)
        drawn = [choices.index(value) for value in drawn]
    elif dimension.kind == "loguniform":
        axes.set_xscale("log")
    colours = [BEST if trial.state == "finished" else OTHER for trial in measured]
    axes.scatter(drawn, [trial.value for trial in measured], color=colours, s=24)
    axes.set_xlabel(dimension.key)
