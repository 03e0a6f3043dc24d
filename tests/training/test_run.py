"""Runs: checkpoints, interruption, resuming as started, and the last good checkpoint kept."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import numpy as np
import pytest
import yaml

pytest.importorskip("sb3_contrib")

from gangland.agents.trained.policy import CheckpointError, find_checkpoint, read_checkpoint
from gangland.envs import load
from gangland.training.checkpoint import DivergedError, save_checkpoint
from gangland.training.config import ConfigError, parse
from gangland.training.config.files import changed_keys
from gangland.training.run import RunError, last_checkpoint, train
from gangland.training.selfplay import make_trainer
from tests.cli.runner import assert_refused
from tests.cli.runner import run as here

from .test_train_command import interrupted
from .toy import toy_config

# --- checkpoints and interruption -----------------------------------------------------------------


def weights(folder: Path) -> dict[str, np.ndarray]:
    from safetensors.numpy import load_file

    return load_file(folder / "policy.safetensors")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    return out, train(toy_config(), out, device="cpu")


def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path, finished):
    config = toy_config()
    _, whole = finished
    part = train(config, tmp_path, device="cpu", stop=lambda s: s.steps > 2500)
    assert not part.finished
    assert 2500 < part.status.steps < 4000
    stopped = weights(part.folder)
    rest = train(config, tmp_path, device="cpu", resume=True)
    assert rest.finished
    assert rest.status.steps == whole.status.steps >= 6000
    one, two = weights(whole.folder), weights(rest.folder)
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name], two[name]) for name in one)
    name = "player/shared.0.weight"
    assert not np.array_equal(one[name], stopped[name])


def test_the_magnet_of_the_imitation_is_kept(tmp_path):
    config = toy_config(ppo={"magnet": 0.5}, imitation={"until": 0.2})
    whole = train(config, tmp_path / "whole", device="cpu")
    part = train(config, tmp_path / "part", device="cpu", stop=lambda s: s.steps > 2500)
    assert not part.finished
    rest = train(config, tmp_path / "part", device="cpu", resume=True)
    one, two = weights(whole.folder), weights(rest.folder)
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_a_run_is_not_overwritten(finished):
    out, _ = finished
    with pytest.raises(RunError, match="--resume"):
        train(toy_config(), out, device="cpu")


def test_two_trainings_do_not_share_a_folder(tmp_path):
    out, other = tmp_path / "out", tmp_path / "other"
    refused = []

    def second(status):
        other.symlink_to(out)
        for again in (out, other):
            for resume in (False, True):
                with pytest.raises(RunError, match=f"in use by process {os.getpid()} on") as error:
                    train(toy_config(), again, device="cpu", resume=resume)
                refused.append(str(error.value))
        return True

    train(toy_config(), out, device="cpu", stop=second)
    assert len(refused) == 4
    assert str(out) in refused[0]
    assert str(other) in refused[3]
    # What has ended is in nobody's way, whether it ended well or not.
    with pytest.raises(ValueError, match="broken"):
        train(toy_config(), out, device="cpu", resume=True, report=broken)
    assert train(toy_config(), out, device="cpu", resume=True).finished


def broken(status):
    raise ValueError("broken")


def test_a_folder_that_cannot_be_locked(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="cannot be locked"):
        train(toy_config(), tmp_path / "file", device="cpu")
    with pytest.raises(CheckpointError, match="no checkpoint"):
        train(toy_config(), tmp_path / "typo", resume=True)
    assert not (tmp_path / "typo").exists()


def test_nothing_to_resume(tmp_path):
    with pytest.raises(CheckpointError, match="no checkpoint"):
        train(toy_config(), tmp_path, resume=True)


def test_resuming_with_another_network_is_refused(finished):
    out, _ = finished
    with pytest.raises(CheckpointError, match=r"network\.shared was \[24\], now \[25\]"):
        train(toy_config(network={"shared": [25]}), out, resume=True)
    with pytest.raises(CheckpointError, match=r"options was \{.*\}, now \{players: 3\}$"):
        train(toy_config(options={"players": 3}), out, resume=True)


def test_model_json_says_what_it_is(finished):
    out, outcome = finished
    assert find_checkpoint(str(out)) == outcome.folder == last_checkpoint(out)
    model = read_checkpoint(outcome.folder).model
    game = load("highcard")
    assert model["game"] == "highcard"
    assert model["rules_version"] == game.rules_version
    assert model["observation_size"] == game.observation_size
    assert model["network"] == {
        "shared": [24],
        "policy": [16],
        "value": [16],
        "items": {},
        "chances": 0,
    }
    assert model["steps"] == outcome.status.steps
    assert model["config"]["ppo"]["tables"] == 32


def test_half_written_checkpoints_are_not_seen(tmp_path, finished):
    _, outcome = finished
    draft = tmp_path / "checkpoints" / ".draft-step-000000009999-1"
    draft.mkdir(parents=True)
    (draft / "model.json").write_text(json.dumps({"format_version": 1}))
    assert last_checkpoint(tmp_path) is None
    good = tmp_path / "checkpoints" / "step-000000000001"
    good.mkdir()
    for name in ("model.json", "policy.safetensors", "trainer.pt"):
        (good / name).write_bytes((outcome.folder / name).read_bytes())
    assert last_checkpoint(tmp_path) == find_checkpoint(str(tmp_path)) == good


def test_trainer_state_holds_no_objects(finished):
    """``torch.load`` with ``weights_only`` refuses anything but tensors and plain values."""
    import torch

    _, outcome = finished
    state = torch.load(outcome.folder / "trainer.pt", weights_only=True)
    assert state["steps"] == outcome.status.steps
    assert next(m["name"] for m in state["collector"]["league"]["members"]) == "random"


# --- ``--resume``; a run that diverges keeps its last good checkpoint -----------------------------


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
        "options: [{}] (was [{players: 2}])",
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
    assert_refused(nothing, f"{out} does not exist: name the one it was started with")
    assert not out.exists()
    words = ("--out", out, "--steps", 300)
    assert here(capsys, monkeypatch, "train", config, *words).code == 0
    other = here(capsys, monkeypatch, "train", "chicago", "--out", out, "--resume")
    assert_refused(other, "is a training of highcard, chicago is one of chicago")


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
        next(network.parameters()).data[0, 0] = float("nan")
    with pytest.raises(DivergedError, match=rf"{part}\..* of role player is not finite"):
        save_checkpoint(tmp_path, trainer, 0.0)
    assert not any(tmp_path.iterdir())
