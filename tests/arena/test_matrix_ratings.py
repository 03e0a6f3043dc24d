"""Ratings from a ladder's matrix: by hand, copies, roles, missing cells, intervals."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.arena import alpha_rank, deviation_ratings
from gangland.arena.ladder import Cell, rate_matrix, role_seats
from gangland.envs import load

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
