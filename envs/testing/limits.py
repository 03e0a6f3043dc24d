"""A cap that pays nobody truncates; one that the rules score terminates. In every interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from .. import load, make_vec
from ..api.aec import GameEnv
from ..api.vec import VecTables
from ..core.batch import sample_legal
from ..core.errors import GameOverError
from ..core.state import State
from ..registration import gymnasium_id
from .cases import Case, Suite


def play_aec(env: GameEnv, seed: int) -> tuple[dict[str, float], dict[str, tuple[bool, bool]]]:
    """Play at random to the end: what every agent was paid, and how it ended for it."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    collected = dict.fromkeys(env.possible_agents, 0.0)
    ends: dict[str, tuple[bool, bool]] = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        collected[agent] += reward
        if termination or truncation:
            ends[agent] = (termination, truncation)
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return collected, ends


def play_seat(env: Any, seed: int) -> tuple[Any, float, bool, bool]:
    """Play at random to the end; what the last step gave."""
    _, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while True:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return observation, reward, terminated, truncated


def play_tables(tables: VecTables, steps: int, note: Callable[[list[State], Any], None]) -> None:
    """Random decisions; ``note`` is given the records before each step, and its actions."""
    seeds = np.arange(tables.num_envs, dtype=np.uint64)
    actions = np.zeros(tables.num_envs, np.int64)
    tables.reset()
    for _ in range(steps):
        sample_legal(tables.action_masks, seeds, actions, 0, tables.num_envs)
        before = [tables.game.clone(state) for state in tables.states]
        tables.step(actions)
        note(before, actions)


class LimitSuite(Suite):
    """Games that are stopped: by caps of the rules, and by limits of the environments."""

    @pytest.mark.parametrize("reward", ["result", "score"])
    def test_aec_truncates(self, truncated_case: Case, reward: str) -> None:
        name, options = truncated_case
        env = GameEnv(load(name), reward=reward, **options)
        collected, ends = play_aec(env, 1)
        assert set(ends.values()) == {(False, True)}
        assert set(collected.values()) == {0.0}
        result = env.game.result(env.record)
        assert result.capped
        assert set(result.rewards) == {0.0}
        assert min(result.places) == 1  # ranked all the same

    @pytest.mark.parametrize("reward", ["result", "score"])
    def test_aec_terminates_at_a_cap_that_scores(self, scored_case: Case, reward: str) -> None:
        name, options = scored_case
        env = GameEnv(load(name), reward=reward, **options)
        collected, ends = play_aec(env, 1)
        assert set(ends.values()) == {(True, False)}
        result = env.game.result(env.record)
        assert result.capped
        if reward == "result":
            assert list(collected.values()) == pytest.approx(list(result.rewards))

    def test_a_restored_end_is_a_truncation_too(self, truncated_case: Case) -> None:
        name, options = truncated_case
        env = GameEnv(load(name), **options)
        play_aec(env, 2)
        saved = env.save()
        other = GameEnv(load(name), **options)
        other.reset(seed=0)
        other.restore(saved)
        assert all(other.truncations.values())
        assert not any(other.terminations.values())

    def test_gymnasium_truncates(self, truncated_case: Case) -> None:
        name, options = truncated_case
        env = gymnasium.make(gymnasium_id(name), opponents="random", **options)
        observation, reward, terminated, truncated = play_seat(env, 3)
        assert (terminated, truncated, reward) == (False, True, 0.0)
        inner: Any = env.unwrapped
        np.testing.assert_array_equal(
            observation, inner.game.observe(inner._env.record, inner.seat)
        )
        with pytest.raises(GameOverError, match="reset"):
            inner.step(0)

    def test_gymnasium_terminates_at_a_cap_that_scores(self, scored_case: Case) -> None:
        name, options = scored_case
        env = gymnasium.make(gymnasium_id(name), opponents="random", **options)
        _, reward, terminated, truncated = play_seat(env, 3)
        assert (terminated, truncated) == (True, False)
        inner: Any = env.unwrapped
        assert reward == pytest.approx(inner.game.result(inner._env.record).rewards[inner.seat])

    def test_gymnasium_truncates_at_the_environments_own_limit(self, name: str) -> None:
        env = gymnasium.make(gymnasium_id(name), opponents="random", max_cycles=1)
        for seed in range(20):
            _, reward, terminated, truncated = play_seat(env, seed)
            if truncated:
                assert (terminated, reward) == (False, 0.0)
                return
        pytest.fail("no game had as many decisions as seats")

    def test_stable_baselines_sees_it(self, truncated_case: Case) -> None:
        name, options = truncated_case
        vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
        tables = vec_env.DummyVecEnv(
            [lambda: gymnasium.make(gymnasium_id(name), opponents="random", **options).unwrapped]
        )
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

    @pytest.mark.parametrize("threads", [1, 2])
    def test_batched_tables_truncate_and_keep_the_last_position(
        self, truncated_case: Case, threads: int
    ) -> None:
        name, options = truncated_case
        game = load(name)
        tables = make_vec(name, 3, seed=4, threads=threads, **options)
        ended = 0

        def note(before: list[State], actions: Any) -> None:
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

    def test_batched_tables_terminate_at_a_cap_that_scores(self, scored_case: Case) -> None:
        name, options = scored_case
        tables = make_vec(name, 3, seed=4, **options)
        ended = 0

        def note(before: list[State], actions: Any) -> None:
            nonlocal ended
            assert not tables.truncations.any()
            ended += int(tables.dones.sum())
            for row in np.flatnonzero(tables.dones):
                losers = (tables.places[row, : tables.num_seats] != 1).any()
                assert tables.rewards[row].any() == losers

        play_tables(tables, 200, note)
        assert ended >= 3
        with pytest.raises(ValueError, match="table 0"):
            tables.final_observations(np.array([0]))

    def test_a_game_that_truncates_pays_nobody_in_its_record(self, capped_case: Case) -> None:
        name, options = capped_case
        game = load(name)
        rng = np.random.default_rng(0)
        state = game.new_state(7, **options)
        while not state.over:
            assert not game.is_truncated(state)
            game.apply(state, int(rng.choice(game.legal_actions(state))))
        assert state.capped
        assert game.is_truncated(state) == (int(state.capped) in game.truncating_caps)
        losers = (state.places[: state.num_seats] != 1).any()
        assert state.rewards.any() == (losers and not game.is_truncated(state))
        shares = game.result(state).win_shares
        assert sum(shares) == pytest.approx(0 if game.is_truncated(state) else 1)
