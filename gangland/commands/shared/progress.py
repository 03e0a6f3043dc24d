"""How far a command is: a progress bar on a terminal, lines in a log, or nothing."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .terminal import echo, make_console

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import ProgressColumn

    from ...arena.folder import Standing
    from ...arena.play import Progress
    from ...training.run import Status

REPORT_SECONDS = 30.0
"""Time between lines of progress if there is no terminal to draw a bar on."""


def _display(*columns: ProgressColumn, stderr: bool = False) -> Any:
    """A bar below its task's ``words``, which are wrapped where the terminal is narrow."""
    from rich.progress import BarColumn
    from rich.progress import Progress as RichProgress
    from rich.text import Text

    from ...envs.core.presentation.foreign_text import printable

    class Display(RichProgress):
        above: RenderableType | None = None

        def get_renderables(self) -> Iterator[RenderableType]:
            if self.above is not None:
                yield self.above
            for task in self.tasks:
                yield Text(printable(task.fields["words"]))
            yield self.make_tasks_table(self.tasks)

    return Display(
        BarColumn(bar_width=16), *columns, console=make_console(stderr=stderr), transient=stderr
    )


# --- games ----------------------------------------------------------------------------------------


class LiveTable:
    """A bar of games that are over, and a table above it.

    Args:
        games: Games that there will be, as far as is known.
    """

    def __init__(self, games: int = 0) -> None:
        from rich.progress import MofNCompleteColumn, TimeRemainingColumn

        self.bar = _display(MofNCompleteColumn(), TimeRemainingColumn(), stderr=True)
        self._task = self.bar.add_task("", total=games, words="playing")

    def finished(self, count: int, total: int) -> None:
        """Take in games that have ended, from any thread."""
        self.bar.advance(self._task, count)
        rate = self.bar.tasks[0].finished_speed or self.bar.tasks[0].speed or 0.0
        self.bar.update(self._task, total=total, words=f"playing, {rate:,.0f} games/s")

    def show_standings(self, standings: Sequence[Standing], par: float) -> None:
        """Show the standings of a tournament so far."""
        from ...arena.folder import standings_table

        self.bar.above = standings_table(standings, "so far", par)


@contextmanager
def live_table(quiet: bool, games: int = 0) -> Iterator[LiveTable | None]:
    """Show a table that changes, and how many games are over; nothing if ``quiet``."""
    if quiet:
        yield None
        return
    live = LiveTable(games)
    with live.bar:
        yield live


@contextmanager
def game_progress(games: int, quiet: bool) -> Iterator[Progress | None]:
    """Show how many games are over: a bar on a terminal, a line from time to time in a log.

    Args:
        games: Games that there will be, as far as is known.
        quiet: Show nothing.

    Yields:
        Called with games that have ended; ``None`` if nothing is shown.
    """
    if not quiet and not sys.stderr.isatty():
        yield _GameLines().finished
        return
    with live_table(quiet, games) as live:
        yield None if live is None else live.finished


class _GameLines:
    """Prints from time to time how many games are over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = 0
        self._printed = time.monotonic()

    def finished(self, count: int, total: int) -> None:
        """Take in games that have ended, from any thread."""
        with self._lock:
            self._over += count
            if time.monotonic() - self._printed >= REPORT_SECONDS:
                self._printed = time.monotonic()
                echo(f"{self._over:,} of {total:,} games", err=True)


# --- trainings ------------------------------------------------------------------------------------


class _Silent:
    """A progress display that shows nothing."""

    def __enter__(self) -> _Silent:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def report(self, status: Status) -> None:
        """Ignore the status."""


class _Lines(_Silent):
    """Prints a line from time to time, for logs."""

    def __init__(self) -> None:
        self._printed = 0.0

    def report(self, status: Status) -> None:
        """Print a line if the last one is old."""
        if time.monotonic() - self._printed >= REPORT_SECONDS or status.progress >= 1.0:
            self._printed = time.monotonic()
            left = _left(status)
            echo(f"{status.progress:4.0%}  {_numbers(status)}  {left} left", err=True)


class _Bar(_Silent):
    """A progress bar with the numbers that matter."""

    def __init__(self, title: str) -> None:
        from rich.progress import TaskProgressColumn, TextColumn

        self._title = title
        self._progress = _display(TaskProgressColumn(), TextColumn("[dim]{task.fields[left]} left"))
        self._task = self._progress.add_task("", total=1.0, words=title, left="?")

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def report(self, status: Status) -> None:
        """Redraw the progress bar."""
        self._progress.update(
            self._task,
            completed=status.progress,
            words=f"{self._title}  {_numbers(status)}",
            left=_left(status),
        )


def training_progress(title: str, quiet: bool) -> Any:
    """A context manager whose ``report`` shows the progress of a training run.

    Args:
        title: What is being done.
        quiet: Show nothing.
    """
    if quiet:
        return _Silent()
    return _Bar(title) if sys.stdout.isatty() else _Lines()


def _numbers(status: Status) -> str:
    parts = [f"{status.steps:,} decisions", f"{status.decisions_per_second:,.0f}/s"]
    if status.worst is not None:
        worst = status.worst
        parts.append(f"worst row {worst.win.share:.0%} vs {worst.name} (par {worst.par:.0%})")
    return "  ".join(parts)


def _left(status: Status) -> str:
    if status.progress <= 0.0:
        return "?"
    # Assumes the average speed of the run so far, including earlier sessions.
    seconds = int(status.seconds * (1.0 - status.progress) / status.progress)
    return f"{seconds // 60}:{seconds % 60:02d}"
