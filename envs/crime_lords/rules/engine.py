"""The engine: one decision, the steps after it, forced choices (section 4)."""

from __future__ import annotations

import numpy as np

from ...core.kernel import kernel
from ...core.state import State
from ..actions import NUM_ACTIONS
from ..state import (
    AGREE,
    ASSIST,
    AUC_BID,
    CARDS,
    COMMIT_A,
    COMMIT_D,
    COMMIT_T,
    CROOKS,
    DECISION_CAP,
    DEFEND,
    HIT_CASH,
    HUSH,
    JOIN_AGAINST,
    JOIN_FOR,
    LEADER,
    MAIN,
    NONE,
    OFFER_ASK,
    OFFER_CASH,
    OFFER_GIVE,
    OFFER_PRICE,
    OFFER_TO,
    PROTECT,
    REC,
    REORG,
    REROLL,
    RUNNING,
    TAKE,
)
from .ending import finish_by_rank, pay_out
from .mob.derived import refresh
from .mob.grid import lowest, own_power
from .phases import decide, legal_actions, run_step
from .setup import deal


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """Draw the set-up and run to the first real decision (section 3)."""
    deal(state, seed)
    state.phase = RUNNING
    advance(state)


@kernel
def apply(state: State, action: int) -> None:
    """Play one decision and run to the next real one, or to the end (CL-4.2, CL-4.3).

    In phase ``RUNNING`` there is nothing to decide: the steps on the stack are worked through.
    """
    state.ply += 1
    decide(state, action)
    advance(state)


@kernel(leaf=True)
def advance(state: State) -> None:
    """Work through the steps; choices without an alternative are made at once (CL-4.3)."""
    while True:
        while state.phase == RUNNING:
            state.stack_size -= 1
            step = state.stack[state.stack_size]
            state.stack[state.stack_size] = 0
            run_step(state, step)
        if state.dirty:
            refresh(state)
        if not state.over and state.ply >= state.max_decisions:
            finish_by_rank(state, DECISION_CAP)
        if state.over:
            pay_out(state)
            return
        if not state.leaving[state.seat] and has_choice(state):
            return
        action = forced_action(state)
        if action < 0:
            return
        decide(state, action)


@kernel(leaf=True)
def has_choice(state: State) -> bool:
    """Whether there surely are two legal actions: the common cases, without a mask."""
    phase = state.phase
    seat = state.seat
    if phase == MAIN:
        # A Crook below the Boss can always be dropped.
        return state.crooks[seat] > 1
    if phase in (OFFER_TO, OFFER_PRICE, AUC_BID, REORG, HUSH, REROLL, AGREE):
        return True
    if phase in (ASSIST, JOIN_FOR, DEFEND, JOIN_AGAINST):
        return True
    if phase in (COMMIT_A, COMMIT_D, COMMIT_T, OFFER_CASH, HIT_CASH):
        return state.treasury[seat] > 0
    if phase == PROTECT:
        for c in range(CROOKS):
            if state.crook_loc[c] == seat and state.token[c]:
                return True
    if phase == LEADER:
        return several_leaders(state)
    if phase == OFFER_ASK:
        # Nothing but a Racket can throw the game.
        return state.given < CROOKS or state.given >= CARDS
    return phase == OFFER_GIVE and state.rackets[seat] > 0


@kernel(leaf=True)
def several_leaders(state: State) -> bool:
    """Whether two Crooks could lead the attack just announced."""
    number = 0
    rest = state.members[state.seat]
    while rest:
        c = lowest(rest)
        rest &= rest - 1
        if state.token[c]:
            if state.kind == REC:
                number += state.strength[c] > own_power(state, state.target)
            else:
                number += state.kind == TAKE or c != state.target
    return number > 1


@kernel(leaf=True)
def forced_action(state: State) -> int:
    """The only legal action, or the standing answer of a leaving seat, or NONE.

    That answer is the first legal one of PASS, END and KEEP, or else the one with the lowest number
    (CL-17.8): wherever one of the three is legal, it has the lowest number.
    """
    mask = np.empty(NUM_ACTIONS, np.bool_)
    legal_actions(state, mask)
    if not state.leaving[state.seat]:
        number = 0
        for action in range(NUM_ACTIONS):
            number += mask[action]
        if number > 1:
            return NONE
    for action in range(NUM_ACTIONS):
        if mask[action]:
            return action
    return NONE
