"""Which nodes are how many steps away by the streets, whoever owns what.

What a piece may do on its turn depends on where its die takes it, and that is a question of the map
alone as long as it passes through no joint of its own (G-6.4). So it is computed once, for every
place, way it came from and die, and an observation looks it up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from . import IS_SUBWAY, MAX_DEGREE, NEIGHBOURS, NODES, STREETS, SUBWAYS

DICE: Final = 6
ON_FOOT: Final = 0
BY_SUBWAY: Final = 1
"""Whether one Subway transfer is allowed: to gang pieces and the Commissioner (G-6.8)."""

FIRST_NODES: Final = (0, (STREETS + 1) // 2, STREETS)
"""The first node of each word of :data:`REACH`; none has more nodes than an int64 has bits."""
IN_BUILDINGS: Final = 2
WORD: Final = np.searchsorted(FIRST_NODES, np.arange(NODES), "right").astype(np.int8) - 1
"""int8 (152,): the word that has a node; see :data:`BIT`."""
BIT: Final = (np.arange(NODES) - np.array(FIRST_NODES)[WORD]).astype(np.int8)
"""int8 (152,): the bit that is a node in its word."""
POWERS: Final = 67
"""The powers of two up to 2**62 leave different remainders by this."""
POWER: Final = np.zeros(POWERS, np.int16)
"""int16 (67,): which bit a power of two is, by its remainder."""
for _bit in range(POWERS - 4):
    POWER[(1 << _bit) % POWERS] = _bit

_WAYS: Final = [[int(node) for node in row if node >= 0] for row in NEIGHBOURS]


def _steps(node: int, transfer: bool) -> list[tuple[int, bool]]:
    """Nodes one step away, and whether a transfer is then still to be had."""
    found = [(near, transfer) for near in _WAYS[node]]
    if transfer and node < STREETS and IS_SUBWAY[node]:
        found += [(int(other), False) for other in SUBWAYS if other != node]
    return found


def _walks(path: list[int], transfer: bool) -> Iterator[tuple[int, int]]:
    """Nodes in which a walk from the end of a path ends, as (steps, node)."""
    for near, left in _steps(path[-1], transfer):
        if near in path:
            continue
        yield len(path), near
        if near < STREETS and len(path) < DICE:
            path.append(near)
            yield from _walks(path, left)
            path.pop()


def _reach() -> NDArray[np.int64]:
    shape = 2, NODES, MAX_DEGREE + 1, DICE + 1, len(FIRST_NODES)
    found: NDArray[Any] = np.zeros(shape, np.int64)
    for transfer in (ON_FOOT, BY_SUBWAY):
        for node in range(NODES):
            # By the first step, so that each walk is walked once for all ways to have come.
            first: dict[int, set[tuple[int, int]]] = {}
            for near, left in _steps(node, bool(transfer)):
                hop = near not in _WAYS[node]
                further = () if near >= STREETS else _walks([node, near], left)
                first.setdefault(NODES if hop else near, set()).update(((1, near), *further))
            for came in range(MAX_DEGREE + 1):
                barred = NEIGHBOURS[node, came - 1] if came else -1
                for near, ends in first.items():
                    if near != barred:
                        for steps, end in ends:
                            found[transfer, node, came, steps, WORD[end]] |= 1 << int(BIT[end])
    return found


REACH: Final = _reach()
"""int64 (2, 152, 9, 7, 3): the nodes that a walk can end in, bit by bit, in three words.

By whether it may transfer, node, way by which the node was entered (0 if unknown, else the number
of the neighbour + 1), and number of steps. The words begin with the nodes :data:`FIRST_NODES`; the
last has the buildings.
"""


FAR: Final = 100


def _distances() -> NDArray[np.int8]:
    """Steps between nodes along the streets; a building is only an end."""
    beside = np.zeros((NODES, NODES), np.int64)
    for node in range(NODES):
        beside[node, NEIGHBOURS[node][NEIGHBOURS[node] >= 0]] = 1
    street = np.arange(NODES) < STREETS
    table = np.full((NODES, NODES), FAR, np.int8)
    np.fill_diagonal(table, 0)
    border = np.eye(NODES, dtype=np.int64)
    for steps in range(1, FAR):
        border = (border @ beside > 0) & (table == FAR)
        if not border.any():
            break
        table[border] = steps
        border = (border & street).astype(np.int64)
    return table


DISTANCE: Final = _distances()
"""int8 (152, 152): steps along the streets from node to node; ``FAR`` if there is no way."""


def _near() -> NDArray[np.int64]:
    found: NDArray[Any] = np.zeros((NODES, len(FIRST_NODES)), np.int64)
    for node in range(NODES):
        for end in np.flatnonzero(DISTANCE[node] <= NEAR_BY):
            found[node, WORD[end]] |= 1 << int(BIT[end])
    return found


NEAR_BY: Final = 6
NEAR: Final = _near()
"""int64 (152, 3): the nodes at most six steps from each, bit by bit as in :data:`REACH`."""
