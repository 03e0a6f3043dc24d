"""Short rows of numbers, eight at a time, and memory ahead of its use, for kernels.

LLVM leaves a row of, say, 17 numbers to scalar instructions: it unrolls such a loop before it looks
for vectors, and cannot know that an observation does not overlap the record it is read from. These
functions say so. They read and write flat rows, wherever these stand in an array, and check no
bounds. Sizes and steps are constants; a size that is no multiple of eight ends with lanes done
twice.

A processor predicts that a loop goes on along an array, but not which parts of a record of two
thousand bytes it will read. Where the records of all tables do not fit into a core's own cache, the
next one is fetched while the rules work on this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from .interpreted import INTERPRETED
from .numba_private import TypingError, cgutils, ir

WIDTH = 8
"""Numbers in a vector register of 256 bits, float32 or int32."""

_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)
_FLOAT32 = ir.FloatType()


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def fill_row(
    _: Any, out: Any, at: Any, source: Any, first: Any, step: Any, size: Any, factor: Any
) -> Any:
    """``out[at + i] = source.flat[first + i * step] * factor`` for ``i`` below ``size``.

    Args:
        out: float32 of shape ``(n,)``, written.
        at: Where its row begins.
        source: Signed integers of any shape.
        first: Flat index of the row's first number.
        step: Flat indices from one number to the next, a constant.
        size: Numbers in the row, a constant.
        factor: float32.
    """
    _expect_constants(step=step, size=size)
    signature = types.void(out, types.int64, source, types.int64, step, size, types.float32)
    stride = step.literal_value

    def generate(context: Any, builder: Any, given: Any, args: Any) -> Any:
        target = _place(context, builder, given.args[0], args[0], args[1])
        origin = _place(context, builder, given.args[2], args[2], args[3])
        factors = _splat(builder, args[6], min(WIDTH, size.literal_value))
        for start, width in _pieces(size.literal_value):
            numbers = _gather(builder, origin, start, stride, width)
            floats = builder.sitofp(numbers, ir.VectorType(_FLOAT32, width))
            _store(builder, builder.fmul(floats, factors), target, start)
        return context.get_dummy_value()

    return signature, generate


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def bits_above_zero(_: Any, values: Any, at: Any, size: Any) -> Any:
    """Bit set, int64, of the ``i`` below ``size`` with ``values[at + i] > 0``.

    Args:
        values: float32 of shape ``(n,)``.
        at: Where the row begins.
        size: Numbers in the row, a constant of at most 63.
    """
    _expect_constants(size=size)
    signature = types.int64(values, types.int64, size)

    def generate(context: Any, builder: Any, given: Any, args: Any) -> Any:
        origin = _place(context, builder, given.args[0], args[0], args[1])
        found = ir.Constant(_INT64, 0)
        for start, width in _pieces(size.literal_value):
            floats = _load(builder, origin, start, width)
            zeros = ir.Constant(floats.type, [0.0] * width)
            above = builder.fcmp_ordered(">", floats, zeros)
            bits = builder.zext(builder.bitcast(above, ir.IntType(width)), _INT64)
            found = builder.or_(found, builder.shl(bits, ir.Constant(_INT64, start)))
        return found

    return signature, generate


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def count_common(_: Any, out: Any, at: Any, sets: Any, chosen: Any, size: Any, factor: Any) -> Any:
    """``out[at + i] = factor * number of bits in (sets[i] & chosen)`` for ``i`` below ``size``.

    Args:
        out: float32 of shape ``(n,)``, written.
        at: Where its row begins.
        sets: Bit sets, int32 of shape ``(size,)``.
        chosen: One bit set.
        size: Numbers in the row, a constant.
        factor: float32.
    """
    _expect_constants(size=size)
    signature = types.void(out, types.int64, sets, types.int32, size, types.float32)

    def generate(context: Any, builder: Any, given: Any, args: Any) -> Any:
        target = _place(context, builder, given.args[0], args[0], args[1])
        origin = _place(context, builder, given.args[2], args[2], ir.Constant(_INT64, 0))
        full = min(WIDTH, size.literal_value)
        mask = _splat(builder, args[3], full)
        factors = _splat(builder, args[5], full)
        counted = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(mask.type, [mask.type]), f"llvm.ctpop.v{full}i32"
        )
        for start, width in _pieces(size.literal_value):
            common = builder.and_(_load(builder, origin, start, width), mask)
            floats = builder.sitofp(builder.call(counted, [common]), ir.VectorType(_FLOAT32, width))
            _store(builder, builder.fmul(floats, factors), target, start)
        return context.get_dummy_value()

    return signature, generate


def _expect_constants(**arguments: Any) -> None:
    for name, given in arguments.items():
        if not isinstance(given, types.IntegerLiteral) or given.literal_value < 1:
            raise TypingError(f"{name}: must be a constant of at least 1, not {given}")


def _pieces(size: int) -> Iterator[tuple[int, int]]:
    """Start and width of each vector of a row; the last one overlaps the one before."""
    width = min(WIDTH, size)
    for start in range(0, size, width):
        yield min(start, size - width), width


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Address of a flat index of an array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


def _load(builder: Any, origin: Any, start: int, width: int) -> Any:
    place = builder.gep(origin, [ir.Constant(_INT64, start)])
    vector = ir.VectorType(origin.type.pointee, width)
    loaded = builder.load(builder.bitcast(place, vector.as_pointer()))
    loaded.align = 1
    return loaded


def _gather(builder: Any, origin: Any, start: int, stride: int, width: int) -> Any:
    """Numbers that stand ``stride`` apart: two loads without a byte too many, and a shuffle."""
    near = (width + 1) // 2
    span = (near - 1) * stride + 1
    far = width - near
    halves = [_load(builder, origin, (start + offset) * stride, span) for offset in (0, far)]
    lanes = [i * stride for i in range(near)]
    lanes += [span + i * stride for i in range(near - far, near)]
    order = ir.Constant(ir.VectorType(_INT32, width), lanes)
    return builder.shuffle_vector(*halves, order)


def _store(builder: Any, vector: Any, target: Any, start: int) -> None:
    place = builder.gep(target, [ir.Constant(_INT64, start)])
    stored = builder.store(vector, builder.bitcast(place, vector.type.as_pointer()))
    stored.align = 1


def _splat(builder: Any, value: Any, width: int) -> Any:
    """A vector with the same number in every lane."""
    nothing = ir.Constant(ir.VectorType(value.type, width), ir.Undefined)
    single = builder.insert_element(nothing, value, ir.Constant(_INT32, 0))
    lanes = ir.Constant(ir.VectorType(_INT32, width), [0] * width)
    return builder.shuffle_vector(single, nothing, lanes)


if INTERPRETED:

    def fill_row(  # type: ignore[no-redef]
        out: Any, at: int, source: Any, first: int, step: int, size: int, factor: float
    ) -> None:
        """As above, in plain Python."""
        for i in range(size):
            out[at + i] = np.float32(source.flat[first + i * step]) * np.float32(factor)

    def bits_above_zero(values: Any, at: int, size: int) -> int:  # type: ignore[no-redef]
        """As above, in plain Python."""
        return sum(1 << i for i in range(size) if values[at + i] > 0)

    def count_common(  # type: ignore[no-redef]
        out: Any, at: int, sets: Any, chosen: int, size: int, factor: float
    ) -> None:
        """As above, in plain Python."""
        for i in range(size):
            out[at + i] = np.float32(int(sets[i] & chosen).bit_count()) * np.float32(factor)


# --- prefetching ----------------------------------------------------------------------------------

LINE = 64
"""Bytes that a processor fetches at once."""

OWN_CACHE = 2**20
"""Bytes that a core's own cache holds, about; prefetching what is in it only costs time."""

_BYTE = ir.IntType(8)
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
