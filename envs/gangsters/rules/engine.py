"""The engine: from a new game or an action to the next real decision (G-4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.rng import seed_chance, shuffle
from ...core.state import State
from ..state import STEP_DECIDE
from .phases import advance, decide, fill
from .setup import empty, setup_pick
from .victory import cap


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """A new game: purchase order, then the first pick (G-3)."""
    seed_chance(state, seed)
    empty(state)
    for gang in range(state.gangs):
        state.order[gang] = gang
    shuffle(state, state.order[: state.gangs])
    setup_pick(state)  # A choice on every board: see data.checks.
    fill(state)


@kernel
def apply(state: State, action: int) -> None:
    """One decision (G-20.11: a safety stop far beyond real games ends it)."""
    state.ply += 1
    decide(state, action)
    run(state)
    if not state.over and state.ply >= 250 * state.max_rounds * state.num_seats:
        cap(state)


@kernel(leaf=True)
def run(state: State) -> None:
    """Carry out chance and forced decisions up to the next real decision (G-4.1)."""
    while not state.over:
        if state.step != STEP_DECIDE:
            advance(state)
            continue
        if fill(state) > 1:
            return
        only = 0
        while not state.legal[only]:
            only += 1
        decide(state, only)


@kernel
def refill(state: State) -> int:
    """Fill the mask again in a position that was not reached by play; see :func:`fill`."""
    return fill(state)


@kernel
def legal_actions(state: State, mask: NDArray[Any]) -> None:
    """The mask of the decision that is due, as :func:`fill` left it."""
    for action in range(len(mask)):
        mask[action] = state.legal[action] != 0
