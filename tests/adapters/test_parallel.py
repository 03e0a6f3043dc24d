"""PettingZoo's parallel form, as far as the library allows it for games of turns."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

from gangland.envs import chicago_v0, load


def test_turn_based_conversion_plays_the_same_game_and_pays_everybody():
    env = turn_based_aec_to_parallel(chicago_v0.env(players=3))
    observations, _ = env.reset(seed=1)
    rng, paid, actions = np.random.default_rng(0), dict.fromkeys(env.agents, 0.0), []
    while env.agents:
        chosen = {}
        for agent in env.agents:
            legal = np.flatnonzero(observations[agent]["action_mask"])
            # Whoever is not to move gives any action, which is ignored.
            chosen[agent] = int(rng.choice(legal)) if len(legal) else 0
            if len(legal):
                actions.append(chosen[agent])
        observations, rewards, *_ = env.step(chosen)
        for agent, reward in rewards.items():
            paid[agent] += reward
    game = load("chicago")
    state = game.new_state(1, players=3)
    for action in actions:
        game.apply(state, action)
    assert list(paid.values()) == list(game.result(state).rewards)


def test_the_general_conversion_is_refused_as_the_library_wants_it():
    """It is for environments that change once a cycle; games of turns are none."""
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(chicago_v0.env())
