"""Networks that read like items by an encoder: they learn, are saved, and play as they learnt."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch as th

from gangland.agents.trained.model_file import MODEL_FILE
from gangland.agents.trained.policy import PolicyAgent
from gangland.envs import load
from gangland.training.checkpoint import save_checkpoint
from gangland.training.config import ConfigError, parse
from gangland.training.rollout.thread_pool import single_thread
from gangland.training.selfplay import make_trainer
from tests.games import views_of

GAME = load("chicago")


def config_of(items, **ppo):
    return parse(
        {
            "game": "chicago",
            "steps": 4000,
            "threads": 1,
            "network": {"shared": [12], "policy": [8], "value": [8], "chances": 6, "items": items},
            "ppo": {
                "tables": 16,
                "steps": 16,
                "epochs": 1,
                "batch_size": 128,
                "precision": "float32",
                **ppo,
            },
            "league": {"baselines": ["random"]},
        }
    )


def learnt(config, rollouts=3):
    trainer = make_trainer(config, "cpu")
    with single_thread():
        for _ in range(rollouts):
            trainer.collector.collect(0.0)
            trainer.train()
    return trainer


def test_what_has_been_learnt_is_what_plays(tmp_path):
    trainer = learnt(config_of({"seats": 5}, learning_rate=0.01))
    weights = trainer.learners[0].best_network.weights()
    names = [name for name in weights if name.startswith("items.seats.")]
    assert {name.split(".")[2] for name in names} == {
        "encode", "place", "pool", "key", "query", "head"
    }  # fmt: skip
    first = make_trainer(config_of({"seats": 5}), "cpu").learners[0].network.weights()
    assert all(not np.array_equal(weights[name], first[name]) for name in names)
    folder = save_checkpoint(tmp_path, trainer, 1.0)
    agent, views = PolicyAgent(GAME, folder), views_of("chicago", tables=40, plies=9)
    with th.no_grad():
        wanted = trainer.learners[0].best_network.logits(th.from_numpy(views.observations))
    found = agent.networks[0].logits(views.observations)
    np.testing.assert_allclose(found, wanted.numpy(), atol=1e-5, rtol=1e-4)
    block = json.loads((folder / MODEL_FILE).read_text())["item_blocks"]["seats"]
    assert block["rows"] == GAME.max_seats


@pytest.mark.parametrize("name", ["hand", "tiles"])
def test_blocks_that_are_not_there_are_named(name):
    with pytest.raises(ConfigError, match=rf"network\.items: {name}: must be among .* seats"):
        make_trainer(config_of({name: 4}), "cpu")
