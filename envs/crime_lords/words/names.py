"""Names of the cards, and the Power that views show."""

from __future__ import annotations

from ...core.state import State
from ..data import CARDS_DATA, CROOK_POWER, MOB_BONUS, POWER_CAP


def crook_name(crook: int) -> str:
    """A Crook by name."""
    return str(CARDS_DATA["crooks"][crook]["name"])


def racket_name(racket: int) -> str:
    """A Racket by name."""
    return str(CARDS_DATA["rackets"][racket]["name"])


def special_name(kind: int) -> str:
    """A Special by name."""
    return str(CARDS_DATA["specials"][kind]["name"])


def crook_power(state: State, crook: int) -> int:
    """Power of a Crook, a Boss's bonus included (CL-5.1)."""
    own = min(POWER_CAP, int(CROOK_POWER[crook]) + int(state.counters[crook]))
    seat = int(state.crook_loc[crook])
    if seat >= 0 and state.boss[seat] == crook:
        own += int(MOB_BONUS[state.mob[seat]])
    return own
