"""Hits placed by the owners of the units, and the casualties (G-12.9 to G-12.18)."""

from __future__ import annotations

from typing import Final

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data import MEMBER_COST, STREETS, VAMP_COST
from ...state import E_HQ_LOST, E_SHOT, GANGS, NONE, POLICE, U_COMMISSIONER, U_COP, U_JOINT, V
from ..common import drop_public, owner_at, remove_piece, take_building
from .targets import SHOOTERS, SIDES, can_hit, controller, shooter, side_of, size_at

LAST_CURSOR: Final = 2 * SIDES * SHOOTERS
NO_LOSS: Final = 1 << 6


@kernel(leaf=True)
def room(state: State, side: int, unit: int, firing: int) -> bool:
    """Whether a unit of a side can take one more hit of the firing unit."""
    node = state.fight
    return (
        size_at(state, node, unit) > state.loss[unit]
        and side_of(state, node, unit) == side
        and can_hit(state, firing, unit)
    )


@kernel(leaf=True)
def allocation_options(state: State) -> int:
    """Bit set of what the hit side may lose now: R, T, V, joint, cop, Commissioner, none.

    In step 4 units that did not fire in step 1 are optional (G-12.10).
    """
    second = state.cursor >= SIDES * SHOOTERS
    side = state.cursor // SHOOTERS % SIDES
    firing = shooter(state.cursor % SHOOTERS)
    options = 0
    active_room = False
    for kind in range(6):
        first = side * 3 + kind
        last = first + 1
        if kind < 3:
            if side == POLICE:
                continue
        elif kind == 3:
            first, last = U_JOINT, U_JOINT + 1
        elif kind == 4:
            first, last = U_COP, U_COMMISSIONER
        else:
            first, last = U_COMMISSIONER, U_COMMISSIONER + 1
        for unit in range(first, last):
            if room(state, side, unit, firing):
                options |= 1 << kind
                if state.target[unit] != NONE:
                    active_room = True
    if second and options and not active_room:
        options |= NO_LOSS
    return options


@kernel(leaf=True)
def legal_allocation(state: State) -> None:
    """Fill the mask of ALLOC (G-12.13)."""
    options = allocation_options(state)
    for kind in range(6):
        if options >> kind & 1:
            state.legal[act.LOSE + kind] = 1
    if options & NO_LOSS:
        state.legal[act.END] = 1


@kernel(leaf=True)
def allocate(state: State, kind: int) -> None:
    """Put one hit on a unit; an arrest is worth the member it removes (G-12.18)."""
    side = state.cursor // SHOOTERS % SIDES
    firing = shooter(state.cursor % SHOOTERS)
    unit = side * 3 + kind
    if kind == 3:
        unit = U_JOINT
    elif kind == 5:
        unit = U_COMMISSIONER
    elif kind == 4:
        for officer in range(10):
            if room(state, side, U_COP + officer, firing):
                unit = U_COP + officer
                break
    if firing >= U_COP and unit < U_JOINT:
        members = state.strength[unit // 3, unit % 3] - state.loss[unit]
        state.arrest[firing] += VAMP_COST if unit % 3 == V else MEMBER_COST * members
    state.loss[unit] += 1
    state.hits_left -= 1


@kernel(leaf=True)
def next_hit(state: State) -> bool:
    """Move the cursor to the next hit that some unit can take; False when all are placed."""
    while True:
        if state.hits_left > 0:
            if allocation_options(state):
                return True
            state.hits_left = 0
        state.cursor += 1
        if state.cursor >= LAST_CURSOR:
            return False
        side = state.cursor // SHOOTERS % SIDES
        unit = shooter(state.cursor % SHOOTERS)
        aimed = state.target[unit] if state.cursor < SIDES * SHOOTERS else state.returns[unit]
        if aimed == side:
            state.hits_left = state.hits[unit]


@kernel(leaf=True)
def joint_is_saved(state: State, owner: int) -> bool:
    """Whether every R and T of every gang that fired at the owner's side has fallen (G-12.14).

    An officer fires for the gang that controls him.
    """
    node = state.fight
    for gang in range(GANGS):
        fired = False
        for piece in range(2):
            unit = gang * 3 + piece
            if state.target[unit] == owner or state.returns[unit] == owner:
                fired = True
        for officer in range(10):
            if state.target[U_COP + officer] == owner and controller(state, officer) == gang:
                fired = True
        if fired:
            for piece in range(2):
                unit = gang * 3 + piece
                if size_at(state, node, unit) > state.loss[unit]:
                    return False
    return True


@kernel(leaf=True)
def casualties(state: State) -> None:
    """Step 5: losses come off, Publics and cops leave (G-12.14 to G-12.17)."""
    node = state.fight
    owner = owner_at(state, node)
    destroyed = False
    if state.loss[U_JOINT] and not joint_is_saved(state, owner):
        building = node - STREETS
        state.level[building] -= state.loss[U_JOINT]
        if state.level[building] <= 0:
            take_building(state, building, NONE)
            destroyed = True
            if owner == POLICE:
                state.events[E_HQ_LOST] += 1
    for gang in range(GANGS):
        for piece in range(3):
            lost = state.loss[gang * 3 + piece]
            if lost:
                state.events[E_SHOT] += lost
                state.strength[gang, piece] -= lost
                if state.strength[gang, piece] == 0:
                    remove_piece(state, gang, piece)
    for public in range(4):
        at = state.public_at[public]
        if at != NONE and (destroyed or at == node):
            drop_public(state, public)
    if state.loss[U_COMMISSIONER]:
        state.c_strength -= state.loss[U_COMMISSIONER]
        state.c_at = NONE
        state.c_came = NONE
        if state.c_strength == 0:
            state.c_heaters = 0
            state.c_wheels = 0
