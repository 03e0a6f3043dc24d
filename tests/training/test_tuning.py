"""``gangland tune``: what is tried, what is refused, what is reported; and real searches."""

from __future__ import annotations

import json
import logging
import math
import sys

import numpy as np
import pytest

from gangland.agents.registry import make
from gangland.envs import load
from gangland.training.config import ConfigError
from gangland.training.config.files import with_changes
from gangland.training.tuning import (
    Dimension,
    Point,
    Space,
    SpaceError,
    Trial,
    Tuning,
    as_json,
    as_table,
    read_space,
    save_plot,
    tune,
)
from gangland.training.tuning.search import TuneError
from gangland.training.tuning.space import parse_space
from tests.cli.runner import assert_refused, run
from tests.games import TOY
from tests.training.ray_cluster import patient
from tests.training.toy import toy_config

SPACE = """
ppo.learning_rate: {loguniform: [1e-4, 1.0e-2]}
ppo.gae_lambda: {uniform: [0.9, 1]}
ppo.epochs: {randint: [1, 4]}
network.shared: {choice: [[16], [24, 8]]}
"""


@pytest.fixture
def space(tmp_path):
    (tmp_path / "space.yaml").write_text(SPACE)
    return read_space(tmp_path / "space.yaml")


def data(**changes):
    return toy_config(**changes).model_dump()


def test_values_are_drawn_as_the_file_says(space):
    assert [each.key for each in space.dimensions] == [
        "ppo.learning_rate", "ppo.gae_lambda", "ppo.epochs", "network.shared",
    ]  # fmt: skip
    drawn = space.draw(2000, seed=1)
    rates, lambdas, epochs, widths = ([one[d.key] for one in drawn] for d in space.dimensions)
    assert 1e-4 <= min(rates) < max(rates) <= 1e-2
    # Evenly by orders of magnitude: as many below the geometric mean as above.
    assert np.mean(np.array(rates) < 1e-3) == pytest.approx(0.5, abs=0.05)
    assert 0.9 <= min(lambdas) < max(lambdas) < 1.0
    assert np.mean(lambdas) == pytest.approx(0.95, abs=0.005)
    assert set(epochs) == {1, 2, 3}
    assert all(widths.count(value) > 800 for value in ([16], [24, 8]))
    config = with_changes(data(), drawn[0])
    assert config.ppo.learning_rate == rates[0]
    assert config.network.shared == widths[0]


def test_the_seed_decides_what_is_drawn_and_more_trials_begin_with_the_same(space):
    assert space.draw(9, seed=3)[:4] == space.draw(4, seed=3) != space.draw(4, seed=4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must hold keys"),
        ("- ppo.epochs", "must hold keys"),
        ("ppo.epochs: [", "cannot be read"),
        ("7: {choice: [1]}", "7: must be a key of the configuration"),
        ("ppo.epochs: 3", "ppo.epochs=3: must be {KIND: [VALUES]}"),
        ("ppo.epochs: {choice: [1], randint: [1, 2]}", "must be {KIND: [VALUES]}"),
        ("ppo.epochs: {normal: [1, 2]}", "unknown kind 'normal': must be one of uniform"),
        ("ppo.epochs: {choice: 3}", "choice=3: must be a list"),
        ("ppo.epochs: {choice: []}", "must be a list"),
        ("ppo.epochs: {randint: [1, 2.5]}", "must be two numbers, the smaller one first"),
        ("ppo.gae_lambda: {uniform: [1, 0.5]}", "must be two numbers, the smaller one first"),
        ("ppo.gae_lambda: {uniform: [1]}", "must be two numbers"),
        ("ppo.gae_lambda: {uniform: [low, high]}", "must be two numbers"),
        ("ppo.gae_lambda: {uniform: [0, .inf]}", "must be two numbers"),
        ("ppo.entropy: {loguniform: [0, 1]}", "both numbers must be above 0"),
    ],
)
def test_files_that_make_no_sense_are_refused(tmp_path, text, words):
    path = tmp_path / "space.yaml"
    path.write_text(text)
    with pytest.raises(SpaceError) as caught:
        read_space(path)
    assert words in str(caught.value)
    assert "space.yaml" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"ppo.learnig_rate": {"choice": [1]}}, "unknown key ppo.learnig_rate: must be one of ta"),
        ({"pop.epochs": {"choice": [1]}}, "unknown key pop: must be one of game"),
        ({"ppo.epochs": {"randint": [0, 4]}}, "ppo.epochs=0"),
        ({"ppo.gae_lambda": {"uniform": [0.9, 1.5]}}, "ppo.gae_lambda=1.5"),
        ({"network.activation": {"choice": ["relu", "gelu"]}}, "network.activation='gelu'"),
    ],
)
def test_keys_and_values_that_the_configuration_does_not_allow_are_named(given, words):
    with pytest.raises(SpaceError) as caught:
        parse_space(given).check(data())
    assert words in str(caught.value)


def test_values_that_are_allowed_pass(space):
    space.check(data())


def test_a_search_is_refused_before_anything_starts(space, tmp_path):
    evaluated = {"evaluation": {"every": 2}}
    with pytest.raises(TuneError, match=r"evaluation\.every"):
        tune(data(), space, tmp_path / "a")
    for words in ({"samples": 0}, {"grace": 0.0}, {"factor": 1.0}, {"parallel": 0}):
        with pytest.raises(TuneError):
            tune(data(**evaluated), space, tmp_path / "a", **words)
    together = parse_space({"ppo.magnet": {"choice": [0.0, 0.1]}})
    with pytest.raises((SpaceError, ConfigError), match=r"needs an imitation, or ppo\.averaging"):
        tune(data(**evaluated), together, tmp_path / "a")
    assert not (tmp_path / "a").exists()
    (tmp_path / "b" / "trials").mkdir(parents=True)
    with pytest.raises(TuneError, match="holds a search"):
        tune(data(**evaluated), space, tmp_path / "b")


def made_up(objective="worst"):
    space = Space((Dimension("ppo.epochs", "choice", (2, 4)),
                   Dimension("ppo.entropy", "loguniform", (1e-3, 1e-1))))  # fmt: skip
    trials = [
        Trial(0, {"ppo.epochs": 2, "ppo.entropy": 0.002}, "ppo:a",
              [Point(50, 100, 0.8), Point(100, 200, 1.1)], "finished"),
        Trial(1, {"ppo.epochs": 4, "ppo.entropy": 0.05}, "ppo:b",
              [Point(50, 100, 0.5)], "ended early"),
        Trial(2, {"ppo.epochs": 4, "ppo.entropy": 0.01}, "ppo:c",
              [Point(50, 100, 0.9), Point(100, 200, 1.4)], "finished"),
        Trial(3, {"ppo.epochs": 4, "ppo.entropy": 0.03}, "ppo:d", [], "failed", "it burnt"),
    ]  # fmt: skip
    return Tuning(TOY, objective, space, 0, trials)


def test_the_best_of_those_that_came_furthest_is_first():
    assert [trial.number for trial in made_up().ranked] == [2, 0, 1, 3]
    assert [trial.number for trial in made_up("exploit").ranked] == [0, 2, 1, 3]


def test_reports(tmp_path):
    found = json.loads(as_json(made_up()))
    assert found["space"]["ppo.epochs"] == {"choice": [2, 4]}
    assert [trial["value"] for trial in found["trials"]] == [1.4, 1.1, 0.5, None]
    assert found["trials"][0]["points"][1] == {"percent": 100, "decisions": 200, "value": 1.4}
    assert as_table(made_up()).row_count == 4
    save_plot(made_up(), tmp_path / "tune.svg")
    assert "<svg" in (tmp_path / "tune.svg").read_text()


def test_the_command_refuses_what_it_cannot_do(capsys, monkeypatch, tmp_path):
    path = tmp_path / "space.yaml"
    path.write_text("ppo.epoch: {choice: [1]}")
    words = ["tune", "chicago", "--space", path, "--out", tmp_path / "out"]
    assert_refused(run(capsys, monkeypatch, *words), "unknown key ppo.epoch: must be one of")
    assert_refused(run(capsys, monkeypatch, *words, "--samples", 0), "--samples")
    assert_refused(run(capsys, monkeypatch, *words[:2]), "--space")
    assert_refused(run(capsys, monkeypatch, *words, "--plot", "x.txt"), "must end in")
    path.write_text("ppo.epochs: {choice: [1]}")
    monkeypatch.setitem(sys.modules, "ray", None)
    done = run(capsys, monkeypatch, *words)
    assert_refused(done, "Ray is not installed: pip install 'gangland[ray]'")
    assert "--ray" not in done.err


# --- real searches --------------------------------------------------------------------------------


@pytest.fixture
def two_processors():
    """A cluster of this machine that gives out two processors."""
    ray = pytest.importorskip("ray", reason="needs gangland[ray]")
    patient()
    ray.init(
        address="local",
        num_cpus=2,
        object_store_memory=100_000_000,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    yield
    ray.shutdown()


CONFIG = """
game: highcard
steps: 12000
threads: 1
network: {shared: [24], policy: [16], value: [16]}
ppo: {tables: 32, steps: 8, batch_size: 128}
league: {baselines: [random], size: 2, active: 1}
evaluation: {every: 10, games: 200, baselines: [random], final_games: 0}
"""


@pytest.mark.slow
@pytest.mark.usefixtures("two_processors")
def test_four_trials(capsys, monkeypatch, tmp_path):
    """A rate of next to nothing learns nothing; the best one learns."""
    (tmp_path / "toy.yaml").write_text(CONFIG)
    (tmp_path / "space.yaml").write_text("ppo.learning_rate: {choice: [1.0e-12, 3.0e-3]}")
    out, file, plot = (tmp_path / name for name in ("out", "found.json", "found.svg"))
    words = ["tune", tmp_path / "toy.yaml", "--space", tmp_path / "space.yaml", "--samples", 4]
    done = run(capsys, monkeypatch, *words, "--out", out, "--json", file, "--plot", plot,
               "--seed", 5, "--grace", 30)  # fmt: skip
    assert done.code == 0, done.err
    found = json.loads(file.read_text())
    best, *others = found["trials"]
    assert len(others) == 3
    assert best["changes"] == {"ppo.learning_rate": 3e-3}
    assert best["state"] == "finished"
    assert best["value"] > 1.1
    assert {one["changes"]["ppo.learning_rate"] for one in others} == {1e-12, 3e-3}
    assert all(one["state"] in ("finished", "ended early") for one in others)
    assert all(math.isfinite(one["value"]) for one in others)
    percents = [point["percent"] for point in best["points"]]
    assert percents == sorted(set(percents))
    assert len(percents) >= 3
    assert percents[-1] == 100
    assert make(best["spec"], load(TOY))
    assert f"The best bot is {best['spec']}" in done.out.replace("\n", "")
    assert "<svg" in plot.read_text()
    assert not (out / "ray").exists()
    assert_refused(run(capsys, monkeypatch, *words, "--out", out), "holds a search")


@pytest.mark.slow
@pytest.mark.usefixtures("two_processors")
def test_the_exploit_figure_is_the_objective(tmp_path):
    """What has learnt is exploited less than what plays at random."""
    space = parse_space({"ppo.learning_rate": {"choice": [1e-12, 3e-3]}})
    config = data(threads=1, steps=12_000, evaluation={"every": 30, "games": 300})
    found = tune(
        config,
        space,
        tmp_path / "out",
        samples=2,
        seed=next(s for s in range(99) if len({str(d) for d in space.draw(2, s)}) == 2),
        objective="exploit",
        exploit_decisions=20_000,
        grace=100,
    )
    assert [trial.state for trial in found.trials] == ["finished"] * 2
    assert found.ranked[0].changes["ppo.learning_rate"] == 3e-3
    assert 0 < found.ranked[0].value < found.ranked[1].value
