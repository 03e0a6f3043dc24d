"""Movement: walks of an exact length, facing, Subways, about-face, swaps of officers (G-6)."""

from __future__ import annotations

from typing import Final

from ....core.kernel import kernel
from ....core.state import State
from ...data.tables import IS_SUBWAY, MAX_DEGREE, NEIGHBOURS, PLAIN, STREETS, SUBWAYS
from ...state import GANGS, K_COMMISSIONER, K_COP, K_GANG, K_PUBLIC, NONE, POLICE

HOPS: Final = MAX_DEGREE + len(SUBWAYS)

# What a walk records.
DESTINATIONS: Final = 0
APPROACHES: Final = 1
SWAPS: Final = 2
ONE_SWAP: Final = 3


@kernel(leaf=True)
def criminal_rival(state: State, node: int, side: int) -> bool:
    """Whether a criminal gang piece of another side than ``side`` stands at a node."""
    for gang in range(GANGS):
        if gang != side:
            for piece in range(3):
                if state.criminal[gang, piece] and state.at[gang, piece] == node:
                    return True
    return False


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
    friend = -2
    if kind == K_GANG:
        friend = state.mover
    elif kind == K_COMMISSIONER:
        friend = POLICE
    steps = state.steps
    found = 0
    best_left = -1
    path = state.path
    path[0] = state.node
    state.turn_at[0] = 0
    state.hops[0] = state.transferred
    depth = 0
    if steps == 0:  # Only after an entry, which has used up the die.
        state.legal[out_base + state.node] = 1
        return 1
    while depth >= 0:
        k = state.turn_at[depth]
        state.turn_at[depth] += 1
        here = path[depth]
        if k >= HOPS or (k >= MAX_DEGREE and (not IS_SUBWAY[here] or state.hops[depth])):
            depth -= 1
            continue
        hop = k >= MAX_DEGREE
        if hop:
            if kind == K_PUBLIC:
                depth -= 1
                continue
            node = SUBWAYS[k - MAX_DEGREE]
        else:
            node = NEIGHBOURS[here, k]
            if node < 0:
                state.turn_at[depth] = MAX_DEGREE
                continue
        if depth == 0 and not hop and node == state.facing:
            continue
        seen = False
        for i in range(depth + 1):
            if path[i] == node:
                seen = True
        for i in range(state.num_barred):
            if state.barred[i] == node:
                seen = True
        house = node >= STREETS
        if seen:
            # G-6.7: into a friendly joint and straight back, as the first two steps.
            about = depth == 1 and node == path[0] and node < STREETS and here >= STREETS
            if not (about and friend >= 0 and state.owner[here - STREETS] == friend):
                continue
        left = steps - depth - 1
        if kind == K_COP and (hop or (house and state.owner[node - STREETS] == POLICE)):
            if job < SWAPS or (job == ONE_SWAP and node != wanted):
                continue
            if left > best_left or job == SWAPS:
                if job == SWAPS and state.legal[out_base + node]:
                    continue
                if left > 0 and not can_finish(state, node, left, depth):
                    continue
                if job == SWAPS:
                    state.legal[out_base + node] = 1
                    found += 1
                else:
                    best_left = left
                    found = depth + 1
                    for i in range(depth + 1):
                        state.faces_path[i] = path[i]
            continue
        if left == 0:
            if house and not may_end(state, node):
                continue
            if job == DESTINATIONS:
                if not state.legal[out_base + node]:
                    state.legal[out_base + node] = 1
                    found += 1
            elif job == APPROACHES and node == wanted and not state.legal[out_base + here]:
                state.legal[out_base + here] = 1
                found += 1
            continue
        if house and (friend < 0 or state.owner[node - STREETS] != friend):
            continue
        depth += 1
        path[depth] = node
        state.turn_at[depth] = 0
        state.hops[depth] = state.hops[depth - 1] + hop
    if job == ONE_SWAP and found > 0:
        for i in range(found):
            state.barred[state.num_barred] = state.faces_path[i]
            state.num_barred += 1
        if IS_SUBWAY[wanted] and wanted < STREETS:
            state.transferred = 1
        state.steps = best_left
    return found


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
        seen = False
        for i in range(now + 1):
            if path[i] == node:
                seen = True
        for i in range(state.num_barred):
            if state.barred[i] == node:
                seen = True
        if seen:
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
