"""Who fires at whom in a shootout (G-12.1 to G-12.11)."""

from __future__ import annotations

from typing import Final

from ....core.kernel import kernel
from ....core.rng import roll_die
from ....core.state import State
from ...data import (
    COMMISSIONER_HEATERS_MIN,
    COMMISSIONER_HIT_MIN,
    COP_HIT_MIN,
    GUARD_DICE,
    GUARD_HIT_MIN,
    HIT_MIN,
    HQ_GUARD_DICE,
    HQ_HIT_MIN,
    OFFICER_DICE,
    STREETS,
)
from ...state import GANGS, NONE, POLICE, U_COMMISSIONER, U_COP, U_JOINT, UNITS, R, T, V
from ..common import owner_at

ATTACKERS: Final = 14
"""Places in the order of attack: R, T, joint, officers 1 to 9 and U, Commissioner (G-12.2)."""
GUARDS_AT: Final = UNITS - U_COP
THUGS_AT: Final = GUARDS_AT + 1
RACKETEERS_AT: Final = THUGS_AT + GANGS
"""First places in the order of allocation: officers, Commissioner, guards, Thugs, Racketeers."""
SHOOTERS: Final = RACKETEERS_AT + GANGS
"""Places in that order."""
SIDES: Final = 5


@kernel(leaf=True)
def attacker(state: State, place: int) -> int:
    """Unit at a place in the order of attack; NONE if the active seat has no such unit."""
    if place < 2:
        return state.active * 3 + place if state.active < GANGS else NONE
    return U_JOINT + place - 2


@kernel(leaf=True)
def shooter(place: int) -> int:
    """Unit at a place in the order of allocation (G-12.12)."""
    if place < GUARDS_AT:
        return U_COP + place
    if place == GUARDS_AT:
        return U_JOINT
    if place < RACKETEERS_AT:
        return (place - THUGS_AT) * 3 + T
    return (place - RACKETEERS_AT) * 3 + R


@kernel(leaf=True)
def controller(state: State, officer: int) -> int:
    """The side an officer fights for this player turn (G-9.8)."""
    if state.cop_mover[officer] != NONE:
        return state.cop_mover[officer]
    return POLICE if state.police else state.active


@kernel(leaf=True)
def side_of(state: State, node: int, unit: int) -> int:
    """The side of a unit at a node."""
    if unit < U_JOINT:
        return unit // 3
    if unit == U_JOINT:
        return owner_at(state, node)
    if unit < U_COMMISSIONER:
        return controller(state, unit - U_COP)
    return POLICE


@kernel(leaf=True)
def size_at(state: State, node: int, unit: int) -> int:
    """Hits a unit can take at a node: strength, level or dice; 0 if it is not there."""
    if unit < U_JOINT:
        return state.strength[unit // 3, unit % 3] if state.at[unit // 3, unit % 3] == node else 0
    if unit == U_JOINT:
        return state.level[node - STREETS] if node >= STREETS else 0
    if unit < U_COMMISSIONER:
        return OFFICER_DICE[unit - U_COP] if state.cop_at[unit - U_COP] == node else 0
    return state.c_strength if state.c_at == node else 0


@kernel(leaf=True)
def can_hit(state: State, firing: int, victim: int) -> bool:
    """Who can be hit by whom (G-12.11, the table)."""
    is_piece = victim < U_JOINT
    if firing >= U_COP:
        return is_piece and state.criminal[victim // 3, victim % 3] != 0
    if is_piece and victim % 3 != V:
        return True
    if firing == U_JOINT:
        return False
    if is_piece:
        return firing % 3 == R
    if victim == U_JOINT:
        return True
    return state.criminal[firing // 3, firing % 3] != 0


@kernel(leaf=True)
def attack_targets(state: State, node: int, unit: int) -> int:
    """Bit set of the sides a unit may attack (G-12.3)."""
    own = side_of(state, node, unit)
    sides = 0
    for gang in range(GANGS):
        if gang == own:
            continue
        for piece in range(3):
            if state.at[gang, piece] != node or state.strength[gang, piece] == 0:
                continue
            if unit >= U_COP:
                if state.criminal[gang, piece]:
                    sides |= 1 << gang
            elif piece != V or (unit < U_JOINT and unit % 3 == R):
                sides |= 1 << gang
    if unit < U_JOINT:
        owner = owner_at(state, node)
        if owner not in (NONE, own):
            sides |= 1 << owner
    return sides


@kernel(leaf=True)
def fires(state: State, node: int, unit: int) -> bool:
    """Whether a unit fires in step 1 (G-12.2)."""
    if unit == NONE or size_at(state, node, unit) == 0:
        return False
    if unit < U_JOINT and not state.hit[unit // 3, unit % 3]:
        return False
    return attack_targets(state, node, unit) != 0


@kernel(leaf=True)
def return_targets(state: State, node: int, unit: int) -> int:
    """Bit set of the sides a unit may return fire at (G-12.7)."""
    own = side_of(state, node, unit)
    sides = 0
    for first in range(UNITS):
        if state.target[first] != own or own == NONE:
            continue
        side = side_of(state, node, first)
        for victim in range(UNITS):
            if (
                size_at(state, node, victim) > 0
                and side_of(state, node, victim) == side
                and can_hit(state, unit, victim)
            ):
                sides |= 1 << side
                break
    return sides


@kernel(leaf=True)
def next_fight(state: State, after: int) -> int:
    """The next node, by index, at which somebody fires in step 1 (G-12.1); NONE at last."""
    best = 1000
    for gang in range(GANGS):
        for piece in range(3):
            node = state.at[gang, piece]
            if node <= after or node >= best:
                continue
            owner = owner_at(state, node)
            fight = owner not in (NONE, gang) and piece != V
            if state.hit[gang, piece] and attack_targets(state, node, gang * 3 + piece):
                fight = True
            if state.criminal[gang, piece]:
                if state.c_at == node:
                    fight = True
                for officer in range(10):
                    if state.cop_at[officer] == node and controller(state, officer) != gang:
                        fight = True
            if fight:
                best = node
    return best if best < 1000 else NONE


@kernel(leaf=True)
def begin_fight(state: State, node: int) -> None:
    """Clear the sheet of a shootout."""
    state.fight = node
    state.cursor = 0
    state.hits_left = 0
    for unit in range(UNITS):
        state.target[unit] = NONE
        state.returns[unit] = NONE
        state.hits[unit] = 0
        state.loss[unit] = 0
        state.arrest[unit] = 0
        state.twice[unit] = 0


@kernel(leaf=True)
def roll(state: State, node: int, unit: int) -> None:
    """Roll the dice of a unit and count its hits (G-2.11)."""
    if unit < U_JOINT:
        gang, piece = unit // 3, unit % 3
        dice = state.strength[gang, piece]
        least = HIT_MIN[piece] - state.has_heaters[gang, piece]
    elif unit == U_JOINT:
        police = state.owner[node - STREETS] == POLICE
        dice = HQ_GUARD_DICE if police else GUARD_DICE[node - STREETS]
        least = HQ_HIT_MIN if police else GUARD_HIT_MIN
    elif unit < U_COMMISSIONER:
        dice = OFFICER_DICE[unit - U_COP]
        least = COP_HIT_MIN
    else:
        dice = state.c_strength
        least = COMMISSIONER_HEATERS_MIN if state.c_heaters else COMMISSIONER_HIT_MIN
    for _ in range(dice):
        state.hits[unit] += roll_die(state) >= least
