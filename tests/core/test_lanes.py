"""What kernels ask of the processor directly: vector registers, and memory ahead of its use."""

from __future__ import annotations

import platform

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from gangland.envs.core.compiling.lanes import bits_above_zero, count_common, fetch_ahead, fill_row

# --- rows of numbers: the same as NumPy, and not a byte beyond the row ----------------------------

MARGIN = 3
QUARTER = np.float32(0.25)


def row_with_margins(size):
    return np.full(size + 2 * MARGIN, 9, np.float32)


def inside(row):
    assert (row[:MARGIN] == 9).all()
    assert (row[-MARGIN:] == 9).all()
    return row[MARGIN:-MARGIN]


@pytest.mark.parametrize(("size", "step"), [(17, 5), (17, 1), (8, 3), (9, 4), (3, 2), (1, 1)])
def test_a_row_is_filled_from_every_column_of_a_table(size, step):
    @numba.njit
    def fill(out, table, column):
        fill_row(out, MARGIN, table, column, step, size, QUARTER)

    table = np.random.default_rng(0).integers(-128, 128, (size, step), np.int8)
    for column in range(step):
        out = row_with_margins(size)
        fill(out, table, column)
        np.testing.assert_array_equal(inside(out), table[:, column] * QUARTER)


@pytest.mark.parametrize("size", [24, 17, 8, 5, 1])
def test_bits_are_counted_and_found(size):
    @numba.njit
    def count(out, sets, chosen):
        count_common(out, MARGIN, sets, chosen, size, QUARTER)
        return bits_above_zero(out, MARGIN, size)

    sets = np.random.default_rng(1).integers(-(2**31), 2**31, size, np.int32)
    for chosen in (0, 0b1000_0001, 0x1FFFF, -1):
        out = row_with_margins(size)
        found = count(out, sets, chosen)
        common = [int(word & np.int32(chosen)) % 2**32 for word in sets]
        counts = [word.bit_count() for word in common]
        np.testing.assert_array_equal(inside(out), np.array(counts) * QUARTER)
        assert found == sum(1 << i for i, n in enumerate(counts) if n)


def test_numbers_that_are_no_more_than_zero_have_no_bit():
    @numba.njit
    def find(values):
        return bits_above_zero(values, 0, 4)

    assert find(np.array([0, -0.0, -1, np.nan], np.float32)) == 0
    assert find(np.array([1, 0, 1e-30, -1], np.float32)) == 0b101


def test_a_size_must_be_a_constant():
    @numba.njit
    def find(values, size):
        return bits_above_zero(values, 0, size)

    with pytest.raises(TypingError, match="size: must be a constant of at least 1"):
        find(np.zeros(4, np.float32), 4)


# --- memory asked for ahead: a hint that changes nothing ------------------------------------------

RECORDS = np.zeros(5, np.dtype([("rng", "u8"), ("cards", "i1", (131,))], align=True))
X86 = platform.machine() in ("x86_64", "AMD64")


@numba.njit
def fetch_all(array):
    for row in range(len(array)):
        fetch_ahead(array, row)
    return len(array)


@pytest.mark.parametrize(
    "array",
    [RECORDS, np.ones((7, 291), np.bool_), np.ones((3, 16), np.float32), np.ones((0, 4))],
    ids=["records", "masks", "vectors", "empty"],
)
def test_nothing_is_changed(array):
    before = array.tobytes()
    assert fetch_all(array) == len(array)
    assert array.tobytes() == before


@pytest.mark.skipif(not X86, reason="the name of the instruction is that of x86")
def test_it_is_an_instruction():
    fetch_all(RECORDS)
    assert all("prefetcht0" in code for code in fetch_all.inspect_asm().values())
