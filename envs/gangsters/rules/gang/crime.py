"""Crimes and what they pay (G-10.4, G-11, G-13, G-14.4): CRIME."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.rng import roll_die
from ....core.state import State
from ... import actions as act
from ...data import (
    EXTORTION_PIP,
    JOINTS,
    PRICE,
    SALARY_BELOW,
    SALARY_STEP,
    SEDUCED,
    SEDUCED_WITH_DRESS,
    STREETS,
    STRENGTH_MAX,
)
from ...state import (
    E_EXTORTION,
    E_ORGANISED,
    E_SALARY,
    E_SEDUCED,
    GANGS,
    NONE,
    POLICE,
    STEP_MOVE,
    STEP_SHOOTOUT,
    R,
    V,
)
from ..common import crime_level, drop_public, extortable, public_value, remove_piece
from ..shootout.targets import attack_targets
from .recruiting import first_member


@kernel(leaf=True)
def hit_possible(state: State, gang: int, piece: int) -> bool:
    """Whether a hit by this piece would have a target now (G-11.4)."""
    return attack_targets(state, state.at[gang, piece], gang * 3 + piece) != 0


@kernel(leaf=True)
def legal_crime(state: State) -> None:
    """Crimes after a move (G-11.4, G-13.1)."""
    legal = state.legal
    seat = state.seat
    piece = state.piece
    node = state.at[seat, piece]
    legal[act.END] = 1
    if piece != V and hit_possible(state, seat, piece):
        legal[act.HIT] = 1
    if piece != R and extortable(state, node):
        legal[act.EXTORT] = 1
    if piece == V:
        for r in range(1, state.num_seats):
            rival = (seat + r) % state.num_seats
            if rival < GANGS:
                for kind in range(2):
                    if state.strength[rival, kind] > 0 and state.at[rival, kind] == node:
                        legal[act.SEDUCE + 2 * (r - 1) + kind] = 1


@kernel(leaf=True)
def decide_crime(state: State, action: int) -> None:
    """CRIME (G-11.4, G-13)."""
    seat = state.seat
    piece = state.piece
    state.step = STEP_MOVE
    if action == act.END:
        return
    state.criminal[seat, piece] = 1
    if action == act.HIT:
        state.hit[seat, piece] = 1
    elif action == act.EXTORT:
        state.extort[seat, piece] = 1
    else:
        place = action - act.SEDUCE
        rival = (seat + place // 2 + 1) % state.num_seats
        kind = place % 2
        if state.vamp_success_min > 1 and roll_die(state) < state.vamp_success_min:
            return
        most = SEDUCED_WITH_DRESS if state.has_dress[seat, V] else SEDUCED
        taken = min(most, state.strength[rival, kind])
        before = state.strength[seat, kind]
        state.strength[rival, kind] -= taken
        if state.strength[rival, kind] == 0:
            remove_piece(state, rival, kind)
        state.events[E_SEDUCED] += taken
        state.strength[seat, kind] = min(before + taken, STRENGTH_MAX[kind])
        if before == 0:
            first_member(state, seat, kind, STEP_MOVE)


@kernel(leaf=True)
def publics_from_crime(state: State) -> None:
    """Publics beside criminal gang pieces go to the cup (G-10.4)."""
    for public in range(4):
        node = state.public_at[public]
        if node == NONE:
            continue
        for gang in range(GANGS):
            for piece in range(3):
                if state.criminal[gang, piece] and state.at[gang, piece] == node:
                    drop_public(state, public)


@kernel(leaf=True)
def organised_crime(state: State, gang: int) -> None:
    """Joints with Publics pay their owner and turn criminal (G-11.6, G-11.7)."""
    for building in range(JOINTS):
        if state.owner[building] == gang:
            value = public_value(state, building + STREETS)
            if value:
                paid = PRICE[building] * state.level[building] * value
                state.cash[gang] += paid
                state.lit[building] = 1
                state.events[E_ORGANISED] += paid


@kernel(leaf=True)
def salary(state: State) -> None:
    """The Police Player's salary below crime level four (G-14.4)."""
    level = crime_level(state)
    if state.police and state.first_cop and level < SALARY_BELOW:
        state.cash[POLICE] += SALARY_STEP * (SALARY_BELOW - level)
        state.events[E_SALARY] += SALARY_STEP * (SALARY_BELOW - level)


@kernel(leaf=True)
def payoffs(state: State) -> None:
    """Extortion, organised crime, salary (G-11.9)."""
    gang = state.active
    for piece in range(1, 3):
        if state.extort[gang, piece]:
            state.cash[gang] += EXTORTION_PIP * state.dice[piece]
            state.events[E_EXTORTION] += EXTORTION_PIP * state.dice[piece]
    organised_crime(state, gang)
    if state.salary_every_move:
        salary(state)
    state.step = STEP_SHOOTOUT
