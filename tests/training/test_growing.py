"""A run may start from a smaller network: what is new changes nothing until it has learnt."""

from __future__ import annotations

import shlex

import numpy as np
import pytest
import torch as th

from gangland.agents.registry import shipped
from gangland.agents.trained.policy import load_checkpoint
from gangland.envs import load
from gangland.training.checkpoint import save_checkpoint
from gangland.training.config import ConfigError, parse
from gangland.training.config_files import load_config
from gangland.training.learner.network import PolicyNetwork
from gangland.training.selfplay import make_trainer

BOT = "five_points/bot"
GAME = load("five_points")
FOUND = load_checkpoint(BOT).fitted(GAME)
NETWORK = FOUND.model["network"]
ITEMS = NETWORK["items"]
WIDER = {
    "shared": {"shared": [NETWORK["shared"][0] + 24]},
    "policy": {"policy": [NETWORK["policy"][0] + 8]},
    "value": {"value": [NETWORK["value"][0] + 8]},
    "an encoder": {"items": {**ITEMS, "tiles": ITEMS["tiles"] + 16}},
    "all of it": {
        "shared": [NETWORK["shared"][0] + 16],
        "policy": [NETWORK["policy"][0] + 2],
        "value": [NETWORK["value"][0] + 3],
        "items": {**{name: width + 4 for name, width in ITEMS.items()}, "buildings": 4},
    },
}


def started(**changes):
    """The network of a run that starts from the bot."""
    network = {**NETWORK, **changes}
    config = {"game": "five_points", "start_from": BOT, "steps": 100, "network": network}
    return make_trainer(parse(config), "cpu").learners[0].network


def outputs_of(network, inputs):
    return [outputs.detach().numpy() for outputs in network.logits_and_values(inputs)]


def test_new_encoders_give_nothing_to_the_rest_and_all_of_them_can_learn():
    theirs = FOUND.weights["player"]
    weights = started(items={**ITEMS, "buildings": 4}).weights()
    assert {name.split(".")[1] for name in weights.keys() - theirs.keys()} == {"buildings"}
    assert all(np.array_equal(weights[name], theirs[name]) for name in theirs)
    zero = {"pool.weight", "pool.bias", "head.weight", "head.bias"}
    for part in ("encode.weight", "key.weight", "query.weight", *zero):
        assert weights[f"items.buildings.{part}"].any() == (part not in zero), part


@pytest.mark.parametrize("changes", WIDER.values(), ids=WIDER)
def test_a_wider_network_plays_as_the_one_that_it_starts_from_and_learns_with_all_units(changes):
    small = PolicyNetwork(started().architecture, FOUND.weights["player"])
    large = started(**changes)
    inputs = th.rand(64, GAME.observation_size, generator=th.Generator().manual_seed(5))
    for ours, theirs in zip(outputs_of(large, inputs), outputs_of(small, inputs), strict=True):
        # Logits are sums of hundreds of products: a few units in the last place of a float32.
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=2e-5)

    before = large.weights()
    optimizer = th.optim.SGD(large.parameters(), lr=1e-2)
    for _ in range(2):  # First what joins the new units to the rest, then the units themselves.
        logits, values = large.logits_and_values(inputs)
        optimizer.zero_grad()
        (logits.square().sum() + values.square().sum()).backward()
        optimizer.step()
    for name, weights in large.weights().items():
        known = FOUND.weights["player"].get(name, np.zeros((0,) * weights.ndim))
        moved = weights != before[name]
        for axis in range(weights.ndim):
            new = moved.take(range(known.shape[axis], weights.shape[axis]), axis)
            assert new.any() == (new.size > 0), name


REFUSED = {
    "a narrower layer": ({"shared": [NETWORK["shared"][0] - 1]}, "shared"),
    "more layers": ({"policy": [*NETWORK["policy"], 8]}, "policy"),
    "a narrower encoder": ({"items": {**ITEMS, "tiles": 16}}, "items"),
    "an encoder less": ({"items": {"tiles": ITEMS["tiles"]}}, "items"),
    "another activation": ({"activation": "tanh"}, "activation"),
}


@pytest.mark.parametrize(("changes", "key"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_larger_is_refused(changes, key):
    with pytest.raises(ConfigError, match=rf"start_from='{BOT}': its network has {key}="):
        started(**changes)


def test_layers_that_are_normalised_together_cannot_grow(tmp_path):
    """A unit more would change the mean of all of them."""
    network = {"shared": [8], "layer_norm": True}
    small = make_trainer(parse({"game": "chicago", "steps": 100, "network": network}), "cpu")
    bot = save_checkpoint(tmp_path, small, 0.0)
    config = {"game": "chicago", "start_from": str(bot), "steps": 100}
    make_trainer(parse({**config, "network": network}), "cpu")
    with pytest.raises(ConfigError, match=r"its network has shared=\[8\]"):
        make_trainer(parse({**config, "network": {**network, "shared": [9]}}), "cpu")


def test_a_network_that_does_not_fit_says_how_to_make_it_fit():
    """The words of the error, pasted, start the training."""
    bot = shipped("chicago")[-1]
    few = ("steps=100", "ppo.tables=8", "threads=1", "evaluation.every=0", f"start_from={bot}")
    with pytest.raises(ConfigError, match=r"its network has .*, this configuration.s ") as refused:
        make_trainer(load_config("chicago", [*few, "network={}"]), "cpu")
    remedy = shlex.split(str(refused.value).partition("Take its network: ")[2])
    assert remedy[::2] == ["--set"] * (len(remedy) // 2)
    trainer = make_trainer(load_config("chicago", [*few, "network={}", *remedy[1::2]]), "cpu")
    theirs = load_checkpoint(bot).weights
    for role, layers in trainer.weights().items():
        for name, array in layers.items():
            np.testing.assert_array_equal(array, theirs[role][name])
