"""A gang's dice and its actions (G-2.12, G-7): MOVE."""

from __future__ import annotations

from ....core.kernel import kernel
from ....core.rng import roll_die
from ....core.state import State
from ... import actions as act
from ...data import ACTIONS_MIN, RACKETEERS_PER_ACTION, STRENGTH_MAX
from ...state import (
    COP_ACTIVE,
    COP_GANG,
    COUNT,
    DEST,
    K_GANG,
    MOVE,
    NONE,
    STEP_MOVE,
    STEP_NO_RACKETEER,
    STEP_PAY,
    R,
)
from ..common import ask, draw, extortable
from ..moving import begin_public
from .recruiting import recruit_price


@kernel(leaf=True)
def gang_dice(state: State) -> None:
    """Five dice, then the cop step (G-2.12)."""
    for die in range(5):
        state.dice[die] = roll_die(state)
    ask(state, COP_GANG if state.police else COP_ACTIVE, state.active)


@kernel(leaf=True)
def gang_menu(state: State) -> None:
    """The next action, or a new Racketeer for a gang that has none (G-7.2, G-7.9)."""
    if state.no_racketeer:
        state.step = STEP_NO_RACKETEER
    else:
        ask(state, MOVE, state.active)


@kernel(leaf=True)
def actions_left(state: State) -> int:
    """Actions of the active gang not used yet (G-7.1)."""
    return max(ACTIONS_MIN, state.strength[state.active, R] // RACKETEERS_PER_ACTION) - state.used


@kernel(leaf=True)
def legal_move(state: State) -> None:
    """Gang actions and Publics (G-7.2, G-10.1)."""
    legal = state.legal
    seat = state.seat
    legal[act.END] = 1
    if actions_left(state) > 0:
        promised = 0
        for piece in range(3):
            if state.recruit[seat, piece]:
                promised += recruit_price(state, seat, piece)
        for piece in range(3):
            if state.acted[seat, piece]:
                continue
            strength = state.strength[seat, piece]
            if strength > 0:
                legal[act.MOVE_PIECE + piece] = 1
                if piece != R and extortable(state, state.at[seat, piece]):
                    legal[act.STAY + piece - 1] = 1
            price = recruit_price(state, seat, piece)
            if strength < STRENGTH_MAX[piece] and state.cash[seat] >= price + promised:
                legal[act.RECRUIT + piece] = 1
    if state.public_actions and actions_left(state) <= 0:
        return
    cup = 0
    for public in range(4):
        if state.public_at[public] == NONE:
            cup += 1
        elif not state.public_moved[public]:
            legal[act.PUBLIC + public] = 1
    if cup and not state.new_public:
        legal[act.NEW_PUBLIC] = 1


@kernel(leaf=True)
def decide_move(state: State, action: int) -> None:
    """MOVE (G-7.2)."""
    seat = state.seat
    if action == act.END:
        state.step = STEP_PAY
    elif action == act.NEW_PUBLIC:
        state.used += state.public_actions
        cup = 0
        for public in range(4):
            cup += state.public_at[public] == NONE
        pick = draw(state, cup)
        for public in range(4):
            if state.public_at[public] == NONE:
                if pick == 0:
                    state.new_public = 1
                    begin_public(state, public, STEP_MOVE)
                    return
                pick -= 1
    elif action >= act.PUBLIC:
        state.used += state.public_actions
        begin_public(state, action - act.PUBLIC, STEP_MOVE)
    else:
        state.used += 1
        if action >= act.STAY:
            piece = action - act.STAY + 1
            state.extort[seat, piece] = 1
            state.criminal[seat, piece] = 1
            state.step = STEP_MOVE
        elif action >= act.RECRUIT:
            piece = action - act.RECRUIT
            state.recruit[seat, piece] = 1
            state.step = STEP_MOVE
        else:
            piece = action - act.MOVE_PIECE
            state.criminal[seat, piece] = 0
            state.kind = K_GANG
            state.piece = piece
            state.mover = seat
            state.node = state.at[seat, piece]
            state.facing = state.came[seat, piece]
            state.steps = state.dice[piece]
            state.transferred = 0
            state.num_barred = 0
            ask(state, COUNT if state.has_wheels[seat, piece] else DEST, seat)
        state.acted[seat, piece] = 1
