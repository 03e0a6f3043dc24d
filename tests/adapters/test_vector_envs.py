"""Vector environments: number for number what the libraries' own make of the single one."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

import gangland.envs  # noqa: F401  (registers the environments)
from gangland.adapters.gymnasium_vector import SeatVectorEnv
from gangland.adapters.seat_tables import SeatTables
from gangland.agents.seat_env import SeatEnv
from gangland.envs.core.errors import GameOverError, IllegalActionError, OptionError
from gangland.envs.registration import gymnasium_id
from tests.games import OURS, TOY, slow_but

MODES = ["NextStep", "SameStep", "Disabled"]
TABLES = 4
CASES = [
    ("chicago", {"opponents": ["random", "heuristic", "random", "heuristic"], "seat": 2}),
    ("chicago", {"opponents": "random", "seat": None, "players": 3, "reward": "score"}),
    ("chicago", {"opponents": "ppo:chicago", "seat": 4}),
    ("chicago", {"opponents": "random", "max_cycles": 3}),
    ("gangsters", {"opponents": "random", "seat": 4, "max_cycles": 40}),
    ("five_points", {"opponents": "heuristic", "seat": 1}),
    ("crime_lords", {"opponents": "random", "seat": None, "max_cycles": 60}),
    (TOY, {"opponents": "random", "seat": None}),
]


def legal(masks, rng):
    """A legal action for each table; 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks], np.int64)


def assert_equal(ours, theirs):
    """Nested dictionaries of arrays, equal to the bit."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs)
        for key, value in theirs.items():
            assert_equal(ours[key], value)
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        for mine, other in zip(ours, theirs, strict=True):
            assert (mine is None) == (other is None)
            if other is not None:
                np.testing.assert_array_equal(mine, other)
    else:
        np.testing.assert_array_equal(ours, theirs)
        assert getattr(ours, "dtype", None) == getattr(theirs, "dtype", None)


def steps_of(name):
    """Steps after each of three resets; games of Chicago and the toy end within them."""
    return (3, 3, 350) if name in ("chicago", TOY) else (3, 3, 40)


def pair(name, arguments, mode):
    ours = SeatVectorEnv(name, TABLES, autoreset_mode=mode, **arguments)
    theirs = SyncVectorEnv(
        [lambda: SeatEnv(name, **arguments) for _ in range(TABLES)], autoreset_mode=mode
    )
    return ours, theirs


FAST = [(*CASES[k], MODES[k % 3]) for k in range(len(CASES))]
"""Every case once, every mode several times."""
ALL = [(*case, mode) for case in CASES for mode in MODES]


@pytest.mark.parametrize(("name", "arguments", "mode"), slow_but(FAST, ALL))
def test_the_same_as_gymnasiums_own_vector_env(name, arguments, mode):
    ours, theirs = pair(name, arguments, mode)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    rng, ends = np.random.default_rng(1), 0
    for seed, steps in zip((5, None, [9, None, 3, 4]), steps_of(name), strict=True):
        for a, b in zip(ours.reset(seed=seed), theirs.reset(seed=seed), strict=True):
            assert_equal(a, b)
        for _ in range(steps):
            actions = legal(ours.action_masks(), rng)
            mine, others = ours.step(actions), theirs.step(actions)
            for a, b in zip(mine, others, strict=True):
                assert_equal(a, b)
            over = mine[2] | mine[3]
            ends += int(over.sum())
            if mode == "Disabled" and over.any():
                seen = [e.reset(options={"reset_mask": over}) for e in (ours, theirs)]
                for a, b in zip(*seen, strict=True):
                    assert_equal(a, b)
    if name in ("chicago", TOY):
        assert ends > 0


@pytest.mark.parametrize("name", OURS)
def test_make_vec_makes_it(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec(
            gymnasium_id(name),
            num_envs=3,
            vectorization_mode="vector_entry_point",
            opponents="random",
            seat=1,
        )
        by_default = gymnasium.make_vec(gymnasium_id(name), num_envs=2, opponents="random")
    assert isinstance(envs, SeatVectorEnv)
    assert isinstance(envs, VectorEnv)
    assert isinstance(by_default, SeatVectorEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, infos = envs.reset(seed=0)
    assert observations in envs.observation_space
    actions = legal(infos["action_mask"], np.random.default_rng(0))
    assert actions in envs.action_space
    observations, rewards, *_ = envs.step(actions)
    assert observations in envs.observation_space
    assert rewards.shape == (3,)
    envs.close()


def test_returned_arrays_are_not_reused():
    """As Gymnasium's checker demands of single environments."""
    envs = SeatVectorEnv("chicago", 2, opponents="random")
    first, infos = envs.reset(seed=0)
    kept = first.copy(), infos["action_mask"].copy()
    envs.step(legal(infos["action_mask"], np.random.default_rng(0)))
    np.testing.assert_array_equal(first, kept[0])
    np.testing.assert_array_equal(infos["action_mask"], kept[1])


def test_gymnasiums_wrappers_count_episodes():
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        SeatVectorEnv("chicago", 4, opponents="random")
    )
    _, infos = envs.reset(seed=0)
    rng, returns = np.random.default_rng(0), []
    while len(returns) < 8:
        _, rewards, ends, _, infos = envs.step(legal(infos["action_mask"], rng))
        if ends.any():
            returns += infos["episode"]["r"][ends].tolist()
            np.testing.assert_array_equal(infos["episode"]["r"][ends], rewards[ends])
    assert set(returns) <= {1.0, -0.25}


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_tables_are_shown_as_the_seat_sees_them(mode):
    envs = SeatVectorEnv("chicago", 2, opponents="random", render_mode=mode, seat=1)
    envs.reset(seed=3)
    pictures = envs.render()
    assert len(pictures) == 2
    single = gymnasium.make("gangland/Chicago-v0", opponents="random", render_mode=mode, seat=1)
    single.reset(seed=3)
    if mode == "ansi":
        assert pictures[0] == single.render()
    else:
        assert type(pictures[0]) is type(single.render())


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="num_envs=0"):
        SeatVectorEnv(TOY, 0, opponents="random")
    with pytest.raises(ValueError, match=r"seat=9: must be None or an integer 0\.\.2"):
        SeatVectorEnv(TOY, 2, seat=9, opponents="random")
    with pytest.raises(ValueError, match="reward='money'"):
        SeatVectorEnv(TOY, 2, reward="money", opponents="random")
    with pytest.raises(ValueError, match="opponents: 1 given, must be 1 or 3"):
        SeatVectorEnv(TOY, 2, opponents=["random"], players=4)
    with pytest.raises(OptionError, match="players=77"):
        SeatVectorEnv(TOY, 2, opponents="random", players=77)
    with pytest.raises(ValueError, match="render_mode='human'"):
        SeatVectorEnv(TOY, 2, opponents="random", render_mode="human")
    envs = SeatVectorEnv(TOY, 2, opponents="random")
    with pytest.raises(ValueError, match="seed: 3 given, must be one or 2"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": np.zeros(2, np.bool_)})


def test_an_illegal_action_plays_nothing():
    tables = SeatTables("chicago", 3, opponents="random")
    tables.reset(seeds=[1, 2, 3])
    before = tables._bytes.copy()
    actions = legal(tables.action_masks, np.random.default_rng(0))
    actions[1] = np.flatnonzero(~tables.action_masks[1])[0]
    with pytest.raises(IllegalActionError, match=r"^table 1: chicago: action"):
        tables.step(actions)
    with pytest.raises(IllegalActionError, match="must be integers of shape"):
        tables.step(actions[:2])
    with pytest.raises(IllegalActionError, match="must be integers of shape"):
        tables.step(actions + 0.5)
    np.testing.assert_array_equal(tables._bytes, before)
    tables._terminations[2] = True
    with pytest.raises(GameOverError, match="table 2"):
        tables.step(actions)
