"""Decisions about officers, informants and the Commissioner, carried out (G-9, G-13, G-14)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from . import actions as act
from .common import ask, drop_public, return_marker, take_building
from .data import (
    ACTIONS_MIN,
    EQUIPMENT_COST,
    PRICE,
    PUBLIC_CHIT,
    RACKETEERS_PER_ACTION,
    STREETS,
    SUBWAYS,
)
from .police import (
    begin_cop,
    buy_bribe,
    cancel_cop,
    draw_officer,
    hire,
    pay_share,
    play_double,
    resolve_raid,
)
from .state import (
    COMM_DEST,
    COMM_ENTRY,
    COP_DEST,
    COP_ENTRY,
    COP_GANG,
    COP_POLICE,
    COUNT,
    DOUBLE,
    E_HQ_BOUGHT,
    E_PLAYED,
    E_STOPS,
    INFORMANTS,
    K_COMMISSIONER,
    K_PUBLIC,
    NONE,
    POLICE,
    POLICE_BUY,
    POLICE_MOVE,
    PUBLIC_DEST,
    RAID_OR_ARREST,
    S_ARREST_PAID,
    S_COP_ARRIVE,
    S_COP_DICE,
    S_COP_OVER,
    S_DECIDE,
    S_DOUBLE,
    S_POLICE_BUY,
    S_POLICE_MOVE,
    S_POLICE_PAY,
    S_POLICE_PUBLIC,
    S_RAID,
    S_RAID_PAID,
    S_SHOOTOUT,
    STOP,
    U_COP,
)  # fmt: skip


@kernel(leaf=True)
def begin_public(state: State, public: int, menu: int) -> None:
    """A Public is to walk with the white die; a new one enters by its Subway (G-10.1)."""
    state.kind = K_PUBLIC
    state.piece = public
    state.mover = state.seat
    state.after_place = menu
    state.num_barred = 0
    state.transferred = 0
    state.steps = state.dice[3]
    state.node = state.public_at[public]
    state.facing = state.public_came[public]
    state.public_moved[public] = 1
    if state.node == NONE:
        state.node = SUBWAYS[state.dice[3] - 1]
        state.steps -= 1
    ask(state, PUBLIC_DEST, state.seat)


@kernel(leaf=True)
def send_cop(state: State, officer: int, sharer: int) -> None:
    """An officer is to move: ask for the entry or the destination (G-9.9, G-9.10)."""
    begin_cop(state, officer, state.seat, sharer)
    ask(state, COP_ENTRY if state.entering else COP_DEST, state.seat)


@kernel(leaf=True)
def decide_cop_step(state: State, action: int) -> None:
    """COP_GANG, COP_POLICE, COP_ACTIVE (G-9.1 to G-9.3)."""
    seat = state.seat
    if action == act.END:
        if state.phase == COP_GANG:
            ask(state, COP_POLICE, POLICE)
        else:
            state.step = S_COP_OVER
    elif action == act.BRIBE:
        buy_bribe(state, seat)
        state.step = S_COP_OVER
    elif action < act.COP:
        officer = action - act.PLAY
        return_marker(state, officer)
        state.events[E_PLAYED] += 1
        send_cop(state, officer, seat)
    elif action == act.NEW_COP:
        send_cop(state, draw_officer(state, NONE), NONE)
    else:
        send_cop(state, action - act.COP, NONE)


@kernel(leaf=True)
def decide_question(state: State, action: int) -> None:
    """STOP, RAID_OR_ARREST, DOUBLE, SHARE (G-9.12, G-9.18, G-14.2, G-14.3)."""
    phase = state.phase
    yes = action == act.YES
    officer = state.asked
    if phase == STOP:
        if yes:
            return_marker(state, officer)
            state.events[E_STOPS] += 1
            cancel_cop(state)
        state.step = S_COP_OVER if yes else S_COP_ARRIVE
    elif phase == RAID_OR_ARREST:
        state.step = S_RAID if action == act.RAID else S_COP_OVER
    elif phase == DOUBLE:
        if yes:
            play_double(state, officer)
        if state.fight != NONE:
            state.twice[U_COP + officer] = yes
            state.cursor += 1
            state.step = S_DOUBLE
        else:
            state.doubled = yes
            resolve_raid(state)
            state.step = S_RAID_PAID
    else:
        if yes:
            pay_share(state, officer)
        state.step = S_ARREST_PAID if state.fight != NONE else S_COP_OVER


@kernel(leaf=True)
def decide_informants(state: State, action: int) -> None:
    """INFORMANTS: chits, early moves, flips (G-10.7 to G-10.12)."""
    ask(state, INFORMANTS, POLICE)
    if action == act.END:
        state.moves = max(ACTIONS_MIN, state.c_strength // RACKETEERS_PER_ACTION)
        state.step = S_POLICE_MOVE
    elif action < act.CHIT:
        state.early = 1
        begin_public(state, action - act.PUBLIC, S_DECIDE)
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
def decide_police(state: State, action: int) -> None:
    """POLICE_BUY, INFORMANTS, POLICE_MOVE, COMM_ENTRY, POLICE_PUBLIC (G-14)."""
    phase = state.phase
    if phase == POLICE_BUY:
        state.step = S_COP_DICE
        if action == act.BUY_BUILDING:
            state.cash[POLICE] -= PRICE[state.c_at - STREETS]
            take_building(state, state.c_at - STREETS, POLICE)
            state.bought = 1
            state.events[E_HQ_BOUGHT] += 1
            state.step = S_POLICE_BUY
        elif action != act.END:
            state.cash[POLICE] -= EQUIPMENT_COST[action - act.EQUIPMENT]
            if action == act.EQUIPMENT + 6:
                state.c_heaters = 1
            else:
                state.c_wheels = 1
            state.step = S_POLICE_BUY
    elif phase == INFORMANTS:
        decide_informants(state, action)
    elif phase == POLICE_MOVE:
        decide_police_move(state, action)
    elif phase == COMM_ENTRY:
        if state.c_strength == 0:
            state.c_strength = 1
            state.c_at = action
            state.step = S_SHOOTOUT
            return
        state.node = action
        state.facing = NONE
        state.steps -= 1
        ask(state, COMM_DEST, POLICE)
    elif action == act.END:
        state.step = S_POLICE_PAY
    elif action == act.HIRE:
        hire(state)
        state.step = S_POLICE_PAY
    else:
        begin_public(state, action - act.PUBLIC, S_POLICE_PUBLIC)


@kernel(leaf=True)
def decide_police_move(state: State, action: int) -> None:
    """POLICE_MOVE (G-14.9)."""
    state.step = S_POLICE_MOVE
    if action == act.END:
        state.step = S_POLICE_PUBLIC
        return
    state.moves -= 1
    if action == act.RECRUIT_C:
        state.recruit_c = 1
    elif action == act.COMMISSIONER:
        state.moved_c = 1
        state.kind = K_COMMISSIONER
        state.piece = 0
        state.mover = POLICE
        state.num_barred = 0
        state.transferred = 0
        state.steps = state.dice[0]
        state.node = state.c_at
        state.facing = state.c_came
        if state.c_at == NONE:
            ask(state, COMM_ENTRY, POLICE)
        else:
            ask(state, COUNT if state.c_wheels else COMM_DEST, POLICE)
    elif action == act.NEW_COP:
        send_cop(state, draw_officer(state, NONE), NONE)
    else:
        send_cop(state, action - act.COP, NONE)
