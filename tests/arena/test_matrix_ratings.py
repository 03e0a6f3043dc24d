"""Ratings from matrices: deviation ratings, alpha-rank, and both from a ladder's cells."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest

from gangland.arena import alpha_rank, deviation_ratings
from gangland.arena.ladder import Cell, rate_matrix, role_seats
from gangland.envs import load
from gangland.envs.core.errors import MissingDependencyError

# --- deviation ratings: known games, copies, and a search of all distributions --------------------

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


# --- alpha-rank: known games, a chain of two states, OpenSpiel's numbers --------------------------


@pytest.mark.parametrize("alpha", [0.1, 1.0, 100.0])
def test_rock_paper_scissors_are_uniform(alpha):
    found = alpha_rank(zero_sum(RPS), alpha=alpha)
    for player in range(2):
        assert found.sum(axis=player) == pytest.approx([1 / 3] * 3)


def test_what_is_dominated_has_no_mass():
    matrix = np.array([[0, 0.3, 0.4], [-0.3, 0, 0.2], [-0.4, -0.2, 0]])
    found = alpha_rank(zero_sum(matrix))
    assert found[0, 0] == pytest.approx(1.0)
    assert found[2].sum() < 1e-9
    assert found[:, 2].sum() < 1e-9


def test_two_equal_conventions_share_the_time():
    """The battle of the sexes: both agree, and from either it takes a costly step to leave."""
    game = np.array([[[3.0, 0], [0, 2]], [[2.0, 0], [0, 3]]])
    found = alpha_rank(game, alpha=100.0)  # rates of about exp(-10000): no float64
    assert found == pytest.approx(np.array([[0.5, 0], [0, 0.5]]), abs=1e-9)


@pytest.mark.parametrize(("alpha", "population"), [(0.3, 2), (1.0, 50), (0.0, 10)])
def test_a_chain_of_two_states_by_hand(alpha, population):
    """Up and down by the formula of the docstring; the ratio is exp((m - 1) alpha d)."""
    lead = 0.2
    found = alpha_rank(np.array([[0.0, lead]]), alpha=alpha, population=population)
    assert found[1] / found[0] == pytest.approx(np.exp((population - 1) * alpha * lead))
    assert found.sum() == pytest.approx(1)


def test_without_a_preference_all_are_equal():
    game = np.random.default_rng(2).normal(size=(2, 3, 4))
    assert alpha_rank(game, alpha=0.0) == pytest.approx(np.full((3, 4), 1 / 12))


@pytest.mark.parametrize("shape", [(2, 4, 4), (2, 2, 5), (3, 3, 4, 2)])
def test_openspiel_finds_the_same(shape):
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank")
    for seed in range(3):
        game = np.random.default_rng(seed).normal(size=shape)
        for alpha in (0.01, 0.05):  # OpenSpiel fails where rates are far apart
            *_, wanted, _, _ = theirs.compute(list(game), alpha=alpha, m=50)
            found = alpha_rank(game, alpha=alpha, population=50)
            assert found.ravel() == pytest.approx(wanted, abs=1e-9)


def test_bad_numbers_are_named():
    for settings, message in (
        ({"alpha": -1.0}, "alpha=-1.0: must be"),
        ({"alpha": np.inf}, "alpha=inf: must be"),
        ({"population": 1}, "population=1: must be"),
    ):
        with pytest.raises(ValueError, match=message):
            alpha_rank(zero_sum(RPS), **settings)
    with pytest.raises(ValueError, match=r"\(players, \*strategies\)"):
        alpha_rank(RPS)


# --- a ladder's matrix: by hand, copies, roles, missing cells, intervals --------------------------

FIVE = {"": 5}


def cells_of(shares, specs="abcdefg", role="", games=1000):
    """The cells of a matrix; NaN is not played."""
    return [
        Cell(specs[i], specs[j], role, games, share, 0.0, 1.0)
        for i, row in enumerate(shares)
        for j, share in enumerate(row)
        if i != j and not np.isnan(share)
    ]


def values(ratings):
    return {rating.spec: [number.value for number in rating.estimates] for rating in ratings}


STRONG = [
    # c is best in both places: nobody wins par at its table, and it wins at all others.
    [0.2, 0.1, 0.05],
    [0.4, 0.2, 0.15],
    [0.6, 0.3, 0.2],
]
CYCLE = [[0.2, 0.1, 0.3], [0.3, 0.2, 0.1], [0.1, 0.3, 0.2]]


def test_ratings_around_a_best_agent_by_hand():
    """All are at tables of c: as one a wins 15 points less than c, and so on."""
    found = values(rate_matrix(cells_of(STRONG), FIVE))
    assert found == {
        "a": pytest.approx([-0.15, -0.4, 0, 0], abs=1e-6),
        "b": pytest.approx([-0.05, -0.1, 0, 0], abs=1e-6),
        "c": pytest.approx([0, 0, 1, 1], abs=1e-6),
    }


def test_a_cycle_is_equal():
    found = values(rate_matrix(cells_of(CYCLE), FIVE))
    for numbers in found.values():
        assert numbers == pytest.approx([0, 0, 1 / 3, 1 / 3], abs=1e-6)


def test_ratings_as_one_and_as_table_are_those_of_the_two_players():
    shares = 0.2 + np.random.default_rng(0).normal(0, 0.01, (3, 3))
    np.fill_diagonal(shares, 0.2)
    game = np.stack([shares - 0.2, 0.2 - shares])
    ones, tables = deviation_ratings(game)
    time = alpha_rank(game)
    for k, numbers in enumerate(values(rate_matrix(cells_of(shares), FIVE)).values()):
        wanted = [ones[k], tables[k], sum(time[k, :]), sum(time[:, k])]
        assert numbers == pytest.approx(wanted, abs=1e-6)
    assert abs(time.sum(0) - time.sum(1)).max() > 0.01


@pytest.mark.parametrize("shares", [STRONG, CYCLE])
def test_a_copy_of_an_agent_changes_no_deviation(shares):
    before = values(rate_matrix(cells_of(shares), FIVE))
    order = [0, 1, 2, 0]
    after = values(rate_matrix(cells_of(np.array(shares)[np.ix_(order, order)]), FIVE))
    assert list(after) == ["a", "b", "c", "d"]
    for spec, original in zip("abcd", "abca", strict=True):
        assert after[spec][:2] == pytest.approx(before[original][:2], abs=1e-6)


def test_seats_of_a_role_count_by_their_number():
    game = load("gangsters")
    seats = role_seats(game, game.options.resolve({}))
    assert seats == {"gang": 4, "police": 1}
    gang, police = np.array(STRONG) + 0.05, np.array(STRONG) - 0.2
    cells = cells_of(gang, role="gang") + cells_of(police, role="police")
    mean = 0.8 * gang + 0.2 * police
    assert values(rate_matrix(cells, seats)) == {
        spec: pytest.approx(numbers)
        for spec, numbers in values(rate_matrix(cells_of(mean), FIVE)).items()
    }
    chicago = load("chicago")
    assert role_seats(chicago, chicago.options.resolve({"players": 3})) == {"": 3}


def test_who_did_not_meet_all_is_left_out():
    nan = float("nan")
    shares = np.array(
        [[0.2, 0.1, 0.05, nan], [0.4, 0.2, 0.15, nan], [0.6, 0.3, 0.2, 0.9], [nan] * 4]
    )
    found = rate_matrix(cells_of(shares), FIVE)
    assert values(found) == values(rate_matrix(cells_of(STRONG), FIVE))
    # Of two who miss each other alone, the one with fewer games is left out.
    pair = np.array(STRONG)
    pair[0, 2] = pair[2, 0] = nan
    few = [
        Cell(c.one, c.table, c.role, 10 if "a" in (c.one, c.table) else 1000, c.share, 0, 1)
        for c in cells_of(pair)
    ]
    assert list(values(rate_matrix(few, FIVE))) == ["b", "c"]
    assert rate_matrix(cells_of([[0.2, 0.5], [nan, 0.2]]), FIVE) == ()
    assert rate_matrix([], FIVE) == ()


def won_on(rng, shares, deals):
    """Wins of each cell's one on each deal, of five games."""
    return [rng.binomial(5, cell.share, deals) / 5 for cell in cells_of(shares)]


def rated(won, shares, **settings):
    cells = [
        Cell(cell.one, cell.table, "", 5 * len(each), float(each.mean()), 0.0, 1.0)
        for cell, each in zip(cells_of(shares), won, strict=True)
    ]
    return rate_matrix(cells, FIVE, won, **settings)


def test_intervals_are_of_ratings_on_drawn_deals():
    won = won_on(np.random.default_rng(1), STRONG, 100)
    found = rated(won, STRONG, seed=7, resamples=20)
    assert found == rated(won, STRONG, seed=7, resamples=20)
    assert found != rated(won, STRONG, seed=8, resamples=20)
    # All cells are of the same deals, so they are drawn together.
    draws = np.random.default_rng(7).integers(100, size=(20, 100))
    again = [values(rated([each[draw] for each in won], STRONG, resamples=1)) for draw in draws]
    for rating in found:
        for k, number in enumerate(rating.estimates):
            ends = np.quantile([each[rating.spec][k] for each in again], [0.025, 0.975])
            assert (number.low, number.high) == pytest.approx(tuple(ends), abs=1e-9)


def test_intervals_cover_the_truth():
    """What a table of c yields to the best one is measured in one cell: a mean of a binomial."""
    rng = np.random.default_rng(3)
    hits = {"a": 0, "b": 0}
    for _ in range(30):
        for rating in rated(won_on(rng, STRONG, 150), STRONG, resamples=60):
            if rating.spec in hits:
                truth = {"a": -0.15, "b": -0.05}[rating.spec]
                hits[rating.spec] += rating.deviation_one.low <= truth <= rating.deviation_one.high
    assert all(26 <= count <= 30 for count in hits.values()), hits


def test_without_all_deals_there_are_no_intervals():
    won = won_on(np.random.default_rng(1), STRONG, 100)
    (first, *_) = rated(won, STRONG)
    assert None not in [number.low for number in first.estimates]
    for unknown in (None, won[0][:1]):
        (first, *_) = rate_matrix(cells_of(STRONG), FIVE, [unknown, *won[1:]])
        assert {number.low for number in first.estimates} == {None}
        assert {number.high for number in first.estimates} == {None}
