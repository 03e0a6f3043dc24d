"""Decisions: for each phase, what is legal and what an action does (FP-4.2).

Both kernels name every phase, in the order of a game.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import COLOUR_AT, SKIP, TILE_AT
from ..state import (
    BID,
    BUILDING_STAGE,
    BUILDINGS,
    CM_PICK,
    ELECT,
    MARKER_STAGE,
    MARKERS,
    MB_PICK,
    MB_TO,
    MT_CELL,
    MT_TILE,
    NONE,
    PLACE,
    SETUP,
    SPECIAL,
    SPECIAL_ELECTION,
    ST_PICK,
    ST_TO,
    STOP,
)
from .buildings import building_in_turn, decide_smuggling, legal_smuggling
from .elections import legal_election, name_election
from .markers import (
    call_special_election,
    decide_building_move,
    decide_tile_move,
    legal_building_move,
    legal_colour,
    legal_special,
    legal_tile_move,
    take_control_marker,
)
from .placement import decide_bid, decide_place, legal_bid, legal_place
from .setup import legal_setup, place_building


@kernel
def legal_actions(state: State, mask: NDArray[np.bool_]) -> None:
    """Fill the mask of the deciding seat's legal actions."""
    mask[:] = False
    phase = state.phase
    if phase == SETUP:
        legal_setup(state, mask)
    elif phase == PLACE:
        legal_place(state, mask)
    elif phase == BID:
        legal_bid(state, mask)
    elif phase in (MT_TILE, MT_CELL):
        legal_tile_move(state, mask)
    elif phase in (MB_PICK, MB_TO):
        legal_building_move(state, mask)
    elif phase == CM_PICK:
        legal_colour(state, mask)
    elif phase == SPECIAL:
        legal_special(state, mask)
    elif phase in (ST_PICK, ST_TO):
        legal_smuggling(state, mask)
    elif phase == ELECT:
        legal_election(state, mask)


@kernel
def decide(state: State, action: int) -> int:
    """What the decision itself does (FP-4.2). Returns the step that follows, or STOP."""
    phase = state.phase
    if phase == SETUP:
        return place_building(state, action - TILE_AT)
    if phase == PLACE:
        return decide_place(state, action)
    if phase == BID:
        return decide_bid(state, action)
    if phase == ELECT:
        return name_election(state, action - TILE_AT)
    # All others belong to the effect of a marker or a building.
    done = True
    if action == SKIP:
        pass
    elif phase in (MT_TILE, MT_CELL):
        done = decide_tile_move(state, action)
    elif phase in (MB_PICK, MB_TO):
        done = decide_building_move(state, action)
    elif phase == CM_PICK:
        take_control_marker(state, state.seat, action - COLOUR_AT)
    elif phase == SPECIAL:
        call_special_election(state, action - TILE_AT)
    elif phase in (ST_PICK, ST_TO):
        done = decide_smuggling(state, action)
    return end_effect(state) if done else STOP


@kernel(leaf=True)
def end_effect(state: State) -> int:
    """The effect in progress is done. Returns the next step."""
    stage = state.stage
    state.stage = 0
    state.picked = NONE
    state.picked_seat = NONE
    if stage < BUILDING_STAGE:
        return int(MARKERS + stage - MARKER_STAGE + 1)
    if building_in_turn(state, 0) == stage - BUILDING_STAGE:
        return BUILDINGS + 1
    return SPECIAL_ELECTION
