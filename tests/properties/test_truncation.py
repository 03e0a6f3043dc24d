"""The suite's properties of caps and limits, over our games."""

from __future__ import annotations

from gangland.envs.testing.limits import LimitSuite
from tests.games import CONFORMING


class TestLimits(LimitSuite):
    games = CONFORMING
