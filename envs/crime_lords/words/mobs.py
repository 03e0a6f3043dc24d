"""Numbers of a Mob that views show, outside of kernels."""

from __future__ import annotations

from ...core.state import State
from ..data.tables import CROOK_POWER, MOB_BONUS, POWER_CAP


def crook_power(state: State, crook: int) -> int:
    """Power of a Crook, a Boss's bonus included (CL-5.1)."""
    own = min(POWER_CAP, int(CROOK_POWER[crook]) + int(state.counters[crook]))
    seat = int(state.crook_loc[crook])
    if seat >= 0 and state.boss[seat] == crook:
        own += int(MOB_BONUS[state.mob[seat]])
    return own
