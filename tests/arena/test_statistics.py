"""Statistics of the arena against hand-made results and simulations of known truth."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from gangland.arena.statistics import (
    Mean,
    cross_play,
    design_effect,
    mean_score,
    ranks,
    student_t,
    wilson,
    win_share,
    win_shares,
)


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


def test_wilson_of_no_trials_leaves_everything_possible():
    assert wilson(0.4, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("probability", "degrees", "quantile"),
    # From the usual tables of Student's t.
    [
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 3, 3.182),
        (0.975, 4, 2.776),
        (0.995, 10, 3.169),
        (0.975, 30, 2.042),
        (0.975, 100, 1.984),
        (0.975, 120, 1.980),
        (0.9995, 120, 3.373),
        (0.95, 1000, 1.646),
    ],
)
def test_quantiles_of_student_t(probability, degrees, quantile):
    assert student_t(probability, degrees) == pytest.approx(quantile, abs=5e-4)


def test_quantiles_of_student_t_fall_without_a_jump():
    found = [student_t(0.975, degrees) for degrees in range(1, 200)]
    assert (np.diff(found) < 0).all()
    assert found[99] - found[100] == pytest.approx(found[98] - found[99], rel=0.05)


NOBODY_CUT = np.zeros(3, bool)


def test_shared_wins_are_shared():
    places = np.array([[1, 2, 3], [1, 1, 3], [1, 1, 1]], np.int8)
    third = 1 / 3
    assert win_shares(places, NOBODY_CUT).tolist() == [
        [1, 0, 0],
        [0.5, 0.5, 0],
        pytest.approx([third, third, third]),
    ]


def test_a_truncated_game_is_won_by_nobody_and_drawn_by_all():
    places = np.array([[1, 2, 3], [1, 1, 3], [2, 1, 3]], np.int8)
    truncated = np.array([True, True, False])
    assert win_shares(places, truncated).tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert ranks(places, truncated).tolist() == [[1, 1, 1], [1, 1, 1], [2, 1, 3]]


def test_games_on_deals_of_their_own_have_plain_intervals():
    rng = np.random.default_rng(0)
    won = np.zeros((500, 5))
    won[np.arange(500), rng.integers(5, size=500)] = 1
    mine = np.zeros((500, 5), bool)
    mine[:, 0] = True
    share = won[:, 0].mean()
    found = win_share(won, mine, np.arange(500))
    assert found.share == share
    assert found.effective == pytest.approx(500, rel=0.01)
    assert (found.low, found.high) == pytest.approx(wilson(share, 500), abs=1e-3)
    mean = mean_score(won, mine, np.arange(500))
    half = student_t(0.975, 499) * won[:, 0].std(ddof=1) / math.sqrt(500)
    assert (mean.mean, mean.low, mean.high) == pytest.approx((share, share - half, share + half))


def test_deals_whose_games_repeat_each_other_count_once():
    """Five copies of every game are no more evidence than the games themselves."""
    rng = np.random.default_rng(3)
    places = np.array([1 + rng.permutation(4) for _ in range(60)], np.int8)
    won = win_shares(places, np.zeros(60, bool))
    mine = np.zeros((60, 4), bool)
    mine[:, 1] = True
    once = win_share(won, mine, np.arange(60))
    five = np.repeat(np.arange(60), 5)
    found = win_share(won[five], mine[five], five)
    assert dataclasses.astuple(found) == pytest.approx(dataclasses.astuple(once))


def test_an_interval_by_hand():
    """Three deals of two games each, one seat a game: the formula, step by step."""
    won = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1]], float)
    mine = np.tile([True, False], (6, 1))
    deals = np.array([0, 0, 1, 1, 2, 2])
    # Won by deal: 2, 1, 0 of 2 each, so p = 1/2 and the residuals are 1, 0, -1.
    variance = 3 / 2 * 2 / 6**2
    factor = 1.959964 / 4.302653
    found = win_share(won, mine, deals)
    assert found.share == 0.5
    assert found.effective == pytest.approx(0.25 / variance * factor**2, rel=1e-5)
    assert (found.low, found.high) == wilson(0.5, found.effective)
    scores = mean_score(10 * won, mine, deals)
    half = 4.302653 * 10 * math.sqrt(variance)
    assert (scores.low, scores.high) == pytest.approx((5 - half, 5 + half), rel=1e-5)


def test_the_order_of_games_and_names_of_deals_do_not_matter():
    rng = np.random.default_rng(4)
    won, mine = rng.random((40, 3)), rng.random((40, 3)) < 0.5
    deals = np.repeat(np.arange(10), 4)
    order = rng.permutation(40)
    first = win_share(won, mine, deals)
    other = win_share(won[order], mine[order], 7 * deals[order] + 3)
    assert (other.low, other.high) == pytest.approx((first.low, first.high))


def test_a_single_deal_says_nothing_about_the_next():
    won, mine = np.eye(3), np.tile([True, False, False], (3, 1))
    deals = np.zeros(3, np.int64)
    found = win_share(won, mine, deals)
    assert (found.share, found.low, found.high) == (pytest.approx(1 / 3), 0.0, 1.0)
    assert mean_score(won, mine, deals) == Mean(pytest.approx(1 / 3), None, None)


ARENAS, DEALS = 1000, 20
SKILLS = np.array([0.6, 0.0])


def simulated_arenas(by_seat, by_agent):
    """Tables of one agent 0 and four agents 1 in all rotations, each deal with luck of its own.

    Args:
        by_seat: Standard deviation of what a deal gives each seat, whoever sits there.
        by_agent: Standard deviation of how well a deal suits each agent, wherever it sits.
    """
    rng = np.random.default_rng(1)
    rotations = np.array([np.roll([0, 1, 1, 1, 1], k) for k in range(5)])
    line_ups, deals = np.tile(rotations, (DEALS, 1)), np.repeat(np.arange(DEALS), 5)
    for _ in range(ARENAS):
        seat = by_seat * rng.normal(size=(DEALS, 5))
        agent = by_agent * rng.normal(size=(DEALS, 2))
        noise = rng.normal(size=(5 * DEALS, 5))
        scores = SKILLS[line_ups] + seat[deals] + agent[deals[:, None], line_ups] + noise
        places = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
        yield line_ups == 0, places.astype(np.int8), scores, deals


def coverage(intervals, truth):
    return np.mean([low <= truth <= high for low, high in intervals])


@pytest.mark.parametrize(
    ("by_seat", "by_agent", "per_game"),
    [(2.0, 0.0, (0.98, 1.0)), (0.0, 2.0, (0.0, 0.85))],
    ids=["luck of the seat", "luck of the agent"],
)
def test_intervals_hold_the_truth_as_often_as_they_say(by_seat, by_agent, per_game):
    """1000 simulated arenas of 20 deals: about 95 % of the intervals hold the true value.

    The share of intervals that hold it has a standard error of 0.7 %, so three of these leave 93 %
    to 97 %. Games as if each were a deal of its own (as intervals were made before) fall outside:
    too wide where rotations even out the luck of the seat, too narrow where a deal suits an agent
    in all of them. The truth is the mean of all arenas, whose own error is a thirtieth of an
    interval's.
    """
    shares, scores, wins_by_game = [], [], []
    for mine, places, score, deals in simulated_arenas(by_seat, by_agent):
        won = win_shares(places, np.zeros(len(places), bool))
        shares.append(win_share(won, mine, deals))
        scores.append(mean_score(score, mine, deals))
        wins_by_game.append(win_share(won, mine, np.arange(len(deals))))
    share = np.mean([found.share for found in shares])
    assert 0.93 < coverage([(found.low, found.high) for found in shares], share) < 0.97
    score = np.mean([found.mean for found in scores])
    assert 0.93 < coverage([(found.low, found.high) for found in scores], score) < 0.97
    low, high = per_game
    assert low <= coverage([(found.low, found.high) for found in wins_by_game], share) <= high


def test_a_perfect_and_a_hopeless_agent_keep_a_margin():
    won = np.tile([1.0, 0, 0], (50, 1))
    mine = np.zeros((50, 3), bool)
    mine[:, 0] = True
    by_game, by_deal = np.arange(50), np.repeat(np.arange(10), 5)
    assert win_share(won, mine, by_game).high == 1
    assert 0.9 < win_share(won, mine, by_game).low < 0.95
    assert win_share(won, ~mine, by_game).low == 0
    assert win_share(won, ~mine, by_game).effective < 50, "two losing seats of a game are one trial"
    assert win_share(won, mine, by_deal).effective < 10, "games of a deal may all go the same way"
    assert win_share(won, mine, by_deal).low < win_share(won, mine, by_game).low


def test_an_agent_without_variance_gets_the_design_effect_of_the_others():
    won = np.zeros((50, 3))
    mine = np.tile([True, False, False], (50, 1))
    deals = np.repeat(np.arange(10), 5)
    factor = (1.959964 / student_t(0.975, 9)) ** 2
    for effect, trials in ((None, 10), (0.3, 50), (2.0, 25), (50.0, 10)):
        found = win_share(won, mine, deals, effect).effective
        assert found == pytest.approx(trials * factor, rel=1e-5)
    won[np.arange(50), np.random.default_rng(0).integers(1, 3, 50)] = 1
    other = np.tile([False, True, False], (50, 1))
    assert design_effect(won, mine, deals) is None
    effect = design_effect(won, other, deals)
    shown = win_share(won, other, deals, 7.0).effective
    assert shown == pytest.approx(50 / effect * factor, rel=1e-5), "its own variance counts"


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
