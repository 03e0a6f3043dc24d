"""The kernels that fill in where each piece may go with the dice of the turn, and the best there.

The places of a walk's ends come as three words of bits, as in
:data:`gangland.envs.gangsters.data.reach.REACH`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..data import COLOUR, GRAY, LEVEL_MAX, OFFICER_DICE, PRICE, STREETS, SUBWAYS
from ..data.reach import (
    BIT,
    BY_SUBWAY,
    DICE,
    DISTANCE,
    FIRST_NODES,
    IN_BUILDINGS,
    NEAR,
    NEAR_BY,
    ON_FOOT,
    POWER,
    POWERS,
    REACH,
    WORD,
)
from ..rules.common import of_colour
from ..state import GANGS, K_COMMISSIONER, K_COP, K_GANG, K_PUBLIC, NONE, POLICE, V
from .layout import (
    AT,
    BUILDING,
    BUILDING_SIZE,
    PIECE_ENDS,
    PIECE_ENDS_SIZE,
    POLICE_ENDS,
    POLICE_ENDS_SIZE,
    PUBLIC_ENDS,
    PUBLIC_ENDS_SIZE,
    SEAT,
    SEAT_SIZE,
)
from .question import ABOUT_WHERE
from .relative import NINTH, OF_WORTH, SIXTH, WAYS, Vector, seat_slot

ONE: Final = np.float32(1.0)
WHITE: Final = 3
BLUE: Final = 4
"""Dice by which Publics and officers move; a gang piece moves by the one of its own number, and
the Commissioner by the first."""
COMMISSIONER_ROW: Final = len(OFFICER_DICE)
"""His row of the police's ends, behind those of the officers."""


@kernel(leaf=True)
def observe_reach(state: State, seat: int, out: Vector) -> None:
    """Who may go where with the dice of the turn; nothing before they are rolled.

    All set-up is over then, so that everybody may know where the pieces are.
    """
    if state.active == NONE or not state.dice[WHITE]:
        return
    moving = state.kind if state.phase in ABOUT_WHERE else NONE
    gang = state.active
    if gang < GANGS:
        for piece in range(3):
            if moving == K_GANG and piece == state.piece:
                put_moving(state, seat, K_GANG, piece, BY_SUBWAY, out)
            elif state.at[gang, piece] != NONE and not state.acted[gang, piece]:
                node, came = state.at[gang, piece], state.came[gang, piece]
                die = state.dice[piece]
                put_walk(state, seat, K_GANG, piece, BY_SUBWAY, node, came, die, out)
                if gang == seat:
                    piece_here(state, seat, piece, out)
    elif moving == K_COMMISSIONER:
        put_moving(state, seat, K_COMMISSIONER, 0, BY_SUBWAY, out)
    elif state.c_at != NONE and not state.moved_c:
        node, came, die = state.c_at, state.c_came, state.dice[0]
        put_walk(state, seat, K_COMMISSIONER, 0, BY_SUBWAY, node, came, die, out)
    for public in range(4):
        node = state.public_at[public]
        if moving == K_PUBLIC and public == state.piece:
            put_moving(state, seat, K_PUBLIC, public, ON_FOOT, out)
        elif node == NONE:
            # A gang's new one comes in by its Subway, which uses up the first step (G-10.1).
            if gang < GANGS and not state.new_public:
                left = state.dice[WHITE] - 1
                put_walk(state, seat, K_PUBLIC, public, ON_FOOT, SUBWAYS[left], NONE, left, out)
        elif not state.public_moved[public]:
            came, die = state.public_came[public], state.dice[WHITE]
            put_walk(state, seat, K_PUBLIC, public, ON_FOOT, node, came, die, out)
        if node != NONE:
            public_here(state, seat, public, out)
    for officer in range(10):
        if moving == K_COP and officer == state.piece:
            put_moving(state, seat, K_COP, officer, ON_FOOT, out)
        elif state.cop_at[officer] != NONE and not state.cop_done[officer]:
            node, came, die = state.cop_at[officer], state.cop_came[officer], state.dice[BLUE]
            put_walk(state, seat, K_COP, officer, ON_FOOT, node, came, die, out)


@kernel(leaf=True)
def put_moving(state: State, seat: int, kind: int, piece: int, transfers: int, out: Vector) -> None:
    """The reach of what is just moving, with the steps that it has left."""
    if 1 <= state.steps <= DICE and state.node != NONE:
        allowed = ON_FOOT if state.transferred else transfers
        node, came, steps = state.node, state.facing, state.steps
        put_walk(state, seat, kind, piece, allowed, node, came, steps, out)


@kernel(leaf=True)
def put_walk(
    state: State,
    seat: int,
    kind: int,
    piece: int,
    transfers: int,
    node: int,
    came: int,
    steps: int,
    out: Vector,
) -> None:
    """Where a walk can end (see :data:`REACH`): the buildings, and the best of all."""
    words = REACH[transfers, node, 0 if came == NONE else WAYS[node, came], steps]
    if kind == K_GANG:
        put_reach(words, BUILDING.reach + piece, ONE, out)
        if state.active == seat:
            piece_ends(state, seat, piece, words, out)
    elif kind == K_PUBLIC:
        put_reach(words, BUILDING.reach_publics + piece, ONE, out)
        public_ends(state, seat, piece, words, out)
    elif kind == K_COP:
        put_reach(words, BUILDING.reach_officers, OFFICER_DICE[piece] * NINTH, out)
        police_ends(state, seat, piece, words, out)
    else:
        put_reach(words, BUILDING.reach_commissioner, ONE, out)
        police_ends(state, seat, COMMISSIONER_ROW, words, out)


@kernel(leaf=True)
def put_reach(words: NDArray[np.int64], field: int, value: np.float32, out: Vector) -> None:
    """Add ``value`` in the rows of the buildings among the ends."""
    first = AT.buildings + field
    buildings = words[IN_BUILDINGS]
    while buildings:
        last = buildings & -buildings
        out[first + POWER[last % POWERS] * BUILDING_SIZE] += value
        buildings ^= last


FIRST: Final = np.array(FIRST_NODES, np.int16)

Words = NDArray[np.int64]


@kernel(leaf=True)
def within(words: Words, node: int) -> bool:
    """Whether a node is among the ends."""
    return bool(words[WORD[node]] >> BIT[node] & 1)


@kernel(leaf=True)
def nowhere(words: Words) -> bool:
    """Whether there are no ends."""
    return not (words[0] | words[1] | words[2])


@kernel(leaf=True)
def raise_to(out: Vector, at: int, number: np.float32) -> None:
    """The larger of what stands there and a number."""
    out[at] = max(out[at], number)


@kernel(leaf=True)
def worth(state: State, building: int) -> np.float32:
    """Price x level of a joint, in $1,800."""
    return np.float32(PRICE[building] * state.level[building] * OF_WORTH)


@kernel(leaf=True)
def may_rise(state: State, seat: int, building: int) -> bool:
    """Whether the owner of a joint can pay for its next level, and may (G-5.3)."""
    level = state.level[building]
    return (
        level < LEVEL_MAX
        and state.cash[seat] >= PRICE[building]
        and level < of_colour(state, seat, COLOUR[building])
    )


@kernel(leaf=True)
def piece_ends(state: State, seat: int, piece: int, words: Words, out: Vector) -> None:
    """The best of each kind among the ends of a piece of one's own."""
    if nowhere(words):
        return
    at = AT.piece_ends + piece * PIECE_ENDS_SIZE
    out[at + PIECE_ENDS.ends] = 1.0
    out[at + PIECE_ENDS.safest] = least_police(state, words) * NINTH
    for gang in range(state.gangs):
        if gang == seat:
            continue
        progress = out[AT.seats + seat_slot(state, seat, gang) * SEAT_SIZE + SEAT.progress]
        for other in range(3):
            node = state.at[gang, other]
            if node != NONE and within(words, node):
                raise_to(out, at + PIECE_ENDS.leader, progress)
                if other != V:
                    out[at + PIECE_ENDS.seduce + other] = 1.0
                    members = rivals_at(state, seat, node) * NINTH
                    raise_to(out, at + PIECE_ENDS.members, members)
    buildings = words[IN_BUILDINGS]
    while buildings:
        last = buildings & -buildings
        piece_end(state, seat, POWER[last % POWERS], at, out)
        buildings ^= last


@kernel(leaf=True)
def piece_end(state: State, seat: int, building: int, at: int, out: Vector) -> None:
    """One building that a piece of one's own may go to."""
    owner = state.owner[building]
    if owner == NONE:
        out[at + PIECE_ENDS.extort] = 1.0
        colour = COLOUR[building]
        if colour != GRAY:
            price = PRICE[building] // 100 * SIXTH
            raise_to(out, at + PIECE_ENDS.joint, price)
            if state.cash[seat] >= PRICE[building]:
                raise_to(out, at + PIECE_ENDS.affordable, price)
                raise_to(out, at + PIECE_ENDS.colour, out[AT.seats + SEAT.colours + colour])
    elif owner == seat:
        out[at + PIECE_ENDS.own] = 1.0
        if may_rise(state, seat, building):
            raise_to(out, at + PIECE_ENDS.rise, worth(state, building))
    elif owner != POLICE:
        raise_to(out, at + PIECE_ENDS.worth, worth(state, building))
    else:
        out[at + PIECE_ENDS.headquarters] = 1.0


@kernel(leaf=True)
def piece_here(state: State, seat: int, piece: int, out: Vector) -> None:
    """What a piece of one's own could do without a move."""
    node = state.at[seat, piece]
    if node < STREETS:
        return
    at = AT.piece_ends + piece * PIECE_ENDS_SIZE
    building = node - STREETS
    owner = state.owner[building]
    if owner == NONE and COLOUR[building] != GRAY and state.cash[seat] >= PRICE[building]:
        out[at + PIECE_ENDS.buys_here] = PRICE[building] // 100 * SIXTH
    elif owner == seat:
        out[at + PIECE_ENDS.rises_here] = may_rise(state, seat, building)


@kernel(leaf=True)
def public_ends(state: State, seat: int, public: int, words: Words, out: Vector) -> None:
    """The best that a Public may go to."""
    if nowhere(words):
        return
    at = AT.public_ends + public * PUBLIC_ENDS_SIZE
    out[at + PUBLIC_ENDS.ends] = 1.0
    buildings = words[IN_BUILDINGS]
    while buildings:
        last = buildings & -buildings
        building = POWER[last % POWERS]
        if state.owner[building] == seat and COLOUR[building] != GRAY:
            raise_to(out, at + PUBLIC_ENDS.own, worth(state, building))
        buildings ^= last


@kernel(leaf=True)
def public_here(state: State, seat: int, public: int, out: Vector) -> None:
    """The joint in which a Public stands."""
    node = state.public_at[public]
    if node < STREETS or COLOUR[node - STREETS] == GRAY:
        return
    at = AT.public_ends + public * PUBLIC_ENDS_SIZE
    owner = state.owner[node - STREETS]
    if owner != NONE:
        field = PUBLIC_ENDS.own_here if owner == seat else PUBLIC_ENDS.rival_here
        out[at + field] = worth(state, node - STREETS)


@kernel(leaf=True)
def police_ends(state: State, seat: int, row: int, words: Words, out: Vector) -> None:
    """The best that an officer, or the Commissioner, may find."""
    if nowhere(words):
        return
    at = AT.police_ends + row * POLICE_ENDS_SIZE
    out[at + POLICE_ENDS.ends] = 1.0
    for gang in range(state.gangs):
        field = POLICE_ENDS.own_criminals if gang == seat else POLICE_ENDS.criminals
        for piece in range(3):
            node = state.at[gang, piece]
            if state.criminal[gang, piece] and node != NONE and within(words, node):
                members = criminals_at(state, seat, gang == seat, node)
                raise_to(out, at + field, members * NINTH)
    buildings = words[IN_BUILDINGS]
    while buildings:
        last = buildings & -buildings
        building = POWER[last % POWERS]
        owner = state.owner[building]
        if owner == NONE:
            out[at + POLICE_ENDS.unowned] = 1.0
        elif state.lit[building] and owner != POLICE:
            field = POLICE_ENDS.own_lit if owner == seat else POLICE_ENDS.raid
            raise_to(out, at + field, worth(state, building))
        buildings ^= last


@kernel(leaf=True)
def rivals_at(state: State, seat: int, node: int) -> int:
    """Members of rival Racketeers and Thugs at a node."""
    members = 0
    for gang in range(state.gangs):
        for piece in range(V):
            if gang != seat and state.at[gang, piece] == node:
                members += state.strength[gang, piece]
    return members


@kernel(leaf=True)
def criminals_at(state: State, seat: int, own: bool, node: int) -> int:
    """Members of criminal pieces at a node, one's own or those of all others."""
    members = 0
    for gang in range(state.gangs):
        for piece in range(3):
            if (
                (gang == seat) == own
                and state.criminal[gang, piece]
                and state.at[gang, piece] == node
            ):
                members += state.strength[gang, piece]
    return members


@kernel(leaf=True)
def least_police(state: State, words: Words) -> int:
    """The fewest dice of police near one of the ends."""
    near0 = near1 = near2 = np.int64(0)
    for officer in range(11):
        node = state.c_at if officer == 10 else state.cop_at[officer]
        if node != NONE:
            near0 |= NEAR[node, 0]
            near1 |= NEAR[node, 1]
            near2 |= NEAR[node, 2]
    if words[0] & ~near0 or words[1] & ~near1 or words[2] & ~near2:
        return 0
    least = 99
    for word in range(len(FIRST)):
        ends = words[word]
        while ends:
            last = ends & -ends
            least = min(least, police_near(state, FIRST[word] + POWER[last % POWERS]))
            ends ^= last
    return least


@kernel(leaf=True)
def police_near(state: State, node: int) -> int:
    """Dice of the police near a node, the Commissioner's strength among them."""
    dice = 0
    if state.c_at != NONE and DISTANCE[state.c_at, node] <= NEAR_BY:
        dice += state.c_strength
    for officer in range(10):
        at = state.cop_at[officer]
        if at != NONE and DISTANCE[at, node] <= NEAR_BY:
            dice += OFFICER_DICE[officer]
    return dice
