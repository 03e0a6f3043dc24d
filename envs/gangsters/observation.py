"""What a seat sees: a vector relative to it, itself first (G-18, G-23).

Everything that the seat may know is in it. Places are told three ways: by node (eight bits and the
map's coordinates, for every piece), by building (who owns it, who stands in it), and for the
question that is due (where the moving piece is and goes, who stands there). Gangs come in cyclic
order without the police, so that the vector means the same to every gang; the marks of actions on
rivals count the police too (G-21.1), and the last block is in their order.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..core.kernel import kernel
from ..core.state import State
from .data.tables import (
    ALLOWANCE,
    BOARD,
    BUILDINGS,
    CASH_TO_WIN,
    COLOUR,
    COLOUR_COUNT,
    GRAY,
    HQ_TO_WIN,
    JOINTS,
    JOINTS_TO_WIN,
    MAX_DEGREE,
    NEIGHBOURS,
    NODES,
    OFFER_CASH,
    OFFICER_DICE,
    PRICE,
    PUBLIC_VALUE,
    STREETS,
)
from .rules.common import crime_level
from .rules.gang_turn import actions_left
from .rules.shootout.targets import SHOOTERS, SIDES, shooter
from .state import (
    ALLOC,
    APPROACH,
    COMM_DEST,
    COMM_ENTRY,
    COP_ENTRY,
    CRIME,
    DOUBLE,
    GANGS,
    K_COP,
    K_GANG,
    K_PUBLIC,
    MAX_SEATS,
    MOVE,
    NONE,
    PHASES,
    PICK,
    PLACE,
    POLICE,
    PUBLIC_DEST,
    RECRUIT_PLACE,
    RETURN,
    SHARE,
    STOP,
    TARGET,
    TRADE_ANSWER,
    TRADE_GIVE,
    U_COMMISSIONER,
    U_COP,
    U_JOINT,
    V,
)

NODE_BITS: Final = 8
PLACE_SIZE: Final = NODE_BITS + 2


def _places() -> NDArray[np.float32]:
    entries = (*BOARD["spaces"].values(), *BOARD["buildings"].values())
    left, top, width, height = BOARD["view_box"]
    table = np.zeros((NODES, PLACE_SIZE), np.float32)
    for node, entry in enumerate(entries):
        table[node, :NODE_BITS] = [node + 1 >> bit & 1 for bit in range(NODE_BITS)]
        x, y = entry["xy"]
        table[node, NODE_BITS:] = (x - left) / width, (y - top) / height
    return table


PLACES: Final = _places()
"""float32 (152, 10): bits of a node's number, then its coordinates on the map, 0 to 1."""


def _ways() -> NDArray[np.int8]:
    table = np.zeros((NODES, NODES), np.int8)
    for node in range(NODES):
        for k, came in enumerate(NEIGHBOURS[node]):
            if came >= 0:
                table[node, came] = k + 1
    return table


WAYS: Final = _ways()
"""int8 (152, 152): by which of its ways, from 1, a node is entered from another."""
# Factors, as dividing is slow.
WAY: Final = np.float32(1 / MAX_DEGREE)
NINTH: Final = np.float32(1 / 9)
THIRD: Final = np.float32(1 / 3)
SIXTH: Final = np.float32(1 / 6)
SEVENTH: Final = np.float32(1 / 7)
OF_COLOUR: Final = (1.0 / COLOUR_COUNT).astype(np.float32)
OF_JOINTS: Final = np.float32(1 / JOINTS_TO_WIN)
OF_HQ: Final = np.float32(1 / HQ_TO_WIN)
OF_CASH: Final = np.float32(1 / CASH_TO_WIN)

TABLE_AT: Final = len(PHASES)
TABLE_SIZE: Final = 19
DICE_AT: Final = TABLE_AT + TABLE_SIZE
SEATS_AT: Final = DICE_AT + 30
SEAT_SIZE: Final = 24
(
    S_PRESENT, S_POLICE, S_ACTIVE, S_PAWN, S_DECIDES, S_CASH, S_CASH_KNOWN, S_STRENGTH,
) = range(8)  # fmt: skip
(
    S_CRIMINAL, S_MARKERS, S_CHITS, S_JOINTS, S_SHARE, S_PROGRESS, S_ALLOWANCE, S_COLOURS,
) = range(10, 18)  # fmt: skip
MARKERS_AT: Final = SEATS_AT + MAX_SEATS * SEAT_SIZE
PIECES_AT: Final = MARKERS_AT + 21
PIECE_SIZE: Final = 5 + PLACE_SIZE
TURN_AT: Final = PIECES_AT + 3 * GANGS * PIECE_SIZE
COMMISSIONER_AT: Final = TURN_AT + 15
OFFICERS_AT: Final = COMMISSIONER_AT + 7 + PLACE_SIZE
OFFICER_SIZE: Final = 6 + PLACE_SIZE
PUBLICS_AT: Final = OFFICERS_AT + 10 * OFFICER_SIZE
PUBLIC_SIZE: Final = 4 + PLACE_SIZE
JOINTS_AT: Final = PUBLICS_AT + 4 * PUBLIC_SIZE
JOINT_SIZE: Final = 6
GRAY_AT: Final = JOINTS_AT + JOINTS * JOINT_SIZE
INSIDE_AT: Final = GRAY_AT + BUILDINGS - JOINTS
INSIDE_SIZE: Final = 6
MOVE_AT: Final = INSIDE_AT + BUILDINGS * INSIDE_SIZE
MOVE_SIZE: Final = 56
OFFER_AT: Final = MOVE_AT + MOVE_SIZE
OFFER_SIZE: Final = 4 + MAX_SEATS + 12
FIGHT_AT: Final = OFFER_AT + OFFER_SIZE
FIGHT_SIZE: Final = 14 + PLACE_SIZE
RIVALS_AT: Final = FIGHT_AT + FIGHT_SIZE
RIVAL_SIZE: Final = 7
OBSERVATION_SIZE: Final = RIVALS_AT + (MAX_SEATS - 1) * RIVAL_SIZE

Vector = NDArray[np.float32]


@kernel(leaf=True)
def gang_slot(state: State, seat: int, gang: int) -> int:
    """Place of a gang among the gangs: a gang sees itself first; the police see them by seat."""
    if seat == POLICE:
        return gang
    return gang - seat if gang >= seat else gang - seat + state.gangs


@kernel(leaf=True)
def seat_slot(state: State, seat: int, other: int) -> int:
    """Place of a seat among the seats: itself, the other gangs in cyclic order, the police."""
    if other == seat:
        return 0
    if seat == POLICE:
        return other + 1
    if other == POLICE:
        return GANGS
    return other - seat if other >= seat else other - seat + state.gangs


@kernel(leaf=True)
def sees_setup(state: State, seat: int, other: int) -> bool:
    """Whether a seat knows another's set-up choices (G-18.5)."""
    return bool(state.revealed) or seat == other


@kernel(leaf=True)
def put_place(node: int, k: int, out: Vector) -> None:
    """Where something is, from ``out[k]`` on."""
    for j in range(PLACE_SIZE):
        out[k + j] = PLACES[node, j]


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    """float32 of shape ``(OBSERVATION_SIZE,)``, relative to ``seat`` (G-23.1)."""
    for k in range(len(out)):
        out[k] = 0.0
    observe_table(state, seat, out)
    observe_pieces(state, seat, out)
    observe_police(state, seat, out)
    observe_seats(state, seat, out)
    if not state.over:
        observe_question(state, seat, out)


@kernel(leaf=True)
def observe_table(state: State, seat: int, out: Vector) -> None:
    """Phase, role, options, round, crime level, what is done of the turn, dice."""
    if not state.over:
        out[state.phase] = 1.0
    k = TABLE_AT
    out[k + (1 if seat == POLICE else 0)] = 1.0
    out[k + 2] = state.heaters
    out[k + 3] = state.wheels
    out[k + 4] = state.dress
    out[k + 5] = state.random_order
    out[k + 6] = state.salary_every_move
    out[k + 7] = state.vamp_success_min * SIXTH
    out[k + 8] = state.trade_offers * 0.2
    out[k + 9] = state.open_cash
    out[k + 10] = state.round_number / state.max_rounds
    out[k + 11] = crime_level(state) * SIXTH
    out[k + 12] = state.first_cop
    if state.active == POLICE:
        out[k + 13] = state.moves * 0.25
    elif state.active != NONE and state.revealed:
        out[k + 13] = actions_left(state) * 0.25
    out[k + 14] = state.bought
    out[k + 15] = state.offers * 0.2
    out[k + 16] = state.new_public
    out[k + 17] = state.early
    out[k + 18] = state.no_racketeer
    for die in range(5):
        if state.dice[die]:
            out[DICE_AT + 6 * die + state.dice[die] - 1] = 1.0


@kernel(leaf=True)
def observe_pieces(state: State, seat: int, out: Vector) -> None:
    """Every gang piece, by gang and kind; who of them stands in which building."""
    for gang in range(state.gangs):
        if not sees_setup(state, seat, gang):
            continue
        first = PIECES_AT + 3 * PIECE_SIZE * gang_slot(state, seat, gang)
        of_seat = SEATS_AT + seat_slot(state, seat, gang) * SEAT_SIZE
        for piece in range(3):
            strength = state.strength[gang, piece]
            size = strength * (np.float32(1.0) if piece == V else NINTH)
            out[of_seat + S_STRENGTH + piece] = size
            node = state.at[gang, piece]
            if node == NONE:
                continue
            k = first + piece * PIECE_SIZE
            out[k] = size
            out[k + 1] = state.criminal[gang, piece]
            out[k + 2] = state.has_heaters[gang, piece] + state.has_dress[gang, piece]
            out[k + 3] = state.has_wheels[gang, piece]
            if state.came[gang, piece] != NONE:
                out[k + 4] = WAYS[node, state.came[gang, piece]] * WAY
            put_place(node, k + 5, out)
            out[of_seat + S_CRIMINAL] += state.criminal[gang, piece] * THIRD
            if node >= STREETS:
                k = INSIDE_AT + (node - STREETS) * INSIDE_SIZE
                if gang == seat:
                    out[k] += strength * NINTH
                else:
                    out[k + 3] += state.criminal[gang, piece] * THIRD
                    if piece != V:
                        out[k + 1 + piece] += strength * NINTH
    gang = state.active
    if 0 <= gang < GANGS:
        for piece in range(3):
            k = TURN_AT + 5 * piece
            out[k] = state.acted[gang, piece]
            out[k + 1] = state.moved[gang, piece]
            out[k + 2] = state.hit[gang, piece]
            out[k + 3] = state.extort[gang, piece]
            out[k + 4] = state.recruit[gang, piece]


@kernel(leaf=True)
def observe_police(state: State, seat: int, out: Vector) -> None:
    """Commissioner, officers, Publics, markers."""
    node = state.c_at
    if node != NONE:
        out[COMMISSIONER_AT + 1] = 1.0
        put_place(node, COMMISSIONER_AT + 7, out)
        if state.c_came != NONE:
            out[COMMISSIONER_AT + 6] = WAYS[node, state.c_came] * WAY
        if node >= STREETS:
            out[INSIDE_AT + (node - STREETS) * INSIDE_SIZE + 4] += state.c_strength * NINTH
    if state.police and sees_setup(state, seat, POLICE):
        out[COMMISSIONER_AT] = state.c_strength * NINTH
        out[SEATS_AT + seat_slot(state, seat, POLICE) * SEAT_SIZE + S_STRENGTH] = (
            state.c_strength * NINTH
        )
    out[COMMISSIONER_AT + 2] = state.moved_c
    out[COMMISSIONER_AT + 3] = state.recruit_c
    out[COMMISSIONER_AT + 4] = state.c_heaters
    out[COMMISSIONER_AT + 5] = state.c_wheels
    for officer in range(10):
        k = OFFICERS_AT + OFFICER_SIZE * officer
        out[k + 4] = state.cop_done[officer]
        node = state.cop_at[officer]
        if node == NONE:
            continue
        mover = state.cop_mover[officer]
        out[k] = 1.0
        out[k + 1] = mover != NONE and mover == state.active
        out[k + 2] = mover == POLICE
        out[k + 3] = state.cop_share[officer] != NONE
        if state.cop_came[officer] != NONE:
            out[k + 5] = WAYS[node, state.cop_came[officer]] * WAY
        put_place(node, k + 6, out)
        if node >= STREETS:
            out[INSIDE_AT + (node - STREETS) * INSIDE_SIZE + 4] += OFFICER_DICE[officer] * NINTH
    for public in range(4):
        node = state.public_at[public]
        if node == NONE:
            continue
        k = PUBLICS_AT + PUBLIC_SIZE * public
        out[k] = 1.0
        out[k + 1] = state.informant[public]
        out[k + 2] = state.public_moved[public]
        if state.public_came[public] != NONE:
            out[k + 3] = WAYS[node, state.public_came[public]] * WAY
        put_place(node, k + 4, out)
        if node >= STREETS:
            out[INSIDE_AT + (node - STREETS) * INSIDE_SIZE + 5] += PUBLIC_VALUE[public] * SEVENTH
    last = 0
    for slot in range(9):
        holder = state.slot_seat[slot]
        if holder != NONE:
            out[SEATS_AT + seat_slot(state, seat, holder) * SEAT_SIZE + S_MARKERS] += NINTH
            if holder != seat:
                last = max(last, state.slot_time[slot])
    for officer in range(9):
        own = state.holder[officer] == seat
        out[MARKERS_AT + officer] = own
        # G-18.7: returned after every place was filled, so it is in the cup.
        out[MARKERS_AT + 9 + officer] = not own and state.returned[officer] >= last
    if seat == POLICE:
        for chit in range(3):
            out[MARKERS_AT + 18 + chit] = state.chit_slot[chit] != NONE


@kernel(leaf=True)
def observe_seats(state: State, seat: int, out: Vector) -> None:
    """Buildings by owner, then a block for each seat."""
    for building in range(BUILDINGS):
        owner = state.owner[building]
        if owner == NONE:
            continue
        slot = seat_slot(state, seat, owner)
        k = SEATS_AT + slot * SEAT_SIZE
        colour = COLOUR[building]
        if colour == GRAY:
            out[GRAY_AT + building - JOINTS] = 1.0
        else:
            out[JOINTS_AT + building * JOINT_SIZE + slot] = 0.25 + state.level[building] * 0.25
            out[JOINTS_AT + building * JOINT_SIZE + 5] = state.lit[building]
            out[k + S_COLOURS + colour] += OF_COLOUR[colour]
        out[k + S_JOINTS] += OF_HQ if owner == POLICE else OF_JOINTS
        if state.phase == PICK:
            out[k + S_ALLOWANCE] -= PRICE[building] / ALLOWANCE
    for other in range(state.num_seats):
        k = SEATS_AT + seat_slot(state, seat, other) * SEAT_SIZE
        out[k + S_PRESENT] = 1.0
        out[k + S_POLICE] = other == POLICE
        out[k + S_ACTIVE] = other == state.active
        out[k + S_PAWN] = state.pawns[other] if other < GANGS else 0
        out[k + S_DECIDES] = other == state.seat
        if state.phase == PICK and other < GANGS:
            out[k + S_ALLOWANCE] += 1.0
        best = out[k + S_JOINTS]
        if other == POLICE:
            for slot in range(3):
                out[k + S_CHITS] += state.chit_full[slot] * THIRD
        else:
            for colour in range(GRAY):
                out[k + S_SHARE] = max(out[k + S_SHARE], out[k + S_COLOURS + colour])
            best = max(best, out[k + S_SHARE])
        if other == seat or (state.open_cash and state.revealed):
            share = state.cash[other] * OF_CASH
            out[k + S_CASH] = min(share, 2.0)
            out[k + S_CASH_KNOWN] = 1.0
            best = max(best, share)
        out[k + S_PROGRESS] = min(best, 1.0)


@kernel(leaf=True)
def observe_question(state: State, seat: int, out: Vector) -> None:
    """What the question that is due is about."""
    phase = state.phase
    where = NONE
    if phase == PLACE:
        out[MOVE_AT + 4 + state.setup_at % 3] = 1.0
    elif phase == RECRUIT_PLACE:
        out[MOVE_AT + 4 + state.place_piece] = 1.0
    elif TRADE_GIVE <= phase <= TRADE_ANSWER:
        observe_offer(state, seat, out)
    elif phase in (TARGET, RETURN, ALLOC) or (phase in (DOUBLE, SHARE) and state.fight != NONE):
        where = state.fight
        observe_fight(state, out)
    elif phase != MOVE and (COP_ENTRY <= phase <= PUBLIC_DEST or phase in (COMM_ENTRY, COMM_DEST)):
        where = observe_move(state, seat, out)
    if phase in (STOP, DOUBLE, SHARE):
        out[MOVE_AT + 7 + state.asked] = 1.0
        out[MOVE_AT + 53] = state.payoff * 0.0005 if phase == SHARE else 0.0
        out[MOVE_AT + 54] = state.left_to_share * 0.0005 if phase == SHARE else 0.0
    for r in range(1, state.num_seats):
        rival = seat + r if seat + r < state.num_seats else seat + r - state.num_seats
        k = RIVALS_AT + (r - 1) * RIVAL_SIZE
        of_seat = SEATS_AT + seat_slot(state, seat, rival) * SEAT_SIZE
        out[k] = rival != POLICE
        out[k + 1] = out[of_seat + S_JOINTS]
        out[k + 2] = out[of_seat + S_PROGRESS]
        if rival == POLICE or where == NONE:
            continue
        for piece in range(3):
            if state.at[rival, piece] == where:
                out[k + 3 + piece] = state.strength[rival, piece] * (
                    np.float32(1.0) if piece == V else NINTH
                )
                out[k + 6] += state.criminal[rival, piece] * THIRD


@kernel(leaf=True)
def observe_move(state: State, seat: int, out: Vector) -> int:
    """The half-made move; returns the node that the question is about, or NONE."""
    k = MOVE_AT
    phase = state.phase
    where = state.node
    out[k + state.kind] = 1.0
    if state.kind == K_GANG:
        out[k + 4 + state.piece] = 1.0
    elif state.kind == K_COP:
        out[k + 7 + state.piece] = 1.0
        out[k + 24] = state.sharer == seat
        out[k + 25] = state.via
        out[k + 26] = state.entering
        out[k + 27] = state.swapped
    elif state.kind == K_PUBLIC:
        out[k + 17 + state.piece] = 1.0
    out[k + 21] = state.steps * SIXTH
    out[k + 22] = state.mover == seat
    out[k + 23] = state.mover == POLICE
    out[k + 28] = state.transferred
    if where != NONE:
        put_place(where, k + 29, out)
        if state.facing != NONE and phase != CRIME:
            out[k + 49] = WAYS[where, state.facing] * WAY
    if phase == CRIME:
        where = state.at[state.mover, state.piece]
        put_place(where, k + 39, out)
    elif APPROACH <= phase <= SHARE and state.dest != NONE:
        where = state.dest
        put_place(where, k + 39, out)
        if where >= STREETS:
            out[k + 50] = state.owner[where - STREETS] == seat
        for gang in range(GANGS):
            for piece in range(3):
                if state.criminal[gang, piece] and state.at[gang, piece] == where:
                    out[k + (51 if gang == seat else 52)] = 1.0
        out[k + 55] = state.doubled if phase == SHARE else 0
    else:
        where = NONE
    return where


@kernel(leaf=True)
def observe_offer(state: State, seat: int, out: Vector) -> None:
    """The offer as far as it has been made."""
    phase = state.phase
    k = OFFER_AT
    out[k + 4 + seat_slot(state, seat, state.partner)] = 1.0
    first = k + 4 + MAX_SEATS
    if phase > TRADE_GIVE and state.offer_give != NONE:
        building = state.offer_give - STREETS
        out[k] = PRICE[building] * state.level[building] / 1800.0
        for bit in range(6):
            out[first + bit] = building + 1 >> bit & 1
    if phase > TRADE_GIVE + 1 and state.offer_take != NONE:
        building = state.offer_take - STREETS
        out[k + 1] = PRICE[building] * state.level[building] / 1800.0
        for bit in range(6):
            out[first + 6 + bit] = building + 1 >> bit & 1
    if phase == TRADE_ANSWER and state.cash_step > 0:
        cash = OFFER_CASH[state.cash_step]
        out[k + (2 if cash > 0 else 3)] = abs(cash) / 5000.0


@kernel(leaf=True)
def unit_kind(unit: int) -> int:
    """R, T, V, joint, cop, Commissioner."""
    if unit < U_JOINT:
        return unit % 3
    return 3 if unit == U_JOINT else 4 if unit < U_COMMISSIONER else 5


@kernel(leaf=True)
def observe_fight(state: State, out: Vector) -> None:
    """The shootout: the unit that fires, hits and losses."""
    k = FIGHT_AT
    put_place(state.fight, k + 14, out)
    phase = state.phase
    if phase == ALLOC:
        out[k + unit_kind(shooter(state.cursor % SHOOTERS))] = 1.0
        out[k + 6] = state.hits_left * NINTH
        out[k + 7] = state.cursor >= SIDES * SHOOTERS
        side = state.cursor // SHOOTERS % SIDES
        for piece in range(3):
            if side != POLICE:
                out[k + 8 + piece] = state.loss[side * 3 + piece] * NINTH
        out[k + 11] = state.loss[U_JOINT] * NINTH
        for officer in range(10):
            out[k + 12] += state.loss[U_COP + officer] * NINTH
        out[k + 13] = state.loss[U_COMMISSIONER] * NINTH
    elif phase in (TARGET, RETURN):
        out[k + unit_kind(state.asked)] = 1.0
