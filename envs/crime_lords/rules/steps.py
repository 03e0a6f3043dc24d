"""The steps between decisions: turn, attack, setup (CL-4.1)."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.state import State
from ..state import (
    AT_END,
    COMMIT_A,
    MAIN,
    NONE,
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
)
from .attack.assistance import ask_loop
from .attack.outcome import attack_result, roll_attack
from .attack.stages import ask_commitment, reveal
from .attack.war import after_war_hit, begin_war, war_turn
from .auction import next_bid, next_lot
from .ending import ask_agreement, drop_leavers, end_turn, next_turn
from .mob.derived import refresh
from .mob.grid import ask, give_tokens, push
from .mob.placing import place_displaced, place_level
from .mob.settle import reassign, settle_mob, settle_status
from .mob.spoils import ask_spoils, ruin
from .offers import carry_out, clear_offer, place_gift
from .pay import ask_pay, income_and_pay
from .setup import ask_bosses, start_game
from .specials import ask_hush, special_effect
from .turn import ask_window, draw_cards, outgrown, start_turn


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
