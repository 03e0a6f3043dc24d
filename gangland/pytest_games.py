"""The conformance suite over the games of ``pytest --gangland-game``, collected by its plugin."""

from __future__ import annotations

from gangland.envs.testing import GameSuite
from gangland.pytest_plugin import chosen


class TestConformance(GameSuite):
    """All of the suite."""

    games = tuple(chosen)
