"""Ratings: openskill's model, ties, agents in several seats, the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.errors import MissingDependencyError
from gangland.training import ratings
from gangland.training.ratings import MU, SIGMA, bootstrap, rate, rate_all, rate_in_order

pytest.importorskip("openskill")


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


def test_an_agent_against_itself_stays():
    mu, sigma = rate_in_order(np.zeros((20, 5), int), np.tile([1, 2, 3, 4, 5], (20, 1)), 1)
    assert mu[0] == pytest.approx(MU)
    assert sigma[0] < SIGMA


def test_bootstrap_intervals_hold_the_rating_and_shrink():
    widths = []
    for games in (100, 1600):
        line_ups, places = random_games(games, 5, 6, seed=1)
        rated = rate(line_ups, places, 6, seed=3)
        assert sum(r.low <= r.mu <= r.high for r in rated) >= 5
        assert [r.mu for r in rated] == sorted(r.mu for r in rated), "strength grows with the index"
        widths.append(np.mean([r.high - r.low for r in rated]))
    assert widths[1] < widths[0]


def test_bootstrap_follows_its_seed():
    line_ups, places = random_games(50, 3, 4, seed=2)
    first, same, other = (bootstrap(line_ups, places, 4, seed=s, resamples=5) for s in (1, 1, 2))
    assert (first == same).all()
    assert (first != other).any()
    assert len({tuple(row) for row in first}) == 5


def test_without_openskill_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'gangland\[train\]'"):
        ratings.rate_in_order(np.zeros((1, 2), int), np.ones((1, 2)), 1)
