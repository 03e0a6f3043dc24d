"""What follows from the list of games: other people's registries, and a module for each version.

A game is ``gangland.envs.<game>_vN`` for PettingZoo, ``gangland/<Game>-vN`` in Gymnasium's registry
and ``gangland/<game>-vN`` in PettingZoo's. Nothing of that is written down per game.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import gymnasium

from .api.aec import GameEnv
from .api.checked import CheckedEnv
from .page import page
from .registry import ENTRIES, VERSIONED, Entry, add, entry_of, load


class VersionModule(ModuleType):
    """The module of a game's PettingZoo environment, such as ``gangland.envs.chicago_v0``.

    Its documentation is the environment's page: agents, spaces, rewards, options.

    Attributes:
        env: Makes the environment, with PettingZoo's checks of action bounds and call order.
        raw_env: Makes the environment without wrappers.
    """

    env: Callable[..., CheckedEnv]
    raw_env: Callable[..., GameEnv]


def gymnasium_id(name: str) -> str:
    """Identifier of a game's single-seat environment, such as ``gangland/FivePoints-v0``."""
    entry = entry_of(name)
    return f"gangland/{entry.title}-v{entry.version}"


def pettingzoo_id(name: str) -> str:
    """Identifier of a game's AEC environment, such as ``gangland/five_points-v0``."""
    return f"gangland/{name}-v{entry_of(name).version}"


def module_name(name: str) -> str:
    """Dotted name of a game's version module, such as ``gangland.envs.five_points_v0``."""
    return f"{__package__}.{name}_v{entry_of(name).version}"


def register(name: str, target: str, version: int = 0) -> None:
    """Add a game of your own, for this process.

    Args:
        name: Its name, as its class has it.
        target: ``module:class`` of a ``Game`` subclass.
        version: Version of its environments.

    Raises:
        ValueError: If the name is taken by another class or is no name.
    """
    _publish(add(name, target, version))


def register_all() -> None:
    """Enter every game, once: in Gymnasium, and in PettingZoo where its version has a registry."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
    for entry in ENTRIES.values():
        _publish(entry)


def _publish(entry: Entry) -> None:
    gym_id = gymnasium_id(entry.name)
    if gym_id not in gymnasium.registry:
        gymnasium.register(
            gym_id,
            entry_point="gangland.agents.seat_env:SeatEnv",
            vector_entry_point="gangland.adapters.gymnasium_vector:SeatVectorEnv",
            kwargs={"game": entry.name},
            disable_env_checker=False,
        )
    try:
        from pettingzoo.env_registry import registration
    except ImportError:  # before PettingZoo 1.27
        return
    zoo_id = pettingzoo_id(entry.name)
    if zoo_id not in registration.aec_registry:
        registration.register("aec", zoo_id, entry_point=f"{module_name(entry.name)}:env")


@cache
def entry_points(name: str) -> tuple[Callable[..., CheckedEnv], Callable[..., GameEnv]]:
    """``(env, raw_env)`` of a game, as its version module has them."""
    version = entry_of(name).version

    def env(**options: Any) -> CheckedEnv:
        """The environment with PettingZoo's checks of action bounds and call order."""
        return CheckedEnv(GameEnv(load(name), version, **options))

    def raw_env(**options: Any) -> GameEnv:
        """The environment without wrappers."""
        return GameEnv(load(name), version, **options)

    # As functions of the module, so that they can be pickled.
    for function in (env, raw_env):
        function.__module__ = module_name(name)
        function.__qualname__ = function.__name__
    return env, raw_env


def version_modules() -> list[str]:
    """Names of all version modules inside this package."""
    return [f"{entry.name}_v{entry.version}" for entry in ENTRIES.values()]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes version modules when they are imported."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module's spec, if it is the version module of a game.

        Raises:
            ModuleNotFoundError: Naming the version that a game has, if it is another one.
        """
        package, _, module = fullname.rpartition(".")
        wanted = VERSIONED.fullmatch(module) if package == __package__ else None
        if wanted is None or wanted["name"] not in ENTRIES:
            return None
        if module_name(wanted["name"]) != fullname:
            raise ModuleNotFoundError(
                f"no module {fullname}: its version is now {module_name(wanted['name'])}",
                name=fullname,
            )
        return importlib.machinery.ModuleSpec(fullname, self, origin="the list of games")

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """An empty module."""
        return VersionModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module: its environments, and its documentation."""
        wanted = VERSIONED.fullmatch(module.__name__.rpartition(".")[2])
        assert wanted is not None
        name = wanted["name"]
        env, raw_env = entry_points(name)
        vars(module).update(
            __doc__=page(load(name), entry_of(name).version),
            __all__=["env", "raw_env"],
            env=env,
            raw_env=raw_env,
        )
