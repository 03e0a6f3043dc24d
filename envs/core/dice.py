"""Dice in sentences."""

from __future__ import annotations

from typing import Final

DICE: Final = " \u2680\u2681\u2682\u2683\u2684\u2685"
"""The face of a die by its number, from 1; pages draw it."""
