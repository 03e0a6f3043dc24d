"""Plays a task: the row of each agent against the frozen pool, and what that was measured on."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...agents.base import Agent
from ...agents.registry import make
from ...agents.trained.model_file import MODEL_FILE, decisions_of, read_model
from ...envs import load
from ...envs.core.game import Game
from ..hashes import checkpoint_of, hashes_of
from ..ladder import Cell, play_rows, track_of
from ..play import Progress
from ..workers import Workers
from .check import deviations_of, duplicates_of
from .submission import (
    FORMAT,
    About,
    Entry,
    Machine,
    Row,
    Submission,
    SubmissionError,
    check_spec,
)
from .summary import summarise, worst_rows
from .tasks import Task, check_pool

MOST_AGENTS = 10
"""Most training seeds of a result."""


class _Entrant(NamedTuple):
    """An agent, with what its files were before the games: a training may go on beside them."""

    agent: Agent
    files: dict[str, str]
    decisions: int | None


def play_task(
    task: Task,
    specs: Sequence[str],
    about: About | None = None,
    *,
    decisions: int | None = None,
    games: int | None = None,
    search_games: int | None = None,
    workers: int | Workers = 1,
    progress: Progress | None = None,
    kept: Path | None = None,
) -> Submission:
    """Play each agent against the pool of a task.

    Args:
        task: The task.
        specs: The agent of each training seed.
        about: What the authors say of it.
        decisions: Decisions that agents without a checkpoint learnt from; those of checkpoints are
            counted.
        games: Games of each row, for a try-out; those of the task by default.
        search_games: Likewise, of a row in which an agent searches or is remote.
        workers: Threads, or other workers; the rows are the same for any number.
        progress: Called with the number of games that have ended.
        kept: Folder in which each finished row is kept, so that the same call can continue.

    Raises:
        SubmissionError: If there are too many agents, two of them are one, a spec cannot stand in a
            file, a number of games is larger than the task's, or decisions are given for a
            checkpoint.
        PoolError: If what is installed is not what the task froze.
        GanglandError: For an unknown agent, a number of games out of range, or an illegal action.
    """
    played = task.model_copy(
        update={
            "games": _number("games", games, task.games),
            "search_games": _number("search games", search_games, task.search_games),
        }
    )
    game = load(task.game)
    pool = check_pool(task, game)
    entrants = _entrants(specs, game, decisions)
    started = time.monotonic()
    cells = play_rows(
        game,
        [entrant.agent for entrant in entrants],
        pool,
        games=played.games,
        search_games=played.search_games,
        seed=task.seed,
        workers=workers,
        progress=progress,
        kept=kept,
        **task.options,
    )
    seconds = round(time.monotonic() - started, 1)
    entries = [_entry(entrant, cells) for entrant in entrants]
    about = about or About()
    deviations = deviations_of(played, task, about, entries)
    return Submission(
        format=FORMAT,
        task=played,
        about=about,
        official=not deviations,
        deviations=deviations,
        agents=entries,
        summary=summarise([entry.worst for entry in entries]),
        seconds=seconds,
        machine=_machine(),
    )


def _entrants(specs: Sequence[str], game: Game, decisions: int | None) -> list[_Entrant]:
    """The agents, once it is sure that a result can be written of them."""
    if not 1 <= len(specs) <= MOST_AGENTS:
        raise SubmissionError(f"{len(specs)} agents: must be 1 to {MOST_AGENTS}")
    found = []
    for spec in specs:
        agent = make(spec, game)
        check_spec(agent.spec)
        found.append(_Entrant(agent, hashes_of(agent), _decisions(agent, decisions)))
    if doubles := duplicates_of([(each.agent.spec, each.files) for each in found]):
        raise SubmissionError("; ".join(doubles))
    return found


def _number(name: str, asked: int | None, most: int) -> int:
    """A number of games, at most the task's."""
    if asked is None:
        return most
    if asked > most:
        raise SubmissionError(f"{name}={asked}: must be {most}, the task's, or less for a try-out")
    return asked


def _decisions(agent: Agent, stated: int | None) -> int | None:
    """Decisions that an agent's lineage learnt from: counted, or stated where there is no count."""
    folder = checkpoint_of(agent)
    if folder is None:
        return stated
    if stated is not None:
        raise SubmissionError(f"decisions={stated}: those of {agent.spec} are counted")
    return decisions_of(read_model(folder / MODEL_FILE))


def _entry(entrant: _Entrant, cells: Sequence[Cell]) -> Entry:
    agent = entrant.agent
    rows = [_row(cell) for cell in cells if cell.one == agent.spec]
    return Entry(
        spec=agent.spec,
        track=track_of(agent),
        deliberate=agent.deliberate,
        decisions=entrant.decisions,
        files=entrant.files,
        rows=rows,
        worst=worst_rows(agent.spec, rows),
    )


def _row(cell: Cell) -> Row:
    """A cell with shares of four digits, from which all else is computed."""
    values = asdict(cell)
    del values["one"]
    return Row(**values | {key: round(values[key], 4) for key in ("share", "low", "high")})


def _machine() -> Machine:
    return Machine(
        processor=processor(),
        cores=cores(),
        system=platform.system(),
        python=platform.python_version(),
        numpy=np.__version__,
        torch=version_of("torch"),
        gangland=version_of("gangland") or "",
    )


def processor() -> str:
    """Name of the processor, in plain characters."""
    return re.sub(r"[^ \w().,@/+-]", "", _name(), flags=re.ASCII)[:200]


def _name() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if "model name" in line:
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def cores() -> int:
    """Cores of the machine."""
    return os.cpu_count() or 1


def version_of(package: str) -> str | None:
    """Version of an installed distribution; ``None`` if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
