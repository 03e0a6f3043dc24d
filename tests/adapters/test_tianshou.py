"""Tianshou's own PettingZoo wrapper takes our environments as they are."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import chicago_v0, gangsters_v0

pytest.importorskip("tianshou", reason="needs gangland[tianshou]; see docs/testing.md")
from tianshou.algorithm import (
    MARLRandomDiscreteMaskedOffPolicyAlgorithm,
    MultiAgentOffPolicyAlgorithm,
)
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv


@pytest.mark.parametrize("module", [chicago_v0, gangsters_v0])
def test_every_seat_gets_its_reward(module):
    env = PettingZooEnv(module.env())
    observation, _ = env.reset(seed=1)
    rng, paid = np.random.default_rng(0), np.zeros(len(env.agents))
    over = False
    while not over:
        action = int(rng.choice(np.flatnonzero(observation["mask"])))
        observation, rewards, terminated, truncated, _ = env.step(action)
        paid += rewards
        over = terminated or truncated
    table = env.env.unwrapped
    result = table.game.result(table.record)
    expected = np.zeros(len(paid)) if truncated else result.rewards
    np.testing.assert_array_equal(paid, expected)


def test_its_collector_plays_whole_games():
    tables = DummyVectorEnv([lambda: PettingZooEnv(chicago_v0.env(players=3)) for _ in range(2)])
    env = PettingZooEnv(chicago_v0.env(players=3))
    players = [
        MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
        for _ in env.agents
    ]
    collector = Collector(
        MultiAgentOffPolicyAlgorithm(algorithms=players, env=env),
        tables,
        VectorReplayBuffer(4000, 2),
    )
    found = collector.collect(n_episode=4, reset_before_collect=True)
    assert found.n_collected_episodes == 4
    for returns in found.returns:
        assert sorted(returns.tolist()) == [-0.5, -0.5, 1.0]
