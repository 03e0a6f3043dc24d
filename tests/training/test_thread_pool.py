"""Threads that share a batch, and shards of a buffer."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch as th

from gangland.arena.workers.base import cores
from gangland.training.rollout.buffer import DecisionBuffer, shard_bounds
from gangland.training.rollout.thread_pool import MIN_ROWS, ThreadPool, single_thread
from gangland.training.rollout.trajectories import ENDED, OPEN, pay_rewards

from .toy import toy_config


@pytest.fixture
def pool():
    pool = ThreadPool(3)
    yield pool
    pool.close()


def test_parts_are_done_side_by_side_and_answers_come_in_order(pool):
    side_by_side = min(3, cores())
    together = threading.Barrier(side_by_side, timeout=10)

    def work(k):
        if k < side_by_side:
            together.wait()
        return 10 * k, th.get_num_threads(), threading.current_thread()

    with single_thread():
        answers = pool.run(work, 3)
    assert [answer[:2] for answer in answers] == [(0, 1), (10, 1), (20, 1)]
    threads = {answer[2] for answer in answers}
    assert len(threads) == side_by_side
    assert threading.current_thread() in threads


def test_no_more_parts_at_a_time_than_cores(pool):
    running, most, lock = [], [], threading.Lock()

    def work(k):
        with lock:
            running.append(k)
            most.append(len(running))
        time.sleep(0.01)
        with lock:
            running.remove(k)

    pool.run(work, 30)
    assert max(most) <= cores()


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_an_error_of_any_part_is_raised_when_those_begun_are_done(pool, bad):
    begun, done = [], []

    def work(k):
        begun.append(k)
        if k == bad:
            raise ValueError(f"part {k}")
        time.sleep(0.5)
        done.append(k)

    with pytest.raises(ValueError, match=f"part {bad}"):
        pool.run(work, 300)
    assert sorted(begun) == sorted([*done, bad])
    assert len(begun) <= bad + 2 * cores()
    assert pool.run(lambda k: k, 4) == [0, 1, 2, 3]


def test_settings_of_torch_come_back():
    def work():
        with single_thread():
            assert th.get_num_threads() == 1
            raise KeyError

    before = th.get_num_threads()
    with pytest.raises(KeyError):
        work()
    assert th.get_num_threads() == before


@pytest.mark.parametrize("count", [0, 1, MIN_ROWS, 2 * MIN_ROWS - 1, 2 * MIN_ROWS, 200, 2001])
def test_parts_cover_a_batch_and_none_is_too_small(pool, count):
    parts = pool.split(count)
    assert [k for span in parts for k in range(span.start, span.stop)] == list(range(count))
    assert 1 <= len(parts) <= 3
    assert len(parts) == 1 or min(span.stop - span.start for span in parts) >= MIN_ROWS
    assert len(pool.split(200)) == 3


def test_workers_share_the_tables():
    assert shard_bounds(toy_config(threads=3, ppo={"tables": 32})) == [0, 10, 21, 32]
    assert shard_bounds(toy_config(threads=64, ppo={"tables": 3})) == [0, 1, 2, 3]


def decide(buffer, shard, tables, seats, first):
    """A decision at each of a shard's tables; observations count from ``first``."""
    count = len(seats)
    observations = first + np.arange(count, dtype=np.float32)[:, None]
    masks = np.ones((count, 2), np.bool_)
    at = buffer.add(np.array(tables), np.array(seats), observations, masks, shard)
    buffer.estimates[at] = observations[tables, 0] / 8
    return at


def test_shards_of_a_buffer_do_not_meet():
    """Two shards, filled in turns, hold what two buffers of one shard hold."""

    def make(tables, bounds=None):
        return DecisionBuffer(8, 1, 2, tables=tables, seats=2, bounds=bounds)

    both, alone = make(5, [0, 2, 5]), [make(2), make(3)]
    rng = np.random.default_rng(0)
    for rollout in range(3):
        for buffer in (both, *alone):
            buffer.reset()
        for step in range(8):
            for shard in rng.permutation(2):
                tables = 2 + shard
                seats = rng.integers(0, 2, tables)
                paid = rng.integers(-2, 3, (tables, 2)).astype(np.float32)
                dones = rng.random(tables) < 0.1
                first = 100.0 * rollout + 10 * step
                for buffer, index in ((both, int(shard)), (alone[shard], 0)):
                    decide(buffer, index, list(range(tables)), seats, first)
                    last = buffer.last_of(index)
                    pay_rewards(paid, dones, last, buffer.links, buffer.rewards)
        for buffer in (both, *alone):
            buffer.finish()
        other = make(5, [0, 2, 5])
        other.restore(both.snapshot())
        assert other.count == (both.links[both.rows] == OPEN).sum() > 0
        for name in ("inputs", "rewards", "advantages"):
            found = getattr(both, name)[both.rows]
            apart = [getattr(buffer, name)[buffer.rows] for buffer in alone]
            assert np.array_equal(found, np.concatenate(apart)), name
        kinds = [np.sort(buffer.links[buffer.rows]) for buffer in (both, *alone)]
        for kind in (OPEN, ENDED):
            assert (kinds[0] == kind).sum() == sum((links == kind).sum() for links in kinds[1:])
        trained = [np.sort(np.concatenate(buffer.minibatches(2))) for buffer in (both, *alone)]
        assert len(trained[0]) == both.size == len(trained[1]) + len(trained[2])
        if rollout == 1:
            both.restore(both.snapshot())  # goes on as if nothing had been
