"""The deal, the betting and the showdown (PK-1 to PK-7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.kernel import kernel
from ..core.rng import randint, seed_chance
from ..core.state import State, rank, settle
from .state import CALL, FIRST, FOLD, MAX_RANKS, MAX_SEATS, NONE, OVER, RAISE

ANTE = 1


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """Antes, a card for each seat, and the card for all, still face down (PK-1, PK-2)."""
    seed_chance(state, seed)
    deck = np.zeros(MAX_RANKS, np.int64)
    deck[: state.num_seats + 1] = state.suits
    for seat in range(MAX_SEATS):
        state.cards[seat] = draw(state, deck) if seat < state.num_seats else NONE
    state.public = draw(state, deck) if state.rounds > 1 else NONE
    open_betting(state)


@kernel(leaf=True)
def draw(state: State, deck: Any) -> int:
    """Take a card: ``deck`` is int64 of shape ``(MAX_RANKS,)``, how many are left of each rank."""
    left = randint(state, deck.sum())
    card = 0
    while left >= deck[card]:
        left -= deck[card]
        card += 1
    deck[card] -= 1
    return card


@kernel(leaf=True)
def open_betting(state: State) -> None:
    """Everybody has paid the ante; the first seat begins (PK-1, PK-3)."""
    for seat in range(state.num_seats):
        state.stakes[seat] = ANTE
    state.phase = FIRST
    state.seat = state.first
    state.waiting = state.num_seats


@kernel
def legal_actions(state: State, mask: Any) -> None:
    """Fold to a bet only; raise while raises are left (PK-3, PK-4)."""
    mask[FOLD] = state.stakes[state.seat] < state.stakes.max()
    mask[CALL] = True
    mask[RAISE] = state.raises < state.most_raises


@kernel
def apply(state: State, action: int) -> None:
    """One action, and what follows: the next seat, the next round, the end (PK-3 to PK-7)."""
    seat, betting = state.seat, state.phase
    state.ply += 1
    state.history[betting, state.count[betting]] = action + 1
    state.count[betting] += 1
    state.waiting -= 1
    if action == FOLD:
        state.folded[seat] = 1
    else:
        state.stakes[seat] = state.stakes.max()
    in_hand = state.num_seats - state.folded.sum()
    if action == RAISE:
        state.stakes[seat] += state.bets[betting]
        state.raises += 1
        state.waiting = in_hand - 1
    if in_hand == 1 or (state.waiting == 0 and betting + 1 == state.rounds):
        pay(state)
    elif state.waiting == 0:
        state.phase += 1
        state.raises = 0
        state.waiting = in_hand
        state.seat = next_in_hand(state, state.first)
    else:
        state.seat = next_in_hand(state, seat + 1)


@kernel(leaf=True)
def next_in_hand(state: State, first: int) -> int:
    """The first seat from ``first`` on, round the table, that has not folded."""
    n = state.num_seats
    seat = first % n
    while state.folded[seat]:
        seat = (seat + 1) % n
    return int(seat)


@kernel(leaf=True)
def strength(state: State, seat: int) -> int:
    """The higher wins: a pair with the card for all, then the rank; 0 for who folded (PK-6)."""
    if state.folded[seat]:
        return 0
    card = state.cards[seat] + 1
    return int(card + MAX_RANKS) if card and state.cards[seat] == state.public else int(card)


@kernel(leaf=True)
def pay(state: State) -> None:
    """The pot to the strongest hand; equal ones share it (PK-6, PK-7). Scores are half chips."""
    n = state.num_seats
    best, winners = 0, 0
    for seat in range(n):
        mine = strength(state, seat)
        if mine > best:
            best, winners = mine, 0
        winners += mine == best
    pot = 2 * state.stakes.sum()
    keys = np.zeros(n, np.int64)
    for seat in range(n):
        score = -2 * state.stakes[seat]
        if strength(state, seat) == best:
            score += pot // winners
        state.scores[seat] = score
        keys[seat] = score
    rank(keys, state.places[:n])
    state.phase = OVER
    settle(state)
