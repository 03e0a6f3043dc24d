"""Rules as plain Python, for debuggers, coverage and planted faults: ``NUMBA_DISABLE_JIT=1``.

Numba's own switch leaves kernels as the Python functions that they are. NumPy's scalars then count
in the width of their field (``int8(100) + 100`` overflows), where compiled code counts in 64 bits.
Here kernels are given stand-ins for records and arrays whose numbers are Python's own, so that
both ways play the same games, a thousand times slower. A number that a field cannot hold is an
error.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .numba_private import JIT_DISABLED

INTERPRETED = JIT_DISABLED
"""Whether kernels run as plain Python."""


class Numbers(np.ndarray[Any, Any]):
    """An array whose integers are Python's own, so that sums never overflow."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return plain(found)


class Record:
    """A state record whose numbers are Python's own.

    Args:
        record: The record; fields are written through to it.
    """

    __slots__ = ("_record",)

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        return plain(self._record[name])

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value


class Records:
    """An array of state records.

    Args:
        states: The array; records are written through to it.
    """

    __slots__ = ("_states",)

    def __init__(self, states: NDArray[Any]) -> None:
        self._states = states

    def __getitem__(self, i: Any) -> Any:
        return plain(self._states[i])

    def __setitem__(self, i: Any, state: Record) -> None:
        # Byte by byte: NumPy copies the fields and leaves what is between them.
        width = self._states.itemsize
        rows = self._states.view(np.uint8).reshape(-1, width)
        rows[i] = np.frombuffer(state._record.tobytes(), np.uint8)

    def __len__(self) -> int:
        return len(self._states)


def plain(value: Any) -> Any:
    """A number as Python's own, an array or a record as its stand-in.

    Numbers of 64 bits without a sign stay as they are: the chance counts modulo 2**64.
    """
    if isinstance(value, np.void):
        return Record(value)
    if isinstance(value, np.ndarray):
        return Records(value) if value.dtype.names else value.view(Numbers)
    if isinstance(value, np.integer) and not isinstance(value, np.uint64):
        return int(value)
    return value


def interpreted(body: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that runs as plain Python.

    Args:
        body: The function as it stands in the source.
    """
    prepared: list[bool] = []

    @wraps(body)
    def call(*arguments: Any) -> Any:
        if not prepared:
            prepared.append(True)
            _soften(body)
        with np.errstate(over="ignore"):  # the chance counts modulo 2**64
            return body(*(plain(value) for value in arguments))

    call.py_func = call  # type: ignore[attr-defined]  # as a dispatcher has it
    return call


def _soften(body: Callable[..., Any]) -> None:
    """Exchange the data tables that a kernel reads for stand-ins."""
    names: dict[str, Any] = getattr(body, "__globals__", {})
    for name in body.__code__.co_names:
        value = names.get(name)
        if type(value) is np.ndarray and value.dtype.kind == "i":
            names[name] = value.view(Numbers)
