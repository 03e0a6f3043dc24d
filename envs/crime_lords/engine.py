"""The engine: decisions, the steps between them, forced choices (section 4)."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.state import State
from .actions import (
    ABIL,
    BUGLE,
    CROOK_AT,
    DOUBLE,
    DROP,
    END,
    HIT_AT,
    KEEP,
    MOVE,
    NUM_ACTIONS,
    OFFER,
    PASS_ACTION,
    QUIT,
    REC_AT,
    RETIRE,
    SHOW,
    SPECIAL_AT,
    TAKE_AT,
    VISIT,
)
from .attack import (
    after_war_hit,
    announce,
    ask_commitment,
    ask_loop,
    attack_result,
    begin_war,
    decide_leader,
    decide_loop,
    decide_stage,
    gain_power,
    pass_war,
    reveal,
    roll_attack,
    war_turn,
)
from .data import CHEER_BUY, KIND_OF_COPY, RACKET_N
from .ending import (
    ask_agreement,
    drop_leavers,
    end_actions,
    end_turn,
    finish_by_rank,
    next_turn,
    pay_out,
)
from .legal import legal_actions
from .mob import ask, depart, gain_money, give_tokens, lieutenants, power, push, refresh
from .offers import carry_out, clear_offer, decide_offer, place_gift
from .settle import (
    ask_spoils,
    decide_boss,
    decide_move,
    decide_place,
    decide_spoils,
    place_displaced,
    place_level,
    reassign,
    ruin,
    settle_mob,
    settle_status,
)
from .setup import (
    ask_bosses,
    deal,
    decide_bid,
    decide_first_boss,
    next_bid,
    next_lot,
    start_game,
)
from .specials import (
    ability_effect,
    ask_hush,
    begin_settle,
    decide_hush,
    play_special,
    special_effect,
    target_of,
    use_ability,
)
from .state import (
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
    COPIES,
    CROOKS,
    DECISION_CAP,
    DEFEND,
    DISCARD,
    DISPLACE,
    DROP_WHO,
    GIFT_PLACE,
    HEIR,
    HIT,
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
    RACKETS,
    REASSIGN,
    REC,
    REORG,
    REROLL,
    RUNNING,
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
    SHOW_WHICH,
    SP_TARGET,
    SPOILS,
    SPOILS_PAY,
    TAKE,
    VISIT_WHO,
    WAR,
    WINDOW,
)
from .turn import (
    ask_pay,
    ask_window,
    decide_pay_how,
    draw_cards,
    income_and_pay,
    outgrown,
    start_turn,
)


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """Draw the set-up and run to the first real decision (section 3)."""
    deal(state, seed)
    state.phase = RUNNING
    advance(state)


@kernel
def apply(state: State, action: int) -> None:
    """Play one decision and run to the next real one, or to the end (CL-4.2, CL-4.3).

    In phase ``RUNNING`` there is nothing to decide: the steps on the stack are worked through.
    """
    state.ply += 1
    decide(state, action)
    advance(state)


@kernel
def advance(state: State) -> None:
    """Work through the steps; choices without an alternative are made at once (CL-4.3)."""
    while True:
        while state.phase == RUNNING:
            state.stack_size -= 1
            step = state.stack[state.stack_size]
            state.stack[state.stack_size] = 0
            run_step(state, step)
        if state.dirty:
            refresh(state)
        if not state.over and state.ply >= state.max_decisions:
            finish_by_rank(state, DECISION_CAP)
        if state.over:
            pay_out(state)
            return
        if not state.leaving[state.seat] and has_choice(state):
            return
        action = forced_action(state)
        if action < 0:
            return
        decide(state, action)


@kernel(leaf=True)
def has_choice(state: State) -> bool:
    """Whether there surely are two legal actions: the common cases, without a mask."""
    phase = state.phase
    if phase == MAIN:
        # A Crook below the Boss can always be dropped.
        return state.crooks[state.seat] > 1
    if phase in (OFFER_TO, OFFER_PRICE, AUC_BID, REORG, HUSH, REROLL, AGREE):
        return True
    if phase in (COMMIT_A, COMMIT_D, COMMIT_T, OFFER_CASH, HIT_CASH):
        return state.treasury[state.seat] > 0
    return phase == OFFER_GIVE and state.rackets[state.seat] > 0


@kernel(leaf=True)
def forced_action(state: State) -> int:
    """The only legal action, or the standing answer of a leaving seat (CL-17.8), or NONE."""
    mask = np.empty(NUM_ACTIONS, np.bool_)
    legal_actions(state, mask)
    if state.leaving[state.seat]:
        for action in (PASS_ACTION, END, KEEP):
            if mask[action]:
                return action
        for action in range(NUM_ACTIONS):
            if mask[action]:
                return action
    only = NONE
    for action in range(NUM_ACTIONS):
        if mask[action]:
            if only >= 0:
                return NONE
            only = action
    return only


@kernel(leaf=True)
def decide(state: State, action: int) -> None:
    """Carry out one decision; what it causes lies on the stack."""
    phase = state.phase
    state.phase = RUNNING
    if phase == MAIN:
        decide_main(state, action)
    elif phase == LEADER:
        decide_leader(state, action)
    elif phase in (PROTECT, COMMIT_A, COMMIT_D, COMMIT_T, HIT_CASH, REROLL):
        decide_stage(state, phase, action)
    elif phase in (ASSIST, JOIN_FOR, DEFEND, JOIN_AGAINST):
        decide_loop(state, phase, action)
    elif phase in (PLACE, REASSIGN, DISPLACE, CLASH, MOVE_TO, GIFT_PLACE):
        decide_place(state, phase, action)
    elif phase in (OFFER_TO, OFFER_GIVE, OFFER_CASH, OFFER_ASK, OFFER_PRICE, OFFER_REPLY):
        decide_offer(state, phase, action)
    elif phase in (AUC_OPEN, AUC_BID):
        decide_bid(state, action)
    elif phase == BOSS_PICK:
        decide_first_boss(state, action)
    elif phase == PAY_HOW:
        decide_pay_how(state, action)
    elif phase in (NEW_BOSS, REORG):
        decide_boss(state, phase, action)
    elif phase in (SPOILS, SPOILS_PAY):
        decide_spoils(state, phase, action)
    elif phase in (MOVE_WHO, DROP_WHO):
        decide_move(state, phase, action)
    elif phase == ABIL_TARGET:
        ability_effect(state, action)
    elif phase == HUSH:
        decide_hush(state, action)
    else:
        decide_other(state, phase, action)


@kernel(leaf=True)
def decide_main(state: State, action: int) -> None:
    """An action of MAIN (CL-4.11)."""
    seat = state.seat
    if action == END:
        end_actions(state)
        push(state, S_RETOKEN)
        return
    push(state, S_MAIN)
    if action >= SPECIAL_AT:
        state.acted = 1
        play_special(state, seat, action - SPECIAL_AT)
    elif action >= TAKE_AT:
        announce(state, TAKE, action - TAKE_AT, seat)
    elif action >= HIT_AT:
        announce(state, HIT, action - HIT_AT, seat)
    elif action >= REC_AT:
        announce(state, REC, action - REC_AT, seat)
    elif action == QUIT:
        state.leaving[seat] = 1
    elif action == OFFER:
        state.offers += 1
        ask(state, OFFER_TO, seat)
    elif action == MOVE:
        ask(state, MOVE_WHO, seat)
    elif action == DROP:
        ask(state, DROP_WHO, seat)
    elif action == VISIT:
        ask(state, VISIT_WHO, seat)
    elif action == ABIL:
        ask(state, ABIL_WHO, seat)
    elif action == BUGLE:
        ask(state, BUGLE_WHO, seat)
    elif action == SHOW:
        ask(state, SHOW_WHICH, seat)
    elif action in (DOUBLE, RETIRE):
        state.retiring = action == RETIRE
        ask(state, HEIR, seat)


@kernel(leaf=True)
def decide_other(state: State, phase: int, action: int) -> None:
    """Windows, targets, pay, visits, heirs, war turns, agreements."""
    seat = state.seat
    crook = action - CROOK_AT
    if phase == WINDOW:
        if action == PASS_ACTION:
            state.window_at += 1
        push(state, S_WINDOW)
        if action != PASS_ACTION:
            play_special(state, seat, action - SPECIAL_AT)
    elif phase == SP_TARGET:
        state.special_target = target_of(state, action)
    elif phase == PAY_WHO:
        state.pay_who = crook
        ask(state, PAY_HOW, seat)
    elif phase == VISIT_WHO:
        state.acted = 1
        state.token[crook] = 0
        state.unhappy[crook] -= 1
    elif phase == ABIL_WHO:
        use_ability(state, crook)
    elif phase == HEIR:
        succeed(state, crook)
    elif phase == BUGLE_WHO:
        buy_cheer(state, crook)
    elif phase == SHOW_WHICH:
        state.acted = 1
        show_special(state, action - SPECIAL_AT)
    elif phase == WAR:
        if action == PASS_ACTION:
            pass_war(state)
        else:
            state.war_passes = 0
            push(state, S_WAR_AFTER)
            announce(state, HIT, action - HIT_AT, seat)
    elif phase == AGREE:
        if action == PASS_ACTION:
            state.refused = state.agreeing
        else:
            push(state, S_AGREE)


@kernel(leaf=True)
def succeed(state: State, heir: int) -> None:
    """Double-Cross or Retirement: a Lieutenant takes the Boss's place (CL-5.17, CL-5.18)."""
    seat = state.seat
    boss = state.boss[seat]
    before = lieutenants(state, seat)
    state.acted = 1
    state.token[heir] = 0
    if state.retiring:
        gain_money(state, seat, -2 * power(state, boss))
    else:
        gain_power(state, heir, boss)
        for c in range(CROOKS):
            if state.crook_loc[c] == seat and c != boss:
                state.unhappy[c] += 1
    depart(state, boss, DISCARD)
    begin_settle(state, seat, before, 0, 0, NONE, heir)


@kernel(leaf=True)
def buy_cheer(state: State, crook: int) -> None:
    """The Bugle: money for a marker, once in the turn (CL-14.8)."""
    seat = state.seat
    state.acted = 1
    state.bugle = 1
    for r in range(RACKETS):
        if state.racket_loc[r] == seat and RACKET_N[CHEER_BUY, r]:
            gain_money(state, seat, -RACKET_N[CHEER_BUY, r])
            break
    state.unhappy[crook] -= 1


@kernel(leaf=True)
def show_special(state: State, kind: int) -> None:
    """Turn a hidden Special up for good (CL-15.2)."""
    for s in range(COPIES):
        hidden = state.special_loc[s] == state.seat and not state.shown[s]
        if hidden and KIND_OF_COPY[s] == kind:
            state.shown[s] = 1
            state.hidden[state.seat] -= 1
            return


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
