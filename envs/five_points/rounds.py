"""The course of a round: one decision, then all that needs none (section 4 of the rules)."""

from __future__ import annotations

from ..core.kernel import kernel
from ..core.state import State
from .actions import (
    BID_AT,
    BUILDING_AT,
    CELL_AT,
    COLOUR_AT,
    MAX_BID,
    NO_BID,
    PASS_ACTION,
    PLACE_AT,
    RABBLE_AT,
    SKIP,
    TILE_AT,
)
from .buildings import building_in_turn, resolve_building, smuggle
from .city import can_move_to, count_moves, move_tile
from .elections import (
    find_fullest_tiles,
    hold_election,
    name_election,
    next_election,
    next_special,
)
from .markers import call_special_election, resolve_marker, take_control_marker
from .placement import bid, end_turn, pass_turn, place_rabble, retrieve, take_income, take_turn
from .scoring import end_is_reached, finish
from .setup import clear_marks, draw_row, place_building
from .state import (
    BID,
    BUILDING_STAGE,
    BUILDINGS,
    CM_PICK,
    ELECT,
    FULLEST_TILES,
    INCOME,
    MARKER_STAGE,
    MARKERS,
    MAX_SEATS,
    MB_PICK,
    MB_TO,
    MT_CELL,
    MT_TILE,
    NONE,
    PLACE,
    ROUND_END,
    SETUP,
    SIDE,
    SPECIAL,
    SPECIAL_ELECTION,
    ST_PICK,
    ST_TO,
    STOP,
    TURN,
)


@kernel
def apply(state: State, action: int) -> None:
    """Play one decision and go on to the next one, or to the end of the game (FP-4.1)."""
    state.ply += 1
    advance(state, decide(state, action))


@kernel
def advance(state: State, step: int) -> None:
    """Resolve steps from ``step`` on until a seat has to decide or the game is over."""
    while step != STOP:
        step = resolve(state, step)


@kernel
def resolve(state: State, step: int) -> int:
    """Resolve one step of the round that asks nobody (FP-4.1). Returns the next step or STOP."""
    if step == TURN:
        return take_turn(state)
    if step == INCOME:
        return take_income(state)
    if step < BUILDINGS:
        return resolve_marker(state, step - MARKERS)
    if step < SPECIAL_ELECTION:
        return resolve_building(state, step - BUILDINGS)
    if step == FULLEST_TILES:
        return find_fullest_tiles(state)
    if step == ROUND_END:
        return end_round(state)
    tile = next_special(state) if step == SPECIAL_ELECTION else next_election(state)
    if tile == NONE:
        return FULLEST_TILES if step == SPECIAL_ELECTION else ROUND_END
    if hold_election(state, tile):
        clear_marks(state)
        finish(state, False)
        return STOP
    return step


@kernel
def decide(state: State, action: int) -> int:
    """What the decision itself does (FP-4.2). Returns the step that follows, or STOP."""
    phase = state.phase
    if phase == PLACE:
        if action == PASS_ACTION:
            pass_turn(state, state.seat)
            return TURN
        return place_rabble(state, action - PLACE_AT)
    if phase == BID:
        if action == NO_BID:
            return end_turn(state)
        return bid(state, (action - BID_AT) // MAX_BID, (action - BID_AT) % MAX_BID + 1)
    if phase == SETUP:
        return place_building(state, action - TILE_AT)
    if phase == ELECT:
        return name_election(state, action - TILE_AT)
    if action != SKIP and begins_choice(state, action):
        return STOP
    if action != SKIP:
        complete_choice(state, action)
    return end_effect(state)


@kernel(leaf=True)
def begins_choice(state: State, action: int) -> bool:
    """Make the first half of a choice; False if there is none or the second half is forced."""
    if state.phase == MT_TILE:
        tile = action - TILE_AT
        if count_moves(state, tile, 2) == 1:
            return False
        state.picked = tile
        state.phase = MT_CELL
        return True
    if state.phase == MB_PICK:
        state.picked = action - BUILDING_AT
        state.phase = MB_TO
        return True
    if state.phase == ST_PICK:
        state.picked = (action - RABBLE_AT) // MAX_SEATS
        offset = (action - RABBLE_AT) % MAX_SEATS
        state.picked_seat = (state.seat + offset) % state.num_seats
        state.phase = ST_TO
        return True
    return False


@kernel(leaf=True)
def complete_choice(state: State, action: int) -> None:
    """Carry out a choice that is now complete."""
    phase = state.phase
    if phase == MT_TILE:
        # The only cell left (FP-4.3).
        for cell in range(SIDE * SIDE):
            if can_move_to(state, action - TILE_AT, cell):
                move_tile(state, action - TILE_AT, cell)
                break
    elif phase == MT_CELL:
        move_tile(state, state.picked, action - CELL_AT)
    elif phase == MB_TO:
        state.building_tile[state.picked] = action - TILE_AT
    elif phase == CM_PICK:
        take_control_marker(state, state.seat, action - COLOUR_AT)
    elif phase == SPECIAL:
        call_special_election(state, action - TILE_AT)
    elif phase == ST_TO:
        smuggle(state, state.picked, state.picked_seat, action - TILE_AT)


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


@kernel(leaf=True)
def end_round(state: State) -> int:
    """End check, rabble for bosses, a new row, the next start seat (section 11)."""
    if end_is_reached(state):
        finish(state, False)
        return STOP
    if state.round_number >= state.max_rounds:
        finish(state, True)
        return STOP
    for seat in range(state.num_seats):
        retrieve(state, seat, state.boss_count[seat])
        state.flat_votes[seat] = 0
        state.boss_votes[seat] = 0
        state.pass_place[seat] = 0
    state.colour_votes[:] = 0
    state.pass_order[:] = NONE
    state.num_passed = 0
    draw_row(state)
    state.round_number += 1
    state.start = (state.start + 1) % state.num_seats
    state.seat = state.start
    return TURN
