"""The suite's properties of actions, over our games."""

from __future__ import annotations

from gangland.envs.testing.actions import ActionSuite
from tests.games import CONFORMING


class TestActions(ActionSuite):
    games = CONFORMING
