"""A stronger bot for Five Points: majorities with their margins, election threats, standings.

Like the specification's bot it looks one decision ahead at the elections that the board promises;
unlike it, it knows that a lead of one can be overtaken while rivals may still place, that a boss is
worth more the closer his gang is to five, that a marker on which a rival leads is worth taking from
him, and it moves tiles, buildings and rabble where that pays.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import (
    BID_AT,
    BUILDING_AT,
    CELL_AT,
    MAX_BID,
    NO_BID,
    PASS_ACTION,
    PLACE_AT,
    RABBLE_AT,
    SKIP,
    TILE_AT,
)
from ..data import PASS_INCOME
from ..rules.city import PAD, fits, pattern_around, sole_leader, tiles_beside
from ..rules.markers import highest_bidder
from ..rules.placement import in_extra_turn, smallest_bid
from ..rules.scoring import score
from ..state import (
    BID,
    BUILDING_STAGE,
    CM_PICK,
    ELECT,
    MAX_SEATS,
    MAX_TILES,
    MB_PICK,
    MB_TO,
    MT_CELL,
    MT_TILE,
    NONE,
    NUM_BUILDINGS,
    NUM_COLOURS,
    PLACE,
    ROW_SIZE,
    SPECIAL,
    ST_PICK,
    ST_TO,
)
from .specified import ESTIMATE, Floats, choose_colour
from .value import (
    SCRATCH_ROWS,
    STANDING,
    W_BID,
    W_CHANGE,
    W_ENDING,
    W_INCOME,
    W_LAST_PLACE,
    W_PLACE,
    W_STANDING,
    WEIGHTS,
    Ints,
    Workspace,
    add_elections,
    add_gains,
    count_votes,
    value,
    weigh,
)

ENDING_SUPPLY: Final = 2
_TIE: Final = 1e-9
FAR: Final = -1e9
"""Value of what was not looked at."""


@kernel
def choose(known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64) -> int:
    """Looks one decision ahead at majorities and threats; deterministic.

    Args:
        known: Redacted record; changed while it is tried out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Not used.
    """
    return decide(known, seat, mask, WEIGHTS, np.full(len(mask), FAR))


@kernel
def value_actions(
    known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64, values: Floats
) -> None:
    """What :func:`choose` thinks of every legal action, in points; ``FAR`` where it did not look.

    Args:
        known: Redacted record; changed while it is tried out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Not used.
        values: Float64 of the same shape; filled.
    """
    values[:] = FAR
    chosen = decide(known, seat, mask, WEIGHTS, values)
    highest = FAR
    for action in range(len(mask)):
        if mask[action]:
            highest = max(highest, values[action])
    values[chosen] = highest if highest > FAR else 0.0


@kernel
def decide(
    known: State, seat: int, mask: NDArray[np.bool_], weights: Floats, values: Floats
) -> int:
    """The action with these weights; ``values`` gets what is thought of those looked at."""
    scratch = np.zeros((SCRATCH_ROWS, MAX_SEATS))
    leaders = np.zeros(MAX_TILES, np.int64)
    for tile in range(known.num_tiles):
        leaders[tile] = sole_leader(known, tile)
    for other in range(known.num_seats):
        scratch[STANDING, other] = weights[W_STANDING] * score(known, other, NONE)
    work = Workspace(weights, scratch, leaders)
    phase = known.phase
    if phase == PLACE:
        return choose_place(known, seat, work, values)
    if phase == BID:
        return choose_bid(known, seat, work, values)
    if phase in (SPECIAL, ELECT):
        return choose_election(known, seat, mask, work, values)
    if phase == CM_PICK:
        return choose_colour(known, seat)
    if phase in (MT_TILE, MT_CELL):
        return choose_move(known, seat, mask, work, values)
    if phase in (MB_PICK, MB_TO):
        return choose_site(known, seat, work, values)
    if phase in (ST_PICK, ST_TO):
        return choose_smuggling(known, seat, work, values)
    for action in range(len(mask)):  # SETUP: nobody knows the buildings
        if mask[action]:
            return action
    return NONE


# --- placing and bidding ----------------------------------------------------------------------


@kernel(leaf=True)
def choose_place(known: State, seat: int, work: Workspace, values: Floats) -> int:
    """The tile that raises the value most, if by more than the rabble costs; else pass."""
    weights, leaders = work.weights, work.leaders
    last = in_extra_turn(known)
    active = active_seats(known, seat, last)
    before = value(known, seat, active, True, work)
    cost = weights[W_LAST_PLACE]
    if not last:
        now = min(known.boroughs[seat], PASS_INCOME[known.num_seats, known.num_passed])
        later = min(known.boroughs[seat], PASS_INCOME[known.num_seats, known.num_passed + 1])
        cost = weights[W_PLACE] + weights[W_INCOME] * (now - later)
    if is_ending(known):
        cost *= weights[W_ENDING]
    best = NONE
    best_gain = cost
    values[PASS_ACTION] = cost
    for tile in range(known.num_tiles):
        leader = leaders[tile]
        known.rabble[tile, seat] += 1
        known.total[tile] += 1
        leaders[tile] = sole_leader(known, tile)
        gain = value(known, seat, active, True, work) - before
        known.rabble[tile, seat] -= 1
        known.total[tile] -= 1
        leaders[tile] = leader
        values[PLACE_AT + tile] = gain
        if gain > best_gain + _TIE:
            best = tile
            best_gain = gain
    return PASS_ACTION if best == NONE else PLACE_AT + best


@kernel(leaf=True)
def choose_bid(known: State, seat: int, work: Workspace, values: Floats) -> int:
    """The smallest leading bid of the greatest benefit, if that is above zero."""
    active = active_seats(known, seat, in_extra_turn(known))
    before = value(known, seat, active, True, work)
    cost = work.weights[W_BID] * (work.weights[W_ENDING] if is_ending(known) else 1.0)
    best = NO_BID
    best_benefit = 0.0
    values[NO_BID] = 0.0
    for marker in range(ROW_SIZE):
        count = smallest_bid(known, marker, seat)
        if count > known.hq[seat] or highest_bidder(known, marker) == seat:
            continue
        known.bids[marker, seat] += count
        benefit = value(known, seat, active, True, work) - before
        known.bids[marker, seat] -= count
        benefit -= cost * count
        values[BID_AT + MAX_BID * marker + count - 1] = benefit
        if benefit > best_benefit + _TIE:
            best_benefit = benefit
            best = BID_AT + MAX_BID * marker + count - 1
    return best


@kernel(leaf=True)
def active_seats(known: State, seat: int, last: bool) -> int:
    """Bit set of the seats that may still place a rabble after this turn."""
    active = 0
    for other in range(known.num_seats):
        if known.pass_place[other] == 0 and known.hq[other] > (other == seat):
            active |= 1 << other
    return 0 if last else active


@kernel(leaf=True)
def is_ending(known: State) -> bool:
    """Whether the game may well end with this round."""
    for colour in range(NUM_COLOURS):
        if known.supply[colour] <= ENDING_SUPPLY:
            return True
    return False


# --- effects ----------------------------------------------------------------------------------


@kernel(leaf=True)
def choose_election(
    known: State,
    seat: int,
    mask: Any,
    work: Workspace,
    values: Floats,
) -> int:
    """The tile whose election is worth most together with what it leaves to the others."""
    scratch, leaders = work.scratch, work.leaders
    best = NONE
    best_value = 0.0
    for tile in range(known.num_tiles):
        if mask[TILE_AT + tile]:
            count_votes(known, known.phase == SPECIAL, work)
            scratch[ESTIMATE] = 0.0
            add_gains(known, tile, 1.0, 0, work)
            if known.phase == SPECIAL:
                total = known.total[tile]
                leader = leaders[tile]
                known.total[tile] = 0
                leaders[tile] = NONE
                add_elections(known, 0, work)
                known.total[tile] = total
                leaders[tile] = leader
            tried = weigh(known, seat, work)
            values[TILE_AT + tile] = tried
            if best == NONE or tried > best_value + _TIE:
                best = tile
                best_value = tried
    return TILE_AT + best


@kernel(leaf=True)
def choose_move(
    known: State,
    seat: int,
    mask: Any,
    work: Workspace,
    values: Floats,
) -> int:
    """The tile, or its cell, of the move that brings most; skip if none brings enough."""
    before = np.empty(MAX_TILES, np.int64)
    for tile in range(known.num_tiles):
        before[tile] = known.adjacent[tile]
    expected = known.stage < BUILDING_STAGE
    best = NONE
    best_value = FAR
    if known.phase == MT_TILE:
        best = SKIP
        best_value = work.weights[W_CHANGE]
        best_value += value(known, seat, 0, expected, work)
        values[SKIP] = best_value
    for tile in range(known.num_tiles):
        if known.phase == MT_CELL and tile != known.picked:
            continue
        if known.phase == MT_TILE and not mask[TILE_AT + tile]:
            continue
        here = pattern_around(known, PAD[known.cell[tile]], tile)
        for i in range(known.rim_size):
            cell = known.rim[i]
            if not fits(known, tile, here, cell):
                continue
            beside = tiles_beside(known, PAD[cell]) & ~(1 << tile)
            for other in range(known.num_tiles):
                known.adjacent[other] = before[other] & ~(1 << tile)
                if beside >> other & 1:
                    known.adjacent[other] |= 1 << tile
            known.adjacent[tile] = beside
            tried = value(known, seat, 0, expected, work)
            action = TILE_AT + tile if known.phase == MT_TILE else CELL_AT + cell
            best, best_value = note(values, action, tried, best, best_value)
        for other in range(known.num_tiles):
            known.adjacent[other] = before[other]
    return best


@kernel(leaf=True)
def choose_site(
    known: State,
    seat: int,
    work: Workspace,
    values: Floats,
) -> int:
    """The building, or its new tile, of the move that brings most; skip if none does."""
    best = NONE
    best_value = FAR
    if known.phase == MB_PICK:
        best = SKIP
        best_value = work.weights[W_CHANGE]
        best_value += value(known, seat, 0, True, work)
        values[SKIP] = best_value
    for building in range(NUM_BUILDINGS):
        if known.phase == MB_TO and building != known.picked:
            continue
        home = known.building_tile[building]
        for tile in range(known.num_tiles):
            if tile in (home, known.building_tile[1 - building]):
                continue
            known.building_tile[building] = tile
            tried = value(known, seat, 0, True, work)
            action = BUILDING_AT + building if known.phase == MB_PICK else TILE_AT + tile
            best, best_value = note(values, action, tried, best, best_value)
        known.building_tile[building] = home
    return best


@kernel(leaf=True)
def choose_smuggling(
    known: State,
    seat: int,
    work: Workspace,
    values: Floats,
) -> int:
    """The rabble, or its new tile, of the move that brings most; skip if none does."""
    best = NONE
    best_value = FAR
    if known.phase == ST_PICK:
        best = SKIP
        best_value = work.weights[W_CHANGE]
        best_value += value(known, seat, 0, False, work)
        values[SKIP] = best_value
    for source in range(known.num_tiles):
        for owner in range(known.num_seats):
            if known.rabble[source, owner] == 0:
                continue
            if known.phase == ST_TO and (source != known.picked or owner != known.picked_seat):
                continue
            offset = owner - seat if owner >= seat else owner - seat + known.num_seats
            for tile in range(known.num_tiles):
                if tile == source:
                    continue
                shift(known, owner, source, tile, work.leaders)
                tried = value(known, seat, 0, False, work)
                shift(known, owner, tile, source, work.leaders)
                action = TILE_AT + tile
                if known.phase == ST_PICK:
                    action = RABBLE_AT + MAX_SEATS * source + offset
                best, best_value = note(values, action, tried, best, best_value)
    return best


@kernel(leaf=True)
def note(
    values: Floats, action: int, tried: float, best: int, best_value: float
) -> tuple[int, float]:
    """Note what an action has come to; returns the best action so far and its value."""
    values[action] = max(values[action], tried)
    if tried > best_value + _TIE:
        return action, tried
    return best, best_value


@kernel(leaf=True)
def shift(known: State, owner: int, source: int, target: int, leaders: Ints) -> None:
    """Move one rabble and find the leaders of both tiles again."""
    known.rabble[source, owner] -= 1
    known.total[source] -= 1
    known.rabble[target, owner] += 1
    known.total[target] += 1
    leaders[source] = sole_leader(known, source)
    leaders[target] = sole_leader(known, target)
