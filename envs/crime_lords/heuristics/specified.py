"""The specification's bot for Crime Lords (section 27): greedy attacks that pay, rackets first.

It weighs every attack by chance times value less money, brings weak Crooks under weak superiors,
keeps a reserve for the next pay step, and answers the other decisions by rules of thumb.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.rng import mix
from ...core.state import State
from ..actions import (
    AGAINST_AT,
    AMOUNT_AT,
    BACKOUT,
    BID_AT,
    CROOK_AT,
    END,
    FOR_AT,
    FULL,
    HIT_AT,
    KEEP,
    NUM_ACTIONS,
    PASS_ACTION,
    PLACE_AT,
    RACKET_AT,
    REC_AT,
    SPECIAL_AT,
    SWING,
    TAKE_AT,
    VISIT,
    YES,
)
from ..data import (
    CROOK_N,
    CROOK_POWER,
    HAS_ABILITY,
    MONEY,
    RACKET_DISTRICT,
    RACKET_INCOME,
    RACKET_N,
    RACKET_POWER,
)
from ..data.codes import DISTRICT_MUSCLE, MUSCLE_ANY, SELF_HIT, SELF_RECRUIT, SELF_TAKE
from ..rules.attack.numbers import hit_number, recruit_number, take_number
from ..rules.mob.grid import below, own_power, power, racket_power, strongest
from ..state import (
    AGREE,
    ASSIST,
    AUC_BID,
    AUC_OPEN,
    BOSS_PICK,
    CARDS,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    CROOKS,
    DEFEND,
    GIFT_PLACE,
    HIT,
    HIT_CASH,
    LEADER,
    MAIN,
    MOVE_TO,
    NEW_BOSS,
    NONE,
    PAY_HOW,
    PAY_WHO,
    PLACE,
    PROTECT,
    RACKETS,
    REASSIGN,
    REC,
    REORG,
    REROLL,
    SIDES,
    SPOILS,
    SPOILS_PAY,
    TAKE,
    WAR,
)

CHANCES: Final = np.array([0, 0, 1, 3, 6, 10, 15, 21, 26, 30, 33]) / 36.0
SURE: Final = 10
"""Success number from which on more does not help."""
RIVAL_MARGIN: Final = 4


@kernel
def choose_specified(known: Any, seat: int, mask: NDArray[np.bool_], seed: np.uint64) -> int:
    """The specification's bot: greedy attacks, nothing offered (section 27)."""
    phase = known.phase
    if phase == MAIN:
        return best_attack(known, seat, mask)
    if phase in (AUC_OPEN, AUC_BID):
        return bid_for_lot(known, seat, seed)
    if phase in (COMMIT_A, COMMIT_D, COMMIT_T, HIT_CASH):
        return commit(known, seat, mask)
    if phase in (PLACE, REASSIGN, MOVE_TO, GIFT_PLACE):
        return weakest_superior(known, mask)
    if phase in (ASSIST, DEFEND):
        return join_in(known, mask)
    if phase == LEADER:
        return pick_leader(known, seat, mask)
    if phase == WAR:
        return war_hit(known, seat, mask)
    return other_choice(known, mask)


@kernel(leaf=True)
def chance(number: int) -> float:
    """Chance of success of a number (CL-9.5)."""
    return CHANCES[min(SURE, max(0, number))]


@kernel(leaf=True)
def surplus(state: State, seat: int) -> int:
    """Money beyond the reserve for the next pay step."""
    reserve = max(0, state.due[seat] - state.mob_income[seat])
    return max(0, state.treasury[seat] - reserve)


@kernel(leaf=True)
def bid_for_lot(state: State, seat: int, seed: np.uint64) -> int:
    """Open at 0.4 of the lot's value, raise half-way to it."""
    card = state.lot
    if card < CROOKS:
        value = 1.5 * CROOK_POWER[card]
        if HAS_ABILITY[card]:
            value += 1.5
        held, strong = 0, False
        for c in range(CROOKS):
            if state.crook_loc[c] == seat:
                held += 1
                strong |= CROOK_POWER[c] >= 4
        if CROOK_POWER[card] >= 4 and not strong:
            value += 3.0
        if held >= 4:
            value *= 0.4
    elif card < CARDS:
        value = 1.2 * RACKET_INCOME[card - CROOKS] + RACKET_POWER[card - CROOKS]
    else:
        value = 3.0
    value *= 0.8 + 0.4 * (np.float64(mix(seed) >> np.uint64(40)) / 16777216.0)
    money = state.bid_money[seat]
    if state.phase == AUC_OPEN:
        return BID_AT + min(np.int64(money), np.int64(0.4 * value))
    if state.bid + 1 > value:
        return PASS_ACTION
    raised = state.bid + max(1, np.int64((value - state.bid) / 2))
    return BID_AT + min(np.int64(money), raised)


@kernel(leaf=True)
def helpers(state: State, seat: int, kind: int, leader: int, target: int) -> int:
    """What one's own helpers can add to an attack (CL-10.7, 11.6, 11.7, 12.7)."""
    total, best = np.int64(0), np.int64(0)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.token[c] and c != leader:
            if not below(state, c, leader):
                continue
            if kind == TAKE:
                total += power(state, c) + CROOK_N[SELF_TAKE, c]
            elif kind == REC:
                best = max(best, power(state, c) + CROOK_N[SELF_RECRUIT, c])
            elif c != target:
                best = max(best, power(state, c) + CROOK_N[SELF_HIT, c])
    if kind == TAKE:
        for r in range(RACKETS):
            if state.racket_loc[r] == seat and state.racket_token[r]:
                near = RACKET_DISTRICT[r] == RACKET_DISTRICT[target]
                if RACKET_N[MUSCLE_ANY, r] or (RACKET_N[DISTRICT_MUSCLE, r] and near):
                    total += racket_power(state, r)
    return total + best


@kernel(leaf=True)
def score(number: int, money: int, rival: bool, value: float) -> float:
    """Chance times value less money, when up to ``money`` is paid."""
    wanted = SURE + RIVAL_MARGIN if rival else SURE
    paid = max(0, min(money, wanted - number))
    reached = number + paid - (RIVAL_MARGIN if rival else 0)
    return chance(reached) * value - 0.35 * paid - 1.0


@kernel(leaf=True)
def best_attack(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """The best attack of positive score; else a visit; else the end of the turn."""
    money = surplus(state, seat)
    top = strongest(state, seat)
    best, found = 0.0, NONE
    if top >= 0:
        for r in range(RACKETS):
            if not mask[TAKE_AT + r]:
                continue
            owner = state.racket_loc[r]
            value = 8.0 + 1.5 * RACKET_INCOME[r]
            if owner >= 0:
                value += 2.0
                if state.count[owner] >= state.required - 2:
                    value += 6.0
            if state.count[seat] + 1 >= state.required:
                value += 20.0
            number = take_number(state, seat, top, r) + helpers(state, seat, TAKE, top, r)
            points = score(number, money, owner >= 0, value)
            if points > best:
                best, found = points, TAKE_AT + r
        feeds = state.mob_income[seat] - state.due[seat]
        for c in range(CROOKS):
            owner = state.crook_loc[c]
            mine = own_power(state, c)
            if mask[REC_AT + c] and (feeds >= mine or state.crooks[seat] == 1):
                number = recruit_number(state, seat, top, c) + helpers(state, seat, REC, top, c)
                points = score(number, money, owner >= 0, 2.0 + 1.6 * mine)
                if points > best:
                    best, found = points, REC_AT + c
            rival = owner >= 0 and owner != seat
            if mask[HIT_AT + c] and rival and state.count[owner] >= state.required - 2:
                number = hit_number(state, seat, top, c) + helpers(state, seat, HIT, top, c)
                points = score(number, min(5, money), True, 2.0 + 1.2 * power(state, c))
                if points > max(best, 2.5):
                    best, found = points, HIT_AT + c
    if found >= 0:
        return found
    return VISIT if mask[VISIT] else END


@kernel(leaf=True)
def pick_leader(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """The strongest leader there is; a Racket only if no Crook can lead."""
    best, found = np.int64(-1), NONE
    for c in range(CROOKS):
        if mask[CROOK_AT + c] and power(state, c) > best:
            best, found = power(state, c), CROOK_AT + c
    if found < 0:
        for r in range(RACKETS):
            if mask[RACKET_AT + r]:
                return RACKET_AT + r
    return found


@kernel(leaf=True)
def step_upto(mask: NDArray[np.bool_], at: int, amount: int) -> int:
    """The highest legal ladder step of at most an amount, or 0."""
    step = 0
    for i in range(1, len(MONEY)):
        if mask[at + i] and MONEY[i] <= amount:
            step = i
    return step


@kernel(leaf=True)
def commit(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """Money in the showdown or for a Hit."""
    phase = state.phase
    money = surplus(state, seat)
    if phase in (COMMIT_A, HIT_CASH):
        wanted = SURE + RIVAL_MARGIN if state.owner >= 0 else SURE
        need = max(0, min(money, wanted - state.number))
        if phase == HIT_CASH:
            return AMOUNT_AT + min(need, 5, np.int64(state.treasury[seat]))
        step = step_upto(mask, FOR_AT, need)
        return FOR_AT + step if step > 0 else PASS_ACTION
    if phase == COMMIT_D:
        step = step_upto(mask, AGAINST_AT, min(8, money // 2))
    elif state.count[state.attacker] >= state.required - 1:
        step = step_upto(mask, AGAINST_AT, min(10, np.int64(state.treasury[seat])))
    else:
        step = 0
    return AGAINST_AT + step if step > 0 else PASS_ACTION


@kernel(leaf=True)
def weakest_superior(state: State, mask: NDArray[np.bool_]) -> int:
    """Under the weakest superior who can hold him: the Boss's sides stay free."""
    best, found = np.int64(100), NONE
    for action in range(PLACE_AT, PLACE_AT + SIDES * CROOKS):
        if mask[action]:
            strength = power(state, (action - PLACE_AT) // SIDES)
            if strength < best:
                best, found = strength, action
    return found


@kernel(leaf=True)
def join_in(state: State, mask: NDArray[np.bool_]) -> int:
    """Helpers until the number is sure; defenders while there is a chance left."""
    assist = state.phase == ASSIST
    wanted = state.number < SURE if assist else state.number >= 2
    if not wanted:
        return PASS_ACTION
    best, found = np.int64(-1), NONE
    for c in range(CROOKS):
        if mask[CROOK_AT + c] and power(state, c) > best:
            best, found = power(state, c), CROOK_AT + c
    for r in range(RACKETS):
        if mask[RACKET_AT + r] and racket_power(state, r) > best:
            best, found = racket_power(state, r), RACKET_AT + r
    if found >= 0:
        return found
    for action in range(SPECIAL_AT, SPECIAL_AT + 2):
        if mask[action]:
            return action
    return SWING if mask[SWING] else PASS_ACTION


@kernel(leaf=True)
def war_hit(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """The Hit with the best chance above 15 % among the participants, or a pass."""
    top = strongest(state, seat)
    best, found = 0.15, PASS_ACTION
    for c in range(CROOKS):
        if mask[HIT_AT + c] and top >= 0 and state.war_in >> state.crook_loc[c] & 1:
            number = hit_number(state, seat, top, c) + helpers(state, seat, HIT, top, c)
            odds = chance(number + min(5, surplus(state, seat)))
            if odds > best:
                best, found = odds, HIT_AT + c
    return found


@kernel(leaf=True)
def other_choice(state: State, mask: NDArray[np.bool_]) -> int:
    """Bosses, pay, protector, spoils, agreement; else pass or the first legal action."""
    phase = state.phase
    if phase == REORG:
        return KEEP
    if phase == PAY_HOW:
        return FULL if mask[FULL] else FULL + 1
    if phase in (REROLL, AGREE):
        return YES
    if phase in (BOSS_PICK, NEW_BOSS, PAY_WHO) or (phase == PROTECT and state.number >= -6):
        best, found = np.int64(-1), PASS_ACTION
        for c in range(CROOKS):
            if mask[CROOK_AT + c] and own_power(state, c) > best:
                best, found = own_power(state, c), CROOK_AT + c
        return found
    if phase == SPOILS:
        best, found = np.int64(-1), NONE
        for r in range(RACKETS):
            if mask[RACKET_AT + r] and RACKET_INCOME[r] > best:
                best, found = np.int64(RACKET_INCOME[r]), RACKET_AT + r
        return found
    if phase == SPOILS_PAY:
        for action in range(NUM_ACTIONS - 1, PASS_ACTION, -1):
            if mask[action]:
                return action
    if mask[PASS_ACTION]:
        return PASS_ACTION
    if mask[BACKOUT]:
        return BACKOUT
    for action in range(NUM_ACTIONS):
        if mask[action]:
            return action
    return PASS_ACTION
