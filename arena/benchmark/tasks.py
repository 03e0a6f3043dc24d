"""The benchmark's tasks: what is played, how often, and against whom.

They are declared in ``tasks.json``, which only grows: a task that is played differently, or against
other networks, is a new version. :func:`next_version` makes it,
``python -m docs.make_benchmark --raise chicago-5`` writes it.

A task is played with the rules and networks that it froze, or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ...agents.base import Agent
from ...agents.registry import make
from ...agents.trained.model_file import CheckpointError
from ...envs import load
from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ...envs.core.integers import MAX_GAMES, MAX_SEED
from ..hashes import Hashes, hashes_of
from ..ladder import SEARCH

FILE = Path(str(files(__package__))) / "tasks.json"
OPEN = "open"
"""Word in the name of a task that is played after more training than its budget."""


class TaskError(GanglandError, ValueError):
    """There is no such task, or it cannot be declared."""


class Task(BaseModel):
    """One version of a task.

    Attributes:
        name: Its name and version, ``chicago-5@1``.
        game: Name of the game.
        rules_version: Version of its rules, and so of its heuristics and of random play.
        options: All of the game's options.
        seed: Seed of deals and players.
        games: Games of each row.
        search_games: Games of a row in which the agent or the opponent searches or is remote.
        decisions: Training budget: decisions of the whole lineage.
        seeds: Trainings that a result of agents that learn is of.
        pool: The opponents by spec, each with the hashes of its network; none for agents that the
            rules' version determines.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*@[1-9][0-9]{0,3}$")]
    game: Annotated[str, Field(max_length=60)]
    rules_version: Annotated[int, Field(ge=0)]
    options: dict[str, int | str | bool]
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)]
    search_games: Annotated[int, Field(ge=1, le=MAX_GAMES)]
    decisions: Annotated[int, Field(ge=1)]
    seeds: Annotated[int, Field(ge=1, le=10)]
    pool: Annotated[dict[str, Hashes], Field(min_length=1)]

    @property
    def base(self) -> str:
        """The name without the version, ``chicago-5``."""
        return self.name.partition("@")[0]

    @property
    def version(self) -> int:
        """The version, from 1 on."""
        return int(self.name.partition("@")[2])

    def games_against(self, opponent: str, deliberate: bool) -> int:
        """Games of a row, before they are rounded up to full rotations.

        Args:
            opponent: Spec of the opponent.
            deliberate: Whether the agent searches or is remote.
        """
        return self.search_games if deliberate or opponent == SEARCH else self.games

    def division(self, decisions: int | None) -> str:
        """The task's name for agents that learnt from so many decisions.

        >>> find_task("chicago-5@1").division(6_000_000)
        'chicago-5-open@1'
        """
        within = decisions is None or decisions <= self.decisions
        return self.name if within else f"{self.base}-{OPEN}@{self.version}"


@cache
def all_tasks() -> tuple[Task, ...]:
    """All tasks in all versions; those of a task in ascending order."""
    return tuple(Task(**values) for values in json.loads(FILE.read_text(encoding="utf-8")))


def find_task(name: str) -> Task:
    """The task of this name.

    Raises:
        TaskError: Naming all tasks.
    """
    tasks = {task.name: task for task in all_tasks()}
    if name not in tasks:
        raise TaskError(f"no task {name!r}: must be one of {', '.join(tasks)}")
    return tasks[name]


def newest(base: str) -> Task:
    """The newest version of a task.

    Raises:
        TaskError: Naming all tasks.
    """
    found = [task for task in all_tasks() if task.base == base]
    if not found:
        known = ", ".join(dict.fromkeys(task.base for task in all_tasks()))
        raise TaskError(f"no task {base!r}: must be one of {known}")
    return found[-1]


def next_version(task: Task, pool: Sequence[str] = ()) -> Task:
    """A task with today's rules and networks, as its next version; itself if nothing differs.

    Args:
        task: Its newest version.
        pool: Specs of the opponents; those of the newest version by default.

    Raises:
        GanglandError: If an option or an agent does not exist any more.
    """
    game = load(task.game)
    changes = {
        "rules_version": game.rules_version,
        "options": game.options.resolve(task.options),
        "pool": {spec: hashes_of(make(spec, game)) for spec in pool or task.pool},
    }
    today = task.model_copy(update=changes)
    if today == task:
        return task
    return today.model_copy(update={"name": f"{task.base}@{task.version + 1}"})


def write_tasks(tasks: Sequence[Task]) -> None:
    """Write the declarations of all tasks."""
    text = json.dumps([task.model_dump() for task in tasks], indent=1)
    FILE.write_text(text + "\n", encoding="utf-8")
    all_tasks.cache_clear()


class PoolError(GanglandError, ValueError):
    """A task cannot be played with the rules and networks that are installed."""


def check_pool(task: Task, game: Game) -> list[Agent]:
    """The opponents of a task, once it is sure that they are those that it froze.

    Raises:
        PoolError: Naming all that differs, and which version of the task is needed.
    """
    agents = _installed(task, game)
    if differs := _differs(task, game, agents):
        raise PoolError(f"{task.name}: {'; '.join(differs)}. {_advice(task, game)}")
    return list(agents.values())


def _installed(task: Task, game: Game) -> dict[str, Agent]:
    """The opponents that are there and fit the game, by spec."""
    found = {}
    for spec in task.pool:
        # An older version may name a bot that does not ship any more, or is of other rules.
        with suppress(CheckpointError):
            found[spec] = make(spec, game)
    return found


def _differs(task: Task, game: Game, agents: Mapping[str, Agent]) -> list[str]:
    pool = {spec: hashes_of(agent) for spec, agent in agents.items()}
    return differences(task, game.rules_version, pool)


def differences(task: Task, rules_version: int, pool: Mapping[str, Mapping[str, str]]) -> list[str]:
    """What of rules and opponents is not as the task says, in words.

    Args:
        task: The task.
        rules_version: Version of the rules.
        pool: Hashes of the files of each opponent, by spec.
    """
    found = []
    if rules_version != task.rules_version:
        found.append(f"rules_version is {rules_version}, must be {task.rules_version}")
    for spec in sorted(task.pool.keys() - pool.keys()):
        found.append(f"pool: {spec} is missing")
    for spec in sorted(pool.keys() - task.pool.keys()):
        found.append(f"pool: {spec} must not be there")
    for spec in [spec for spec in task.pool if spec in pool]:
        for file in sorted({*task.pool[spec], *pool[spec]}):
            there, here = task.pool[spec].get(file), pool[spec].get(file)
            if there != here:
                found.append(f"pool: {file} of {spec} is {_short(here)}, must be {_short(there)}")
    return found


def _advice(task: Task, game: Game) -> str:
    """Which version of a task goes with what is installed."""
    for other in reversed(all_tasks()):
        if other.base == task.base and not _differs(other, game, _installed(other, game)):
            return (
                f"What is installed is the pool of {other.name}: play that, or install the "
                f"release that brings the pool of {task.name}"
            )
    following = max(each.version for each in (task, *all_tasks()) if each.base == task.base) + 1
    return (
        f"What is installed needs {task.base}@{following}, which is not declared yet: in a clone, "
        f"python -m docs.make_benchmark --raise {task.base}"
    )


def _short(digest: str | None) -> str:
    return "none" if digest is None else f"{digest[:12]}..."
