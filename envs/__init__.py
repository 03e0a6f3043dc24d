"""The games: ``load`` one, ``make_vec`` many tables of it, or import ``<game>_v0`` for PettingZoo."""

from __future__ import annotations

from .registry import game_names, load, register

__all__ = ["game_names", "load", "register"]
