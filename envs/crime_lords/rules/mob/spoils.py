"""Spoils of a Mob that is out, and its ruin (section 17)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.kernel import kernel
from ....core.state import State
from ...actions import CROOK_AT, PASS_ACTION, RACKET_AT
from ...state import CROOKS, RACKETS, SPOILS, SPOILS_PAY, STEP_SPOILS
from ..attack.outcome import win_racket
from ..attack.stages import spend
from ..ending import finish_if_alone, leave
from .grid import ask, push


@kernel(leaf=True)
def ask_spoils(state: State) -> None:
    """Ask for the next Racket of the spoils (CL-17.4)."""
    for r in range(RACKETS):
        if state.racket_loc[r] == state.spoils_of:
            ask(state, SPOILS, state.spoils_by)
            return


@kernel(leaf=True)
def legal_spoils(state: State, mask: NDArray[np.bool_]) -> None:
    """A Racket of the Mob that is out, or a token to pay with (CL-17.3)."""
    seat = state.seat
    if state.phase == SPOILS:
        for r in range(RACKETS):
            mask[RACKET_AT + r] = state.racket_loc[r] == state.spoils_of
        return
    mask[PASS_ACTION] = True
    for r in range(RACKETS):
        mask[RACKET_AT + r] = state.racket_loc[r] == seat and state.racket_token[r] != 0
    for c in range(CROOKS):
        mask[CROOK_AT + c] = state.crook_loc[c] == seat and state.token[c] != 0


@kernel(leaf=True)
def decide_spoils(state: State, phase: int, action: int) -> None:
    """Take a Racket, then pay a token for the next one or stop (CL-17.4)."""
    if phase == SPOILS:
        win_racket(state, action - RACKET_AT, state.spoils_by)
        for r in range(RACKETS):
            if state.racket_loc[r] == state.spoils_of:
                ask(state, SPOILS_PAY, state.spoils_by)
                return
    elif action != PASS_ACTION:
        spend(state, action - CROOK_AT, 0)  # Rackets follow the Crooks in both numberings
        push(state, STEP_SPOILS)


@kernel(leaf=True)
def ruin(state: State) -> None:
    """What is left of a wiped-out Mob; one player left wins at once (CL-17.5, CL-17.6)."""
    leave(state, state.spoils_of)
    finish_if_alone(state)
