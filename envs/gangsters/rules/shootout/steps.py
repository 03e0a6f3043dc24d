"""A shootout from the first shot to the payoffs (G-12): TARGET, RETURN, ALLOC."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...state import (
    ALLOC,
    DOUBLE,
    E_ARRESTS,
    NONE,
    POLICE,
    RETURN,
    SHARE,
    STEP_ALLOC,
    STEP_ARREST_PAID,
    STEP_ATTACK,
    STEP_DOUBLE,
    STEP_END,
    STEP_RETURN,
    STEP_SHOOTOUT,
    TARGET,
    U_COMMISSIONER,
    U_COP,
    U_JOINT,
)
from ..common import ask, drop_cop
from ..gang.crime import organised_crime, publics_from_crime, salary
from ..police.raids import may_share, pay_police
from .hits import allocate, casualties, legal_allocation, next_hit
from .targets import (
    ATTACKERS,
    SHOOTERS,
    SIDES,
    attack_targets,
    attacker,
    begin_fight,
    fires,
    next_fight,
    return_targets,
    roll,
    side_of,
    size_at,
)


@kernel(leaf=True)
def next_shootout(state: State) -> None:
    """Go on to the next node where shots are due, or to the end of the turn (G-12.1)."""
    node = next_fight(state, state.fight)
    if node != NONE:
        begin_fight(state, node)
        state.step = STEP_ATTACK
        return
    state.fight = NONE
    if state.active == POLICE:
        publics_from_crime(state)
        salary(state)
        for gang in range(state.gangs):
            organised_crime(state, gang)
    state.step = STEP_END


@kernel(leaf=True)
def attack(state: State) -> None:
    """Step 1: every attacker names a side (G-12.2)."""
    node = state.fight
    while state.cursor < ATTACKERS:
        unit = attacker(state, state.cursor)
        if fires(state, node, unit):
            sides = attack_targets(state, node, unit)
            if sides & (sides - 1):
                state.asked = unit
                ask(state, TARGET, side_of(state, node, unit))
                return
            side = 0
            while not sides >> side & 1:
                side += 1
            state.target[unit] = side
        state.cursor += 1
    state.cursor = 0
    state.step = STEP_DOUBLE


@kernel(leaf=True)
def doubles(state: State) -> None:
    """Doubling markers, then the attackers' dice (G-12.5, G-12.6)."""
    while state.cursor < 9 and state.police:
        officer = state.cursor
        if state.target[U_COP + officer] != NONE and state.holder[officer] == POLICE:
            state.asked = officer
            ask(state, DOUBLE, POLICE)
            return
        state.cursor += 1
    for place in range(ATTACKERS):
        unit = attacker(state, place)
        if unit != NONE and state.target[unit] != NONE:
            roll(state, state.fight, unit)
    state.cursor = 0
    state.step = STEP_RETURN


@kernel(leaf=True)
def return_fire(state: State) -> None:
    """Step 2: sides fired upon choose whom to answer, then roll (G-12.7, G-12.8)."""
    node = state.fight
    while state.cursor < 3 * SIDES:
        seat = state.cursor // 3
        unit = returner(state, state.cursor)
        if unit != NONE and state.target[unit] == NONE:
            sides = return_targets(state, node, unit)
            if sides & (sides - 1):
                state.asked = unit
                ask(state, RETURN, seat)
                return
            if sides:
                side = 0
                while not sides >> side & 1:
                    side += 1
                state.returns[unit] = side
        state.cursor += 1
    for place in range(3 * SIDES):
        unit = returner(state, place)
        if unit != NONE and state.returns[unit] != NONE:
            roll(state, node, unit)
    state.cursor = -1
    state.hits_left = 0
    state.step = STEP_ALLOC


@kernel(leaf=True)
def returner(state: State, place: int) -> int:
    """Unit at a place in the order of return fire; NONE if it is not there."""
    seat = place // 3
    kind = place % 3
    unit = seat * 3 + kind
    if kind == 2:
        unit = U_JOINT
        if side_of(state, state.fight, unit) != seat:
            return NONE
    elif seat == POLICE:
        return NONE
    return unit if size_at(state, state.fight, unit) > 0 else NONE


@kernel(leaf=True)
def allocation(state: State) -> None:
    """Steps 3 and 4: the owners place the hits (G-12.9 to G-12.13)."""
    if next_hit(state):
        ask(state, ALLOC, state.cursor // SHOOTERS % SIDES)
    else:
        casualties(state)
        state.cursor = 0
        state.step = STEP_ARREST_PAID


@kernel(leaf=True)
def arrests_paid(state: State) -> None:
    """Payoffs of the arrests at the node; then the cops leave (G-12.17, G-12.18)."""
    while state.cursor < 11:
        unit = U_COP + state.cursor
        officer = state.cursor
        state.cursor += 1
        if state.target[unit] == NONE:
            continue
        state.events[E_ARRESTS] += 1
        if state.arrest[unit] == 0:
            continue
        if unit == U_COMMISSIONER:
            pay_police(state, state.arrest[unit], 0, NONE)
            continue
        sharer = state.cop_share[officer]
        pay_police(state, state.arrest[unit], state.twice[unit], sharer)
        if may_share(state, officer, sharer):
            state.asked = officer
            ask(state, SHARE, state.holder[officer])
            return
    for officer in range(10):
        if state.cop_at[officer] == state.fight:
            drop_cop(state, officer)
    state.step = STEP_SHOOTOUT


@kernel(leaf=True)
def legal_shootout(state: State) -> None:
    """TARGET, RETURN and ALLOC (G-12.3, G-12.7, G-12.13)."""
    if state.phase == ALLOC:
        legal_allocation(state)
        return
    if state.phase == TARGET:
        sides = attack_targets(state, state.fight, state.asked)
    else:
        sides = return_targets(state, state.fight, state.asked)
    for r in range(1, state.num_seats):
        if sides >> ((state.seat + r) % state.num_seats) & 1:
            state.legal[act.TARGET_SIDE + r - 1] = 1


@kernel(leaf=True)
def decide_shootout(state: State, action: int) -> None:
    """TARGET, RETURN and ALLOC (G-12)."""
    if state.phase == ALLOC:
        if action == act.END:
            state.hits_left -= 1
        else:
            allocate(state, action - act.LOSE)
        state.step = STEP_ALLOC
        return
    side = (state.seat + action - act.TARGET_SIDE + 1) % state.num_seats
    if state.phase == TARGET:
        state.target[state.asked] = side
        state.step = STEP_ATTACK
    else:
        state.returns[state.asked] = side
        state.step = STEP_RETURN
    state.cursor += 1
