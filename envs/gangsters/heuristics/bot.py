"""The greedy bot: every legal action gets a value, the best is played (G-24.1)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.kernel import kernel
from ...core.rng import GAMMA, mix
from ...core.state import State
from ..state import (
    APPROACH,
    BUY,
    COMM_DEST,
    COMM_ENTRY,
    COP_ACTIVE,
    COP_DEST,
    COP_ENTRY,
    COP_GANG,
    COP_POLICE,
    COP_VIA,
    CRIME,
    DEST,
    DOUBLE,
    INFORMANTS,
    MOVE,
    NONE,
    PICK,
    POLICE,
    POLICE_BUY,
    POLICE_MOVE,
    POLICE_PUBLIC,
    PUBLIC_DEST,
    RAID_OR_ARREST,
    SETUP,
    SHARE,
    STOP,
    TRADE,
)
from .gang import answer_value, buy_value, gang_value, move_value, other_value, setup_value
from .police import cop_step_value, patrol_value, police_value
from .values import Weights
from .weights import GANG, POLICE_PLAYER, SPECIFIED

COP_STEP: Final = (COP_GANG, COP_POLICE, COP_ACTIVE, POLICE_MOVE)
PATROL: Final = (
    COP_ENTRY, COP_DEST, COP_VIA, APPROACH, STOP, RAID_OR_ARREST, DOUBLE, SHARE, COMM_ENTRY,
    COMM_DEST,
)  # fmt: skip
"""Phases that one function judges."""

PICK_NOISE: Final = 120.0
NOISE: Final = 0.01


@kernel
def choose(known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64) -> int:
    """One step ahead with weights found by play.

    Args:
        known: Redacted record; used for trying moves out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Breaks ties.
    """
    return choose_by(known, seat, mask, seed, POLICE_PLAYER if seat == POLICE else GANG)


@kernel
def choose_specified(known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64) -> int:
    """The specification's bot: one step ahead (G-24.1).

    Args:
        known: Redacted record; used for trying moves out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Breaks ties.
    """
    return choose_by(known, seat, mask, seed, SPECIFIED)


@kernel
def value_actions(
    known: State,
    seat: int,
    mask: NDArray[np.bool_],
    seed: np.uint64,
    values: NDArray[np.float64],
) -> None:
    """What :func:`choose` thinks of every legal action, in dollars.

    Args:
        known: Redacted record; used for trying moves out, but left as it was.
        seat: The deciding seat.
        mask: Bool of shape ``(num_actions,)``: legal actions.
        seed: Breaks ties.
        values: Float64 of the same shape; set where an action is legal.
    """
    value_by(known, seat, mask, seed, POLICE_PLAYER if seat == POLICE else GANG, values)


@kernel(leaf=True)
def choose_by(known: State, seat: int, mask: NDArray[np.bool_], seed: np.uint64, w: Weights) -> int:
    """The legal action of the highest value."""
    values = np.empty(len(mask))
    value_by(known, seat, mask, seed, w, values)
    best = NONE
    for action in range(len(mask)):
        if mask[action] and (best == NONE or values[action] > values[best]):
            best = action
    return best


@kernel(leaf=True)
def value_by(
    known: State,
    seat: int,
    mask: NDArray[np.bool_],
    seed: np.uint64,
    w: Weights,
    values: NDArray[np.float64],
) -> None:
    """Fill the values of the legal actions; ties go by chance."""
    kind, piece, mover = known.kind, known.piece, known.mover
    node, facing, steps = known.node, known.facing, known.steps
    transferred, num_barred = known.transferred, known.num_barred
    phase = known.phase
    noise = PICK_NOISE if phase == PICK else NOISE
    for action in range(len(mask)):
        if not mask[action]:
            continue
        if phase in SETUP:
            found = setup_value(known, w, seat, action, seed)
        elif phase in (BUY, POLICE_BUY):
            found = buy_value(known, w, seat, action)
        elif phase in TRADE:
            found = answer_value(known, w, seat, action)
        elif phase == MOVE:
            found = move_value(known, w, seat, action)
        elif phase in COP_STEP:
            found = cop_step_value(known, w, seat, action)
        elif phase in (CRIME, DEST, PUBLIC_DEST):
            found = gang_value(known, w, seat, action)
        elif phase in PATROL:
            found = patrol_value(known, w, seat, action)
        elif phase in (INFORMANTS, POLICE_PUBLIC):
            found = police_value(known, w, action)
        else:
            found = other_value(known, w, seat, action)
        bits = mix(np.uint64(seed) + np.uint64(action + 1) * GAMMA) >> np.uint64(11)
        values[action] = found + noise * np.float64(bits) / 9007199254740992.0
        known.kind, known.piece, known.mover = kind, piece, mover
        known.node, known.facing, known.steps = node, facing, steps
        known.transferred, known.num_barred = transferred, num_barred
    for action in range(len(mask)):
        known.legal[action] = mask[action]
