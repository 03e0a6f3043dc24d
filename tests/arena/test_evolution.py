"""Alpha-rank: known games, the formula of a chain of two states, and OpenSpiel's numbers."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.arena import alpha_rank
from tests.arena.test_equilibrium import RPS, zero_sum


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
