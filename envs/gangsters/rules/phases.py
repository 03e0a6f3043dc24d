"""Decisions: for each phase, the module that knows what is legal and what an action does (G-4).

Both kernels name every phase or its group, in the order of a game.
"""

from __future__ import annotations

from typing import Final

from ...core.kernel import kernel
from ...core.state import State
from ..state import (
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
    INFORMANTS,
    MOVE,
    POLICE_BUY,
    POLICE_MOVE,
    POLICE_PUBLIC,
    PUBLIC_DEST,
    RAID_OR_ARREST,
    RECRUIT_PLACE,
    RETURN,
    SELL,
    SETUP,
    SHARE,
    STOP,
    TARGET,
    TRADE,
)
from .gang.buying import decide_buy, decide_trade, legal_buy, legal_trade
from .gang.crime import decide_crime, legal_crime
from .gang.menu import decide_move, legal_move
from .gang.recruiting import decide_own_building, legal_own_building
from .moving.questions import decide_entry, decide_walk, legal_entry, legal_walk
from .police.cop_step import decide_cop_step, legal_cop_step
from .police.cop_turn import (
    decide_police_buy,
    decide_police_move,
    decide_police_public,
    legal_police_buy,
    legal_police_move,
    legal_police_public,
)
from .police.informants import decide_informants, legal_informants
from .police.officers import decide_stop, legal_stop
from .police.raids import decide_raid, legal_raid
from .setup import decide_setup, legal_setup
from .shootout.steps import decide_shootout, legal_shootout

# Phases that one module knows together.
COP_STEP: Final = (COP_GANG, COP_POLICE, COP_ACTIVE)
ENTRY: Final = (COP_ENTRY, COMM_ENTRY)
WALK: Final = (COUNT, DEST, COP_DEST, PUBLIC_DEST, COMM_DEST, COP_VIA, APPROACH)
OWN_BUILDING: Final = (RECRUIT_PLACE, SELL)
RAID: Final = (RAID_OR_ARREST, DOUBLE, SHARE)
SHOOTOUT: Final = (TARGET, RETURN, ALLOC)


@kernel(leaf=True)
def fill(state: State) -> int:
    """Fill ``state.legal`` for the decision that is due.

    Returns:
        The number of legal actions.
    """
    for action in range(len(state.legal)):
        state.legal[action] = 0
    phase = state.phase
    if phase in SETUP:
        legal_setup(state)
    elif phase == BUY:
        legal_buy(state)
    elif phase in TRADE:
        legal_trade(state)
    elif phase in COP_STEP:
        legal_cop_step(state)
    elif phase == MOVE:
        legal_move(state)
    elif phase in ENTRY:
        legal_entry(state)
    elif phase in WALK:
        legal_walk(state)
    elif phase == CRIME:
        legal_crime(state)
    elif phase in OWN_BUILDING:
        legal_own_building(state)
    elif phase == STOP:
        legal_stop(state)
    elif phase in RAID:
        legal_raid(state)
    elif phase in SHOOTOUT:
        legal_shootout(state)
    elif phase == POLICE_BUY:
        legal_police_buy(state)
    elif phase == INFORMANTS:
        legal_informants(state)
    elif phase == POLICE_MOVE:
        legal_police_move(state)
    elif phase == POLICE_PUBLIC:
        legal_police_public(state)
    count = 0
    for action in range(len(state.legal)):
        count += state.legal[action]
    return count


@kernel(leaf=True)
def decide(state: State, action: int) -> None:
    """Carry out one decision."""
    phase = state.phase
    if phase in SETUP:
        decide_setup(state, action)
    elif phase == BUY:
        decide_buy(state, action)
    elif phase in TRADE:
        decide_trade(state, action)
    elif phase in COP_STEP:
        decide_cop_step(state, action)
    elif phase == MOVE:
        decide_move(state, action)
    elif phase in ENTRY:
        decide_entry(state, action)
    elif phase in WALK:
        decide_walk(state, action)
    elif phase == CRIME:
        decide_crime(state, action)
    elif phase in OWN_BUILDING:
        decide_own_building(state, action)
    elif phase == STOP:
        decide_stop(state, action)
    elif phase in RAID:
        decide_raid(state, action)
    elif phase in SHOOTOUT:
        decide_shootout(state, action)
    elif phase == POLICE_BUY:
        decide_police_buy(state, action)
    elif phase == INFORMANTS:
        decide_informants(state, action)
    elif phase == POLICE_MOVE:
        decide_police_move(state, action)
    elif phase == POLICE_PUBLIC:
        decide_police_public(state, action)
