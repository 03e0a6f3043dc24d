"""For tests of the benchmark: a task of the toy game, and a result of it."""

from __future__ import annotations

import pytest

from gangland.agents.registry import make
from gangland.arena.benchmark import About, Task, all_tasks, hashes_of, play_task, write_tasks
from gangland.arena.benchmark import tasks as declared
from gangland.envs import load
from tests.agents.checkpoints import write_checkpoint
from tests.games import TOY

ABOUT = About(name="Mine", authors="A. Author", link="https://example.org/code")


def toy_task(pool, **changes):
    game = load(TOY)
    values = {
        "name": "toy-3@1",
        "game": TOY,
        "rules_version": game.rules_version,
        "options": game.options.resolve({}),
        "seed": 3,
        "games": 60,
        "search_games": 12,
        "decisions": 1000,
        "seeds": 3,
        "pool": {spec: hashes_of(make(spec, game)) for spec in pool},
    }
    return Task(**{**values, **changes})


@pytest.fixture(scope="module")
def file_of_tasks(tmp_path_factory):
    """Tasks are declared in a file that tests can change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(declared, "FILE", tmp_path_factory.mktemp("tasks") / "tasks.json")
        yield declared.FILE
    all_tasks.cache_clear()


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    """The frozen rival, and an agent of three training seeds."""
    root = tmp_path_factory.mktemp("checkpoints")
    names = ("rival", "one", "two", "three")
    return [write_checkpoint(root / name, load(TOY), seed=k) for k, name in enumerate(names)]


@pytest.fixture(scope="module")
def task(file_of_tasks, checkpoints):
    found = toy_task(["random", "heuristic", f"ppo:{checkpoints[0]}"])
    write_tasks([found])
    return found


@pytest.fixture(scope="module")
def specs(checkpoints):
    return [f"ppo:{folder}" for folder in checkpoints[1:]]


@pytest.fixture(scope="module")
def submission(task, specs):
    return play_task(task, specs, ABOUT)
