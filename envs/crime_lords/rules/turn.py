"""A turn's steps outside of actions: its start, windows, outgrown superiors, drawing (4, 8)."""

from __future__ import annotations

from ...core.kernel import kernel
from ...core.state import State
from ..data import CENTRE_MIN, KIND_OF_COPY, MOB_N, TIMING
from ..data.codes import ANY_TIME, EXTRA_DRAW
from ..state import (
    AT_START,
    CARDS,
    CENTRE,
    COPIES,
    CROOKS,
    NONE,
    RACKETS,
    STEP_INCOME,
    STEP_T2,
    STEP_WINDOW,
    WINDOW,
)
from .mob.grid import ask, give_tokens, lieutenants, power, push
from .mob.settle import begin_settle


@kernel(leaf=True)
def start_turn(state: State) -> None:
    """T0: fields of the turn; the active player's Heat's On ends."""
    state.acted = 0
    state.offers = 0
    state.backouts = 0
    state.bugle = 0
    state.barred_rec = 0
    state.barred_take = 0
    if state.heat == state.active:
        state.heat = NONE
    state.window_at = 0
    push(state, STEP_WINDOW)


@kernel(leaf=True)
def ask_window(state: State) -> None:
    """T1: the next holder of an any-time Special, in seat order from the active player."""
    while state.window_at < state.num_seats:
        seat = (state.active + state.window_at) % state.num_seats
        for s in range(COPIES):
            if state.special_loc[s] == seat and TIMING[KIND_OF_COPY[s]] == ANY_TIME:
                ask(state, WINDOW, seat)
                return
        state.window_at += 1
    if state.retoken == AT_START:
        give_tokens(state, state.active, True)
    push(state, STEP_T2)


@kernel(leaf=True)
def outgrown(state: State) -> None:
    """T2: a Crook stronger than his superior gets a marker (CL-5.6, CL-6.1)."""
    seat = state.active
    push(state, STEP_INCOME)
    found = False
    for c in range(CROOKS):
        if (
            state.crook_loc[c] == seat
            and state.superior[c] >= 0
            and power(state, c) > power(state, state.superior[c])
        ):
            state.unhappy[c] += 1
            found = True
    if found:
        begin_settle(state, seat, lieutenants(state, seat), 0, 0, NONE, NONE)


@kernel(leaf=True)
def take_card(state: State) -> int:
    """Remove the top card of the deck."""
    card = state.deck[state.deck_at]
    state.deck[state.deck_at] = NONE
    state.deck_at += 1
    state.deck_size -= 1
    return card


@kernel(leaf=True)
def draw_cards(state: State) -> None:
    """T5: one card, more while the centre holds fewer than four, then extra ones (section 8)."""
    seat = state.active
    centre = 0
    for c in range(CROOKS):
        centre += state.crook_loc[c] == CENTRE
    for r in range(RACKETS):
        centre += state.racket_loc[r] == CENTRE
    extra = MOB_N[EXTRA_DRAW, state.mob[seat]]
    drawn = 0
    while state.deck_size > 0:
        if drawn > 0 and centre >= CENTRE_MIN:
            if extra == 0:
                return
            extra -= 1
        card = take_card(state)
        drawn += 1
        if card >= CARDS:
            state.special_loc[card - CARDS] = seat
            state.hidden[seat] += 1
        else:
            centre += 1
            if card < CROOKS:
                state.crook_loc[card] = CENTRE
            else:
                state.racket_loc[card - CROOKS] = CENTRE
