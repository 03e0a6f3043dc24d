"""The toy game is learnt."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib")

from gangland.agents.registry import make
from gangland.agents.trained.policy import PolicyAgent
from gangland.arena.statistics import wilson
from gangland.envs import load
from gangland.training.measure.evaluation import play_match
from gangland.training.run import train

from .toy import toy_config


@pytest.mark.parametrize("precision", ["float32", pytest.param("bfloat16", marks=pytest.mark.slow)])
def test_the_toy_is_learnt(tmp_path, precision):
    """Against two random players par is 1/3; what can be known allows about 1/2."""
    ppo = {"tables": 64, "steps": 16, "batch_size": 256, "precision": precision}
    config = toy_config(steps=80_000, ppo=ppo)
    outcome = train(config, tmp_path, device="cpu")
    game = load("highcard")
    random = make("random", game)
    bot = PolicyAgent(game, outcome.folder)
    trained = play_match(game, [{}], [bot], random, 2000, seed=5)
    low, _ = wilson(trained.win.share, trained.games)
    assert low > trained.par + 0.08
    untrained = play_match(game, [{}], [random], random, 2000, seed=5)
    low, high = wilson(untrained.win.share, untrained.games)
    assert low < untrained.par < high
