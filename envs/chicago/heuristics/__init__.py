"""Heuristic players of Chicago Underworld, over redacted records."""

from __future__ import annotations

from .bot import choose, choose_specified

__all__ = ["choose", "choose_specified"]
