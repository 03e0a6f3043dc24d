"""Threads that share a batch, and lanes that share a buffer."""

from __future__ import annotations

import threading

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch as th
from gymnasium import spaces

from gangland.training.buffer import DecisionBuffer, lane_bounds
from gangland.training.crew import LEAST, Crew, single_thread
from gangland.training.trajectories import ENDED, OPEN, pay_rewards

from .toy import toy_config


@pytest.fixture
def crew():
    crew = Crew(3)
    yield crew
    crew.close()


def test_parts_are_done_side_by_side_and_answers_come_in_order(crew):
    together = threading.Barrier(3, timeout=10)

    def work(k):
        together.wait()
        return 10 * k, th.get_num_threads(), threading.current_thread()

    with single_thread():
        answers = crew.run(work, 3)
    assert [answer[:2] for answer in answers] == [(0, 1), (10, 1), (20, 1)]
    assert answers[0][2] is threading.current_thread()
    assert len({answer[2] for answer in answers}) == 3


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_an_error_of_any_part_is_raised_when_all_are_done(crew, bad):
    done = []

    def work(k):
        done.append(k)
        if k == bad:
            raise ValueError(f"part {k}")

    with pytest.raises(ValueError, match=f"part {bad}"):
        crew.run(work, 3)
    assert sorted(done) == [0, 1, 2]


def test_settings_of_torch_come_back():
    def work():
        with single_thread():
            assert th.get_num_threads() == 1
            raise KeyError

    before = th.get_num_threads()
    with pytest.raises(KeyError):
        work()
    assert th.get_num_threads() == before


@pytest.mark.parametrize("count", [0, 1, LEAST, 2 * LEAST - 1, 2 * LEAST, 200, 2001])
def test_spans_cover_a_batch_and_none_is_too_small(crew, count):
    spans = crew.spans(count)
    assert [k for span in spans for k in range(span.start, span.stop)] == list(range(count))
    assert 1 <= len(spans) <= 3
    assert len(spans) == 1 or min(span.stop - span.start for span in spans) >= LEAST
    assert len(crew.spans(200)) == 3


def test_lanes_share_the_tables():
    assert lane_bounds(toy_config(threads=3, ppo={"tables": 32})) == [0, 10, 21, 32]
    assert lane_bounds(toy_config(threads=64, ppo={"tables": 3})) == [0, 1, 2, 3]


def decide(buffer, lane, tables, seats, first):
    """A decision at each of a lane's tables; observations count from ``first``."""
    count = len(seats)
    observations = first + np.arange(count, dtype=np.float32)[:, None]
    masks = np.ones((count, 2), np.bool_)
    at = buffer.add(np.array(tables), np.array(seats), observations, masks, lane)
    buffer.estimates[at] = observations[tables, 0] / 8
    return at


def test_lanes_of_a_buffer_do_not_meet():
    """Two lanes, filled in turns, hold what two buffers of a lane each hold."""

    def make(tables, bounds=None):
        box, actions = spaces.Box(-1e3, 1e3, (1,)), spaces.Discrete(2)
        return DecisionBuffer(8, box, actions, n_envs=tables, seats=2, bounds=bounds)

    both, alone = make(5, [0, 2, 5]), [make(2), make(3)]
    rng = np.random.default_rng(0)
    for rollout in range(3):
        for buffer in (both, *alone):
            buffer.reset()
        for step in range(8):
            for lane in rng.permutation(2):
                tables = 2 + lane
                seats = rng.integers(0, 2, tables)
                paid = rng.integers(-2, 3, (tables, 2)).astype(np.float32)
                dones = rng.random(tables) < 0.1
                first = 100.0 * rollout + 10 * step
                for buffer, index in ((both, int(lane)), (alone[lane], 0)):
                    decide(buffer, index, list(range(tables)), seats, first)
                    last = buffer.last_of(index)
                    pay_rewards(paid, dones, last, buffer.links, buffer.rewards)
        for buffer in (both, *alone):
            buffer.finish()
        other = make(5, [0, 2, 5])
        other.restore(both.snapshot())
        assert other.count == (both.links[both.rows] == OPEN).sum() > 0
        for name in ("observations", "rewards", "advantages"):
            found = getattr(both, name)[both.rows]
            apart = [getattr(buffer, name)[buffer.rows] for buffer in alone]
            assert np.array_equal(found, np.concatenate(apart)), name
        kinds = [np.sort(buffer.links[buffer.rows]) for buffer in (both, *alone)]
        for kind in (OPEN, ENDED):
            assert (kinds[0] == kind).sum() == sum((links == kind).sum() for links in kinds[1:])
        trained = [np.sort(np.concatenate(buffer.minibatches())) for buffer in (both, *alone)]
        assert len(trained[0]) == both.size == len(trained[1]) + len(trained[2])
        if rollout == 1:
            both.restore(both.snapshot())  # goes on as if nothing had been
