"""The set-up (section 3); decisions, played with those that are forced up to the next choice."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.kernel import kernel
from ...core.rng import randint, seed_chance
from ...core.state import State
from ..actions import BATTLE, DRAW, DROP, END, HIRE, HIT, MOB, NO, PAY, RAID
from ..data import DEALT, FULL_DECK, START_MEN
from ..state import (
    BLACK_JOKER,
    CARD_TYPES,
    CARDS,
    DECK,
    DISCARD,
    MAIN,
    MAX_MEN,
    NONE,
    RED_JOKER,
    TERRITORIES,
)
from .cards import has_card_target, has_rival_territory, hit, legal_cards, play_joker
from .ending import discard, end_turn_within_limit, legal_discards, only_discard
from .main import battle, draw, hire, legal_main
from .paying import legal_payments, only_payment, pay, refuse
from .turn import begin_turn, take_card


@kernel
def legal_actions(state: State, mask: Any) -> None:
    """Fill the mask of the deciding seat (CU-4.3)."""
    mask[:] = False
    phase = state.phase
    seat = state.seat
    if phase == MAIN:
        legal_main(state, seat, mask)
        legal_cards(state, seat, mask)
    elif phase == CARDS:
        mask[END] = True
        legal_cards(state, seat, mask)
    elif phase == DISCARD:
        legal_discards(state, seat, mask)
    else:
        legal_payments(state, seat, mask)


@kernel(leaf=True)
def forced_action(state: State) -> int:
    """The only legal action, or ``NONE`` if there is a choice (CU-4.4)."""
    phase = state.phase
    seat = state.seat
    if phase == MAIN:
        if state.men[seat] < MAX_MEN or has_rival_territory(state, seat):
            return NONE
        return NONE if has_card_target(state, seat) else DRAW
    if phase == CARDS:
        return NONE if has_card_target(state, seat) else END
    if phase == DISCARD:
        return only_discard(state, seat)
    return only_payment(state, seat)


@kernel(leaf=True)
def play(state: State, action: int) -> None:
    """Carry out one action, chosen or forced."""
    if action == HIRE:
        hire(state)
    elif action == DRAW:
        draw(state)
    elif action == END:
        state.phase = DISCARD
        end_turn_within_limit(state)
    elif action == NO:
        refuse(state)
    elif action < BATTLE:
        pay(state, action - PAY)
    elif action < RAID:
        battle(state, action - BATTLE)
    elif action < MOB:
        play_joker(state, RED_JOKER, action - RAID)
    elif action < HIT:
        play_joker(state, BLACK_JOKER, action - MOB)
    elif action < DROP:
        hit(state, action - HIT + 1)
    else:
        discard(state, action - DROP)


@kernel
def apply(state: State, action: int) -> None:
    """Play a decision, then forced ones, up to the next choice or the end (CU-4.4)."""
    state.ply += 1
    while True:
        play(state, action)
        if state.over:
            return
        action = forced_action(state)
        if action == NONE:
            return


@kernel
def reset(state: State, seed: np.uint64) -> None:
    """A new game (section 3); the first decision is always a choice."""
    seed_chance(state, seed)
    set_up(state)


@kernel(leaf=True)
def set_up(state: State) -> None:
    """Deal three cards a seat, draw the first seat (CU-3.1 to CU-3.6, CU-12.1)."""
    state.pile_size = DECK
    for card in range(CARD_TYPES):
        state.pile[card] = FULL_DECK[card]
    for x in range(TERRITORIES):
        state.owner[x] = NONE
    for seat in range(state.num_seats):
        state.men[seat] = START_MEN
        for _ in range(DEALT):
            card = take_card(state)
            if card >= CARD_TYPES:
                state.owner[card - CARD_TYPES] = seat
            else:
                state.hands[seat, card] += 1
                state.hand_size[seat] += 1
    first = state.start_seat
    if first == NONE:
        first = randint(state, state.num_seats)
    state.flipped = NONE
    state.target = NONE
    state.joker = NONE
    begin_turn(state, first)
