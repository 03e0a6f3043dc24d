"""Decisions carried out: from an action to the next real decision (G-4)."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.rng import roll_die, shuffle
from ..core.state import State
from . import actions as act
from .common import ask, draw, drop_cop, return_marker, take_building
from .data import (
    ACTIONS_MIN,
    EQUIPMENT_COST,
    LADDER,
    PLAIN,
    POLICE_MONEY,
    PRICE,
    PUBLIC_CHIT,
    RACKETEERS_PER_ACTION,
    SEDUCED,
    SEDUCED_WITH_DRESS,
    STREETS,
    STRENGTH_MAX,
    SUBWAYS,
    VAMP_COST,
)
from .legal import fill, strength_cost
from .movement import ONE_SWAP, keeps_facing, walk
from .police import (
    begin_cop,
    begin_raid,
    buy_bribe,
    cancel_cop,
    draw_officer,
    hire,
    pay_share,
    play_double,
    resolve_raid,
)
from .shootout import allocate
from .state import (
    ALLOC,
    APPROACH,
    BUY,
    COMM_DEST,
    COMM_ENTRY,
    COP_ACTIVE,
    COP_DEST,
    COP_ENTRY,
    COP_GANG,
    COP_POLICE,
    COP_VIA,
    COUNT,
    CRIME,
    DEST,
    DOUBLE,
    E_HQ_BOUGHT,
    E_PLAYED,
    E_SEDUCED,
    E_STOPS,
    E_TRADES,
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
    POLICE_MOVE,
    PUBLIC_DEST,
    RAID_OR_ARREST,
    RECRUIT_PLACE,
    S_ALLOC,
    S_ARREST_PAID,
    S_ATTACK,
    S_BUY,
    S_COP_ARRIVE,
    S_COP_DICE,
    S_COP_OVER,
    S_COP_STOP,
    S_DECIDE,
    S_DICE,
    S_DOUBLE,
    S_MOVE,
    S_NEW_COMMISSIONER,
    S_NO_RACKETEER,
    S_PAY,
    S_PICK,
    S_PLACE,
    S_POLICE_BUY,
    S_POLICE_MOVE,
    S_POLICE_PAY,
    S_POLICE_PUBLIC,
    S_RAID,
    S_RAID_PAID,
    S_RETURN,
    S_SET,
    S_SHOOTOUT,
    SELL,
    SET_C,
    SET_R,
    SET_T,
    SHARE,
    STOP,
    TARGET,
    TRADE_ANSWER,
    TRADE_CASH,
    TRADE_GIVE,
    TRADE_TAKE,
    U_COP,
    R,
    T,
    V,
)  # fmt: skip
from .turn import advance, cap, first_member, sell


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """A new game: purchase order, then the first pick (G-3)."""
    state.rng = np.uint64(seed)
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
def decide_setup(state: State, action: int) -> None:
    """PICK, SET_R, SET_T, SET_C, PLACE (G-3)."""
    seat = state.seat
    phase = state.phase
    if phase == PICK:
        take_building(state, action - STREETS, seat)
        state.setup_at += 1
        state.step = S_PICK
    elif phase == PLACE:
        state.at[seat, state.setup_at % 3] = action
        state.setup_at += 1
        state.step = S_PLACE
    else:
        strength = action - act.STRENGTH + 1
        state.cash[seat] -= strength_cost(strength)
        if phase == SET_C:
            state.c_strength = strength
        else:
            state.strength[seat, R if phase == SET_R else T] = strength
            state.setup_at += 1
            if phase == SET_T:
                state.strength[seat, V] = 1
                state.cash[seat] -= VAMP_COST
        state.step = S_SET


@kernel(leaf=True)
def decide_buy(state: State, action: int) -> None:
    """BUY (G-5, G-16)."""
    seat = state.seat
    if action == act.END:
        state.step = S_DICE
        return
    if action >= act.TRADE and action < act.CASH_ZERO:
        state.partner = (seat + action - act.TRADE + 1) % state.num_seats
        state.offers += 1
        ask(state, TRADE_GIVE, seat)
        return
    if action >= act.EQUIPMENT:
        kind = action - act.EQUIPMENT
        state.cash[seat] -= EQUIPMENT_COST[kind]
        if kind == 5:
            state.has_dress[seat, V] = 1
        elif kind == 4:
            state.has_wheels[seat, V] = 1
        elif kind % 2:
            state.has_wheels[seat, kind // 2] = 1
        else:
            state.has_heaters[seat, kind // 2] = 1
    else:
        building = state.at[seat, R] - STREETS
        state.cash[seat] -= PRICE[building]
        state.bought = 1
        if action == act.BUY_BUILDING:
            take_building(state, building, seat)
        else:
            state.level[building] += 1
    state.step = S_BUY


@kernel(leaf=True)
def decide_trade(state: State, action: int) -> None:
    """TRADE_GIVE, TRADE_TAKE, TRADE_CASH, TRADE_ANSWER (G-5.9 to G-5.11)."""
    phase = state.phase
    active = state.active
    if phase == TRADE_GIVE:
        state.offer_give = NONE if action == act.END else action
        ask(state, TRADE_TAKE, active)
    elif phase == TRADE_TAKE:
        state.offer_take = NONE if action == act.END else action
        ask(state, TRADE_CASH, active)
    elif phase == TRADE_CASH:
        state.cash_step = action - act.CASH_ZERO
        ask(state, TRADE_ANSWER, state.partner)
    else:
        if action == act.YES:
            step = state.cash_step
            paid = 0
            if step > 16:
                paid = -LADDER[step - 17]
            elif step > 0:
                paid = LADDER[step - 1]
            state.cash[active] -= paid
            state.cash[state.partner] += paid
            if state.offer_give != NONE:
                state.owner[state.offer_give - STREETS] = state.partner
            if state.offer_take != NONE:
                state.owner[state.offer_take - STREETS] = active
            state.events[E_TRADES] += 1
        state.step = S_BUY


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
                state.public_at[public] = NONE
                state.public_came[public] = NONE
                state.informant[public] = 0
                state.public_moved[public] = 0
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
