"""Buildings and the order in which they are used (section 7 of the rules)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import RABBLE_AT, SKIP, TILE_AT
from ..data import BE, FM, NP, PP, ST, SW, TH, ZC
from ..state import BUILDING_STAGE, BUILDINGS, MAX_SEATS, MT_TILE, NONE, ST_PICK, ST_TO, STOP
from .city import any_tile_can_move, sole_leader
from .markers import offer_colours
from .placement import retrieve

BOARD_VP = 2
"""Victory points of the Board of Elections (FP-7.4)."""
THEATER_RABBLE = 2
"""Rabble that the Theater brings back (FP-7.6)."""


@kernel
def building_in_turn(state: State, turn: int) -> int:
    """Which building is resolved first (turn 0) or second (turn 1); FP-7.3.

    Rabble stays where it is until the Tunnel, which is last, so the answer is the same before
    and after the first one.
    """
    if state.building[0] == ST or state.building[1] == ST:
        first = 1 if state.building[0] == ST else 0
    else:
        users = (
            sole_leader(state, state.building_tile[0]),
            sole_leader(state, state.building_tile[1]),
        )
        # A building without a user changes nothing, wherever it comes.
        second_earlier = users[1] != NONE and (
            users[0] == NONE or state.pass_place[users[1]] < state.pass_place[users[0]]
        )
        first = 1 if second_earlier else 0
    return first if turn == 0 else 1 - first


@kernel(leaf=True)
def resolve_building(state: State, turn: int) -> int:
    """Use a building, if one seat alone leads its tile (FP-7.2). Returns the next step."""
    done = BUILDINGS + turn + 1
    building = building_in_turn(state, turn)
    user = sole_leader(state, state.building_tile[building])
    if user == NONE:
        return done
    kind = state.building[building]
    state.stage = BUILDING_STAGE + building
    state.seat = user
    if kind == BE:
        state.vp[user] += BOARD_VP
    elif kind == TH:
        retrieve(state, user, THEATER_RABBLE)
    elif kind == FM:
        retrieve(state, user, state.boss_count[user])
    elif kind == PP:
        state.flat_votes[user] += 1
    elif kind == SW:
        state.flat_votes[user] += 2
    elif kind == NP:
        if offer_colours(state):
            return STOP
    elif kind == ZC:
        if any_tile_can_move(state):
            state.phase = MT_TILE
            return STOP
    elif kind == ST:
        state.phase = ST_PICK
        return STOP
    state.stage = 0
    return done


@kernel(leaf=True)
def legal_smuggling(state: State, mask: NDArray[np.bool_]) -> None:
    """Rabble of any seat, or none; then another tile (FP-7.12)."""
    if state.phase == ST_TO:
        for tile in range(state.num_tiles):
            mask[TILE_AT + tile] = tile != state.picked
        return
    mask[SKIP] = True
    for tile in range(state.num_tiles):
        for offset in range(state.num_seats):
            seat = (state.seat + offset) % state.num_seats
            mask[RABBLE_AT + MAX_SEATS * tile + offset] = state.rabble[tile, seat] > 0


@kernel(leaf=True)
def decide_smuggling(state: State, action: int) -> bool:
    """Pick a rabble, then move it (FP-7.12). Returns whether it is done."""
    if state.phase == ST_PICK:
        state.picked = (action - RABBLE_AT) // MAX_SEATS
        offset = (action - RABBLE_AT) % MAX_SEATS
        state.picked_seat = (state.seat + offset) % state.num_seats
        state.phase = ST_TO
        return False
    smuggle(state, state.picked, state.picked_seat, action - TILE_AT)
    return True


@kernel(leaf=True)
def smuggle(state: State, source: int, seat: int, target: int) -> None:
    """Move one rabble of any seat to another tile (FP-7.12)."""
    state.rabble[source, seat] -= 1
    state.total[source] -= 1
    state.rabble[target, seat] += 1
    state.total[target] += 1
