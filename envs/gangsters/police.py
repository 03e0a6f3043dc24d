"""Bribes, moves of officers, stops, raids and what is paid for them (G-9, G-14.1 to G-14.5)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .common import (
    draw,
    drop_cop,
    drop_public,
    half,
    may_be_drawn,
    officers_to_draw,
    return_marker,
    take_building,
)
from .data import BRIBE_PIP, CHIT_IDS, HIRE_PIP, PRICE, STREETS
from .movement import criminal_rival, keeps_facing
from .state import (
    E_BRIBES,
    E_DOUBLES,
    E_PAYOFFS,
    E_RAIDS,
    GANGS,
    K_COP,
    NONE,
    POLICE,
)  # fmt: skip


@kernel(leaf=True)
def buy_bribe(state: State, seat: int) -> None:
    """Pay, then draw a marker; UNTouchables is shown and put back (G-9.5, G-9.6)."""
    price = BRIBE_PIP * state.dice[4]
    state.cash[seat] -= price
    if state.police and seat != POLICE:
        state.cash[POLICE] += price
    state.events[E_BRIBES] += 1
    inside = 1
    for officer in range(9):
        inside += state.holder[officer] == NONE
    pick = draw(state, inside)
    if pick == inside - 1:
        return
    for officer in range(9):
        if state.holder[officer] == NONE:
            if pick == 0:
                slot = 0
                while state.slot_seat[slot] != NONE:
                    slot += 1
                state.clock += 1
                state.holder[officer] = seat
                state.slot_of[officer] = slot
                state.slot_seat[slot] = seat
                state.slot_time[slot] = state.clock
                return
            pick -= 1


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


@kernel(leaf=True)
def draw_officer(state: State, but: int) -> int:
    """A random officer of the cup, other than ``but`` (G-9.9, G-9.13, G-9.20)."""
    pick = draw(state, officers_to_draw(state, but))
    for officer in range(10):
        if officer != but and may_be_drawn(state, officer):
            if pick == 0:
                return officer
            pick -= 1
    return NONE


@kernel(leaf=True)
def begin_cop(state: State, officer: int, mover: int, sharer: int) -> None:
    """An officer is to move with the blue die (G-9.8)."""
    state.kind = K_COP
    state.piece = officer
    state.mover = mover
    state.sharer = sharer
    state.swapped = 0
    state.transferred = 0
    state.num_barred = 0
    state.via = 0
    state.entering = state.cop_at[officer] == NONE
    state.steps = state.dice[4]
    state.node = state.cop_at[officer]
    state.facing = state.cop_came[officer]
    state.dest = NONE
    state.stop_asked = 0


@kernel(leaf=True)
def relieve(state: State) -> None:
    """Change of duty: another officer takes over at the swap node (G-9.13)."""
    officer = state.piece
    new = draw_officer(state, officer)
    drop_cop(state, officer)
    state.cop_done[officer] = 1
    state.piece = new
    state.node = state.dest
    state.facing = NONE
    state.entering = 1
    state.swapped = 1
    state.via = 0


@kernel(leaf=True)
def place_cop(state: State) -> None:
    """The officer arrives (G-9.8, G-9.20)."""
    officer = state.piece
    state.cop_at[officer] = state.dest
    state.cop_came[officer] = state.facing if keeps_facing(state.dest) else NONE
    state.cop_mover[officer] = state.mover
    state.cop_share[officer] = state.sharer
    state.cop_done[officer] = 1


@kernel(leaf=True)
def cancel_cop(state: State) -> None:
    """The move is stopped: it is used up on the board, in the cup it has not begun (G-9.12)."""
    officer = state.piece
    if state.entering:
        drop_cop(state, officer)
    else:
        state.cop_done[officer] = 1


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


@kernel(leaf=True)
def play_double(state: State, officer: int) -> None:
    """The Police Player shows the officer's marker (G-14.2)."""
    return_marker(state, officer)
    state.events[E_DOUBLES] += 1
