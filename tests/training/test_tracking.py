"""What a run logs to TensorBoard, Weights & Biases and MLflow."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

pytest.importorskip("torch")

from gangland.envs.core.errors import MissingDependencyError
from gangland.training.run import train
from gangland.training.selfplay import make_trainer
from gangland.training.tracking import SERVICES, summary, trackers
from tests.training.toy import toy_config

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


def test_wandb_offline(tmp_path, monkeypatch):
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    out = tmp_path / "run"
    train(toy_config(**EVALUATED), out, track=["wandb"])
    known = json.loads((out / "tracking.json").read_text())["wandb"]
    (folder,) = (out / "wandb").glob("offline-run-*")
    assert folder.name.endswith(known)
    (written,) = folder.glob("*.wandb")
    data = written.read_bytes()
    for word in (b"eval/worst_row", b"ppo.tables", b"text/card", b"media/images"):
        assert word in data, word


def test_mlflow_in_a_folder(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    # Set and deleted, so that what the callback sets is undone as well.
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "")
    monkeypatch.delenv("MLFLOW_ALLOW_FILE_STORE")
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    out = tmp_path / "run"
    config = toy_config(**EVALUATED)
    train(config, out, track=["mlflow"])
    client = mlflow.tracking.MlflowClient((tmp_path / "mlruns").as_uri())
    (experiment,) = [e for e in client.search_experiments() if e.name == "gangland-highcard"]
    (run,) = client.search_runs([experiment.experiment_id])
    assert run.info.status == "FINISHED"
    assert run.data.params["ppo.tables"] == "32"
    assert 0 <= run.data.metrics["eval/worst_row"] <= 1
    assert len(client.get_metric_history(run.info.run_id, "rollout/games")) > 3
    files = {file.path for file in client.list_artifacts(run.info.run_id)}
    assert {"text", "table"} <= files

    longer = toy_config(**EVALUATED, steps=config.steps + 1000)
    train(longer, out, track=["mlflow"], resume=True)
    assert len(client.search_runs([experiment.experiment_id])) == 1


@pytest.mark.parametrize(("name", "library"), [("wandb", "wandb"), ("mlflow", "mlflow")])
def test_a_missing_library_is_named_before_anything_is_trained(
    tmp_path, monkeypatch, name, library
):
    for module in [one for one in sys.modules if one.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependencyError, match=rf"gangland\[{name}\]"):
        train(toy_config(), tmp_path / "run", track=[name])
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_the_command_knows_the_services():
    from gangland.commands.train import command

    (option,) = [o for o in command.params if o.name == "track"]
    assert list(option.type.choices) == list(SERVICES)
    assert trackers([], toy_config(), None) == []
