"""``gangland benchmark``: a task with frozen opponents, and its result in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared.common import (
    GAMES,
    Count,
    OutputFile,
    one_blas_thread,
    opened_workers,
    ray_option,
    workers_option,
    write_text,
)
from .shared.progress import game_progress
from .shared.terminal import echo, make_console

if TYPE_CHECKING:
    from ..arena.benchmark import Submission


class AboutField(click.ParamType):  # type: ignore[type-arg]
    """``FIELD=TEXT``; the benchmark itself checks both."""

    name = "FIELD=TEXT"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split it."""
        key, equals, text = value.partition("=")
        if not key or not equals:
            self.fail(f"{value!r} must be FIELD=TEXT, such as authors='A. Author'", param, ctx)
        return key.strip(), text.strip()


@click.command(name="benchmark")
@click.argument("task", required=False)
@click.argument("specs", nargs=-1, metavar="[SPEC]...")
@click.option(
    "--check",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Play nothing; verify a submission, and name what is wrong with it.",
)
@click.option(
    "--about",
    type=AboutField(),
    multiple=True,
    help="Say of the result its name, authors, link (code or paper) or training (how, how long and "
    "on what); may be repeated.",
)
@click.option(
    "--decisions",
    type=Count(0),
    help="Decisions that agents without a checkpoint learnt from; those of checkpoints are "
    "counted.",
)
@click.option("--games", type=GAMES, help="Games of each row, for a try-out. [default: the task's]")
@click.option(
    "--search-games",
    type=GAMES,
    help="Likewise, of a row in which an agent searches or is remote.",
)
@workers_option()
@ray_option("Play")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Save each finished row in this folder; the same command then continues from there.",
)
@click.option(
    "--json",
    "json_file",
    type=OutputFile(dash=True),
    help="The submission; - for stdout. [default: TASK.json]",
)
@click.option("--quiet", is_flag=True, help="Show neither progress nor tables.")
def command(
    task: str | None,
    specs: tuple[str, ...],
    check: Path | None,
    about: tuple[tuple[str, str], ...],
    decisions: int | None,
    games: int | None,
    search_games: int | None,
    workers: int | None,
    address: str | None,
    keep: Path | None,
    json_file: Path | None,
    quiet: bool,
) -> None:
    """Play TASK, such as chicago-5@2, and write a submission.

    One of each SPEC takes a seat at a table of each opponent of the task. Agents that learn are
    given as one SPEC for each training seed. The task's rules, options, deals and opponents are
    frozen; if those that are installed are others, nothing is played.
    """
    if check is not None:
        if task is not None:
            raise click.UsageError("--check takes no TASK: the file names it")
        _check(check, quiet)
        return
    one_blas_thread()
    from ..arena.benchmark import all_tasks, find_task, play_task
    from ..arena.benchmark.submission import read_about

    if task is None or not specs:
        known = ", ".join(each.name for each in all_tasks())
        raise click.UsageError(f"give TASK, one of {known}, and a SPEC for each training seed")
    found, said = find_task(task), read_about(dict(about))
    out = OutputFile().convert(f"{task}.json", None, None) if json_file is None else json_file
    with opened_workers(workers, address) as players, game_progress(0, quiet) as progress:
        submission = play_task(
            found,
            specs,
            said,
            decisions=decisions,
            games=games,
            search_games=search_games,
            workers=players,
            progress=progress,
            kept=keep,
        )
    write_text(out, submission.to_json())
    if not quiet:
        _show(submission, stderr=str(out) == "-")


def _check(file: Path, quiet: bool) -> None:
    from ..arena.benchmark import SubmissionError, problems_of, read_submission

    submission = read_submission(file)
    problems = problems_of(submission)
    if problems:
        raise SubmissionError(f"{file}: {'; '.join(problems)}")
    if not quiet:
        _show(submission)
        official = "an official" if submission.official else "a valid but unofficial"
        echo(f"{file}: {official} result of {submission.task.name}")


def _show(submission: Submission, stderr: bool = False) -> None:
    from ..arena.benchmark import as_tables

    shown = make_console(stderr=stderr)
    for table in as_tables(submission):
        shown.print(table)
