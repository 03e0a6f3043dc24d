"""Advantages along a seat's own decisions, computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium import spaces

from gangland.training.buffer import DecisionBuffer
from gangland.training.trajectories import (
    ENDED,
    OPEN,
    advantages_along_links,
    pay_rewards,
    sample_actions,
)

GAMMA, LAMBDA = 0.5, 0.5
# Every number below is exact in binary floating point.


class Table:
    """One table of three seats, driven by hand; observation k is [k]."""

    def __init__(self) -> None:
        box, actions = spaces.Box(-8, 8, (1,)), spaces.Discrete(2)
        self.buffer = DecisionBuffer(
            16, box, actions, gamma=GAMMA, gae_lambda=LAMBDA, n_envs=1, seats=3
        )
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
    d1 = 3 + GAMMA * 6 - 2
    d0 = 0 + GAMMA * 2 - 4
    a5 = d5
    a1 = d1 + GAMMA * LAMBDA * a5
    a0 = d0 + GAMMA * LAMBDA * a1
    # Seat 2: decisions 2 -> 4 -> end, values 8, 2. Seat 1: decision 3 -> end, value 1.
    a4 = -2 - 2
    a2 = 4 + GAMMA * 2 - 8 + GAMMA * LAMBDA * a4
    a3 = 3 - 1
    assert (a0, a1, a5) == (-2.4375, 2.25, -7.0)
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
    assert buffer.returns.tolist() == [4 + (GAMMA * 2 - 4)]

    buffer.reset()
    assert buffer.count == 2
    assert buffer.observations[:2, 0].tolist() == [1, 2]
    assert buffer.last.tolist() == [[1, 0, OPEN]]
    table.pay(0, 3, 0)  # still belongs to seat 1's decision of the rollout before
    table.decide(1, 5.0)
    table.pay(1, -1, 0, done=True)
    buffer.finish()
    assert buffer.rewards[:3].tolist() == [3, 1, -1]
    a2 = -1 - 5
    a0 = 3 + GAMMA * 5 - 1 + GAMMA * LAMBDA * a2
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
    assert np.array_equal(table.buffer.observations[:3], other.buffer.observations[:3])


def test_shaping_telescopes():
    """With gamma the discount, shaping adds minus the first potential to a game's return."""
    rng = np.random.default_rng(0)
    n, gamma, weight = 12, 0.5, 0.25
    potentials = rng.integers(-8, 8, n).astype(np.float32)
    links = np.array([*range(1, n), ENDED])
    rewards, zeros = np.zeros(n, np.float32), np.zeros(n, np.float32)
    advantages = np.zeros(n, np.float32)
    # With values of zero and lambda 1, the advantage of a decision is the return from it on.
    advantages_along_links(rewards, zeros, links, potentials, weight, gamma, 1.0, advantages, 0, n)
    assert advantages == pytest.approx(-weight * potentials, abs=1e-6)
    plain = np.zeros(n, np.float32)
    advantages_along_links(rewards, zeros, links, potentials, 0.0, gamma, 1.0, plain, 0, n)
    assert not plain.any()


def test_minibatches_hold_every_closed_decision_once():
    table = Table()
    for k in range(9):
        table.decide(k % 3, float(k))
        table.pay(0, 0, 0)
    buffer = table.buffer
    buffer.finish()
    batches = list(buffer.get(2))
    seen = sorted(float(v) for batch in batches for v in batch.observations[:, 0])
    assert seen == [0, 1, 2, 3, 4, 5]
    assert [len(batch.actions) for batch in batches] == [2, 2, 2]
    assert all(batch.action_masks.dtype.is_floating_point is False for batch in batches)


def test_sampling_follows_the_masked_softmax():
    n = 200_000
    logits = np.tile(np.array([1.0, 9.0, 0.0, -1.0], np.float32), (n, 1))
    masks = np.tile(np.array([True, False, True, True]), (n, 1))
    rows, actions = np.arange(n), np.zeros(n, np.int64)
    chosen, log_probs = np.zeros(n, np.int64), np.zeros(n, np.float32)
    uniforms = np.random.default_rng(1).random(n)
    assert sample_actions(logits, masks, uniforms, rows, actions, chosen, log_probs) == -1
    weights = np.exp(np.array([1.0, -np.inf, 0.0, -1.0]))
    expected = weights / weights.sum()
    counts = np.bincount(chosen, minlength=4)
    errors = 4 * np.sqrt(expected * (1 - expected) / n)
    assert (np.abs(counts / n - expected) <= errors).all()
    assert log_probs == pytest.approx(np.log(expected[chosen]), abs=1e-5)
    masks[7] = False
    assert sample_actions(logits, masks, uniforms, rows, actions, chosen, log_probs) == 7
