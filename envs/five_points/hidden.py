"""What nobody knows yet: the chance, and the buildings until they are revealed (FP-13)."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.state import State
from .rules.setup import draw_buildings
from .state import NONE, SETUP


@kernel
def redact(state: State, seat: int) -> None:
    """Blank the chance and, until they are revealed, the buildings: nobody knows them (FP-13)."""
    state.rng = np.uint64(0)
    if state.phase == SETUP:
        state.building[:] = NONE


@kernel
def resample_hidden(state: State, seat: int, seed: np.uint64) -> None:
    """Give the record a chance of its own and draw unseen buildings again (FP-13)."""
    state.rng = np.uint64(seed)
    if state.phase == SETUP:
        draw_buildings(state)
