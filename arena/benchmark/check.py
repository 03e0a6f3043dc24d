"""Verifies a submission: its task, its hashes, its rows and its arithmetic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...agents.trained.model_file import MODEL_FILE
from ...envs import load
from ..schedule import table_schedule
from .submission import About, Entry, Submission
from .summary import summarise, worst_rows
from .tasks import Task, TaskError, differences, find_task

NUMBERS = ("games", "search_games")
"""Fields of a task that may be less in a try-out."""


def problems_of(submission: Submission) -> list[str]:
    """What is wrong with a submission, each naming the field; empty if it is valid.

    A submission can be valid without being official: then :attr:`Submission.deviations` says why.
    """
    try:
        declared = find_task(submission.task.name)
    except TaskError as error:
        return [f"task.name: {error}"]
    return list(_problems(submission, declared))


def deviations_of(task: Task, declared: Task, about: About, agents: list[Entry]) -> list[str]:
    """What keeps a result from being an official one, each naming the field.

    Args:
        task: The task as it was played.
        declared: The task as it is declared.
        about: What the authors say.
        agents: The agents of the training seeds.
    """
    found = [
        f"{name}={getattr(task, name)}: must be {getattr(declared, name)}"
        for name in NUMBERS
        if getattr(task, name) != getattr(declared, name)
    ]
    missing = [name for name in ("name", "authors", "link") if not getattr(about, name)]
    if missing:
        found.append(f"about: {', '.join(missing)} must be given")
    learnt = any(entry.decisions is not None for entry in agents)
    if learnt and len(agents) < declared.seeds:
        found.append(
            f"agents: {len(agents)} of an agent that learns, must be of {declared.seeds} "
            "training seeds"
        )
    return found


def duplicates_of(files: Sequence[tuple[str, Mapping[str, str]]]) -> list[str]:
    """Agents that are one: with the same spec, or the same weights.

    Args:
        files: Spec of each agent, and the hashes of its files.
    """
    counts = Counter(spec for spec, _ in files)
    found = [
        f"agents: {spec} is there {count} times" for spec, count in counts.items() if count > 1
    ]
    first: dict[str, str] = {}
    for spec, hashes in files:
        for name in hashes.keys() - {MODEL_FILE}:
            other = first.setdefault(hashes[name], spec)
            if other != spec:
                found.append(f"agents: {other} and {spec} have the same {name}")
    return found


def _problems(submission: Submission, declared: Task) -> Iterator[str]:
    task, agents = submission.task, submission.agents
    yield from (f"task.{each}" for each in _not_the_task(task, declared))
    yield from duplicates_of([(entry.spec, entry.files) for entry in agents])
    for number, entry in enumerate(agents):
        yield from (f"agents.{number}.{each}" for each in _wrong_rows(entry, task, declared))
    worst = [worst_rows(entry.spec, entry.rows) for entry in agents]
    if len({tuple(row.role for row in rows) for rows in worst}) == 1:
        wanted = summarise(worst)
        if wanted != submission.summary:
            yield f"summary: must be {[each.model_dump() for each in wanted]}, by the worst rows"
    deviations = deviations_of(task, declared, submission.about, agents)
    if deviations != submission.deviations:
        yield f"deviations: must be {deviations}"
    if submission.official != (not deviations):
        yield f"official: must be {not deviations}"


def _not_the_task(task: Task, declared: Task) -> Iterator[str]:
    yield from differences(declared, task.rules_version, task.pool)
    for name in ("game", "options", "seed", "decisions", "seeds"):
        there, here = getattr(declared, name), getattr(task, name)
        if there != here:
            yield f"{name}={here!r}: must be {there!r}"
    for name in NUMBERS:
        if getattr(task, name) > getattr(declared, name):
            yield f"{name}={getattr(task, name)}: must be {getattr(declared, name)}, or less"


def _wrong_rows(entry: Entry, task: Task, declared: Task) -> Iterator[str]:
    """What is wrong with the rows of one agent."""
    wanted = _wanted_rows(entry, task, declared)
    if [(row.table, row.role) for row in entry.rows] != list(wanted):
        words = ", ".join(f"{table} as {role}" if role else table for table, role in wanted)
        yield f"rows: must be, in this order, against {words}"
        return
    for number, row in enumerate(entry.rows):
        games = wanted[row.table, row.role]
        if row.games != games:
            yield f"rows.{number}.games={row.games}: must be {games}"
        if not row.low <= row.share <= row.high:
            yield f"rows.{number}.share={row.share}: must be between low and high"
    if worst_rows(entry.spec, entry.rows) != entry.worst:
        yield "worst: must be the row with the lowest share, of each role"


def _wanted_rows(entry: Entry, task: Task, declared: Task) -> dict[tuple[str, str], int]:
    """Number of games of each row, by opponent and role."""
    game = load(declared.game)
    roles = game.seat_roles(declared.options)
    found = {}
    for table in declared.pool:
        for role in sorted(set(roles)):
            line_up = [1] * len(roles)
            line_up[roles.index(role)] = 0
            games = task.games_against(table, entry.deliberate)
            name = game.roles[role] if len(game.roles) > 1 else ""
            found[table, name] = len(table_schedule(line_up, roles, games))
    return {key: games for key, games in found.items() if key[0] != entry.spec}
