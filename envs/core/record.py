"""A game's record, each field declared once: its kind, what it may hold, and what its seats are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .state import header, record_dtype

Range = tuple[int, int]
"""Least and greatest value."""

FLAG: Range = (0, 1)
BITS: Range = (-(2**63), 2**63 - 1)
"""A bit set of up to 64 members."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record.

    Attributes:
        name: Its name.
        kind: NumPy's name of its type, ``i1`` for example.
        holds: Least and greatest value, of each number of an array.
        shape: Shape of an array; empty for a number.
        per_seat: Whether its first axis is the seat.
        seats: Whether its values are seats, negative for none.
        scratch: Whether play does not depend on it: it is left behind by kernels, derived from
            other fields, or a count of events. Replays do not record it.
    """

    name: str
    kind: str
    holds: Range
    shape: tuple[int, ...] = ()
    per_seat: bool = False
    seats: bool = False
    scratch: bool = False


class Record:
    """All fields of a game's record after the common header, in order.

    Attributes:
        max_seats: The most seats that the game allows.
        dtype: The record's dtype.
        bounds: Least and greatest value of each field.
        seat_arrays: Fields whose first axis is the seat.
        seat_indices: Fields whose values are seats.
        scratch: Fields that play does not depend on.

    Args:
        max_seats: The most seats that the game allows.
        fields: The fields.
        capped: Least and greatest value of the header's ``capped``.

    Raises:
        ValueError: Naming a field whose type cannot hold its values, that is declared twice, or
            that is one per seat without a shape.
    """

    def __init__(self, max_seats: int, fields: Iterable[Field], capped: Range = FLAG) -> None:
        declared = list(fields)
        names = [*(name for name, *_ in header(max_seats)), *(field.name for field in declared)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"declared twice: {', '.join(twice)}")
        for field in declared:
            kind = np.iinfo(field.kind)
            if not kind.min <= field.holds[0] <= field.holds[1] <= kind.max:
                low, high = field.holds
                raise ValueError(f"{field.name}: {low}..{high} does not fit {field.kind}")
            if field.per_seat and not field.shape:
                raise ValueError(f"{field.name}: one per seat, and no shape")
        self.max_seats = max_seats
        self.dtype = record_dtype(max_seats, [(f.name, f.kind, f.shape) for f in declared])
        self.bounds = {"capped": capped, **{field.name: field.holds for field in declared}}
        self.seat_arrays = tuple(field.name for field in declared if field.per_seat)
        self.seat_indices = tuple(field.name for field in declared if field.seats)
        self.scratch = tuple(field.name for field in declared if field.scratch)
