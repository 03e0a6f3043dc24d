"""The games: ``load`` one, ``make_vec`` many tables of it, or import ``<game>_v0`` for PettingZoo.

>>> import gangland.envs
>>> game = gangland.envs.load("chicago")
>>> state = game.new_state(seed=1, players=3)
>>> game.seat_to_act(state) in range(3)
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .registration import VersionModule, register, register_all, version_modules
from .registry import game_names, load

if TYPE_CHECKING:
    from .api.vec import VecTables

__all__ = ["game_names", "load", "make_vec", "register"]

register_all()


def make_vec(
    game: str,
    num_envs: int,
    seed: int = 0,
    *,
    threads: int = 1,
    observation_dtype: str = "float32",
    **options: Any,
) -> VecTables:
    """Many tables of a game, stepped by one call; see :class:`~gangland.envs.api.vec.VecTables`.

    Args:
        game: The game's name.
        num_envs: Number of tables.
        seed: Seed of all tables.
        threads: Threads that share a step.
        observation_dtype: ``float32``, or ``uint8`` for observations in bytes.
        **options: The game's options.
    """
    from .api.vec import VecTables

    return VecTables(
        load(game),
        num_envs,
        seed,
        threads=threads,
        observation_dtype=observation_dtype,
        **options,
    )


def __getattr__(name: str) -> VersionModule:
    """The version module of a game, such as ``gangland.envs.chicago_v0``."""
    if name in version_modules():
        module: Any = importlib.import_module(f"{__name__}.{name}")
        return module
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *version_modules()})
