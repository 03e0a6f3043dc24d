"""The benchmark's tasks: versions, the networks they froze, what is played and summarised."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from gangland.agents.baseline.random import RandomAgent
from gangland.agents.registry import make
from gangland.agents.trained.model_file import MODEL_FILE, WEIGHTS_FILE, decisions_of
from gangland.agents.trained.policy import load_checkpoint
from gangland.arena.benchmark import (
    PoolError,
    SubmissionError,
    bootstrap_interval,
    check_pool,
    find_task,
    hashes_of,
    next_version,
    play_task,
    write_tasks,
)
from gangland.arena.benchmark import play as benchmark_play
from gangland.arena.benchmark.tasks import newest
from gangland.arena.ladder import play_ladder
from gangland.envs import load
from tests.agents.checkpoints import change_model, write_checkpoint
from tests.games import TOY
from tests.training.toy import two_roles  # noqa: F401

from .conftest import ABOUT, toy_task

# --- versions and frozen networks -----------------------------------------------------------------


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


# --- what a task plays, and how its result is summarised ------------------------------------------


def test_rows_are_those_of_the_ladder(submission, task, specs):
    ladder = play_ladder(TOY, list(task.pool), specs[:1], games=60, mixed_games=30, seed=task.seed)
    cells = {cell.table: cell for cell in ladder.row(specs[0]) if cell.table in task.pool}
    rows = submission.agents[0].rows
    assert [row.table for row in rows] == list(task.pool)
    for row in rows:
        cell = cells[row.table]
        wanted = (round(number, 4) for number in (cell.share, cell.low, cell.high))
        assert (row.share, row.low, row.high) == tuple(wanted)
        assert (row.games, row.role) == (cell.games, cell.role)


def test_the_file_holds_all_that_was_played(submission, task, specs):
    assert submission.task == task
    assert [entry.spec for entry in submission.agents] == specs
    assert submission.official
    assert submission.deviations == []
    for entry in submission.agents:
        model = load_checkpoint(entry.spec).model
        assert entry.decisions == decisions_of(model)
        assert entry.track == "observation"
        assert len(entry.files) == 2
        assert entry.worst == [min(entry.rows, key=lambda row: row.share)]
    (summary,) = submission.summary
    worst = [entry.worst[0].share for entry in submission.agents]
    assert summary.mean == pytest.approx(np.mean(worst), abs=1e-4)
    assert (summary.low, summary.high, summary.best) == (min(worst), max(worst), max(worst))
    assert submission.machine.cores >= 1
    assert submission.machine.numpy == np.__version__
    assert submission.seconds >= 0


def test_it_is_the_same_with_any_number_of_workers_and_goes_on(submission, task, specs, tmp_path):
    again = play_task(task, specs, ABOUT, workers=3, kept=tmp_path)
    assert again.agents == submission.agents
    assert len(list(tmp_path.iterdir())) == 9
    once_more = play_task(task, specs, ABOUT, kept=tmp_path)
    assert once_more.agents == submission.agents
    assert len(list(tmp_path.iterdir())) == 9


def test_the_lineage_counts(task, tmp_path):
    folder = write_checkpoint(tmp_path / "heir", load(TOY), seed=9)
    change_model(folder, steps=400, lineage=[{"network": "abc", "steps": 700}])
    (entry,) = play_task(task, [f"ppo:{folder}"], games=3).agents
    assert entry.decisions == 1100
    with pytest.raises(SubmissionError, match=r"decisions=5: those of ppo:.* are counted"):
        play_task(task, [f"ppo:{folder}"], decisions=5)


def test_files_are_those_that_played_though_a_training_goes_on(task, tmp_path):
    folder = write_checkpoint(tmp_path / "run", load(TOY), seed=9)

    def replace(ended, total):
        write_checkpoint(folder, load(TOY), seed=10)

    (before,) = play_task(task, [f"ppo:{folder}"], games=3).agents
    (entry,) = play_task(task, [f"ppo:{folder}"], games=3, progress=replace).agents
    assert entry == before
    (after,) = play_task(task, [f"ppo:{folder}"], games=3).agents
    assert after.files != before.files


def test_what_is_not_official_says_why(task, specs):
    found = play_task(task, specs[:1], games=6, search_games=3)
    assert not found.official
    assert found.deviations == [
        "games=6: must be 60",
        "search_games=3: must be 12",
        "about: name, authors, link must be given",
        "agents: 1 of an agent that learns, must be of 3 training seeds",
    ]
    (summary,) = found.summary
    assert (summary.low, summary.high) == (None, None)
    # A search does not learn; stated decisions say that an agent does.
    assert play_task(task, ["ismcts:5"], ABOUT).official
    stated = play_task(task, ["ismcts:5"], ABOUT, decisions=7)
    assert stated.agents[0].decisions == 7
    assert [row.games for row in stated.agents[0].rows] == [12] * 3
    assert not stated.official


def test_a_member_of_the_pool_does_not_meet_itself(task):
    (entry,) = play_task(task, ["heuristic"], games=3).agents
    assert [row.table for row in entry.rows] == [spec for spec in task.pool if spec != "heuristic"]


def test_each_role_has_rows_and_a_summary_of_its_own(two_roles, file_of_tasks):  # noqa: F811
    game = load(two_roles)
    task = toy_task(["random"], game=two_roles, options=game.options.resolve({}))
    found = play_task(task, ["ismcts:5"])
    assert [row.role for row in found.agents[0].rows] == ["dealer", "guest"]
    assert found.agents[0].worst == found.agents[0].rows
    assert [summary.role for summary in found.summary] == ["dealer", "guest"]


def test_a_spec_that_no_file_can_hold_is_named_before_anything_is_played(task, monkeypatch):
    monkeypatch.setattr(benchmark_play, "play_rows", None)
    monkeypatch.setattr(RandomAgent, "spec", "random<b>")
    with pytest.raises(SubmissionError, match="agent 'random<b>': must be of 1 to 500 characters"):
        play_task(task, ["random"])


def test_bad_input_is_named(task, specs):
    for arguments, message in (
        ({"games": 61}, "games=61: must be 60, the task's, or less"),
        ({"search_games": 13}, "search games=13: must be 12"),
    ):
        with pytest.raises(SubmissionError, match=message):
            play_task(task, specs, **arguments)
    with pytest.raises(SubmissionError, match="0 agents: must be 1 to 10"):
        play_task(task, [])
    with pytest.raises(SubmissionError, match="agents: random is there 2 times"):
        play_task(task, ["random", "random"])


def test_one_network_twice_is_no_second_training(task, checkpoints, tmp_path):
    copy = write_checkpoint(tmp_path / "copy", load(TOY), seed=1)
    message = f"agents: ppo:{checkpoints[1]} and ppo:{copy} have the same policy.safetensors"
    with pytest.raises(SubmissionError, match=message):
        play_task(task, [f"ppo:{checkpoints[1]}", f"ppo:{copy}"])


@pytest.mark.parametrize("runs", [2, 3, 5, 10])
def test_the_interval_is_that_of_many_draws(runs):
    """Against samples that are drawn, as rliable draws them: each stratum by itself."""
    rng = np.random.default_rng(runs)
    scores = rng.random((runs, 2))
    drawn = rng.integers(runs, size=(50_000, runs, 2))
    means = np.take_along_axis(scores[None], drawn, axis=1).mean(axis=1)
    wanted = np.quantile(means, [0.025, 0.975], axis=0, method="inverted_cdf")
    found = bootstrap_interval(scores)
    assert found.shape == (2, 2)
    np.testing.assert_allclose(found, wanted, atol=0.005)


def test_three_trainings_span_from_the_worst_to_the_best():
    scores = np.array([[0.3, 0.5], [0.1, 0.5], [0.2, 0.5]])
    np.testing.assert_allclose(bootstrap_interval(scores), [[0.1, 0.5], [0.3, 0.5]])
