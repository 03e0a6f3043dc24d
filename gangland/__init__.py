"""Gangland: gangster board games for five seats, to train bots on and to play against."""

from __future__ import annotations

__version__ = "0.1.0"
