"""The rules' own part of a state record, in a form that does not depend on the record's layout.

Replays hash this form, so that fields which only help the engine or count events can be added,
removed, widened or moved without making recorded games look forged. What it does depend on, names
and values of the rules' own fields, is what ``rules_version`` stands for.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..state import State

WIDE: dict[str, str] = {"i": "<i8", "u": "<u8", "f": "<f8"}
"""The eight bytes that each kind of number is written in."""


class RulesFields:
    """Writes the rules' own fields of records.

    Args:
        dtype: The record's dtype.
        scratch: Names of the fields that are left out.

    Raises:
        ValueError: If a name is not a field of the record.
    """

    def __init__(self, dtype: np.dtype[Any], scratch: Collection[str]) -> None:
        known: Any = dtype.fields
        unknown = sorted(set(scratch) - set(known))
        if unknown:
            raise ValueError(f"scratch names no field of the record: {', '.join(unknown)}")
        self.names: tuple[str, ...] = tuple(sorted(set(known) - set(scratch)))
        # For each type of number: the bytes of the record that hold such numbers, and their places.
        places: dict[np.dtype[Any], tuple[list[int], list[int]]] = {}
        self._size = 0
        for name in self.names:
            field, start = known[name][:2]
            count = field.itemsize // field.base.itemsize
            sources, targets = places.setdefault(field.base, ([], []))
            sources += range(start, start + field.itemsize)
            targets += range(self._size, self._size + count)
            self._size += count
        self._parts: list[tuple[np.dtype[Any], NDArray[np.intp], NDArray[np.intp]]] = [
            (base, np.array(sources, np.intp), np.array(targets, np.intp))
            for base, (sources, targets) in places.items()
        ]

    def write(self, state: State) -> bytes:
        """The fields in the order of their names, every number as eight bytes, little-endian.

        Integers stand as int64 (``rng`` as uint64); rewards, which are quotients, as float64 after
        rounding to single precision, so that their last bits decide nothing.
        """
        record = np.frombuffer(state.tobytes(), np.uint8)
        out = np.empty(self._size, "<i8")
        for base, sources, targets in self._parts:
            numbers = record[sources].view(base)
            if base.kind == "f":
                numbers = numbers.astype(np.float32)
            out[targets] = numbers.astype(WIDE[base.kind]).view("<i8")
        return out.tobytes()
