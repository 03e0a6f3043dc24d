"""The one list of games: our own, those of other distributions, and those of this process.

Version modules, the entries in Gymnasium's and PettingZoo's registries, the command line, the
arena, the server and the tests are derived from it. A game gets into it in one of three ways:

- A folder ``envs/<game>/`` whose ``game.py`` holds the ``Game`` subclass, called as the folder in
  capitals: ``five_points`` hands over ``FivePoints``. ``VERSION`` in its ``__init__.py`` is the
  version of its environments, 0 if it says nothing. A folder of several games has
  a ``games.py`` instead, which lists them: ``GAMES = {"kuhn": "kuhn:Kuhn", ...}``, and says with
  ``CALIBRATION`` whether they are there to measure with, and left out where people choose a game.
- An entry point ``<game> = "module:Class"`` in the group ``gangland.games`` of any installed
  distribution; called ``<game>_vN`` if its environments have version N.
- :func:`gangland.envs.register`, for the process that calls it.

Only names are collected here; a game is imported when it is loaded.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .core.errors import GanglandError
from .plugins import GAMES, OURS, Plugin, PluginError, plugins, warn

if TYPE_CHECKING:
    from .core.game import Game

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
"""Of a game: lower-case words, joined by underscores."""

VERSIONED = re.compile(r"(?P<name>\w+?)_v(?P<version>\d+)")
"""Of a version module, and of an entry point that names its version."""


class UnknownGameError(GanglandError, KeyError):
    """No game has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Entry:
    """A game that can be loaded.

    Attributes:
        name: Its name, as for :func:`load`.
        target: ``module:Class`` of its :class:`~gangland.envs.core.game.Game` subclass.
        version: Version of its environments, as in ``chicago_v0``.
        source: Where it comes from, for people: ``gangland``, a distribution with its version, or
            ``this process``.
        plugin: The entry point of a game of another distribution.
        calibration: Whether the game is there to measure with, not to be played.
    """

    name: str
    target: str
    version: int = 0
    source: str = OURS
    plugin: Plugin | None = None
    calibration: bool = False

    @property
    def title(self) -> str:
        """The name in capitals, as in ``FivePoints``."""
        return title_of(self.name)


def title_of(name: str) -> str:
    """A game's name in capitals: the name of its class, and in Gymnasium's registry."""
    return "".join(part.capitalize() for part in name.split("_"))


def _wings(folder: Path) -> Iterator[Entry]:
    """Our own games: of folders with a ``game.py`` or a ``games.py``, by folder."""
    for path in sorted(folder.glob("*/game*.py")):
        if path.parent.name == "core":
            continue
        package = f"{__package__}.{path.parent.name}"
        version = getattr(importlib.import_module(package), "VERSION", 0)
        if path.name == "game.py":
            name = path.parent.name
            yield Entry(name, f"{package}.game:{title_of(name)}", version)
        elif path.name == "games.py":
            about = importlib.import_module(f"{package}.games")
            for name, target in about.GAMES.items():
                yield Entry(name, f"{package}.{target}", version, calibration=about.CALIBRATION)


def _foreign(taken: dict[str, Entry]) -> Iterator[Entry]:
    """Games of other distributions, by name."""
    for plugin in plugins(GAMES, taken).values():
        versioned = VERSIONED.fullmatch(plugin.name)
        name = versioned["name"] if versioned else plugin.name
        version = int(versioned["version"]) if versioned else 0
        if not NAME.fullmatch(name):
            warn(plugin.refusal(f"{name!r} is no name of lower-case words joined by underscores"))
        elif name in taken:
            warn(plugin.refusal(f"{taken[name].source} has a game of that name, and keeps it"))
        else:
            yield Entry(name, plugin.point.value, version, plugin.source, plugin)


def _discover() -> dict[str, Entry]:
    found = {entry.name: entry for entry in _wings(Path(__file__).parent)}
    for entry in _foreign(found):
        found[entry.name] = entry
    return found


ENTRIES: dict[str, Entry] = _discover()
"""All games by name."""


def game_names(calibration: bool = False) -> list[str]:
    """Names of all games: our own, those of other distributions, those registered here.

    A game of another distribution that cannot be loaded is left out, with a warning that names it.

    Args:
        calibration: Also those that are there to measure with, not to be played: Kuhn and Leduc
            poker.
    """
    for entry in list(ENTRIES.values()):
        if entry.plugin is not None:
            try:
                load(entry.name)
            except PluginError as error:
                del ENTRIES[entry.name]
                warn(error)
    return [name for name, entry in ENTRIES.items() if calibration or not entry.calibration]


def entry_of(name: str) -> Entry:
    """Where a game comes from.

    Raises:
        UnknownGameError: Naming the games there are.
    """
    if name not in ENTRIES:
        known = ", ".join(game_names(calibration=True))
        raise UnknownGameError(f"no game {name!r}: there are {known}")
    return ENTRIES[name]


def load(name: str) -> Game:
    """The game of this name (one shared, stateless object).

    Raises:
        UnknownGameError: Naming the games there are.
        PluginError: If it belongs to another distribution and cannot be loaded.

    >>> load("chicago").title
    'Dominate the Chicago Underworld'
    """
    return _loaded(entry_of(name))


@cache
def _loaded(entry: Entry) -> Game:
    if entry.plugin is not None:
        target = entry.plugin.load()
        wrong = _wrong(target, entry.name)
        if wrong:
            raise entry.plugin.refusal(wrong)
    else:
        module, attribute = entry.target.split(":")
        target = getattr(importlib.import_module(module), attribute)
        wrong = _wrong(target, entry.name)
        if wrong:
            raise TypeError(f"game {entry.name!r}, {entry.target}: {wrong}")
    game: Game = target()
    return game


def _wrong(target: object, name: str) -> str:
    """Why something cannot be the game of this name; empty if it can."""
    from .core.game import Game

    if not isinstance(target, type) or not issubclass(target, Game):
        return "it is no subclass of gangland.envs.core.game.Game"
    if missing := target.missing():
        return f"it does not declare {', '.join(missing)}"
    if target.name != name:
        return f"the class calls itself {target.name!r}"
    return ""


def add(name: str, target: str, version: int = 0) -> Entry:
    """Add a game for this process; see :func:`gangland.envs.register`.

    Raises:
        ValueError: If the name is taken by another class or is no name.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"game {name!r}: must be lower-case words joined by underscores")
    entry = ENTRIES.setdefault(name, Entry(name, target, version, "this process"))
    if entry.target != target:
        raise ValueError(f"game {name!r} is {entry.target}, cannot become {target}")
    return entry
