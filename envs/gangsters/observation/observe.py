"""The kernels that fill in the table of an observation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..data import (
    ALLOWANCE,
    BUILDINGS,
    COLOUR,
    GRAY,
    JOINTS,
    OFFICER_DICE,
    PRICE,
    PUBLIC_VALUE,
    STREETS,
)
from ..rules.common import crime_level
from ..rules.gang.menu import actions_left
from ..rules.setup import phase_shown
from ..state import GANGS, NONE, PICK, POLICE, R, V
from .layout import (
    AT,
    BUILDING,
    BUILDING_SIZE,
    COMMISSIONER,
    DIE_SIZE,
    INSIDE,
    INSIDE_SIZE,
    JOINT,
    JOINT_SIZE,
    MARKERS,
    OFFICER,
    OFFICER_SIZE,
    PIECE,
    PIECE_SIZE,
    PIECE_TURN,
    PIECE_TURN_SIZE,
    PUBLIC,
    PUBLIC_SIZE,
    RECONSTRUCTED,
    SEAT,
    SEAT_SIZE,
    TABLE,
)
from .question import observe_question
from .reach import observe_reach
from .relative import (
    NINTH,
    OF_CASH,
    OF_COLOUR,
    OF_HQ,
    OF_JOINTS,
    OF_WORTH,
    QUARTER,
    SEVENTH,
    SIXTH,
    THIRD,
    TWELFTH,
    WAY,
    WAYS,
    Vector,
    gang_slot,
    put_place,
    seat_slot,
    sees_setup,
)


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    """float32 of shape ``(OBSERVATION_SIZE,)``, relative to ``seat`` (G-23.1)."""
    for k in range(len(out)):
        out[k] = 0.0
    observe_table(state, seat, out)
    observe_pieces(state, seat, out)
    observe_commissioner(state, seat, out)
    observe_officers(state, out)
    observe_publics(state, out)
    observe_markers(state, seat, out)
    observe_seats(state, seat, out)
    if not state.over:
        observe_reach(state, seat, out)
        observe_question(state, seat, out)


@kernel(leaf=True)
def observe_table(state: State, seat: int, out: Vector) -> None:
    """Phase, role, options, round, crime level, what is done of the turn, dice."""
    if not state.over:
        out[AT.phase + phase_shown(state, seat)] = 1.0
    out[TABLE.police if seat == POLICE else TABLE.gang] = 1.0
    out[TABLE.heaters] = state.heaters
    out[TABLE.wheels] = state.wheels
    out[TABLE.dress] = state.dress
    out[TABLE.random_order] = state.random_order
    out[TABLE.salary_every_move] = state.salary_every_move
    out[TABLE.vamp_success_min] = state.vamp_success_min * SIXTH
    out[TABLE.trade_offers] = state.trade_offers * 0.2
    out[TABLE.open_cash] = state.open_cash
    out[RECONSTRUCTED.criminals_per_level] = state.criminals_per_level * TWELFTH
    out[RECONSTRUCTED.public_actions] = state.public_actions
    out[TABLE.round] = state.round_number / state.max_rounds
    out[TABLE.crime_level] = crime_level(state) * SIXTH
    out[TABLE.first_cop] = state.first_cop
    if state.active == POLICE:
        out[TABLE.moves] = state.moves * 0.25
    elif state.active != NONE and state.revealed:
        out[TABLE.moves] = actions_left(state) * 0.25
    out[TABLE.bought] = state.bought
    out[TABLE.offers] = state.offers * 0.2
    out[TABLE.new_public] = state.new_public
    out[TABLE.early] = state.early
    out[TABLE.no_racketeer] = state.no_racketeer
    for die in range(5):
        if state.dice[die]:
            out[AT.dice + DIE_SIZE * die + state.dice[die] - 1] = 1.0


@kernel(leaf=True)
def observe_pieces(state: State, seat: int, out: Vector) -> None:
    """Every gang piece, by gang and kind; who of them stands in which building."""
    for gang in range(state.gangs):
        if not sees_setup(state, seat, gang):
            continue
        first = AT.pieces + 3 * PIECE_SIZE * gang_slot(state, seat, gang)
        of_seat = AT.seats + seat_slot(state, seat, gang) * SEAT_SIZE
        for piece in range(3):
            strength = state.strength[gang, piece]
            size = strength * (np.float32(1.0) if piece == V else NINTH)
            out[of_seat + SEAT.strength + piece] = size
            node = state.at[gang, piece]
            if node == NONE:
                continue
            at = first + piece * PIECE_SIZE
            out[at + PIECE.strength] = size
            out[at + PIECE.criminal] = state.criminal[gang, piece]
            out[at + PIECE.gear] = state.has_heaters[gang, piece] + state.has_dress[gang, piece]
            out[at + PIECE.wheels] = state.has_wheels[gang, piece]
            if state.came[gang, piece] != NONE:
                out[at + PIECE.came] = WAYS[node, state.came[gang, piece]] * WAY
            put_place(node, at + PIECE.bits, out)
            out[of_seat + SEAT.criminal] += state.criminal[gang, piece] * THIRD
            if node >= STREETS:
                inside = AT.inside + (node - STREETS) * INSIDE_SIZE
                row = AT.buildings + (node - STREETS) * BUILDING_SIZE
                criminal = state.criminal[gang, piece] * THIRD
                if gang == seat:
                    out[inside + INSIDE.own] += strength * NINTH
                    out[row + BUILDING.strength + piece] = size
                    out[row + BUILDING.own_criminals] += criminal
                else:
                    out[inside + INSIDE.criminals] += criminal
                    out[row + BUILDING.criminals] += criminal
                    if piece != V:
                        kind = INSIDE.racketeers if piece == R else INSIDE.thugs
                        out[inside + kind] += strength * NINTH
                        kind = BUILDING.racketeers if piece == R else BUILDING.thugs
                        out[row + kind] += strength * NINTH
    gang = state.active
    if 0 <= gang < GANGS:
        for piece in range(3):
            at = AT.turn + PIECE_TURN_SIZE * piece
            out[at + PIECE_TURN.acted] = state.acted[gang, piece]
            out[at + PIECE_TURN.moved] = state.moved[gang, piece]
            out[at + PIECE_TURN.hit] = state.hit[gang, piece]
            out[at + PIECE_TURN.extort] = state.extort[gang, piece]
            out[at + PIECE_TURN.recruit] = state.recruit[gang, piece]


@kernel(leaf=True)
def observe_commissioner(state: State, seat: int, out: Vector) -> None:
    """The Commissioner, wherever he is."""
    node = state.c_at
    if node != NONE:
        out[COMMISSIONER.on_board] = 1.0
        put_place(node, COMMISSIONER.bits, out)
        if state.c_came != NONE:
            out[COMMISSIONER.came] = WAYS[node, state.c_came] * WAY
        if node >= STREETS:
            strength = state.c_strength * NINTH
            out[AT.inside + (node - STREETS) * INSIDE_SIZE + INSIDE.police] += strength
            out[AT.buildings + (node - STREETS) * BUILDING_SIZE + BUILDING.police] += strength
    if state.police and sees_setup(state, seat, POLICE):
        of_police = AT.seats + seat_slot(state, seat, POLICE) * SEAT_SIZE
        out[COMMISSIONER.strength] = state.c_strength * NINTH
        out[of_police + SEAT.strength] = state.c_strength * NINTH
    out[COMMISSIONER.moved] = state.moved_c
    out[COMMISSIONER.recruit] = state.recruit_c
    out[COMMISSIONER.heaters] = state.c_heaters
    out[COMMISSIONER.wheels] = state.c_wheels


@kernel(leaf=True)
def observe_officers(state: State, out: Vector) -> None:
    """The officers on the board, and who has moved."""
    for officer in range(10):
        at = AT.officers + OFFICER_SIZE * officer
        out[at + OFFICER.done] = state.cop_done[officer]
        node = state.cop_at[officer]
        if node == NONE:
            continue
        mover = state.cop_mover[officer]
        out[at + OFFICER.on_board] = 1.0
        out[at + OFFICER.moved_by_active] = mover != NONE and mover == state.active
        out[at + OFFICER.moved_by_police] = mover == POLICE
        out[at + OFFICER.shared] = state.cop_share[officer] != NONE
        if state.cop_came[officer] != NONE:
            out[at + OFFICER.came] = WAYS[node, state.cop_came[officer]] * WAY
        put_place(node, at + OFFICER.bits, out)
        if node >= STREETS:
            dice = OFFICER_DICE[officer] * NINTH
            out[AT.inside + (node - STREETS) * INSIDE_SIZE + INSIDE.police] += dice
            out[AT.buildings + (node - STREETS) * BUILDING_SIZE + BUILDING.police] += dice


@kernel(leaf=True)
def observe_publics(state: State, out: Vector) -> None:
    """The Publics on the board."""
    for public in range(4):
        node = state.public_at[public]
        if node == NONE:
            continue
        at = AT.publics + PUBLIC_SIZE * public
        out[at + PUBLIC.on_board] = 1.0
        out[at + PUBLIC.informant] = state.informant[public]
        out[at + PUBLIC.moved] = state.public_moved[public]
        if state.public_came[public] != NONE:
            out[at + PUBLIC.came] = WAYS[node, state.public_came[public]] * WAY
        put_place(node, at + PUBLIC.bits, out)
        if node >= STREETS:
            value = PUBLIC_VALUE[public] * SEVENTH
            row = AT.buildings + (node - STREETS) * BUILDING_SIZE
            out[AT.inside + (node - STREETS) * INSIDE_SIZE + INSIDE.publics] += value
            out[row + BUILDING.publics] += value
            out[row + BUILDING.informants] += state.informant[public] * QUARTER


@kernel(leaf=True)
def observe_markers(state: State, seat: int, out: Vector) -> None:
    """Who holds how many bribe markers; those that the seat knows, and its chits."""
    last = 0
    for slot in range(9):
        holder = state.slot_seat[slot]
        if holder != NONE:
            of_seat = AT.seats + seat_slot(state, seat, holder) * SEAT_SIZE
            out[of_seat + SEAT.markers] += NINTH
            if holder != seat:
                last = max(last, state.slot_time[slot])
    for officer in range(9):
        own = state.holder[officer] == seat
        out[MARKERS.own + officer] = own
        # G-18.7: returned after every place was filled, so it is in the cup.
        out[MARKERS.in_cup + officer] = not own and state.returned[officer] >= last
    if seat == POLICE:
        for chit in range(3):
            out[MARKERS.chits + chit] = state.chit_slot[chit] != NONE


@kernel(leaf=True)
def observe_seats(state: State, seat: int, out: Vector) -> None:
    """Buildings by owner, then a block for each seat."""
    for building in range(BUILDINGS):
        owner = state.owner[building]
        if owner == NONE:
            continue
        slot = seat_slot(state, seat, owner)
        of_seat = AT.seats + slot * SEAT_SIZE
        colour = COLOUR[building]
        row = AT.buildings + building * BUILDING_SIZE
        if colour == GRAY:
            out[AT.headquarters + building - JOINTS] = 1.0
            out[row + BUILDING.headquarters] = 1.0
        else:
            at = AT.joints + building * JOINT_SIZE
            level = QUARTER + state.level[building] * QUARTER
            out[at + JOINT.owner + slot] = level
            out[at + JOINT.lit] = state.lit[building]
            out[row + (BUILDING.own if owner == seat else BUILDING.rival)] = level
            out[row + BUILDING.worth] = PRICE[building] * state.level[building] * OF_WORTH
            out[row + BUILDING.lit] = state.lit[building]
            out[of_seat + SEAT.colours + colour] += OF_COLOUR[colour]
        out[of_seat + SEAT.joints] += OF_HQ if owner == POLICE else OF_JOINTS
        if state.phase == PICK:
            out[of_seat + SEAT.allowance] -= PRICE[building] / ALLOWANCE
    for other in range(state.num_seats):
        at = AT.seats + seat_slot(state, seat, other) * SEAT_SIZE
        out[at + SEAT.present] = 1.0
        out[at + SEAT.police] = other == POLICE
        out[at + SEAT.active] = other == state.active
        out[at + SEAT.pawn] = state.pawns[other] if other < GANGS else 0
        out[at + SEAT.decides] = other == state.seat
        if state.phase == PICK and other < GANGS:
            out[at + SEAT.allowance] += 1.0
        best = out[at + SEAT.joints]
        if other == POLICE:
            for slot in range(3):
                out[at + SEAT.chits] += state.chit_full[slot] * THIRD
        else:
            most = np.float32(0.0)
            for colour in range(GRAY):
                most = max(most, out[at + SEAT.colours + colour])
            out[at + SEAT.best_colour] = most
            best = max(best, most)
        if other == seat or (state.open_cash and state.revealed):
            share = state.cash[other] * OF_CASH
            out[at + SEAT.cash] = min(share, 2.0)
            out[at + SEAT.cash_known] = 1.0
            best = max(best, share)
        out[at + SEAT.progress] = min(best, 1.0)
