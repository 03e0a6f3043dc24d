"""Memory asked for ahead: a hint to the processor that changes nothing."""

from __future__ import annotations

import platform

import numba
import numpy as np
import pytest

from gangland.envs.core.compiling.ahead import fetch_ahead

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
