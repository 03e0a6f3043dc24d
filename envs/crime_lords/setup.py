"""Setup: Mobs, auction, Bosses, the first turn (section 3)."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.rng import randint, roll_die, seed_chance, shuffle
from ..core.state import State
from .actions import BID_AT, CROOK_AT, PASS_ACTION
from .data import MOBS, RACKET_INCOME
from .mob import ask, give_tokens, make_boss, push, touch
from .state import (
    ASIDE,
    AUC_BID,
    AUC_OPEN,
    BOSS_PICK,
    CARDS,
    CENTRE,
    CROOKS,
    DECK,
    IN_DECK,
    NONE,
    S_BID,
    S_BOSSES,
    S_LOT,
    S_REASSIGN,
    S_START,
    S_T0,
    int64,
)
from .turn import take_card


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


@kernel
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
    push(state, S_LOT)


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
        state.bid = 0
        state.bidder = NONE
        ask(state, AUC_OPEN, state.opener)
        return


@kernel(leaf=True)
def decide_bid(state: State, action: int) -> None:
    """Open, raise or pass (CL-3.6, CL-3.7)."""
    if action == PASS_ACTION:
        state.in_lot &= ~(1 << state.seat)
    else:
        state.bid = action - BID_AT
        state.bidder = state.seat
    state.bid_at = state.seat
    push(state, S_BID)


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
    push(state, S_LOT)


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
    push(state, S_BOSSES)


@kernel(leaf=True)
def remove_card(state: State, at: int) -> None:
    """Take the card at an index out of the deck; the order of the rest is unchanged."""
    for k in range(at, state.deck_size - 1):
        state.deck[k] = state.deck[k + 1]
    state.deck_size -= 1
    state.deck[state.deck_size] = NONE


@kernel(leaf=True)
def ask_bosses(state: State) -> None:
    """Ask the next seat for its Boss (CL-3.13)."""
    if state.boss_at < state.num_seats:
        ask(state, BOSS_PICK, (state.first_opener + state.boss_at) % state.num_seats)
        state.boss_at += 1
    else:
        push(state, S_START)


@kernel(leaf=True)
def decide_first_boss(state: State, action: int) -> None:
    """The Boss stands at (0, 0); the other Crooks are placed at once (CL-3.13)."""
    make_boss(state, state.seat, action - CROOK_AT, True)
    state.place_seat = state.seat
    push(state, S_BOSSES)
    push(state, S_REASSIGN)


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
    push(state, S_T0)
