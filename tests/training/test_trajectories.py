"""Advantages along a seat's own decisions, computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch as th

from gangland.training.rollout.buffer import DecisionBuffer
from gangland.training.rollout.thread_pool import ThreadPool
from gangland.training.rollout.trajectories import (
    ENDED,
    OPEN,
    pay_rewards,
    sample_actions,
)

LAMBDA = 0.5
# Every number below is exact in binary floating point.


class Table:
    """One table of three seats, driven by hand; observation k is [k]."""

    def __init__(self) -> None:
        self.buffer = DecisionBuffer(16, 1, 2, seats=3, gae_lambda=LAMBDA)
        self.decisions = 0

    def decide(self, seat: int, value: float) -> int:
        observation = np.array([[self.decisions]], np.float32)
        self.decisions += 1
        at = self.buffer.add(
            np.array([0]), np.array([seat]), observation, np.ones((1, 2), np.bool_)
        )
        self.buffer.estimates[at] = value
        return at.start

    def pay(self, *rewards: float, done: bool = False) -> None:
        buffer = self.buffer
        paid = np.array([rewards], np.float32)
        pay_rewards(paid, np.array([done]), buffer.last, buffer.links, buffer.rewards)

    def truncate(self, values: dict[int, float]) -> None:
        """The game is cut off; ``values`` of what seats last saw."""
        seats = list(values)
        self.buffer.truncate(
            self.buffer.last[0, seats],
            np.array([values[seat] for seat in seats], np.float32),
        )
        self.pay(0, 0, 0, done=True)


def test_three_seats_with_runs_of_decisions_and_reactions_out_of_turn():
    table = Table()
    table.decide(0, 4.0)  # 0: seat 0
    table.pay(0, 0, 0)
    table.decide(0, 2.0)  # 1: seat 0 again, a run of its own
    table.pay(1, 0, 0)  # paid for decision 1
    table.decide(2, 8.0)  # 2: seat 2 reacts out of turn
    table.pay(0, 0, 0)
    table.decide(1, 1.0)  # 3: seat 1
    table.pay(2, 0, 4)  # paid for decisions 1 (seat 0) and 2 (seat 2)
    table.decide(2, 2.0)  # 4: seat 2 again
    table.pay(0, 0, 0)
    table.decide(0, 6.0)  # 5: seat 0
    table.pay(-1, 3, -2, done=True)  # the result: decisions 5, 3 and 4
    buffer = table.buffer
    buffer.finish()

    assert buffer.links[:6].tolist() == [1, 5, 4, ENDED, ENDED, ENDED]
    assert buffer.rewards[:6].tolist() == [0, 3, 4, 3, -2, -1]
    # Seat 0: decisions 0 -> 1 -> 5 -> end, values 4, 2, 6.
    d5 = -1 - 6
    d1 = 3 + 6 - 2
    d0 = 0 + 2 - 4
    a5 = d5
    a1 = d1 + LAMBDA * a5
    a0 = d0 + LAMBDA * a1
    # Seat 2: decisions 2 -> 4 -> end, values 8, 2. Seat 1: decision 3 -> end, value 1.
    a4 = -2 - 2
    a2 = 4 + 2 - 8 + LAMBDA * a4
    a3 = 3 - 1
    assert (a0, a1, a5) == (-0.25, 3.5, -7.0)
    assert buffer.advantages[:6].tolist() == [a0, a1, a2, a3, a4, a5]
    assert buffer.returns.tolist() == [4 + a0, 2 + a1, 8 + a2, 1 + a3, 2 + a4, 6 + a5]


def test_done_cuts_between_two_games_on_one_table():
    table = Table()
    table.decide(1, 2.0)
    table.pay(0, 5, 0, done=True)
    table.decide(1, 7.0)  # the next game: nothing of it may reach the first
    table.pay(0, 0, 0)
    table.decide(0, 1.0)
    table.pay(1, -1, 0, done=True)
    buffer = table.buffer
    buffer.finish()
    assert buffer.advantages[:3].tolist() == [5 - 2, -1 - 7, 1 - 1]


def test_a_reward_before_the_first_decision_of_a_game_goes_nowhere():
    table = Table()
    table.decide(1, 0.0)
    table.pay(0, 0, 0)
    table.pay(9, 1, 9, done=True)  # seats 0 and 2 never decided in this game
    table.decide(0, 0.0)
    table.pay(2, 0, 0, done=True)
    table.buffer.finish()
    assert table.buffer.rewards[:2].tolist() == [1, 2]


def test_a_truncation_bootstraps_every_seat_from_what_it_saw_last():
    """Nobody is paid at the cap; values of the last observations stand for what was cut off."""
    table = Table()
    table.decide(0, 4.0)  # 0: seat 0
    table.pay(0, 0, 0)
    table.decide(2, 8.0)  # 1: seat 2
    table.pay(2, 0, 0)  # a reward before the cap still counts: decision 0
    table.decide(0, 2.0)  # 2: seat 0 again; seat 1 never decides in this game
    table.truncate({0: 6.0, 2: -4.0})
    table.decide(0, 1.0)  # 3: the next game: nothing of it may reach the first
    table.pay(0, 0, 0)
    table.decide(1, 5.0)  # 4
    table.pay(-1, 3, 7, done=True)
    buffer = table.buffer
    buffer.finish()

    assert buffer.links[:5].tolist() == [2, ENDED, ENDED, ENDED, ENDED]
    assert buffer.rewards[:5].tolist() == [2, 0, 0, -1, 3]  # as paid
    # Seat 0: decisions 0 -> 2 -> cut off at a value of 6. Seat 2: decision 1 -> cut off at -4.
    a2 = 0 + 6 - 2
    a0 = 2 + 2 - 4 + LAMBDA * a2
    a1 = 0 + -4 - 8
    assert (a0, a1, a2) == (2.0, -12.0, 4.0)
    assert buffer.advantages[:5].tolist() == [a0, a1, a2, -1 - 1, 3 - 5]
    assert buffer.returns.tolist() == [4 + a0, 8 + a1, 2 + a2, -1, 3]
    assert buffer.size == 5

    # The next rollout begins without it: its first decisions are other ones.
    buffer.reset()
    for seat in (0, 2, 0):
        table.decide(seat, 1.0)
        table.pay(0, 0, 0)
    table.decide(1, 1.0)
    table.pay(4, 4, 4, done=True)
    buffer.finish()
    assert buffer.advantages[:4].tolist() == [1 - 1 + LAMBDA * 3, 3, 3, 3]


def test_truncations_of_one_shard_leave_the_other_alone():
    buffer = DecisionBuffer(4, 1, 2, tables=2, seats=2, bounds=(0, 1, 2), gae_lambda=LAMBDA)
    one = np.ones(1, np.float32)
    for shard in (0, 1):
        at = buffer.add(
            np.array([0]), np.array([1]), np.zeros((1, 1), np.float32), np.ones((1, 2), bool), shard
        )
        buffer.estimates[at] = 1.0
        last = buffer.last_of(shard)
        if shard == 1:
            buffer.truncate(last[[0], [1]], 6 * one, shard)
        done = np.array([True])
        pay_rewards(np.zeros((1, 2), np.float32), done, last, buffer.links, buffer.rewards)
    buffer.finish()
    assert buffer.advantages[buffer.rows].tolist() == [-1, 6 - 1]


def test_open_decisions_wait_for_the_next_rollout():
    table = Table()
    table.decide(0, 4.0)
    table.pay(0, 0, 0)
    table.decide(1, 1.0)
    table.pay(0, 0, 0)
    table.decide(0, 2.0)
    table.pay(0, 0, 0)
    buffer = table.buffer
    buffer.finish()
    assert buffer.links[:3].tolist() == [2, OPEN, OPEN]
    # The first decision bootstraps from the seat's own next observation, though that one is open.
    assert buffer.size == 1
    assert buffer.returns.tolist() == [4 + (2 - 4)]

    buffer.reset()
    assert buffer.count == 2
    assert buffer.inputs[:2, 0].tolist() == [1, 2]
    assert buffer.last.tolist() == [[1, 0, OPEN]]
    table.pay(0, 3, 0)  # still belongs to seat 1's decision of the rollout before
    table.decide(1, 5.0)
    table.pay(1, -1, 0, done=True)
    buffer.finish()
    assert buffer.rewards[:3].tolist() == [3, 1, -1]
    a2 = -1 - 5
    a0 = 3 + 5 - 1 + LAMBDA * a2
    assert buffer.advantages[:3].tolist() == [a0, 1 - 2, a2]
    assert buffer.size == 3


def test_snapshot_of_open_decisions():
    table, other = Table(), Table()
    for seat, value in ((0, 4.0), (1, 1.0), (0, 2.0)):
        table.decide(seat, value)
        table.pay(0, 0, 0.5)
    other.buffer.restore(table.buffer.snapshot())
    other.decisions = table.decisions
    table.buffer.finish()
    table.buffer.reset()
    other.buffer.reset()
    for each in (table, other):
        each.decide(2, 3.0)
        each.pay(1, -1, 0, done=True)
        each.buffer.finish()
    assert np.array_equal(table.buffer.advantages[:3], other.buffer.advantages[:3])
    assert np.array_equal(table.buffer.inputs[:3], other.buffer.inputs[:3])


def test_minibatches_hold_every_closed_decision_once():
    table = Table()
    for k in range(9):
        table.decide(k % 3, float(k))
        table.pay(0, 0, 0)
    buffer = table.buffer
    buffer.finish()
    minibatches, rollout = buffer.minibatches(2), buffer.batch(ThreadPool(1))
    batches = [rollout.take(th.from_numpy(rows)) for rows in minibatches]
    seen = sorted(float(v) for rows in minibatches for v in buffer.inputs[rows, 0])
    assert seen == [0, 1, 2, 3, 4, 5]
    assert [len(batch) for batch in batches] == [2, 2, 2]
    assert all(batch.masks.dtype == th.bool for batch in batches)
    returns = np.concatenate([batch.returns for batch in batches])
    assert np.sort(returns).tolist() == np.sort(buffer.returns).tolist()


@pytest.mark.parametrize("sharpness", [0.5, 1.0, 1e30])
def test_sampling_follows_the_masked_softmax(sharpness):
    n = 200_000
    logits = np.tile(np.array([1.0, 9.0, 0.0, -1.0], np.float32), (n, 1))
    masks = np.tile(np.array([True, False, True, True]), (n, 1))
    rows, actions = np.arange(n), np.zeros(n, np.int64)
    chosen, log_probs = np.zeros(n, np.int64), np.zeros(n, np.float32)
    uniforms = np.random.default_rng(1).random(n)
    into = uniforms, rows, actions, chosen, log_probs
    assert sample_actions(logits, masks, sharpness, *into) == -1
    weights = np.exp(sharpness * np.array([0.0, -np.inf, -1.0, -2.0]))
    expected = weights / weights.sum()
    counts = np.bincount(chosen, minlength=4)
    errors = 4 * np.sqrt(expected * (1 - expected) / n)
    assert (np.abs(counts / n - expected) <= errors).all()
    assert log_probs == pytest.approx(np.log(expected[chosen]), abs=1e-5)
    masks[7] = False
    assert sample_actions(logits, masks, sharpness, *into) == 7
