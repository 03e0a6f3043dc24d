"""Batched tables: in place, in order, independent of each other and of threads."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import make_vec
from gangland.envs.core.batch import sample_legal
from gangland.envs.core.errors import IllegalActionError, OptionError
from gangland.envs.core.state import bytes_of
from tests.games import GAMES

NAME = "highcard"


def run(tables, steps, seeds):
    actions = np.zeros(tables.num_envs, np.int64)
    trace = []
    for _ in range(steps):
        sample_legal(tables.action_masks, seeds, actions, 0, tables.num_envs)
        tables.step(actions)
        trace.append((tables.observations.copy(), tables.rewards.copy(), tables.dones.copy()))
    return trace


@pytest.mark.parametrize("name", GAMES)
def test_threads_change_nothing(name):
    traces = []
    for threads in (1, 3, 8):  # one of eight has no table
        tables = make_vec(name, 7, seed=3, threads=threads)
        tables.reset()
        traces.append(run(tables, 60, np.arange(7, dtype=np.uint64)))
        tables.close()
    for steps in zip(*traces, strict=True):
        for arrays in zip(*steps, strict=True):
            for array in arrays[1:]:
                np.testing.assert_array_equal(array, arrays[0])


def test_a_table_plays_the_same_games_in_any_company():
    alone, many = make_vec(NAME, 1, seed=5), make_vec(NAME, 9, seed=5)
    alone.reset()
    many.reset()
    for _ in range(50):
        np.testing.assert_array_equal(alone.observations[0], many.observations[0])
        action = np.flatnonzero(alone.action_masks[0])[-1]
        alone.step(np.array([action]))
        many.step(np.array([np.flatnonzero(mask)[-1] for mask in many.action_masks]))


def test_arrays_are_filled_in_place_and_results_stay_for_one_step():
    tables = make_vec(NAME, 4, seed=1, players=3)
    arrays = [tables.observations, tables.action_masks, tables.rewards, tables.dones]
    addresses = [array.ctypes.data for array in arrays]
    tables.reset()
    for _ in range(3):
        tables.step(np.zeros(4, np.int64))
    assert tables.dones.all()
    np.testing.assert_allclose(tables.rewards[:, :3].sum(axis=1), 0)
    assert (tables.rewards != 0).any()
    assert (tables.lengths == 3).all()
    assert (tables.states["ply"] == 0).all()
    tables.step(np.zeros(4, np.int64))
    assert not tables.dones.any()
    assert not tables.rewards.any()
    assert [a.ctypes.data for a in arrays] == addresses
    assert arrays[0] is tables.observations


def test_a_snapshot_goes_on_where_it_was_taken():
    tables = make_vec(NAME, 5, seed=2)
    tables.reset()
    seeds = np.arange(5, dtype=np.uint64)
    run(tables, 7, seeds)
    kept, kept_seeds = tables.snapshot(), seeds.copy()
    first = run(tables, 20, seeds)
    other = make_vec(NAME, 5, seed=77)
    other.restore(kept)
    second = run(other, 20, kept_seeds)
    for a, b in zip(first, second, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_positions_are_placed_at_some_tables(dtype):
    tables, other = (
        make_vec("chicago", count, seed=count, observation_dtype=dtype) for count in (5, 3)
    )
    for each, steps in ((tables, 400), (other, 77)):
        each.reset()
        run(each, steps, np.arange(each.num_envs, dtype=np.uint64))
    tables.rewards[:], tables.dones[:], tables.truncations[:] = 1.0, True, True
    before = tables.clone()
    tables.place(np.array([4, 1]), other.snapshot()["states"][[0, 2]])
    for name in ("states", "observations", "action_masks", "seats"):
        arrays = [getattr(each, name) for each in (tables, other, before)]
        after, placed, old = map(bytes_of, arrays) if name == "states" else arrays
        assert after[[4, 1]].tobytes() == placed[[0, 2]].tobytes()
        assert after[[0, 2, 3]].tobytes() == old[[0, 2, 3]].tobytes()
    assert tables.dones.tolist() == tables.truncations.tolist() == [True, False, True, True, False]
    assert not tables.rewards[[1, 4]].any()
    actions = [mask.argmax() for mask in tables.action_masks]
    tables.step(np.array(actions))
    other.step(np.array([actions[4], other.action_masks[1].argmax(), actions[1]]))
    assert tables.observations[[4, 1]].tobytes() == other.observations[[0, 2]].tobytes()


def test_bad_input_is_named_and_changes_nothing():
    tables = make_vec(NAME, 3, seed=0)
    tables.reset()
    before = tables.states.tobytes()
    for wrong in (3, 99, -1):
        with pytest.raises(IllegalActionError, match=f"action {wrong} at table 1"):
            tables.step(np.array([0, wrong, 0]))
        assert tables.states.tobytes() == before
    with pytest.raises(ValueError, match="shape"):
        tables.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="num_envs=0"):
        make_vec(NAME, 0)
    with pytest.raises(OptionError, match="players=99"):
        make_vec(NAME, 1, players=99)


def test_random_actions_are_legal_uniform_and_none_after_the_end():
    rows, size = 4000, 37
    mask = np.zeros((1, size), np.bool_)
    mask[0, [0, 5, 6, 36]] = True
    masks = np.repeat(mask, rows, axis=0)
    masks[0] = False
    seeds = np.arange(rows, dtype=np.uint64)
    actions = np.full(rows, -9, np.int64)
    sample_legal(masks, seeds, actions, 0, rows)
    assert actions[0] == 0
    chosen, counts = np.unique(actions[1:], return_counts=True)
    assert chosen.tolist() == [0, 5, 6, 36]
    assert counts.min() > 0.9 * rows / 4
    assert (seeds != np.arange(rows)).all()
