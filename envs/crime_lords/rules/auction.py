"""The auction of the setup (CL-3.5 to CL-3.12)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.rng import shuffle
from ...core.state import State
from ..actions import BID_AT, PASS_ACTION
from ..state import (
    ASIDE,
    AUC_BID,
    AUC_OPEN,
    CARDS,
    CROOKS,
    IN_DECK,
    NONE,
    STEP_BID,
    STEP_BOSSES,
    STEP_LOT,
)
from .mob.grid import ask, push, touch
from .turn import take_card


@kernel(leaf=True)
def locate(state: State, card: int, loc: int) -> None:
    """Note where a card of the deck's numbering is now."""
    if card < CROOKS:
        state.crook_loc[card] = loc
    elif card < CARDS:
        state.racket_loc[card - CROOKS] = loc
    else:
        state.special_loc[card - CARDS] = loc


@kernel(leaf=True)
def next_lot(state: State) -> None:
    """Turn up the next lot, or end the auction when both quotas are filled (CL-3.5, 3.9, 3.10)."""
    n = state.num_seats
    crooks = state.sold_crooks >= n * state.auction_crooks
    rackets = state.sold_rackets >= n * state.auction_rackets
    if crooks and rackets:
        end_auction(state)
        return
    while True:
        card = take_card(state)
        if (crooks and card < CROOKS) or (rackets and CROOKS <= card < CARDS):
            state.aside[state.num_aside] = card
            state.num_aside += 1
            locate(state, card, ASIDE)
            continue
        state.lot = card
        locate(state, card, ASIDE)
        state.in_lot = (1 << n) - 1
        ask(state, AUC_OPEN, state.opener)
        return


@kernel(leaf=True)
def legal_bid(state: State, mask: NDArray[np.bool_]) -> None:
    """Open at any bid, then raise or pass (CL-3.6, CL-3.7)."""
    opening = state.phase == AUC_OPEN
    mask[PASS_ACTION] = not opening
    lowest_bid = 0 if opening else state.bid + 1
    for bid in range(lowest_bid, state.bid_money[state.seat] + 1):
        mask[BID_AT + bid] = True


@kernel(leaf=True)
def decide_bid(state: State, action: int) -> None:
    """Open, raise or pass (CL-3.6, CL-3.7)."""
    if action == PASS_ACTION:
        state.in_lot &= ~(1 << state.seat)
    else:
        state.bid = action - BID_AT
        state.bidder = state.seat
    state.bid_at = state.seat
    push(state, STEP_BID)


@kernel(leaf=True)
def next_bid(state: State) -> None:
    """Ask the next player still in the lot; the poor pass by themselves (CL-3.7, CL-3.8)."""
    n = state.num_seats
    for k in range(1, n):
        seat = (state.bid_at + k) % n
        if seat == state.bidder:
            break
        if state.in_lot >> seat & 1:
            if state.bid_money[seat] > state.bid:
                ask(state, AUC_BID, seat)
                return
            state.in_lot &= ~(1 << seat)
    seat, card = state.bidder, state.lot
    state.bid_money[seat] -= state.bid
    locate(state, card, seat)
    if card < CROOKS:
        state.sold_crooks += 1
    elif card < CARDS:
        state.sold_rackets += 1
    else:
        state.shown[card - CARDS] = 1
    touch(state, seat)
    state.lot = NONE
    state.bidder = NONE
    state.bid = 0
    state.opener = (state.opener + 1) % n
    push(state, STEP_LOT)


@kernel(leaf=True)
def end_auction(state: State) -> None:
    """Second shuffle; who has no Crook gets the first one of the deck (CL-3.10 to CL-3.12)."""
    n = state.num_seats
    state.bid_money[:] = 0
    size = state.deck_size
    for k in range(size):
        state.deck[k] = state.deck[state.deck_at + k]
    for k in range(state.num_aside):
        card = state.aside[k]
        state.deck[size + k] = card
        locate(state, card, IN_DECK)
    size += state.num_aside
    state.aside[:] = NONE
    state.num_aside = 0
    state.deck[size:] = NONE
    state.deck_at = 0
    state.deck_size = size
    shuffle(state, state.deck[:size])
    for k in range(n):
        seat = (state.first_opener + k) % n
        has = False
        for c in range(CROOKS):
            has |= state.crook_loc[c] == seat
        if not has:
            at = 0
            while state.deck[at] >= CROOKS:
                at += 1
            state.crook_loc[state.deck[at]] = seat
            remove_card(state, at)
    state.boss_at = 0
    push(state, STEP_BOSSES)


@kernel(leaf=True)
def remove_card(state: State, at: int) -> None:
    """Take the card at an index out of the deck; the order of the rest is unchanged."""
    for k in range(at, state.deck_size - 1):
        state.deck[k] = state.deck[k + 1]
    state.deck_size -= 1
    state.deck[state.deck_size] = NONE
