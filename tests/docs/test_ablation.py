"""What each choice of the training is worth: the benchmark, and the pages that it has written."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks import ablation
from gangland.training.config import parse

PAGES = sorted(ablation.OUT.glob("*.json"))


@pytest.mark.parametrize("game", ablation.DECISIONS)
def test_every_variant_changes_the_recipe_and_nothing_else(game):
    recipe = parse(ablation.configuration(game, "the recipe", 1))
    parts = {"network", "ppo", "league", "imitation"}
    for variant, changes in ablation.VARIANTS[game].items():
        config = parse(ablation.configuration(game, variant, 1))
        assert (config == recipe) == (not changes)
        assert (config.game, config.seed) == (game, 1)
        assert (config.steps, config.evaluation) == (ablation.DECISIONS[game], recipe.evaluation)
        assert changes.keys() <= parts
        for part in parts - changes.keys():
            assert getattr(config, part) == getattr(recipe, part)


def test_intervals_are_of_the_seeds():
    assert ablation.interquartile_mean(np.array([[0.0, 4.0], [5.0, 99.0]])) == 4.5
    mean, low, high = ablation.summary(np.array([[0.2], [0.2], [0.2]]))
    assert (mean, low, high) == pytest.approx((0.2, 0.2, 0.2))
    mean, low, high = ablation.summary(np.array([[0.1], [0.2], [0.6]]))
    assert mean == pytest.approx(0.3)
    assert low == pytest.approx(0.1)
    assert high == pytest.approx(0.6)


def test_the_table_is_of_the_cells(tmp_path, monkeypatch):
    def cell(game, variant, seed, keep):
        assert (game, variant, keep.name) == ("chicago", "with a magnet", "kept")
        share = 0.1 * (seed + 1)
        figures = {f"one against four {other}": share for other in ablation.OPPONENTS}
        figures["one against four random"] = 0.9
        figures |= {f"one {other} against four": share / 2 for other in ablation.OPPONENTS}
        return figures | {"best response": 0.5}

    monkeypatch.setattr(ablation, "cell", cell)
    monkeypatch.setattr(ablation, "OUT", tmp_path)
    given = ["chicago", "--keep", str(tmp_path / "kept")]
    one = CliRunner().invoke(
        ablation.main, [*given, "--variant", "with a magnet"], catch_exceptions=False
    )
    assert not list(tmp_path.iterdir()), "a page is of all variants"
    magnet = {"with a magnet": ablation.VARIANTS["chicago"]["with a magnet"]}
    monkeypatch.setattr(ablation, "VARIANTS", {"chicago": magnet})
    result = CliRunner().invoke(ablation.main, given, catch_exceptions=False)
    assert one.output.startswith(result.output)
    row = json.loads((tmp_path / "chicago.json").read_text())["rows"]["with a magnet"]
    assert row["random"] == pytest.approx([0.9] * 3)
    assert row["heuristic"] == pytest.approx([0.2, 0.1, 0.3])
    assert row["most invaded"] == pytest.approx([0.1, 0.05, 0.15])
    line = (
        "| 90.0% (90.0%-90.0%) | 20.0% (10.0%-30.0%) | 20.0% (10.0%-30.0%) | 10.0% (5.0%-15.0%) |"
    )
    assert line in result.output
    assert line in (tmp_path / "chicago.md").read_text()


def test_a_variant_of_another_game_is_refused(tmp_path):
    given = ["chicago", "--keep", str(tmp_path), "--variant", "no encoders"]
    result = CliRunner().invoke(ablation.main, given)
    assert result.exit_code == 2
    assert "'no encoders' is no variant of chicago: the recipe, self-play alone" in result.output


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_committed_pages_are_of_their_figures(file):
    found = json.loads(file.read_text(encoding="utf-8"))
    page = file.with_suffix(".md").read_text(encoding="utf-8")
    assert list(found["rows"]) == list(ablation.VARIANTS[file.stem])
    assert found["decisions"] == ablation.DECISIONS[file.stem]
    for variant, row in found["rows"].items():
        assert ablation._line(variant, row) in page
