"""Success numbers of attacks: modifiers of recruitments, takeovers and Hits (stage 2)."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.state import State
from ...data import (
    ALIASES,
    CROOK_DISTRICT,
    CROOK_N,
    CROOK_RESISTANCE,
    CROOK_TYPE,
    DISTRICT_GUARDS,
    HIT_BODYGUARD,
    HIT_BOSS,
    HIT_HAS_SUBORDINATES,
    HOLDERS,
    LIEUTENANT_MOD,
    MATCHES,
    MOB_N,
    RACKET_DISTRICT,
    RACKET_IN,
    RACKET_KIND,
    RACKET_N,
    RACKET_RESISTANCE,
    SAME_DISTRICT,
    SAME_TYPE,
    UNDER_LIEUTENANT_MOD,
    UNHAPPY_BONUS,
    WAR_BONUS,
    WEAKNESS,
    WEAKNESS_STEP,
)
from ...data.codes import (
    BODYGUARD,
    DEF_RECRUIT,
    DEF_TAKE,
    DEF_TAKE_DISTRICT,
    GUARD_MOB,
    GUARD_SELF,
    LOYAL_UNDER,
    MOB_HIT,
    MOB_RECRUIT,
    MOB_TAKE,
    REGULAR_TYPES,
    SELF_HIT,
    SELF_RECRUIT,
    SELF_TAKE,
    UNIQUE,
)
from ...state import CROOKS, int64
from ..mob.grid import power, racket_power


@kernel(leaf=True)
def mob_bonus(state: State, seat: int, code: int) -> int:
    """Sum of an "any attempt" bonus over the Mob card and the Mob's Crooks (CL-9.11)."""
    if seat < 0:
        return 0
    total = int64(MOB_N[code, state.mob[seat]])
    for c in HOLDERS[code]:
        if c >= 0 and state.crook_loc[c] == seat:
            total += CROOK_N[code, c]
    return total


@kernel(leaf=True)
def recruit_number(state: State, seat: int, leader: int, target: int) -> int:
    """Success number of a recruitment after stage 2 (CL-10.2 to CL-10.6)."""
    number = power(state, leader) - CROOK_RESISTANCE[target]
    number += UNHAPPY_BONUS * state.unhappy[target]
    number += mob_bonus(state, seat, MOB_RECRUIT) + CROOK_N[SELF_RECRUIT, leader]
    owner = state.crook_loc[target]
    if owner >= 0:
        superior = state.superior[target]
        if superior == state.boss[owner]:
            number += LIEUTENANT_MOD
        elif superior >= 0 and state.superior[superior] == state.boss[owner]:
            number += UNDER_LIEUTENANT_MOD
        number -= mob_bonus(state, owner, DEF_RECRUIT)
        if superior >= 0:
            number -= CROOK_N[LOYAL_UNDER, superior]
    own = count_matching(state, seat, WEAKNESS[target])
    theirs = count_matching(state, owner, WEAKNESS[target]) if owner >= 0 else 0
    if own > theirs:
        number += WEAKNESS_STEP
    elif own < theirs:
        number -= WEAKNESS_STEP
    return number


@kernel(leaf=True)
def count_matching(state: State, seat: int, types: int) -> int:
    """Rackets of a seat that count as one of a bit set of types (CL-10.6)."""
    total = 0
    for kind in range(REGULAR_TYPES):
        if types >> kind & 1:
            total += state.types[seat, kind]
    for r in ALIASES:
        if state.racket_loc[r] == seat and not types >> RACKET_KIND[r] & 1:
            total += types & MATCHES[r] != 0
    return total


@kernel(leaf=True)
def take_number(state: State, seat: int, leader: int, target: int) -> int:
    """Success number of a takeover after stage 2 (CL-11.1 to CL-11.5).

    ``leader``: a Crook, or CROOKS + Racket.
    """
    district, kind = RACKET_DISTRICT[target], RACKET_KIND[target]
    owner = state.racket_loc[target]
    number = int64(-RACKET_RESISTANCE[target])
    if leader < CROOKS:
        number += power(state, leader) + CROOK_N[SELF_TAKE, leader]
    else:
        number += racket_power(state, leader - CROOKS)
    number += count_kin(state, seat, target)
    if owner >= 0 and owner != seat:
        number -= count_kin(state, owner, target)
    for r in DISTRICT_GUARDS:
        if r != target and owner >= 0 and state.racket_loc[r] == owner:
            number -= RACKET_N[DEF_TAKE_DISTRICT, r] * (RACKET_IN[DEF_TAKE_DISTRICT, r] == district)
    for c in HOLDERS[MOB_TAKE]:
        if c >= 0 and state.crook_loc[c] == seat:
            fits = CROOK_TYPE[MOB_TAKE, c] == kind or CROOK_DISTRICT[MOB_TAKE, c] == district
            number += CROOK_N[MOB_TAKE, c] if fits else 0
    return number - mob_bonus(state, owner, DEF_TAKE)


@kernel(leaf=True)
def count_kin(state: State, seat: int, target: int) -> int:
    """What a seat's other Rackets in a Racket's district and of its type are worth.

    See CL-11.3 and CL-11.4.
    """
    kind = RACKET_KIND[target]
    itself = int64(state.racket_loc[target] == seat)
    number = SAME_DISTRICT * (state.districts[seat, RACKET_DISTRICT[target]] - itself)
    if kind != UNIQUE:
        number += SAME_TYPE * (state.types[seat, kind] - itself)
    return number


@kernel(leaf=True)
def hit_number(state: State, seat: int, leader: int, target: int) -> int:
    """Success number of a Hit after stage 2 (CL-12.3 to CL-12.5)."""
    number = power(state, leader) - power(state, target) - CROOK_N[GUARD_SELF, target]
    number += mob_bonus(state, seat, MOB_HIT) + CROOK_N[SELF_HIT, leader]
    owner = state.crook_loc[target]
    if owner >= 0:
        for c in HOLDERS[BODYGUARD]:
            if c >= 0 and state.crook_loc[c] == owner and state.superior[c] == target:
                number += HIT_BODYGUARD
        if state.boss[owner] == target:
            number += HIT_BOSS
        elif state.subordinates[target]:
            number += HIT_HAS_SUBORDINATES
        number -= mob_bonus(state, owner, GUARD_MOB)
    if state.war:
        number += WAR_BONUS
    return number
