"""``step`` takes integers of Python and NumPy; all else is refused by name, and nothing played."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from .. import load, make_vec
from ..api.aec import GameEnv
from ..core.errors import IllegalActionError
from ..registration import gymnasium_id
from .cases import Suite

WRONG = [
    0.5, 1.0, "1", b"1", True, np.True_, np.float64(0), np.array(1.0), np.array(True),
    np.array([0]), np.array(["1"]), [0], (), {}, 1j, float("nan"),
]  # fmt: skip


def seat_env(name: str) -> Any:
    """The single-seat environment against random players, without wrappers."""
    return gymnasium.make(gymnasium_id(name), opponents="random").unwrapped


def ways(action: int) -> list[Any]:
    """The same action in all types that are taken."""
    return [action, np.int64(action), np.int16(action), np.uint32(action), np.array(action),
            np.array(action, np.int32)]  # fmt: skip


VECTORS: list[Any] = [
    0.5, None, 1,
    np.zeros(4), np.zeros(4, np.float32), np.full(4, 0.5), np.full(4, np.nan),
    np.array(["0"] * 4), ["0"] * 4, [0, 0, 0, 0.5], [None] * 4, np.zeros(4, np.bool_), [True] * 4,
    np.zeros(4, object), np.zeros((4, 1), np.int64), np.zeros((1, 4), np.int64),
    np.zeros(3, np.int64), np.zeros(5, np.int64), [], np.zeros(4, "M8[s]"), [[0], [0, 1], 0, 0],
]  # fmt: skip


class ActionSuite(Suite):
    """What is an action, in every interface, and what is none."""

    @pytest.mark.parametrize("wrong", WRONG, ids=repr)
    def test_aec_and_rules_refuse_what_is_no_integer(self, name: str, wrong: Any) -> None:
        game = load(name)
        env = GameEnv(game)
        env.reset(seed=1)
        before, agent = env.save(), env.agent_selection
        message = rf"{name}: action .* \({type(wrong).__name__}\): must be an integer 0\.\."
        with pytest.raises(IllegalActionError, match=message):
            env.step(wrong)
        assert (env.save(), env.agent_selection) == (before, agent)
        state = game.new_state(1)
        start = state.tobytes()
        with pytest.raises(IllegalActionError, match=message):
            game.apply(state, wrong)
        assert state.tobytes() == start

    @pytest.mark.parametrize("wrong", [*WRONG, None], ids=repr)
    def test_gymnasium_refuses_what_is_no_integer(self, name: str, wrong: Any) -> None:
        env = seat_env(name)
        env.reset(seed=1)
        before = env._env.save()
        message = rf"{name}: action .* \({type(wrong).__name__}\): must be an integer 0\.\."
        with pytest.raises(IllegalActionError, match=message):
            env.step(wrong)
        assert env._env.save() == before

    def test_integers_of_any_type_play_the_same(self, name: str) -> None:
        game = load(name)
        action = game.legal_actions(game.new_state(1))[-1]
        after = set()
        for given in ways(action):
            env = GameEnv(game)
            env.reset(seed=1)
            env.step(given)
            after.add(env.save())
        assert len(after) == 1
        seat = seat_env(name)
        ends = set()
        for k in range(6):
            seat.reset(seed=1)
            seat.step(ways(int(np.flatnonzero(seat.action_masks())[-1]))[k])
            ends.add(seat._env.save())
        assert len(ends) == 1

    @pytest.mark.parametrize("threads", [1, 2])
    def test_batched_tables_refuse_what_is_no_array_of_integers(
        self, name: str, threads: int
    ) -> None:
        tables = make_vec(name, 4, seed=2, threads=threads)
        tables.reset()
        before = tables.states.tobytes()
        for wrong in VECTORS:
            with pytest.raises(
                IllegalActionError, match=r"actions.*must be integers of shape \(4,\)"
            ):
                tables.step(wrong)
            assert tables.states.tobytes() == before
        tables.close()

    def test_batched_tables_take_integers_of_any_type(self, name: str) -> None:
        kinds = (np.int64, np.int32, np.int16, np.uint64, list)
        after = set()
        for kind in kinds:
            tables = make_vec(name, 4, seed=2)
            tables.reset()
            chosen = tables.action_masks.argmax(1)
            tables.step(chosen.tolist() if kind is list else chosen.astype(kind))
            after.add(tables.states.tobytes())
        assert len(after) == 1

    def test_one_illegal_action_stops_the_tables_of_all_threads(self, name: str) -> None:
        tables = make_vec(name, 4, seed=2, threads=4)
        tables.reset()
        before = tables.states.tobytes()
        actions = tables.action_masks.argmax(1)
        illegal = np.flatnonzero(~tables.action_masks[2])[:1].tolist()
        for wrong in (-1, tables.game.num_actions, *illegal):
            actions[2] = wrong
            with pytest.raises(IllegalActionError, match=f"action {wrong} at table 2"):
                tables.step(actions)
            assert tables.states.tobytes() == before
        huge = tables.action_masks.argmax(1).astype(np.uint64)
        huge[1] = 2**64 - 1
        with pytest.raises(IllegalActionError, match=f"action {2**64 - 1} at table 1"):
            tables.step(huge)
        assert tables.states.tobytes() == before
        tables.close()
