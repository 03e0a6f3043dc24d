"""The kernels that fill in what the decision that is due is about."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...core.kernel import kernel
from ...core.state import State
from ..data import OFFER_CASH, PRICE, STREETS
from ..rules.shootout.targets import SHOOTERS, SIDES, shooter
from ..state import (
    ALLOC,
    APPROACH,
    COMM_DEST,
    COMM_ENTRY,
    COP_DEST,
    COP_ENTRY,
    COP_VIA,
    COUNT,
    CRIME,
    DEST,
    DOUBLE,
    GANGS,
    K_COP,
    K_GANG,
    K_PUBLIC,
    NONE,
    PLACE,
    POLICE,
    PUBLIC_DEST,
    RAID_OR_ARREST,
    RECRUIT_PLACE,
    RETURN,
    SHARE,
    STOP,
    TARGET,
    TRADE_ANSWER,
    TRADE_CASH,
    TRADE_GIVE,
    TRADE_TAKE,
    U_COMMISSIONER,
    U_COP,
    U_JOINT,
    V,
)
from .layout import AT, BUILDING_BITS, FIGHT, MOVE, OFFER, RIVAL, RIVAL_SIZE, SEAT, SEAT_SIZE
from .relative import NINTH, SIXTH, THIRD, WAY, WAYS, Vector, put_place, seat_slot

ABOUT_ITS_END: Final = (APPROACH, STOP, RAID_OR_ARREST, DOUBLE, SHARE)
"""Phases that ask about a move whose end is known."""
ABOUT_WHERE: Final = (COP_DEST, COP_VIA, COUNT, DEST, PUBLIC_DEST, COMM_DEST)
"""Phases that ask where something moves, with the steps that it has left."""
ABOUT_A_MOVE: Final = (
    COP_ENTRY, COMM_ENTRY, CRIME, *ABOUT_WHERE, *ABOUT_ITS_END,
)  # fmt: skip
"""Phases that ask about a move; DOUBLE and SHARE may ask about a shootout instead."""


@kernel(leaf=True)
def observe_question(state: State, seat: int, out: Vector) -> None:
    """What the question that is due is about."""
    phase = state.phase
    where = NONE
    if phase == PLACE:
        out[MOVE.piece + state.setup_at % 3] = 1.0
    elif phase == RECRUIT_PLACE:
        out[MOVE.piece + state.place_piece] = 1.0
    elif phase in (TRADE_GIVE, TRADE_TAKE, TRADE_CASH, TRADE_ANSWER):
        observe_offer(state, seat, out)
    elif phase in (TARGET, RETURN, ALLOC) or (phase in (DOUBLE, SHARE) and state.fight != NONE):
        where = state.fight
        observe_fight(state, out)
    elif phase in ABOUT_A_MOVE:
        where = observe_move(state, seat, out)
    if phase in (STOP, DOUBLE, SHARE):
        out[MOVE.officer + state.asked] = 1.0
        out[MOVE.payoff] = state.payoff * 0.0005 if phase == SHARE else 0.0
        out[MOVE.left_to_share] = state.left_to_share * 0.0005 if phase == SHARE else 0.0
    for r in range(1, state.num_seats):
        rival = seat + r if seat + r < state.num_seats else seat + r - state.num_seats
        at = AT.rivals + (r - 1) * RIVAL_SIZE
        of_seat = AT.seats + seat_slot(state, seat, rival) * SEAT_SIZE
        out[at + RIVAL.gang] = rival != POLICE
        out[at + RIVAL.joints] = out[of_seat + SEAT.joints]
        out[at + RIVAL.progress] = out[of_seat + SEAT.progress]
        if rival == POLICE or where == NONE:
            continue
        for piece in range(3):
            if state.at[rival, piece] == where:
                out[at + RIVAL.strength + piece] = state.strength[rival, piece] * (
                    np.float32(1.0) if piece == V else NINTH
                )
                out[at + RIVAL.criminal] += state.criminal[rival, piece] * THIRD


@kernel(leaf=True)
def observe_move(state: State, seat: int, out: Vector) -> int:
    """The half-made move; returns the node that the question is about, or NONE."""
    phase = state.phase
    where = state.node
    out[MOVE.kind + state.kind] = 1.0
    if state.kind == K_GANG:
        out[MOVE.piece + state.piece] = 1.0
    elif state.kind == K_COP:
        out[MOVE.officer + state.piece] = 1.0
        out[MOVE.sharer] = state.sharer == seat
        out[MOVE.via] = state.via
        out[MOVE.entering] = state.entering
        out[MOVE.swapped] = state.swapped
    elif state.kind == K_PUBLIC:
        out[MOVE.public + state.piece] = 1.0
    out[MOVE.steps] = state.steps * SIXTH
    out[MOVE.own] = state.mover == seat
    out[MOVE.by_police] = state.mover == POLICE
    out[MOVE.transferred] = state.transferred
    if where != NONE:
        put_place(where, MOVE.from_bits, out)
        if state.facing != NONE and phase != CRIME:
            out[MOVE.came] = WAYS[where, state.facing] * WAY
    if phase == CRIME:
        where = state.at[state.mover, state.piece]
        put_place(where, MOVE.to_bits, out)
    elif phase in ABOUT_ITS_END and state.dest != NONE:
        where = state.dest
        put_place(where, MOVE.to_bits, out)
        if where >= STREETS:
            out[MOVE.own_building] = state.owner[where - STREETS] == seat
        for gang in range(GANGS):
            for piece in range(3):
                if state.criminal[gang, piece] and state.at[gang, piece] == where:
                    own = gang == seat
                    out[MOVE.own_criminals if own else MOVE.rival_criminals] = 1.0
        out[MOVE.doubled] = state.doubled if phase == SHARE else 0
    else:
        where = NONE
    return where


@kernel(leaf=True)
def observe_offer(state: State, seat: int, out: Vector) -> None:
    """The offer as far as it has been made."""
    phase = state.phase
    out[OFFER.partner + seat_slot(state, seat, state.partner)] = 1.0
    if phase != TRADE_GIVE and state.offer_give != NONE:
        building = state.offer_give - STREETS
        out[OFFER.gives] = PRICE[building] * state.level[building] / 1800.0
        for bit in range(BUILDING_BITS):
            out[OFFER.given_bits + bit] = building + 1 >> bit & 1
    if phase in (TRADE_CASH, TRADE_ANSWER) and state.offer_take != NONE:
        building = state.offer_take - STREETS
        out[OFFER.takes] = PRICE[building] * state.level[building] / 1800.0
        for bit in range(BUILDING_BITS):
            out[OFFER.taken_bits + bit] = building + 1 >> bit & 1
    if phase == TRADE_ANSWER and state.cash_step > 0:
        cash = OFFER_CASH[state.cash_step]
        out[OFFER.pays if cash > 0 else OFFER.gets] = abs(cash) / 5000.0


@kernel(leaf=True)
def unit_kind(unit: int) -> int:
    """R, T, V, joint, cop, Commissioner."""
    if unit < U_JOINT:
        return unit % 3
    return 3 if unit == U_JOINT else 4 if unit < U_COMMISSIONER else 5


@kernel(leaf=True)
def observe_fight(state: State, out: Vector) -> None:
    """The shootout: the unit that fires, hits and losses."""
    put_place(state.fight, FIGHT.bits, out)
    phase = state.phase
    if phase == ALLOC:
        out[FIGHT.firing + unit_kind(shooter(state.cursor % SHOOTERS))] = 1.0
        out[FIGHT.hits_left] = state.hits_left * NINTH
        out[FIGHT.return_fire] = state.cursor >= SIDES * SHOOTERS
        side = state.cursor // SHOOTERS % SIDES
        for piece in range(3):
            if side != POLICE:
                out[FIGHT.lost + piece] = state.loss[side * 3 + piece] * NINTH
        out[FIGHT.lost_levels] = state.loss[U_JOINT] * NINTH
        for officer in range(10):
            out[FIGHT.lost_cops] += state.loss[U_COP + officer] * NINTH
        out[FIGHT.lost_commissioner] = state.loss[U_COMMISSIONER] * NINTH
    elif phase in (TARGET, RETURN):
        out[FIGHT.firing + unit_kind(state.asked)] = 1.0
