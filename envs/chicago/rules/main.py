"""The one action of a turn: hire, draw or battle (sections 5, 6 and 9)."""

from __future__ import annotations

from typing import Any

from ...core.kernel import kernel
from ...core.rng import roll_die
from ...core.state import State
from ..actions import BATTLE, DRAW, HIRE
from ..data import HIRE_PRICE, PRICES
from ..state import (
    CARD_TYPES,
    DREW,
    FLIPPED,
    FOUGHT,
    GRABBED,
    HIRED,
    MAX_MEN,
    NONE,
    NOT_HIRED,
    PAY_HIRE,
    PAY_TERR,
    ROLLED,
    TERRITORIES,
)
from .ending import cash, end_if_all_twelve
from .turn import ask_payment, back_to_cards, put_back, report, take_card


@kernel(leaf=True)
def legal_main(state: State, seat: int, mask: Any) -> None:
    """Hire, draw or battle (CU-4.3)."""
    mask[HIRE] = state.men[seat] < MAX_MEN
    mask[DRAW] = state.pile_size > 0
    if state.men[seat] > 0:
        for x in range(TERRITORIES):
            mask[BATTLE + x] = state.owner[x] != NONE and state.owner[x] != seat


@kernel(leaf=True)
def hire(state: State) -> None:
    """Roll for a henchman (CU-5.1 to CU-5.4)."""
    state.acted = 1
    die = roll_die(state)
    seat = state.current
    report(state, ROLLED, seat, die, 0)
    if die >= 4:
        state.men[seat] += 1
        report(state, HIRED, seat, 0, 0)
        back_to_cards(state)
    elif cash(state, seat) >= HIRE_PRICE:
        ask_payment(state, seat, PAY_HIRE, HIRE_PRICE)
    else:
        report(state, NOT_HIRED, seat, 0, 0)
        back_to_cards(state)


@kernel(leaf=True)
def draw(state: State) -> None:
    """Turn the top card of the draw pile (CU-6.1 to CU-6.7)."""
    state.acted = 1
    seat = state.current
    card = take_card(state)
    if card < CARD_TYPES:
        report(state, DREW, seat, card, 0)
        state.hands[seat, card] += 1
        state.hand_size[seat] += 1
        back_to_cards(state)
        return
    state.flipped = card - CARD_TYPES
    report(state, FLIPPED, seat, state.flipped, 0)
    price = PRICES[state.flipped]
    if cash(state, seat) >= price:
        ask_payment(state, seat, PAY_TERR, price)
    else:
        put_back(state)


@kernel(leaf=True)
def battle(state: State, x: int) -> None:
    """Fight for a rival's territory (CU-9.1 to CU-9.7)."""
    state.acted = 1
    seat = state.current
    defender = state.owner[x]
    if state.men[defender] == 0:
        report(state, GRABBED, seat, x, defender)
        state.owner[x] = seat
    else:
        report(state, FOUGHT, seat, x, defender)
        attack = roll_side(state, 0, state.men[seat])
        defence = roll_side(state, 1, state.men[defender])
        if attack > defence:
            state.owner[x] = seat
        else:
            state.men[seat] -= 1
    if not end_if_all_twelve(state):
        back_to_cards(state)


@kernel(leaf=True)
def roll_side(state: State, side: int, men: int) -> int:
    """Roll a die a henchman and return the highest (CU-9.3)."""
    highest = 0
    for man in range(MAX_MEN):
        die = roll_die(state) if man < men else 0
        state.dice[side, man] = die
        highest = max(highest, die)
    return highest
