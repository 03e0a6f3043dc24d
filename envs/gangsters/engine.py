"""Decisions carried out: from an action to the next real decision (G-4)."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.rng import roll_die, seed_chance, shuffle
from ..core.state import State
from . import actions as act
from .common import ask, draw, drop_cop
from .data import (
    PLAIN,
    POLICE_MONEY,
    SEDUCED,
    SEDUCED_WITH_DRESS,
    STREETS,
    STRENGTH_MAX,
)
from .decide_buying import decide_buy, decide_setup, decide_trade
from .decide_police import (
    begin_public,
    decide_cop_step,
    decide_police,
    decide_question,
)
from .legal import fill
from .movement import ONE_SWAP, keeps_facing, walk
from .police import (
    begin_raid,
)
from .shootout import allocate
from .state import (
    ALLOC,
    APPROACH,
    BUY,
    COMM_DEST,
    COP_ACTIVE,
    COP_DEST,
    COP_ENTRY,
    COP_VIA,
    COUNT,
    CRIME,
    DEST,
    DOUBLE,
    E_SEDUCED,
    GANGS,
    INFORMANTS,
    K_COMMISSIONER,
    K_COP,
    K_GANG,
    K_PUBLIC,
    MOVE,
    NONE,
    PICK,
    PLACE,
    POLICE,
    POLICE_BUY,
    PUBLIC_DEST,
    RAID_OR_ARREST,
    RECRUIT_PLACE,
    S_ALLOC,
    S_ATTACK,
    S_COP_OVER,
    S_COP_STOP,
    S_DECIDE,
    S_MOVE,
    S_NEW_COMMISSIONER,
    S_NO_RACKETEER,
    S_PAY,
    S_PICK,
    S_RAID,
    S_RETURN,
    SELL,
    SHARE,
    STOP,
    TARGET,
    TRADE_ANSWER,
    V,
)  # fmt: skip
from .turn import advance, cap, first_member, sell


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """A new game: purchase order, then the first pick (G-3)."""
    seed_chance(state, seed)
    empty(state)
    for gang in range(state.gangs):
        state.order[gang] = gang
    shuffle(state, state.order[: state.gangs])
    state.step = S_PICK
    state.phase = PICK
    run(state)


@kernel
def empty(state: State) -> None:
    """Everything off the board and in its cup (G-3.1)."""
    for gang in range(GANGS):
        for piece in range(3):
            state.at[gang, piece] = NONE
            state.came[gang, piece] = NONE
    for building in range(len(state.owner)):
        state.owner[building] = NONE
    for officer in range(10):
        drop_cop(state, officer)
    for officer in range(9):
        state.holder[officer] = NONE
        state.slot_of[officer] = NONE
        state.slot_seat[officer] = NONE
    for public in range(4):
        state.public_at[public] = NONE
        state.public_came[public] = NONE
    for chit in range(3):
        state.chit_slot[chit] = NONE
    state.c_at = NONE
    state.c_came = NONE
    state.active = NONE
    state.fight = NONE
    state.sharer = NONE
    state.mover = NONE
    state.asked = NONE
    if state.police:
        state.cash[POLICE] = POLICE_MONEY


@kernel
def run(state: State) -> None:
    """Carry out chance and forced decisions up to the next real decision (G-4.1)."""
    while not state.over:
        if state.step != S_DECIDE:
            advance(state)
            continue
        if fill(state) > 1:
            return
        only = 0
        while not state.legal[only]:
            only += 1
        decide(state, only)


@kernel
def apply(state: State, action: int) -> None:
    """One decision (G-20.11: a safety stop far beyond real games ends it)."""
    state.ply += 1
    decide(state, action)
    run(state)
    if not state.over and state.ply >= 250 * state.max_rounds * state.num_seats:
        cap(state)


@kernel
def decide(state: State, action: int) -> None:
    """Carry out one decision, by phase."""
    phase = state.phase
    if phase <= PLACE:
        decide_setup(state, action)
    elif phase == BUY:
        decide_buy(state, action)
    elif phase <= TRADE_ANSWER:
        decide_trade(state, action)
    elif phase <= COP_ACTIVE:
        decide_cop_step(state, action)
    elif phase == MOVE:
        decide_move(state, action)
    elif phase == CRIME:
        decide_crime(state, action)
    elif phase in (COP_DEST, COP_VIA, COP_ENTRY, APPROACH, DEST, PUBLIC_DEST, COMM_DEST, COUNT):
        decide_walk(state, action)
    elif phase in (STOP, RAID_OR_ARREST, DOUBLE, SHARE):
        decide_question(state, action)
    elif phase >= POLICE_BUY:
        decide_police(state, action)
    else:
        decide_fight(state, action)


@kernel(leaf=True)
def decide_move(state: State, action: int) -> None:
    """MOVE (G-7.2)."""
    seat = state.seat
    if action == act.END:
        state.step = S_PAY
    elif action == act.NEW_PUBLIC:
        cup = 0
        for public in range(4):
            cup += state.public_at[public] == NONE
        pick = draw(state, cup)
        for public in range(4):
            if state.public_at[public] == NONE:
                if pick == 0:
                    state.new_public = 1
                    begin_public(state, public, S_MOVE)
                    return
                pick -= 1
    elif action >= act.PUBLIC:
        begin_public(state, action - act.PUBLIC, S_MOVE)
    else:
        state.used += 1
        if action >= act.STAY:
            piece = action - act.STAY + 1
            state.extort[seat, piece] = 1
            state.criminal[seat, piece] = 1
            state.step = S_MOVE
        elif action >= act.RECRUIT:
            piece = action - act.RECRUIT
            state.recruit[seat, piece] = 1
            state.step = S_MOVE
        else:
            piece = action - act.MOVE_PIECE
            state.criminal[seat, piece] = 0
            state.kind = K_GANG
            state.piece = piece
            state.mover = seat
            state.node = state.at[seat, piece]
            state.facing = state.came[seat, piece]
            state.steps = state.dice[piece]
            state.transferred = 0
            state.num_barred = 0
            ask(state, COUNT if state.has_wheels[seat, piece] else DEST, seat)
        state.acted[seat, piece] = 1


@kernel(leaf=True)
def arrive(state: State) -> None:
    """A gang piece, a Public or the Commissioner ends its move at ``dest``."""
    node = state.dest
    came = state.facing if keeps_facing(node) else NONE
    piece = state.piece
    if state.kind == K_GANG:
        state.at[state.mover, piece] = node
        state.came[state.mover, piece] = came
        state.moved[state.mover, piece] = 1
        ask(state, CRIME, state.mover)
    elif state.kind == K_PUBLIC:
        state.public_at[piece] = node
        state.public_came[piece] = came
        state.step = state.after_place
        if state.after_place == S_DECIDE:
            ask(state, INFORMANTS, POLICE)
    else:
        state.c_at = node
        state.c_came = came
        state.step = S_RAID if begin_raid(state) else S_COP_OVER


@kernel
def decide_walk(state: State, action: int) -> None:
    """Entries, destinations, swaps, approaches and the die to move by (G-6, G-9.14)."""
    phase = state.phase
    seat = state.seat
    if phase == COUNT:
        if action == act.ALL_DICE:
            state.steps += state.dice[3] + state.dice[4]
        ask(state, COMM_DEST if state.kind == K_COMMISSIONER else DEST, seat)
        return
    if phase == COP_ENTRY:
        state.node = action
        state.facing = NONE
        state.steps -= 1
        ask(state, COP_DEST, seat)
        if state.steps == 0:
            state.dest = action
            state.step = S_COP_STOP
        return
    if phase == COP_DEST and action == act.VIA:
        state.via = 1
        ask(state, COP_VIA, seat)
        return
    if phase == COP_VIA:
        walk(state, ONE_SWAP, action, act.GO)
        state.dest = action
        state.step = S_COP_STOP
        return
    if phase == APPROACH:
        state.facing = action
    else:
        state.dest = action
        if PLAIN[action]:
            ask(state, APPROACH, seat)
            return
        state.facing = NONE
    if state.kind == K_COP:
        state.step = S_COP_STOP
    else:
        arrive(state)


@kernel(leaf=True)
def decide_crime(state: State, action: int) -> None:
    """CRIME (G-11.4, G-13)."""
    seat = state.seat
    piece = state.piece
    state.step = S_MOVE
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
        lose_members(state, rival, kind, taken)
        state.events[E_SEDUCED] += taken
        state.strength[seat, kind] = min(before + taken, STRENGTH_MAX[kind])
        if before == 0:
            first_member(state, seat, kind, S_MOVE)


@kernel(leaf=True)
def lose_members(state: State, gang: int, piece: int, count: int) -> None:
    """A rival piece loses members to a Vamp (G-13.3)."""
    state.strength[gang, piece] -= count
    if state.strength[gang, piece] == 0:
        state.at[gang, piece] = NONE
        state.came[gang, piece] = NONE
        state.criminal[gang, piece] = 0
        state.has_heaters[gang, piece] = 0
        state.has_wheels[gang, piece] = 0


@kernel(leaf=True)
def decide_fight(state: State, action: int) -> None:
    """RECRUIT_PLACE, SELL, TARGET, RETURN, ALLOC (G-7.7, G-7.9, G-12)."""
    phase = state.phase
    if phase == RECRUIT_PLACE:
        state.at[state.place_gang, state.place_piece] = action
        state.step = state.after_place
    elif phase == SELL:
        sell(state, action - STREETS)
        state.step = S_NEW_COMMISSIONER if state.seat == POLICE else S_NO_RACKETEER
    elif phase == ALLOC:
        if action == act.END:
            state.hits_left -= 1
        else:
            allocate(state, action - act.LOSE)
        state.step = S_ALLOC
    else:
        side = (state.seat + action - act.TARGET_SIDE + 1) % state.num_seats
        if phase == TARGET:
            state.target[state.asked] = side
            state.step = S_ATTACK
        else:
            state.returns[state.asked] = side
            state.step = S_RETURN
        state.cursor += 1
