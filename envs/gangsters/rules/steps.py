"""Steps: for each, the module that carries it out between two decisions (G-4.1).

A step ends with the next one in ``state.step``, or with a question: see ``common.ask``.
"""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.state import State
from ..state import (
    BUY,
    GANGS,
    POLICE,
    POLICE_BUY,
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
)
from .common import ask
from .gang.crime import payoffs
from .gang.menu import gang_dice, gang_menu
from .gang.recruiting import no_racketeer, pay_recruits
from .police.cop_turn import new_commissioner, police_dice, police_menu, police_pay, police_publics
from .police.officers import cop_arrive, cop_stop
from .police.raids import raid, raid_paid
from .setup import setup_pick, setup_place, setup_strength
from .shootout.steps import allocation, arrests_paid, attack, doubles, next_shootout, return_fire
from .turn import end_turn, next_turn


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
