"""The roll and what follows from it (stage 6, CL-9.35 to CL-9.37, sections 10 to 12)."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.rng import roll_die
from ....core.state import State
from ...data import AUTO_FAIL, CROOK_N, CROOK_POWER, HOLDERS, MATCHES, POWER_CAP, WEAKNESS
from ...data.codes import CHEER_ON_BOSS_WIN, HIT_FAME, REROLL_CODE
from ...state import CROOKS, DISCARD, HIT, NONE, PLACE, REROLL, STEP_DONE, STEP_RESULT, TAKE, int64
from ..mob.grid import (
    ask,
    depart,
    give_tokens,
    has_place,
    join,
    lieutenants,
    move_racket,
    own_power,
    push,
    subtree,
    subtree_to_centre,
    touch,
)
from ..mob.settle import begin_settle


@kernel(leaf=True)
def roll_dice(state: State) -> int:
    """Roll two dice, which the record keeps, and add them."""
    total = 0
    for die in range(len(state.dice)):
        state.dice[die] = roll_die(state)
        total += state.dice[die]
    return total


@kernel(leaf=True)
def roll_attack(state: State) -> None:
    """Stage 6: two dice, unless the number is below 2; a reroll may follow (CL-9.4, 9.6, 9.36)."""
    state.success = 0
    if state.number >= 2:
        state.roll = roll_dice(state)
        state.success = state.roll <= state.number and state.roll < AUTO_FAIL
        if not state.success and not state.rerolled:
            for c in HOLDERS[REROLL_CODE]:
                if c >= 0 and state.crook_loc[c] == state.attacker and state.token[c]:
                    ask(state, REROLL, state.attacker)
                    return
    else:
        state.unrolled += 1
    push(state, STEP_RESULT)


@kernel(leaf=True)
def attack_result(state: State) -> None:
    """Outcome of the attack (CL-9.37, 10.9 to 10.12, 11.10, 12.9 to 12.13)."""
    push(state, STEP_DONE)
    seat = state.attacker
    target = state.target
    # A Hit on an own Crook succeeds without a roll (CL-12.2).
    if state.success and state.roll > 0 and state.boss[seat] == state.leader:
        for c in HOLDERS[CHEER_ON_BOSS_WIN]:
            if c >= 0 and state.crook_loc[c] == seat:
                state.unhappy[c] = max(0, state.unhappy[c] - 1)
    if state.kind == HIT:
        hit_result(state, seat, target)
    elif state.success and state.kind == TAKE:
        win_racket(state, target, seat)
    elif state.success:
        bits = subtree(state, target)
        before = lieutenants(state, seat)
        if state.owner >= 0 and state.superior[target] == state.boss[state.owner]:
            before |= int64(1) << target
        if has_place(state, seat, target, state.leader, 0):
            join(state, bits, seat, target)
            begin_settle(state, seat, before, bits, 0, NONE, NONE)
            state.place_seat = seat
            state.root = target
            state.under = state.leader
            state.left_superior = NONE
            state.gift = 0
            ask(state, PLACE, seat)
        else:
            subtree_to_centre(state, target)


@kernel(leaf=True)
def win_racket(state: State, racket: int, seat: int) -> None:
    """A Racket is taken over; Crooks with a matching Weakness cheer up (CL-6.3, CL-11.10)."""
    move_racket(state, racket, seat)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and WEAKNESS[c] & MATCHES[racket] and state.unhappy[c] > 0:
            state.unhappy[c] -= 1


@kernel(leaf=True)
def gain_power(state: State, leader: int, victim: int) -> None:
    """Power gain for a kill (CL-12.13)."""
    gain = 2 if own_power(state, victim) > own_power(state, leader) else 1
    gain += CROOK_N[HIT_FAME, leader]
    state.counters[leader] = min(state.counters[leader] + gain, POWER_CAP - CROOK_POWER[leader])
    touch(state, state.crook_loc[leader])


@kernel(leaf=True)
def hit_result(state: State, seat: int, target: int) -> None:
    """Outcome of a Hit: warning shot, survival or death (CL-12.2, 12.9 to 12.13, 13.1 to 13.4)."""
    owner = state.owner
    own = owner == seat
    if not own and state.number < 2:
        return
    if owner < 0:
        if state.success:
            gain_power(state, state.leader, target)
            state.crook_loc[target] = DISCARD
            state.counters[target] = 0
        return
    was_boss = state.boss[owner] == target
    if was_boss and not state.war:
        state.war_start = 1
        state.war_target = owner
        give_tokens(state, seat, False)
    before = lieutenants(state, owner)
    if state.success:
        if not own:
            gain_power(state, state.leader, target)
        for c in range(CROOKS):
            if state.crook_loc[c] == owner and c != target:
                near = state.superior[c] == target or state.superior[target] == c
                state.unhappy[c] += was_boss or near
        depart(state, target, DISCARD)
    else:
        state.unhappy[target] += 1
    begin_settle(state, owner, before, 0, 0, NONE if own else seat, NONE)
