"""Aces and jokers (section 8)."""

from __future__ import annotations

from typing import Any

from ...core.kernel import kernel
from ...core.state import State
from ..actions import HIT, MOB, RAID
from ..state import (
    ACE,
    AIMED,
    BLACK_JOKER,
    BRIBE,
    HIT_MAN,
    MOBBED,
    NONE,
    RAIDED,
    RED_JOKER,
    TERRITORIES,
)
from .ending import cash, end_if_all_twelve
from .turn import ask_payment, back_to_cards, drop_card, report, reshuffle


@kernel(leaf=True)
def legal_cards(state: State, seat: int, mask: Any) -> None:
    """Aces and jokers with a target (CU-8.1, CU-8.2, CU-8.4, CU-8.6)."""
    if state.hands[seat, ACE] > 0:
        for step in range(1, state.num_seats):
            mask[HIT + step - 1] = state.men[(seat + step) % state.num_seats] > 0
    red = state.hands[seat, RED_JOKER] > 0
    black = state.hands[seat, BLACK_JOKER] > 0
    if red or black:
        for x in range(TERRITORIES):
            rival = state.owner[x] != NONE and state.owner[x] != seat
            mask[RAID + x] = red and rival
            mask[MOB + x] = black and rival


@kernel(leaf=True)
def has_card_target(state: State, seat: int) -> bool:
    """Whether an Ace or joker of this hand could be used."""
    if state.hands[seat, ACE] > 0:
        for other in range(state.num_seats):
            if other != seat and state.men[other] > 0:
                return True
    if state.hands[seat, RED_JOKER] > 0 or state.hands[seat, BLACK_JOKER] > 0:
        return has_rival_territory(state, seat)
    return False


@kernel(leaf=True)
def has_rival_territory(state: State, seat: int) -> bool:
    """Whether a rival owns a territory."""
    for x in range(TERRITORIES):
        if state.owner[x] != NONE and state.owner[x] != seat:
            return True
    return False


@kernel(leaf=True)
def hit(state: State, step: int) -> None:
    """An Ace removes a henchman of the seat ``step`` places clockwise (CU-8.2)."""
    victim = (state.current + step) % state.num_seats
    state.men[victim] -= 1
    report(state, HIT_MAN, state.current, victim, 0)
    drop_card(state, state.current, ACE)


@kernel(leaf=True)
def play_joker(state: State, joker: int, x: int) -> None:
    """Aim a joker; an owner with the money is asked for the bribe (CU-8.4 to CU-8.8)."""
    state.hands[state.current, joker] -= 1
    state.hand_size[state.current] -= 1
    state.joker = joker
    state.target = x
    owner = state.owner[x]
    report(state, AIMED, state.current, x, joker)
    if cash(state, owner) >= state.bribe_price:
        ask_payment(state, owner, BRIBE, state.bribe_price)
    else:
        carry_out_joker(state)


@kernel(leaf=True)
def carry_out_joker(state: State) -> None:
    """The raid or the mob attack succeeds (CU-8.4, CU-8.6)."""
    x = state.target
    if state.joker == RED_JOKER:
        report(state, RAIDED, state.current, x, state.owner[x])
        state.owner[x] = NONE
        state.pile_size += 1
        reshuffle(state)
    else:
        report(state, MOBBED, state.current, x, state.owner[x])
        state.owner[x] = state.current
    finish_joker(state)


@kernel(leaf=True)
def finish_joker(state: State) -> None:
    """The joker itself is discarded last, so its own reshuffle spares it (CU-8.8)."""
    state.discards[state.joker] += 1
    state.joker = NONE
    state.target = NONE
    if not end_if_all_twelve(state):
        back_to_cards(state)
