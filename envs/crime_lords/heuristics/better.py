"""Heuristic players of Crime Lords: a stronger one by default, the specification's beside it.

The stronger one weighs every leader for every target with the defence that the owner can put up,
takes an attack back that has become hopeless, pays in a showdown what the chance is worth, protects
what is worth a token, plays the Specials that bring money, and values a Racket by how far it brings
the own count (bonuses included) and by whom it sets back.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import (
    ABIL,
    AGAINST_AT,
    BACKOUT,
    CROOK_AT,
    END,
    FOR_AT,
    PASS_ACTION,
    PLAYER_AT,
    RACKET_AT,
    REC_AT,
    SPECIAL_AT,
    SWING,
    TAKE_AT,
    VISIT,
)
from ..data import (
    CROOK_N,
    MONEY,
    RACKET_DISTRICT,
    RACKET_INCOME,
    RACKET_N,
    SPECIAL_N,
    THIRD_PARTY_MAX,
    TURN_ABILITY,
)
from ..data.codes import (
    BAG_OF_CASH,
    DISTRICT_MUSCLE,
    INSIDE_MAN,
    MUSCLE_ANY,
    SECOND_WIND,
    SELF_TAKE,
    SHAKEDOWN,
    T_CASH,
    T_STEAL,
    TIP_OFF,
)
from ..rules.attack.numbers import recruit_number, take_number
from ..rules.mob.derived import count_gain
from ..rules.mob.grid import own_power, power, racket_power
from ..state import (
    ABIL_TARGET,
    ABIL_WHO,
    ASSIST,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    CROOKS,
    DEFEND,
    HIT,
    LEADER,
    MAIN,
    NONE,
    PROTECT,
    RACKETS,
    REC,
    SP_TARGET,
    SPOILS,
    TAKE,
)
from .specified import CHANCES, SURE, choose_specified, helpers

__all__ = ["choose", "choose_specified"]


# Points; the scale is that of the specification's bot, where a G is worth 0.35.
PER_COUNT: Final = 9.0
PER_INCOME: Final = 1.3
FROM_RIVAL: Final = 1.5
SET_BACK: Final = 8.0
WINNING: Final = 40.0
PER_G: Final = 0.35
PER_G_TO_WIN: Final = 0.08
HELPER: Final = 0.25
"""Price of a point of a helper's Power in one's own turn, when tokens come back at its end."""
GUARD: Final = 0.7
"""Price of a point of Power spent in defence: the token is missed in the own turn."""
TO_ACT: Final = 2.5
"""The first action of a turn gives up ten G (CL-4.6)."""
LEAST: Final = 0.8


@kernel(leaf=True)
def odds(number: float) -> float:
    """Chance of success of a number (CL-9.5), between whole numbers too."""
    if number <= 1.0:
        return 0.0
    if number >= SURE:
        return CHANCES[SURE]
    low = int(number)
    part = number - low
    return CHANCES[low] * (1.0 - part) + CHANCES[low + 1] * part


@kernel(leaf=True)
def spare(state: State, seat: int, money: int) -> int:
    """Money beyond what the next pay step needs over the next income."""
    return max(0, money - max(0, state.due[seat] - state.mob_income[seat]))


@kernel(leaf=True)
def worth(state: State, seat: int, racket: int) -> float:
    """Points that a Racket is worth to a seat that does not have it."""
    gain = count_gain(state, seat, racket)
    missing = state.required - state.count[seat]
    value = PER_COUNT * gain + PER_INCOME * RACKET_INCOME[racket]
    if gain >= missing:
        value += WINNING
    elif gain + 1 == missing:
        value += 0.2 * WINNING
    owner = state.racket_loc[racket]
    if owner >= 0:
        value += FROM_RIVAL
        if state.count[owner] + 2 >= state.required:
            value += SET_BACK
    return value


@kernel(leaf=True)
def wins_by(state: State, seat: int, racket: int) -> bool:
    """Whether a seat has the count with this Racket."""
    return state.count[seat] + count_gain(state, seat, racket) >= state.required


@kernel(leaf=True)
def price_of_g(state: State, seat: int, racket: int) -> float:
    """Points of a G spent for or against a takeover."""
    return PER_G_TO_WIN if wins_by(state, seat, racket) else PER_G


@kernel(leaf=True)
def guard(state: State, seat: int, racket: int) -> float:
    """What an owner is expected to put up: protector, half of his helpers, some money."""
    best, total = np.int64(0), np.int64(0)
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.token[c]:
            best = max(best, power(state, c))
            total += power(state, c)
    strength = best + 0.3 * (total - best)
    for r in range(RACKETS):
        if state.racket_loc[r] == seat and state.racket_token[r]:
            near = RACKET_DISTRICT[r] == RACKET_DISTRICT[racket]
            if RACKET_N[MUSCLE_ANY, r] or (RACKET_N[DISTRICT_MUSCLE, r] and near):
                strength += 0.5 * racket_power(state, r)
    return strength + min(8, spare(state, seat, state.ledger[seat]) // 2)


@kernel(leaf=True)
def against_winner(state: State, seat: int, owner: int) -> float:
    """Money that third parties are expected to spend against a takeover that wins."""
    total = 0.0
    for other in range(state.num_seats):
        if other != seat and state.alive[other]:
            most = np.float64(min(THIRD_PARTY_MAX, state.ledger[other]))
            total += 0.0 if other == owner else 0.6 * most
    return total


@kernel(leaf=True)
def best_money(number: float, added: float, money: int, value: float, price: float) -> int:
    """Ladder step that is worth most; ``added``: what helpers can still add."""
    best, step = -1e9, 0
    for i in range(len(MONEY)):
        if MONEY[i] > money:
            break
        points = plan(number + MONEY[i], added, value) - price * MONEY[i]
        if points > best + 1e-9:
            best, step = points, i
    return step


@kernel(leaf=True)
def plan(number: float, added: float, value: float) -> float:
    """Points of an attack at this number when helpers fill what is missing."""
    used = min(added, max(0.0, SURE - number))
    return max(odds(number) * value, odds(number + used) * value - HELPER * used)


@kernel(leaf=True)
def take_points(state: State, seat: int, leader: int, racket: int, money: int) -> float:
    """Points of a takeover with this leader, money and defence counted in."""
    owner = state.racket_loc[racket]
    number = np.float64(take_number(state, seat, leader, racket))
    if owner >= 0:
        number -= guard(state, owner, racket)
    if wins_by(state, seat, racket):
        number -= against_winner(state, seat, owner)
    added = np.float64(helpers(state, seat, TAKE, leader, racket))
    value = worth(state, seat, racket)
    price = price_of_g(state, seat, racket)
    step = best_money(number, added, money, value, price)
    paid = np.float64(MONEY[step])
    return plan(number + paid, added, value) - price * paid - HELPER * power(state, leader)


@kernel(leaf=True)
def best_leader(state: State, seat: int, racket: int, money: int) -> tuple[int, float]:
    """The leader of most points for a takeover, and his points."""
    found, best = NONE, -1e9
    for c in range(CROOKS):
        if state.crook_loc[c] == seat and state.token[c]:
            points = take_points(state, seat, c, racket, money)
            if points > best:
                found, best = c, points
    return found, best


@kernel(leaf=True)
def recruit_points(state: State, seat: int, crook: int, money: int) -> float:
    """Points of a recruitment led by the weakest Crook who can."""
    mine = own_power(state, crook)
    leader = NONE
    for c in range(CROOKS):
        able = state.crook_loc[c] == seat and state.token[c] and power(state, c) > mine
        if able and (leader < 0 or power(state, c) < power(state, leader)):
            leader = c
    if leader < 0:
        return -1.0
    left = state.treasury[seat] + state.mob_income[seat] - state.due[seat] - mine
    if left < 0 and state.crooks[seat] > 2:
        return -1.0
    number = np.float64(recruit_number(state, seat, leader, crook))
    value = 1.0 + 1.2 * mine
    step = best_money(number, 0.0, money, value, PER_G)
    return odds(number + MONEY[step]) * value - PER_G * MONEY[step] - HELPER * power(state, leader)


@kernel(leaf=True)
def main_choice(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """Money first, then the best attack, a visit, money from an ability; else the end."""
    for kind in (BAG_OF_CASH, SHAKEDOWN):
        if mask[SPECIAL_AT + kind]:
            return SPECIAL_AT + kind
    money = spare(state, seat, state.treasury[seat])
    best, found = (LEAST if state.acted else TO_ACT), END
    for r in range(RACKETS):
        if mask[TAKE_AT + r]:
            spend = np.int64(state.treasury[seat]) if wins_by(state, seat, r) else money
            _, points = best_leader(state, seat, r, spend)
            if points > best:
                best, found = points, TAKE_AT + r
    for c in range(CROOKS):
        if mask[REC_AT + c] and state.crook_loc[c] != seat:
            points = recruit_points(state, seat, c, money)
            if points > best:
                best, found = points, REC_AT + c
    if found != END or not state.acted:
        return found
    if mask[SPECIAL_AT + SECOND_WIND] and money > 3:
        return SPECIAL_AT + SECOND_WIND
    if mask[VISIT]:
        return VISIT
    if mask[ABIL]:
        for c in range(CROOKS):
            ready = state.crook_loc[c] == seat and state.token[c]
            if ready and TURN_ABILITY[c] in (T_CASH, T_STEAL):
                return ABIL
    return END


@kernel(leaf=True)
def lead(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """The leader that the attack was announced for."""
    found, best = NONE, -1e9
    money = spare(state, seat, state.treasury[seat])
    if state.kind == TAKE and wins_by(state, seat, state.target):
        money = np.int64(state.treasury[seat])
    for c in range(CROOKS):
        if mask[CROOK_AT + c]:
            if state.kind == TAKE:
                points = take_points(state, seat, c, state.target, money)
            else:
                points = -np.float64(power(state, c))
            if points > best:
                found, best = CROOK_AT + c, points
    return found


@kernel(leaf=True)
def stake(state: State, seat: int) -> float:
    """Points that the takeover in progress is worth to the attacker, or costs the asked seat."""
    value = worth(state, state.attacker, state.target)
    if seat == state.owner:
        value = PER_COUNT + PER_INCOME * RACKET_INCOME[state.target] + 0.2 * value
        if state.count[seat] + 2 >= state.required:
            value += SET_BACK
    if seat != state.attacker and wins_by(state, state.attacker, state.target):
        value += WINNING
    return value


@kernel(leaf=True)
def pay_for(state: State, seat: int) -> int:
    """The attacker's money in the showdown, or the attack taken back when it is hopeless."""
    number = np.float64(state.number)
    if state.kind != TAKE:
        value = 1.0 + 1.2 * own_power(state, state.target)
        step = best_money(number, 0.0, spare(state, seat, state.treasury[seat]), value, PER_G)
        points = plan(number + MONEY[step], 0.0, value) - PER_G * MONEY[step]
    else:
        winning = wins_by(state, seat, state.target)
        value = stake(state, seat)
        money = np.int64(state.treasury[seat])
        if not winning:
            money = spare(state, seat, money)
        if state.owner >= 0:
            number -= min(8, spare(state, state.owner, state.ledger[state.owner]) // 2)
        if winning:
            number -= against_winner(state, seat, state.owner)
        added = np.float64(helpers(state, seat, TAKE, state.leader, state.target))
        price = PER_G_TO_WIN if winning else PER_G
        step = best_money(number, added, money, value, price)
        points = plan(number + MONEY[step], added, value) - price * MONEY[step]
    if points < LEAST and state.backouts < state.max_backouts:
        return BACKOUT
    return FOR_AT + step if step > 0 else PASS_ACTION


@kernel(leaf=True)
def expected(state: State, number: int) -> float:
    """The number after the attacker's own money and helpers, as far as he needs them."""
    seat = state.attacker
    more = np.float64(0.8 * spare(state, seat, state.ledger[seat]))
    if state.leader >= 0:
        more += 0.8 * helpers(state, seat, TAKE, state.leader, state.target)
    return max(np.float64(number), min(number + more, SURE + 4.0))


@kernel(leaf=True)
def pay_against(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """Money of the owner, or of a third party against whoever would win."""
    if state.kind != TAKE:
        return PASS_ACTION
    number = expected(state, state.number)
    owns = seat == state.owner
    winning = wins_by(state, state.attacker, state.target)
    if not owns and not winning:
        return PASS_ACTION
    money = np.int64(state.treasury[seat])
    if not winning:
        money = spare(state, seat, money)
    if not owns:
        number -= 0.5 * against_winner(state, state.attacker, seat)
    value = stake(state, seat)
    price = PER_G_TO_WIN if winning else PER_G
    best, step = -odds(number) * value, 0
    for i in range(1, len(MONEY)):
        if not mask[AGAINST_AT + i] or MONEY[i] > money:
            break
        points = -odds(number - MONEY[i]) * value - price * MONEY[i]
        if points > best + 1e-9:
            best, step = points, i
    return AGAINST_AT + step if step > 0 else PASS_ACTION


@kernel(leaf=True)
def protect(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """A protector if the chance that he takes is worth more than his token."""
    value = stake(state, seat)
    best, found = -odds(expected(state, state.number)) * value, PASS_ACTION
    for c in range(CROOKS):
        if mask[CROOK_AT + c]:
            strength = power(state, c)
            points = -odds(expected(state, state.number - strength)) * value - GUARD * strength
            if points > best:
                best, found = points, CROOK_AT + c
    return found


@kernel(leaf=True)
def add_to(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """The helper or defender of the best return; Specials and swings when they pay."""
    assist = state.phase == ASSIST
    sign, price = (1.0, HELPER) if assist else (-1.0, GUARD)
    value = 8.0
    if state.kind == TAKE:
        value = stake(state, seat)
    number = np.float64(state.number)
    if assist and state.owner >= 0 and state.kind == TAKE and state.protector >= 0:
        # The owner may still answer.
        number -= 1.0
    now = odds(number)
    best, found = 0.0, PASS_ACTION
    for c in range(CROOKS):
        if mask[CROOK_AT + c]:
            strength = np.float64(power(state, c))
            if assist and state.kind == TAKE:
                strength += CROOK_N[SELF_TAKE, c]
            elif not assist and state.kind not in (TAKE, REC):
                strength = 3.0
            points = sign * (odds(number + sign * strength) - now) * value - price * strength
            if points > best:
                best, found = points, CROOK_AT + c
    for r in range(RACKETS):
        if mask[RACKET_AT + r]:
            strength = np.float64(racket_power(state, r))
            points = sign * (odds(number + sign * strength) - now) * value - 0.1 * strength
            if points > best:
                best, found = points, RACKET_AT + r
    if found != PASS_ACTION:
        return found
    # Several together may do what one alone cannot.
    if assist and number + added_by(state, seat, mask) >= 4.0 and number < 4.0:
        for c in range(CROOKS):
            if mask[CROOK_AT + c]:
                return CROOK_AT + c
    for kind in (INSIDE_MAN, TIP_OFF):
        gain = sign * (odds(number + sign * SPECIAL_N[kind]) - now) * value
        if mask[SPECIAL_AT + kind] and gain > 4.0:
            return SPECIAL_AT + kind
    swing = sign * (odds(number + sign * 4.0) - now) * value
    return SWING if mask[SWING] and swing > 3.0 else PASS_ACTION


@kernel(leaf=True)
def added_by(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """All that the Crooks who may help could add."""
    total = np.int64(0)
    for c in range(CROOKS):
        if mask[CROOK_AT + c]:
            total += power(state, c)
    return total


@kernel(leaf=True)
def target_choice(state: State, seat: int, mask: NDArray[np.bool_]) -> int:
    """Targets of the Specials and abilities that this player uses; spoils by their worth."""
    found, best = NONE, -1e9
    for j in range(1, state.num_seats):
        if mask[PLAYER_AT + j]:
            money = np.float64(state.ledger[(seat + j) % state.num_seats])
            if money > best:
                found, best = PLAYER_AT + j, money
    for c in range(CROOKS):
        if mask[CROOK_AT + c]:
            points = np.float64(power(state, c))
            if state.phase == ABIL_WHO and TURN_ABILITY[c] not in (T_CASH, T_STEAL):
                points = -100.0
            if points > best:
                found, best = CROOK_AT + c, points
    for r in range(RACKETS):
        if mask[RACKET_AT + r]:
            points = worth(state, seat, r) if state.phase == SPOILS else 0.0
            if points > best:
                found, best = RACKET_AT + r, points
    return found


@kernel
def choose(known: Any, seat: int, mask: NDArray[np.bool_], seed: np.uint64) -> int:
    """The stronger heuristic: every leader and defence weighed, hopeless attacks taken back."""
    phase = known.phase
    if phase == MAIN:
        return main_choice(known, seat, mask)
    if phase == LEADER and known.kind != HIT:
        return lead(known, seat, mask)
    if phase == COMMIT_A:
        return pay_for(known, seat)
    if phase in (COMMIT_D, COMMIT_T):
        return pay_against(known, seat, mask)
    if phase == PROTECT:
        return protect(known, seat, mask)
    if phase in (ASSIST, DEFEND):
        return add_to(known, seat, mask)
    if phase in (SP_TARGET, ABIL_WHO, ABIL_TARGET, SPOILS):
        return target_choice(known, seat, mask)
    return choose_specified(known, seat, mask, seed)
