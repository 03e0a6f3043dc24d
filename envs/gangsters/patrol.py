"""Moves of officers and the Cop Turn as a machine of steps (G-9, G-14)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.rng import roll_die
from ..core.state import State
from .common import (
    ask,
    joints_of,
)
from .data import (
    COMMISSIONER_MAX,
    MEMBER_COST,
)
from .police import begin_raid, may_share, place_cop, relieve, resolve_raid
from .state import (
    COMM_ENTRY,
    COP_DEST,
    DOUBLE,
    GANGS,
    INFORMANTS,
    K_COP,
    NONE,
    POLICE,
    POLICE_BUY,
    POLICE_MOVE,
    POLICE_PUBLIC,
    RAID_OR_ARREST,
    S_COP_ARRIVE,
    S_COP_DICE,
    S_COP_OVER,
    S_NEW_COMMISSIONER,
    S_POLICE_BUY,
    S_POLICE_MOVE,
    S_POLICE_PAY,
    S_POLICE_PUBLIC,
    S_RAID,
    S_RAID_PAID,
    S_SHOOTOUT,
    SELL,
    SHARE,
    STOP,
)  # fmt: skip


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
        state.step = S_COP_ARRIVE


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
        state.step = S_RAID if found else S_COP_OVER


@kernel(leaf=True)
def raid(state: State) -> None:
    """Ask for the doubling marker, or resolve the raid (G-14.2)."""
    officer = state.piece
    if state.kind == K_COP and officer < 9 and state.police and state.holder[officer] == POLICE:
        state.asked = officer
        ask(state, DOUBLE, POLICE)
        return
    resolve_raid(state)
    state.step = S_RAID_PAID


@kernel(leaf=True)
def raid_paid(state: State) -> None:
    """Ask for the sharing marker (G-14.3)."""
    if state.kind == K_COP and may_share(state, state.piece, state.sharer):
        state.asked = state.piece
        ask(state, SHARE, state.holder[state.piece])
    else:
        state.step = S_COP_OVER


@kernel(leaf=True)
def police_dice(state: State) -> None:
    """Green, white and blue; then Informants, or a new Commissioner (G-14.8, G-14.17)."""
    state.dice[0] = roll_die(state)
    state.dice[3] = roll_die(state)
    state.dice[4] = roll_die(state)
    if state.c_strength == 0:
        state.step = S_NEW_COMMISSIONER
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
def police_pay(state: State) -> None:
    """Step g: the recruit is paid or lapses (G-14.10)."""
    price = MEMBER_COST * (state.c_strength + 1) * state.dice[0]
    if state.recruit_c and state.cash[POLICE] >= price and state.c_strength < COMMISSIONER_MAX:
        state.cash[POLICE] -= price
        state.c_strength += 1
    state.step = S_SHOOTOUT


@kernel(leaf=True)
def advance_police(state: State) -> None:
    """Steps of a Cop Turn."""
    step = state.step
    if step == S_POLICE_BUY:
        ask(state, POLICE_BUY, POLICE)
    elif step == S_COP_DICE:
        police_dice(state)
    elif step == S_NEW_COMMISSIONER:
        new_commissioner(state)
    elif step == S_POLICE_MOVE:
        if state.moves > 0:
            ask(state, POLICE_MOVE, POLICE)
        else:
            state.step = S_POLICE_PUBLIC
    elif step == S_POLICE_PUBLIC:
        if state.early:
            state.step = S_POLICE_PAY
        else:
            ask(state, POLICE_PUBLIC, POLICE)
    else:
        police_pay(state)
