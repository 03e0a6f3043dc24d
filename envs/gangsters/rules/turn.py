"""Rounds and player turns, from their beginning to their end (G-4.2, G-15.1)."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.state import State
from ..data import COLOUR, GRAY, JOINTS, STREETS
from ..state import (
    E_LEVEL,
    E_OFFICERS,
    E_PUBLICS,
    E_TURNS,
    GANGS,
    NONE,
    POLICE,
    STEP_BUY,
    STEP_NEXT,
    STEP_POLICE_BUY,
    R,
)
from .common import crime_level, draw, drop_cop, extortable, officers_out, public_value
from .gang.crime import publics_from_crime
from .victory import cap, win, win_kind


@kernel(leaf=True)
def begin_turn(state: State) -> None:
    """Clear what belongs to one player turn."""
    for gang in range(GANGS):
        for piece in range(3):
            state.acted[gang, piece] = 0
            state.moved[gang, piece] = 0
            state.hit[gang, piece] = 0
            state.extort[gang, piece] = 0
            state.recruit[gang, piece] = 0
    for officer in range(10):
        state.cop_mover[officer] = NONE
        state.cop_share[officer] = NONE
        state.cop_done[officer] = 0
    for public in range(4):
        state.public_moved[public] = 0
    for die in range(5):
        state.dice[die] = 0
    state.used = 0
    state.moves = 0
    state.bought = 0
    state.offers = 0
    state.new_public = 0
    state.early = 0
    state.recruit_c = 0
    state.moved_c = 0
    state.no_racketeer = 0
    state.gray_start = 0
    state.num_barred = 0
    state.fight = NONE


@kernel(leaf=True)
def next_turn(state: State) -> None:
    """Draw the next pawn, begin the Cop Turn, or begin the next round (G-4.2, G-15.6)."""
    left = 0
    for gang in range(state.gangs):
        left += state.pawns[gang]
    if left:
        pick = draw(state, left) if state.random_order else 0
        for k in range(state.gangs):
            gang = k if state.random_order else state.order[k]
            if state.pawns[gang]:
                if pick == 0:
                    state.pawns[gang] = 0
                    state.active = gang
                    break
                pick -= 1
        begin_turn(state)
        state.no_racketeer = state.strength[state.active, R] == 0
        state.step = STEP_BUY
    elif state.police and state.active != POLICE:
        state.active = POLICE
        begin_turn(state)
        state.first_cop = 1
        node = state.c_at
        if node >= STREETS and extortable(state, node) and COLOUR[node - STREETS] == GRAY:
            state.gray_start = 1
        state.step = STEP_POLICE_BUY
    elif state.round_number >= state.max_rounds:
        cap(state)
    else:
        state.round_number += 1
        state.active = NONE
        for gang in range(state.gangs):
            state.pawns[gang] = 1


@kernel(leaf=True)
def end_turn(state: State) -> None:
    """End of every player turn (G-15.1)."""
    publics_from_crime(state)
    for officer in range(10):
        node = state.cop_at[officer]
        if node >= STREETS and state.owner[node - STREETS] != POLICE:
            drop_cop(state, officer)
    publics = 0
    for public in range(4):
        publics += state.public_at[public] != NONE
    for building in range(JOINTS):
        if state.lit[building] and public_value(state, building + STREETS) == 0:
            state.lit[building] = 0
    state.events[E_TURNS] += 1
    state.events[E_LEVEL] += crime_level(state)
    state.events[E_OFFICERS] += officers_out(state)
    state.events[E_PUBLICS] += publics
    kind = win_kind(state)
    if kind:
        win(state, state.active, kind)
    else:
        state.step = STEP_NEXT
