"""Places, and seats as a seat sees them, for the kernels of the observation."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.state import State
from ..data import (
    BOARD,
    CASH_TO_WIN,
    COLOUR_COUNT,
    HQ_TO_WIN,
    JOINTS_TO_WIN,
    MAX_DEGREE,
    NEIGHBOURS,
    NODES,
)
from ..state import GANGS, POLICE
from .layout import NODE_BITS, PLACE_SIZE


def _places() -> NDArray[np.float32]:
    entries = (*BOARD["spaces"].values(), *BOARD["buildings"].values())
    left, top, width, height = BOARD["view_box"]
    table = np.zeros((NODES, PLACE_SIZE), np.float32)
    for node, entry in enumerate(entries):
        table[node, :NODE_BITS] = [node + 1 >> bit & 1 for bit in range(NODE_BITS)]
        x, y = entry["xy"]
        table[node, NODE_BITS:] = (x - left) / width, (y - top) / height
    return table


PLACES: Final = _places()
"""float32 (152, 10): bits of a node's number, then its coordinates on the map, 0 to 1."""


def _ways() -> NDArray[np.int8]:
    table = np.zeros((NODES, NODES), np.int8)
    for node in range(NODES):
        for k, came in enumerate(NEIGHBOURS[node]):
            if came >= 0:
                table[node, came] = k + 1
    return table


WAYS: Final = _ways()
"""int8 (152, 152): by which of its ways, from 1, a node is entered from another."""
# Factors, as dividing is slow.
WAY: Final = np.float32(1 / MAX_DEGREE)
NINTH: Final = np.float32(1 / 9)
THIRD: Final = np.float32(1 / 3)
SIXTH: Final = np.float32(1 / 6)
TWELFTH: Final = np.float32(1 / 12)
SEVENTH: Final = np.float32(1 / 7)
OF_COLOUR: Final = (1.0 / COLOUR_COUNT).astype(np.float32)
OF_JOINTS: Final = np.float32(1 / JOINTS_TO_WIN)
OF_HQ: Final = np.float32(1 / HQ_TO_WIN)
QUARTER: Final = np.float32(0.25)
OF_WORTH: Final = np.float32(1 / 1800)
OF_CASH: Final = np.float32(1 / CASH_TO_WIN)

Vector = NDArray[np.float32]


@kernel(leaf=True)
def gang_slot(state: State, seat: int, gang: int) -> int:
    """Place of a gang among the gangs: a gang sees itself first; the police see them by seat."""
    if seat == POLICE:
        return gang
    return gang - seat if gang >= seat else gang - seat + state.gangs


@kernel(leaf=True)
def seat_slot(state: State, seat: int, other: int) -> int:
    """Place of a seat among the seats: itself, the other gangs in cyclic order, the police."""
    if other == seat:
        return 0
    if seat == POLICE:
        return other + 1
    if other == POLICE:
        return GANGS
    return other - seat if other >= seat else other - seat + state.gangs


@kernel(leaf=True)
def sees_setup(state: State, seat: int, other: int) -> bool:
    """Whether a seat knows another's set-up choices (G-18.5)."""
    return bool(state.revealed) or seat == other


@kernel(leaf=True)
def put_place(node: int, k: int, out: Vector) -> None:
    """Where something is, from ``out[k]`` on."""
    for j in range(PLACE_SIZE):
        out[k + j] = PLACES[node, j]
