"""Decisions of MAIN and those that belong to no larger procedure (CL-4.11)."""

from __future__ import annotations

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
    MOVE,
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
from .attack import announce
from .data import CHEER_BUY, KIND_OF_COPY, RACKET_N
from .ending import end_actions
from .mob import ask, depart, gain_money, lieutenants, power, push
from .outcome import gain_power
from .specials import begin_settle, play_special, target_of, use_ability
from .state import (
    ABIL_WHO,
    AGREE,
    BUGLE_WHO,
    COPIES,
    CROOKS,
    DISCARD,
    DROP_WHO,
    HEIR,
    HIT,
    MOVE_WHO,
    NONE,
    OFFER_TO,
    PAY_HOW,
    PAY_WHO,
    RACKETS,
    REC,
    S_AGREE,
    S_MAIN,
    S_RETOKEN,
    S_WAR_AFTER,
    S_WINDOW,
    SHOW_WHICH,
    SP_TARGET,
    TAKE,
    VISIT_WHO,
    WAR,
    WINDOW,
)
from .war import pass_war


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
