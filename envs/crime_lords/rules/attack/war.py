"""Gang War (section 13)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.kernel import kernel
from ....core.state import State
from ...actions import HIT_AT, PASS_ACTION
from ...state import CROOKS, HIT, STEP_WAR_AFTER, STEP_WAR_TURN, WAR
from ..mob.grid import ask, give_tokens, push
from .stages import announce


@kernel(leaf=True)
def begin_war(state: State) -> None:
    """A Gang War begins after a real attempt on a rival Boss (CL-13.1 to CL-13.6)."""
    state.war_start = 0
    state.war = 1
    state.wars += 1
    state.war_in = 1 << state.active | 1 << state.war_target
    state.war_at = state.war_target
    state.war_passes = 0
    if state.alive[state.war_target]:
        give_tokens(state, state.war_target, False)
    push(state, STEP_WAR_TURN)


@kernel(leaf=True)
def next_in_war(state: State) -> None:
    """The next living participant in seat order has the war turn (CL-13.6)."""
    for k in range(1, state.num_seats + 1):
        seat = (state.war_at + k) % state.num_seats
        if state.alive[seat] and state.war_in >> seat & 1:
            state.war_at = seat
            return


@kernel(leaf=True)
def war_turn(state: State) -> None:
    """Ask the participant whose war turn it is, or end the war (CL-13.7 to CL-13.12)."""
    living = 0
    for seat in range(state.num_seats):
        living += state.alive[seat] and state.war_in >> seat & 1
    if not state.alive[state.war_at]:
        next_in_war(state)
    while living > 1 and state.war_passes < living:
        for c in range(CROOKS):
            if state.crook_loc[c] == state.war_at and state.token[c]:
                ask(state, WAR, state.war_at)
                return
        state.war_passes += 1
        next_in_war(state)
    for seat in range(state.num_seats):
        if state.alive[seat] and state.war_in >> seat & 1:
            give_tokens(state, seat, False)
    state.war = 0
    state.war_in = 0


@kernel(leaf=True)
def pass_war(state: State) -> None:
    """Pass a war turn (CL-13.11)."""
    state.war_passes += 1
    next_in_war(state)
    push(state, STEP_WAR_TURN)


@kernel(leaf=True)
def after_war_hit(state: State) -> None:
    """A Mob that was really attacked is drawn into the war; the next participant (CL-13.8)."""
    owner = state.owner
    if state.number >= 2 and state.alive[owner] and state.war_in >> owner & 1 == 0:
        state.war_in |= 1 << owner
        give_tokens(state, owner, False)
    next_in_war(state)
    push(state, STEP_WAR_TURN)


@kernel(leaf=True)
def legal_war(state: State, mask: NDArray[np.bool_]) -> None:
    """A Hit on any rival, or a pass (CL-13.4)."""
    mask[PASS_ACTION] = True
    for c in range(CROOKS):
        loc = state.crook_loc[c]
        mask[HIT_AT + c] = loc >= 0 and loc != state.seat


@kernel(leaf=True)
def decide_war(state: State, action: int) -> None:
    """Hit or pass (CL-13.4)."""
    if action == PASS_ACTION:
        pass_war(state)
    else:
        state.war_passes = 0
        push(state, STEP_WAR_AFTER)
        announce(state, HIT, action - HIT_AT, state.seat)
