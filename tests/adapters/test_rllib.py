"""RLlib's multi-agent environment: masks, rewards of every seat, one policy for each role."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import load
from gangland.envs.core.errors import IllegalActionError, OptionError

pytest.importorskip("ray.rllib", reason="needs gangland[rllib]; see docs/testing.md")
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode

from gangland.adapters.rllib import EVERYBODY, RllibEnv, policies

CASES = [
    {"game": "chicago", "players": 3},
    {"game": "gangsters"},
    {"game": "five_points", "reward": "score"},
    {"game": "chicago", "max_cycles": 4},
]


def play(env, seed, episode=None):
    """A random game: how often each agent was paid how much, and the last step."""
    rng = np.random.default_rng(seed)
    seen, infos = env.reset(seed=seed)
    if episode is not None:
        episode.add_env_reset(observations=seen, infos=infos)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    while True:
        ((mover, observed),) = seen.items()
        assert mover == env.table.agent_selection
        assert observed in env.get_observation_space(mover)
        actions = {mover: int(rng.choice(np.flatnonzero(observed["action_mask"])))}
        seen, rewards, terminated, truncated, infos = env.step(actions)
        if episode is not None:
            episode.add_env_step(
                seen, actions, rewards, infos, terminateds=terminated, truncateds=truncated
            )
        for agent, reward in rewards.items():
            paid[agent] += reward
        if terminated[EVERYBODY] or truncated[EVERYBODY]:
            return paid, seen, terminated, truncated


@pytest.mark.parametrize("config", CASES)
def test_every_seat_is_observed_and_paid_at_the_end(config):
    env = RllibEnv(config)
    assert isinstance(env, MultiAgentEnv)
    paid, seen, terminated, truncated = play(env, seed=1)
    game, record = env.table.game, env.table.record
    everybody = set(env.possible_agents)
    assert set(seen) == everybody
    assert set(terminated) == set(truncated) == everybody | {EVERYBODY}
    assert terminated[EVERYBODY] != truncated[EVERYBODY]
    assert len(set(terminated.values())) == len(set(truncated.values())) == 1
    for seat, agent in enumerate(env.possible_agents):
        expected = np.zeros(game.num_actions)
        np.testing.assert_array_equal(seen[agent]["action_mask"], expected)
        np.testing.assert_array_equal(seen[agent]["observations"], game.observe(record, seat))
    if "max_cycles" in config:
        assert truncated[EVERYBODY]
        assert set(paid.values()) == {0.0}
    elif config.get("reward") != "score" and terminated[EVERYBODY]:
        assert list(paid.values()) == list(game.result(record).rewards)


def test_rllibs_own_episodes_credit_losers():
    """What its episodes hold for each agent: one trajectory of its own decisions, paid in full."""
    env = RllibEnv({"game": "chicago", "players": 3})
    episode = MultiAgentEpisode(
        observation_space=env.observation_spaces, action_space=env.action_spaces
    )
    paid, *_ = play(env, 2, episode)
    assert episode.is_done
    result = env.table.game.result(env.table.record)
    decided = 0
    for seat, agent in enumerate(env.possible_agents):
        own = episode.agent_episodes[agent]
        assert own.get_return() == result.rewards[seat] == paid[agent]
        assert own.is_terminated
        decided += len(own)
    assert decided == int(env.table.record.ply)


def test_a_policy_for_each_role():
    names, policy_of = policies({"game": "gangsters"})
    assert names == sorted(load("gangsters").roles)
    env = RllibEnv({"game": "gangsters"})
    assert {policy_of(agent, None) for agent in env.possible_agents} == set(names)
    assert policy_of("police") != policy_of(env.possible_agents[0])
    assert policies({"game": "chicago"})[0] == list(load("chicago").roles)


def test_bad_input_is_named():
    with pytest.raises(OptionError, match="players=77"):
        RllibEnv({"game": "chicago", "players": 77})
    env = RllibEnv({"game": "chicago"})
    seen, _ = env.reset(seed=0)
    ((mover, observed),) = seen.items()
    other = next(agent for agent in env.possible_agents if agent != mover)
    with pytest.raises(IllegalActionError, match=f"must be of '{mover}' alone"):
        env.step({other: 0})
    with pytest.raises(IllegalActionError, match="is not legal"):
        env.step({mover: int(np.flatnonzero(observed["action_mask"] == 0)[0])})
