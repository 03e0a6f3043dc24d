"""Ratings fitted to all games at once: order, ties, repeated agents, coverage."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.arena.ratings.plackett_luce import POINTS, fit


def drawn(strengths, line_ups, rng):
    """Places drawn by the model: the lowest exponential clock comes first."""
    clocks = rng.exponential(size=line_ups.shape) / np.exp(strengths)[line_ups]
    return (1 + clocks.argsort(1).argsort(1)).astype(np.int8)


def likelihood(strengths, line_ups, places):
    """The model's log likelihood with its prior, as its documentation states it."""
    total = 0.0
    for line_up, ranks in zip(line_ups, places, strict=True):
        for seat, place in enumerate(ranks):
            left = [k for k in range(len(ranks)) if ranks[k] >= place]
            if len(left) > 1:
                total += strengths[line_up[seat]]
                total -= np.log(np.exp(strengths[line_up[left]]).sum())
    return total + (strengths - 2 * np.log1p(np.exp(strengths))).sum()


@pytest.fixture
def arena():
    rng = np.random.default_rng(5)
    line_ups = rng.integers(0, 4, (120, 3))  # some agents sit twice, some games are all one agent
    places = drawn(np.array([0.0, 0.5, 1.0, -1.0]), line_ups, rng)
    places[::7, 1] = places[::7, 0]
    return line_ups, places, np.repeat(np.arange(60), 2)


def test_it_is_the_maximum_of_the_likelihood(arena):
    line_ups, places, deals = arena
    found = fit(line_ups, places, deals, 4).ratings / POINTS

    # The likelihood knows no common shift, the prior does: find it along that line.
    def at(strengths):
        return max(likelihood(strengths + shift, line_ups, places) for shift in SHIFTS)

    SHIFTS = np.linspace(-0.5, 0.5, 201)
    best = at(found)
    for agent in range(4):
        for change in (-0.02, 0.02):
            moved = found.copy()
            moved[agent] += change
            assert at(moved) < best


def test_the_order_of_the_games_does_not_matter(arena):
    line_ups, places, deals = arena
    first = fit(line_ups, places, deals, 4)
    order = np.random.default_rng(1).permutation(len(deals))
    again = fit(line_ups[order], places[order], deals[order], 4)
    assert again.ratings == pytest.approx(first.ratings, abs=1e-6)
    assert again.covariance == pytest.approx(first.covariance, abs=1e-6)


def test_two_agents_by_hand():
    """30 wins of 40, and a win and a defeat against an average agent for both."""
    places = np.array([[1, 2]] * 30 + [[2, 1]] * 10, np.int8)
    found = fit(np.tile([0, 1], (40, 1)), places, np.arange(40), 2)
    lead = (found.ratings[0] - found.ratings[1]) / POINTS
    # Symmetric strengths x and -x: 30 - 40 p(2x) + 1 - 2 p(x) = 0 for the logistic p.
    x = lead / 2
    logistic = [1 / (1 + np.exp(-y)) for y in (2 * x, x)]
    assert 31 - 40 * logistic[0] - 2 * logistic[1] == pytest.approx(0, abs=1e-6)


def test_who_always_wins_has_a_finite_rating():
    places = np.tile(np.array([1, 2], np.int8), (20, 1))
    found = fit(np.tile([0, 1], (20, 1)), places, np.arange(20), 2)
    assert 400 < found.ratings[0] - found.ratings[1] < 1500
    assert np.isfinite(found.half_width(0, 1))


def test_games_that_all_share_say_nothing():
    line_ups = np.tile([0, 1, 2], (10, 1))
    found = fit(line_ups, np.ones((10, 3), np.int8), np.arange(10), 3)
    assert found.ratings == pytest.approx([0, 0, 0], abs=1e-6)


def test_one_deal_has_no_interval():
    found = fit(np.array([[0, 1]]), np.array([[1, 2]], np.int8), np.zeros(1, np.int64), 2)
    assert found.half_width(0) == np.inf


def test_intervals_of_differences_cover_the_truth():
    """Deals share their luck: on half of them agent 0 is strong, on the others weak."""
    rng = np.random.default_rng(9)
    truth = np.array([0.3, 0.0, -0.3])
    schedule = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]])
    hits, naive, runs, deals = 0, 0, 300, 60
    line_ups = np.tile(schedule, (deals, 1))
    numbers = np.repeat(np.arange(deals), 3)
    # The strengths that best describe such a mixture, from a great many games.
    long = np.tile(schedule, (20_000, 1))
    swing = np.repeat(rng.choice([-0.6, 0.6], 20_000), 3)
    target = fit(long, mixed(truth, long, swing, rng), np.repeat(np.arange(20_000), 3), 3).ratings
    for _ in range(runs):
        swing = np.repeat(rng.choice([-0.6, 0.6], deals), 3)
        places = mixed(truth, line_ups, swing, rng)
        found = fit(line_ups, places, numbers, 3)
        off = abs((found.ratings[0] - found.ratings[2]) - (target[0] - target[2]))
        hits += off <= found.half_width(0, 2)
        naive += off <= fit(line_ups, places, np.arange(len(places)), 3).half_width(0, 2)
    assert 0.92 <= hits / runs <= 0.98
    assert naive < hits  # games taken for independent: too narrow


def mixed(truth, line_ups, swing, rng):
    """Places when agent 0's strength swings from deal to deal."""
    strengths = truth[line_ups] + np.where(line_ups == 0, swing[:, None], 0.0)
    clocks = rng.exponential(size=line_ups.shape) / np.exp(strengths)
    return (1 + clocks.argsort(1).argsort(1)).astype(np.int8)
