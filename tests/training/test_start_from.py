"""A run that starts from a checkpoint has its weights; networks of other layers are refused."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np
import pytest

from gangland.agents.registry import shipped
from gangland.agents.trained.policy import load_checkpoint
from gangland.training.config import ConfigError, load_config, parse
from gangland.training.selfplay import SelfPlay, make_trainer

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
