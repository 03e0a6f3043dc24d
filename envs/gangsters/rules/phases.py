"""Decisions and steps: for each, the module that carries it out (G-4).

``fill`` and ``decide`` name every phase or its group, in the order of a game: what is legal, and
what an action does. ``advance`` names every step, which comes between two decisions (G-4.1) and
ends with the next one in ``state.step``, or with a question: see ``common.ask``.
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
    GANGS,
    INFORMANTS,
    MOVE,
    POLICE,
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
    STEP_ALLOC,
    STEP_ARREST_PAID,
    STEP_ATTACK,
    STEP_BUY,
    STEP_COP_ARRIVE,
    STEP_COP_DICE,
    STEP_COP_OVER,
    STEP_COP_STOP,
    STEP_DICE,
    STEP_DOUBLE,
    STEP_END,
    STEP_MOVE,
    STEP_NEW_COMMISSIONER,
    STEP_NEXT,
    STEP_NO_RACKETEER,
    STEP_PAY,
    STEP_PAYOFFS,
    STEP_PICK,
    STEP_PLACE,
    STEP_POLICE_BUY,
    STEP_POLICE_MOVE,
    STEP_POLICE_PAY,
    STEP_POLICE_PUBLIC,
    STEP_RAID,
    STEP_RAID_PAID,
    STEP_RETURN,
    STEP_SET,
    STEP_SHOOTOUT,
    STOP,
    TARGET,
    TRADE,
)
from .common import ask
from .gang.buying import decide_buy, decide_trade, legal_buy, legal_trade
from .gang.crime import decide_crime, legal_crime, payoffs
from .gang.menu import decide_move, gang_dice, gang_menu, legal_move
from .gang.recruiting import decide_own_building, legal_own_building, no_racketeer, pay_recruits
from .moving import decide_entry, decide_walk, legal_entry, legal_walk
from .police.cop_turn import (
    decide_informants,
    decide_police_buy,
    decide_police_move,
    decide_police_public,
    legal_informants,
    legal_police_buy,
    legal_police_move,
    legal_police_public,
    new_commissioner,
    police_dice,
    police_menu,
    police_pay,
    police_publics,
)
from .police.officers import (
    cop_arrive,
    cop_stop,
    decide_cop_step,
    decide_stop,
    legal_cop_step,
    legal_stop,
)
from .police.raids import decide_raid, legal_raid, raid, raid_paid
from .setup import decide_setup, legal_setup, setup_pick, setup_place, setup_strength
from .shootout.steps import (
    allocation,
    arrests_paid,
    attack,
    decide_shootout,
    doubles,
    legal_shootout,
    next_shootout,
    return_fire,
)
from .turn import end_turn, next_turn

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


# --- steps ----------------------------------------------------------------------------------------


@kernel(leaf=True)
def advance(state: State) -> None:
    """Carry out the step that is due."""
    step = state.step
    if step == STEP_PICK:
        setup_pick(state)
    elif step == STEP_SET:
        setup_strength(state)
    elif step == STEP_PLACE:
        setup_place(state)
    # A gang's turn.
    elif step == STEP_NEXT:
        next_turn(state)
    elif step == STEP_BUY:
        ask(state, BUY, state.active)
    elif step == STEP_DICE:
        gang_dice(state)
    elif step == STEP_MOVE:
        gang_menu(state)
    elif step == STEP_NO_RACKETEER:
        no_racketeer(state)
    elif step == STEP_PAY:
        pay_recruits(state)
    elif step == STEP_PAYOFFS:
        payoffs(state)
    elif step == STEP_END:
        end_turn(state)
    # Officers, in turns of gangs and of the police.
    elif step == STEP_COP_STOP:
        cop_stop(state)
    elif step == STEP_COP_ARRIVE:
        cop_arrive(state)
    elif step == STEP_RAID:
        raid(state)
    elif step == STEP_RAID_PAID:
        raid_paid(state)
    elif step == STEP_COP_OVER:
        state.step = STEP_MOVE if state.active < GANGS else STEP_POLICE_MOVE
    # The Cop Turn.
    elif step == STEP_POLICE_BUY:
        ask(state, POLICE_BUY, POLICE)
    elif step == STEP_COP_DICE:
        police_dice(state)
    elif step == STEP_NEW_COMMISSIONER:
        new_commissioner(state)
    elif step == STEP_POLICE_MOVE:
        police_menu(state)
    elif step == STEP_POLICE_PUBLIC:
        police_publics(state)
    elif step == STEP_POLICE_PAY:
        police_pay(state)
    # Shootouts.
    elif step == STEP_SHOOTOUT:
        next_shootout(state)
    elif step == STEP_ATTACK:
        attack(state)
    elif step == STEP_DOUBLE:
        doubles(state)
    elif step == STEP_RETURN:
        return_fire(state)
    elif step == STEP_ALLOC:
        allocation(state)
    elif step == STEP_ARREST_PAID:
        arrests_paid(state)
