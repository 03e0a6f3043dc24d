"""Records field by field: as JSON-able dictionaries and back, and as the bytes that replays hash.

The latter hold the rules' own fields, in a form that does not depend on the record's layout, so
that fields which only help the engine or count events can be added, removed, widened or moved
without making recorded games look forged. What it does depend on, names and values of the rules'
own fields, is what ``rules_version`` stands for.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import NotationError
from .state import State, blank


class Fields:
    """The fields of a record dtype by name.

    Frontends post positions by the thousand, so integers of up to 64 bits with sign travel
    together: one conversion and one check of the bounds for all fields. ``rng`` is hexadecimal
    text, as JSON's numbers are too short for it.

    Args:
        dtype: Of the records; integers, truth values and floats, in arrays of any shape.
        bounds: Least and greatest value of integer fields that hold less than their kind allows.
    """

    def __init__(
        self, dtype: np.dtype[Any], bounds: Mapping[str, tuple[int, int]] | None = None
    ) -> None:
        assert dtype.fields is not None
        assert dtype.names is not None
        self._dtype = dtype
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._bases: dict[str, np.dtype[Any]] = {}
        self._slices: dict[str, slice] = {}
        self._bounds = dict(bounds or {})
        lows: list[NDArray[np.int64]] = []
        highs: list[NDArray[np.int64]] = []
        at: dict[np.dtype[Any], list[NDArray[np.int64]]] = {}
        taken: dict[np.dtype[Any], list[NDArray[np.int64]]] = {}
        total = 0
        for name in dtype.names:
            kind, offset = dtype.fields[name][:2]
            base, shape = kind.base, kind.shape
            self._shapes[name], self._bases[name] = shape, base
            if base.kind not in "iub" or base == np.uint64 or offset % base.itemsize:
                continue
            size = math.prod(shape)
            low, high = (0, 1) if base.kind == "b" else (np.iinfo(base).min, np.iinfo(base).max)
            low, high = self._bounds.get(name, (low, high))
            lows.append(np.full(size, low, np.int64))
            highs.append(np.full(size, high, np.int64))
            at.setdefault(base, []).append(offset // base.itemsize + np.arange(size))
            taken.setdefault(base, []).append(total + np.arange(size))
            self._slices[name] = slice(total, total + size)
            total += size
        self._lows, self._highs = np.concatenate(lows), np.concatenate(highs)
        self._parts = [(b, np.concatenate(at[b]), np.concatenate(taken[b])) for b in at]

    def to_dict(self, state: State) -> dict[str, Any]:
        """Every field's value: numbers and nested lists of them."""
        array = np.asarray(state).reshape(1)
        flat = np.empty(len(self._lows), np.int64)
        for base, at, taken in self._parts:
            flat[taken] = array.view(base)[at]
        numbers = flat.tolist()
        values: dict[str, Any] = {}
        for name, shape in self._shapes.items():
            if name == "rng":
                values[name] = f"{int(state[name]):#018x}"
            elif name not in self._slices or self._bases[name].kind == "b":
                values[name] = np.asarray(state[name]).tolist()
            else:
                values[name] = _nest(numbers[self._slices[name]], shape)
        return values

    def from_dict(self, values: Mapping[str, Any]) -> State:
        """The record with these values.

        Raises:
            NotationError: Naming what is missing, unknown, of another shape or out of range.
        """
        if values.keys() != self._shapes.keys():
            missing = sorted(self._shapes.keys() - values.keys())
            unknown = sorted(values.keys() - self._shapes.keys())
            raise NotationError(f"fields: missing {missing}, unknown {unknown}")
        states = blank(self._dtype)
        together = self._read_together(values, states)
        for name, value in values.items():
            if not together or name not in self._slices:
                states[0][name] = self._read(name, value)
        return states[0]

    def _read_together(self, values: Mapping[str, Any], states: NDArray[Any]) -> bool:
        """Fill all whole numbers in; false, and nothing filled, if any of them is amiss."""
        listed: list[Any] = []
        for name in self._slices:
            if not _flatten(values[name], self._shapes[name], listed):
                return False
        try:
            flat = np.array(listed)
        except (ValueError, OverflowError):
            return False
        if flat.dtype != np.int64 or flat.shape != self._lows.shape:
            return False
        if (flat < self._lows).any() or (flat > self._highs).any():
            return False
        for base, at, taken in self._parts:
            states.view(base)[at] = flat[taken]
        return True

    def _read(self, name: str, value: Any) -> NDArray[Any]:
        base, shape = self._bases[name], self._shapes[name]
        try:
            if name == "rng":
                array = np.array(int(value, 16), np.uint64)
            elif base.kind == "f":
                array = np.array(value, base)
            else:
                exact = np.array(value)
                with np.errstate(invalid="ignore"):  # of nan, which is refused below
                    array = exact.astype(base)
                if exact.dtype.kind not in "iub" or not np.array_equal(exact, array):
                    raise ValueError(f"must hold integers within {base.name}")
        except (ValueError, TypeError, OverflowError) as error:
            raise NotationError(f"{name}={reprlib.repr(value)}: {error}") from error
        if array.shape != shape:
            raise NotationError(f"{name}: shape {array.shape}, must be {shape}")
        if name in self._bounds:
            low, high = self._bounds[name]
            wrong = array[(array < low) | (array > high)]
            if wrong.size:
                raise NotationError(f"{name}: must be {low}..{high}, not {wrong[0]}")
        return array


def _nest(flat: list[Any], shape: Sequence[int]) -> Any:
    """Numbers in nested lists."""
    if not shape:
        return flat[0]
    if len(shape) == 1:
        return flat
    step = len(flat) // shape[0] if shape[0] else 0
    return [_nest(flat[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])]


def _flatten(value: Any, shape: Sequence[int], into: list[Any]) -> bool:
    """Append nested lists' numbers; false if their shape is another."""
    if not shape:
        into.append(value)
        return True
    if type(value) is not list or len(value) != shape[0]:
        return False
    if len(shape) == 1:
        into.extend(value)
        return True
    return all(_flatten(part, shape[1:], into) for part in value)


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
