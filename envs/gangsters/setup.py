"""The set-up as a machine of steps: joints, strengths, places (G-3)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.rng import roll_die
from ..core.state import State
from .common import (
    ask,
    take_building,
)
from .data import (
    ALLOWANCE,
    FIRST_JOINTS,
    GANG_MONEY,
    JOINTS,
    PRICE,
    SUBWAYS,
)
from .legal import pick_limit
from .state import (
    NONE,
    PICK,
    PLACE,
    POLICE,
    S_NEXT,
    S_PLACE,
    S_SET,
    SET_C,
    SET_R,
    SET_T,
)  # fmt: skip


@kernel(leaf=True)
def setup_pick(state: State) -> None:
    """The next joint pick, or the gang money when all have three (G-3.3, G-3.4)."""
    gangs = state.gangs
    if state.setup_at == FIRST_JOINTS * gangs:
        for gang in range(gangs):
            spent = 0
            for building in range(JOINTS):
                if state.owner[building] == gang:
                    spent += PRICE[building]
            state.cash[gang] = ALLOWANCE + GANG_MONEY - spent
            state.setup_cash[gang] = state.cash[gang]
        state.setup_at = 0
        state.step = S_SET
        return
    seat = state.order[state.setup_at % gangs]
    limit = pick_limit(state, seat)
    cheapest = NONE
    for building in range(JOINTS):
        if state.owner[building] == NONE:
            if PRICE[building] <= limit:
                ask(state, PICK, seat)
                return
            if cheapest == NONE or PRICE[building] < PRICE[cheapest]:
                cheapest = building
    take_building(state, cheapest, seat)
    state.setup_at += 1


@kernel(leaf=True)
def setup_strength(state: State) -> None:
    """Racketeers and Thugs by gang, then the Commissioner (G-3.5, G-3.6)."""
    if state.setup_at < 2 * state.gangs:
        phase = SET_T if state.setup_at % 2 else SET_R
        ask(state, phase, state.order[state.setup_at // 2])
    elif state.police and state.c_strength == 0:
        ask(state, SET_C, POLICE)
    else:
        state.setup_at = 0
        state.step = S_PLACE


@kernel(leaf=True)
def setup_place(state: State) -> None:
    """Pieces into joints; then all is revealed and the first round begins (G-3.7, G-3.8)."""
    if state.setup_at < 3 * state.gangs:
        ask(state, PLACE, state.order[state.setup_at // 3])
        return
    state.revealed = 1
    if state.police:
        state.c_at = SUBWAYS[roll_die(state) - 1]
    state.round_number = 1
    for gang in range(state.gangs):
        state.pawns[gang] = 1
    state.active = NONE
    state.step = S_NEXT
