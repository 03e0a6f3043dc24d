"""``gangland rate``: a checkpoint that lies there is rated as at the end of its training."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
import yaml

pytest.importorskip("sb3_contrib")

from gangland.agents.trained.policy import load_checkpoint
from gangland.arena.statistics import Share
from gangland.training.measure import levels
from gangland.training.measure.final import Rated
from gangland.training.measure.levels import CHOOSING_SEED, REPORTED_SEED
from gangland.training.run import last_checkpoint
from tests.agents.checkpoints import change_model
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


def test_it_finds_levels(capsys, monkeypatch, trained):
    """Each is the lowest temperature at which the next higher level wins enough, or the highest."""
    tried = []

    def rate(game, spec, baseline, games, role=0, seed=0, workers=1):
        """One of the higher level wins more the more temperature the lower one has."""
        tried.append((spec, baseline, games, role, seed))
        times = float(baseline.partition("=")[2]) if seed == CHOOSING_SEED else 2.0
        win = Share(times / 3, 0.1, 0.9, 60)
        result = SimpleNamespace(win=win, games=games, score=0.0, place=1.0, seat_shares=[])
        return Rated(baseline, 3, {}, "", 1 / 3, result)

    monkeypatch.setattr(levels, "rate", rate)
    change_model(trained, temperature=0.7)
    before = model(trained)
    words = ["rate", trained, "--levels", "--write", "--json", "-"]
    done = run(capsys, monkeypatch, *words)
    assert done.code == 0, done.err
    after = model(trained)
    assert {key: after[key] for key in before} == before
    assert json.loads(done.out) == after["levels"]
    assert list(after["levels"]) == ["easy", "medium", "hard"]
    found = {name: level.get("temperature") for name, level in after["levels"].items()}
    assert found == {"easy": 2.8, "medium": 2.0, "hard": None}
    rows = [row for level in after["levels"].values() for row in level["ratings"]]
    assert [row["baseline"] for row in rows] == ["random", "bot:easy", "bot:medium"]
    assert all(row["games"] == 1000 for row in rows)
    bot = f"ppo:{trained}"
    chosen = [(spec, baseline) for spec, baseline, games, _, seed in tried if games == 400]
    heats = [f"{bot}?temperature={heat}" for heat in ("1", "1.4", "2", "2.8")]
    assert chosen == [*((bot, heat) for heat in heats[:3]), (heats[2], heats[3])]
    assert {seed for *_, games, _, seed in tried if games == 1000} == {REPORTED_SEED}
    assert load_checkpoint(str(trained)).model["levels"]["easy"]["temperature"] == 2.8


def test_without_a_temperature_that_is_enough_the_highest_is_taken(capsys, monkeypatch, trained):
    monkeypatch.setattr(levels, "TEMPERATURES", (1.0, 2.0))
    monkeypatch.setattr(levels, "EDGE", 9.0)
    monkeypatch.setattr(levels, "CHOOSING_GAMES", 6)
    words = ["rate", trained, "--levels", "--games", 6, "--json", "-"]
    done = run(capsys, monkeypatch, *words)
    assert done.code == 0, done.err
    kept = json.loads(done.out)
    assert {name: level.get("temperature") for name, level in kept.items()} == {
        "medium": 2.0,
        "hard": None,
    }, "no temperature is left for bot:easy"
    assert "no temperature is enough for medium" in done.err
    assert "levels" not in model(trained)
    assert [row["games"] for level in kept.values() for row in level["ratings"]] == [6, 6]


def test_wrong_words_are_refused(capsys, monkeypatch, trained):
    refused = run(capsys, monkeypatch, "rate", trained, "--levels", "--against", "random")
    assert_refused(refused, "--against: must not be given with --levels")
    refused = run(capsys, monkeypatch, "rate", "nowhere")
    assert_refused(refused, "no checkpoint at 'nowhere'")
    refused = run(capsys, monkeypatch, "rate", trained, "--against", "nobody")
    assert_refused(refused, "nobody")
