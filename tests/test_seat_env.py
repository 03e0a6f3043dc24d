"""The single-seat Gymnasium environment: checkers, rewards, opponents, bad input."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gangland.envs  # noqa: F401  (registers the environments)
from gangland.agents.seat_env import SeatEnv
from gangland.envs.core.errors import GanglandError, IllegalActionError, OptionError
from gangland.envs.registration import gymnasium_id
from tests.games import OURS, TOY
from tests.slow import slow_but

over_games = pytest.mark.parametrize("name", OURS)


def play(env, seed):
    observation, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    total, trace = 0.0, [observation]
    while True:
        np.testing.assert_array_equal(
            info["action_mask"].astype(bool), env.unwrapped.action_masks()
        )
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        total += reward
        trace.append(observation)
        if terminated or truncated:
            return total, trace


@pytest.mark.parametrize("name", slow_but({"gangsters"}, OURS))
def test_gymnasium_checker(name):
    env = gymnasium.make(gymnasium_id(name), opponents="random", disable_env_checker=True)
    check_env(_Checked(env.unwrapped))


class _Checked(SeatEnv):
    """The environment, with the checkers' unmasked samples mapped to legal actions."""

    def __init__(self, env):
        self.__dict__.update(env.__dict__)

    def step(self, action):
        legal = np.flatnonzero(self.action_masks())
        if len(legal) == 0:
            return super().step(action)
        return super().step(int(legal[int(action) % len(legal)]))


@over_games
def test_sb3_checker(name):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(_Checked(SeatEnv(name, opponents="random")), warn=True)


@over_games
@pytest.mark.parametrize("seat", [0, 1, None])
def test_rewards_sum_to_the_seats_return(name, seat):
    env = gymnasium.make(gymnasium_id(name), seat=seat, opponents="random")
    for seed in range(3):
        total, _ = play(env, seed)
        inner = env.unwrapped
        result = inner.game.result(inner._env.record)
        assert total == pytest.approx(result.rewards[inner.seat])


@over_games
def test_same_seed_same_game(name):
    first = play(gymnasium.make(gymnasium_id(name)), 4)
    second = play(gymnasium.make(gymnasium_id(name)), 4)
    assert first[0] == second[0]
    for a, b in zip(first[1], second[1], strict=True):
        np.testing.assert_array_equal(a, b)


def test_all_seats_are_drawn_when_none_is_named():
    env = SeatEnv(TOY, seat=None, opponents="random", players=4)
    seats = set()
    for seed in range(40):
        env.reset(seed=seed)
        seats.add(env.seat)
        assert env.action_masks().any()
    assert seats == {0, 1, 2, 3}


def test_bad_input_is_named():
    with pytest.raises(ValueError, match=r"^seat=9: must be None or 0\.\.2"):
        SeatEnv(TOY, seat=9, opponents="random")
    with pytest.raises(ValueError, match="opponents: 1 given, must be 1 or 3"):
        SeatEnv(TOY, opponents=["random"], players=4)
    with pytest.raises(GanglandError, match="nobody"):
        SeatEnv(TOY, opponents="nobody")
    with pytest.raises(OptionError, match="players=77"):
        SeatEnv(TOY, opponents="random", players=77)
    env = SeatEnv(TOY, opponents="random")
    env.reset(seed=0)
    with pytest.raises(IllegalActionError):
        env.step(int(np.flatnonzero(~env.action_masks())[0]))


@pytest.mark.slow
def test_maskable_ppo_trains_on_it():
    maskable = pytest.importorskip("sb3_contrib")
    env = gymnasium.make("gangland/Chicago-v0", opponents="heuristic")
    model = maskable.MaskablePPO("MlpPolicy", env, n_steps=256, batch_size=256, device="cpu")
    model.learn(512)
    observation, info = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=info["action_mask"].astype(bool))
    assert info["action_mask"][action]
