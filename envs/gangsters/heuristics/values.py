"""What places, crimes, arrests and joints are worth to a seat."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..data import (
    BOARD,
    BUILDING_NAMES,
    BUILDINGS,
    CASH_TO_WIN,
    COLOUR,
    GRAY,
    GUARD_DICE,
    HQ_GUARD_DICE,
    LEVEL_MAX,
    NODES,
    OFFICER_DICE,
    PRICE,
    STREETS,
    STRENGTH_MAX,
)
from ..data.reach import DISTANCE, FAR
from ..rules.common import criminal_rival, extortable, joints_of, of_colour, owner_at
from ..rules.moving import DESTINATIONS, walk
from ..state import GANGS, K_COMMISSIONER, K_COP, K_GANG, K_PUBLIC, NONE, POLICE, R, V
from .weights import (
    ARREST_ANY,
    ARREST_TOP,
    COMM_ARREST,
    COMM_BUILDING,
    COMM_DANGER,
    COMM_PRICE,
    COMM_RAID,
    EXTORT_VALUE,
    GUARD_RISK,
    HIT_HQ,
    HIT_JOINT,
    HIT_MEMBER,
    HIT_RETURN,
    LEADER,
    POLICE_DANGER,
    PUBLIC_IN,
    PUBLIC_OUT,
    R_BUILDING,
    R_COLOUR,
    R_OWN,
    RAID_VALUE,
    SEDUCE_R,
    SEDUCE_T,
)

Weights = NDArray[np.float64]

YES: Final = 1000.0
NO: Final = -YES
SLIGHT: Final = 1.0
"""Better than nothing, once there is nothing else to do."""
STEP: Final = 100.0
"""What a preference counts that is no amount of money."""
HIT_CHANCE: Final = np.array([1 / 6, 1 / 3, 0.0])
"""Chance of a hit with one die, by piece."""
COP_REACH: Final = 7
NOTHING: Final = -1e9
MEAN_DICE: Final = float(OFFICER_DICE.mean())
ONE_JUMP: Final = np.array([bool(BOARD["buildings"][n].get("one_jump")) for n in BUILDING_NAMES])


@kernel(leaf=True)
def reach(
    known: State, kind: int, piece: int, mover: int, node: int, facing: int, steps: int
) -> int:
    """Mark in ``known.legal`` the nodes where a move of so many steps may end."""
    for end in range(NODES):
        known.legal[end] = 0
    known.kind = kind
    known.piece = piece
    known.mover = mover
    known.node = node
    known.facing = facing
    known.steps = steps
    known.transferred = 0
    known.num_barred = 0
    return walk(known, DESTINATIONS, 0, 0)


@kernel(leaf=True)
def joint_value(known: State, node: int) -> float:
    """Price x level of the building at a node."""
    return float(PRICE[node - STREETS] * known.level[node - STREETS])


@kernel(leaf=True)
def hit_value(known: State, w: Weights, gang: int, piece: int, node: int) -> float:
    """Expected worth of a hit at the best side there, less the return fire of its pieces.

    A headquarters is worth the more, the more of them the police have.
    """
    hits = known.strength[gang, piece] * HIT_CHANCE[piece]
    best = NOTHING
    for side in range(GANGS + 1):
        if side == gang:
            continue
        members = 0
        shots = 0.0
        if side < GANGS:
            for p in range(3):
                if known.at[side, p] == node and (p != V or piece == R):
                    members += known.strength[side, p]
                    shots += known.strength[side, p] * HIT_CHANCE[p]
        worth = min(hits, float(members)) * w[HIT_MEMBER]
        if owner_at(known, node) == side:
            level = float(known.level[node - STREETS])
            worth = max(worth, min(hits, level) * w[HIT_JOINT] * PRICE[node - STREETS])
            if side == POLICE:
                worth += min(hits, level) * w[HIT_HQ] * joints_of(known, POLICE)
        elif members == 0:
            continue
        if side < GANGS:
            worth *= 1.0 + w[LEADER] * known.cash[side] / CASH_TO_WIN
        best = max(best, worth - shots * w[HIT_RETURN])
    return best


@kernel(leaf=True)
def seduction_value(known: State, w: Weights, gang: int, rival: int, kind: int) -> float:
    """Worth of seducing a member of a rival's piece; more the nearer the rival is to $10,000."""
    value = w[SEDUCE_R if kind == R else SEDUCE_T]
    if known.strength[gang, kind] >= STRENGTH_MAX[kind]:
        value *= 0.5
    return float(value * (1.0 + w[LEADER] * known.cash[rival] / CASH_TO_WIN))


@kernel(leaf=True)
def police_near(known: State, gang: int, node: int) -> float:
    """Expected police dice that may reach a node soon."""
    total = 0.0
    for officer in range(10):
        at = known.cop_at[officer]
        if at != NONE and DISTANCE[at, node] < COP_REACH:
            total += OFFICER_DICE[officer] / 6.0
    if known.c_at != NONE and DISTANCE[known.c_at, node] < COP_REACH:
        total += known.c_strength / 6.0
    return total


@kernel(leaf=True)
def crime_value(known: State, w: Weights, gang: int, piece: int, node: int) -> float:
    """The best crime of a piece that ends its move at a node; 0 for none."""
    best = 0.0
    if piece != R and extortable(known, node):
        best = w[EXTORT_VALUE] * known.dice[piece]
    if piece == V:
        for rival in range(known.gangs):
            if rival != gang:
                for kind in range(2):
                    if known.at[rival, kind] == node:
                        best = max(best, seduction_value(known, w, gang, rival, kind))
    else:
        best = max(best, hit_value(known, w, gang, piece, node))
    if best > 0.0 and w[POLICE_DANGER] > 0.0:
        lost = 100.0 * known.strength[gang, piece]
        best -= w[POLICE_DANGER] * police_near(known, gang, node) / 3.0 * lost
    return max(best, 0.0)


@kernel(leaf=True)
def stand_value(known: State, w: Weights, gang: int, piece: int, node: int) -> float:
    """Worth of standing at a node: what a Racketeer may buy or improve there, less the guards."""
    if node < STREETS:
        return 0.0
    building = node - STREETS
    owner = known.owner[building]
    value = 0.0
    if piece == R:
        own = of_colour(known, gang, COLOUR[building])
        if owner == NONE and COLOUR[building] != GRAY:
            value += w[R_BUILDING] + w[R_COLOUR] * own
        elif owner == gang and known.level[building] < min(own, LEVEL_MAX):
            value += w[R_OWN] * PRICE[building]
    if piece != V and owner >= 0 and owner != gang:
        value -= w[GUARD_RISK] * (HQ_GUARD_DICE if owner == POLICE else GUARD_DICE[building])
    return value


@kernel(leaf=True)
def best_move(known: State, w: Weights, gang: int, piece: int) -> float:
    """The best that a piece can make of its die."""
    reach(
        known,
        K_GANG,
        piece,
        gang,
        known.at[gang, piece],
        known.came[gang, piece],
        known.dice[piece],
    )
    best = NOTHING
    for node in range(NODES):
        if known.legal[node]:
            value = stand_value(known, w, gang, piece, node)
            best = max(best, value + crime_value(known, w, gang, piece, node))
    return best


@kernel(leaf=True)
def public_worth(known: State, w: Weights, seat: int, node: int, value: int) -> float:
    """Worth to a seat of a Public of this value at a node."""
    owner = owner_at(known, node)
    if owner in (NONE, POLICE):
        return 0.0
    paid = joint_value(known, node) * value
    return paid + w[PUBLIC_IN] if owner == seat else -w[PUBLIC_OUT] * paid


@kernel(leaf=True)
def best_public(known: State, w: Weights, seat: int, public: int, value: int) -> float:
    """What moving a Public with the white die gains."""
    here = known.public_at[public]
    reach(known, K_PUBLIC, public, seat, here, known.public_came[public], known.dice[3])
    best = NOTHING
    for node in range(NODES):
        if known.legal[node]:
            best = max(best, public_worth(known, w, seat, node, value))
    return best - public_worth(known, w, seat, here, value)


@kernel(leaf=True)
def raid_value(known: State, w: Weights, mover: int, node: int) -> float:
    """Worth of a raid at a node; own joints are spared."""
    if node < STREETS or not known.lit[node - STREETS]:
        return 0.0
    value = w[RAID_VALUE] * joint_value(known, node)
    return -value if known.owner[node - STREETS] == mover else value


@kernel(leaf=True)
def arrest_value(known: State, w: Weights, mover: int, node: int, dice: float) -> float:
    """Worth of shots of so many police dice at the criminals at a node."""
    top = 0.0
    for gang in range(GANGS):
        if gang != mover:
            for piece in range(3):
                if known.criminal[gang, piece] and known.at[gang, piece] == node:
                    top = max(top, 100.0 * known.strength[gang, piece])
    return dice / 3.0 * (w[ARREST_TOP] * top + w[ARREST_ANY]) if top > 0.0 else 0.0


@kernel(leaf=True)
def officer_value(known: State, w: Weights, mover: int, node: int, dice: float) -> float:
    """Worth of an officer's arrival at a node."""
    raid = raid_value(known, w, mover, node)
    return max(raid, arrest_value(known, w, mover, node, dice)) if raid >= 0.0 else raid


@kernel(leaf=True)
def best_patrol(
    known: State, w: Weights, mover: int, node: int, facing: int, steps: int, dice: float
) -> float:
    """The best that an officer of so many dice can do from a node."""
    if steps == 0:
        return officer_value(known, w, mover, node, dice)
    reach(known, K_COP, 0, mover, node, facing, steps)
    best = NOTHING
    for end in range(NODES):
        if known.legal[end]:
            best = max(best, officer_value(known, w, mover, end, dice))
    return best


@kernel(leaf=True)
def commissioner_value(known: State, w: Weights, node: int) -> float:
    """Worth of the Commissioner's arrival at a node."""
    value = 0.0
    crime = criminal_rival(known, node, POLICE)
    if node >= STREETS:
        building = node - STREETS
        if known.owner[building] == NONE and not crime:
            value = w[COMM_BUILDING] - w[COMM_PRICE] * PRICE[building]
        elif known.lit[building]:
            value = w[COMM_RAID] * joint_value(known, node)
    if crime:
        value += w[COMM_ARREST] * arrest_value(known, w, POLICE, node, float(known.c_strength))
        shots = 0.0
        for gang in range(GANGS):
            for piece in range(2):
                if known.criminal[gang, piece] and known.at[gang, piece] == node:
                    shots += known.strength[gang, piece] * HIT_CHANCE[piece]
        value -= w[COMM_DANGER] * shots
    return value


@kernel(leaf=True)
def best_commissioner(known: State, w: Weights, node: int, facing: int, steps: int) -> float:
    """The best that the Commissioner can make of the green die."""
    if steps == 0:
        return commissioner_value(known, w, node)
    reach(known, K_COMMISSIONER, 0, POLICE, node, facing, steps)
    best = NOTHING
    for end in range(NODES):
        if known.legal[end]:
            best = max(best, commissioner_value(known, w, end))
    return best


@kernel(leaf=True)
def to_unowned(known: State, node: int) -> int:
    """Steps from a node to the nearest unowned building."""
    best = FAR
    for building in range(BUILDINGS):
        if known.owner[building] == NONE:
            best = min(best, DISTANCE[node, STREETS + building])
    return best


@kernel(leaf=True)
def target_value(known: State, w: Weights, node: int, side: int, police: bool) -> float:
    """Which side to fire at: what stands there."""
    value = 0.0
    if side < GANGS:
        for piece in range(3):
            if known.at[side, piece] == node and (known.criminal[side, piece] or not police):
                value += known.strength[side, piece] * w[HIT_MEMBER]
    if not police and owner_at(known, node) == side:
        value += w[HIT_JOINT] * joint_value(known, node)
    return value
