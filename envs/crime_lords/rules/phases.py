"""Decisions: for each phase, what is legal and what an action does (CL-4.10, CL-4.11).

Both kernels name every phase or its group, in the order of a game.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..state import (
    ABIL_TARGET,
    ABIL_WHO,
    AGREE,
    ASSIST,
    AUC_BID,
    AUC_OPEN,
    BOSS_PICK,
    BUGLE_WHO,
    CLASH,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    DEFEND,
    DISPLACE,
    DROP_WHO,
    GIFT_PLACE,
    HEIR,
    HIT_CASH,
    HUSH,
    JOIN_AGAINST,
    JOIN_FOR,
    LEADER,
    MAIN,
    MOVE_TO,
    MOVE_WHO,
    NEW_BOSS,
    OFFER_ASK,
    OFFER_CASH,
    OFFER_GIVE,
    OFFER_PRICE,
    OFFER_REPLY,
    OFFER_TO,
    PAY_HOW,
    PAY_WHO,
    PLACE,
    PROTECT,
    REASSIGN,
    REORG,
    REROLL,
    RUNNING,
    SHOW_WHICH,
    SP_TARGET,
    SPOILS,
    SPOILS_PAY,
    VISIT_WHO,
    WAR,
    WINDOW,
)
from .attack.assistance import decide_loop, legal_loop
from .attack.stages import decide_leader, decide_stage, legal_stage
from .attack.war import decide_war, legal_war
from .auction import decide_bid, legal_bid
from .ending import decide_agreement, legal_agreement
from .main import decide_follow_up, decide_main, legal_follow_up, legal_main, legal_targets
from .mob.placing import decide_move, decide_place, legal_move, legal_place
from .mob.settle import decide_boss, legal_boss
from .mob.spoils import decide_spoils, legal_spoils
from .offers import decide_offer, legal_offer
from .pay import decide_pay, legal_pay
from .setup import decide_first_boss, legal_first_boss
from .specials import decide_special, legal_special

# Phases that one module knows together.
STAGES: Final = (PROTECT, COMMIT_A, COMMIT_D, COMMIT_T, HIT_CASH, REROLL)
ASSISTANCE: Final = (ASSIST, JOIN_FOR, DEFEND, JOIN_AGAINST)
AUCTION: Final = (AUC_OPEN, AUC_BID)
SPECIALS: Final = (WINDOW, SP_TARGET, ABIL_WHO, ABIL_TARGET, HUSH)
PAYING: Final = (PAY_WHO, PAY_HOW)
FOLLOW_UP: Final = (VISIT_WHO, HEIR, BUGLE_WHO, SHOW_WHICH)
MOVING: Final = (MOVE_WHO, DROP_WHO)
PLACING: Final = (PLACE, REASSIGN, DISPLACE, CLASH, MOVE_TO, GIFT_PLACE)
BOSS: Final = (NEW_BOSS, REORG)
SPOIL_TAKING: Final = (SPOILS, SPOILS_PAY)
OFFER: Final = (OFFER_TO, OFFER_GIVE, OFFER_CASH, OFFER_ASK, OFFER_PRICE, OFFER_REPLY)


@kernel
def legal_actions(state: State, mask: NDArray[np.bool_]) -> None:
    """Fill the mask of the deciding seat: bool of shape ``(NUM_ACTIONS,)`` (CL-4.4)."""
    mask[:] = False
    phase = state.phase
    if phase == MAIN:
        legal_main(state, mask)
        legal_targets(state, mask)
    elif phase == LEADER or phase in STAGES:
        legal_stage(state, mask)
    elif phase in ASSISTANCE:
        legal_loop(state, mask)
    elif phase in AUCTION:
        legal_bid(state, mask)
    elif phase == BOSS_PICK:
        legal_first_boss(state, mask)
    elif phase in SPECIALS:
        legal_special(state, mask)
    elif phase in PAYING:
        legal_pay(state, mask)
    elif phase in FOLLOW_UP:
        legal_follow_up(state, mask)
    elif phase in MOVING:
        legal_move(state, mask)
    elif phase in PLACING:
        legal_place(state, mask)
    elif phase in BOSS:
        legal_boss(state, mask)
    elif phase in SPOIL_TAKING:
        legal_spoils(state, mask)
    elif phase == WAR:
        legal_war(state, mask)
    elif phase in OFFER:
        legal_offer(state, mask)
    elif phase == AGREE:
        legal_agreement(state, mask)


@kernel(leaf=True)
def decide(state: State, action: int) -> None:
    """Carry out one decision; what it causes lies on the stack."""
    phase = state.phase
    state.phase = RUNNING
    if phase == MAIN:
        decide_main(state, action)
    elif phase == LEADER:
        decide_leader(state, action)
    elif phase in STAGES:
        decide_stage(state, phase, action)
    elif phase in ASSISTANCE:
        decide_loop(state, phase, action)
    elif phase in AUCTION:
        decide_bid(state, action)
    elif phase == BOSS_PICK:
        decide_first_boss(state, action)
    elif phase in SPECIALS:
        decide_special(state, phase, action)
    elif phase in PAYING:
        decide_pay(state, phase, action)
    elif phase in FOLLOW_UP:
        decide_follow_up(state, phase, action)
    elif phase in MOVING:
        decide_move(state, phase, action)
    elif phase in PLACING:
        decide_place(state, phase, action)
    elif phase in BOSS:
        decide_boss(state, phase, action)
    elif phase in SPOIL_TAKING:
        decide_spoils(state, phase, action)
    elif phase == WAR:
        decide_war(state, action)
    elif phase in OFFER:
        decide_offer(state, phase, action)
    elif phase == AGREE:
        decide_agreement(state, action)
