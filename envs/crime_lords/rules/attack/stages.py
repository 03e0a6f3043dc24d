"""Attacks: announcement, leader, protector, showdown (9 to 12, stages 1 to 4); Gang War (13)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.kernel import kernel
from ....core.state import State
from ...actions import (
    AGAINST_AT,
    AMOUNT_AT,
    BACKOUT,
    CROOK_AT,
    FOR_AT,
    HIT_AT,
    PASS_ACTION,
    RACKET_AT,
    YES,
)
from ...data import (
    HIT_MONEY_MAX,
    HOLDERS,
    MONEY,
    RACKET_KIND,
    RACKET_N,
    RACKET_TYPE,
    THIRD_PARTY_MAX,
)
from ...data.codes import LEAD_TAKE, REROLL_CODE
from ...state import (
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    CROOKS,
    HIT,
    HIT_CASH,
    LEADER,
    NONE,
    PROTECT,
    RACKETS,
    REC,
    REROLL,
    STEP_COMMIT,
    STEP_RESULT,
    STEP_REVEAL,
    STEP_ROLL,
    STEP_SHOWDOWN,
    STEP_WAR_AFTER,
    STEP_WAR_TURN,
    TAKE,
    WAR,
    int64,
)
from ..mob.grid import ask, gain_money, give_tokens, power, push
from .assistance import begin_loop
from .numbers import hit_number, recruit_number, take_number


@kernel(leaf=True)
def announce(state: State, kind: int, target: int, seat: int) -> None:
    """Stage 1: kind and target; the leader is asked for next (CL-9.3)."""
    state.attacking = 1
    state.attacks += 1
    state.kind = kind
    state.attacker = seat
    state.target = target
    state.owner = state.racket_loc[target] if kind == TAKE else state.crook_loc[target]
    if state.owner < 0:
        state.owner = NONE
    state.leader = NONE
    state.number = 0
    state.protector = NONE
    state.helper_used = 0
    state.commitments[:] = 0
    state.revealed = 0
    state.hit_cash = 0
    state.roll = 0
    state.dice[:] = 0
    state.success = 0
    state.rerolled = 0
    ask(state, LEADER, seat)


@kernel(leaf=True)
def spend(state: State, card: int, value: int) -> None:
    """Set the token of a Crook, or of Racket ``card - CROOKS``."""
    if card < CROOKS:
        state.token[card] = value
    else:
        state.racket_token[card - CROOKS] = value


@kernel(leaf=True)
def decide_leader(state: State, action: int) -> None:
    """The leader spends his token; stage 2 fixes the modifiers (CL-9.3, CL-9.10)."""
    seat = state.attacker
    target = state.target
    leader = action - CROOK_AT  # Rackets follow the Crooks in both numberings
    state.leader = leader
    spend(state, leader, 0)
    if state.kind == TAKE:
        state.number = take_number(state, seat, leader, target)
        push(state, STEP_SHOWDOWN)
        if state.owner >= 0:
            ask(state, PROTECT, state.owner)
    elif state.kind == REC:
        state.number = recruit_number(state, seat, leader, target)
        push(state, STEP_SHOWDOWN)
    else:
        state.acted = 1
        if state.owner == seat:
            state.success = 1
            push(state, STEP_RESULT)
        else:
            state.number = hit_number(state, seat, leader, target)
            ask(state, HIT_CASH, seat)


@kernel(leaf=True)
def decide_stage(state: State, phase: int, action: int) -> None:
    """Protector, showdown, Hit money, reroll (CL-9.15, 9.20 to 9.24, 9.36, 12.6)."""
    seat = state.seat
    if phase == PROTECT:
        if action != PASS_ACTION:
            state.protector = action - CROOK_AT
            state.token[state.protector] = 0
            state.number -= power(state, state.protector)
    elif phase == HIT_CASH:
        state.hit_cash = MONEY[action - AMOUNT_AT]
        state.number += state.hit_cash
        gain_money(state, seat, -state.hit_cash)
        begin_loop(state)
    elif phase == REROLL:
        if action == YES:
            for c in HOLDERS[REROLL_CODE]:
                if c >= 0 and state.crook_loc[c] == seat:
                    state.token[c] = 0
            state.rerolled = 1
            push(state, STEP_ROLL)
        else:
            push(state, STEP_RESULT)
    elif action == BACKOUT:
        spend(state, state.leader, 1)
        if state.protector >= 0:
            state.token[state.protector] = 1
        if state.kind == REC:
            state.barred_rec |= int64(1) << state.target
        else:
            state.barred_take |= int64(1) << state.target
        state.backouts += 1
        state.attacking = 0
    else:
        if action > AGAINST_AT:
            state.commitments[seat] = -MONEY[action - AGAINST_AT]
        elif action > FOR_AT:
            state.commitments[seat] = MONEY[action - FOR_AT]
        if phase == COMMIT_A:
            state.commit_at = 0
        push(state, STEP_COMMIT)


@kernel(leaf=True)
def ask_commitment(state: State) -> None:
    """Ask the next player of the showdown: owner first, then in seat order (CL-9.20)."""
    n = state.num_seats
    while state.commit_at < n:
        k = state.commit_at
        state.commit_at += 1
        seat = state.owner if k == 0 else (state.attacker + k) % n
        if seat < 0 or (k > 0 and seat == state.owner):
            continue
        if state.alive[seat] and state.treasury[seat] > 0:
            ask(state, COMMIT_D if k == 0 else COMMIT_T, seat)
            return
    push(state, STEP_REVEAL)


@kernel(leaf=True)
def reveal(state: State) -> None:
    """All commitments are revealed and paid (CL-9.20)."""
    state.acted = 1
    state.revealed = 1
    for seat in range(state.num_seats):
        state.number += state.commitments[seat]
        gain_money(state, seat, -abs(int64(state.commitments[seat])))
    begin_loop(state)


@kernel(leaf=True)
def legal_stage(state: State, mask: NDArray[np.bool_]) -> None:
    """Leader, protector, showdown, Hit money, reroll (CL-9.3, 9.15, 9.20 to 9.24, 12.6)."""
    seat = state.seat
    phase = state.phase
    money = state.treasury[seat]
    if phase == LEADER:
        for c in range(CROOKS):
            if state.crook_loc[c] == seat and state.token[c]:
                fits = True
                if state.kind == REC:
                    fits = power(state, c) > power(state, state.target)
                elif state.kind == HIT:
                    fits = c != state.target
                mask[CROOK_AT + c] = fits
        if state.kind == TAKE:
            for r in range(RACKETS):
                if state.racket_loc[r] == seat and state.racket_token[r] and RACKET_N[LEAD_TAKE, r]:
                    same = RACKET_TYPE[LEAD_TAKE, r] == RACKET_KIND[state.target]
                    mask[RACKET_AT + r] = same
    elif phase == PROTECT:
        mask[PASS_ACTION] = True
        for c in range(CROOKS):
            mask[CROOK_AT + c] = state.crook_loc[c] == seat and state.token[c] != 0
    elif phase == HIT_CASH:
        for i in range(HIT_MONEY_MAX + 1):
            mask[AMOUNT_AT + i] = i <= money
    else:
        mask[PASS_ACTION] = True
        if phase == REROLL:
            mask[YES] = True
            return
        if phase == COMMIT_T:
            money = min(money, THIRD_PARTY_MAX)
        if phase == COMMIT_A:
            mask[BACKOUT] = state.backouts < state.max_backouts
        for i in range(1, len(MONEY)):
            if MONEY[i] > money:
                break
            mask[FOR_AT + i] = phase != COMMIT_D
            mask[AGAINST_AT + i] = phase != COMMIT_A


# --- Gang War -------------------------------------------------------------------------------------


@kernel(leaf=True)
def begin_war(state: State) -> None:
    """A Gang War begins after a real attempt on a rival Boss (CL-13.1 to CL-13.6)."""
    state.war_start = 0
    state.war = 1
    state.wars += 1
    state.war_in = 1 << state.active | 1 << state.war_target
    state.war_at = state.war_target
    state.war_passes = 0
    if state.alive[state.war_target]:
        give_tokens(state, state.war_target, False)
    push(state, STEP_WAR_TURN)


@kernel(leaf=True)
def next_in_war(state: State) -> None:
    """The next living participant in seat order has the war turn (CL-13.6)."""
    for k in range(1, state.num_seats + 1):
        seat = (state.war_at + k) % state.num_seats
        if state.alive[seat] and state.war_in >> seat & 1:
            state.war_at = seat
            return


@kernel(leaf=True)
def war_turn(state: State) -> None:
    """Ask the participant whose war turn it is, or end the war (CL-13.7 to CL-13.12)."""
    living = 0
    for seat in range(state.num_seats):
        living += state.alive[seat] and state.war_in >> seat & 1
    if not state.alive[state.war_at]:
        next_in_war(state)
    while living > 1 and state.war_passes < living:
        for c in range(CROOKS):
            if state.crook_loc[c] == state.war_at and state.token[c]:
                ask(state, WAR, state.war_at)
                return
        state.war_passes += 1
        next_in_war(state)
    for seat in range(state.num_seats):
        if state.alive[seat] and state.war_in >> seat & 1:
            give_tokens(state, seat, False)
    state.war = 0
    state.war_in = 0


@kernel(leaf=True)
def pass_war(state: State) -> None:
    """Pass a war turn (CL-13.11)."""
    state.war_passes += 1
    next_in_war(state)
    push(state, STEP_WAR_TURN)


@kernel(leaf=True)
def after_war_hit(state: State) -> None:
    """A Mob that was really attacked is drawn into the war; the next participant (CL-13.8)."""
    owner = state.owner
    if state.number >= 2 and state.alive[owner] and state.war_in >> owner & 1 == 0:
        state.war_in |= 1 << owner
        give_tokens(state, owner, False)
    next_in_war(state)
    push(state, STEP_WAR_TURN)


@kernel(leaf=True)
def legal_war(state: State, mask: NDArray[np.bool_]) -> None:
    """A Hit on any rival, or a pass (CL-13.4)."""
    mask[PASS_ACTION] = True
    for c in range(CROOKS):
        loc = state.crook_loc[c]
        mask[HIT_AT + c] = loc >= 0 and loc != state.seat


@kernel(leaf=True)
def decide_war(state: State, action: int) -> None:
    """Hit or pass (CL-13.4)."""
    if action == PASS_ACTION:
        pass_war(state)
    else:
        state.war_passes = 0
        push(state, STEP_WAR_AFTER)
        announce(state, HIT, action - HIT_AT, state.seat)
