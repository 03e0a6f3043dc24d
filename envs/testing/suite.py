"""All tests of the suite in one class."""

from __future__ import annotations

from .actions import ActionSuite
from .environments import EnvironmentSuite
from .limits import LimitSuite
from .rules import RulesSuite
from .tables import TableSuite
from .wing import WingSuite


class GameSuite(WingSuite, RulesSuite, EnvironmentSuite, ActionSuite, TableSuite, LimitSuite):
    """Everything that a game has to keep; see :mod:`gangland.envs.testing`."""
