"""Heuristic players of Crime Lords, over redacted records."""

from __future__ import annotations

from .better import choose
from .specified import choose_specified

__all__ = ["choose", "choose_specified"]
