"""Assistance and defence: who may add what to an attack, step by step (CL-9.30 to CL-9.32)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.kernel import kernel
from ....core.state import State
from ...actions import BSWING, CROOK_AT, PASS_ACTION, RACKET_AT, SPECIAL_AT, SWING
from ...data import (
    CROOK_N,
    CROOK_TYPE,
    HIT_HIDE,
    HOLDERS,
    KIND_OF_COPY,
    MOB_DISTRICT,
    MOB_TYPE,
    RACKET_DISTRICT,
    RACKET_KIND,
    RACKET_N,
)
from ...data.codes import (
    ANYTIME_SWING,
    BOSS_SWING_TAKE,
    DISTRICT_MUSCLE,
    EXTRA_RECRUIT_HELP,
    INSIDE_MAN,
    MUSCLE_ANY,
    SELF_HIT,
    SELF_RECRUIT,
    SELF_TAKE,
    TIP_OFF,
    TYPE_ROAM,
)
from ...state import (
    ASSIST,
    COPIES,
    CROOKS,
    DEFEND,
    HIT,
    JOIN_AGAINST,
    JOIN_FOR,
    NONE,
    RACKETS,
    REC,
    STEP_LOOP,
    STEP_ROLL,
    TAKE,
)
from ..mob.grid import ask, below, lowest, power, push, racket_power
from ..specials import copy_to_use, play_special


@kernel(leaf=True)
def swinger(state: State, seat: int) -> int:
    """The seat's Crook with ``ANYTIME_SWING`` and a token, or NONE (CL-9.31)."""
    for c in HOLDERS[ANYTIME_SWING]:
        if c >= 0 and state.crook_loc[c] == seat and state.token[c]:
            return c
    return NONE


@kernel(leaf=True)
def boss_swing(state: State, seat: int) -> int:
    """Power that the seat's Boss may swing in this takeover, or 0 (CL-9.31)."""
    boss = state.boss[seat]
    if state.kind != TAKE or boss < 0 or not state.token[boss]:
        return 0
    if MOB_DISTRICT[BOSS_SWING_TAKE, state.mob[seat]] != RACKET_DISTRICT[state.target]:
        return 0
    return power(state, boss)


@kernel(leaf=True)
def begin_loop(state: State) -> None:
    """Start of assistance and defence (CL-9.30)."""
    state.loop_step = 0
    state.loop_at = 1
    state.loop_added = 0
    state.loop_empty = 0
    push(state, STEP_LOOP)


@kernel(leaf=True)
def swings(state: State, seat: int) -> bool:
    """Whether a seat can swing the attack with any-time abilities (CL-9.31)."""
    return swinger(state, seat) >= 0 or boss_swing(state, seat) > 0


@kernel(leaf=True)
def eligible(state: State, crook: int, assist: bool) -> bool:
    """Whether a Crook with a token may help or defend (CL-10.7, 10.8, 11.6, 11.9, 12.7, 12.8)."""
    kind = state.kind
    if assist:
        if kind == REC and CROOK_N[EXTRA_RECRUIT_HELP, crook] and crook != state.leader:
            return True
        if kind != TAKE and state.helper_used:
            return False
        return state.leader < CROOKS and below(state, crook, state.leader)
    if kind == TAKE:
        return state.protector >= 0 and below(state, crook, state.protector)
    if kind == REC:
        return state.superior[state.target] == crook
    return crook == state.target


@kernel(leaf=True)
def can_add(state: State, seat: int, assist: bool) -> bool:
    """Whether attacker or owner has anything to add in his step (CL-4.3, CL-9.30)."""
    if adds_openly(state, seat, assist):
        return True
    return copy_to_use(state, seat, INSIDE_MAN if assist else TIP_OFF) >= 0


@kernel(leaf=True)
def adds_openly(state: State, seat: int, assist: bool) -> bool:
    """Whether everybody can see that a seat has something to add: all but hidden Specials."""
    rest = state.members[seat]
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        if state.token[c] and eligible(state, c, assist):
            return True
    if swings(state, seat):
        return True
    wanted = INSIDE_MAN if assist else TIP_OFF
    for s in range(COPIES):
        if state.special_loc[s] == seat and state.shown[s] and KIND_OF_COPY[s] == wanted:
            return True
    if state.kind == TAKE:
        for r in range(RACKETS):
            if state.racket_token[r] and state.racket_loc[r] == seat and muscle(state, seat, r):
                return True
    return False


@kernel(leaf=True)
def ask_loop(state: State) -> None:
    """Ask the next player who may add something, or end the loop (CL-9.30)."""
    n = state.num_seats
    while state.loop_empty < 4:
        step = state.loop_step
        if step in (0, 2):
            seat = state.attacker if step == 0 else state.owner
            if state.loop_at == 1 and seat >= 0 and can_add(state, seat, step == 0):
                ask(state, ASSIST if step == 0 else DEFEND, seat)
                return
        else:
            while state.loop_at < n:
                seat = (state.attacker + state.loop_at) % n
                if seat != state.owner and state.alive[seat] and swings(state, seat):
                    ask(state, JOIN_FOR if step == 1 else JOIN_AGAINST, seat)
                    return
                state.loop_at += 1
        state.loop_empty = 0 if state.loop_added else state.loop_empty + 1
        state.loop_added = 0
        state.loop_step = (step + 1) % 4
        state.loop_at = 1
    push(state, STEP_ROLL)


@kernel(leaf=True)
def decide_loop(state: State, phase: int, action: int) -> None:
    """Add a helper, defender, muscle, swing or Special, or pass (CL-9.30 to CL-9.32)."""
    seat = state.seat
    push(state, STEP_LOOP)
    if action == PASS_ACTION:
        state.loop_at += 1
        return
    state.loop_added = 1
    sign = 1 if phase in (ASSIST, JOIN_FOR) else -1
    if action == SWING:
        crook = swinger(state, seat)
        state.token[crook] = 0
        state.number += sign * CROOK_N[ANYTIME_SWING, crook]
    elif action == BSWING:
        state.number += sign * boss_swing(state, seat)
        state.token[state.boss[seat]] = 0
    elif action >= SPECIAL_AT:
        play_special(state, seat, action - SPECIAL_AT)
    elif action >= RACKET_AT:
        racket = action - RACKET_AT
        state.racket_token[racket] = 0
        state.number += sign * racket_power(state, racket)
    else:
        crook = action - CROOK_AT
        state.token[crook] = 0
        if phase == DEFEND:
            state.number += HIT_HIDE if state.kind == HIT else -power(state, crook)
            return
        state.number += power(state, crook)
        if state.kind == TAKE:
            state.number += CROOK_N[SELF_TAKE, crook]
        elif state.kind == HIT:
            state.number += CROOK_N[SELF_HIT, crook]
            state.helper_used = 1
        else:
            state.number += CROOK_N[SELF_RECRUIT, crook]
            if not CROOK_N[EXTRA_RECRUIT_HELP, crook]:
                state.helper_used = 1


@kernel(leaf=True)
def muscle(state: State, seat: int, racket: int) -> bool:
    """Whether a Racket may help or defend the takeover in progress (CL-11.7, CL-11.8)."""
    if RACKET_N[MUSCLE_ANY, racket]:
        return True
    if not RACKET_N[DISTRICT_MUSCLE, racket]:
        return False
    if RACKET_DISTRICT[racket] == RACKET_DISTRICT[state.target]:
        return True
    return roams(state, seat, RACKET_KIND[racket])


@kernel(leaf=True)
def roams(state: State, seat: int, kind: int) -> bool:
    """Whether a seat's Rackets of a type act in any district (``TYPE_ROAM``)."""
    if MOB_TYPE[TYPE_ROAM, state.mob[seat]] == kind:
        return True
    for c in HOLDERS[TYPE_ROAM]:
        if c >= 0 and CROOK_TYPE[TYPE_ROAM, c] == kind and state.crook_loc[c] == seat:
            return True
    return False


@kernel(leaf=True)
def legal_loop(state: State, mask: NDArray[np.bool_]) -> None:
    """What the asked player may add in assistance and defence (CL-9.30 to 9.32, 10.7 to 12.8)."""
    seat = state.seat
    phase = state.phase
    mask[PASS_ACTION] = True
    mask[SWING] = swinger(state, seat) >= 0
    mask[BSWING] = boss_swing(state, seat) > 0
    if phase not in (ASSIST, DEFEND):
        return
    wanted = INSIDE_MAN if phase == ASSIST else TIP_OFF
    for s in range(COPIES):
        if state.special_loc[s] == seat and KIND_OF_COPY[s] == wanted:
            mask[SPECIAL_AT + wanted] = True
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.token[c]:
            mask[CROOK_AT + c] = eligible(state, c, phase == ASSIST)
    if state.kind == TAKE:
        for r in range(RACKETS):
            if state.racket_loc[r] == seat and state.racket_token[r]:
                mask[RACKET_AT + r] = muscle(state, seat, r)
