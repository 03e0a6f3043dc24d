"""All tests of the suite in one class, and the suite without a test file of one's own."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from .. import load
from ..core.errors import GanglandError
from .actions import ActionSuite
from .environments import EnvironmentSuite
from .limits import LimitSuite
from .package import PackageSuite
from .rules import RulesSuite
from .tables import TableSuite

FILE = """\
from gangland.envs.testing import GameSuite


class TestGame(GameSuite):
    games = {names!r}
"""


class ConformanceError(GanglandError, AssertionError):
    """A game does not keep what every game has to keep."""


@dataclass
class _Results:
    """A pytest plugin that notes what became of each test."""

    passed: int = 0
    skipped: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note one test."""
        name = report.nodeid.rpartition("::")[2]
        if report.failed:
            self.failed.append(f"{name}: {_last_line(report)}")
        elif report.skipped:
            self.skipped.append(f"{name}: {_last_line(report).removeprefix('Skipped: ')}")
        elif report.when == "call":
            self.passed += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note what cannot even be collected."""
        if report.failed:
            self.failed.append(_last_line(report))


def _last_line(report: pytest.TestReport | pytest.CollectReport) -> str:
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    crash = getattr(report.longrepr, "reprcrash", None)
    text = report.longreprtext if crash is None else crash.message
    return next(iter(text.strip().splitlines()), "failed")


def check_game(*names: str, keyword: str = "", quiet: bool = True) -> int:
    """Run the conformance suite over games.

    Args:
        *names: Names of the games.
        keyword: Only tests whose names match, as pytest's ``-k``.
        quiet: Print nothing; else what pytest prints, and the name of each skipped test.

    Returns:
        How many tests have passed.

    Raises:
        UnknownGameError: Naming the games there are.
        ConformanceError: Naming each test that fails, with the reason; or that no test was run.
    """
    for name in names:
        load(name)
    results = _Results()
    with tempfile.TemporaryDirectory(prefix="gangland-") as folder:
        # A name of its own: a second call in the same process would find the first one's module.
        file = Path(folder, f"test_{Path(folder).name.replace('-', '_')}.py")
        file.write_text(FILE.format(names=names))
        # Without the caller's configuration, and without a trace of the run beside it.
        arguments = [str(file), "-c", os.devnull, f"--rootdir={folder}", "-p", "no:cacheprovider"]
        arguments += ["--import-mode=importlib"]  # sys.path stays as it is
        arguments += ["-k", keyword] if keyword else []
        arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is there
        arguments += ["-p", "no:terminal"] if quiet else ["-q"]
        code = pytest.main(arguments, plugins=[results])
    if not quiet:
        for skipped in results.skipped:
            print(f"skipped {skipped}")
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise ConformanceError(f"{', '.join(names)}: no test has a name with {keyword!r}")
    if results.failed or code != 0:
        count = f"{len(results.failed)} failed, {results.passed} passed"
        raise ConformanceError("\n  ".join([f"{', '.join(names)}: {count}", *results.failed]))
    return results.passed


class GameSuite(PackageSuite, RulesSuite, EnvironmentSuite, ActionSuite, TableSuite, LimitSuite):
    """Everything that a game has to keep; see :mod:`gangland.envs.testing`."""
