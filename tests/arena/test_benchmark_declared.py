"""The tasks as they are declared, and the networks that ship."""

from __future__ import annotations

import pytest

from gangland.agents.registry import make, shipped
from gangland.arena.benchmark import TaskError, all_tasks, find_task, hashes_of
from gangland.arena.benchmark.tasks import newest
from gangland.envs import load
from tests.games import OURS

BASES = ["gangsters-5", "five-points-5", "crime-lords-5", "chicago-5"]


def test_every_game_has_a_task_and_versions_ascend():
    assert list(dict.fromkeys(task.base for task in all_tasks())) == BASES
    assert {newest(base).game for base in BASES} == set(OURS)
    for base in BASES:
        versions = [task.version for task in all_tasks() if task.base == base]
        assert versions == list(range(1, len(versions) + 1))


@pytest.mark.parametrize("base", BASES)
def test_the_newest_version_is_of_the_rules_and_networks_that_ship(base):
    task = newest(base)
    game = load(task.game)
    say = f"run: python -m docs.make_benchmark --raise {base}"
    assert (task.rules_version, task.options) == (game.rules_version, game.options.resolve({})), say
    trained = [spec for spec in task.pool if spec.startswith("ppo:")]
    assert f"ppo:{shipped(task.game)[-1]}" in trained
    for spec in trained:
        assert hashes_of(make(spec, game)) == task.pool[spec], say
    assert {"random", "heuristic"} < set(task.pool)
    assert all(not task.pool[spec] for spec in task.pool if spec not in trained)


def test_an_unknown_task_is_named_with_all_there_are():
    for name in ("chicago-5", "chicago-5@99", "chess"):
        with pytest.raises(TaskError, match=rf"no task '{name}': must be one of gangsters-5@1, "):
            find_task(name)
    with pytest.raises(TaskError, match="no task 'chess': must be one of gangsters-5, "):
        newest("chess")


def test_more_decisions_than_the_budget_belong_to_the_open_task():
    task = find_task("chicago-5@1")
    assert task.division(task.decisions) == task.division(None) == "chicago-5@1"
    assert task.division(task.decisions + 1) == "chicago-5-open@1"
