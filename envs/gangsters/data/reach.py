"""Which buildings are how many steps away by the streets, whoever owns what.

What a piece may do on its turn depends on where its die takes it, and that is a question of the map
alone as long as it passes through no joint of its own (G-6.4). So it is computed once, for every
place, way it came from and die, and an observation looks it up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .tables import BUILDINGS, IS_SUBWAY, MAX_DEGREE, NEIGHBOURS, NODES, STREETS, SUBWAYS

DICE: Final = 6
ON_FOOT: Final = 0
BY_SUBWAY: Final = 1
"""Whether one Subway transfer is allowed: to gang pieces and the Commissioner (G-6.8)."""

_WAYS: Final = [[int(node) for node in row if node >= 0] for row in NEIGHBOURS]


def _steps(node: int, transfer: bool) -> list[tuple[int, bool]]:
    """Nodes one step away, and whether a transfer is then still to be had."""
    found = [(near, transfer) for near in _WAYS[node]]
    if transfer and node < STREETS and IS_SUBWAY[node]:
        found += [(int(other), False) for other in SUBWAYS if other != node]
    return found


def _walks(path: list[int], transfer: bool) -> Iterator[tuple[int, int]]:
    """Buildings in which a walk from the end of a path ends, as (steps, building)."""
    for near, left in _steps(path[-1], transfer):
        if near in path:
            continue
        if near >= STREETS:
            yield len(path), near - STREETS
        elif len(path) < DICE:
            path.append(near)
            yield from _walks(path, left)
            path.pop()


def _reach() -> NDArray[np.int64]:
    found: NDArray[Any] = np.zeros((2, NODES, MAX_DEGREE + 1, DICE + 1), np.int64)
    for transfer in (ON_FOOT, BY_SUBWAY):
        for node in range(NODES):
            # By the first step, so that each walk is walked once for all ways to have come.
            first: dict[int, list[tuple[int, int]]] = {}
            for near, left in _steps(node, bool(transfer)):
                hop = near not in _WAYS[node]
                ends = [(1, near - STREETS)] if near >= STREETS else _walks([node, near], left)
                first.setdefault(NODES if hop else near, []).extend(ends)
            for came in range(MAX_DEGREE + 1):
                barred = NEIGHBOURS[node, came - 1] if came else -1
                for near, ends in first.items():
                    if near != barred:
                        for steps, building in ends:
                            found[transfer, node, came, steps] |= 1 << building
    return found


assert BUILDINGS < 63  # A bit for each, and the sign.
REACH: Final = _reach()
"""int64 (2, 152, 9, 7): the buildings that a walk can end in, bit by bit.

By whether it may transfer, node, way by which the node was entered (0 if unknown, else the number
of the neighbour + 1), and number of steps.
"""
