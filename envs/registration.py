"""Entries in PettingZoo's and Gymnasium's own registries, for ``make`` by name."""

from __future__ import annotations

from functools import cache
from typing import Any

import gymnasium

from .core.aec import GameEnv
from .core.checked import CheckedEnv
from .registry import load

VERSIONS: dict[str, int] = {"chicago": 0, "gangsters": 0, "five_points": 0, "crime_lords": 0}
"""Game name → version of its environment module."""


def gymnasium_id(name: str) -> str:
    """Identifier of a game's single-seat environment, such as ``gangland/FivePoints-v0``."""
    title = "".join(part.capitalize() for part in name.split("_"))
    return f"gangland/{title}-v{VERSIONS[name]}"


def pettingzoo_id(name: str) -> str:
    """Identifier of a game's AEC environment, such as ``gangland/chicago_v0``."""
    return f"gangland/{name}-v{VERSIONS[name]}"


def register_all() -> None:
    """Register every game, once: Gymnasium always, PettingZoo where its version has a registry."""
    for name in VERSIONS:
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(name),
                entry_point="gangland.agents.seat_env:SeatEnv",
                kwargs={"game": name},
                disable_env_checker=False,
            )
    try:
        from pettingzoo.env_registry import registration
    except ImportError:  # before PettingZoo 1.27
        return
    for name, version in VERSIONS.items():
        if pettingzoo_id(name) not in registration.aec_registry:
            registration.register(
                "aec", pettingzoo_id(name), entry_point=f"gangland.envs.{name}_v{version}:env"
            )


@cache
def entry_points(name: str, version: int) -> tuple[Any, Any]:
    """``(env, raw_env)`` of a registered game, for its version module."""

    def env(**options: Any) -> CheckedEnv:
        """The environment with PettingZoo's checks of action bounds and call order."""
        return CheckedEnv(GameEnv(load(name), version, **options))

    def raw_env(**options: Any) -> GameEnv:
        """The environment without wrappers."""
        return GameEnv(load(name), version, **options)

    return env, raw_env
