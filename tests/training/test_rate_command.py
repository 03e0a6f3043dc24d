"""``gangland rate``: a checkpoint that lies there is rated as at the end of its training."""

from __future__ import annotations

import json

import pytest
import yaml

pytest.importorskip("sb3_contrib")

from gangland.training.run import last_checkpoint
from tests.cli.runner import assert_refused, run

from .toy import toy_config


@pytest.fixture
def trained(capsys, monkeypatch, tmp_path):
    """The checkpoint of a short training."""
    config, out = tmp_path / "toy.yaml", tmp_path / "out"
    evaluation = {"every": 0, "final_games": 60, "baselines": ["random", "heuristic"]}
    settings = toy_config(checkpoint_minutes=0, evaluation=evaluation).model_dump()
    config.write_text(yaml.safe_dump(settings))
    done = run(capsys, monkeypatch, "train", config, "--out", out, "--steps", 300, "--quiet")
    assert done.code == 0, done.err
    return last_checkpoint(out)


def model(folder):
    return json.loads((folder / "model.json").read_text())


def test_it_repeats_the_ratings_of_the_training(capsys, monkeypatch, trained):
    before = model(trained)["ratings"]
    words = ["rate", trained, "--games", 60, "--against", "random,heuristic", "--json", "-"]
    done = run(capsys, monkeypatch, *words)
    assert done.code == 0, done.err
    assert json.loads(done.out) == before
    assert "win share, 95 %" in done.err


def test_it_keeps_ratings_only_if_asked_to(capsys, monkeypatch, trained):
    before = model(trained)
    words = ["rate", trained, "--games", 20, "--against", "random"]
    assert run(capsys, monkeypatch, *words).code == 0
    assert model(trained) == before
    assert run(capsys, monkeypatch, *words, "--write", "--quiet").code == 0
    after = model(trained)
    assert [row["baseline"] for row in after["ratings"]] == ["random"]
    assert {**after, "ratings": before["ratings"]} == before


def test_the_configuration_in_a_checkpoint_runs_no_program(capsys, monkeypatch, trained, tmp_path):
    monkeypatch.setattr("gangland.arena.ladder.small_pool", lambda game: ["random"])
    touched = tmp_path / "touched"
    forged = model(trained)
    forged["config"]["evaluation"]["baselines"] = [f"cmd:touch {touched}"]
    (trained / "model.json").write_text(json.dumps(forged))
    done = run(capsys, monkeypatch, "rate", trained, "--games", 20, "--quiet")
    assert done.code == 0, done.err
    assert not touched.exists()


def test_wrong_words_are_refused(capsys, monkeypatch, trained):
    refused = run(capsys, monkeypatch, "rate", "nowhere")
    assert_refused(refused, "no checkpoint at 'nowhere'")
    refused = run(capsys, monkeypatch, "rate", trained, "--against", "nobody")
    assert_refused(refused, "nobody")
