"""Batched tables: copies that are equal to the byte and go on the same; rewards by score."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .. import load, make_vec
from ..api.aec import GameEnv
from ..api.vec import VecTables
from ..core.batch import sample_legal
from ..core.errors import IllegalActionError
from .cases import Suite, truncated

ARRAYS = (
    "states", "observations", "action_masks", "seats", "rewards", "dones", "truncations", "scores",
    "places", "lengths", "final_states",
)  # fmt: skip
TABLES = 5


def play(tables: VecTables, steps: int, seeds: Any) -> list[dict[str, bytes]]:
    """Random decisions; what every array held after each step."""
    actions = np.zeros(TABLES, np.int64)
    chain = []
    for _ in range(steps):
        sample_legal(tables.action_masks, seeds, actions, 0, TABLES)
        tables.step(actions)
        chain.append(contents(tables))
    return chain


def contents(tables: VecTables) -> dict[str, bytes]:
    """Every array, byte by byte."""
    return {name: getattr(tables, name).tobytes() for name in ARRAYS}


class TableSuite(Suite):
    """Copies of batched tables, and rewards in units of the game's ``score_scale``."""

    @pytest.mark.parametrize("threads", [1, 3])
    @pytest.mark.parametrize(
        "twin",
        [copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t)), lambda t: t.clone()],
        ids=["deepcopy", "pickle", "clone"],
    )
    def test_copies_are_equal_to_the_byte_and_go_on(
        self, name: str, threads: int, twin: Callable[[Any], Any]
    ) -> None:
        options = next(iter(truncated(name)), {})
        tables = make_vec(name, TABLES, seed=6, threads=threads, **options)
        tables.reset()
        seeds = np.arange(TABLES, dtype=np.uint64)
        play(tables, 120, seeds)
        # Memory that was used before: a copy that leaves bytes out shows what was in it.
        rubbish = [np.full(tables.states.nbytes, 0xAB, np.uint8) for _ in range(4)]
        del rubbish
        other = twin(tables)
        assert contents(other) == contents(tables)
        for array in ARRAYS:
            assert not np.shares_memory(getattr(other, array), getattr(tables, array))
            assert getattr(other, array).dtype == getattr(tables, array).dtype
        assert (other._pool is None) == (tables._pool is None)
        before = contents(other)
        kept = seeds.copy()
        first = play(tables, 150, seeds)
        assert contents(other) == before  # neither moves the other
        assert play(other, 150, kept) == first
        other.reset()  # the games to come are the same too
        tables.reset()
        assert contents(other) == contents(tables)
        other.close()
        tables.close()

    def test_arrays_that_were_handed_out_decide_nothing(self, name: str) -> None:
        """Whoever writes into them makes no action legal, and none illegal."""
        tables, other = make_vec(name, TABLES, seed=6), make_vec(name, TABLES, seed=6)
        tables.reset()
        other.reset()
        seeds, actions = np.arange(TABLES, dtype=np.uint64), np.zeros(TABLES, np.int64)
        for _ in range(30):
            sample_legal(other.action_masks, seeds, actions, 0, TABLES)
            some = np.argwhere(~other.action_masks)
            for array in ARRAYS:
                if not array.endswith("states"):
                    getattr(tables, array)[:] = 1
            if len(some):
                wrong = actions.copy()
                wrong[some[0, 0]] = some[0, 1]
                with pytest.raises(IllegalActionError):
                    tables.step(wrong)
            tables.action_masks[:] = False
            tables.step(actions)
            other.step(actions)
            for array in set(ARRAYS) - {"scores", "places", "lengths"}:  # of games that are over
                np.testing.assert_array_equal(getattr(tables, array), getattr(other, array))

    @pytest.mark.parametrize("threads", [1, 3])
    def test_observations_in_bytes_are_the_same_numbers(self, name: str, threads: int) -> None:
        """After every step, in copies and after a snapshot; or the game says that it has none."""
        if load(name).observation_layout is None:
            with pytest.raises(ValueError, match=f"{name}: declares no observation_layout"):
                make_vec(name, TABLES, observation_dtype="uint8")
            return
        codes = load(name).observation_codes
        plain = make_vec(name, TABLES, seed=8, threads=threads)
        coded = make_vec(name, TABLES, seed=8, threads=threads, observation_dtype="uint8")
        plain.reset()
        coded.reset()
        actions, seeds = np.zeros(TABLES, np.int64), np.arange(TABLES, dtype=np.uint64)
        for step in range(300):
            assert coded.observations.dtype == np.uint8
            assert coded.observations.shape == (TABLES, codes.size)
            np.testing.assert_array_equal(codes.decode(coded.observations), plain.observations)
            np.testing.assert_array_equal(codes.encode(plain.observations), coded.observations)
            sample_legal(plain.action_masks, seeds, actions, 0, TABLES)
            plain.step(actions)
            coded.step(actions)
            if step == 150:
                kept = coded.snapshot()
                coded.close()
                coded = coded.clone()
                coded.observations[:] = 0
                coded.restore(kept)
        coded.close()
        plain.close()

    def test_a_whole_game_pays_differences_in_that_unit(self, name: str) -> None:
        env = GameEnv(load(name), reward="score")
        for seed in range(4):
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            collected = dict.fromkeys(env.possible_agents, 0.0)
            while env.agents:
                observation, reward, termination, truncation, _ = env.last()
                collected[env.agent_selection] += reward
                over = termination or truncation
                mask = observation["action_mask"]
                env.step(None if over else int(rng.choice(np.flatnonzero(mask))))
            scores = env.game.result(env.record).scores
            others = len(scores) - 1
            paid = not env.game.is_truncated(env.record)
            for agent, own in zip(env.possible_agents, scores, strict=True):
                wanted = (own - (sum(scores) - own) / others) / env.game.score_scale
                assert collected[agent] == pytest.approx(wanted * paid, abs=1e-9)

    @pytest.mark.parametrize("fewest", [False, True])
    def test_random_games_pay_about_minus_one_to_one(self, name: str, fewest: bool) -> None:
        """Measured over random games, at the default table and at the smallest one."""
        game = load(name)
        seats = game.options.options[0]
        options: dict[str, Any] = {seats.name: seats.low} if fewest else {}
        tables = make_vec(name, 32, seed=9, **options)
        tables.reset()
        n = tables.num_seats
        seeds, actions = np.arange(32, dtype=np.uint64), np.zeros(32, np.int64)
        seen: list[float] = []
        while len(seen) < 64:
            sample_legal(tables.action_masks, seeds, actions, 0, 32)
            tables.step(actions)
            scores = tables.scores[tables.dones, :n].astype(float)
            others = (scores.sum(1, keepdims=True) - scores) / (n - 1)
            seen += list((scores - others) / game.score_scale)
        most = float(np.abs(seen).max())
        assert 0.25 <= most <= 1.0, (
            f"score_scale={game.score_scale:g}: random games pay up to {most:.3g}, must be 0.25 to "
            f"1; give the largest lead that the rules allow, at least {most * game.score_scale:.3g}"
        )
