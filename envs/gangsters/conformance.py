"""Conservation and bounds that hold at every decision (G-25, invariants)."""

from __future__ import annotations

from ..core.game import Game
from ..core.state import State
from .data import LEVEL_MAX, STRENGTH_MAX
from .state import NONE, POLICE, RECRUIT_PLACE

SUSPECTS = ("ply", "setup_at")
"""Fields that could count a rival's secret choices (G-18.5)."""

SECRET_PHASES = (("SET_R", "SET_T"),)
"""Phases that a viewer cannot distinguish."""

SECRETS_ARE_RARE = True
"""They are made in the set-up only, and few are left out; ``test_hidden.py`` looks for those."""

TRUNCATED = ({"max_rounds": 1},)
"""Options with which a random game ends by a cap that pays nobody (G-15.6)."""


def violations(game: Game, state: State) -> list[str]:
    """What is wrong with a position; empty when all is well."""
    found = []
    n = int(state.num_seats)
    if (state.cash < 0).any() or (state.cash % 100).any():
        found.append(f"cash {state.cash}")
    for gang in range(state.gangs):
        for piece in range(3):
            strength, at = state.strength[gang, piece], state.at[gang, piece]
            if (
                state.revealed
                and not (
                    state.phase == RECRUIT_PLACE
                    and (gang, piece) == (state.place_gang, state.place_piece)
                )
                and (strength == 0) != (at == NONE)
            ):
                found.append(f"piece {gang}.{piece}: strength {strength} at {at}")
            if not 0 <= strength <= STRENGTH_MAX[piece]:
                found.append(f"piece {gang}.{piece}: strength {strength}")
            if state.criminal[gang, piece] and at == NONE:
                found.append(f"piece {gang}.{piece}: criminal off the board")
    for b in range(len(state.owner)):
        if (state.owner[b] == NONE) != (state.level[b] == 0) or state.level[b] > LEVEL_MAX:
            found.append(f"building {b}: owner {state.owner[b]}, level {state.level[b]}")
        if state.lit[b] and state.owner[b] in (NONE, POLICE):
            found.append(f"building {b}: criminal without a gang")
    for o in range(9):
        slot = state.slot_of[o]
        if (state.holder[o] == NONE) != (slot == NONE):
            found.append(f"marker {o}: holder and place differ")
        if slot != NONE and state.slot_seat[slot] != state.holder[o]:
            found.append(f"marker {o}: its place belongs to another seat")
        if not NONE <= state.holder[o] < n:
            found.append(f"marker {o}: held by {state.holder[o]}")
    if (state.slot_seat != NONE).sum() != (state.holder != NONE).sum():
        found.append("markers: places and markers differ")
    if (state.chit_slot != NONE).sum() != state.chit_full.sum():
        found.append("chits: places and chits differ")
    if state.police and (state.c_strength == 0) and state.c_at != NONE and state.revealed:
        found.append("commissioner on the board without strength")
    return found
