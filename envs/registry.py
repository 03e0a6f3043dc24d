"""Names of games; the wings are imported only when one is loaded."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from .core.errors import GanglandError

if TYPE_CHECKING:
    from .core.game import Game

WINGS: dict[str, str] = {
    "chicago": "gangland.envs.chicago.game:Chicago",
    "gangsters": "gangland.envs.gangsters.game:Gangsters",
    "five_points": "gangland.envs.five_points.game:FivePoints",
    "crime_lords": "gangland.envs.crime_lords.game:CrimeLords",
}
"""Game name → ``module:class`` of its wing."""


class UnknownGameError(GanglandError, KeyError):
    """No game has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


def game_names() -> list[str]:
    """Names of all games, in order of registration."""
    return list(WINGS)


@cache
def load(name: str) -> Game:
    """The game of this name (one shared, stateless object).

    Raises:
        UnknownGameError: Naming the games there are.

    >>> load("chicago").title
    'Dominate the Chicago Underworld'
    """
    if name not in WINGS:
        raise UnknownGameError(f"no game {name!r}: there are {', '.join(WINGS)}")
    module, attribute = WINGS[name].split(":")
    game: Game = getattr(importlib.import_module(module), attribute)()
    return game


def register(name: str, target: str) -> None:
    """Add a game of your own: ``target`` is ``module:class`` of a ``Game`` subclass.

    Raises:
        ValueError: If the name is taken by another class.
    """
    if WINGS.setdefault(name, target) != target:
        raise ValueError(f"game {name!r} is {WINGS[name]}, cannot become {target}")
