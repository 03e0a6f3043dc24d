"""The course of a round: one decision, then all that needs none (section 4 of the rules)."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.state import State
from ..state import (
    BUILDINGS,
    FULLEST_TILES,
    INCOME,
    MARKERS,
    NONE,
    ROUND_END,
    SPECIAL_ELECTION,
    STOP,
    TURN,
)
from .buildings import resolve_building
from .elections import find_fullest_tiles, hold_election, next_election, next_special
from .markers import resolve_marker
from .phases import decide
from .placement import retrieve, take_income, take_turn
from .scoring import end_is_reached, finish
from .setup import clear_marks, draw_row


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
    if MARKERS <= step < BUILDINGS:
        return resolve_marker(state, step - MARKERS)
    if BUILDINGS <= step < SPECIAL_ELECTION:
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
