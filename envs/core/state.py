"""State records: the header that every game's record starts with, and the end of a game.

A whole game is one record of a NumPy structured dtype with plain, named, fixed-size fields.
Cloning is a memory copy, equality is byte equality, a batch is an array, a save is bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel

State: TypeAlias = Any
"""A game's state: one ``numpy.record`` of the game's dtype. ``Any``, as fields differ by game."""

States: TypeAlias = NDArray[Any]
"""An array of state records."""

NO_SEAT = -1
SOMEBODY = -2
"""In a redacted record: somebody decides, and the viewer may not know who."""


def header(max_seats: int) -> list[tuple[Any, ...]]:
    """Fields that come first in every game's record.

    - ``rng`` (uint64): the game's own chance; see :mod:`gangland.envs.core.rng`.
    - ``ply`` (int32): decisions made so far.
    - ``num_seats`` (int8): seats at this table.
    - ``seat`` (int8): who decides now; ``NO_SEAT`` when the game is over; in a redacted record
      ``SOMEBODY`` when the viewer may not know who decides.
    - ``phase`` (int8): the game's own phase number.
    - ``over`` (int8): 1 when the game has ended.
    - ``capped`` (int8): 0, or which of the specification's caps ended it; see
      :attr:`gangland.envs.core.game.Game.truncating_caps`.
    - ``rewards`` (float64, seats): zero until the end, then the result; see :func:`settle`.
    - ``scores`` (int32, seats): final scores, set at the end.
    - ``places`` (int8, seats): final places from 1, equal for ties; 0 while the game runs.
    """
    return [
        ("rng", "u8"),
        ("ply", "i4"),
        ("num_seats", "i1"),
        ("seat", "i1"),
        ("phase", "i1"),
        ("over", "i1"),
        ("capped", "i1"),
        ("places", "i1", (max_seats,)),
        ("rewards", "f8", (max_seats,)),
        ("scores", "i4", (max_seats,)),
    ]


def record_dtype(max_seats: int, fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a game's state record: the common header, then the game's own fields.

    Args:
        max_seats: The most seats that the game allows.
        fields: ``(name, format)`` or ``(name, format, shape)`` of each field, as for
            ``numpy.dtype``.
    """
    return np.dtype((np.record, np.dtype([*header(max_seats), *fields], align=True)))


def blank(dtype: np.dtype[Any], count: int = 1) -> States:
    """An array of ``count`` zeroed records (padding bytes too, so that equality is of bytes)."""
    return np.zeros(count, dtype)


def copy_states(states: States) -> States:
    """An independent copy, byte by byte.

    NumPy's own copy of records goes field by field: slower, and it leaves garbage between them.
    """
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


def bytes_of(states: States) -> NDArray[np.uint8]:
    """The bytes of records, live: uint8 of shape ``(N, bytes of a record)``."""
    return states.view(np.uint8).reshape(len(states), -1)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view of an array that its reader cannot write."""
    view = array.view()
    view.flags.writeable = False
    return view


@kernel
def settle(state: State) -> None:
    """End the game: pay the result according to ``state.places``.

    The winners (place 1) share +1, the others share -1, so the sum is zero; if all share the
    first place everyone gets 0. Sets ``over`` and clears ``seat``.
    """
    n = state.num_seats
    winners = 0
    for seat in range(n):
        if state.places[seat] == 1:
            winners += 1
    for seat in range(n):
        if winners == n:
            state.rewards[seat] = 0.0
        elif state.places[seat] == 1:
            state.rewards[seat] = 1.0 / winners
        else:
            state.rewards[seat] = -1.0 / (n - winners)
    state.over = 1
    state.seat = NO_SEAT


@kernel
def rank(keys: NDArray[np.int64], places: NDArray[np.int8]) -> None:
    """Places from 1 by descending key; equal keys share a place (1, 2, 2, 4).

    Args:
        keys: int64 of shape (seats,); the higher the better.
        places: int8, filled for the same seats.
    """
    for seat in range(len(keys)):
        place = 1
        for other in range(len(keys)):
            if keys[other] > keys[seat]:
                place += 1
        places[seat] = place


@kernel(leaf=True)
def relative(state: State, seat: int, other: int) -> int:
    """Seats from ``seat`` on to ``other``, in the order of seats; 0 for itself."""
    return other - seat if other >= seat else other - seat + state.num_seats


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome of a finished game, indexed by seat.

    Attributes:
        rewards: The result as paid: winners share +1, the others share -1.
        scores: Final scores by the game's own count.
        places: Final places from 1; ties share a place.
        win_shares: 1 divided among the winners; 0 for the others, and for everybody in a game that
            was stopped by a cap that pays nobody.
        capped: Whether a cap of the specification ended the game; see
            :meth:`~.game.Game.is_truncated` for whether that cap pays.
    """

    rewards: tuple[float, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    win_shares: tuple[float, ...]
    capped: bool
