"""What ``gangland bench`` measures training with."""

from __future__ import annotations

import pytest

from gangland.agents.registry import shipped
from gangland.agents.trained.policy import load_checkpoint
from gangland.bench_training import pure_selfplay, with_network_of_bot
from gangland.training.selfplay import make_trainer
from tests.games import GAMES


@pytest.mark.parametrize("game", [game for game in GAMES if shipped(game)])
def test_self_play_is_measured_with_the_network_that_ships(game):
    recipe = with_network_of_bot(game)
    assert recipe.league.share > 0.0
    config = pure_selfplay(recipe)
    ppo = config.ppo.model_copy(update={"tables": 4, "steps": 2, "batch_size": 8})
    trainer = make_trainer(config.model_copy(update={"ppo": ppo, "threads": 1}), "cpu")
    assert trainer.collector.league.members == []
    theirs = load_checkpoint(shipped(game)[-1]).model["network"]
    assert config.network.model_dump() == theirs
