"""What a seat sees, what it may not know, and how hidden state is drawn anew (G-18, G-23)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.rng import randint
from ..core.state import State
from .common import crime_level, joints_of, of_colour, owner_at, progress
from .data import (
    COLOUR_COUNT,
    GRAY,
    GUARD_DICE,
    LADDER,
    NEIGHBOURS,
    OFFICER_DICE,
    POLICE_MONEY,
    PRICE,
    PUBLIC_VALUE,
    SETUP_MAX,
    STREETS,
    VAMP_COST,
)
from .legal import actions_left, fill, strength_cost
from .state import (
    ALLOC,
    COP_DEST,
    COP_VIA,
    DOUBLE,
    GANGS,
    K_COP,
    K_GANG,
    MAX_SEATS,
    NONE,
    PHASES,
    PICK,
    PLACE,
    POLICE,
    RETURN,
    S_DECIDE,
    SET_C,
    SHARE,
    STOP,
    TARGET,
    TRADE_ANSWER,
    TRADE_GIVE,
    R,
    T,
    V,
)  # fmt: skip

NUM_PHASES: Final = len(PHASES)
TABLE_AT: Final = NUM_PHASES
DICE_AT: Final = TABLE_AT + 14
SEATS_AT: Final = DICE_AT + 5
SEAT_SIZE: Final = 36
MARKERS_AT: Final = SEATS_AT + MAX_SEATS * SEAT_SIZE
OFFICERS_AT: Final = MARKERS_AT + 12
PUBLICS_AT: Final = OFFICERS_AT + 40
CONTEXT_AT: Final = PUBLICS_AT + 12
CONTEXT_SIZE: Final = 40
STREETS_AT: Final = CONTEXT_AT + CONTEXT_SIZE
NODE_SIZE: Final = 29
BUILDINGS_AT: Final = STREETS_AT + STREETS * NODE_SIZE
BUILDING_SIZE: Final = 38
FACING_AT: Final = BUILDINGS_AT + len(PRICE) * BUILDING_SIZE
OBSERVATION_SIZE: Final = FACING_AT + 16

Vector = NDArray[np.float32]


@kernel(leaf=True)
def node_at(node: int) -> int:
    """First number of a node's block."""
    if node < STREETS:
        return STREETS_AT + node * NODE_SIZE
    return BUILDINGS_AT + (node - STREETS) * BUILDING_SIZE


@kernel(leaf=True)
def gang_slot(state: State, seat: int, gang: int) -> int:
    """Place of a gang in a seat's node blocks: itself first; for the police, by seat."""
    return gang if seat == POLICE else (gang - seat) % state.gangs


@kernel(leaf=True)
def sees_setup(state: State, seat: int, other: int) -> bool:
    """Whether a seat knows another's set-up choices (G-18.5)."""
    return bool(state.revealed) or seat == other


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    """float32 of shape ``(OBSERVATION_SIZE,)``, relative to ``seat`` (G-23.1)."""
    out[:] = 0.0
    observe_table(state, seat, out)
    observe_seats(state, seat, out)
    observe_police(state, seat, out)
    observe_board(state, seat, out)
    observe_context(state, seat, out)


@kernel(leaf=True)
def observe_table(state: State, seat: int, out: Vector) -> None:
    """Phase, role, options, round, crime level, dice."""
    if not state.over:
        out[state.phase] = 1.0
    k = TABLE_AT
    out[k + (1 if seat == POLICE else 0)] = 1.0
    out[k + 2] = state.heaters
    out[k + 3] = state.wheels
    out[k + 4] = state.dress
    out[k + 5] = state.random_order
    out[k + 6] = state.salary_every_move
    out[k + 7] = state.vamp_success_min / 6.0
    out[k + 8] = state.trade_offers / 5.0
    out[k + 9] = state.open_cash
    out[k + 10] = state.round_number / state.max_rounds
    out[k + 11] = crime_level(state) / 6.0
    out[k + 12] = state.first_cop
    if state.active == POLICE:
        out[k + 13] = state.moves / 4.0
    elif state.active != NONE:
        out[k + 13] = actions_left(state) / 4.0 if state.revealed else 0.0
    for die in range(5):
        out[DICE_AT + die] = state.dice[die] / 6.0


@kernel(leaf=True)
def observe_seats(state: State, seat: int, out: Vector) -> None:
    """One block per seat, itself first."""
    n = state.num_seats
    for r in range(n):
        other = (seat + r) % n
        k = SEATS_AT + r * SEAT_SIZE
        out[k] = 1.0
        out[k + 1] = other == POLICE
        out[k + 2] = other == state.active
        out[k + 3] = state.pawns[other] if other < GANGS else 0
        knows_cash = other == seat or (state.open_cash and state.revealed)
        if knows_cash:
            out[k + 4] = min(state.cash[other] / 10000.0, 2.0)
            out[k + 5] = 1.0
        if sees_setup(state, seat, other):
            if other == POLICE:
                out[k + 6] = state.c_strength / 9.0
                out[k + 9] = state.c_at != NONE
            else:
                for piece in range(3):
                    out[k + 6 + piece] = state.strength[other, piece] / 9.0
                    out[k + 9 + piece] = state.at[other, piece] != NONE
        if other == POLICE:
            out[k + 12] = state.moved_c
            out[k + 13] = state.recruit_c
            out[k + 14] = state.c_heaters
            out[k + 15] = state.c_wheels
            out[k + 33] = joints_of(state, POLICE) / 7.0
        else:
            for piece in range(3):
                out[k + 12 + piece] = state.acted[other, piece]
                out[k + 15 + piece] = state.moved[other, piece]
                out[k + 18 + piece] = state.hit[other, piece] or state.extort[other, piece]
                out[k + 21 + piece] = state.recruit[other, piece]
                out[k + 24 + piece] = (
                    state.has_heaters[other, piece] + state.has_dress[other, piece]
                )
                out[k + 27 + piece] = state.has_wheels[other, piece]
            out[k + 30] = joints_of(state, other) / 10.0
            best = 0.0
            for colour in range(GRAY):
                best = max(best, of_colour(state, other, colour) / COLOUR_COUNT[colour])
            out[k + 31] = best
        held = 0
        for slot in range(9):
            held += state.slot_seat[slot] == other
        out[k + 32] = held / 9.0
        if knows_cash:
            out[k + 34] = progress(state, other) / 12600.0
        if other == POLICE:
            chits = 0
            for slot in range(3):
                chits += state.chit_full[slot]
            out[k + 35] = chits / 3.0


@kernel(leaf=True)
def observe_police(state: State, seat: int, out: Vector) -> None:
    """Own markers and chits, officers, Publics."""
    for officer in range(9):
        out[MARKERS_AT + officer] = state.holder[officer] == seat
    if seat == POLICE:
        for chit in range(3):
            out[MARKERS_AT + 9 + chit] = state.chit_slot[chit] != NONE
    for officer in range(10):
        k = OFFICERS_AT + 4 * officer
        out[k] = state.cop_at[officer] != NONE
        out[k + 1] = state.cop_mover[officer] == seat
        out[k + 2] = state.cop_done[officer]
        out[k + 3] = state.cop_share[officer] == seat
    for public in range(4):
        k = PUBLICS_AT + 3 * public
        out[k] = state.public_at[public] != NONE
        out[k + 1] = state.informant[public]
        out[k + 2] = state.public_moved[public]


@kernel(leaf=True)
def observe_board(state: State, seat: int, out: Vector) -> None:
    """Pieces by node, buildings, facing of the own pieces."""
    n = state.num_seats
    for gang in range(state.gangs):
        if not sees_setup(state, seat, gang):
            continue
        slot = 6 * gang_slot(state, seat, gang)
        for piece in range(3):
            node = state.at[gang, piece]
            if node != NONE:
                k = node_at(node) + slot + piece
                out[k] = state.strength[gang, piece] / (1.0 if piece == V else 9.0)
                out[k + 3] = state.criminal[gang, piece]
    if state.c_at != NONE:
        out[node_at(state.c_at) + 24] = state.c_strength / 9.0
    for officer in range(10):
        node = state.cop_at[officer]
        if node != NONE:
            out[node_at(node) + 25] += OFFICER_DICE[officer] / 9.0
            out[node_at(node) + 26] += 0.25
    for public in range(4):
        node = state.public_at[public]
        if node != NONE:
            out[node_at(node) + 27] += PUBLIC_VALUE[public] / 7.0
            out[node_at(node) + 28] += 0.5 * state.informant[public]
    for building in range(len(PRICE)):
        k = BUILDINGS_AT + building * BUILDING_SIZE + NODE_SIZE
        owner = state.owner[building]
        out[k + (5 if owner == NONE else (owner - seat) % n)] = 1.0
        out[k + 6] = state.level[building] / 9.0
        out[k + 7] = state.lit[building]
        out[k + 8] = (2 if owner == POLICE else GUARD_DICE[building]) / 6.0
    if seat < GANGS:
        for piece in range(3):
            node = state.at[seat, piece]
            if node != NONE and state.came[seat, piece] != NONE:
                for k in range(4):
                    out[FACING_AT + 4 * piece + k] = NEIGHBOURS[node, k] == state.came[seat, piece]
    elif NONE not in (state.c_at, state.c_came):
        for k in range(4):
            out[FACING_AT + k] = NEIGHBOURS[state.c_at, k] == state.c_came


@kernel(leaf=True)
def observe_context(state: State, seat: int, out: Vector) -> None:
    """What the question that is due is about."""
    k = CONTEXT_AT
    phase = state.phase
    if state.over or phase <= PLACE:
        return
    if state.kind == K_COP and phase in (COP_DEST, COP_VIA, STOP):
        out[k + state.piece] = 1.0
        if phase == STOP and state.dest != NONE:
            out[k + 10] = owner_at(state, state.dest) == seat
            for gang in range(GANGS):
                for piece in range(3):
                    if state.at[gang, piece] == state.dest and state.criminal[gang, piece]:
                        out[k + (11 if gang == seat else 12)] = 1.0
    if phase in (STOP, DOUBLE, SHARE):
        out[k + state.asked] = 1.0
        out[k + 13] = state.payoff / 2000.0 if phase == SHARE else 0.0
    if phase > TRADE_GIVE and phase <= TRADE_ANSWER:
        if state.offer_give != NONE:
            building = state.offer_give - STREETS
            out[k + 14] = PRICE[building] * state.level[building] / 1800.0
        if phase > TRADE_GIVE + 1 and state.offer_take != NONE:
            building = state.offer_take - STREETS
            out[k + 15] = PRICE[building] * state.level[building] / 1800.0
        if phase == TRADE_ANSWER and state.cash_step > 0:
            step = state.cash_step
            paid = LADDER[step - 1] if step <= 16 else LADDER[step - 17]
            out[k + (16 if step <= 16 else 17)] = paid / 5000.0
        out[k + 18 + (state.partner - seat) % state.num_seats] = 1.0
    if phase in (TARGET, RETURN):
        unit = state.asked
        out[k + 23 + (unit % 3 if unit < 12 else min(3 + (unit - 12), 4))] = 1.0
        out[k + 28] = 1.0
    if phase == ALLOC:
        out[k + 29] = state.hits_left / 9.0
        for unit in range(24):
            out[k + 30] += state.loss[unit] / 20.0
    out[k + 31 + state.kind] = 1.0
    out[k + 35] = state.steps / 6.0
    if state.kind == K_GANG:
        out[k + 36 + state.piece] = 1.0
    if NONE not in (state.facing, state.node):
        for j in range(4):
            out[FACING_AT + 12 + j] = NEIGHBOURS[state.node, j] == state.facing


@kernel(leaf=True)
def asked_marker(state: State) -> int:
    """The marker a STOP, DOUBLE or SHARE question is about; its holder is known (G-18.8)."""
    if not state.over and state.phase in (STOP, DOUBLE, SHARE):
        return state.asked
    return NONE


@kernel
def redact(state: State, seat: int) -> None:
    """Blank what a seat may not know (G-18.2 to G-18.6).

    Cash of others stays in the record: every payment is made openly, so a careful seat knows it
    (G-18.7). Observations and pictures do not show it.
    """
    state.rng = np.uint64(0)
    asked = asked_marker(state)
    for officer in range(9):
        if state.holder[officer] != seat and officer != asked:
            state.holder[officer] = NONE
            state.slot_of[officer] = NONE
    if seat != POLICE:
        for chit in range(3):
            state.chit_slot[chit] = NONE
    if seat != state.seat:
        for action in range(len(state.legal)):
            state.legal[action] = 0
    if state.revealed or state.phase == PICK:
        return
    for gang in range(state.gangs):
        if gang != seat:
            state.cash[gang] = state.setup_cash[gang]
            for piece in range(3):
                state.strength[gang, piece] = 0
                state.at[gang, piece] = NONE
    if state.police and seat != POLICE:
        state.cash[POLICE] = POLICE_MONEY
        state.c_strength = 0


@kernel
def resample_hidden(state: State, seat: int, seed: np.uint64) -> None:
    """Draw anew what a seat cannot know (G-18.8)."""
    redact(state, seat)
    state.rng = np.uint64(seed)
    deal_markers(state, seat)
    if seat != POLICE:
        deal_chits(state)
    if not state.revealed and state.phase != PICK:
        deal_setup(state, seat)
    if not state.over and state.seat != seat and state.step == S_DECIDE:
        fill(state)


@kernel(leaf=True)
def deal_markers(state: State, seat: int) -> None:
    """Markers into the places of other holders: none that was returned after the place filled."""
    filled = 0
    while True:
        # Places in the order in which they were filled: what fits an earlier one fits a later one.
        best = NONE
        for slot in range(9):
            taken = False
            for officer in range(9):
                if state.slot_of[officer] == slot:
                    taken = True
            if (
                state.slot_seat[slot] != NONE
                and not taken
                and (best == NONE or state.slot_time[slot] < state.slot_time[best])
            ):
                best = slot
        if best == NONE:
            return
        count = 0
        for officer in range(9):
            if state.holder[officer] == NONE and state.returned[officer] < state.slot_time[best]:
                count += 1
        pick = randint(state, count)
        for officer in range(9):
            if state.holder[officer] == NONE and state.returned[officer] < state.slot_time[best]:
                if pick == 0:
                    state.holder[officer] = state.slot_seat[best]
                    state.slot_of[officer] = best
                    break
                pick -= 1
        filled += 1


@kernel(leaf=True)
def deal_chits(state: State) -> None:
    """Chits of the police likewise."""
    while True:
        best = NONE
        for slot in range(3):
            taken = False
            for chit in range(3):
                if state.chit_slot[chit] == slot:
                    taken = True
            if (
                state.chit_full[slot]
                and not taken
                and (best == NONE or state.chit_time[slot] < state.chit_time[best])
            ):
                best = slot
        if best == NONE:
            return
        count = 0
        for chit in range(3):
            if state.chit_slot[chit] == NONE and state.chit_returned[chit] < state.chit_time[best]:
                count += 1
        pick = randint(state, count)
        for chit in range(3):
            if state.chit_slot[chit] == NONE and state.chit_returned[chit] < state.chit_time[best]:
                if pick == 0:
                    state.chit_slot[chit] = best
                    break
                pick -= 1


@kernel(leaf=True)
def draw_strength(state: State, cash: int, keep: int) -> int:
    """A strength that the cash affords, each as likely (G-3.5)."""
    most = 1
    while most < SETUP_MAX and strength_cost(most + 1) + keep <= cash:
        most += 1
    return randint(state, most) + 1


@kernel(leaf=True)
def deal_setup(state: State, seat: int) -> None:
    """Set-up choices already made but not revealed."""
    phase = state.phase
    for k in range(state.gangs):
        gang = state.order[k]
        if gang == seat:
            continue
        later = phase in (SET_C, PLACE)
        if later or 2 * k < state.setup_at:
            state.strength[gang, R] = draw_strength(state, state.cash[gang], 200)
            state.cash[gang] -= strength_cost(state.strength[gang, R])
        if later or 2 * k + 1 < state.setup_at:
            state.strength[gang, T] = draw_strength(state, state.cash[gang], 100)
            state.cash[gang] -= strength_cost(state.strength[gang, T]) + VAMP_COST
            state.strength[gang, V] = 1
        for piece in range(3):
            if phase == PLACE and 3 * k + piece < state.setup_at:
                pick = randint(state, joints_of(state, gang))
                for building in range(len(state.owner)):
                    if state.owner[building] == gang:
                        if pick == 0:
                            state.at[gang, piece] = STREETS + building
                            break
                        pick -= 1
    if phase == PLACE and state.police and seat != POLICE:
        state.c_strength = draw_strength(state, state.cash[POLICE], 0)
        state.cash[POLICE] -= strength_cost(state.c_strength)
