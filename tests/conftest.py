"""Settings of all test processes."""

from __future__ import annotations

import gc
import os

# Before NumPy and torch are there: several test processes share the cores, and their threads spin
# while they wait. Pools of processes inherit it.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# What is made while modules are imported and tests are collected stays to the end.
gc.disable()

import tests.games  # noqa: E402, F401  # registers the toy, whichever tests are chosen


def pytest_collection_finish() -> None:
    """From here on the collector looks at what tests make, and no more at what all of them use."""
    gc.freeze()
    gc.enable()
