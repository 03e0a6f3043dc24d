"""What a position of Five Points is worth to a seat, in points: majorities, threats, standings."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..data import (
    CM,
    FM,
    MARKER_COLOUR,
    MARKER_KIND,
    MB,
    MJ,
    MT,
    SE,
    VC,
)
from ..rules.markers import has_majority, highest_bidder
from ..state import BOSSES, NONE, NUM_BUILDINGS, NUM_COLOURS, ROW_SIZE
from .specified import (
    BUILDING_GAINS,
    ESTIMATE,
    VOTE_ROWS,
    Floats,
    add_building_votes,
    add_marker_votes,
    count_won_votes,
    votes_of,
)

Ints = NDArray[np.int64]

# Places of the weights.
W_BOSS: Final = 0
"""Gain of a boss for a gang that has 0, 1, 2, 3, 4 on the board."""
W_TIED_NEAR: Final = 5
W_LED_NEAR: Final = 6
W_RARE_NEAR: Final = 7
"""More for a control marker of a colour that the gang has least of."""
W_ONE_SHORT: Final = 8
W_TWO_SHORT: Final = 9
"""Weight of the tiles that are one or two rabble short of the fullest."""
W_RIVAL: Final = 10
W_MEAN: Final = 11
W_STANDING: Final = 12
"""How much of the score so far counts when the strongest rival is looked for."""
W_PLACE: Final = 13
W_LAST_PLACE: Final = 14
W_INCOME: Final = 15
"""Cost of a rabble placed: always, in the extra turn, for each rabble of income that it costs."""
W_BID: Final = 16
W_CM: Final = 17
W_MJ: Final = 18
W_VC: Final = 19
W_SE: Final = 20
W_MOVE: Final = 21
"""Cost of a rabble bid; what the markers bring that give no votes."""
W_LEAD_ONE: Final = 22
W_LEAD_TWO: Final = 23
W_TIED: Final = 24
W_BEHIND: Final = 25
"""Chance to win a tile: ahead by one, by two or more, tied, behind by one, while others may act."""
W_ENDING: Final = 26
"""Share of the costs that is left when the game is about to end."""
W_CONTROL: Final = 27
"""Each tile controlled, wherever it lies."""
W_BUILDING: Final = 28
W_CHANGE: Final = 29
"""What a move of a tile, a building or a rabble has to bring."""
NUM_WEIGHTS: Final = 30

WEIGHTS: Final = np.array(
    [
        *(1.22, 5.0, 8.96, 7.0, 60.0),
        *(0.0, 0.88, 2.1),
        *(0.43, 0.1),
        *(0.25, 0.0, 0.41),
        *(0.16, 0.16, 0.1),
        *(1.0, 1.58, 3.06, 0.8, 3.24, 1.34),
        *(0.84, 1.0, 0.8, 0.15),
        *(0.22, 0.1, 2.31, 0.3),
    ]
)
"""Found by search over games against the specified bot."""

MISSION_GAIN: Final = 0.5

STANDING: Final = VOTE_ROWS
SCRATCH_ROWS: Final = STANDING + 1


class Workspace(NamedTuple):
    """What values are computed with, besides the position.

    Attributes:
        weights: Float64 of shape ``(NUM_WEIGHTS,)``.
        scratch: Float64 of shape ``(SCRATCH_ROWS, MAX_SEATS)``, written over but for the row
            ``STANDING``.
        leaders: Int64 of shape ``(MAX_TILES,)``: sole leader of each tile, or NONE; of the position
            as it is tried out.
    """

    weights: Floats
    scratch: Floats
    leaders: Ints


@kernel
def value(
    known: State,
    seat: int,
    active: int,
    expected: bool,
    work: Workspace,
) -> float:
    """How good the position is for a seat, were the round to end about as it stands.

    Args:
        known: The position.
        seat: For whom.
        active: Bit set of the seats that may still place.
        expected: Whether markers and buildings have yet to be resolved.
        work: What it is computed with.
    """
    weights, scratch, leaders = work
    count_votes(known, expected, work)
    scratch[ESTIMATE] = 0.0
    add_elections(known, active, work)
    if expected:
        add_markers(known, work)
        for building in range(NUM_BUILDINGS):
            leader = leaders[known.building_tile[building]]
            if leader != NONE:
                kind = known.building[building]
                gain = BUILDING_GAINS[kind]
                if kind == FM:
                    gain = MISSION_GAIN * known.boss_count[leader]
                scratch[ESTIMATE, leader] += weights[W_BUILDING] * gain
    for tile in range(known.num_tiles):
        if leaders[tile] != NONE:
            scratch[ESTIMATE, leaders[tile]] += weights[W_CONTROL]
    return weigh(known, seat, work)


@kernel(leaf=True)
def count_votes(known: State, expected: bool, work: Workspace) -> None:
    """Bonus votes of every seat: those won, and if ``expected`` those it is about to win."""
    scratch, leaders = work.scratch, work.leaders
    count_won_votes(known, scratch)
    if expected:
        add_marker_votes(known, scratch)
        for building in range(NUM_BUILDINGS):
            leader = leaders[known.building_tile[building]]
            add_building_votes(known, building, leader, scratch)


@kernel(leaf=True)
def add_markers(known: State, work: Workspace) -> None:
    """Add what the markers bring to those who lead them, votes apart."""
    weights, scratch, leaders = work
    for marker in range(ROW_SIZE):
        leader = highest_bidder(known, marker)
        if leader == NONE:
            continue
        kind = MARKER_KIND[known.row[marker]]
        if kind == CM:
            scratch[ESTIMATE, leader] += weights[W_CM]
        elif kind == MJ:
            if has_majority(known, leader, MARKER_COLOUR[known.row[marker]]):
                scratch[ESTIMATE, leader] += weights[W_MJ]
        elif kind == VC:
            for tile in range(known.num_tiles):
                if leaders[tile] == leader:
                    scratch[ESTIMATE, leader] += weights[W_VC]
        elif kind == SE:
            scratch[ESTIMATE, leader] += weights[W_SE]
        elif kind in (MT, MB):
            scratch[ESTIMATE, leader] += weights[W_MOVE]


@kernel(leaf=True)
def add_elections(known: State, active: int, work: Workspace) -> None:
    """Add what the normal elections bring: the fullest tiles, and those that may overtake them."""
    weights = work.weights
    highest = 0
    for tile in range(known.num_tiles):
        highest = max(highest, known.total[tile])
    if highest == 0:
        return
    fullest = 0
    one_short = 0
    two_short = 0
    for tile in range(known.num_tiles):
        fullest += known.total[tile] == highest
        one_short += known.total[tile] == highest - 1
        two_short += known.total[tile] == highest - 2
    for tile in range(known.num_tiles):
        total = known.total[tile]
        if total == highest:
            add_gains(known, tile, min(2, fullest) / fullest, active, work)
        elif active != 0 and total > 0 and total >= highest - 2:
            share = weights[W_ONE_SHORT] / one_short
            if total == highest - 2:
                share = weights[W_TWO_SHORT] / two_short
            add_gains(known, tile, share, active, work)


@kernel
def add_gains(
    known: State,
    tile: int,
    share: float,
    active: int,
    work: Workspace,
) -> None:
    """Add what an election on a tile would bring each seat, times ``share``, to the estimates."""
    weights, scratch, leaders = work
    colour = known.colour[tile]
    best = 0.0
    second = 0.0
    winners = 0
    for seat in range(known.num_seats):
        count = votes_of(known, tile, seat, colour, scratch)
        if count > best:
            second = best
            best = count
            winners = 1
        elif count == best:
            winners += 1
        else:
            second = max(second, count)
    if best >= 1.0:
        for seat in range(known.num_seats):
            count = votes_of(known, tile, seat, colour, scratch)
            others = active & ~(1 << seat)
            chance = 0.0
            if count == best:
                chance = 1.0
                if winners > 1:
                    if active != 0:
                        chance = weights[W_TIED]
                elif others != 0:
                    ahead = best - second
                    chance = weights[W_LEAD_ONE] if ahead == 1.0 else weights[W_LEAD_TWO]
            elif count == best - 1.0 and active >> seat & 1:
                chance = weights[W_BEHIND]
            bosses = known.boss_count[seat]
            if known.bosses[tile, seat] == 0:
                scratch[ESTIMATE, seat] += (
                    share * chance * weights[W_BOSS + min(bosses, BOSSES - 1)]
                )
            else:
                loss = weights[W_BOSS + max(bosses - 1, 0)]
                scratch[ESTIMATE, seat] -= share * (1.0 - chance) * loss
    for near in range(known.num_tiles):
        if known.adjacent[tile] >> near & 1 and known.total[near] > 0:
            leader = leaders[near]
            if leader == NONE:
                most = 0
                for seat in range(known.num_seats):
                    most = max(most, known.rabble[near, seat])
                for seat in range(known.num_seats):
                    if known.rabble[near, seat] == most:
                        scratch[ESTIMATE, seat] += share * weights[W_TIED_NEAR]
            elif known.supply[known.colour[near]] > 0:
                gain = weights[W_LED_NEAR]
                own = known.control[leader, known.colour[near]]
                rare = True
                for other in range(NUM_COLOURS):
                    rare &= own <= known.control[leader, other]
                if rare:
                    gain += weights[W_RARE_NEAR]
                scratch[ESTIMATE, leader] += share * gain


@kernel(leaf=True)
def weigh(known: State, seat: int, work: Workspace) -> float:
    """A seat's own estimate less its rivals' (the strongest, standings included, and the mean)."""
    weights, scratch = work.weights, work.scratch
    highest = -1e9
    total = 0.0
    for other in range(known.num_seats):
        if other != seat:
            highest = max(highest, scratch[ESTIMATE, other] + scratch[STANDING, other])
            total += scratch[ESTIMATE, other]
    mean = total / (known.num_seats - 1)
    own = scratch[ESTIMATE, seat] + scratch[STANDING, seat]
    return float(own - weights[W_RIVAL] * highest - weights[W_MEAN] * mean)
