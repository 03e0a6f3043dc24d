"""Elections and the control markers that follow them (sections 9 and 10 of the rules)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..actions import TILE_AT
from ..state import ELECT, ELECTION, FIRST_ROUND_ONLY, NONE, ROUND_END, STOP
from .city import sole_leader
from .markers import take_control_marker
from .scoring import someone_has_all_bosses

ELECTION_LIMIT = 2
"""Normal elections of a round (FP-9.3)."""
COLOUR_VOTES = 3
"""Votes of a V3 marker (FP-6.7)."""


@kernel
def votes(state: State, tile: int, seat: int) -> int:
    """Votes of a seat in an election on a tile, from the board as it is (FP-9.6, FP-6.9)."""
    return int(
        state.rabble[tile, seat]
        + state.flat_votes[seat]
        + COLOUR_VOTES * state.colour_votes[seat, state.colour[tile]]
        + state.boss_votes[seat] * state.boss_count[seat]
    )


@kernel(leaf=True)
def find_fullest_tiles(state: State) -> int:
    """Which tiles hold normal elections; the last passer is asked about ties (FP-9.2 to 9.5).

    Returns the next step.
    """
    most = 0
    tied = 0
    count = 0
    single = NONE
    for tile in range(state.num_tiles):
        if state.total[tile] > most:
            most = state.total[tile]
            tied = 0
            count = 0
        if most > 0 and state.total[tile] == most:
            tied |= 1 << tile
            count += 1
            single = tile
    if count == 0:
        return ROUND_END
    if count == 1:
        choose_election(state, single)
        return ELECTION
    state.tied = tied
    state.seat = state.pass_order[state.num_seats - 1]
    state.phase = ELECT
    return STOP


@kernel(leaf=True)
def choose_election(state: State, tile: int) -> None:
    """Name a tile as the next to vote."""
    state.chosen[state.num_chosen] = tile
    state.num_chosen += 1


@kernel(leaf=True)
def is_candidate(state: State, tile: int) -> bool:
    """Whether a tile is tied for the most rabble and not named yet (FP-9.4)."""
    if state.tied >> tile & 1 == 0:
        return False
    for i in range(state.num_chosen):
        if state.chosen[i] == tile:
            return False
    return True


@kernel(leaf=True)
def legal_election(state: State, mask: NDArray[np.bool_]) -> None:
    """The tied tiles that are not named yet (FP-9.4)."""
    for tile in range(state.num_tiles):
        mask[TILE_AT + tile] = is_candidate(state, tile)


@kernel(leaf=True)
def name_election(state: State, tile: int) -> int:
    """The last passer names a tied tile; a single one left needs no choice (FP-4.3, FP-9.11).

    Returns the next step.
    """
    choose_election(state, tile)
    count = 0
    last = NONE
    for other in range(state.num_tiles):
        if is_candidate(state, other):
            count += 1
            last = other
    limited = state.election_limit != FIRST_ROUND_ONLY or state.round_number == 1
    wanted = min(count, ELECTION_LIMIT - state.num_chosen) if limited else count
    if wanted > 0 and count > 1:
        return STOP
    if wanted == 1:
        choose_election(state, last)
    state.tied = 0
    return ELECTION


@kernel(leaf=True)
def next_special(state: State) -> int:
    """Take the first special election off the list (FP-9.1); NONE if there is none."""
    if state.num_specials == 0:
        return NONE
    state.num_specials -= 1
    return take_first(state.specials, state.num_specials)


@kernel(leaf=True)
def next_election(state: State) -> int:
    """Take the first normal election off the list; NONE if there is none."""
    if state.num_chosen == 0:
        return NONE
    state.num_chosen -= 1
    return take_first(state.chosen, state.num_chosen)


@kernel(leaf=True)
def take_first(tiles: NDArray[np.int8], left: int) -> int:
    """Take the first tile off a list, of which ``left`` tiles remain."""
    tile = tiles[0]
    for i in range(left):
        tiles[i] = tiles[i + 1]
    tiles[left] = NONE
    return int(tile)


@kernel(leaf=True)
def winners_of(state: State, tile: int) -> int:
    """Bit set of the seats with the most votes, at least one (FP-9.7)."""
    best = 1
    winners = 0
    for seat in range(state.num_seats):
        count = votes(state, tile, seat)
        if count > best:
            best = count
            winners = 0
        if count == best:
            winners |= 1 << seat
    return winners


@kernel(leaf=True)
def hold_election(state: State, tile: int) -> bool:
    """One election, special or normal, with its control markers (FP-9.6 to FP-9.10, FP-10.1).

    Returns True if it ended the game by a fifth boss (FP-14.1, FP-10.7).
    """
    winners = winners_of(state, tile)
    for seat in range(state.num_seats):
        state.boroughs[seat] += state.rabble[tile, seat]
        state.rabble[tile, seat] = 0
        if winners != 0:
            won = winners >> seat & 1
            state.boss_count[seat] += won - state.bosses[tile, seat]
            state.bosses[tile, seat] = won
    state.total[tile] = 0
    if someone_has_all_bosses(state):
        return True
    award_neighbours(state, tile)
    return False


@kernel(leaf=True)
def award_neighbours(state: State, tile: int) -> None:
    """Control markers and points for the leaders of the neighbours (FP-10.1 to FP-10.6)."""
    open_claims = 0
    for near in range(state.num_tiles):
        if state.adjacent[tile] >> near & 1 and state.total[near] > 0:
            if sole_leader(state, near) != NONE:
                open_claims |= 1 << near
            else:
                reward_tie(state, near)
    while open_claims != 0:
        first = NONE
        for near in range(state.num_tiles):
            if open_claims >> near & 1 and (first == NONE or goes_before(state, near, first)):
                first = near
        open_claims &= ~(1 << first)
        colour = state.colour[first]
        if state.supply[colour] > 0:
            take_control_marker(state, sole_leader(state, first), colour)


@kernel(leaf=True)
def goes_before(state: State, tile: int, other: int) -> bool:
    """Whether one claim is served before another: fuller tile, then earlier passer (FP-10.6)."""
    if state.total[tile] != state.total[other]:
        return bool(state.total[tile] > state.total[other])
    mine = sole_leader(state, tile)
    return bool(state.pass_place[mine] < state.pass_place[sole_leader(state, other)])


@kernel(leaf=True)
def reward_tie(state: State, tile: int) -> None:
    """One victory point to each tied leader of a tile (FP-10.3)."""
    best = 0
    for seat in range(state.num_seats):
        best = max(best, state.rabble[tile, seat])
    for seat in range(state.num_seats):
        if state.rabble[tile, seat] == best:
            state.vp[seat] += 1
