"""What follows from the cards of a seat, kept in the record: income, counts, free sides."""

from __future__ import annotations

from typing import Final

import numpy as np

from ....core.kernel import kernel
from ....core.state import State
from ...data import (
    CROOK_N,
    CROOK_TYPE,
    HOLDERS,
    MOB_DISTRICT,
    MOB_MAX,
    MOB_N,
    PAIR,
    RACKET_CARD,
    RACKET_DISTRICT,
    RACKET_INCOME,
    RACKET_KIND,
    RACKET_MAX,
    RACKET_MIN,
    RACKET_N,
    RACKET_TYPE,
)
from ...data.codes import (
    COMBO_CARD,
    COMBO_PAIR,
    COMBO_PER,
    COMBO_SET,
    INCOME_DISTRICT,
    INCOME_TYPE,
    NO_PAY,
    REGULAR_TYPES,
)
from ...state import CROOKS, DISTRICTS, RACKETS, SIDES, int64
from .grid import DX, DY, lowest, power

NEAR: Final = 2
CLOSED: Final = np.array(
    [
        [
            sum(
                1 << side
                for side in range(SIDES)
                if (x, y) != (0, 0) and abs(x - DX[side]) + abs(y - DY[side]) <= 1
            )
            for y in range(-NEAR, NEAR + 1)
        ]
        for x in range(-NEAR, NEAR + 1)
    ],
    np.int8,
)
"""Bit set of the sides that a Crook (x - NEAR, y - NEAR) cells away closes (CL-5.4)."""


@kernel
def refresh(state: State) -> None:
    """Compute again what is derived from the cards of the seats that changed."""
    for seat in range(state.num_seats):
        if state.dirty >> seat & 1:
            refresh_crooks(state, seat)
            refresh_rackets(state, seat)
    state.dirty = 0
    refresh_counts(state)


@kernel(leaf=True)
def refresh_crooks(state: State, seat: int) -> None:
    """Number, Power, pay, depth, direct subordinates and free sides of a Mob's Crooks."""
    members = int64(0)
    number = 0
    for c in range(CROOKS):
        if state.crook_loc[c] == seat:
            members |= int64(1) << c
            number += 1
            state.subordinates[c] = 0
            state.strength[c] = power(state, c)
    state.members[seat] = members
    state.crooks[seat] = number
    due = int64(0)
    rest = members
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        if CROOK_N[NO_PAY, c] == 0:
            due += state.strength[c]
        depth = 0
        k = state.superior[c]
        if k >= 0:
            state.subordinates[k] += 1
        while k >= 0:
            depth += 1
            k = state.superior[k]
        state.depth[c] = depth
        state.free_sides[c] = free_sides(state, c, members) if state.placed[c] else 0
    state.due[seat] = due


@kernel(leaf=True)
def free_sides(state: State, crook: int, members: int) -> int:
    """Bit set of the sides of a Crook on the grid on which another could stand (CL-5.10)."""
    free = (1 << SIDES) - 1
    rest = members
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        dx, dy = state.x[c] - state.x[crook], state.y[c] - state.y[crook]
        if state.placed[c] and abs(dx) <= NEAR and abs(dy) <= NEAR:
            free &= ~CLOSED[dx + NEAR, dy + NEAR]
    return free


@kernel(leaf=True)
def refresh_rackets(state: State, seat: int) -> None:
    """Rackets of a seat by district and type, and their current income (CL-7.4)."""
    held = int64(0)
    state.districts[seat, :] = 0
    state.types[seat, :] = 0
    number = 0
    for r in range(RACKETS):
        if state.racket_loc[r] == seat:
            held |= int64(1) << r
            number += 1
            state.districts[seat, RACKET_DISTRICT[r]] += 1
            state.types[seat, RACKET_KIND[r]] += 1
    state.rackets[seat] = number
    total = int64(0)
    paying = int64(0)
    mob = state.mob[seat]
    while held:
        r = lowest(held)
        held &= held - 1
        income = racket_income(state, seat, r)
        if state.blocked[r]:
            income = int64(0)
        elif RACKET_DISTRICT[r] == MOB_DISTRICT[INCOME_DISTRICT, mob]:
            paying += 1
        state.income[r] = income
        total += income
    total += min(int64(MOB_MAX[INCOME_DISTRICT, mob]), MOB_N[INCOME_DISTRICT, mob] * paying)
    state.mob_income[seat] = total


@kernel(leaf=True)
def racket_income(state: State, seat: int, racket: int) -> int:
    """Income of a Racket that is not blocked: printed, combo, ``INCOME_TYPE`` (CL-7.4)."""
    r = racket
    kind = RACKET_KIND[r]
    income = int64(RACKET_INCOME[r])
    if RACKET_N[COMBO_PAIR, r] != 0 and PAIR[r] >= 0 and state.racket_loc[PAIR[r]] == seat:
        income += RACKET_N[COMBO_PAIR, r]
    if RACKET_N[COMBO_SET, r] != 0 and state.types[seat, kind] >= RACKET_MIN[COMBO_SET, r]:
        income += RACKET_N[COMBO_SET, r]
    if RACKET_N[COMBO_PER, r] != 0:
        each = RACKET_N[COMBO_PER, r] * state.types[seat, RACKET_TYPE[COMBO_PER, r]]
        income += min(int64(RACKET_MAX[COMBO_PER, r]), each)
    if RACKET_N[COMBO_CARD, r] != 0 and state.racket_loc[RACKET_CARD[COMBO_CARD, r]] == seat:
        income += RACKET_N[COMBO_CARD, r]
    for c in HOLDERS[INCOME_TYPE]:
        if c >= 0 and CROOK_TYPE[INCOME_TYPE, c] == kind and state.crook_loc[c] == seat:
            income += CROOK_N[INCOME_TYPE, c]
    return income


@kernel(leaf=True)
def refresh_counts(state: State) -> None:
    """Count of every seat towards victory (CL-20.1 to CL-20.3)."""
    for seat in range(state.num_seats):
        total = int64(state.rackets[seat])
        if state.bonus_counts:
            for kind in range(REGULAR_TYPES):
                if state.types[seat, kind] >= 3:
                    alone = True
                    for other in range(state.num_seats):
                        alone &= other == seat or state.types[other, kind] == 0
                    total += alone
            for district in range(DISTRICTS):
                if state.districts[seat, district] >= 4:
                    alone = True
                    for other in range(state.num_seats):
                        alone &= other == seat or state.districts[other, district] <= 1
                    total += 2 * alone
        state.count[seat] = total


@kernel(leaf=True)
def count_gain(state: State, seat: int, racket: int) -> int:
    """By how much a Racket raises a seat's count, bonuses included (CL-20.1 to CL-20.3)."""
    if not state.bonus_counts:
        return 1
    owner = state.racket_loc[racket]
    kind, district = RACKET_KIND[racket], RACKET_DISTRICT[racket]
    gain = 1
    if kind < REGULAR_TYPES and state.types[seat, kind] >= 2:
        before, after = state.types[seat, kind] >= 3, True
        for other in range(state.num_seats):
            if other != seat:
                held = state.types[other, kind]
                before &= held == 0
                after &= held - (other == owner) == 0
        gain += int(after) - int(before)
    if state.districts[seat, district] >= 3:
        before, after = state.districts[seat, district] >= 4, True
        for other in range(state.num_seats):
            if other != seat:
                held = state.districts[other, district]
                before &= held <= 1
                after &= held - (other == owner) <= 1
        gain += 2 * (int(after) - int(before))
    return gain
