"""Ratings: openskill's model, ties, agents in several seats, the bootstrap.

Those fitted to all games at once: order, ties, repeated agents, coverage.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from gangland.arena.ratings import online as ratings
from gangland.arena.ratings.online import (
    MU,
    SIGMA,
    bootstrap,
    half_widths,
    rate,
    rate_all,
    rate_game,
    rate_in_order,
)
from gangland.arena.ratings.plackett_luce import POINTS, fit
from gangland.envs.core.errors import MissingDependencyError

from .test_statistics import simulated_arenas

PlackettLuce = pytest.importorskip("openskill.models").PlackettLuce


def random_games(games, seats, agents, seed, repeat=False):
    """Line-ups and places with ties; agents sit twice in a game if ``repeat``."""
    rng = np.random.default_rng(seed)
    line_ups = np.array([rng.permutation(agents)[:seats] for _ in range(games)])
    if repeat:
        line_ups[::2, 1] = line_ups[::2, 0]
    strength = rng.normal(size=(games, seats)) + line_ups / 2
    rounded = np.round(strength)
    places = 1 + (rounded[:, None, :] > rounded[:, :, None]).sum(axis=2)
    assert (np.sort(places)[:, 0] == 1).all()
    return line_ups, places.astype(np.int8)


@pytest.mark.parametrize("places", [[1, 2, 2, 4], [2, 1, 4, 2], [2, 4, 2, 1], [1, 3, 3, 3]])
def test_equal_ranks_get_equal_updates(places):
    mu, sigma = rate_in_order(np.arange(4)[None], np.array([places], np.int8), 4)
    for i in range(4):
        for j in range(4):
            if places[i] == places[j]:
                assert mu[i] == pytest.approx(mu[j], abs=1e-12)
                assert sigma[i] == pytest.approx(sigma[j], abs=1e-12)
            if places[i] < places[j]:
                assert mu[i] > mu[j]


def test_a_game_that_all_share_changes_no_mean():
    mu, _ = rate_in_order(np.arange(4)[None], np.ones((1, 4), np.int8), 4)
    assert mu == pytest.approx([MU] * 4, abs=1e-12)


def test_one_game_of_two_by_hand():
    """Weng and Lin, algorithm 4, worked out for two newcomers."""
    mu, sigma = rate_in_order(np.array([[0, 1]]), np.array([[1, 2]], np.int8), 2)
    c = np.sqrt(2 * (SIGMA**2 + (25 / 6) ** 2))
    change = SIGMA**2 / c * 0.5
    delta = SIGMA**2 / c**2 * 0.25 * SIGMA / c
    assert mu == pytest.approx([MU + change, MU - change])
    assert sigma == pytest.approx([SIGMA * np.sqrt(1 - delta)] * 2)


@pytest.mark.parametrize("repeat", [False, True])
@pytest.mark.parametrize("seats", [2, 5])
def test_the_kernel_is_openskill(seats, repeat):
    line_ups, places = random_games(300, seats, 6, seed=seats, repeat=repeat)
    expected = rate_in_order(line_ups, places, 6)
    mu, sigma = np.full(6, MU), np.full(6, SIGMA)
    rate_all(line_ups.astype(np.int64), places.astype(np.int64), mu, sigma)
    assert mu == pytest.approx(expected[0], abs=1e-9)
    assert sigma == pytest.approx(expected[1], abs=1e-9)
    assert np.ptp(mu) > 3, "the games tell the agents apart"


def test_a_game_of_one_agent_carries_no_information():
    line_ups, places = np.zeros((20, 5), int), np.tile([1, 2, 3, 4, 5], (20, 1))
    mu, sigma = rate_in_order(line_ups, places, 1)
    assert (mu[0], sigma[0]) == (MU, SIGMA)
    rate_all(line_ups.astype(np.int64), places.astype(np.int64), mu, sigma)
    assert (mu[0], sigma[0]) == (MU, SIGMA)


def test_seats_of_one_agent_add_up():
    """Seats are rated from one prior: changes of the mean add, shrinkings multiply."""
    apart, together = [(MU, SIGMA)] * 4, [(MU, SIGMA)] * 3
    rate_game(apart, [0, 1, 2, 3], [1, 2, 3, 4])
    rate_game(together, [0, 1, 2, 0], [1, 2, 3, 4])
    assert np.array(together[1:]) == pytest.approx(np.array(apart[1:3]))
    mu = MU + sum(apart[seat][0] - MU for seat in (0, 3))
    sigma = SIGMA * np.prod([apart[seat][1] / SIGMA for seat in (0, 3)])
    assert together[0] == pytest.approx((mu, sigma))


def test_skills_drift_once_a_game_and_only_of_who_plays():
    """As openskill's ``tau``; an agent in two seats has drifted no further."""
    model = PlackettLuce(tau=0.5)
    teams = [[model.rating(mu=30, sigma=2)], [model.rating(mu=20, sigma=3)]]
    expected = [(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[2, 1])]
    skills = [(30.0, 2.0), (20.0, 3.0), (25.0, 1.0)]
    rate_game(skills, [0, 1], [2, 1], drift=0.5)
    assert np.array(skills[:2]) == pytest.approx(np.array(expected))
    assert skills[2] == (25.0, 1.0)
    drifted = [(30.0, np.hypot(2, 0.5)), (20.0, np.hypot(3, 0.5))]
    twice = [(30.0, 2.0), (20.0, 3.0)]
    rate_game(drifted, [0, 1, 0], [1, 2, 3])
    rate_game(twice, [0, 1, 0], [1, 2, 3], drift=0.5)
    assert np.array(twice) == pytest.approx(np.array(drifted))


def test_intervals_lie_about_the_rating_and_shrink():
    widths = []
    for games in (100, 1600):
        line_ups, places = random_games(games, 5, 6, seed=1)
        rated = rate(line_ups, places, np.arange(games) // 5, 6, seed=3)
        assert all(r.low < r.mu < r.high for r in rated)
        assert [r.mu for r in rated] == sorted(r.mu for r in rated), "strength grows with the index"
        widths.append(np.mean([r.high - r.low for r in rated]))
    assert widths[1] < widths[0]


def test_one_deal_gives_no_interval():
    line_ups, places = random_games(5, 5, 6, seed=1)
    assert {(r.low, r.high) for r in rate(line_ups, places, np.zeros(5, int), 6)} == {(None, None)}


def test_bootstrap_follows_its_seed():
    line_ups, places = random_games(50, 3, 4, seed=2)
    deals = np.arange(50)
    first, same, other = (
        bootstrap(line_ups, places, deals, 4, seed=s, resamples=5) for s in (1, 1, 2)
    )
    assert (first == same).all()
    assert (first != other).any()
    assert len({tuple(row) for row in first}) == 5


def test_the_bootstrap_draws_whole_deals():
    """With two deals there are four draws: either deal twice, or both in one or the other order."""
    line_ups, places = random_games(12, 3, 4, seed=6)
    deals = np.array([8, 3, 8, 3, 8, 3, 8, 3, 8, 3, 8, 8])
    games = {8: np.flatnonzero(deals == 8), 3: np.flatnonzero(deals == 3)}
    expected = set()
    for first in (3, 8):
        for second in (3, 8):
            drawn = np.concatenate([games[first], games[second]])
            mu, sigma = np.full(4, MU), np.full(4, SIGMA)
            rate_all(line_ups[drawn].astype(np.int64), places[drawn].astype(np.int64), mu, sigma)
            expected.add(tuple(mu.tolist()))
    samples = bootstrap(line_ups, places, deals, 4, seed=1, resamples=60)
    assert {tuple(row) for row in samples.tolist()} == expected


def test_intervals_hold_the_truth_as_often_as_they_say():
    """300 simulated arenas of 20 deals, each of which suits an agent or does not.

    The share of intervals that hold the mean rating of all arenas has a standard error of 1.3 %;
    three of these about 95 % leave 91 % to 99 %. With every game as a deal of its own,
    intervals are far too narrow.
    """
    found, by_deal, by_game = [], [], []
    arenas = islice(simulated_arenas(by_seat=0.0, by_agent=2.0), 300)
    for number, (mine, places, _, deals) in enumerate(arenas):
        line_ups = np.where(mine, 0, 1)
        mu, sigma = np.full(2, MU), np.full(2, SIGMA)
        rate_all(line_ups, places.astype(np.int64), mu, sigma)
        found.append(mu[0])
        for groups, widths in ((deals, by_deal), (np.arange(len(deals)), by_game)):
            samples = bootstrap(line_ups, places, groups, 2, seed=number, resamples=100)
            widths.append(half_widths(samples, len(set(groups.tolist())))[0])
    error = np.abs(np.array(found) - np.mean(found))
    assert 0.91 < (error <= by_deal).mean() < 0.99
    assert (error <= by_game).mean() < 0.8


def test_without_openskill_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'gangland\[arena\]'"):
        ratings.rate_in_order(np.array([[0, 1]]), np.ones((1, 2)), 2)


def test_deals_that_are_all_alike_give_no_interval():
    """Two deals say nothing of a third that is won by somebody else."""
    line_ups = np.array([[0, 1], [1, 0]] * 2)
    places = np.array([[1, 2], [2, 1]] * 2, np.int8)
    ratings = rate(line_ups, places, np.array([0, 0, 1, 1]), 2)
    assert [(rating.low, rating.high) for rating in ratings] == [(None, None)] * 2


@pytest.mark.parametrize(
    ("skills", "line_up", "drift", "message"),
    [
        ([(25.0, 8.0)] * 2, [0, -1], 0.0, "line_up=-1"),
        ([(25.0, 8.0)] * 2, [0, 2], 0.0, "line_up=2"),
        ([(25.0, 8.0)] * 2, [0, 1.0], 0.0, "line_up=1.0"),
        ([(25.0, 8.0)] * 2, [0, 1], float("nan"), "drift=nan"),
        ([(25.0, 8.0)] * 2, [0, 1], -1.0, "drift=-1.0"),
        ([(25.0, 8.0), (float("nan"), 8.0)], [0, 1], 0.0, r"skills\[1\]"),
        ([(25.0, 8.0), (25.0, -8.0)], [0, 1], 0.0, r"skills\[1\]"),
    ],
)
def test_what_cannot_be_rated_is_named_and_changes_nothing(skills, line_up, drift, message):
    before = list(skills)
    with pytest.raises(ValueError, match=message):
        rate_game(skills, line_up, [1, 2], drift=drift)
    assert repr(skills) == repr(before)


# --- fitted to all games at once ------------------------------------------------------------------


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
