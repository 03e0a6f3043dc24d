"""The Cop Turn (G-14): POLICE_BUY, POLICE_MOVE, POLICE_PUBLIC; INFORMANTS (G-10.6 to G-10.12)."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.rng import roll_die
from ....core.state import State
from ... import actions as act
from ...data import (
    ACTIONS_MIN,
    CHIT_IDS,
    COMMISSIONER_MAX,
    EQUIPMENT_COST,
    HEATERS_COST,
    HIRE_PIP,
    MEMBER_COST,
    PRICE,
    PUBLIC_CHIT,
    RACKETEERS_PER_ACTION,
    STREETS,
    WHEELS_COST,
)
from ...state import (
    COMM_DEST,
    COMM_ENTRY,
    COUNT,
    E_HQ_BOUGHT,
    GANGS,
    INFORMANTS,
    K_COMMISSIONER,
    NONE,
    POLICE,
    POLICE_MOVE,
    POLICE_PUBLIC,
    SELL,
    STEP_COP_DICE,
    STEP_DECIDE,
    STEP_NEW_COMMISSIONER,
    STEP_POLICE_BUY,
    STEP_POLICE_MOVE,
    STEP_POLICE_PAY,
    STEP_POLICE_PUBLIC,
    STEP_SHOOTOUT,
)
from ..common import (
    ask,
    draw,
    drop_public,
    extortable,
    joints_of,
    level_permits,
    owner_at,
    take_building,
)
from ..moving import begin_public
from .officers import draw_officer, send_cop


@kernel(leaf=True)
def legal_police_buy(state: State) -> None:
    """Headquarters and equipment of the police (G-14.7, G-14.13, G-16.1)."""
    legal = state.legal
    legal[act.END] = 1
    cash = state.cash[POLICE]
    node = state.c_at
    if node >= STREETS and not state.bought and extortable(state, node):
        clean = True
        for gang in range(GANGS):
            for piece in range(3):
                if state.criminal[gang, piece] and state.at[gang, piece] == node:
                    clean = False
        if clean and cash >= PRICE[node - STREETS]:
            legal[act.BUY_BUILDING] = 1
    if state.gray_start:
        if state.heaters and not state.c_heaters:
            legal[act.EQUIPMENT + 6] = cash >= HEATERS_COST
        if state.wheels and not state.c_wheels:
            legal[act.EQUIPMENT + 7] = cash >= WHEELS_COST


@kernel(leaf=True)
def decide_police_buy(state: State, action: int) -> None:
    """POLICE_BUY (G-14.7, G-14.13, G-16.1)."""
    if action == act.END:
        state.step = STEP_COP_DICE
        return
    if action == act.BUY_BUILDING:
        state.cash[POLICE] -= PRICE[state.c_at - STREETS]
        take_building(state, state.c_at - STREETS, POLICE)
        state.bought = 1
        state.events[E_HQ_BOUGHT] += 1
    else:
        state.cash[POLICE] -= EQUIPMENT_COST[action - act.EQUIPMENT]
        if action == act.EQUIPMENT + 6:
            state.c_heaters = 1
        else:
            state.c_wheels = 1
    state.step = STEP_POLICE_BUY


@kernel(leaf=True)
def police_dice(state: State) -> None:
    """Green, white and blue; then Informants, or a new Commissioner (G-14.8, G-14.17)."""
    state.dice[0] = roll_die(state)
    state.dice[3] = roll_die(state)
    state.dice[4] = roll_die(state)
    if state.c_strength == 0:
        state.step = STEP_NEW_COMMISSIONER
    else:
        ask(state, INFORMANTS, POLICE)


@kernel(leaf=True)
def new_commissioner(state: State) -> None:
    """An eliminated Commissioner is replaced, whatever the police have (G-14.17)."""
    price = MEMBER_COST * state.dice[0]
    if state.cash[POLICE] < price and joints_of(state, POLICE) > 0:
        ask(state, SELL, POLICE)
        return
    state.cash[POLICE] -= min(state.cash[POLICE], price)
    ask(state, COMM_ENTRY, POLICE)


@kernel(leaf=True)
def police_menu(state: State) -> None:
    """The next move, or step e when all are made (G-14.9)."""
    if state.moves > 0:
        ask(state, POLICE_MOVE, POLICE)
    else:
        state.step = STEP_POLICE_PUBLIC


@kernel(leaf=True)
def legal_police_move(state: State) -> None:
    """Step d of the Cop Turn (G-14.9, G-14.18)."""
    legal = state.legal
    outside = state.c_at == NONE and state.c_strength > 0
    if outside and state.moves == 1:
        legal[act.COMMISSIONER] = 1
        return
    if not outside:
        legal[act.END] = 1
    for officer in range(10):
        if state.cop_at[officer] != NONE and not state.cop_done[officer]:
            legal[act.COP + officer] = 1
    if level_permits(state):
        legal[act.NEW_COP] = 1
    if not state.moved_c and not state.recruit_c:
        legal[act.COMMISSIONER] = 1
        price = MEMBER_COST * (state.c_strength + 1) * state.dice[0]
        if not outside and state.c_strength < COMMISSIONER_MAX and state.cash[POLICE] >= price:
            legal[act.RECRUIT_C] = 1


@kernel(leaf=True)
def decide_police_move(state: State, action: int) -> None:
    """POLICE_MOVE (G-14.9)."""
    state.step = STEP_POLICE_MOVE
    if action == act.END:
        state.step = STEP_POLICE_PUBLIC
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


@kernel(leaf=True)
def police_publics(state: State) -> None:
    """Step e, unless a Public has moved early (G-10.9)."""
    if state.early:
        state.step = STEP_POLICE_PAY
    else:
        ask(state, POLICE_PUBLIC, POLICE)


@kernel(leaf=True)
def legal_police_public(state: State) -> None:
    """Step e of the Cop Turn (G-10.2, G-10.6)."""
    legal = state.legal
    legal[act.END] = 1
    moved = False
    for public in range(4):
        if state.public_at[public] != NONE:
            if state.public_moved[public]:
                moved = True
            else:
                legal[act.PUBLIC + public] = 1
    chits = 3
    for slot in range(3):
        chits -= state.chit_full[slot]
    if not moved and chits > 0 and state.cash[POLICE] >= HIRE_PIP * state.dice[3]:
        legal[act.HIRE] = 1


@kernel(leaf=True)
def decide_police_public(state: State, action: int) -> None:
    """POLICE_PUBLIC (G-10.2, G-10.6)."""
    if action == act.END:
        state.step = STEP_POLICE_PAY
    elif action == act.HIRE:
        hire(state)
        state.step = STEP_POLICE_PAY
    else:
        begin_public(state, action - act.PUBLIC, STEP_POLICE_PUBLIC)


@kernel(leaf=True)
def police_pay(state: State) -> None:
    """Step g: the recruit is paid or lapses (G-14.10)."""
    price = MEMBER_COST * (state.c_strength + 1) * state.dice[0]
    if state.recruit_c and state.cash[POLICE] >= price and state.c_strength < COMMISSIONER_MAX:
        state.cash[POLICE] -= price
        state.c_strength += 1
    state.step = STEP_SHOOTOUT


# --- informants -----------------------------------------------------------------------------------


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
