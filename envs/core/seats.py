"""Seats around a table, as one of them counts them."""

from __future__ import annotations

from .kernel import kernel
from .state import State


@kernel(leaf=True)
def relative(state: State, seat: int, other: int) -> int:
    """Seats from ``seat`` on to ``other``, in the order of seats; 0 for itself."""
    return other - seat if other >= seat else other - seat + state.num_seats
