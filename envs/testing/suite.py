"""All tests of the suite in one class."""

from __future__ import annotations

from .actions import ActionSuite
from .environments import EnvironmentSuite
from .limits import LimitSuite
from .package import PackageSuite
from .rules import RulesSuite
from .tables import TableSuite


class GameSuite(PackageSuite, RulesSuite, EnvironmentSuite, ActionSuite, TableSuite, LimitSuite):
    """Everything that a game has to keep; see :mod:`gangland.envs.testing`."""
