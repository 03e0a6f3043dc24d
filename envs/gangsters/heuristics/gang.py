"""What a gang's choices are worth: its set-up, its turn, and what it loses."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.kernel import kernel
from ...core.rng import mix
from ...core.state import State
from .. import actions as act
from ..data import (
    CASH_TO_WIN,
    COLOUR,
    COLOUR_COUNT,
    JOINTS_TO_WIN,
    OFFER_CASH,
    PRICE,
    PUBLIC_VALUE,
    STREETS,
)
from ..rules.common import joints_of, of_colour
from ..rules.gang.recruiting import recruit_price
from ..rules.shootout.targets import SHOOTERS, SIDES
from ..state import (
    ALLOC,
    COUNT,
    DEST,
    NONE,
    PICK,
    PLACE,
    POLICE,
    PUBLIC_DEST,
    RECRUIT_PLACE,
    RETURN,
    SELL,
    SET_C,
    SET_R,
    TARGET,
    TRADE_ANSWER,
    U_JOINT,
    R,
    T,
    V,
)
from .values import (
    NO,
    ONE_JUMP,
    STEP,
    YES,
    Weights,
    best_move,
    best_public,
    crime_value,
    hit_value,
    joint_value,
    public_worth,
    seduction_value,
    stand_value,
    target_value,
    to_unowned,
)
from .weights import (
    ACT_LEAST,
    ANSWER_COLOUR,
    ANSWER_JOINT,
    ANSWER_LEAST,
    ANSWER_PRICE,
    BUY_SPARE,
    ENOUGH_R,
    ENOUGH_T,
    EXTORT_VALUE,
    HERE,
    NEW_PUBLIC_VALUE,
    PICK_COLOUR,
    PICK_ONE_JUMP,
    PICK_PRICE,
    PUBLIC_PRICE,
    RECRUIT_GONE,
    RECRUIT_PRICE,
    RECRUIT_VALUE,
    SAVE,
    START_C,
    START_R,
    START_T,
    STAY_VALUE,
    UP_SPARE,
)

LARGE: Final = 4
"""Racketeers from which on one may be spared before a joint."""


@kernel(leaf=True)
def setup_value(known: State, w: Weights, seat: int, action: int, seed: np.uint64) -> float:
    """PICK, SET_R, SET_T, SET_C, PLACE."""
    phase = known.phase
    if phase == PICK:
        building = action - STREETS
        value = w[PICK_PRICE] * PRICE[building] + w[PICK_ONE_JUMP] * ONE_JUMP[building]
        return float(value + w[PICK_COLOUR] * (of_colour(known, seat, COLOUR[building]) > 0))
    if phase == PLACE:
        if known.setup_at % 3 != R:
            return -STEP * to_unowned(known, action)
        building = action - STREETS
        shared = of_colour(known, seat, COLOUR[building]) > 1
        return 300.0 * shared + PRICE[building] + 100.0 * ONE_JUMP[building]
    strength = action - act.STRENGTH + 1
    # Without a wish of their own gangs take 4 or 5 Racketeers, two to one, and 1 or 2 Thugs.
    draw = mix(np.uint64(seed)) % np.uint64(6)
    if phase == SET_C:
        wish = w[START_C]
    elif phase == SET_R:
        wish = w[START_R] if w[START_R] > 0 else 4.0 + (draw < 2)
    else:
        wish = w[START_T] if w[START_T] > 0 else 1.0 + (draw < 3)
    return -STEP * abs(strength - wish)


@kernel(leaf=True)
def buy_value(known: State, w: Weights, seat: int, action: int) -> float:
    """BUY and POLICE_BUY: no offers, no equipment."""
    if action == act.END:
        return 0.0
    if seat == POLICE:
        return YES if action == act.BUY_BUILDING else NO
    if action in (act.BUY_BUILDING, act.IMPROVE):
        price = PRICE[known.at[seat, R] - STREETS]
        spare = w[BUY_SPARE] if action == act.BUY_BUILDING else w[UP_SPARE]
        return YES if price + spare <= known.cash[seat] < w[SAVE] else NO
    return NO


@kernel(leaf=True)
def answer_value(known: State, w: Weights, seat: int, action: int) -> float:
    """TRADE_ANSWER; the steps of an own offer, which it never begins, are as they come."""
    if known.phase != TRADE_ANSWER or action == act.END:
        return 0.0
    change = OFFER_CASH[known.cash_step]
    active = known.active
    value = float(change)
    theirs = joints_of(known, active)
    if known.offer_give != NONE:
        colour = COLOUR[known.offer_give - STREETS]
        value += w[ANSWER_PRICE] * joint_value(known, known.offer_give) + w[ANSWER_JOINT]
        value += w[ANSWER_COLOUR] * of_colour(known, seat, colour)
        theirs -= 1
    if known.offer_take != NONE:
        colour = COLOUR[known.offer_take - STREETS]
        value -= w[ANSWER_PRICE] * joint_value(known, known.offer_take) + w[ANSWER_JOINT]
        value -= w[ANSWER_COLOUR] * of_colour(known, seat, colour)
        theirs += 1
        if of_colour(known, active, colour) + 1 >= COLOUR_COUNT[colour]:
            return NO
    if theirs >= JOINTS_TO_WIN or known.cash[active] - change >= CASH_TO_WIN:
        return NO
    return YES if value >= w[ANSWER_LEAST] else NO


@kernel(leaf=True)
def move_value(known: State, w: Weights, seat: int, action: int) -> float:
    """MOVE: the best that each piece and Public can make of its die."""
    if action == act.END:
        return float(w[ACT_LEAST])
    if action == act.NEW_PUBLIC:
        return float(w[NEW_PUBLIC_VALUE] - w[PUBLIC_PRICE] * known.public_actions)
    if action >= act.PUBLIC:
        public = action - act.PUBLIC
        gain = best_public(known, w, seat, public, PUBLIC_VALUE[public])
        return gain - w[PUBLIC_PRICE] * known.public_actions
    if action >= act.STAY:
        return float(w[STAY_VALUE] * known.dice[action - act.STAY + T])
    if action >= act.RECRUIT:
        piece = action - act.RECRUIT
        strength = known.strength[seat, piece]
        value = 0.0
        if strength == 0:
            value = w[RECRUIT_GONE]
            if known.cash[seat] >= w[SAVE]:
                # Without all three pieces no gang wins (G-1.3).
                value = 10.0 * value
        elif known.cash[seat] >= w[SAVE]:
            value = NO
        elif strength < w[ENOUGH_R if piece == R else ENOUGH_T]:
            value = w[RECRUIT_VALUE]
        return value - w[RECRUIT_PRICE] * recruit_price(known, seat, piece)
    piece = action - act.MOVE_PIECE
    here = stand_value(known, w, seat, piece, known.at[seat, piece])
    return best_move(known, w, seat, piece) - w[HERE] * here


@kernel(leaf=True)
def gang_value(known: State, w: Weights, seat: int, action: int) -> float:
    """DEST, CRIME, PUBLIC_DEST."""
    piece = known.piece
    if known.phase == PUBLIC_DEST:
        # To the police every gang's joint is a rival's.
        side = NONE if seat == POLICE else seat
        return public_worth(known, w, side, action, PUBLIC_VALUE[piece])
    if known.phase == DEST:
        value = stand_value(known, w, seat, piece, action)
        return value + crime_value(known, w, seat, piece, action)
    if action == act.END:
        return 0.0
    if action == act.HIT:
        return hit_value(known, w, seat, piece, known.at[seat, piece])
    if action == act.EXTORT:
        return float(w[EXTORT_VALUE] * known.dice[piece])
    place = action - act.SEDUCE
    rival = (seat + place // 2 + 1) % known.num_seats
    return seduction_value(known, w, seat, rival, place % 2)


@kernel(leaf=True)
def other_value(known: State, w: Weights, seat: int, action: int) -> float:
    """COUNT, RECRUIT_PLACE, SELL, TARGET, RETURN, ALLOC."""
    phase = known.phase
    if phase == RECRUIT_PLACE:
        return -STEP * to_unowned(known, action)
    if phase == SELL:
        return -joint_value(known, action)
    if phase in (TARGET, RETURN):
        side = (seat + action - act.TARGET_SIDE + 1) % known.num_seats
        return target_value(known, w, known.fight, side, known.asked > U_JOINT)
    if phase == ALLOC:
        return loss_value(known, action)
    return YES if phase == COUNT and action == act.OWN_DIE else 0.0


@kernel(leaf=True)
def loss_value(known: State, action: int) -> float:
    """ALLOC: a cop, some of many Racketeers, a spare level, a Thug, the Vamp, the rest."""
    if action == act.END:
        return 10 * STEP
    kind = action - act.LOSE
    side = known.cursor // SHOOTERS % SIDES
    if kind == 4:
        return 9 * STEP
    if kind == R:
        return 8 * STEP if known.strength[side, R] - known.loss[side * 3 + R] > LARGE else 5 * STEP
    if kind == 3:
        return (
            7 * STEP if known.level[known.fight - STREETS] - known.loss[U_JOINT] > 1 else 3 * STEP
        )
    if kind == T:
        return 6 * STEP
    return (4 if kind == V else 2) * STEP
