"""The greedy bot: every legal action gets a value, the best is played (G-24.1)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.rng import GAMMA, mix
from ...core.state import State
from .. import actions as act
from ..data.tables import (
    CASH_TO_WIN,
    COLOUR,
    COLOUR_COUNT,
    JOINTS_TO_WIN,
    OFFER_CASH,
    OFFICER_DICE,
    PRICE,
    PUBLIC_VALUE,
    STREETS,
    SUBWAYS,
)
from ..rules.common import half, joints_of, of_colour
from ..rules.gang.recruiting import recruit_price
from ..rules.shootout.targets import SHOOTERS, SIDES
from ..state import (
    ALLOC,
    APPROACH,
    BUY,
    COMM_DEST,
    COMM_ENTRY,
    COP_ACTIVE,
    COP_DEST,
    COP_ENTRY,
    COP_GANG,
    COP_POLICE,
    COP_VIA,
    COUNT,
    CRIME,
    DEST,
    DOUBLE,
    GANGS,
    INFORMANTS,
    MOVE,
    NONE,
    PICK,
    PLACE,
    POLICE,
    POLICE_BUY,
    POLICE_MOVE,
    POLICE_PUBLIC,
    PUBLIC_DEST,
    RAID_OR_ARREST,
    RECRUIT_PLACE,
    RETURN,
    SELL,
    SET_C,
    SET_R,
    SET_T,
    SHARE,
    STOP,
    TARGET,
    TRADE_ANSWER,
    TRADE_CASH,
    TRADE_GIVE,
    TRADE_TAKE,
    U_JOINT,
    R,
    T,
    V,
)
from .values import (
    MEAN_DICE,
    ONE_JUMP,
    Weights,
    arrest_value,
    best_commissioner,
    best_move,
    best_patrol,
    best_public,
    commissioner_value,
    crime_value,
    hit_value,
    joint_value,
    officer_value,
    public_worth,
    raid_value,
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
    BRIBE_PRICE,
    BRIBE_SPARE,
    BUY_SPARE,
    COMM_ENOUGH,
    COMM_RECRUIT,
    DOUBLE_LEAST,
    ENOUGH_R,
    ENOUGH_T,
    EXTORT_VALUE,
    FLIP_PIECE_VALUE,
    GANG,
    HERE,
    HIRE_PRICE,
    HIRE_SPARE,
    NEW_COP_VALUE,
    NEW_PUBLIC_VALUE,
    PICK_COLOUR,
    PICK_ONE_JUMP,
    PICK_PRICE,
    PLAY_LEAST,
    POLICE_BRIBE,
    POLICE_BRIBE_PRICE,
    POLICE_MARKERS,
    POLICE_PLAYER,
    RECRUIT_GONE,
    RECRUIT_PRICE,
    RECRUIT_VALUE,
    SAVE,
    SHARE_LEAST,
    SPECIFIED,
    START_C,
    START_R,
    START_T,
    STAY_VALUE,
    UP_SPARE,
)

SETUP: Final = (PICK, SET_R, SET_T, SET_C, PLACE)
TRADE: Final = (TRADE_GIVE, TRADE_TAKE, TRADE_CASH, TRADE_ANSWER)
COP_STEP: Final = (COP_GANG, COP_POLICE, COP_ACTIVE, POLICE_MOVE)
PATROL: Final = (
    COP_ENTRY, COP_DEST, COP_VIA, APPROACH, STOP, RAID_OR_ARREST, DOUBLE, SHARE, COMM_ENTRY,
    COMM_DEST,
)  # fmt: skip
"""Phases that one function judges."""

YES: Final = 1000.0
NO: Final = -YES
SLIGHT: Final = 1.0
"""Better than nothing, once there is nothing else to do."""
STEP: Final = 100.0
"""What a preference counts that is no amount of money."""
PICK_NOISE: Final = 120.0
NOISE: Final = 0.01
LARGE: Final = 4
"""Racketeers from which on one may be spared before a joint."""


@kernel
def choose(known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64) -> int:
    """One step ahead with weights found by play.

    Args:
        known: Redacted record; used for trying moves out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Breaks ties.
    """
    return choose_by(known, seat, mask, seed, POLICE_PLAYER if seat == POLICE else GANG)


@kernel
def choose_specified(known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64) -> int:
    """The specification's bot: one step ahead (G-24.1).

    Args:
        known: Redacted record; used for trying moves out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Breaks ties.
    """
    return choose_by(known, seat, mask, seed, SPECIFIED)


@kernel
def value_actions(
    known: State,
    seat: int,
    mask: NDArray[np.bool_],
    seed: np.uint64,
    values: NDArray[np.float64],
) -> None:
    """What :func:`choose` thinks of every legal action, in dollars.

    Args:
        known: Redacted record; used for trying moves out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Breaks ties.
        values: Float64 of the same shape; set where an action is legal.
    """
    value_by(known, seat, mask, seed, POLICE_PLAYER if seat == POLICE else GANG, values)


@kernel(leaf=True)
def choose_by(known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64, w: Weights) -> int:
    """The legal action of the highest value."""
    values = np.empty(len(mask))
    value_by(known, seat, mask, seed, w, values)
    best = NONE
    for action in range(len(mask)):
        if mask[action] and (best == NONE or values[action] > values[best]):
            best = action
    return best


@kernel(leaf=True)
def value_by(
    known: State,
    seat: int,
    mask: NDArray[np.bool_],
    seed: np.uint64,
    w: Weights,
    values: NDArray[np.float64],
) -> None:
    """Fill the values of the legal actions; ties go by chance."""
    kind, piece, mover = known.kind, known.piece, known.mover
    node, facing, steps = known.node, known.facing, known.steps
    transferred, num_barred = known.transferred, known.num_barred
    phase = known.phase
    noise = PICK_NOISE if phase == PICK else NOISE
    for action in range(len(mask)):
        if not mask[action]:
            continue
        if phase in SETUP:
            found = setup_value(known, w, seat, action)
        elif phase in (BUY, POLICE_BUY):
            found = buy_value(known, w, seat, action)
        elif phase in TRADE:
            found = answer_value(known, w, seat, action)
        elif phase == MOVE:
            found = move_value(known, w, seat, action)
        elif phase in COP_STEP:
            found = cop_step_value(known, w, seat, action)
        elif phase in (CRIME, DEST, PUBLIC_DEST):
            found = gang_value(known, w, seat, action)
        elif phase in PATROL:
            found = patrol_value(known, w, seat, action)
        else:
            found = other_value(known, w, seat, action)
        bits = mix(np.uint64(seed) + np.uint64(action + 1) * GAMMA) >> np.uint64(11)
        values[action] = found + noise * np.float64(bits) / 9007199254740992.0
        known.kind, known.piece, known.mover = kind, piece, mover
        known.node, known.facing, known.steps = node, facing, steps
        known.transferred, known.num_barred = transferred, num_barred
    for action in range(len(mask)):
        known.legal[action] = mask[action]


@kernel(leaf=True)
def setup_value(known: State, w: Weights, seat: int, action: int) -> float:
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
    draw = mix(
        np.uint64(known.cash[seat]) + np.uint64(seat) * GAMMA + np.uint64(known.ply)
    ) % np.uint64(6)
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
def cop_step_value(known: State, w: Weights, seat: int, action: int) -> float:
    """COP_GANG, COP_POLICE, COP_ACTIVE, POLICE_MOVE."""
    price = 100 * known.dice[4]
    if action == act.END:
        return 0.0 if seat != POLICE else float(w[ACT_LEAST])
    if action == act.BRIBE:
        if seat == POLICE:
            held = 0
            for slot in range(9):
                held += known.slot_seat[slot] == POLICE
            if held >= w[POLICE_MARKERS]:
                return NO
            return float(w[POLICE_BRIBE] - w[POLICE_BRIBE_PRICE] * price)
        wanted = price <= w[BRIBE_PRICE] and known.cash[seat] >= price + w[BRIBE_SPARE]
        return SLIGHT if wanted else NO
    if action == act.COMMISSIONER:
        if known.c_at == NONE:
            start = SUBWAYS[known.dice[0] - 1]
            return 500.0 + best_commissioner(known, w, start, NONE, known.dice[0] - 1)
        value = best_commissioner(known, w, known.c_at, known.c_came, known.dice[0])
        return value - w[HERE] * commissioner_value(known, w, known.c_at)
    if action == act.RECRUIT_C:
        wanted = known.c_strength < w[COMM_ENOUGH]
        price = 100 * (known.c_strength + 1) * known.dice[0]
        return float(w[COMM_RECRUIT] - w[RECRUIT_PRICE] * price) if wanted else NO
    if action == act.NEW_COP:
        start = SUBWAYS[known.dice[4] - 1]
        best = best_patrol(known, w, seat, start, NONE, known.dice[4] - 1, MEAN_DICE)
        return w[NEW_COP_VALUE] + best
    officer = action - act.COP if action >= act.COP else action - act.PLAY
    dice = float(OFFICER_DICE[officer])
    if known.cop_at[officer] == NONE:
        start = SUBWAYS[known.dice[4] - 1]
        value = best_patrol(known, w, seat, start, NONE, known.dice[4] - 1, dice)
    else:
        at, came = known.cop_at[officer], known.cop_came[officer]
        value = best_patrol(known, w, seat, at, came, known.dice[4], dice)
    return value if action >= act.COP else value - w[PLAY_LEAST]


@kernel(leaf=True)
def move_value(known: State, w: Weights, seat: int, action: int) -> float:
    """MOVE: the best that each piece and Public can make of its die."""
    if action == act.END:
        return float(w[ACT_LEAST])
    if action == act.NEW_PUBLIC:
        return float(w[NEW_PUBLIC_VALUE])
    if action >= act.PUBLIC:
        public = action - act.PUBLIC
        return best_public(known, w, seat, public, PUBLIC_VALUE[public])
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
def patrol_value(known: State, w: Weights, seat: int, action: int) -> float:
    """Where officers and the Commissioner go, and what is asked about them."""
    phase = known.phase
    if phase in (COP_ENTRY, COMM_ENTRY):
        if phase == COMM_ENTRY:
            return best_commissioner(known, w, action, NONE, max(known.dice[0] - 1, 0))
        dice = float(OFFICER_DICE[known.piece])
        return best_patrol(known, w, seat, action, NONE, known.steps - 1, dice)
    if phase == COMM_DEST:
        return commissioner_value(known, w, action)
    if phase == COP_DEST:
        if action == act.VIA:
            return NO
        return officer_value(known, w, seat, action, float(OFFICER_DICE[known.piece]))
    if phase in (COP_VIA, APPROACH) or action == act.END:
        return 0.0
    if phase == STOP:
        node = known.dest
        hit = node >= STREETS and known.lit[node - STREETS] and known.owner[node - STREETS] == seat
        for piece in range(3):
            if known.criminal[seat, piece] and known.at[seat, piece] == node:
                hit = True
        return YES if hit else NO
    if phase == RAID_OR_ARREST:
        if action == act.RAID:
            return raid_value(known, w, seat, known.dest)
        return arrest_value(known, w, seat, known.dest, float(OFFICER_DICE[known.piece]))
    if phase == DOUBLE:
        return double_value(known, w)
    share = min(half(known.payoff), known.left_to_share)
    return YES if share >= w[SHARE_LEAST] else NO


@kernel(leaf=True)
def double_value(known: State, w: Weights) -> float:
    """DOUBLE: a large payoff, and another marker stays."""
    held = 0
    for slot in range(9):
        held += known.slot_seat[slot] == POLICE
    if known.fight == NONE:
        worth = joint_value(known, known.raid_node)
    else:
        worth = 0.0
        for gang in range(GANGS):
            for piece in range(2):
                if known.criminal[gang, piece] and known.at[gang, piece] == known.fight:
                    worth = max(worth, 100.0 * known.strength[gang, piece])
    return YES if worth >= w[DOUBLE_LEAST] and held >= 2 else NO


@kernel(leaf=True)
def police_value(known: State, w: Weights, action: int) -> float:
    """INFORMANTS and POLICE_PUBLIC."""
    if action == act.END:
        return 0.0
    if known.phase == INFORMANTS:
        if action >= act.FLIP_PIECE:
            return float(w[FLIP_PIECE_VALUE])
        return SLIGHT if action >= act.CHIT else NO
    if action == act.HIRE:
        price = 100 * known.dice[3]
        wanted = price <= w[HIRE_PRICE] and known.cash[POLICE] >= price + w[HIRE_SPARE]
        return YES if wanted else NO
    return NO


@kernel(leaf=True)
def other_value(known: State, w: Weights, seat: int, action: int) -> float:
    """COUNT, RECRUIT_PLACE, SELL, TARGET, RETURN, ALLOC, INFORMANTS, POLICE_PUBLIC."""
    phase = known.phase
    if phase in (INFORMANTS, POLICE_PUBLIC):
        return police_value(known, w, action)
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
