"""A run that starts from a checkpoint: its weights, and the decisions of its whole lineage."""

from __future__ import annotations

import importlib
import shlex
from typing import Any

import numpy as np
import pytest

from gangland.agents.registry import shipped
from gangland.agents.trained.model_file import decisions_of
from gangland.agents.trained.policy import load_checkpoint, read_checkpoint
from gangland.arena.benchmark.tasks import newest
from gangland.training.config import ConfigError, load_config, parse
from gangland.training.run import train
from gangland.training.selfplay import SelfPlay, make_trainer
from tests.games import OURS

from .toy import toy_config

# --- its weights; networks of other layers are refused --------------------------------------------

BOT = "five_points/bot"
FOUND = load_checkpoint(BOT)
NETWORK = FOUND.model["network"]
ITEMS = NETWORK["items"]


def started(**changes: Any) -> SelfPlay:
    """A run that starts from the bot."""
    network = {**NETWORK, **changes}
    config = {"game": "five_points", "start_from": BOT, "steps": 100, "network": network}
    return make_trainer(parse(config), "cpu")


def assert_same_weights(trainer: SelfPlay, theirs: Any) -> None:
    for role, layers in trainer.weights().items():
        assert layers.keys() == theirs[role].keys()
        for name, array in layers.items():
            np.testing.assert_array_equal(array, theirs[role][name])


def test_it_starts_with_the_weights_of_the_checkpoint() -> None:
    assert_same_weights(started(), FOUND.weights)


def test_a_bot_that_is_continued_imitates_nobody() -> None:
    config = ["steps=1"]
    assert load_config("five_points", config).imitation is not None
    assert load_config("five_points", [*config, f"start_from={BOT}"]).imitation is None


REFUSED = {
    "a narrower layer": ({"shared": [NETWORK["shared"][0] - 1]}, "shared"),
    "a wider layer": ({"shared": [NETWORK["shared"][0] + 1]}, "shared"),
    "more layers": ({"policy": [*NETWORK["policy"], 8]}, "policy"),
    "a narrower encoder": ({"items": {**ITEMS, "tiles": 16}}, "items"),
    "an encoder more": ({"items": {**ITEMS, "buildings": 4}}, "items"),
    "an encoder less": ({"items": {"tiles": ITEMS["tiles"]}}, "items"),
}


@pytest.mark.parametrize(("changes", "key"), REFUSED.values(), ids=REFUSED)
def test_other_layers_are_refused(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError, match=rf"start_from='{BOT}': its network has {key}="):
        started(**changes)


def test_a_network_that_does_not_fit_says_how_to_make_it_fit() -> None:
    """The words of the error, pasted, start the training."""
    bot = shipped("chicago")[-1]
    few = ("steps=100", "ppo.tables=8", "threads=1", "evaluation.every=0", f"start_from={bot}")
    few += ("network.shared=[64]", "network.items=8")
    with pytest.raises(ConfigError, match=r"its network has .*, this configuration.s ") as refused:
        make_trainer(load_config("chicago", few), "cpu")
    remedy = shlex.split(str(refused.value).partition("Take its network: ")[2])
    assert remedy[::2] == ["--set"] * (len(remedy) // 2)
    trainer = make_trainer(load_config("chicago", [*few, *remedy[1::2]]), "cpu")
    assert_same_weights(trainer, load_checkpoint(bot).weights)


@pytest.mark.parametrize("start", [["chicago/bot", "chicago/bot"], 3, {"chicago/bot": 1}])
def test_it_is_one_checkpoint(start: Any) -> None:
    with pytest.raises(ConfigError, match="start_from="):
        parse({"game": "chicago", "steps": 1, "start_from": start})


# --- what a bot has learnt from -------------------------------------------------------------------

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
