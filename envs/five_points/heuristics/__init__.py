"""Heuristic players of Five Points, over redacted records."""

from __future__ import annotations

from .better import choose, value_actions
from .specified import choose_specified

__all__ = ["choose", "choose_specified", "value_actions"]
