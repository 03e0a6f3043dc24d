"""The suite's properties of the rules, over our games."""

from __future__ import annotations

import pytest

from gangland.envs.testing.rules import RulesSuite, assert_no_dead_end
from tests.games import CONFORMING


class TestRules(RulesSuite):
    games = CONFORMING
    stride = 9
    random_games = 500


@pytest.mark.slow
class TestRulesClosely(RulesSuite):
    games = CONFORMING
    stride = 1


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFORMING)
def test_no_dead_end_in_many_random_games(name):
    assert_no_dead_end(name, 10_000)
