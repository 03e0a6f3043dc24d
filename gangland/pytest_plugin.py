"""A plugin of pytest: ``pytest -p gangland.pytest_plugin --gangland-game NAME`` runs the
conformance suite over a game.

It is no entry point, since pytest rewrites the asserts of all modules of a package that has one,
and the words of ``AssertionError`` in environments would be others wherever tests run. Nothing else
of the package is imported before the option is used.
"""

from __future__ import annotations

from pathlib import Path

import pytest

chosen: list[str] = []
"""Names of the games, for ``pytest_games.py``."""

SUITE = Path(__file__).with_name("pytest_games.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option."""
    parser.getgroup("gangland").addoption(
        "--gangland-game",
        action="append",
        default=[],
        metavar="NAME",
        help="run the conformance suite of gangland over this game, and of tests only those under "
        "the paths given; may be repeated",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Add the suite to what is collected, if a game is named."""
    chosen[:] = config.getoption("--gangland-game")
    if not chosen:
        return
    from .envs import load
    from .envs.core.errors import GanglandError

    try:
        from .envs import testing  # noqa: F401

        for name in chosen:
            load(name)
    except GanglandError as error:
        raise pytest.UsageError(f"--gangland-game: {error}") from error
    if config.args_source != pytest.Config.ArgsSource.ARGS:
        config.args[:] = []
    if str(SUITE) not in config.args:  # as in a worker of pytest-xdist
        config.args.append(str(SUITE))
