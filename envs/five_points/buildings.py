"""Buildings and the order in which they are used (section 7 of the rules)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .city import any_tile_can_move, sole_leader
from .data import BE, FM, NP, PP, ST, SW, TH, ZC
from .markers import offer_colours
from .placement import retrieve
from .state import BUILDING_STAGE, BUILDINGS, MT_TILE, NONE, ST_PICK, STOP

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
def smuggle(state: State, source: int, seat: int, target: int) -> None:
    """Move one rabble of any seat to another tile (FP-7.12)."""
    state.rabble[source, seat] -= 1
    state.total[source] -= 1
    state.rabble[target, seat] += 1
    state.total[target] += 1
