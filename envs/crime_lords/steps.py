"""The steps between decisions: turn, attack, setup (CL-4.1)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .assistance import ask_loop
from .attack import ask_commitment, reveal
from .derived import refresh
from .ending import ask_agreement, drop_leavers, end_turn, next_turn
from .mob import ask, give_tokens, push
from .offers import carry_out, clear_offer, place_gift
from .outcome import attack_result, roll_attack
from .settle import (
    ask_spoils,
    place_displaced,
    place_level,
    reassign,
    ruin,
    settle_mob,
    settle_status,
)
from .setup import ask_bosses, next_bid, next_lot, start_game
from .specials import ask_hush, special_effect
from .state import (
    AT_END,
    COMMIT_A,
    MAIN,
    NONE,
    S_AGREE,
    S_BID,
    S_BOSSES,
    S_CHECK,
    S_COMMIT,
    S_DEAL,
    S_DONE,
    S_DRAW,
    S_EFFECT,
    S_GIFT_BACK,
    S_HUSH,
    S_INCOME,
    S_LOOP,
    S_LOT,
    S_MAIN,
    S_NEXT,
    S_PAY,
    S_REASSIGN,
    S_RESULT,
    S_RETOKEN,
    S_REVEAL,
    S_ROLL,
    S_RUIN,
    S_SETTLE,
    S_SHOWDOWN,
    S_SPOILS,
    S_START,
    S_STATUS,
    S_SUB_NEXT,
    S_SUB_SIDE,
    S_T0,
    S_T2,
    S_WAR_AFTER,
    S_WAR_TURN,
    S_WINDOW,
)
from .turn import ask_pay, ask_window, draw_cards, income_and_pay, outgrown, start_turn
from .war import after_war_hit, begin_war, war_turn


@kernel(leaf=True)
def run_step(state: State, step: int) -> None:
    """Do one step of the turn, an attack, SETTLE, a deal or the setup."""
    if step == S_MAIN:
        begin_main(state)
    elif step in (S_SHOWDOWN, S_COMMIT, S_REVEAL, S_LOOP, S_ROLL, S_RESULT, S_DONE):
        run_attack(state, step)
    elif step == S_SUB_NEXT:
        place_level(state)
    elif step == S_SUB_SIDE:
        place_displaced(state)
    elif step == S_REASSIGN:
        reassign(state)
    elif step == S_SETTLE:
        settle_mob(state)
    elif step == S_STATUS:
        settle_status(state)
    elif step == S_SPOILS:
        ask_spoils(state)
    elif step == S_RUIN:
        if state.dirty:
            refresh(state)
        ruin(state)
    elif step == S_WAR_TURN:
        war_turn(state)
    elif step == S_WAR_AFTER:
        after_war_hit(state)
    elif step == S_HUSH:
        ask_hush(state)
    elif step == S_EFFECT:
        special_effect(state)
    elif step == S_DEAL:
        carry_out(state)
    elif step == S_GIFT_BACK:
        place_gift(state, state.active, state.asked, state.offer_lieutenants, state.offer_arrivals)
    elif step in (S_LOT, S_BID, S_BOSSES, S_START):
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
        push(state, S_CHECK)
        begin_war(state)
    elif state.alive[state.active]:
        ask(state, MAIN, state.active)
    else:
        push(state, S_CHECK)


@kernel(leaf=True)
def run_attack(state: State, step: int) -> None:
    """A step of an attack (section 9)."""
    if step == S_SHOWDOWN:
        ask(state, COMMIT_A, state.attacker)
    elif step == S_COMMIT:
        ask_commitment(state)
    elif step == S_REVEAL:
        reveal(state)
    elif step == S_LOOP:
        ask_loop(state)
    elif step == S_ROLL:
        roll_attack(state)
    elif step == S_RESULT:
        attack_result(state)
    else:
        state.attacking = 0


@kernel(leaf=True)
def run_setup(state: State, step: int) -> None:
    """A step of the setup (section 3)."""
    if step == S_LOT:
        next_lot(state)
    elif step == S_BID:
        next_bid(state)
    elif step == S_BOSSES:
        ask_bosses(state)
    else:
        start_game(state)


@kernel(leaf=True)
def run_turn(state: State, step: int) -> None:
    """A step of the turn, T0 to T8; most are skipped when the active player is out (CL-4.5)."""
    alive = state.alive[state.active]
    if step == S_T0:
        start_turn(state)
    elif step == S_WINDOW and alive:
        ask_window(state)
    elif step == S_T2 and alive:
        outgrown(state)
    elif step == S_INCOME and alive:
        if state.dirty:
            refresh(state)
        income_and_pay(state)
    elif step == S_PAY:
        ask_pay(state)
    elif step == S_DRAW and alive:
        draw_cards(state)
        push(state, S_MAIN)
    elif step == S_RETOKEN:
        if state.retoken == AT_END:
            give_tokens(state, state.active, True)
        push(state, S_CHECK)
    elif step == S_CHECK:
        if state.dirty:
            refresh(state)
        end_turn(state)
    elif step == S_AGREE:
        ask_agreement(state)
    elif step == S_NEXT:
        drop_leavers(state)
        if not state.over and next_turn(state):
            push(state, S_T0)
    else:
        push(state, S_CHECK)
