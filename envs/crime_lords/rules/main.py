"""Decisions of MAIN, and the choices that follow one of them (CL-4.11)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import (
    ABIL,
    BUGLE,
    CROOK_AT,
    DOUBLE,
    DROP,
    END,
    HIT_AT,
    MOVE,
    OFFER,
    QUIT,
    REC_AT,
    RETIRE,
    SHOW,
    SPECIAL_AT,
    TAKE_AT,
    VISIT,
)
from ..data import (
    CROOK_N,
    KIND_OF_COPY,
    MATCHES,
    RACKET_KIND,
    RACKET_N,
    RACKET_TYPE,
    TIMING,
    TURN_ABILITY,
    WEAKNESS,
)
from ..data.codes import (
    ALIAS_WEAKNESS,
    ANY_TIME,
    CHEER_BUY,
    LEAD_TAKE,
    LOYAL_SELF,
    OWN_TURN,
    REGULAR_TYPES,
)
from ..state import (
    ABIL_WHO,
    BUGLE_WHO,
    CENTRE,
    COPIES,
    CROOKS,
    DISCARD,
    DROP_WHO,
    HEIR,
    HIT,
    MOVE_WHO,
    NONE,
    OFFER_TO,
    RACKETS,
    REC,
    SHOW_WHICH,
    STEP_MAIN,
    STEP_RETOKEN,
    TAKE,
    VISIT_WHO,
    int64,
)
from .attack.outcome import gain_power
from .attack.stages import announce
from .ending import end_actions
from .mob.grid import ask, can_move, depart, gain_money, lieutenants, lowest, own_power, power, push
from .mob.settle import begin_settle
from .specials import ability_target, play_special, special_target

CHEERERS: Final = np.flatnonzero(RACKET_N[CHEER_BUY])
LEADERS: Final = np.flatnonzero(RACKET_N[LEAD_TAKE])
ALIASES: Final = np.flatnonzero(RACKET_N[ALIAS_WEAKNESS])


@kernel(leaf=True)
def decide_main(state: State, action: int) -> None:
    """An action of MAIN (CL-4.11)."""
    seat = state.seat
    if action == END:
        end_actions(state)
        push(state, STEP_RETOKEN)
        return
    push(state, STEP_MAIN)
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
def cheering(state: State, seat: int) -> int:
    """Bit set of the types that a seat's Rackets match (CL-6.3, ``ALIAS_WEAKNESS``)."""
    bits = int64(0)
    for kind in range(REGULAR_TYPES):
        if state.types[seat, kind] > 0:
            bits |= int64(1) << kind
    for r in ALIASES:
        if state.racket_loc[r] == seat:
            bits |= MATCHES[r]
    return bits


@kernel(leaf=True)
def legal_main(state: State, mask: NDArray[np.bool_]) -> None:
    """Choices of MAIN that name no target (CL-4.11)."""
    seat = state.seat
    boss = state.boss[seat]
    mask[END] = True
    bugle = False
    cheered = cheering(state, seat)
    for r in CHEERERS:
        if state.racket_loc[r] == seat and not state.bugle:
            bugle |= state.treasury[seat] >= RACKET_N[CHEER_BUY, r]
    rest = state.members[seat]
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        if c != boss:
            mask[DROP] = True
        if state.unhappy[c] > 0 and bugle:
            mask[BUGLE] = True
        if not state.token[c]:
            continue
        if state.unhappy[c] > 0 and WEAKNESS[c] & cheered:
            mask[VISIT] = True
        if c != boss:
            if state.superior[c] == boss:
                mask[DOUBLE] = True
            if not mask[MOVE] and can_move(state, c):
                mask[MOVE] = True
        if TURN_ABILITY[c] >= 0 and not mask[ABIL] and ability_target(state, seat, c):
            mask[ABIL] = True
    if mask[DOUBLE] and state.treasury[seat] >= 2 * state.strength[boss]:
        mask[RETIRE] = True
    if state.trade and state.offers < state.offers_per_turn and state.heat < 0:
        mask[OFFER] = True
    if state.allow_quit:
        mask[QUIT] = True
    for s in range(COPIES):
        if state.special_loc[s] == seat:
            kind = KIND_OF_COPY[s]
            if state.show_specials and not state.shown[s]:
                mask[SHOW] = True
            if TIMING[kind] in (ANY_TIME, OWN_TURN):
                mask[SPECIAL_AT + kind] = special_target(state, seat, kind)


@kernel(leaf=True)
def legal_targets(state: State, mask: NDArray[np.bool_]) -> None:
    """Attacks that can be announced in MAIN (CL-4.11)."""
    seat = state.seat
    strongest = int64(-1)
    tokens = 0
    holder = NONE
    rest = state.members[seat]
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        if state.token[c]:
            strongest = max(strongest, int64(state.strength[c]))
            tokens += 1
            holder = c
    if tokens > 0:
        legal_hits(state, mask)
        if tokens == 1:
            mask[HIT_AT + holder] = False  # Nobody attacks himself.
        legal_recruits(state, strongest, mask)
    legal_takeovers(state, tokens > 0, mask)


# The loops over all cards below have no branches, so that LLVM vectorises them; the few exceptions
# are struck out afterwards.


@kernel(leaf=True)
def legal_hits(state: State, mask: NDArray[np.bool_]) -> None:
    """Crooks in the centre and in all Mobs, except one's own Boss (CL-12.1)."""
    for c in range(CROOKS):
        loc = state.crook_loc[c]
        mask[HIT_AT + c] = (loc >= 0) | (loc == CENTRE)
    boss = state.boss[state.seat]
    if boss >= 0:
        mask[HIT_AT + boss] = False


@kernel(leaf=True)
def legal_recruits(state: State, strongest: int, mask: NDArray[np.bool_]) -> None:
    """Weaker Crooks in the centre, and those of rivals who are neither Boss nor loyal (CL-10.1)."""
    seat = state.seat
    for c in range(CROOKS):
        loc = state.crook_loc[c]
        disloyal = (loc >= 0) & (loc != seat) & (CROOK_N[LOYAL_SELF, c] == 0)
        mask[REC_AT + c] = ((loc == CENTRE) | disloyal) & (own_power(state, c) < strongest)
    for other in range(state.num_seats):
        boss = state.boss[other]
        if boss >= 0:
            mask[REC_AT + boss] = False
    barred = state.barred_rec
    while barred:
        mask[REC_AT + lowest(barred)] = False
        barred &= barred - 1


@kernel(leaf=True)
def legal_takeovers(state: State, led: bool, mask: NDArray[np.bool_]) -> None:
    """Rackets in the centre and of rivals (CL-11.1, CL-11.2).

    ``led``: whether a Crook can lead the takeover; else a Racket has to.
    """
    seat = state.seat
    for r in range(RACKETS):
        loc = state.racket_loc[r]
        mask[TAKE_AT + r] = (loc == CENTRE) | ((loc >= 0) & (loc != seat))
    if not led:
        kinds = led_kinds(state, seat)
        for r in range(RACKETS):
            mask[TAKE_AT + r] &= kinds >> RACKET_KIND[r] & 1 != 0
    barred = state.barred_take
    while barred:
        mask[TAKE_AT + lowest(barred)] = False
        barred &= barred - 1


@kernel(leaf=True)
def led_kinds(state: State, seat: int) -> int:
    """Bit set of the kinds of Rackets whose takeover a Racket of the seat can lead (CL-11.2)."""
    bits = int64(0)
    for r in LEADERS:
        if state.racket_loc[r] == seat and state.racket_token[r]:
            bits |= int64(1) << RACKET_TYPE[LEAD_TAKE, r]
    return bits


@kernel(leaf=True)
def legal_follow_up(state: State, mask: NDArray[np.bool_]) -> None:
    """Visits, heirs, the Bugle, Specials to show: whom or which (CL-4.11)."""
    seat = state.seat
    phase = state.phase
    if phase == SHOW_WHICH:
        for s in range(COPIES):
            if state.special_loc[s] == seat and not state.shown[s]:
                mask[SPECIAL_AT + KIND_OF_COPY[s]] = True
        return
    cheered = int64(0)
    if phase == VISIT_WHO:
        cheered = cheering(state, seat)
    for c in range(CROOKS):
        if state.crook_loc[c] != seat:
            continue
        token = state.token[c] != 0
        if phase == VISIT_WHO:
            mask[CROOK_AT + c] = token and state.unhappy[c] > 0 and WEAKNESS[c] & cheered != 0
        elif phase == HEIR:
            mask[CROOK_AT + c] = token and state.superior[c] == state.boss[seat]
        else:
            mask[CROOK_AT + c] = state.unhappy[c] > 0


@kernel(leaf=True)
def decide_follow_up(state: State, phase: int, action: int) -> None:
    """Visits, heirs, the Bugle, Specials to show (CL-4.11)."""
    crook = action - CROOK_AT
    if phase == VISIT_WHO:
        state.acted = 1
        state.token[crook] = 0
        state.unhappy[crook] -= 1
    elif phase == HEIR:
        succeed(state, crook)
    elif phase == BUGLE_WHO:
        buy_cheer(state, crook)
    else:
        state.acted = 1
        show_special(state, action - SPECIAL_AT)
