"""A cap that pays nobody truncates; a cap that the rules score terminates. In every interface."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from gangland.agents.seat_env import SeatEnv
from gangland.envs import load, make_vec
from gangland.envs.core.aec import GameEnv
from gangland.envs.core.batch import sample_legal
from gangland.envs.core.errors import GameOverError
from gangland.envs.registration import gymnasium_id
from tests.games import GAMES, TOY


def caps(*chosen):
    """The listed caps of the games that are under test."""
    return [pytest.param(n, o, marks=m, id=f"{n}-{next(iter(o))}") for n, o, m in chosen
            if n in GAMES]  # fmt: skip


TRUNCATING = caps(
    ("gangsters", {"max_rounds": 1}, pytest.mark.rule("G-15.6")),
    ("crime_lords", {"max_decisions": 100}, pytest.mark.rule("CL-20.10")),
)
SCORED = caps(
    ("crime_lords", {"max_rounds": 1}, pytest.mark.rule("CL-20.9")),
    ("five_points", {"max_rounds": 1}, pytest.mark.rule("FP-14.9")),
    ("chicago", {"turn_cap": 5}, pytest.mark.rule("CU-14.6")),
)


def play_aec(env, seed):
    """Play at random to the end; returns what every agent saw last."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    collected = dict.fromkeys(env.possible_agents, 0.0)
    ends = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        collected[agent] += reward
        if termination or truncation:
            ends[agent] = (termination, truncation)
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return collected, ends


@pytest.mark.parametrize("reward", ["result", "score"])
@pytest.mark.parametrize(("name", "options"), TRUNCATING)
def test_aec_truncates(name, options, reward):
    env = GameEnv(load(name), reward=reward, **options)
    collected, ends = play_aec(env, 1)
    assert set(ends.values()) == {(False, True)}
    assert set(collected.values()) == {0.0}
    result = env.game.result(env.record)
    assert result.capped
    assert set(result.rewards) == {0.0}
    assert min(result.places) == 1  # ranked all the same
    assert max(result.places) > 1


@pytest.mark.parametrize("reward", ["result", "score"])
@pytest.mark.parametrize(("name", "options"), SCORED)
def test_aec_terminates_at_a_cap_that_scores(name, options, reward):
    env = GameEnv(load(name), reward=reward, **options)
    collected, ends = play_aec(env, 1)
    assert set(ends.values()) == {(True, False)}
    assert any(collected.values())
    assert env.game.result(env.record).capped


@pytest.mark.parametrize(("name", "options"), TRUNCATING)
def test_a_restored_end_is_a_truncation_too(name, options):
    env = GameEnv(load(name), **options)
    play_aec(env, 2)
    saved = env.save()
    other = GameEnv(load(name), **options)
    other.reset(seed=0)
    other.restore(saved)
    assert all(other.truncations.values())
    assert not any(other.terminations.values())


def play_seat(env, seed):
    _, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while True:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return observation, reward, terminated, truncated


@pytest.mark.parametrize(("name", "options"), TRUNCATING)
def test_gymnasium_truncates(name, options):
    env = gymnasium.make(gymnasium_id(name), opponents="random", **options)
    observation, reward, terminated, truncated = play_seat(env, 3)
    assert (terminated, truncated, reward) == (False, True, 0.0)
    inner = env.unwrapped
    np.testing.assert_array_equal(observation, inner.game.observe(inner._env.record, inner.seat))
    with pytest.raises(GameOverError, match="reset"):
        inner.step(0)


@pytest.mark.parametrize(("name", "options"), SCORED)
def test_gymnasium_terminates_at_a_cap_that_scores(name, options):
    env = gymnasium.make(gymnasium_id(name), opponents="random", **options)
    _, reward, terminated, truncated = play_seat(env, 3)
    assert (terminated, truncated) == (True, False)
    assert reward != 0.0


@pytest.mark.parametrize("name", [name for name in GAMES if name != TOY])  # which is too short
def test_gymnasium_truncates_at_the_environments_own_limit(name):
    env = SeatEnv(name, opponents="random", max_cycles=2)
    _, reward, terminated, truncated = play_seat(env, 0)
    assert (terminated, truncated, reward) == (False, True, 0.0)


@pytest.mark.parametrize(("name", "options"), TRUNCATING)
def test_stable_baselines_is_told(name, options):
    vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
    tables = vec_env.DummyVecEnv([lambda: SeatEnv(name, opponents="random", **options)])
    tables.seed(5)
    tables.reset()
    done = [False]
    while not done[0]:
        legal = np.flatnonzero(tables.env_method("action_masks")[0])
        _, rewards, done, infos = tables.step(np.array([legal[0]]))
    assert infos[0]["TimeLimit.truncated"]
    assert infos[0]["terminal_observation"].shape == tables.observation_space.shape
    assert infos[0]["terminal_observation"].any()
    assert rewards[0] == 0.0


def play_tables(tables, steps, note):
    """Random decisions; calls ``note(before)`` after every step with the records before it."""
    seeds = np.arange(tables.num_envs, dtype=np.uint64)
    actions = np.zeros(tables.num_envs, np.int64)
    tables.reset()
    for _ in range(steps):
        sample_legal(tables.action_masks, seeds, actions, 0, tables.num_envs)
        before = [tables.game.clone(state) for state in tables.states]
        tables.step(actions)
        note(before, actions)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "options"), TRUNCATING)
def test_batched_tables_truncate_and_keep_the_last_position(name, options, threads):
    game = load(name)
    tables = make_vec(name, 3, seed=4, threads=threads, **options)
    ended = 0

    def note(before, actions):
        nonlocal ended
        np.testing.assert_array_equal(tables.truncations, tables.dones)
        rows = np.flatnonzero(tables.truncations)
        if len(rows) == 0:
            return
        ended += len(rows)
        assert not tables.rewards.any()
        seen = tables.final_observations(rows)
        assert seen.shape == (len(rows), game.max_seats, game.observation_size)
        assert seen.dtype == np.float32
        for k, row in enumerate(rows):
            last = before[row]
            game.apply(last, int(actions[row]))
            assert last.over
            assert tables.final_states[row].tobytes() == last.tobytes()
            for seat in range(game.max_seats):
                present = seat < tables.num_seats
                wanted = game.observe(last, seat) if present else 0.0 * seen[k, seat]
                np.testing.assert_array_equal(seen[k, seat], wanted)

    play_tables(tables, 230, note)
    assert ended >= 6
    tables.reset()
    assert not tables.truncations.any()
    tables.close()


@pytest.mark.parametrize(("name", "options"), SCORED)
def test_batched_tables_terminate_at_a_cap_that_scores(name, options):
    tables = make_vec(name, 3, seed=4, **options)
    ended = 0

    def note(before, actions):
        nonlocal ended
        assert not tables.truncations.any()
        ended += int(tables.dones.sum())
        assert tables.rewards[tables.dones].any() == tables.dones.any()

    play_tables(tables, 200, note)
    assert ended >= 3
    with pytest.raises(ValueError, match="table 0"):
        tables.final_observations(np.array([0]))


@pytest.mark.parametrize(("name", "options"), TRUNCATING + SCORED)
def test_a_game_that_truncates_pays_nobody_in_its_record(name, options):
    game = load(name)
    rng = np.random.default_rng(0)
    state = game.new_state(7, **options)
    while not state.over:
        assert not game.is_truncated(state)
        game.apply(state, int(rng.choice(game.legal_actions(state))))
    assert state.capped
    assert game.is_truncated(state) == (int(state.capped) in game.truncating_caps)
    assert game.is_truncated(state) == (not state.rewards.any())
    shares = game.result(state).win_shares
    assert sum(shares) == pytest.approx(0 if game.is_truncated(state) else 1)
