"""A submission: the result of a task in one file, with all that verifies it, and its tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ...agents.trained.model_file import CheckpointError, explain, parse_json, read_bytes
from ...envs.core.errors import GanglandError
from ..hashes import Hashes
from ..ladder import Track
from ..tables import FoldedTable
from .tasks import Task

if TYPE_CHECKING:
    from rich.console import RenderableType


FORMAT: Final = "gangland-benchmark/1"
MOST_BYTES = 1_000_000
"""Largest file that is read."""

Text = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f<>\[\]`]*$")]
"""A line without control characters and markup: it is shown on terminals and pages."""
Spec = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f<>`]*$")]
Link = Annotated[
    str,
    Field(max_length=500, pattern=r"^(https?://[^\s()<>\[\]`]+|\w+(/\w+)*\.(md|py|yaml))?$"),
]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0, le=2**62)]


class SubmissionError(GanglandError, ValueError):
    """A submission cannot be read, is not what it has to be, or cannot be made."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class About(_Part):
    """What the authors say of their result.

    Attributes:
        name: Name of the method.
        authors: Who made it.
        link: Address of code or paper, or a file of this project, with what is needed to train it
            again.
        training: How it was trained, how long and on what.
    """

    name: Text = ""
    authors: Text = ""
    link: Link = ""
    training: Text = ""


class Row(_Part):
    """One agent in one seat, an opponent in all others; as :class:`gangland.arena.ladder.Cell`."""

    table: Spec
    role: Text
    games: Annotated[int, Field(ge=1)]
    share: Share
    low: Share
    high: Share


class Entry(_Part):
    """The agent of one training.

    Attributes:
        spec: The agent.
        track: ``observation`` for an agent of observation and mask alone, else ``open``.
        deliberate: Whether it searches or is remote, and played ``search_games`` in each row.
        decisions: Decisions that its lineage learnt from; ``None`` for agents that do not learn.
        files: Hashes of its checkpoint or file.
        rows: Its win share against each opponent of the pool, in each role.
        worst: The row with the lowest share, of each role.
    """

    spec: Spec
    track: Track
    deliberate: bool
    decisions: Count | None
    files: Hashes
    rows: Annotated[list[Row], Field(min_length=1)]
    worst: Annotated[list[Row], Field(min_length=1)]


class Summary(_Part):
    """Worst rows over the training seeds, of one role.

    Attributes:
        role: The role; empty in games with a single one.
        mean: Mean of the worst rows.
        low: Lower end of its 95 % interval, a stratified bootstrap; ``None`` for one training.
        high: Upper end, or ``None``.
        best: The best worst row.
    """

    role: Text
    mean: Share
    low: Share | None
    high: Share | None
    best: Share


class Machine(_Part):
    """What the games were played with; ``torch`` is ``None`` where it is not installed."""

    processor: Text
    cores: Annotated[int, Field(ge=1)]
    system: Text
    python: Text
    numpy: Text
    torch: Text | None
    gangland: Text


class Submission(_Part):
    """A result.

    Attributes:
        format: :data:`FORMAT`.
        task: The task as it was played.
        about: What the authors say of it.
        official: Whether it is a result of the task: ``deviations`` is empty.
        deviations: What keeps it from being one, such as fewer games.
        agents: The agent of each training seed.
        summary: The worst rows over the seeds, of each role.
        seconds: Wall time of the games, compiling included, rows that an earlier call has kept not.
        machine: What they were played with.
    """

    format: Literal["gangland-benchmark/1"]
    task: Task
    about: About
    official: bool
    deviations: list[Annotated[str, Field(max_length=1000)]]
    agents: Annotated[list[Entry], Field(min_length=1, max_length=10)]
    summary: Annotated[list[Summary], Field(min_length=1)]
    seconds: Annotated[float, Field(ge=0.0)]
    machine: Machine

    def to_json(self) -> str:
        """The file's text."""
        return self.model_dump_json(indent=1) + "\n"


def check_spec(spec: str) -> None:
    """Make sure that a file can hold an agent's spec.

    Raises:
        SubmissionError: Naming what is allowed.
    """
    try:
        TypeAdapter(Spec).validate_python(spec)
    except ValidationError:
        raise SubmissionError(
            f"agent {spec[:60]!r}: must be of 1 to 500 characters, without <, >, ` and control "
            "characters"
        ) from None


def read_about(values: dict[str, str]) -> About:
    """What authors say of their result.

    Raises:
        SubmissionError: Naming the field, and what is allowed.
    """
    unknown = [key for key in values if key not in About.model_fields]
    if unknown:
        known = ", ".join(About.model_fields)
        raise SubmissionError(f"about {', '.join(unknown)}: must be of {known}")
    try:
        return About(**values)
    except ValidationError as error:
        raise SubmissionError(f"about: {explain(error)}") from None


def read_submission(file: Path) -> Submission:
    """A submission whose fields are all there and of the right kind.

    What they say is verified by :func:`gangland.arena.benchmark.check.problems_of`.

    Raises:
        SubmissionError: If it cannot be read, naming up to five fields and what is allowed.
    """
    try:
        values = parse_json(read_bytes(file, MOST_BYTES))
    except CheckpointError as error:
        raise SubmissionError(str(error)) from None
    except (ValueError, RecursionError) as error:
        raise SubmissionError(f"{file} cannot be read: {error}") from None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise SubmissionError(f"{file}: format must be {FORMAT!r}")
    try:
        return Submission.model_validate(values, strict=True)
    except ValidationError as error:
        raise SubmissionError(f"{file}: {explain(error)}") from None


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
