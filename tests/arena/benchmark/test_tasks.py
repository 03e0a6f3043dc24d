"""Versions of a task, and the networks that it froze."""

from __future__ import annotations

import hashlib
import json

import pytest

from gangland.agents.registry import make
from gangland.agents.trained.model_file import MODEL_FILE, WEIGHTS_FILE
from gangland.arena.benchmark import (
    PoolError,
    check_pool,
    find_task,
    hashes_of,
    next_version,
    play_task,
    write_tasks,
)
from gangland.arena.benchmark.tasks import newest
from gangland.envs import load
from tests.agents.checkpoints import change_model, write_checkpoint
from tests.games import TOY

from .conftest import toy_task


def test_hashes_are_of_what_plays(tmp_path):
    game = load(TOY)
    folder = write_checkpoint(tmp_path / "bot", game)

    def found(spec=f"ppo:{folder}"):
        return hashes_of(make(spec, game))

    before = found()
    weights = (folder / WEIGHTS_FILE).read_bytes()
    assert before[WEIGHTS_FILE] == hashlib.sha256(weights).hexdigest()
    change_model(folder, ratings=[{"baseline": "x", "players": 3, "win_share": 0.5, "par": 0.2}])
    assert found() == before
    change_model(folder, temperature=1.0)
    assert found()[MODEL_FILE] != before[MODEL_FILE]
    write_checkpoint(folder, game, seed=1)
    assert found()[WEIGHTS_FILE] != before[WEIGHTS_FILE]
    assert found("heuristic") == found("ismcts:5") == {}
    change_model(write_checkpoint(folder, game, chances=4))
    assert set(found(f"search:{folder}?20")) == set(before)
    bot = tmp_path / "bot.py"
    bot.write_text("def act(view):\n    return view.legal_actions[0]\n")
    assert found(str(bot)) == {"bot.py": hashlib.sha256(bot.read_bytes()).hexdigest()}


@pytest.fixture
def frozen(file_of_tasks, tmp_path):
    """A task whose rival can be replaced."""
    rival = write_checkpoint(tmp_path / "rival", load(TOY))
    task = toy_task(["random", f"ppo:{rival}"])
    write_tasks([task])
    return task, rival


def test_another_network_is_refused_and_the_version_is_named(frozen):
    task, rival = frozen
    game = load(TOY)
    assert [agent.spec for agent in check_pool(task, game)] == list(task.pool)
    assert next_version(task) == task
    write_checkpoint(rival, game, seed=1)
    wanted = task.pool[f"ppo:{rival}"][WEIGHTS_FILE][:12]
    with pytest.raises(PoolError) as caught:
        play_task(task, ["heuristic"])
    message = str(caught.value)
    assert f"toy-3@1: pool: {WEIGHTS_FILE} of ppo:{rival} is " in message
    assert f"must be {wanted}..." in message
    assert "needs toy-3@2, which is not declared yet" in message
    assert "python -m docs.make_benchmark --raise toy-3" in message
    write_tasks([task, next_version(task)])
    with pytest.raises(PoolError, match="What is installed is the pool of toy-3@2"):
        check_pool(task, game)
    assert check_pool(find_task("toy-3@2"), game)


def test_a_bot_that_does_not_ship_any_more_is_named(frozen):
    task, rival = frozen
    (rival / WEIGHTS_FILE).unlink()
    with pytest.raises(PoolError, match=rf"pool: ppo:{rival} is missing\. .* needs toy-3@2"):
        check_pool(task, load(TOY))
    change_model(rival, rules_version=99)
    with pytest.raises(PoolError, match=rf"pool: ppo:{rival} is missing\. .* needs toy-3@2"):
        check_pool(task, load(TOY))


def test_other_rules_are_refused(frozen):
    task, _ = frozen
    older = task.model_copy(update={"rules_version": task.rules_version - 1})
    with pytest.raises(PoolError, match=f"rules_version is {task.rules_version}, must be "):
        check_pool(older, load(TOY))


def test_a_raised_version_keeps_all_but_what_is_new(frozen):
    task, _ = frozen
    raised = next_version(task, ["random", "heuristic"])
    assert raised.name == "toy-3@2"
    assert raised.pool == {"random": {}, "heuristic": {}}
    assert raised.model_copy(update={"name": task.name, "pool": task.pool}) == task
    write_tasks([task, raised])
    assert newest("toy-3") == raised


def test_the_script_raises_a_version(frozen, monkeypatch, file_of_tasks):
    made = pytest.importorskip("docs.make_benchmark")
    task, rival = frozen
    made.raise_version("toy-3")
    assert len(json.loads(file_of_tasks.read_text())) == 1
    write_checkpoint(rival, load(TOY), seed=1)
    made.raise_version("toy-3")
    names = [values["name"] for values in json.loads(file_of_tasks.read_text())]
    assert names == ["toy-3@1", "toy-3@2"]
    assert find_task("toy-3@1") == task
