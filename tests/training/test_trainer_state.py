"""``trainer.pt`` from somebody else: it runs nothing, and what does not fit the run is refused."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")

import torch as th

from gangland.agents.trained.model_file import CheckpointError
from gangland.envs import load
from gangland.training.checkpoint import resume, save_checkpoint
from gangland.training.run import train
from gangland.training.selfplay import make_trainer
from tests.agents.checkpoints import HOSTILE, fill
from tests.games import TOY

from .toy import toy_config

CONFIG = {"steps": 2000, "league": {"size": 2, "snapshot_every": 1}, "ppo": {"averaging": 0.9}}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = train(toy_config(**CONFIG), tmp_path_factory.mktemp("run"), device="cpu").folder
    state = th.load(folder / "trainer.pt", weights_only=True)
    names = [member["name"] for member in state["collector"]["league"]["members"]]
    assert names[0] == "random"
    assert names[-1].startswith("snapshot-")
    return folder


@pytest.fixture
def copy(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "copy")


def go_on(folder: Path, **changes) -> None:
    trainer = make_trainer(toy_config(**{**CONFIG, **changes}), "cpu")
    try:
        resume(folder, trainer)
    finally:
        trainer.collector.close()


def edit(folder: Path, change) -> None:
    path = folder / "trainer.pt"
    state = th.load(path, weights_only=True)
    change(state)
    th.save(state, path)


def at(state, *keys):
    for key in keys:
        state = state[key]
    return state


def put(*keys, value):
    def change(state):
        at(state, *keys[:-1])[keys[-1]] = value

    return change


def drop(*keys):
    def change(state):
        del at(state, *keys[:-1])[keys[-1]]

    return change


def turn(*keys, by):
    """Replace a tensor, or the array in ``{"array": tensor}``, by a changed one."""

    def change(state):
        place, key = at(state, *keys[:-1]), keys[-1]
        if isinstance(place[key], dict):
            place, (key,) = place[key], place[key]
        place[key] = by(place[key].clone())

    return change


def last_entry(value):
    def by(tensor):
        tensor.view(-1)[-1] = value
        return tensor

    return by


def seat_of_the_first_table(value):
    def by(tensor):
        tensor[0, load(TOY).dtype.fields["seat"][1]] = value
        return tensor

    return by


LEARNER = ("learners", 0)
FIRST = (*LEARNER, "network", "policy.head.weight")
MOMENT = (*LEARNER, "optimizer", "state", 0)
OWN = ("tables", 0)
BUFFER = (*OWN, "buffers", 0, "open")
GROUP = (*OWN, "workers", 0, "group")
TABLES = (*GROUP, "kinds", 0)
LEAGUE = ("collector", "league")
SNAPSHOT = (*LEAGUE, "members", -1)

DAMAGES = {
    "narrow": (turn(*FIRST, by=lambda t: t[:, :-1]), "policy.head.weight"),
    "transposed": (turn(*FIRST, by=lambda t: t.T.contiguous()), "policy.head.weight"),
    "double": (turn(*FIRST, by=lambda t: t.double()), "policy.head.weight"),
    "nan": (turn(*FIRST, by=last_entry(float("nan"))), "policy.head.weight"),
    "text": (put(*FIRST, value="1.0"), "policy.head.weight"),
    "missing": (drop(*FIRST), "learners.0.network"),
    "extra": (put(*LEARNER, "network", "more", value=th.zeros(3)), "learners.0.network"),
    "average": (
        turn(*LEARNER, "average", "module.value.head.bias", by=lambda t: t[:0]),
        "learners.0.average.module.value.head.bias",
    ),
    "moment": (turn(*MOMENT, "exp_avg", by=lambda t: t[:1]), "state.0.exp_avg"),
    "moment infinite": (turn(*MOMENT, "exp_avg_sq", by=last_entry(float("inf"))), "exp_avg_sq"),
    "moment of nothing": (put(*LEARNER, "optimizer", "state", 99, value={}), "state.99"),
    "beta": (put(*LEARNER, "optimizer", "param_groups", 0, "betas", value="x"), "betas"),
    "parameters": (put(*LEARNER, "optimizer", "param_groups", 0, "params", value=[0]), "params"),
    "buffer narrow": (turn(*BUFFER, "inputs", by=lambda t: t[:, 1:]), "open.inputs"),
    "buffer rows": (turn(*BUFFER, "rewards", by=lambda t: t[:-1]), "open.rewards"),
    "buffer action": (turn(*BUFFER, "actions", by=last_entry(10**6)), "open.actions"),
    "buffer negative action": (turn(*BUFFER, "actions", by=last_entry(-1)), "open.actions"),
    "buffer link": (turn(*BUFFER, "last", by=last_entry(2**40)), "open.last"),
    "buffer link below": (turn(*BUFFER, "last", by=last_entry(-(2**40))), "open.last"),
    "buffer tables": (turn(*BUFFER, "last", by=lambda t: t[:-1]), "open.last"),
    "no buffer": (drop(*BUFFER), "tables.0.buffers"),
    "buffer chance": (put(*OWN, "buffers", 0, "rng", value="x"), "trainer.pt"),
    "learners": (put("learners", value=[]), "learners"),
    "steps": (put("steps", value="1"), "steps"),
    "steps negative": (put("steps", value=-1), "steps"),
    "seconds": (put("seconds", value=float("nan")), "seconds"),
    "progress": (put("progress", value=float("inf")), "progress"),
    "tables": (put("tables", value="x"), "tables"),
    "workers": (put(*OWN, "workers", value=[]), "tables.0.workers"),
    "controllers": (turn(*GROUP, "controllers", by=last_entry(77)), "controllers"),
    "controllers below": (turn(*GROUP, "controllers", by=lambda t: t - 9), "controllers"),
    "controllers absent": (turn(*GROUP, "controllers", by=lambda t: t * 0), "controllers"),
    "states": (turn(*TABLES, "states", by=lambda t: t[:, :-1]), "kinds.0.states"),
    "states fewer": (turn(*TABLES, "states", by=lambda t: t[1:]), "kinds.0.states"),
    "a seat that is not": (turn(*TABLES, "states", by=seat_of_the_first_table(99)), "states"),
    "nobody's seat": (turn(*TABLES, "states", by=seat_of_the_first_table(255)), "states"),
    "states of zeros": (turn(*TABLES, "states", by=lambda t: t * 0), "states"),
    "seeds": (turn(*TABLES, "table_seeds", by=lambda t: t[1:]), "table_seeds"),
    "wins": (turn("collector", "seat_wins", by=lambda t: t[:1]), "seat_wins"),
    "no members": (put(*LEAGUE, value={}), "members"),
    "members": (put(*LEAGUE, "members", value="random"), "members"),
    "a member's layer": (
        turn(*SNAPSHOT, "weights", "player", "policy.head.weight", by=lambda t: t[:-1]),
        "policy.head.weight",
    ),
    "a member's infinity": (
        turn(*SNAPSHOT, "weights", "player", "policy.head.bias", by=last_entry(float("inf"))),
        "policy.head.bias",
    ),
    "a member's role": (put(*SNAPSHOT, "weights", value={}), "weights"),
    "a member's games": (put(*SNAPSHOT, "games", value=0.0), "games"),
    "a member more": (put(*SNAPSHOT, "command", value="touch x"), "members"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_does_not_fit_is_refused_by_name(copy, damage):
    change, word = DAMAGES[damage]
    edit(copy, change)
    with pytest.raises(CheckpointError) as refused:
        go_on(copy)
    assert word in str(refused.value)
    assert str(copy) in str(refused.value)


def test_what_fits_is_gone_on_from(copy):
    edit(copy, lambda state: None)
    go_on(copy)


@pytest.mark.parametrize("name", HOSTILE, ids=repr)
def test_a_member_of_a_league_is_built_in_or_the_configurations_own(copy, name):
    file = copy.parent / "touched"
    name = fill(name, copy, file)
    member = {"name": name, "weights": None, "wins": 1.0, "games": 2.0}
    edit(copy, put(*LEAGUE, "members", 0, value=member))
    with pytest.raises(CheckpointError, match=r"members\.0\.name.* one of random, heuristic"):
        go_on(copy)
    assert not file.exists()


def test_a_member_that_the_configuration_names_itself_goes_on(copy):
    member = {"name": "ismcts:3", "weights": None, "wins": 1.0, "games": 2.0}
    edit(copy, put(*LEAGUE, "members", 0, value=member))
    go_on(copy, league={**CONFIG["league"], "baselines": ["random", "ismcts:3"]})


class Bomb:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


@pytest.mark.parametrize("how", ["object", "cut", "garbage", "empty", "gone"])
def test_a_file_that_is_no_state_is_refused(copy, how):
    path, touched = copy / "trainer.pt", copy.parent / "touched"
    whole = path.read_bytes()
    if how == "object":
        th.save({"steps": Bomb(touched)}, path)
    elif how == "gone":
        path.unlink()
    else:
        path.write_bytes(
            {"cut": whole[: len(whole) // 2], "garbage": b"x" * 999, "empty": b""}[how]
        )
    with pytest.raises(CheckpointError, match=r"trainer\.pt"):
        go_on(copy)
    assert not touched.exists()


@pytest.mark.parametrize(
    "config", [{}, {"network": 7}, {"network": {}, "ppo": None}, {"league": {"baselines": "cmd:x"}}]
)
def test_a_damaged_configuration_in_the_checkpoint_is_refused(copy, config):
    model = json.loads((copy / "model.json").read_text())
    (copy / "model.json").write_text(json.dumps({**model, "config": config}))
    with pytest.raises(CheckpointError, match=r"model\.json"):
        go_on(copy)


def test_damaged_weights_are_not_gone_on_from(copy):
    (copy / "policy.safetensors").write_bytes(b"")
    with pytest.raises(CheckpointError, match=r"policy\.safetensors"):
        go_on(copy)


def test_a_checkpoint_that_cannot_be_written_leaves_nothing_half_made(tmp_path, monkeypatch):
    trainer = make_trainer(toy_config(), "cpu")
    trainer.collector.collect(0.0)
    before = save_checkpoint(tmp_path, trainer, 0.0)
    trainer.num_timesteps += 1

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(CheckpointError, match=r"step-0+1 cannot be written: .*No space left"):
            save_checkpoint(tmp_path, trainer, 0.0)
    assert list(tmp_path.iterdir()) == [before]
    assert save_checkpoint(tmp_path, trainer, 0.0).name > before.name
    trainer.collector.close()
