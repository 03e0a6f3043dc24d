"""What a run logs to TensorBoard besides its metrics."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from gangland.envs.core.errors import MissingDependencyError
from gangland.training import summary
from gangland.training.run import train
from gangland.training.selfplay import make_trainer
from tests.training.toy import toy_config

ROOT = Path(__file__).resolve().parents[2]
EVALUATED = {"evaluation": {"every": 4, "baselines": ["random"], "final_games": 0, "games": 40}}


def logged(folder):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = accumulator.EventAccumulator(str(folder), {"images": 0, "tensors": 0, "scalars": 0})
    return events.Reload()


def text_of(events, key):
    return events.Tensors(key)[-1].tensor_proto.string_val[0].decode()


def test_tensorboard_has_hyper_parameters_texts_and_a_table(tmp_path):
    pytest.importorskip("resvg_py")
    from PIL import Image

    config = toy_config(**EVALUATED)
    train(config, tmp_path / "run")
    events = logged(tmp_path / "run" / "tensorboard")
    tags = events.Tags()
    assert "_hparams_/session_start_info" in events.summary_metadata
    raw = events.summary_metadata["_hparams_/session_start_info"].plugin_data.content
    assert b"ppo.learning_rate" in raw
    assert b"network.shared" in raw
    assert "game: highcard" in text_of(events, "text/config/text_summary")
    text = text_of(events, "text/card/text_summary")
    assert "| random |" in text
    assert "eval/worst_row" in tags["scalars"]
    import io

    picture = Image.open(io.BytesIO(events.Images("table")[-1].encoded_image_string))
    assert picture.width == summary.WIDTH


def test_every_curve_is_explained(tmp_path):
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    patterns = re.findall(r"`(\w+/[\w*]+)`", page.partition("## What a run logs")[2])
    config = toy_config(
        ppo={"averaging": 0.5, "magnet": 0.1},
        imitation={"until": 0.3},
        league={"baselines": ["heuristic"]},
        **EVALUATED,
    )
    train(config, tmp_path / "run")
    curves = logged(tmp_path / "run" / "tensorboard").Tags()["scalars"]
    assert [tag for tag in curves if not any(fnmatch(tag, p) for p in patterns)] == []
    assert [p for p in patterns if not any(fnmatch(tag, p) for tag in curves)] == []


def test_the_table_is_that_of_a_finished_match_and_changes_nothing(monkeypatch):
    shown = []
    monkeypatch.setattr(summary, "rgb_array", lambda svg, width: shown.append(svg) or np.zeros(3))
    trainer = make_trainer(toy_config(), "cpu")
    before = json.dumps(trainer.collector.state_dict(), default=repr)
    assert summary.final_table(trainer) is not None
    assert summary.final_table(trainer) is not None
    assert shown[0] == shown[1]
    assert json.dumps(trainer.collector.state_dict(), default=repr) == before
    trainer.collector.close()


def test_there_is_no_table_without_the_render_extra(monkeypatch):
    def missing(svg, width):
        raise MissingDependencyError("no resvg")

    monkeypatch.setattr(summary, "rgb_array", missing)
    trainer = make_trainer(toy_config(), "cpu")
    assert summary.final_table(trainer) is None
    trainer.collector.close()


def test_hyper_parameters_are_plain_values():
    found = summary.flat(toy_config(ppo={"learning_rate": {"start": 0.01, "end": 0.001}}))
    assert found["ppo.learning_rate.start"] == 0.01
    assert found["network.shared"] == "[24]"
    assert found["minutes"] == "null"
