"""Factors of an observation's numbers, and what several of its blocks share."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State

Vector = NDArray[np.float32]

ONE: Final = np.float32(1.0)
PER_MONEY: Final = np.float32(1 / 50)
PER_CARD: Final = np.float32(1 / 10)
PER_POWER: Final = np.float32(1 / 6)
PER_NUMBER: Final = np.float32(1 / 12)
PER_THREE: Final = np.float32(1 / 3)
PER_CELL: Final = np.float32(1 / 8)
QUARTER: Final = np.float32(1 / 4)
MOST: Final = np.float32(4.0)


@kernel(leaf=True)
def in_range(number: int) -> np.float32:
    """A number to roll, in twelfths."""
    return min(MOST, max(-MOST, np.float32(number) * PER_NUMBER))


@kernel(leaf=True)
def missing(state: State, seat: int) -> np.float32:
    """Rackets that a Mob is short of victory, in tenths."""
    return (np.float32(state.required) - np.float32(state.count[seat])) * PER_CARD
