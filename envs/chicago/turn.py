"""Set-up, the turn and the end of the game (sections 3, 4, 10, 11 and 14)."""

from __future__ import annotations

import numpy as np

from ..core.kernel import kernel
from ..core.rng import randint
from ..core.state import State, rank, settle
from .data import DEALT, FULL_DECK, MAN_POINTS, POINTS, START_MEN
from .state import (
    ACE,
    BLACK_JOKER,
    CARD_TYPES,
    CARDS,
    DECK,
    DROPPED,
    LOG_SIZE,
    MAIN,
    MONEY_TYPES,
    NEXT_TURN,
    NONE,
    OVER,
    RED_JOKER,
    RESHUFFLE,
    TERRITORIES,
)


@kernel(leaf=True)
def report(state: State, kind: int, seat: int, detail: int, more: int) -> None:
    """Tell the table what happened; the last ``LOG_SIZE`` events are kept."""
    entry = state.log[state.told % LOG_SIZE]
    entry[0] = kind
    entry[1] = seat
    entry[2] = detail
    entry[3] = more
    state.told += 1


@kernel(leaf=True)
def take_card(state: State) -> int:
    """Take a uniformly random card out of the draw pile (CU-10.1, CU-12.1).

    Returns:
        A card type, or ``CARD_TYPES + x`` for territory ``x``.
    """
    index = randint(state, state.pile_size)
    state.pile_size -= 1
    for card in range(CARD_TYPES):
        if index < state.pile[card]:
            state.pile[card] -= 1
            return card
        index -= state.pile[card]
    for x in range(TERRITORIES):
        if state.owner[x] == NONE:
            if index == 0:
                return CARD_TYPES + x
            index -= 1
    return NONE


@kernel
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


@kernel(leaf=True)
def begin_turn(state: State, seat: int) -> None:
    """The turn of ``seat`` starts (CU-4.2)."""
    state.current = seat
    state.seat = seat
    state.acted = 0
    state.phase = MAIN


@kernel(leaf=True)
def back_to_cards(state: State) -> None:
    """The action or card is done: MAIN before the action, CARDS after it (CU-4.3)."""
    state.seat = state.current
    state.phase = CARDS if state.acted else MAIN


@kernel(leaf=True)
def reshuffle(state: State) -> None:
    """All discards go back into the draw pile (CU-10.2)."""
    for card in range(CARD_TYPES):
        state.pile[card] += state.discards[card]
        state.pile_size += state.discards[card]
        state.discards[card] = 0


@kernel(leaf=True)
def drop_card(state: State, seat: int, card: int) -> None:
    """A card goes from a hand to the discards (CU-10.4)."""
    state.hands[seat, card] -= 1
    state.hand_size[seat] -= 1
    state.discards[card] += 1


@kernel(leaf=True)
def territory_points(state: State, seat: int) -> int:
    """Points of the territories of a seat (CU-14.4)."""
    points = 0
    for x in range(TERRITORIES):
        if state.owner[x] == seat:
            points += POINTS[x]
    return points


@kernel(leaf=True)
def cash(state: State, seat: int) -> int:
    """Dollars in a hand (CU-1.3)."""
    dollars = 0
    for card in range(MONEY_TYPES):
        dollars += (card + 2) * state.hands[seat, card]
    return dollars


@kernel
def score_game(state: State, capped: int) -> None:
    """The end: scores and places (CU-14.4, CU-14.5)."""
    n = state.num_seats
    keys = np.zeros(n, np.int64)
    for seat in range(n):
        points = territory_points(state, seat)
        state.scores[seat] = points + MAN_POINTS * state.men[seat] + cash(state, seat)
        keys[seat] = (np.int64(state.scores[seat]) * 256 + points) * 8 + state.men[seat]
    rank(keys, state.places[:n])
    state.capped = capped
    state.phase = OVER
    settle(state)


@kernel
def end_if_all_twelve(state: State) -> bool:
    """A seat with all twelve territories ends the game at once (CU-14.1)."""
    for x in range(TERRITORIES):
        if state.owner[x] != state.current:
            return False
    seat = state.current
    while state.hand_size[seat] > state.hand_limit:
        card = worst_card(state, seat)
        drop_card(state, seat, card)
        report(state, DROPPED, seat, card, 0)
    score_game(state, 0)
    return True


@kernel(leaf=True)
def worst_card(state: State, seat: int) -> int:
    """The card that scores least: Ace, red, black joker, then lowest money (CU-14.7)."""
    if state.hands[seat, ACE] > 0:
        return ACE
    if state.hands[seat, RED_JOKER] > 0:
        return RED_JOKER
    if state.hands[seat, BLACK_JOKER] > 0:
        return BLACK_JOKER
    for card in range(MONEY_TYPES):
        if state.hands[seat, card] > 0:
            return card
    return NONE


@kernel
def end_turn(state: State) -> None:
    """End checks, then the next seat (CU-14.2, CU-14.3, CU-14.6)."""
    state.turns += 1
    if state.pile_size == 0 and state.deck_end == RESHUFFLE:
        reshuffle(state)
    if state.pile_size == 0:
        score_game(state, 0)
    elif state.turns >= state.turn_cap:
        score_game(state, 1)
    else:
        begin_turn(state, (state.current + 1) % state.num_seats)
        report(state, NEXT_TURN, state.current, 0, 0)
