"""Informants of the police (G-10.6 to G-10.12): INFORMANTS."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data import (
    ACTIONS_MIN,
    CHIT_IDS,
    HIRE_PIP,
    PUBLIC_CHIT,
    RACKETEERS_PER_ACTION,
    STREETS,
)
from ...state import GANGS, INFORMANTS, NONE, POLICE, STEP_DECIDE, STEP_POLICE_MOVE
from ..common import ask, draw, drop_public, owner_at
from ..moving import begin_public


@kernel(leaf=True)
def legal_informants(state: State) -> None:
    """Step c of the Cop Turn (G-10.7 to G-10.12)."""
    legal = state.legal
    legal[act.END] = 1
    for public in range(4):
        node = state.public_at[public]
        if node == NONE:
            continue
        if not state.informant[public]:
            if state.chit_slot[PUBLIC_CHIT[public]] != NONE:
                legal[act.CHIT + PUBLIC_CHIT[public]] = 1
            continue
        if not state.public_moved[public]:
            legal[act.PUBLIC + public] = 1
        lowest = True
        for other in range(public):
            if state.informant[other] and state.public_at[other] == node:
                lowest = False
        owner = owner_at(state, node)
        if lowest and owner not in (NONE, POLICE) and not state.lit[node - STREETS]:
            legal[act.FLIP_JOINT + public] = 1
        for gang in range(GANGS):
            for piece in range(3):
                if state.at[gang, piece] == node and not state.criminal[gang, piece]:
                    r = (gang - POLICE) % state.num_seats
                    legal[act.FLIP_PIECE + 3 * (r - 1) + piece] = 1


@kernel(leaf=True)
def decide_informants(state: State, action: int) -> None:
    """INFORMANTS: chits, early moves, flips (G-10.7 to G-10.12)."""
    ask(state, INFORMANTS, POLICE)
    if action == act.END:
        state.moves = max(ACTIONS_MIN, state.c_strength // RACKETEERS_PER_ACTION)
        state.step = STEP_POLICE_MOVE
    elif action < act.CHIT:
        state.early = 1
        begin_public(state, action - act.PUBLIC, STEP_DECIDE)
    elif action < act.FLIP_JOINT:
        chit = action - act.CHIT
        state.chit_full[state.chit_slot[chit]] = 0
        state.chit_time[state.chit_slot[chit]] = 0
        state.chit_slot[chit] = NONE
        state.clock += 1
        state.chit_returned[chit] = state.clock
        for public in range(4):
            if PUBLIC_CHIT[public] == chit and state.public_at[public] != NONE:
                state.informant[public] = 1
    elif action < act.FLIP_PIECE:
        state.lit[state.public_at[action - act.FLIP_JOINT] - STREETS] = 1
    else:
        place = action - act.FLIP_PIECE
        gang = (POLICE + place // 3 + 1) % state.num_seats
        state.criminal[gang, place % 3] = 1
        node = state.at[gang, place % 3]
        for public in range(4):
            if state.informant[public] and state.public_at[public] == node:
                drop_public(state, public)
                return


@kernel(leaf=True)
def hire(state: State) -> None:
    """Pay the bank and draw a chit (G-10.6)."""
    state.cash[POLICE] -= HIRE_PIP * state.dice[3]
    inside = 0
    for chit in range(len(CHIT_IDS)):
        inside += state.chit_slot[chit] == NONE
    pick = draw(state, inside)
    for chit in range(len(CHIT_IDS)):
        if state.chit_slot[chit] == NONE:
            if pick == 0:
                slot = 0
                while state.chit_full[slot]:
                    slot += 1
                state.clock += 1
                state.chit_slot[chit] = slot
                state.chit_full[slot] = 1
                state.chit_time[slot] = state.clock
                return
            pick -= 1
