"""The heuristics of Gangsters: one step ahead, by weights (G-24.1)."""

from __future__ import annotations

from .bot import choose, choose_specified, value_actions

__all__ = ["choose", "choose_specified", "value_actions"]
