"""The suite's properties of the environments and the packages, over our games."""

from __future__ import annotations

from gangland.envs.testing.environments import EnvironmentSuite
from gangland.envs.testing.package import PackageSuite
from tests.games import CONFORMING


class TestEnvironments(EnvironmentSuite):
    games = CONFORMING


class TestWings(PackageSuite):
    games = CONFORMING
