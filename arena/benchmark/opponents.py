"""The opponents of a task, and whether those that are installed are what the task froze."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from ...agents.base import Agent
from ...agents.registry import make
from ...agents.trained.model_file import CheckpointError
from ...envs.core.errors import GanglandError
from ...envs.core.game import Game
from ..hashes import hashes_of
from .tasks import Task, all_tasks


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
