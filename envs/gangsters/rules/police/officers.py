"""Officers: the cop step of a gang turn, and their moves (G-9).

COP_GANG, COP_POLICE and COP_ACTIVE (G-9.1 to G-9.7); STOP (G-9.8 to G-9.20).
"""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ... import actions as act
from ...data import BRIBE_PIP
from ...state import (
    COP_DEST,
    COP_ENTRY,
    COP_GANG,
    COP_POLICE,
    E_BRIBES,
    E_PLAYED,
    E_STOPS,
    GANGS,
    K_COP,
    NONE,
    POLICE,
    RAID_OR_ARREST,
    STEP_COP_ARRIVE,
    STEP_COP_OVER,
    STEP_RAID,
    STOP,
)
from ..common import (
    ask,
    cup_markers,
    draw,
    drop_cop,
    level_permits,
    may_be_drawn,
    officers_to_draw,
    return_marker,
)
from ..moving import keeps_facing
from .raids import begin_raid


@kernel(leaf=True)
def legal_cop_step(state: State) -> None:
    """The cop step of a gang turn (G-9.1 to G-9.4)."""
    legal = state.legal
    seat = state.seat
    legal[act.END] = 1
    if state.cash[seat] >= BRIBE_PIP * state.dice[4] and cup_markers(state) > 0:
        legal[act.BRIBE] = 1
    permits = level_permits(state)
    if state.phase == COP_GANG:
        for officer in range(9):
            if state.holder[officer] == seat and (state.cop_at[officer] != NONE or permits):
                legal[act.PLAY + officer] = 1
    else:
        for officer in range(10):
            if state.cop_at[officer] != NONE:
                legal[act.COP + officer] = 1
        if permits:
            legal[act.NEW_COP] = 1


@kernel(leaf=True)
def decide_cop_step(state: State, action: int) -> None:
    """COP_GANG, COP_POLICE, COP_ACTIVE (G-9.1 to G-9.3)."""
    seat = state.seat
    if action == act.END:
        if state.phase == COP_GANG:
            ask(state, COP_POLICE, POLICE)
        else:
            state.step = STEP_COP_OVER
    elif action == act.BRIBE:
        buy_bribe(state, seat)
        state.step = STEP_COP_OVER
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
def send_cop(state: State, officer: int, sharer: int) -> None:
    """An officer is to move: ask for the entry or the destination (G-9.9, G-9.10)."""
    begin_cop(state, officer, state.seat, sharer)
    ask(state, COP_ENTRY if state.entering else COP_DEST, state.seat)


@kernel(leaf=True)
def cop_stop(state: State) -> None:
    """Whoever holds the officer's marker may stop him, asked once per move (G-9.12)."""
    officer = state.piece
    holder = state.holder[officer] if officer < 9 else NONE
    seen = state.stop_asked >> officer & 1
    if 0 <= holder < GANGS and holder != state.mover and not seen:
        state.stop_asked |= 1 << officer
        state.asked = officer
        ask(state, STOP, holder)
    else:
        state.step = STEP_COP_ARRIVE


@kernel(leaf=True)
def legal_stop(state: State) -> None:
    """STOP: yes or no (G-9.12)."""
    state.legal[act.END] = 1
    state.legal[act.YES] = 1


@kernel(leaf=True)
def decide_stop(state: State, action: int) -> None:
    """STOP (G-9.12)."""
    if action == act.YES:
        return_marker(state, state.asked)
        state.events[E_STOPS] += 1
        cancel_cop(state)
        state.step = STEP_COP_OVER
    else:
        state.step = STEP_COP_ARRIVE


@kernel(leaf=True)
def cancel_cop(state: State) -> None:
    """The move is stopped: it is used up on the board, in the cup it has not begun (G-9.12)."""
    officer = state.piece
    if state.entering:
        drop_cop(state, officer)
    else:
        state.cop_done[officer] = 1


@kernel(leaf=True)
def cop_arrive(state: State) -> None:
    """The swap or the arrival (G-9.13, G-9.17, G-9.18)."""
    if state.via:
        relieve(state)
        state.dest = state.node
        if state.steps > 0:
            ask(state, COP_DEST, state.mover)
            return
    place_cop(state)
    found = begin_raid(state)
    if found == 2:
        ask(state, RAID_OR_ARREST, state.mover)
    else:
        state.step = STEP_RAID if found else STEP_COP_OVER


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
