"""Raids, and what raids and arrests pay (G-9.17 to G-9.19, G-14.1 to G-14.5).

RAID_OR_ARREST, DOUBLE and SHARE; a shootout asks the last two as well.
"""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data import PRICE, STREETS
from ...state import (
    DOUBLE,
    E_DOUBLES,
    E_PAYOFFS,
    E_RAIDS,
    GANGS,
    K_COP,
    NONE,
    POLICE,
    RAID_OR_ARREST,
    SHARE,
    STEP_ARREST_PAID,
    STEP_COP_OVER,
    STEP_DOUBLE,
    STEP_RAID,
    STEP_RAID_PAID,
    U_COP,
)
from ..common import ask, criminal_rival, drop_cop, drop_public, half, return_marker, take_building


@kernel(leaf=True)
def legal_raid(state: State) -> None:
    """RAID_OR_ARREST, DOUBLE and SHARE: one of two answers (G-9.18, G-14.2, G-14.3)."""
    if state.phase == RAID_OR_ARREST:
        state.legal[act.RAID] = 1
        state.legal[act.ARREST] = 1
    else:
        state.legal[act.END] = 1
        state.legal[act.YES] = 1


@kernel(leaf=True)
def decide_raid(state: State, action: int) -> None:
    """RAID_OR_ARREST, DOUBLE and SHARE (G-9.18, G-14.2, G-14.3)."""
    phase = state.phase
    yes = action == act.YES
    officer = state.asked
    if phase == RAID_OR_ARREST:
        state.step = STEP_RAID if action == act.RAID else STEP_COP_OVER
    elif phase == DOUBLE:
        if yes:
            play_double(state, officer)
        if state.fight != NONE:
            state.twice[U_COP + officer] = yes
            state.cursor += 1
            state.step = STEP_DOUBLE
        else:
            state.doubled = yes
            resolve_raid(state)
            state.step = STEP_RAID_PAID
    else:
        if yes:
            pay_share(state, officer)
        state.step = STEP_ARREST_PAID if state.fight != NONE else STEP_COP_OVER


@kernel(leaf=True)
def begin_raid(state: State) -> int:
    """What an arrival leads to: 0 nothing, 1 a raid, 2 a raid or an arrest (G-9.17, 9.18)."""
    node = state.dest
    if node < STREETS or not state.lit[node - STREETS]:
        return 0
    state.raid_node = node
    state.doubled = 0
    if state.kind == K_COP and criminal_rival(state, node, state.mover):
        return 2
    return 1


@kernel(leaf=True)
def raid(state: State) -> None:
    """Ask for the doubling marker, or resolve the raid (G-14.2)."""
    officer = state.piece
    if state.kind == K_COP and officer < 9 and state.police and state.holder[officer] == POLICE:
        state.asked = officer
        ask(state, DOUBLE, POLICE)
        return
    resolve_raid(state)
    state.step = STEP_RAID_PAID


@kernel(leaf=True)
def resolve_raid(state: State) -> None:
    """The raid: payoff, one level, Publics and the officer to their cups (G-9.17, G-9.19)."""
    building = state.raid_node - STREETS
    payoff = PRICE[building] * state.level[building]
    state.events[E_RAIDS] += 1
    state.level[building] -= 1
    state.lit[building] = 0
    if state.level[building] <= 0:
        take_building(state, building, NONE)
    for public in range(4):
        if state.public_at[public] == state.raid_node:
            drop_public(state, public)
    sharer = NONE
    if state.kind == K_COP:
        sharer = state.cop_share[state.piece]
        drop_cop(state, state.piece)
    pay_police(state, payoff, state.doubled, sharer)
    state.sharer = sharer


@kernel(leaf=True)
def raid_paid(state: State) -> None:
    """Ask for the sharing marker (G-14.3)."""
    if state.kind == K_COP and may_share(state, state.piece, state.sharer):
        state.asked = state.piece
        ask(state, SHARE, state.holder[state.piece])
    else:
        state.step = STEP_COP_OVER


@kernel(leaf=True)
def pay_police(state: State, payoff: int, doubled: int, sharer: int) -> None:
    """Raid and arrest money, and the automatic share (G-14.2, 14.3, 14.5)."""
    state.payoff = payoff
    state.left_to_share = 0
    if not state.police:
        return
    received = payoff * (1 + doubled)
    state.cash[POLICE] += received
    state.events[E_PAYOFFS] += received
    if sharer != NONE:
        share = min(half(payoff), received)
        state.cash[POLICE] -= share
        state.cash[sharer] += share
        received -= share
    state.left_to_share = received


@kernel(leaf=True)
def play_double(state: State, officer: int) -> None:
    """The Police Player shows the officer's marker (G-14.2)."""
    return_marker(state, officer)
    state.events[E_DOUBLES] += 1


@kernel(leaf=True)
def may_share(state: State, officer: int, sharer: int) -> bool:
    """Whether a gang is to be asked for its marker after a payoff (G-14.3, G-14.5)."""
    if officer > 8 or state.left_to_share <= 0:
        return False
    holder = state.holder[officer]
    return 0 <= holder < GANGS and holder != sharer


@kernel(leaf=True)
def pay_share(state: State, officer: int) -> None:
    """The gang that plays the marker gets half of the normal payoff (G-14.3)."""
    gang = state.holder[officer]
    share = min(half(state.payoff), state.left_to_share)
    state.cash[POLICE] -= share
    state.cash[gang] += share
    return_marker(state, officer)
