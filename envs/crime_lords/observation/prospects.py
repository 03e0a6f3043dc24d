"""The kernels that fill in the odds of attacks on every card."""

from __future__ import annotations

import numpy as np

from ...core.kernel import kernel
from ...core.state import State
from ..rules.attack.numbers import hit_number, recruit_number, take_number
from ..rules.mob.derived import count_gain
from ..rules.mob.grid import own_power, strongest
from ..state import CENTRE, CROOKS, LEADER, MAIN, NONE, RACKETS, REC, TAKE
from .layout import (
    AT,
    ONE,
    PER_CARD,
    PER_POWER,
    PRIZE,
    PRIZE_SIZE,
    QUARTER,
    TARGET,
    TARGET_SIZE,
    Vector,
    in_range,
    missing,
)


@kernel(leaf=True)
def observe_prospects(state: State, seat: int, out: Vector) -> None:
    """Every card; in one's main phase the numbers of attacks that one's strongest Crook leads."""
    main = state.seat == seat and state.phase == MAIN
    best = strongest(state, seat) if main else NONE
    observe_targets(state, seat, best, out)
    observe_prizes(state, seat, best, out)


@kernel(leaf=True)
def observe_targets(state: State, seat: int, best: int, out: Vector) -> None:
    """Every Crook; the numbers of attacks that ``best`` leads, if there is one."""
    leading = state.seat == seat and state.phase == LEADER
    for c in range(CROOKS):
        at = AT.targets + TARGET_SIZE * c
        loc = state.crook_loc[c]
        if loc == CENTRE:
            out[at + TARGET.centre] = ONE
            out[at + TARGET.power] = np.float32(own_power(state, c)) * PER_POWER
        elif loc >= 0:
            out[at + TARGET.power] = np.float32(state.strength[c]) * PER_POWER
            out[at + TARGET.boss] = state.boss[loc] == c
            out[at + TARGET.token] = state.token[c]
            if loc == seat:
                out[at + TARGET.own] = ONE
                if leading and state.token[c]:
                    out[at + TARGET.lead] = in_range(led_by(state, seat, c))
                continue
            out[at + TARGET.rival] = ONE
            out[at + TARGET.missing] = missing(state, loc)
        else:
            continue
        if best >= 0:
            out[at + TARGET.recruit] = in_range(recruit_number(state, seat, best, c))
            out[at + TARGET.hit] = in_range(hit_number(state, seat, best, c))


@kernel(leaf=True)
def led_by(state: State, seat: int, crook: int) -> int:
    """The number of the announced attack if this Crook leads it."""
    if state.kind == TAKE:
        return take_number(state, seat, crook, state.target)
    if crook == state.target:
        return 0
    if state.kind == REC:
        return recruit_number(state, seat, crook, state.target)
    return hit_number(state, seat, crook, state.target)


@kernel(leaf=True)
def observe_prizes(state: State, seat: int, best: int, out: Vector) -> None:
    """Every Racket; in one's main phase what it would bring, and need if ``best`` leads."""
    deciding = state.seat == seat
    main = deciding and state.phase == MAIN
    leading = deciding and state.phase == LEADER and state.kind == TAKE
    for r in range(RACKETS):
        at = AT.prizes + PRIZE_SIZE * r
        loc = state.racket_loc[r]
        if loc == CENTRE:
            out[at + PRIZE.centre] = ONE
        elif loc == seat:
            out[at + PRIZE.own] = ONE
        elif loc >= 0:
            out[at + PRIZE.rival] = ONE
            out[at + PRIZE.missing] = missing(state, loc)
        else:
            continue
        out[at + PRIZE.income] = np.float32(state.income[r]) * PER_CARD
        if loc == seat:
            if leading and state.racket_token[r]:
                out[at + PRIZE.lead] = in_range(take_number(state, seat, CROOKS + r, state.target))
        elif main:
            gain = count_gain(state, seat, r)
            out[at + PRIZE.gain] = np.float32(gain) * QUARTER
            out[at + PRIZE.wins] = state.count[seat] + gain >= state.required
            if best >= 0:
                out[at + PRIZE.take] = in_range(take_number(state, seat, best, r))
