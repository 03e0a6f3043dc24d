"""What ``gangland bench`` measures training with."""

from __future__ import annotations

import pytest

from gangland.agents.registry import shipped
from gangland.bench_training import newest_bot, pure_selfplay
from gangland.training.selfplay import make_trainer
from tests.games import GAMES


@pytest.mark.parametrize("game", [game for game in GAMES if shipped(game)])
def test_the_newest_bots_recipe_can_be_measured_alone(game):
    """Opponents that an earlier stage has left need not be there."""
    recipe = newest_bot(game)
    assert recipe.league.share > 0.0
    config = pure_selfplay(recipe)
    ppo = config.ppo.model_copy(update={"tables": 4, "steps": 2, "batch_size": 8})
    trainer = make_trainer(config.model_copy(update={"ppo": ppo, "threads": 1}), "cpu")
    assert trainer.collector.league.members == []
    assert config.network == recipe.network
