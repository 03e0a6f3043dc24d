"""Prefetching memory, for kernels that go through many large records.

A processor predicts that a loop goes on along an array, but not which parts of a record of two
thousand bytes it will read. Where the records of all tables do not fit into a core's own cache, the
next one is fetched while the rules work on this one.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from .interpreted import INTERPRETED
from .numba_private import cgutils, ir

LINE = 64
"""Bytes that a processor fetches at once."""

OWN_CACHE = 2**20
"""Bytes that a core's own cache holds, about; prefetching what is in it only costs time."""

_BYTE = ir.IntType(8)
_INT32 = ir.IntType(32)
_TO_READ, _ALL_CACHES, _DATA = (ir.Constant(_INT32, value) for value in (0, 3, 1))


@intrinsic  # type: ignore[untyped-decorator]
def fetch_ahead(_: Any, array: Any, row: Any) -> Any:
    """Prefetch the memory of ``array[row]``, and go on without waiting for it.

    Args:
        array: Records, or anything else whose rows are contiguous.
        row: One of its rows.
    """
    signature = types.void(array, types.int64)

    def generate(context: Any, builder: Any, given: Any, args: Any) -> Any:
        held = context.make_array(given.args[0])(context, builder, args[0])
        size = builder.extract_value(held.strides, 0)
        begin = builder.bitcast(held.data, _BYTE.as_pointer())
        begin = builder.gep(begin, [builder.mul(args[1], size)])
        _ask_for(builder, begin, size)
        return context.get_dummy_value()

    return signature, generate


def _ask_for(builder: Any, begin: Any, size: Any) -> None:
    """Prefetch every line of ``size`` bytes from an address on."""
    kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), _INT32, _INT32, _INT32])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", [_BYTE.as_pointer()], kind)
    line = ir.Constant(size.type, LINE)
    lines = builder.udiv(builder.add(size, ir.Constant(size.type, LINE - 1)), line)
    with cgutils.for_range(builder, lines) as loop:
        place = builder.gep(begin, [builder.mul(loop.index, line)])
        builder.call(prefetch, [place, _TO_READ, _ALL_CACHES, _DATA])


if INTERPRETED:

    def fetch_ahead(array: Any, row: int) -> None:  # type: ignore[no-redef]
        """As above, in plain Python, which prefetches nothing."""
