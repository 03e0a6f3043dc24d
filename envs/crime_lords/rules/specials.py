"""Specials and abilities for a token (sections 14 and 15)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import CROOK_AT, PASS_ACTION, PLAYER_AT, RACKET_AT, SPECIAL_AT, YES
from ..data import CROOK_N, KIND_OF_COPY, SPECIAL_N, TIMING, TURN_ABILITY
from ..data.codes import (
    ANY_TIME,
    BAG_OF_CASH,
    FRAME_UP,
    GRUDGE,
    HEATS_ON,
    HUSH_MONEY,
    INSIDE_MAN,
    POLICE_RAID,
    REVIVAL,
    SECOND_WIND,
    SHAKEDOWN,
    T_ARSON,
    T_CASH,
    T_NEEDLE,
    T_STEAL,
    TIP_OFF,
    VACATION,
)
from ..state import (
    ABIL_TARGET,
    ABIL_WHO,
    CENTRE,
    COPIES,
    CROOKS,
    DISCARD,
    HUSH,
    NONE,
    RACKETS,
    SP_TARGET,
    STEP_EFFECT,
    STEP_HUSH,
    STEP_WINDOW,
    WINDOW,
)
from .attack.outcome import roll_dice
from .mob.grid import ask, gain_money, lieutenants, own_power, push, touch
from .mob.settle import begin_settle
from .payments import note_payment


@kernel(leaf=True)
def ability_target(state: State, seat: int, crook: int) -> bool:
    """Whether a ``T_`` ability has a legal target or needs none (CL-2.15, CL-14.7)."""
    code = TURN_ABILITY[crook]
    if code in (T_CASH, T_STEAL):
        return True
    if code == T_NEEDLE:
        for c in range(CROOKS):
            if needled(state, seat, c, CROOK_N[code, crook]):
                return True
        return False
    for r in range(RACKETS):
        if state.racket_loc[r] >= 0 and state.racket_loc[r] != seat and not state.blocked[r]:
            return True
    return False


@kernel(leaf=True)
def needled(state: State, seat: int, crook: int, limit: int) -> bool:
    """Whether ``T_NEEDLE`` may be used on a Crook: a rival's, weak, neither Boss nor Lieutenant."""
    loc = state.crook_loc[crook]
    if loc == seat or state.superior[crook] < 0:
        return False
    return state.superior[crook] != state.boss[loc] and own_power(state, crook) <= limit


@kernel(leaf=True)
def special_target(state: State, seat: int, kind: int) -> bool:
    """Whether a Special has a legal target or needs none (CL-15.6)."""
    if kind in (SECOND_WIND, REVIVAL, GRUDGE, VACATION, FRAME_UP):
        for c in range(CROOKS):
            if special_crook(state, seat, kind, c):
                return True
        return False
    if kind == POLICE_RAID:
        for r in range(RACKETS):
            if state.racket_loc[r] >= 0 and state.racket_loc[r] != seat and not state.blocked[r]:
                return True
        return False
    return True


@kernel(leaf=True)
def special_crook(state: State, seat: int, kind: int, crook: int) -> bool:
    """Whether a Crook is a legal target of a Special (CL-15.6)."""
    loc = state.crook_loc[crook]
    if kind == REVIVAL:
        return loc == DISCARD
    if loc == seat:
        if kind == SECOND_WIND:
            return not state.token[crook]
        return kind == VACATION and state.unhappy[crook] > 0
    if loc < 0 or state.boss[loc] == crook:
        return False
    return kind == GRUDGE or (kind == FRAME_UP and state.token[crook] != 0)


@kernel(leaf=True)
def copy_to_use(state: State, seat: int, kind: int) -> int:
    """Copy of a Special in a hand: a shown one first, then the lower number (CL-15.6), or NONE."""
    found = NONE
    for s in range(COPIES):
        if state.special_loc[s] == seat and KIND_OF_COPY[s] == kind:
            if state.shown[s]:
                return s
            if found < 0:
                found = s
    return found


@kernel(leaf=True)
def discard_special(state: State, copy: int) -> None:
    """A Special goes from a hand to the discard."""
    seat = state.special_loc[copy]
    if not state.shown[copy]:
        state.hidden[seat] -= 1
    state.special_loc[copy] = DISCARD
    state.shown[copy] = 0


@kernel(leaf=True)
def play_special(state: State, seat: int, kind: int) -> None:
    """Play a Special: it goes to the discard, its target is asked for, then Hush Money (CL-15.5).

    Where the rule discards the card after the target is named, nothing can come between.
    """
    discard_special(state, copy_to_use(state, seat, kind))
    state.special = kind
    state.special_by = seat
    state.special_target = NONE
    state.special_result = 0
    state.hush_at = 1
    push(state, STEP_HUSH)
    if kind not in (INSIDE_MAN, TIP_OFF, BAG_OF_CASH, HEATS_ON):
        ask(state, SP_TARGET, seat)


@kernel(leaf=True)
def target_of(state: State, action: int) -> int:
    """Seat, Crook or Racket that an action of SP_TARGET or ABIL_TARGET names."""
    if action >= PLAYER_AT:
        return (state.seat + action - PLAYER_AT) % state.num_seats
    if action >= RACKET_AT:
        return action - RACKET_AT
    return action - CROOK_AT


@kernel(leaf=True)
def ask_hush(state: State) -> None:
    """Ask the next holder of Hush Money, or go on to the effect (CL-15.5)."""
    while state.hush_at < state.num_seats:
        seat = (state.special_by + state.hush_at) % state.num_seats
        if state.alive[seat] and copy_to_use(state, seat, HUSH_MONEY) >= 0:
            ask(state, HUSH, seat)
            return
        state.hush_at += 1
    push(state, STEP_EFFECT)


@kernel(leaf=True)
def decide_hush(state: State, action: int) -> None:
    """Cancel the Special just played, or let it pass (CL-15.5)."""
    if action == YES:
        discard_special(state, copy_to_use(state, state.seat, HUSH_MONEY))
        state.special_result = 1
    else:
        state.hush_at += 1
        push(state, STEP_HUSH)


@kernel(leaf=True)
def needle(state: State, crook: int, markers: int) -> None:
    """Unhappy markers on a rival's Crook, then SETTLE (CL-14.7, CL-15.6)."""
    seat = state.crook_loc[crook]
    state.unhappy[crook] += markers
    begin_settle(state, seat, lieutenants(state, seat), 0, 0, NONE, NONE)


@kernel(leaf=True)
def steal(state: State, thief: int, victim: int, most: int) -> None:
    """Take money from a rival; the amount is known to the two only (section 19)."""
    amount = min(most, state.treasury[victim])
    state.treasury[victim] -= amount
    state.treasury[thief] += amount
    note_payment(state, victim, thief, amount, most)


@kernel(leaf=True)
def special_effect(state: State) -> None:
    """Effect of the Special just played (CL-15.6)."""
    kind = state.special
    seat = state.special_by
    target = state.special_target
    amount = SPECIAL_N[kind]
    if kind == INSIDE_MAN:
        state.number += amount
    elif kind == TIP_OFF:
        state.number -= amount
    elif kind == BAG_OF_CASH:
        gain_money(state, seat, amount)
    elif kind == SHAKEDOWN:
        steal(state, seat, target, amount)
    elif kind == HEATS_ON:
        state.heat = seat
    elif kind == SECOND_WIND:
        state.token[target] = 1
    elif kind == REVIVAL:
        state.crook_loc[target] = CENTRE
    elif kind == GRUDGE:
        needle(state, target, amount)
    elif kind == VACATION:
        state.unhappy[target] = max(0, state.unhappy[target] - amount)
    elif kind == FRAME_UP:
        state.token[target] = 0
    elif kind == POLICE_RAID:
        state.blocked[target] = 1
        touch(state, state.racket_loc[target])


@kernel(leaf=True)
def use_ability(state: State, crook: int) -> None:
    """A Crook uses his ``T_`` ability; a target is asked for where one is needed (CL-14.7)."""
    state.token[crook] = 0
    state.ability_by = crook
    state.acted = 1
    if TURN_ABILITY[crook] == T_CASH:
        gain_money(state, state.seat, CROOK_N[T_CASH, crook])
    else:
        ask(state, ABIL_TARGET, state.seat)


@kernel(leaf=True)
def ability_effect(state: State, action: int) -> None:
    """Effect of an ability on its target (CL-2.15, CL-14.7)."""
    target = target_of(state, action)
    crook = state.ability_by
    code = TURN_ABILITY[crook]
    if code == T_NEEDLE:
        needle(state, target, 1)
    elif code == T_STEAL:
        steal(state, state.seat, target, CROOK_N[code, crook])
    else:
        state.arson_roll = roll_dice(state)
        if state.arson_roll <= CROOK_N[code, crook]:
            state.blocked[target] = 1
            touch(state, state.racket_loc[target])


@kernel(leaf=True)
def legal_special(state: State, mask: NDArray[np.bool_]) -> None:
    """Windows, abilities, targets of both, Hush Money (CL-15.4 to CL-15.6)."""
    seat = state.seat
    if state.phase == HUSH:
        mask[PASS_ACTION] = True
        mask[YES] = True
    elif state.phase == WINDOW:
        mask[PASS_ACTION] = True
        for s in range(COPIES):
            if state.special_loc[s] == seat and TIMING[KIND_OF_COPY[s]] == ANY_TIME:
                kind = KIND_OF_COPY[s]
                mask[SPECIAL_AT + kind] = special_target(state, seat, kind)
    elif state.phase == ABIL_WHO:
        for c in range(CROOKS):
            if state.crook_loc[c] == seat:
                has = state.token[c] != 0 and TURN_ABILITY[c] >= 0
                mask[CROOK_AT + c] = has and ability_target(state, seat, c)
    else:
        kind = state.special if state.phase == SP_TARGET else NONE
        code = TURN_ABILITY[state.ability_by] if state.phase == ABIL_TARGET else NONE
        if kind == SHAKEDOWN or code == T_STEAL:
            for j in range(1, state.num_seats):
                mask[PLAYER_AT + j] = state.alive[(seat + j) % state.num_seats] != 0
        elif kind == POLICE_RAID or code == T_ARSON:
            for r in range(RACKETS):
                rival = state.racket_loc[r] >= 0 and state.racket_loc[r] != seat
                mask[RACKET_AT + r] = rival and not state.blocked[r]
        else:
            for c in range(CROOKS):
                if code == T_NEEDLE:
                    limit = CROOK_N[T_NEEDLE, state.ability_by]
                    mask[CROOK_AT + c] = needled(state, seat, c, limit)
                else:
                    mask[CROOK_AT + c] = special_crook(state, seat, kind, c)


@kernel(leaf=True)
def decide_special(state: State, phase: int, action: int) -> None:
    """Windows, abilities, targets of both, Hush Money (CL-15.4 to CL-15.6)."""
    if phase == WINDOW:
        if action == PASS_ACTION:
            state.window_at += 1
        push(state, STEP_WINDOW)
        if action != PASS_ACTION:
            play_special(state, state.seat, action - SPECIAL_AT)
    elif phase == SP_TARGET:
        state.special_target = target_of(state, action)
    elif phase == ABIL_WHO:
        use_ability(state, action - CROOK_AT)
    elif phase == ABIL_TARGET:
        ability_effect(state, action)
    else:
        decide_hush(state, action)
