"""A shootout as a machine of steps, from the first shot to the cups (G-12)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .common import (
    ask,
    drop_cop,
)
from .payoffs import organised_crime, publics_from_crime, salary
from .police import may_share, pay_police
from .shootout import (
    ATTACKERS,
    SHOOTERS,
    SIDES,
    attack_targets,
    attacker,
    begin_fight,
    casualties,
    fires,
    next_fight,
    next_hit,
    return_targets,
    roll,
    side_of,
    size_at,
)
from .state import (
    ALLOC,
    DOUBLE,
    E_ARRESTS,
    NONE,
    POLICE,
    RETURN,
    S_ALLOC,
    S_ARREST_PAID,
    S_ATTACK,
    S_DOUBLE,
    S_END,
    S_RETURN,
    S_SHOOTOUT,
    SHARE,
    TARGET,
    U_COMMISSIONER,
    U_COP,
    U_JOINT,
)  # fmt: skip


@kernel(leaf=True)
def next_shootout(state: State) -> None:
    """Go on to the next node where shots are due, or to the end of the turn (G-12.1)."""
    node = next_fight(state, state.fight)
    if node != NONE:
        begin_fight(state, node)
        state.step = S_ATTACK
        return
    state.fight = NONE
    if state.active == POLICE:
        publics_from_crime(state)
        salary(state)
        for gang in range(state.gangs):
            organised_crime(state, gang)
    state.step = S_END


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
    state.step = S_DOUBLE


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
    state.step = S_RETURN


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
    state.step = S_ALLOC


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
        state.step = S_ARREST_PAID


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
    state.step = S_SHOOTOUT


@kernel(leaf=True)
def advance_shootout(state: State) -> None:
    """Steps of a shootout."""
    step = state.step
    if step == S_SHOOTOUT:
        next_shootout(state)
    elif step == S_ATTACK:
        attack(state)
    elif step == S_DOUBLE:
        doubles(state)
    elif step == S_RETURN:
        return_fire(state)
    elif step == S_ALLOC:
        allocation(state)
    else:
        arrests_paid(state)
