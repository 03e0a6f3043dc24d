"""Trainings of several stages: the order, what each starts from, interruptions, refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from gangland.agents.trained.policy import read_checkpoint
from gangland.training.checkpoint import save_checkpoint
from gangland.training.config import ConfigError, parse
from gangland.training.config_files import load_config
from gangland.training.folder_lock import RunError
from gangland.training.league import PRIOR_GAMES
from gangland.training.run import Outcome, Status, last_checkpoint
from gangland.training.selfplay import make_trainer
from gangland.training.stages import stages_of, train_stages
from tests.cli.runner import assert_refused
from tests.cli.runner import run as here

from .toy import toy_config


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes a toy configuration into the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, **changes: object) -> str:
        data = toy_config(steps=600, **changes).model_dump()
        Path(f"{name}.yaml").write_text(yaml.safe_dump(data))
        return f"{name}.yaml"

    return write


def test_one_command_trains_all_stages(capsys, monkeypatch, written):
    written("first")
    written("second", after="first.yaml")
    # The last stage learns nothing, so that what it started from can be seen in what it leaves.
    last = written("third", after="second.yaml", ppo={"learning_rate": 1e-30})
    done = here(capsys, monkeypatch, "train", last, "--quiet", "--steps", 300)
    assert done.code == 0, done.err
    folders = [Path("runs/third/first"), Path("runs/third/second"), Path("runs/third")]
    first, second, third = (read_checkpoint(last_checkpoint(folder)) for folder in folders)
    assert first.model["config"]["start_from"] is None
    assert second.model["config"]["start_from"] == str(first.folder)
    assert third.model["config"]["start_from"] == str(second.folder)
    assert first.model["steps"] >= 600
    assert 300 <= third.model["steps"] < 600  # what the command line says is of the last one
    same = {
        number: all(
            np.allclose(one.weights[role][layer], other.weights[role][layer], atol=1e-6)
            for role in one.weights
            for layer in one.weights[role]
        )
        for number, (one, other) in enumerate([(second, third), (first, third)])
    }
    assert same == {0: True, 1: False}


def test_a_stage_starts_from_the_mean_of_several(capsys, monkeypatch, written):
    written("first")
    written("second", after="first.yaml", seed=7)
    # Learns nothing, so that what it started from, and is taught by, can be seen in what it leaves.
    last = written(
        "third",
        after="second.yaml",
        start_from=["stage:first", "stage:second"],
        imitation={"teacher": "start", "until": 0.5},
        ppo={"learning_rate": 1e-30},
    )
    done = here(capsys, monkeypatch, "train", last, "--quiet")
    assert done.code == 0, done.err
    folders = [Path("runs/third/first"), Path("runs/third/second"), Path("runs/third")]
    first, second, third = (read_checkpoint(last_checkpoint(folder)) for folder in folders)
    assert third.model["config"]["start_from"] == str(Path("runs/third/start"))
    assert third.model["config"]["imitation"]["teacher"] == "ppo:runs/third/start"
    for role, layers in third.weights.items():
        for layer, mean in layers.items():
            one, other = first.weights[role][layer], second.weights[role][layer]
            np.testing.assert_allclose(mean, (one + other) / 2, atol=1e-6)
            assert not one.any() or not np.allclose(one, other, atol=1e-6), layer
    kept = read_checkpoint(Path("runs/third/start")).model
    assert (kept["steps"], kept["config"], kept["ratings"]) == (0, {}, [])
    again = here(capsys, monkeypatch, "train", last, "--quiet", "--resume", "--steps", 1200)
    assert again.code == 0, again.err


def test_a_mean_that_cannot_be_is_refused(capsys, monkeypatch, written):
    written("first")
    written("second", after="first.yaml", start_from="nothing", network={"shared": [8]})
    both = ["stage:first", "stage:second"]
    mean = written("mean", after="second.yaml", start_from=both)
    assert_refused(
        here(capsys, monkeypatch, "train", mean, "--quiet"),
        "start_from: runs/mean/second/checkpoints/",
        "its network must be that of runs/mean/first/checkpoints/",
        "differs in shared",
    )
    unknown = written("unknown", after="first.yaml", start_from=["stage:first", "stage:gone"])
    assert_refused(
        here(capsys, monkeypatch, "train", unknown), "start_from: stage:gone: must be am"
    )
    missing = written("missing", start_from=["runs/mean/first", "nowhere"])
    assert_refused(here(capsys, monkeypatch, "train", missing), "no checkpoint at 'nowhere'")
    other = written("other", start_from=["runs/mean/first", "chicago/bot"])
    assert_refused(here(capsys, monkeypatch, "train", other), "does not fit highcard")
    for wrong in (["runs/mean/first"], ["runs/mean/first", 2], [], 3, {"runs/mean/first": 1}):
        with pytest.raises(
            ConfigError, match="must be a checkpoint, stage:NAME, nothing, a list of"
        ):
            parse({"game": "highcard", "steps": 1, "start_from": wrong})
    config = toy_config(start_from=["runs/mean/first", "runs/mean/first"])
    with pytest.raises(ConfigError, match="the mean must be made first, as `gangland train` does"):
        make_trainer(config, "cpu")


def test_an_interrupted_training_goes_on_with_its_stage(written):
    written("first")
    name = written("second", after="first.yaml")
    stages = stages_of(name, toy_config(steps=600, after="first.yaml"))
    assert [name for name, _ in stages] == ["first", "second"]
    begun = []

    def train_one(stage, config, folder, go_on):
        begun.append((stage, config.start_from, go_on))
        trainer = make_trainer(config.model_copy(update={"start_from": None, "after": None}), "cpu")
        trainer.num_timesteps = 700 if len(begun) > 1 else 300
        kept = save_checkpoint(folder / "checkpoints", trainer, 1.0)
        return Outcome(kept, len(begun) != 1, Status())

    out = Path("run")
    assert not train_stages(stages, out, train_one).finished
    with pytest.raises(RunError, match="run holds a training run: --resume"):
        train_stages(stages, out, train_one)
    assert train_stages(stages, out, train_one, resume=True).finished
    assert train_stages(stages, out, train_one, resume=True).finished
    left = str(last_checkpoint(out / "first"))
    assert begun == [
        ("first", None, False),
        ("first", None, True),
        ("second", left, False),
        ("second", left, True),
    ]


def test_stages_that_cannot_be_are_refused(capsys, monkeypatch, written):
    written("one", after="two.yaml")
    one = written("two", after="one.yaml")
    message = "must not come after itself"
    assert_refused(here(capsys, monkeypatch, "train", one), message)
    written("alone")
    pair = written("pair", after="alone.yaml")
    words = ("train", pair, "--out", "nothing", "--resume")
    assert_refused(here(capsys, monkeypatch, *words), "no checkpoint to resume from")
    other = written("other", after="chicago")
    assert_refused(
        here(capsys, monkeypatch, "train", other), "'chicago': is of chicago, must be of highcard"
    )
    nowhere = written("nowhere", after="gone.yaml")
    assert_refused(here(capsys, monkeypatch, "train", nowhere), "no configuration 'gone.yaml'")
    for config in (toy_config(after="x.yaml"), toy_config(after="x.yaml", start_from="stage:w")):
        with pytest.raises(ConfigError, match=r"after='x.yaml': must be trained first, as `gangl"):
            make_trainer(config, "cpu")


def test_what_a_stage_starts_from_is_an_opponent(written):
    written("first")
    league = {"share": 1.0, "single_opponent": 1.0, "baselines": ["random", "start"], "size": 0}
    name = written("second", after="first.yaml", league=league)
    done = train_stages(
        stages_of(name, load_config(name)),
        Path("run"),
        lambda stage, config, folder, _: Outcome(
            save_checkpoint(folder / "checkpoints", played(config), 1.0), True, Status()
        ),
    )
    left = read_checkpoint(last_checkpoint(Path("run/first"))).folder
    config = read_checkpoint(done.folder).model["config"]
    assert config["start_from"] == str(left)
    assert config["league"]["baselines"] == ["random", f"ppo:{left}"]


def test_what_an_earlier_stage_left_is_an_opponent(written):
    written("first")
    written("second", after="first.yaml")
    league = {"share": 1.0, "single_opponent": 1.0, "baselines": ["stage:first"], "size": 0}
    name = written("third", after="second.yaml", league=league)
    config = trained_in_name_only(name)
    assert config["start_from"] == left_by("second")
    assert config["league"]["baselines"] == [f"ppo:{left_by('first')}"]


def test_a_stage_starts_from_a_checkpoint_or_an_earlier_stage_that_it_names(written):
    bot = save_checkpoint(Path("bot"), make_trainer(toy_config(), "cpu"), 1.0)
    written("first")
    written("second", after="first.yaml", start_from=str(bot), league={"baselines": ["start"]})
    league = {"baselines": ["start", "stage:second"]}
    name = written("third", after="second.yaml", start_from="stage:first", league=league)
    third = trained_in_name_only(name)
    second = read_checkpoint(last_checkpoint(Path("run/second"))).model["config"]
    assert second["start_from"] == str(bot)
    assert second["league"]["baselines"] == [f"ppo:{bot}"]
    assert third["start_from"] == left_by("first")
    left = [f"ppo:{left_by('first')}", f"ppo:{left_by('second')}"]
    assert third["league"]["baselines"] == left


def test_earlier_stages_teach(written):
    written("first")
    written("second", after="first.yaml")
    teacher = ["heuristic", "stage:first", "start"]
    name = written("third", after="second.yaml", imitation={"teacher": teacher})
    config = trained_in_name_only(name)
    known = ["heuristic", f"ppo:{left_by('first')}", f"ppo:{left_by('second')}"]
    assert config["imitation"]["teacher"] == known
    with pytest.raises(ConfigError, match=r"imitation\.teacher: start needs start_from or after"):
        toy_config(imitation={"teacher": "start"})
    with pytest.raises(ConfigError, match=r"imitation\.teacher: stage:first needs after"):
        toy_config(imitation={"teacher": "stage:first"})


def test_a_stage_may_start_from_nothing(written):
    small = {"shared": [8], "policy": [8], "value": [8]}
    written("first")
    league = {"baselines": ["stage:first"]}
    written("second", after="first.yaml", start_from="nothing", network=small, league=league)
    name = written("third", after="second.yaml", start_from="stage:first")
    third = trained_in_name_only(name)
    second = read_checkpoint(last_checkpoint(Path("run/second"))).model["config"]
    assert second["start_from"] == "nothing"
    assert second["league"]["baselines"] == [f"ppo:{left_by('first')}"]
    assert third["start_from"] == left_by("first")
    with pytest.raises(ConfigError, match=r"and no start_from=nothing"):
        toy_config(after="first.yaml", start_from="nothing", league={"baselines": ["start"]})


def trained_in_name_only(name):
    """The last stage's configuration, of stages that leave what they start from."""
    done = train_stages(
        stages_of(name, load_config(name)),
        Path("run"),
        lambda stage, config, folder, _: Outcome(
            save_checkpoint(folder / "checkpoints", make_trainer(config, "cpu"), 1.0),
            True,
            Status(),
        ),
    )
    return read_checkpoint(done.folder).model["config"]


def left_by(stage):
    return str(read_checkpoint(last_checkpoint(Path("run") / stage)).folder)


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("start_from", {"start_from": "stage:third"}),
        ("league.baselines", {"league": {"baselines": ["stage:third"]}}),
    ],
)
def test_a_stage_that_does_not_come_before_is_refused(written, key, changes):
    written("first")
    name = written("second", after="first.yaml", **changes)
    with pytest.raises(
        ConfigError, match=f"{key}: stage:third: must be among the stages before second: first"
    ):
        stages_of(name, load_config(name))
    with pytest.raises(ConfigError, match=f"{key}: stage:third needs after"):
        parse({"game": "gangsters", "steps": 1, **changes})


def played(config):
    """A trainer after a training in which every opponent has been met."""
    trainer = make_trainer(config, "cpu")
    trainer.learn(config.steps)
    assert min(member.games for member in trainer.collector.league.members) > PRIOR_GAMES
    return trainer


def test_start_stands_for_what_start_from_names():
    league = {"baselines": ["start"]}
    data = {"game": "gangsters", "steps": 1, "league": league}
    config = parse({**data, "start_from": "gangsters/builder"})
    assert config.league.baselines == ["ppo:gangsters/builder"]
    with pytest.raises(ConfigError, match=r"league.baselines: start needs start_from or after"):
        parse(data)
