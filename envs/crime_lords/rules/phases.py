"""Decisions and steps: for each, the module that carries it out.

``legal_actions`` and ``decide`` name every phase or its group, in the order of a game: what is
legal, and what an action does (CL-4.10, CL-4.11). ``run_step`` names the steps between decisions:
turn, attack, setup (CL-4.1).
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
    AT_END,
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
    NONE,
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
    STEP_AGREE,
    STEP_BID,
    STEP_BOSSES,
    STEP_CHECK,
    STEP_COMMIT,
    STEP_DEAL,
    STEP_DONE,
    STEP_DRAW,
    STEP_EFFECT,
    STEP_GIFT_BACK,
    STEP_HUSH,
    STEP_INCOME,
    STEP_LOOP,
    STEP_LOT,
    STEP_MAIN,
    STEP_NEXT,
    STEP_PAY,
    STEP_REASSIGN,
    STEP_RESULT,
    STEP_RETOKEN,
    STEP_REVEAL,
    STEP_ROLL,
    STEP_RUIN,
    STEP_SETTLE,
    STEP_SHOWDOWN,
    STEP_SPOILS,
    STEP_START,
    STEP_STATUS,
    STEP_SUB_NEXT,
    STEP_SUB_SIDE,
    STEP_T0,
    STEP_T2,
    STEP_WAR_AFTER,
    STEP_WAR_TURN,
    STEP_WINDOW,
    VISIT_WHO,
    WAR,
    WINDOW,
)
from .attack.assistance import ask_loop, decide_loop, legal_loop
from .attack.outcome import attack_result, roll_attack
from .attack.stages import (
    after_war_hit,
    ask_commitment,
    begin_war,
    decide_leader,
    decide_stage,
    decide_war,
    legal_stage,
    legal_war,
    reveal,
    war_turn,
)
from .auction import decide_bid, legal_bid, next_bid, next_lot
from .ending import (
    ask_agreement,
    ask_spoils,
    decide_agreement,
    decide_spoils,
    drop_leavers,
    end_turn,
    legal_agreement,
    legal_spoils,
    next_turn,
    ruin,
)
from .main import decide_follow_up, decide_main, legal_follow_up, legal_main, legal_targets
from .mob.derived import refresh
from .mob.grid import ask, give_tokens, push
from .mob.settle import (
    decide_boss,
    decide_move,
    decide_place,
    legal_boss,
    legal_move,
    legal_place,
    place_displaced,
    place_level,
    reassign,
    settle_mob,
    settle_status,
)
from .offers import carry_out, clear_offer, decide_offer, legal_offer, place_gift
from .setup import ask_bosses, decide_first_boss, legal_first_boss, start_game
from .specials import ask_hush, decide_special, legal_special, special_effect
from .turn import (
    ask_pay,
    ask_window,
    decide_pay,
    draw_cards,
    income_and_pay,
    legal_pay,
    outgrown,
    start_turn,
)

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


# --- steps ----------------------------------------------------------------------------------------


@kernel(leaf=True)
def run_step(state: State, step: int) -> None:
    """Do one step of the turn, an attack, SETTLE, a deal or the setup."""
    if step == STEP_MAIN:
        begin_main(state)
    elif step in (
        STEP_SHOWDOWN,
        STEP_COMMIT,
        STEP_REVEAL,
        STEP_LOOP,
        STEP_ROLL,
        STEP_RESULT,
        STEP_DONE,
    ):
        run_attack(state, step)
    elif step == STEP_SUB_NEXT:
        place_level(state)
    elif step == STEP_SUB_SIDE:
        place_displaced(state)
    elif step == STEP_REASSIGN:
        reassign(state)
    elif step == STEP_SETTLE:
        settle_mob(state)
    elif step == STEP_STATUS:
        settle_status(state)
    elif step == STEP_SPOILS:
        ask_spoils(state)
    elif step == STEP_RUIN:
        if state.dirty:
            refresh(state)
        ruin(state)
    elif step == STEP_WAR_TURN:
        war_turn(state)
    elif step == STEP_WAR_AFTER:
        after_war_hit(state)
    elif step == STEP_HUSH:
        ask_hush(state)
    elif step == STEP_EFFECT:
        special_effect(state)
    elif step == STEP_DEAL:
        carry_out(state)
    elif step == STEP_GIFT_BACK:
        place_gift(state, state.active, state.asked, state.offer_lieutenants, state.offer_arrivals)
    elif step in (STEP_LOT, STEP_BID, STEP_BOSSES, STEP_START):
        run_setup(state, step)
    else:
        run_turn(state, step)


@kernel(leaf=True)
def begin_main(state: State) -> None:
    """T6: leavers go, a war that was started is fought, else the active player acts."""
    drop_leavers(state)
    if state.over:
        return
    # Refused offers leave no trace (CL-16.14).
    state.partner = NONE
    clear_offer(state)
    if state.war_start:
        push(state, STEP_CHECK)
        begin_war(state)
    elif state.alive[state.active]:
        ask(state, MAIN, state.active)
    else:
        push(state, STEP_CHECK)


@kernel(leaf=True)
def run_attack(state: State, step: int) -> None:
    """A step of an attack (section 9)."""
    if step == STEP_SHOWDOWN:
        ask(state, COMMIT_A, state.attacker)
    elif step == STEP_COMMIT:
        ask_commitment(state)
    elif step == STEP_REVEAL:
        reveal(state)
    elif step == STEP_LOOP:
        ask_loop(state)
    elif step == STEP_ROLL:
        roll_attack(state)
    elif step == STEP_RESULT:
        attack_result(state)
    else:
        state.attacking = 0


@kernel(leaf=True)
def run_setup(state: State, step: int) -> None:
    """A step of the setup (section 3)."""
    if step == STEP_LOT:
        next_lot(state)
    elif step == STEP_BID:
        next_bid(state)
    elif step == STEP_BOSSES:
        ask_bosses(state)
    else:
        start_game(state)


@kernel(leaf=True)
def run_turn(state: State, step: int) -> None:
    """A step of the turn, T0 to T8; most are skipped when the active player is out (CL-4.5)."""
    alive = state.alive[state.active]
    if step == STEP_T0:
        start_turn(state)
    elif step == STEP_WINDOW and alive:
        ask_window(state)
    elif step == STEP_T2 and alive:
        outgrown(state)
    elif step == STEP_INCOME and alive:
        if state.dirty:
            refresh(state)
        income_and_pay(state)
    elif step == STEP_PAY:
        ask_pay(state)
    elif step == STEP_DRAW and alive:
        draw_cards(state)
        push(state, STEP_MAIN)
    elif step == STEP_RETOKEN:
        if state.retoken == AT_END:
            give_tokens(state, state.active, True)
        push(state, STEP_CHECK)
    elif step == STEP_CHECK:
        if state.dirty:
            refresh(state)
        end_turn(state)
    elif step == STEP_AGREE:
        ask_agreement(state)
    elif step == STEP_NEXT:
        drop_leavers(state)
        if not state.over and next_turn(state):
            push(state, STEP_T0)
    else:
        push(state, STEP_CHECK)
