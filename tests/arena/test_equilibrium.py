"""Deviation ratings: known games, copies, and a search of all distributions."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest

from gangland.arena import deviation_ratings
from gangland.envs.core.errors import MissingDependencyError

RPS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def zero_sum(matrix):
    return np.stack([matrix, -np.asarray(matrix)]).astype(float)


def copied(payoffs, player, strategy):
    """The game in which a player has a copy of a strategy, its last."""
    order = [*range(payoffs.shape[player + 1]), strategy]
    return np.take(payoffs, order, axis=player + 1)


def test_rock_paper_scissors_are_equal():
    for ratings in deviation_ratings(zero_sum(RPS)):
        assert ratings == pytest.approx([0, 0, 0], abs=1e-9)


def test_copies_of_rock_change_nothing():
    game = copied(copied(zero_sum(RPS), 0, 0), 1, 0)
    for ratings in deviation_ratings(game):
        assert ratings == pytest.approx([0, 0, 0, 0], abs=1e-9)


@pytest.mark.parametrize("shape", [(2, 4, 4), (2, 3, 5), (3, 2, 3, 2)])
@pytest.mark.parametrize("seed", range(5))
def test_a_copy_has_the_rating_of_its_original_and_changes_no_other(seed, shape):
    rng = np.random.default_rng(seed)
    game = rng.normal(size=shape)
    player = seed % shape[0]
    before = deviation_ratings(game)
    after = deviation_ratings(copied(game, player, 1))
    before[player] = np.append(before[player], before[player][1])
    assert np.concatenate(after) == pytest.approx(np.concatenate(before), abs=1e-6)


def test_what_dominates_is_above_what_it_dominates():
    matrix = [[0, 3, 4], [-3, 0, 2], [-4, -2, 0]]
    row, column = deviation_ratings(zero_sum(matrix))
    # The equilibrium is (0, 0): each rating is the loss of leaving it.
    assert row == pytest.approx([0, -3, -4], abs=1e-9)
    assert column == pytest.approx([0, -3, -4], abs=1e-9)


def test_payments_that_a_player_cannot_influence_change_nothing():
    rng = np.random.default_rng(4)
    game = rng.normal(size=(2, 3, 4))
    shifted = game + np.stack([np.tile(rng.normal(size=(1, 4)), (3, 1)), np.full((3, 4), 7.0)])
    for before, after in zip(deviation_ratings(game), deviation_ratings(shifted), strict=True):
        assert after == pytest.approx(before, abs=1e-6)


def test_ratings_have_the_unit_of_the_payoffs():
    game = np.random.default_rng(1).normal(size=(2, 3, 3))
    for one, thousand in zip(deviation_ratings(game), deviation_ratings(1000 * game), strict=True):
        assert thousand == pytest.approx(1000 * one, abs=1e-3)
    assert np.concatenate(deviation_ratings(np.zeros((2, 3, 2)))).tolist() == [0.0] * 5


GRID = 40


@pytest.mark.parametrize("seed", range(6))
def test_no_distribution_is_stricter(seed):
    """All distributions over the joint choices of a game of two by two, in steps of 1 / 40."""
    payoffs = np.random.default_rng(seed).integers(-2, 3, (2, 2, 2)).astype(float)
    (a, b), (c, d) = payoffs[0]
    (e, f), (g, h) = payoffs[1]
    gains = np.zeros((4, 4))
    gains[0] = [0, 0, a - c, b - d]
    gains[1] = [c - a, d - b, 0, 0]
    gains[2] = [0, e - f, 0, g - h]
    gains[3] = [f - e, 0, h - g, 0]
    steps = (s for s in product(range(GRID + 1), repeat=3) if sum(s) <= GRID)
    weights = np.array([[*s, GRID - sum(s)] for s in steps]) / GRID
    ordered = -np.sort(-(weights @ gains.T), axis=1)
    found = -np.sort(-np.concatenate(deviation_ratings(payoffs)))
    slack = 8 / GRID  # what a step of the grid changes at most, and its effect on what follows
    # No distribution has a greatest gain below ours, nor, with ours, a lower second one ...
    left = ordered
    for k in range(4):
        assert left[:, k].min() >= found[k] - 1e-9
        left = left[left[:, k] <= found[k] + 1e-9]
        if len(left) == 0:
            break
    # ... and one near ours is on the grid.
    assert np.abs(ordered - found).max(axis=1).min() <= slack


@pytest.mark.parametrize("seed", range(8))
def test_they_are_what_another_solver_finds(seed):
    """The same programs, as they are and not their duals, by HiGHS."""
    optimize = pytest.importorskip("scipy.optimize")
    game = np.random.default_rng(seed).normal(size=(3, 2, 3, 3) if seed % 2 else (2, 5, 5))
    gains = []
    for player, own in enumerate(game):
        for strategy in range(own.shape[player]):
            gains.append((np.take(own, [strategy], axis=player) - own).ravel())
    gains = np.array(gains)
    ratings, free = np.zeros(len(gains)), np.ones(len(gains), bool)
    while free.any():
        found = optimize.linprog(
            np.append(np.zeros(gains.shape[1]), 1.0),
            A_ub=np.hstack([gains, -free[:, None].astype(float)]),
            b_ub=np.where(free, 0.0, ratings + 1e-8),
            A_eq=np.append(np.ones(gains.shape[1]), 0.0)[None],
            b_eq=[1.0],
            bounds=[(0, None)] * gains.shape[1] + [(None, None)],
        )
        fixed = free & (found.ineqlin.marginals < -1e-6)
        assert fixed.any()
        ratings[fixed] = found.fun
        free &= ~fixed
    assert np.concatenate(deviation_ratings(game)) == pytest.approx(ratings, abs=1e-4)


@pytest.mark.parametrize(
    "payoffs", [np.zeros(3), np.zeros((2, 3)), np.zeros((3, 2, 2)), np.zeros((2, 0, 2))]
)
def test_other_shapes_are_named(payoffs):
    with pytest.raises(ValueError, match=r"must be \(players, \*strategies\)"):
        deviation_ratings(payoffs)


def test_payoffs_must_be_finite():
    with pytest.raises(ValueError, match="finite"):
        deviation_ratings(np.full((2, 2, 2), np.nan))


def test_without_scipy_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'gangland\[arena\]'"):
        deviation_ratings(zero_sum(RPS))
