"""Setup: Mobs, Bosses, the first turn (section 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.rng import randint, roll_die, seed_chance, shuffle
from ...core.state import State
from ..actions import CROOK_AT
from ..data import RACKET_INCOME
from ..data.codes import MOBS
from ..state import (
    BOSS_PICK,
    CARDS,
    CENTRE,
    CROOKS,
    DECK,
    IN_DECK,
    NONE,
    STEP_BOSSES,
    STEP_LOT,
    STEP_REASSIGN,
    STEP_START,
    STEP_T0,
    int64,
)
from .auction import locate, remove_card
from .mob.grid import ask, give_tokens, make_boss, push


@kernel(leaf=True)
def roll_off(state: State) -> int:
    """Two dice each in seat order; those tied for highest roll again (CL-3.4)."""
    among = (1 << state.num_seats) - 1
    while True:
        best, leaders, winner = 0, 0, 0
        for seat in range(state.num_seats):
            if among >> seat & 1:
                total = roll_die(state) + roll_die(state)
                if total > best:
                    best, leaders = total, 0
                if total == best:
                    leaders |= 1 << seat
                    winner = seat
        if leaders == 1 << winner:
            return winner
        among = leaders


@kernel(leaf=True)
def deal(state: State, seed: np.uint64) -> None:
    """Mobs, bidding money, deck, first opener (CL-3.1 to CL-3.4)."""
    seed_chance(state, seed)
    n = state.num_seats
    # The Mob cards are shuffled in the deck's place, which is filled afterwards.
    mobs = state.deck[:MOBS]
    for k in range(MOBS):
        mobs[k] = k
    shuffle(state, mobs)
    for seat in range(n):
        state.mob[seat] = mobs[seat]
        state.alive[seat] = 1
        state.bid_money[seat] = state.bid_option
    for card in range(DECK):
        state.deck[card] = card
    shuffle(state, state.deck)
    state.deck_size = DECK
    clear_table(state)
    state.opener = roll_off(state)
    state.first_opener = state.opener
    push(state, STEP_LOT)


@kernel(leaf=True)
def clear_table(state: State) -> None:
    """All cards in the deck, nothing in progress."""
    state.crook_loc[:] = IN_DECK
    state.racket_loc[:] = IN_DECK
    state.special_loc[:] = IN_DECK
    state.superior[:] = NONE
    state.boss[:] = NONE
    state.income[:] = RACKET_INCOME
    state.aside[:] = NONE
    state.heat = NONE
    state.lot = NONE
    state.bidder = NONE
    state.owner = NONE
    state.leader = NONE
    state.target = NONE
    state.attacker = NONE
    state.protector = NONE
    state.settle_mob = NONE
    state.responsible = NONE
    state.heir = NONE
    state.place_seat = NONE
    state.root = NONE
    state.under = NONE
    state.left_superior = NONE
    state.spoils_of = NONE
    state.spoils_by = NONE
    state.war_at = NONE
    state.war_target = NONE
    state.special = NONE
    state.special_by = NONE
    state.special_target = NONE
    state.ability_by = NONE
    state.pay_who = NONE
    state.partner = NONE
    state.given = NONE
    state.asked = NONE
    state.turn = 1
    state.active = NONE
    state.payer[:] = NONE
    state.payee[:] = NONE
    # In 64 bits: as plain Python, the eighth seat would not fit its field.
    state.dirty = (int64(1) << state.num_seats) - 1


@kernel(leaf=True)
def ask_bosses(state: State) -> None:
    """Ask the next seat for its Boss (CL-3.13)."""
    if state.boss_at < state.num_seats:
        ask(state, BOSS_PICK, (state.first_opener + state.boss_at) % state.num_seats)
        state.boss_at += 1
    else:
        push(state, STEP_START)


@kernel(leaf=True)
def legal_first_boss(state: State, mask: NDArray[np.bool_]) -> None:
    """Any of one's Crooks (CL-3.13)."""
    for c in range(CROOKS):
        mask[CROOK_AT + c] = state.crook_loc[c] == state.seat


@kernel(leaf=True)
def decide_first_boss(state: State, action: int) -> None:
    """The Boss stands at (0, 0); the other Crooks are placed at once (CL-3.13)."""
    make_boss(state, state.seat, action - CROOK_AT, True)
    state.place_seat = state.seat
    push(state, STEP_BOSSES)
    push(state, STEP_REASSIGN)


@kernel(leaf=True)
def start_game(state: State) -> None:
    """Treasuries, tokens, two cards in the centre, first turn (CL-3.14 to CL-3.16)."""
    for seat in range(state.num_seats):
        state.treasury[seat] = state.start_money
        state.ledger[seat] = state.start_money
        state.funds[seat] = state.start_money
        state.lowest_funds[seat] = state.start_money
        give_tokens(state, seat, True)
    # Specials met on the way wait in ``aside``.
    up = 0
    while up < 2 and state.deck_size > 0:
        card = state.deck[0]
        remove_card(state, 0)
        if card >= CARDS:
            state.aside[state.num_aside] = card
            state.num_aside += 1
        else:
            up += 1
            locate(state, card, CENTRE)
    for k in range(state.num_aside):
        at = randint(state, state.deck_size + 1)
        for j in range(state.deck_size, at, -1):
            state.deck[j] = state.deck[j - 1]
        state.deck[at] = state.aside[k]
        state.deck_size += 1
    state.aside[:] = NONE
    state.num_aside = 0
    state.active = roll_off(state)
    push(state, STEP_T0)
