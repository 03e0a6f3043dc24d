"""Figures of the arena against hand-made results and simulations of known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gangland.training.arena_stats import cross_play, wilson, win_share, win_shares


@pytest.mark.parametrize(
    ("wins", "trials", "low", "high"),
    # Worked out by hand from Wilson's formula with z = 1.959964.
    [(0, 10, 0.0, 0.27753), (5, 10, 0.23659, 0.76341), (10, 10, 0.72247, 1.0)],
)
def test_wilson(wins, trials, low, high):
    assert wilson(wins / trials, trials) == pytest.approx((low, high), abs=1e-5)


def test_wilson_solves_its_equation():
    low, high = wilson(0.3, 400)
    for bound in (low, high):
        assert abs(0.3 - bound) == pytest.approx(1.959964 * math.sqrt(bound * (1 - bound) / 400))


def test_shared_wins_are_shared():
    places = np.array([[1, 2, 3], [1, 1, 3], [1, 1, 1]], np.int8)
    third = 1 / 3
    assert win_shares(places).tolist() == [
        [1, 0, 0],
        [0.5, 0.5, 0],
        pytest.approx([third, third, third]),
    ]


def test_one_seat_a_game_is_plain_wilson():
    rng = np.random.default_rng(0)
    won = np.zeros((500, 5))
    won[np.arange(500), rng.integers(5, size=500)] = 1
    mine = np.zeros((500, 5), bool)
    mine[:, 0] = True
    found = win_share(won, mine)
    assert found.share == won[:, 0].mean()
    assert found.effective == pytest.approx(500, rel=0.01)
    assert (found.low, found.high) == pytest.approx(wilson(found.share, 500), abs=1e-3)


@pytest.mark.parametrize("seats_of_mine", [1, 2, 4])
@pytest.mark.parametrize("sharing", [0.0, 0.5])
def test_intervals_hold_the_truth_as_often_as_they_say(seats_of_mine, sharing):
    """400 simulated arenas of 200 games: about 95 % of the intervals hold the true share."""
    rng = np.random.default_rng(seats_of_mine)
    chances = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    mine = np.zeros((200, 5), bool)
    mine[:, :seats_of_mine] = True
    held = 0
    for _ in range(400):
        won = np.zeros((200, 5))
        first = rng.choice(5, size=200, p=chances)
        second = np.where(rng.random(200) < sharing, rng.choice(5, size=200, p=chances), first)
        won[np.arange(200), first] += 0.5
        won[np.arange(200), second] += 0.5
        found = win_share(won, mine)
        held += found.low <= chances[:seats_of_mine].mean() <= found.high
    # Never too narrow; several seats and shared wins make them wide, on the safe side.
    assert held / 400 > 0.92
    if seats_of_mine == 1 and sharing == 0:
        assert held / 400 < 0.98


def test_a_perfect_and_a_hopeless_agent_keep_a_margin():
    won = np.tile([1.0, 0, 0], (50, 1))
    mine = np.zeros((50, 3), bool)
    mine[:, 0] = True
    assert win_share(won, mine).high == 1
    assert 0.9 < win_share(won, mine).low < 0.95
    assert win_share(won, ~mine).low == 0
    assert win_share(won, ~mine).effective == 50, "two losing seats of a game are one trial"


def test_cross_play_counts_pairs_and_halves_ties():
    line_ups = np.array([[0, 1, 1], [1, 0, 2]])
    places = np.array([[1, 1, 3], [3, 1, 2]], np.int8)
    shares, pairs = cross_play(line_ups, places, 4)
    assert pairs.tolist() == [[0, 3, 1, 0], [3, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert shares[0, 1] == pytest.approx((0.5 + 1 + 1) / 3)
    assert shares[1, 0] == pytest.approx(0.5 / 3)
    assert shares[0, 2] == 1
    assert shares[2, 1] == 1
    assert np.isnan(shares[3]).all()
    assert np.isnan(np.diag(shares)).all()
