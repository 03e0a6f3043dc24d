"""The end of the game and its scores (section 14 of the rules)."""

from __future__ import annotations

import numpy as np

from ...core.kernel import kernel
from ...core.state import State, rank, settle
from ..data import TA
from ..state import BOSSES, MAX_SEATS, NONE, NUM_BUILDINGS, NUM_COLOURS, OVER, SETUP
from .city import sole_leader

BOSS_POINTS = 5
CONTROL_POINTS = 2
SET_POINTS = 5
TAMMANY_POINTS = 5


@kernel(leaf=True)
def someone_has_all_bosses(state: State) -> bool:
    """Whether a seat has won by its fifth boss (FP-14.1)."""
    for seat in range(state.num_seats):
        if state.boss_count[seat] == BOSSES:
            return True
    return False


@kernel
def end_is_reached(state: State) -> bool:
    """Whether a control pile is empty or every tile holds a boss (FP-14.3)."""
    for colour in range(NUM_COLOURS):
        if state.supply[colour] == 0:
            return True
    for tile in range(state.num_tiles):
        held = 0
        for seat in range(state.num_seats):
            held |= state.bosses[tile, seat]
        if held == 0:
            return False
    return True


@kernel
def leader_of_tammany(state: State) -> int:
    """Sole leader of Tammany Hall's tile, or NONE (FP-14.6); unseen buildings score nothing."""
    if state.phase != SETUP:
        for building in range(NUM_BUILDINGS):
            if state.building[building] == TA:
                return sole_leader(state, state.building_tile[building])
    return NONE


@kernel
def score(state: State, seat: int, tammany: int) -> int:
    """Points of a seat were the game to end now (FP-14.5).

    Args:
        state: The position.
        seat: Whose score.
        tammany: The seat that leads Tammany Hall's tile, or NONE.
    """
    markers = 0
    sets = state.control[seat, 0]
    for colour in range(NUM_COLOURS):
        markers += state.control[seat, colour]
        sets = min(sets, state.control[seat, colour])
    points = state.vp[seat] + BOSS_POINTS * state.boss_count[seat]
    points += CONTROL_POINTS * markers + SET_POINTS * sets
    if seat == tammany:
        points += TAMMANY_POINTS
    return int(points)


@kernel
def finish(state: State, capped: bool) -> None:
    """Score the game and pay the result (FP-14.2, FP-14.5 to FP-14.9)."""
    keys = np.zeros(MAX_SEATS, np.int64)
    tammany = leader_of_tammany(state)
    for seat in range(state.num_seats):
        points = score(state, seat, tammany)
        markers = 0
        for colour in range(NUM_COLOURS):
            markers += state.control[seat, colour]
        on_board = 0
        for tile in range(state.num_tiles):
            on_board += state.rabble[tile, seat]
        state.scores[seat] = points
        # All five bosses beat every score; then points, bosses, markers, rabble (FP-14.7).
        won_at_once = state.boss_count[seat] == BOSSES
        keys[seat] = won_at_once * 2**40 + points * 2**20
        keys[seat] += state.boss_count[seat] * 2**16 + markers * 2**8 + on_board
    rank(keys[: state.num_seats], state.places[: state.num_seats])
    state.capped = capped
    state.phase = OVER
    settle(state)
