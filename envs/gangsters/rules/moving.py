"""Movement (G-6): walks of an exact length, and where a piece goes, question by question.

Walks know facing, Subways, about-face and swaps of officers. The questions (G-9.10, G-9.14) are
COP_ENTRY and COMM_ENTRY; COUNT, DEST, COP_DEST, PUBLIC_DEST, COMM_DEST, COP_VIA and APPROACH.
"""

from __future__ import annotations

from typing import Final

from ...core.kernel import kernel
from ...core.state import State
from .. import actions as act
from ..data import IS_SUBWAY, MAX_DEGREE, NEIGHBOURS, PLAIN, PRICE, STREETS, SUBWAYS
from ..state import (
    APPROACH,
    COMM_DEST,
    COP_DEST,
    COP_ENTRY,
    COP_VIA,
    COUNT,
    CRIME,
    DEST,
    INFORMANTS,
    K_COMMISSIONER,
    K_COP,
    K_GANG,
    K_PUBLIC,
    NONE,
    POLICE,
    PUBLIC_DEST,
    STEP_COP_OVER,
    STEP_COP_STOP,
    STEP_DECIDE,
    STEP_RAID,
    STEP_SHOOTOUT,
)
from .common import ask, criminal_rival, officers_to_draw
from .police.raids import begin_raid

HOPS: Final = MAX_DEGREE + len(SUBWAYS)

# What a walk records.
DESTINATIONS: Final = 0
APPROACHES: Final = 1
SWAPS: Final = 2
ONE_SWAP: Final = 3


@kernel(leaf=True)
def may_end(state: State, node: int) -> bool:
    """Whether the moving piece may end in a building (G-6.10)."""
    owner = state.owner[node - STREETS]
    if state.kind == K_PUBLIC:
        return owner not in (NONE, POLICE)
    if state.kind == K_COP:
        if owner == POLICE:
            return False
        return state.lit[node - STREETS] != 0 or criminal_rival(state, node, state.mover)
    return True


@kernel(leaf=True)
def successor(state: State, depth: int) -> int:
    """The next node to try from the end of the walk; NONE when all have been tried.

    Neighbours in ascending order; from a Subway then the others, once in a move, but no Public
    (G-6.8).
    """
    here = state.path[depth]
    k = state.turn_at[depth]
    if k < MAX_DEGREE and NEIGHBOURS[here, k] < 0:
        k = MAX_DEGREE
    state.turn_at[depth] = k + 1
    if k < MAX_DEGREE:
        return NEIGHBOURS[here, k]
    if k >= HOPS or not IS_SUBWAY[here] or state.hops[depth] or state.kind == K_PUBLIC:
        return NONE
    return SUBWAYS[k - MAX_DEGREE]


@kernel(leaf=True)
def entered(state: State, node: int, depth: int) -> bool:
    """Whether the move has been at a node, on this walk or before a change of duty (G-6.6)."""
    for i in range(depth + 1):
        if state.path[i] == node:
            return True
    for i in range(state.num_barred):
        if state.barred[i] == node:
            return True
    return False


@kernel(leaf=True)
def about_face(state: State, node: int, depth: int, friend: int) -> bool:
    """Whether this is the way back from a friendly joint, as the first two steps (G-6.7)."""
    here = state.path[depth]
    return (
        depth == 1
        and friend >= 0
        and node == state.path[0]
        and node < STREETS
        and here >= STREETS
        and state.owner[here - STREETS] == friend
    )


@kernel(leaf=True)
def walk(state: State, job: int, wanted: int, out_base: int) -> int:
    """Every walk of the half-made move, depth first in ascending order of nodes (G-6.1 to 6.8).

    Reads ``kind``, ``mover``, ``node``, ``facing``, ``steps``, ``transferred`` and the barred
    nodes. An officer's walk ends where he would change duty; a swap counts only if his
    replacement can finish (G-9.13), which from any node a walk along the streets can, unless
    barred nodes shut him in.

    Args:
        state: The record; ``legal`` is filled from ``out_base`` on.
        job: What is recorded: destinations, approaches of ``wanted``, swap nodes, or (ONE_SWAP)
            the walk to the swap at ``wanted``, left in ``barred``, ``num_barred``, ``steps``.
        wanted: The node asked about.
        out_base: First action of the nodes in ``legal``.

    Returns:
        How many were recorded.
    """
    kind = state.kind
    friend = POLICE if kind == K_COMMISSIONER else state.mover if kind == K_GANG else -2
    steps = state.steps
    if steps == 0:  # Only after an entry, which has used up the die.
        state.legal[out_base + state.node] = 1
        return 1
    found = 0
    best_left = -1
    depth = 0
    state.path[0] = state.node
    state.turn_at[0] = 0
    state.hops[0] = state.transferred
    while depth >= 0:
        node = successor(state, depth)
        if node == NONE:
            depth -= 1
            continue
        hop = state.turn_at[depth] > MAX_DEGREE
        if depth == 0 and not hop and node == state.facing:
            continue
        if entered(state, node, depth) and not about_face(state, node, depth, friend):
            continue
        house = node >= STREETS
        left = steps - depth - 1
        if kind == K_COP and (hop or (house and state.owner[node - STREETS] == POLICE)):
            new = job == SWAPS and not state.legal[out_base + node]
            better = job == ONE_SWAP and node == wanted and left > best_left
            if (new or better) and (left == 0 or can_finish(state, node, left, depth)):
                if new:
                    state.legal[out_base + node] = 1
                    found += 1
                else:
                    best_left = left
                    found = depth + 1
                    for i in range(found):
                        state.faces_path[i] = state.path[i]
        elif left == 0:
            if not house or may_end(state, node):
                found += record_end(state, job, wanted, out_base, node, depth)
        elif not house or (friend >= 0 and state.owner[node - STREETS] == friend):
            depth += 1
            state.path[depth] = node
            state.turn_at[depth] = 0
            state.hops[depth] = state.hops[depth - 1] + hop
    if job == ONE_SWAP and found > 0:
        take_swap(state, wanted, found, best_left)
    return found


@kernel(leaf=True)
def record_end(state: State, job: int, wanted: int, out_base: int, node: int, depth: int) -> int:
    """Note that a walk ends at a node, if that is asked about and new; how many were noted."""
    place = -1
    if job == DESTINATIONS:
        place = out_base + node
    elif job == APPROACHES and node == wanted:
        place = out_base + state.path[depth]
    if place < 0 or state.legal[place]:
        return 0
    state.legal[place] = 1
    return 1


@kernel(leaf=True)
def take_swap(state: State, wanted: int, length: int, left: int) -> None:
    """The officer has walked to his change of duty: what he entered is barred (G-9.13)."""
    for i in range(length):
        state.barred[state.num_barred] = state.faces_path[i]
        state.num_barred += 1
    if IS_SUBWAY[wanted] and wanted < STREETS:
        state.transferred = 1
    state.steps = left


@kernel(leaf=True)
def can_finish(state: State, start: int, steps: int, depth: int) -> bool:
    """Whether an officer who takes over at ``start`` has a destination without a further swap."""
    at = depth + 1
    path = state.path
    path[at] = start
    state.turn_at[at] = 0
    now = at
    while now >= at:
        k = state.turn_at[now]
        state.turn_at[now] += 1
        node = NEIGHBOURS[path[now], k] if k < MAX_DEGREE else -1
        if node < 0:
            now -= 1
            continue
        if entered(state, node, now):
            continue
        if now - at + 1 == steps:
            # On our board a street is in reach whenever a building is; not so on every board.
            if node < STREETS or may_end(state, node):
                return True
            continue
        if node < STREETS:
            now += 1
            path[now] = node
            state.turn_at[now] = 0
    return False


@kernel(leaf=True)
def keeps_facing(node: int) -> bool:
    """Whether a piece that ends here remembers where it came from (G-6.5)."""
    return bool(PLAIN[node])


# --- questions ------------------------------------------------------------------------------------


@kernel(leaf=True)
def begin_public(state: State, public: int, menu: int) -> None:
    """A Public is to walk with the white die; a new one enters by its Subway (G-10.1)."""
    state.kind = K_PUBLIC
    state.piece = public
    state.mover = state.seat
    state.after_place = menu
    state.num_barred = 0
    state.transferred = 0
    state.steps = state.dice[3]
    state.node = state.public_at[public]
    state.facing = state.public_came[public]
    state.public_moved[public] = 1
    if state.node == NONE:
        state.node = SUBWAYS[state.dice[3] - 1]
        state.steps -= 1
    ask(state, PUBLIC_DEST, state.seat)


@kernel(leaf=True)
def is_entry(state: State, node: int, number: int) -> bool:
    """The Subway or headquarters by which police with this die come in (G-14.14)."""
    if node < STREETS:
        return node == SUBWAYS[number - 1]
    return state.owner[node - STREETS] == POLICE and PRICE[node - STREETS] == 100 * number


@kernel(leaf=True)
def legal_entry(state: State) -> None:
    """COP_ENTRY and COMM_ENTRY: Subway or headquarters by the die (G-14.14)."""
    number = state.dice[4] if state.phase == COP_ENTRY else state.dice[0]
    for node in range(STREETS + len(state.owner)):
        if is_entry(state, node, number):
            state.legal[act.GO + node] = 1


@kernel(leaf=True)
def decide_entry(state: State, action: int) -> None:
    """COP_ENTRY and COMM_ENTRY (G-9.10, G-14.17)."""
    officer = state.phase == COP_ENTRY
    if not officer and state.c_strength == 0:  # A new Commissioner.
        state.c_strength = 1
        state.c_at = action
        state.step = STEP_SHOOTOUT
        return
    state.node = action
    state.facing = NONE
    state.steps -= 1
    ask(state, COP_DEST if officer else COMM_DEST, state.seat)
    if officer and state.steps == 0:
        state.dest = action
        state.step = STEP_COP_STOP


@kernel(leaf=True)
def legal_walk(state: State) -> None:
    """Destinations, approaches, swaps and the die to move by (G-6, G-9.14, G-16.2)."""
    phase = state.phase
    legal = state.legal
    if phase == COUNT:
        own = state.steps
        state.steps = own + state.dice[3] + state.dice[4]
        legal[act.ALL_DICE] = 1 if walk(state, DESTINATIONS, 0, act.GO) > 0 else 0
        state.steps = own
        for node in range(act.END):
            legal[node] = 0
        legal[act.OWN_DIE] = 1
        return
    if phase == APPROACH:
        walk(state, APPROACHES, state.dest, act.GO)
        return
    if phase == COP_VIA:
        walk(state, SWAPS, 0, act.GO)
        return
    relief = phase == COP_DEST and state.steps > 0 and officers_to_draw(state, state.piece) > 0
    if relief and walk(state, SWAPS, 0, act.GO) > 0:
        for node in range(act.END):
            legal[node] = 0
        legal[act.VIA] = 1
    walk(state, DESTINATIONS, 0, act.GO)


@kernel(leaf=True)
def decide_walk(state: State, action: int) -> None:
    """Destinations, swaps, approaches and the die to move by (G-6, G-9.14)."""
    phase = state.phase
    seat = state.seat
    if phase == COUNT:
        if action == act.ALL_DICE:
            state.steps += state.dice[3] + state.dice[4]
        ask(state, COMM_DEST if state.kind == K_COMMISSIONER else DEST, seat)
        return
    if phase == COP_DEST and action == act.VIA:
        state.via = 1
        ask(state, COP_VIA, seat)
        return
    if phase == COP_VIA:
        walk(state, ONE_SWAP, action, act.GO)
        state.dest = action
        state.step = STEP_COP_STOP
        return
    if phase == APPROACH:
        state.facing = action
    else:
        state.dest = action
        if PLAIN[action]:
            ask(state, APPROACH, seat)
            return
        state.facing = NONE
    if state.kind == K_COP:
        state.step = STEP_COP_STOP
    else:
        arrive(state)


@kernel(leaf=True)
def arrive(state: State) -> None:
    """A gang piece, a Public or the Commissioner ends its move at ``dest``."""
    node = state.dest
    came = state.facing if keeps_facing(node) else NONE
    piece = state.piece
    if state.kind == K_GANG:
        state.at[state.mover, piece] = node
        state.came[state.mover, piece] = came
        state.moved[state.mover, piece] = 1
        ask(state, CRIME, state.mover)
    elif state.kind == K_PUBLIC:
        state.public_at[piece] = node
        state.public_came[piece] = came
        state.step = state.after_place
        if state.after_place == STEP_DECIDE:
            ask(state, INFORMANTS, POLICE)
    else:
        state.c_at = node
        state.c_came = came
        state.step = STEP_RAID if begin_raid(state) else STEP_COP_OVER
