"""The single-seat Gymnasium environment: checkers, rewards, opponents, bad input."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gangland.envs  # noqa: F401  (registers the environments)
from gangland.agents.base import Agent
from gangland.agents.decision import Decision
from gangland.agents.registry import make
from gangland.agents.seat_env import SeatEnv
from gangland.envs import load
from gangland.envs.core.errors import (
    GameOverError,
    GanglandError,
    IllegalActionError,
    OptionError,
)
from gangland.envs.registration import gymnasium_id
from tests.games import OURS, TOY, slow_but

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


UNMASKED = ("random", "lose")
"""What illegal actions may do for code that samples without the mask, as checkers do."""


@pytest.mark.parametrize("illegal", UNMASKED)
@pytest.mark.parametrize("name", slow_but({"gangsters"}, OURS))
def test_gymnasium_checker(name, illegal):
    """As users run it: on what ``gymnasium.make`` gives."""
    env = gymnasium.make(gymnasium_id(name), opponents="random", illegal=illegal)
    check_env(env.unwrapped)


@pytest.mark.parametrize("illegal", UNMASKED)
@over_games
def test_sb3_checker(name, illegal):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = gymnasium.make(gymnasium_id(name), opponents="random", illegal=illegal)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        # A wrapped environment would only be warned about because it is wrapped.
        checker.check_env(env.unwrapped, warn=True)


def illegal_in(env):
    return int(np.flatnonzero(~env.action_masks())[0])


def test_an_illegal_action_becomes_a_random_legal_one():
    """The same one for the same seed; a legal action is played as it is."""
    played = []
    for _ in range(2):
        env = SeatEnv(TOY, opponents="random", illegal="random")
        env.reset(seed=3)
        plain = SeatEnv(TOY, opponents="random")
        plain.reset(seed=3)
        legal = int(np.flatnonzero(env.action_masks())[-1])
        after = env.step(legal)
        np.testing.assert_array_equal(after[0], plain.step(legal)[0])
        env.reset(seed=3)
        played.append(env.step(-5))
    np.testing.assert_array_equal(played[0][0], played[1][0])
    env.reset()
    with pytest.raises(IllegalActionError, match="must be an integer"):
        env.step("pass")


def test_an_illegal_action_loses():
    env = SeatEnv(TOY, opponents="random", illegal="lose")
    env.reset(seed=3)
    wrong = illegal_in(env)
    observation, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert env.observation_space.contains(observation)
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(GameOverError):
        env.step(wrong)
    env.reset()
    assert env.action_masks().any()


class First(Agent):
    """An agent of somebody's own: it has no spec."""

    def decide(self, view):
        return Decision(view.legal_actions[0])


def test_opponents_are_agents_or_specs():
    game = load(TOY)
    for opponents in (First(), [First(), "random"], [make("random", game), make("random", game)]):
        env = gymnasium.make(gymnasium_id(TOY), opponents=opponents)
        play(env, 2)
    with pytest.raises(TypeError, match=r"7 \(int\): must be an Agent or a spec"):
        SeatEnv(TOY, opponents=["random", 7])
    with pytest.raises(TypeError, match=r"opponents=7 \(int\): must be an Agent, a spec, or"):
        SeatEnv(TOY, opponents=7)


def test_masks_that_were_handed_out_decide_nothing():
    env = SeatEnv(TOY, opponents="random")
    _, info = env.reset(seed=1)
    wrong, right = illegal_in(env), int(np.flatnonzero(env.action_masks())[0])
    for fill in (1, 0):
        info["action_mask"][:] = fill
        env.action_masks()[:] = bool(fill)
        with pytest.raises(IllegalActionError):
            env.step(wrong)
    env.step(right)


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
    with pytest.raises(ValueError, match=r"^seat=9: must be None or an integer 0\.\.2"):
        SeatEnv(TOY, seat=9, opponents="random")
    with pytest.raises(ValueError, match="opponents: 1 given, must be 1 or 3"):
        SeatEnv(TOY, opponents=["random"], players=4)
    with pytest.raises(GanglandError, match="nobody"):
        SeatEnv(TOY, opponents="nobody")
    with pytest.raises(OptionError, match="players=77"):
        SeatEnv(TOY, opponents="random", players=77)
    with pytest.raises(ValueError, match="illegal='pass': must be one of raise, random, lose"):
        SeatEnv(TOY, opponents="random", illegal="pass")
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
