"""The placement phase: turns, bids, passing, income (section 5 of the rules)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import BID_AT, MAX_BID, NO_BID, PASS_ACTION, PLACE_AT
from ..data import PASS_INCOME
from ..state import BID, INCOME, MARKERS, MAX_SEATS, PLACE, ROW_SIZE, STOP, TURN


@kernel(leaf=True)
def take_turn(state: State) -> int:
    """Ask ``state.seat`` or the next one clockwise that has not passed; forced passes happen.

    Returns the next step (FP-4.5, FP-5.10).
    """
    seat = state.seat
    while state.num_passed < state.num_seats:
        if state.pass_place[seat] == 0:
            if state.hq[seat] > 0:
                state.seat = seat
                state.phase = PLACE
                return STOP
            pass_turn(state, seat)
        seat = seat + 1 if seat + 1 < state.num_seats else 0
    return INCOME


@kernel(leaf=True)
def pass_turn(state: State, seat: int) -> None:
    """The seat takes the next place of the passing order (FP-5.9)."""
    state.pass_order[state.num_passed] = seat
    state.num_passed += 1
    state.pass_place[seat] = state.num_passed


@kernel(leaf=True)
def in_extra_turn(state: State) -> bool:
    """Whether all but one seat have passed, so that this turn is the last (FP-5.11)."""
    return bool(state.num_passed == state.num_seats - 1)


@kernel(leaf=True)
def legal_place(state: State, mask: NDArray[np.bool_]) -> None:
    """Place a rabble on any tile, or pass (FP-5.2)."""
    mask[PASS_ACTION] = True
    for tile in range(state.num_tiles):
        mask[PLACE_AT + tile] = True


@kernel(leaf=True)
def decide_place(state: State, action: int) -> int:
    """Place or pass (FP-5.1). Returns the next step."""
    if action == PASS_ACTION:
        pass_turn(state, state.seat)
        return TURN
    return place_rabble(state, action - PLACE_AT)


@kernel(leaf=True)
def place_rabble(state: State, tile: int) -> int:
    """Place one rabble from the HQ; then the bid, if one is possible (FP-5.2, FP-5.3, FP-5.4)."""
    seat = state.seat
    state.hq[seat] -= 1
    state.rabble[tile, seat] += 1
    state.total[tile] += 1
    for marker in range(ROW_SIZE):
        if smallest_bid(state, marker, seat) <= state.hq[seat]:
            state.phase = BID
            return STOP
    return end_turn(state)


@kernel(leaf=True)
def smallest_bid(state: State, marker: int, seat: int) -> int:
    """Fewest rabble that the seat must add to hold strictly the most on a marker (FP-5.5)."""
    highest = 0
    for other in range(MAX_SEATS):  # a constant unrolls; those who do not play bid nothing
        if other != seat:
            highest = max(highest, state.bids[marker, other])
    return int(max(1, highest - state.bids[marker, seat] + 1))


@kernel(leaf=True)
def legal_bid(state: State, mask: NDArray[np.bool_]) -> None:
    """Any bid that holds strictly the most on a marker, or none (FP-5.5)."""
    mask[NO_BID] = True
    for marker in range(ROW_SIZE):
        for count in range(smallest_bid(state, marker, state.seat), state.hq[state.seat] + 1):
            mask[BID_AT + MAX_BID * marker + count - 1] = True


@kernel(leaf=True)
def decide_bid(state: State, action: int) -> int:
    """Bid or not (FP-5.4). Returns the next step."""
    if action == NO_BID:
        return end_turn(state)
    return bid(state, (action - BID_AT) // MAX_BID, (action - BID_AT) % MAX_BID + 1)


@kernel(leaf=True)
def bid(state: State, marker: int, count: int) -> int:
    """Put rabble from the HQ beside a marker (FP-5.5, FP-5.7)."""
    state.hq[state.seat] -= count
    state.bids[marker, state.seat] += count
    return end_turn(state)


@kernel(leaf=True)
def end_turn(state: State) -> int:
    """After a turn in which a rabble was placed (FP-5.11). Returns the next step."""
    if in_extra_turn(state):
        pass_turn(state, state.seat)
        return INCOME
    state.seat = state.seat + 1 if state.seat + 1 < state.num_seats else 0
    return TURN


@kernel(leaf=True)
def take_income(state: State) -> int:
    """Rabble from the boroughs to the HQ by place in the passing order (FP-5.12, FP-5.13)."""
    for place in range(state.num_seats):
        retrieve(state, state.pass_order[place], PASS_INCOME[state.num_seats, place])
    return MARKERS


@kernel(leaf=True)
def retrieve(state: State, seat: int, count: int) -> None:
    """Move up to ``count`` rabble of a seat from its boroughs to its HQ."""
    moved = min(count, state.boroughs[seat])
    state.boroughs[seat] -= moved
    state.hq[seat] += moved
