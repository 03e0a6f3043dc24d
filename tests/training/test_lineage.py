"""What a bot has learnt from: its own decisions and its whole lineage's."""

from __future__ import annotations

import importlib

import pytest

from gangland.agents.registry import shipped
from gangland.agents.trained.model_file import decisions_of
from gangland.agents.trained.policy import load_checkpoint, read_checkpoint
from gangland.arena.benchmark.tasks import newest
from gangland.training.run import train
from tests.games import OURS

from .toy import toy_config

benchmark = importlib.import_module("docs.make_benchmark")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A training from nothing, one from it, and one from that."""
    root = tmp_path_factory.mktemp("runs")

    def trained(name, **changes):
        folder = train(toy_config(steps=600, **changes), root / name, device="cpu").folder
        return read_checkpoint(folder)

    first = trained("first")
    second = trained("second", start_from=str(first.folder))
    third = trained("third", start_from=str(second.folder))
    return first, second, third


def test_a_training_inherits_the_decisions_that_it_starts_from(runs):
    first, second, _ = runs
    assert first.model["lineage"] == []
    assert decisions_of(first.model) == first.model["steps"]
    assert second.model["lineage"] == first.lineage
    assert decisions_of(second.model) == second.model["steps"] + first.model["steps"]


def test_it_inherits_their_lineage_too(runs):
    _, second, third = runs
    assert sorted(third.model["lineage"], key=str) == sorted(second.lineage, key=str)
    assert decisions_of(third.model) == sum(one.model["steps"] for one in runs)


def test_shipped_bots_know_what_they_come_from():
    """Chicago's learnt from nothing, all others from networks of before."""
    for game in OURS:
        for name in shipped(game):
            assert bool(load_checkpoint(name).model["lineage"]) == (game != "chicago"), name


def test_the_benchmark_counts_the_lineage():
    model = {"steps": 1_000_000, "lineage": [{"network": "a", "steps": 4_000_000}]}
    assert benchmark.trained_on(model) == (5_000_000, "5.0 million, 4.0 inherited")
    rows = benchmark.leaderboard().splitlines()
    for game in OURS:
        bot = shipped(game)[-1]
        (row,) = [row for row in rows if f"`ppo:{bot}`" in row.split(" | ")[1]]
        decisions, words = benchmark.trained_on(load_checkpoint(bot).model)
        assert f"| {words} |" in row
        task = newest(f"{game.replace('_', '-')}-5")
        assert row.startswith(f"| `{task.division(decisions)}` |")
