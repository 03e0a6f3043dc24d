"""The end of a turn and of the game, and its scores (sections 10, 11 and 14)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.kernel import kernel
from ...core.state import State, rank, settle
from ..actions import DROP
from ..data import MAN_POINTS, POINTS
from ..state import (
    ACE,
    BLACK_JOKER,
    CARD_TYPES,
    DROPPED,
    MONEY_TYPES,
    NEXT_TURN,
    NONE,
    OVER,
    RED_JOKER,
    RESHUFFLE,
    TERRITORIES,
)
from .turn import begin_turn, drop_card, report, reshuffle


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


@kernel(leaf=True)
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


@kernel(leaf=True)
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


@kernel(leaf=True)
def legal_discards(state: State, seat: int, mask: Any) -> None:
    """Any card of a hand above the limit (CU-11.1)."""
    for card in range(CARD_TYPES):
        mask[DROP + card] = state.hands[seat, card] > 0


@kernel(leaf=True)
def only_discard(state: State, seat: int) -> int:
    """The only card to drop, or ``NONE`` if there is a choice (CU-4.4)."""
    only = NONE
    for card in range(CARD_TYPES):
        if state.hands[seat, card] > 0:
            if only != NONE:
                return NONE
            only = DROP + card
    return only


@kernel(leaf=True)
def discard(state: State, card: int) -> None:
    """Drop a card at the end of one's turn (CU-11.1)."""
    drop_card(state, state.current, card)
    report(state, DROPPED, state.current, card, 0)
    end_turn_within_limit(state)


@kernel(leaf=True)
def end_turn_within_limit(state: State) -> None:
    """The turn is over once the hand is within its limit (CU-11.1)."""
    if state.hand_size[state.current] <= state.hand_limit:
        end_turn(state)
