"""The conformance suite: what every game has to keep, ours and those of other distributions.

Our own tests run it over our games; the tests of another game run it with three lines::

    from gangland.envs.testing import GameSuite

    class TestPig(GameSuite):
        games = ("pig",)

or without a file: ``check_game("pig")`` from Python, ``python -m gangland.envs.testing pig`` from
a shell.

A game describes itself to the suite in the module ``conformance`` of its package (see
:class:`~gangland.envs.core.game.Game`):

- ``violations(game, state) -> list[str]``: the laws that no position breaks (conservation of
  cards, money and pieces, bounds), a sentence for each that is broken. Called along random play.
- ``TRUNCATED``: options, a sequence of dictionaries, with which every random game ends by a cap
  that pays nobody; wanted if the game has ``truncating_caps``. ``SCORED``: options with which every
  random game ends by a cap that is scored; wanted if random games meet such a cap.
- ``EXEMPTIONS``: a mapping from what the game does not have, ``violations``, ``rulebook``,
  ``layout`` or ``scored``, to the reason. What is missing without a reason is a failure.

Needs pytest and hypothesis: ``pip install 'gangland[testing]'``.
"""

from __future__ import annotations

from ..core.errors import MissingDependencyError

try:
    import hypothesis  # noqa: F401
    import pytest
except ImportError as error:
    raise MissingDependencyError(
        f"the conformance suite needs {error.name}: pip install 'gangland[testing]'"
    ) from error

# Their assertions show values, as those of test modules do.
pytest.register_assert_rewrite(
    *(f"{__name__}.{name}" for name in ("actions", "environments", "limits", "rules", "tables"))
)

from .run import ConformanceError, GameSuite, check_game  # noqa: E402

__all__ = ["ConformanceError", "GameSuite", "check_game"]
