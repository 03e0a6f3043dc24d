"""What other distributions bring: entry points, found by name and loaded one by one.

A distribution adds a game or an agent without an edit here: it declares an entry point in the group
``gangland.games`` or ``gangland.agents``. One that is broken is named in a warning, together with
its distribution, and everything else works as if it were not there.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .core.errors import GanglandError, GanglandWarning

GAMES = "gangland.games"
"""Entry points of games: ``name = module:Class``, or ``name_vN`` for environments of version N."""

AGENTS = "gangland.agents"
"""Entry points of agents: ``prefix = module:factory``."""

OURS = "gangland"


class PluginError(GanglandError, ImportError):
    """What an entry point of another distribution names cannot be loaded, or is something else."""


class PluginWarning(GanglandWarning):
    """An entry point of another distribution is not used."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point of another distribution, not loaded yet.

    Attributes:
        point: The entry point.
    """

    point: EntryPoint

    @property
    def name(self) -> str:
        """Name of the entry point."""
        return self.point.name

    @property
    def source(self) -> str:
        """Name and version of the distribution, for people."""
        found = self.point.dist
        return "an unknown distribution" if found is None else f"{found.name} {found.version}"

    def load(self) -> Any:
        """What the entry point names.

        Raises:
            PluginError: Naming the entry point, its distribution and what went wrong.
        """
        try:
            return self.point.load()
        except (Exception, SystemExit) as error:
            raise self.refusal(f"{type(error).__name__}: {error}") from error

    def refusal(self, reason: str) -> PluginError:
        """The error that says why this cannot be used."""
        return PluginError(
            f"{self.point.group}: {self.name} = {self.point.value} of {self.source} "
            f"cannot be used: {reason}"
        )


def plugins(group: str, taken: Collection[str]) -> dict[str, Plugin]:
    """Entry points of a group by name, in alphabetical order; nothing is imported.

    A name that is taken already stays what it is, with a warning that names both sides.

    Args:
        group: The group.
        taken: Names of our own.
    """
    found: dict[str, Plugin] = {}
    points = entry_points(group=group)
    for plugin in sorted((Plugin(p) for p in points), key=lambda p: (p.name, p.source)):
        if plugin.name in taken or plugin.name in found:
            owner = OURS if plugin.name in taken else found[plugin.name].source
            warn(plugin.refusal(f"{owner} has the name {plugin.name!r}, and keeps it"))
        else:
            found[plugin.name] = plugin
    return found


def warn(error: PluginError) -> None:
    """Say that something is not used, and why."""
    warnings.warn(str(error), PluginWarning, stacklevel=2)
