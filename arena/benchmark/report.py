"""A submission on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..tables import FoldedTable
from .submission import Row, Submission, Summary

if TYPE_CHECKING:
    from rich.console import RenderableType


def as_tables(submission: Submission) -> list[RenderableType]:
    """Win shares against each opponent, then the worst rows over the training seeds."""
    agents = submission.agents
    table = FoldedTable(
        f"{submission.task.name}: one against a table of each opponent",
        "table of",
        [entry.spec for entry in agents],
    )
    rows = {(row.table, row.role): row for entry in agents for row in entry.rows}
    for (opponent, role), row in rows.items():
        cells = [_cell(entry.rows, opponent, role) for entry in agents]
        table.add_row(f"{row.table}{as_role(role)}", *cells)
    return [table, *(_sentence(each) for each in submission.summary), *_verdict(submission)]


def _cell(rows: list[Row], opponent: str, role: str) -> str:
    """An agent's row; empty where it would meet itself."""
    found = [row for row in rows if (row.table, row.role) == (opponent, role)]
    return interval(found[0].share, found[0].low, found[0].high) if found else ""


def _sentence(summary: Summary) -> str:
    mean = interval(summary.mean, summary.low, summary.high)
    return f"worst row{as_role(summary.role)}: mean {mean}, best {summary.best:.1%}"


def _verdict(submission: Submission) -> list[str]:
    return [f"not official: {each}" for each in submission.deviations]


def interval(share: float, low: float | None, high: float | None) -> str:
    """A share with its 95 % interval, if there is one."""
    return f"{share:.1%}" if low is None or high is None else f"{share:.1%} ({low:.1%}-{high:.1%})"


def as_role(role: str) -> str:
    """`` as police``, in a game with several roles."""
    return f" as {role}" if role else ""
