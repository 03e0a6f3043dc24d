"""A run resumes as it was started; one that diverges keeps its last good checkpoint."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest
import yaml

pytest.importorskip("sb3_contrib")

from gangland.agents.trained.policy import read_checkpoint
from gangland.training.checkpoint import DivergedError, save_checkpoint
from gangland.training.config import ConfigError, parse
from gangland.training.config.kept import changed_keys
from gangland.training.run import last_checkpoint
from gangland.training.selfplay import make_trainer
from tests.cli.runner import assert_refused
from tests.cli.runner import run as here

from .test_train_command import interrupted
from .toy import toy_config


@pytest.fixture
def config(tmp_path) -> Path:
    path = tmp_path / "toy.yaml"
    settings = toy_config(checkpoint_minutes=0).model_dump()
    path.write_text(yaml.safe_dump(settings))
    return path


def stored(out):
    return read_checkpoint(last_checkpoint(out)).model


def test_a_run_resumes_from_its_own_configuration(capsys, monkeypatch, config, tmp_path):
    """Whatever the file says by then, or whether it is still there."""
    out = tmp_path / "out"
    words = ("--out", out, "--steps", 600, "--seed", 7, "--set", "ppo.entropy=0.07")
    assert here(capsys, monkeypatch, "train", config, *words).code == 0
    ended = stored(out)["steps"]
    config.write_text(config.read_text().replace("epochs: 4", "epochs: 3"))
    again = here(capsys, monkeypatch, "train", config, "--out", out, "--resume")
    assert again.code == 0, again.err
    assert "with changes" not in again.err
    assert stored(out)["steps"] == ended  # it had come to its end
    config.unlink()
    longer = here(
        capsys, monkeypatch, "train", "--out", out, "--resume", "--steps", 1200,
        "--set", "ppo.epochs=2",
    )  # fmt: skip
    assert longer.code == 0, longer.err
    differences = longer.err.partition("with changes:\n")[2].splitlines()[:2]
    assert sorted(line.strip() for line in differences) == [
        "ppo.epochs: 2 (was 4)",
        "steps: 1200 (was 600)",
    ]
    model = stored(out)
    assert model["steps"] >= 1200
    assert model["config"]["seed"] == 7
    assert model["config"]["ppo"]["entropy"] == 0.07
    # What was changed once stays.
    kept = yaml.safe_load((out / "config.yaml").read_text())
    assert (kept["steps"], kept["ppo"]["epochs"]) == (1200, 2)


def test_a_refused_resume_does_not_say_that_it_resumes(capsys, monkeypatch, config, tmp_path):
    out = tmp_path / "out"
    assert here(capsys, monkeypatch, "train", config, "--out", out, "--steps", 300).code == 0
    words = ("--out", out, "--resume", "--set", "ppo.tables=7")
    done = here(capsys, monkeypatch, "train", *words)
    assert_refused(done, "tables")
    assert "Resuming" not in done.err


def test_what_resuming_changes_is_listed_as_it_could_be_given():
    before = toy_config(ppo={"entropy": {"start": 0.02, "end": 0.002}}, options={"players": 2})
    after = toy_config(
        ppo={"entropy": 0.01, "clip_range": {"start": 0.2, "end": 0.1}},
        imitation={"until": 0.3},
    )
    assert sorted(changed_keys(before, after)) == [
        "imitation: {until: 0.3, decisions: 3000000} (was null)",
        "options.players: not given (was 2)",
        "ppo.clip_range: {start: 0.2, end: 0.1, until: 1.0} (was 0.2)",
        "ppo.entropy: 0.01 (was {start: 0.02, end: 0.002, until: 1.0})",
    ]
    linear = toy_config(ppo={"entropy": {"start": 0.03, "end": 0.002}}, options={"players": 2})
    assert list(changed_keys(before, linear)) == ["ppo.entropy.start: 0.03 (was 0.02)"]


@pytest.mark.parametrize("change", ["network.shared=[8]", "game=chicago"])
def test_a_refused_change_leaves_the_run_as_it_was(capsys, monkeypatch, config, tmp_path, change):
    out = tmp_path / "out"
    assert here(capsys, monkeypatch, "train", config, "--out", out, "--steps", 300).code == 0
    kept = (out / "config.yaml").read_bytes()
    refused = here(capsys, monkeypatch, "train", "--out", out, "--resume", "--set", change)
    assert refused.code == 2, refused
    assert (out / "config.yaml").read_bytes() == kept
    going_on = ("train", "--out", out, "--resume", "--steps", 600)
    assert here(capsys, monkeypatch, *going_on).code == 0
    assert stored(out)["steps"] >= 600


def test_resuming_needs_the_run_it_names(capsys, monkeypatch, config, tmp_path):
    assert_refused(here(capsys, monkeypatch, "train", "--resume"), "CONFIG is missing")
    assert_refused(here(capsys, monkeypatch, "train"), "CONFIG is missing")
    out = tmp_path / "out"
    nothing = here(capsys, monkeypatch, "train", "--out", out, "--resume")
    assert_refused(nothing, f"{out} keeps no configuration")
    assert not out.exists()
    words = ("--out", out, "--steps", 300)
    assert here(capsys, monkeypatch, "train", config, *words).code == 0
    other = here(capsys, monkeypatch, "train", "chicago", "--out", out, "--resume")
    assert_refused(other, "is a training of highcard, chicago of chicago")


def test_the_hint_can_be_pasted(capsys, monkeypatch, config, tmp_path):
    """With a folder that a shell would take apart, and all that the run was given."""
    out = tmp_path / "run ä 'one'"
    stdout = interrupted(out, config, "--steps", 10_000_000, "--device", "cpu", "--seed", 3)
    line = next(line for line in stdout.splitlines() if "gangland train" in line)
    words = shlex.split(line)
    assert words[:2] == ["gangland", "train"]
    assert words[2:] == [str(config), "--out", str(out), "--resume", "--device", "cpu"]
    steps = stored(out)["steps"]
    done = here(capsys, monkeypatch, *words[1:], "--steps", steps + 500)
    assert done.code == 0, done.err
    assert stored(out)["steps"] >= steps + 500
    assert stored(out)["config"]["seed"] == 3
    play = next(line for line in done.out.splitlines() if "gangland play" in line)
    assert shlex.split(play)[-1] == f"ppo:{out}"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("ppo.learning_rate", float("nan"), "ppo.learning_rate=nan: must be a finite number"),
        ("ppo.learning_rate", float("inf"), "ppo.learning_rate=inf: must be a finite number"),
        ("ppo.learning_rate", -1, "ppo.learning_rate=-1.0: must be above 0"),
        ("ppo.learning_rate", 0, "ppo.learning_rate=0.0: must be above 0"),
        ("ppo.learning_rate", {"start": 1e-3, "end": -1e-3}, "must be at least 0"),
        ("ppo.learning_rate", {"start": float("nan"), "end": 0}, "ppo.learning_rate.start=nan"),
        ("ppo.clip_range", 0, "ppo.clip_range=0.0: must be above 0"),
        ("ppo.clip_range", -1, "ppo.clip_range=-1.0: must be above 0"),
        ("ppo.clip_range", {"start": 0.2, "end": 0.0}, "{start: 0.2, end: 0.0}: must be above 0"),
        ("ppo.entropy", -0.1, "ppo.entropy=-0.1: must be at least 0"),
        ("ppo.gae_lambda", float("nan"), "ppo.gae_lambda=nan"),
        ("minutes", float("nan"), "minutes=nan"),
        ("minutes", float("inf"), "minutes=inf"),
    ],
)
def test_schedules_and_numbers_are_checked(key, value, message):
    folder, _, leaf = key.rpartition(".")
    data = {
        "game": "highcard",
        "steps": 10,
        **({folder: {leaf: value}} if folder else {key: value}),
    }
    with pytest.raises(ConfigError) as refused:
        parse(data)
    assert message in str(refused.value)


def test_a_rate_may_fall_to_zero():
    parse({"game": "highcard", "steps": 1, "ppo": {"learning_rate": {"start": 0.1, "end": 0}}})


def test_a_training_that_diverges_keeps_its_last_good_checkpoint(
    capsys, monkeypatch, config, tmp_path
):
    out = tmp_path / "out"
    assert here(capsys, monkeypatch, "train", config, "--out", out, "--steps", 600).code == 0
    good = last_checkpoint(out)
    wild = ("--set", "ppo.learning_rate=1e38")
    done = here(capsys, monkeypatch, "train", "--out", out, "--resume", "--steps", 10**7, *wild)
    assert_refused(done, "the training has diverged: after", "is not finite", str(good))
    assert last_checkpoint(out) == good
    # It goes on from there with a better rate.
    better = ("--set", "ppo.learning_rate=1e-3")
    words = ("--out", out, "--resume", "--steps", stored(out)["steps"] + 300, *better)
    done = here(capsys, monkeypatch, "train", *words)
    assert done.code == 0, done.err
    weights = read_checkpoint(last_checkpoint(out)).weights
    assert all(np.isfinite(a).all() for layers in weights.values() for a in layers.values())


@pytest.mark.parametrize("part", ["network", "optimizer", "average"])
def test_nothing_that_is_not_finite_is_saved(tmp_path, part):
    trainer = make_trainer(toy_config(ppo={"averaging": 0.9}), "cpu")
    trainer.learn(600)
    learner = trainer.learners[0]
    if part == "optimizer":
        state = next(iter(learner.optimizer.state.values()))
        state["exp_avg"].view(-1)[0] = float("inf")
    else:
        network = learner.network if part == "network" else learner.average
        next(network.parameters()).data.view(-1)[0] = float("nan")
    with pytest.raises(DivergedError, match=rf"{part}\..* of role player is not finite"):
        save_checkpoint(tmp_path, trainer, 0.0)
    assert not any(tmp_path.iterdir())
