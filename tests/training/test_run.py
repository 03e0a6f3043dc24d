"""Checkpoints, resuming, interruption."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from gangland.agents.trained.policy import CheckpointError, find_checkpoint, read_checkpoint
from gangland.envs import load
from gangland.training.run import RunError, last_checkpoint, train

from .toy import toy_config


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
