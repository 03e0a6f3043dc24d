"""The suite's properties of caps and limits, over our games."""

from __future__ import annotations

from gangland.envs.testing.limits import LimitSuite
from tests.games import GAMES


class TestLimits(LimitSuite):
    games = GAMES
