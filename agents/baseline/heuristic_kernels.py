"""Kernels that ask a heuristic at many tables, and the signatures of heuristics.

They are in a module of their own, so that few edits compile them again.
"""

from __future__ import annotations

from typing import Any

from numba import types

from ...envs.core.compiling.pointers import KernelPointer
from ...envs.core.kernel import kernel


@kernel
def choose_batch(choose: Any, known: Any, seats: Any, masks: Any, seeds: Any, actions: Any) -> None:
    """Decisions of many tables: ``choose`` on each redacted record."""
    for k in range(len(known)):
        actions[k] = choose(known[k], seats[k], masks[k], seeds[k])


@kernel
def value_batch(value: Any, known: Any, seats: Any, masks: Any, seeds: Any, values: Any) -> None:
    """Values of all actions at many tables: ``value`` on each redacted record."""
    for k in range(len(known)):
        value(known[k], seats[k], masks[k], seeds[k], values[k])


def signature_of_choose(record: Any) -> Any:
    """Numba's signature of a heuristic, ``choose(known, seat, mask, seed) -> action``.

    Args:
        record: Numba's type of the game's record.
    """
    return types.int64(record, types.int64, types.Array(types.boolean, 1, "C"), types.uint64)


def signature_of_values(record: Any) -> Any:
    """Numba's signature of a heuristic's ``value_actions(known, seat, mask, seed, values)``.

    Args:
        record: Numba's type of the game's record.
    """
    values = types.Array(types.float64, 1, "C")
    return types.void(*signature_of_choose(record).args, values)


def signature_of_batch(asked: Any, record: Any, *more: Any) -> Any:
    """Numba's signature of :func:`choose_batch` and :func:`value_batch`.

    Args:
        asked: Signature of the heuristic's kernel.
        record: Numba's type of the game's record.
        *more: Types of the arguments after the seeds.
    """
    return types.void(
        KernelPointer(asked),
        types.Array(record, 1, "C"),
        types.Array(types.int64, 1, "C"),
        types.Array(types.boolean, 2, "C"),
        types.Array(types.uint64, 1, "C"),
        *more,
    )
