"""Stable-Baselines3's vector environment over the batched rules."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.seat_env import SeatEnv
from tests.adapters.test_vector_envs import legal

pytest.importorskip("stable_baselines3", reason="needs gangland[train]")
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    VecCheckNan,
    VecEnv,
    VecMonitor,
)

from gangland.adapters.sb3 import SeatVecEnv

maskable = pytest.importorskip("sb3_contrib", reason="needs gangland[train]")
from sb3_contrib.common.maskable.utils import (  # noqa: E402
    get_action_masks,
    is_masking_supported,
)

TABLES = 4
CASES = [
    ("chicago", {"opponents": "heuristic", "seat": 2}, 300),
    ("chicago", {"opponents": "random", "seat": None, "max_cycles": 5}, 60),
    ("gangsters", {"opponents": "random", "seat": 4, "max_cycles": 40}, 60),
]


def assert_same_infos(ours, theirs):
    for mine, other in zip(ours, theirs, strict=True):
        assert set(mine) == set(other)
        for key, value in other.items():
            np.testing.assert_array_equal(mine[key], value)


@pytest.mark.parametrize(("name", "arguments", "steps"), CASES)
def test_the_same_as_sb3s_own_vector_env(name, arguments, steps):
    ours = SeatVecEnv(name, TABLES, **arguments)
    theirs = DummyVecEnv([lambda: SeatEnv(name, **arguments) for _ in range(TABLES)])
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    rng, ends = np.random.default_rng(1), 0
    for env in (ours, theirs):
        env.seed(7)
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    assert_same_infos(ours.reset_infos, theirs.reset_infos)
    for _ in range(steps):
        masks = get_action_masks(ours)
        np.testing.assert_array_equal(masks, get_action_masks(theirs))
        actions = legal(masks, rng)
        mine, others = ours.step(actions), theirs.step(actions)
        for a, b in zip(mine[:3], others[:3], strict=True):
            np.testing.assert_array_equal(a, b)
            assert a.dtype == b.dtype
        assert_same_infos(mine[3], others[3])
        assert_same_infos(ours.reset_infos, theirs.reset_infos)
        ends += int(mine[2].sum())
    assert ends > 0


def test_sb3s_wrappers_and_maskable_ppo_take_it():
    env = VecMonitor(
        VecCheckNan(SeatVecEnv("chicago", 8, opponents="random"), raise_exception=True)
    )
    assert isinstance(env, VecEnv)
    assert is_masking_supported(env)
    model = maskable.MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=256, device="cpu")
    model.learn(2048)
    returns = [episode["r"] for episode in model.ep_info_buffer]
    assert returns
    assert set(np.round(returns, 3)) <= {1.0, -0.25}
    actions, _ = model.predict(env.reset(), action_masks=get_action_masks(env))
    assert get_action_masks(env)[np.arange(8), actions].all()


def test_one_table_can_be_asked():
    env = SeatVecEnv("chicago", 3, opponents="random", render_mode="rgb_array")
    env.reset()
    (mask,) = env.env_method("action_masks", indices=1)
    np.testing.assert_array_equal(mask, env.action_masks()[1])
    assert env.get_attr("num_envs", indices=[0, 2]) == [3, 3]
    assert not env.has_attr("nothing")
    assert env.render().ndim == 3
    with pytest.raises(AttributeError):
        env.set_attr("seat", 1)
    with pytest.raises(ValueError, match="render_mode='svg'"):
        SeatVecEnv("chicago", 1, render_mode="svg")
