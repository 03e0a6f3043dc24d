"""Machine code that comes with the package, so that nothing is compiled at the first use.

A wheel for one version of Python holds in ``envs/machine_code`` what Numba makes of the kernels for
every x86-64 processor since about 2015 (``release/machine_code.py`` puts it there). It is trusted
as the modules beside it are. It is used if the kernel's sources, Python and Numba are those that it
was made with, on a processor that can run it; else the kernel is compiled.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import llvmlite.binding

FOLDER = Path(__file__).resolve().parents[2] / "machine_code"
"""A folder of each module, named as in the cache."""

PROCESSOR = "x86-64-v3"
"""Numba's name of the processor that it is made for."""

TRIPLE = "x86_64-unknown-linux-gnu"

FEATURES = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")
"""What such processors have and older ones lack, by LLVM's names."""

MADE_FOR = {"NUMBA_CPU_NAME": PROCESSOR, "NUMBA_CPU_FEATURES": ""}
"""Environment in which Numba makes it."""


class Target:
    """What Numba asks a code generator for: the key of machine code in an index."""

    @staticmethod
    def magic_tuple() -> tuple[str, str, str]:
        """System, processor and features."""
        return TRIPLE, PROCESSOR, ""


@cache
def usable() -> bool:
    """Whether there is any that this machine can run, and nobody asked Numba for another."""
    if not FOLDER.is_dir() or any(name in os.environ for name in MADE_FOR):
        return False
    if llvmlite.binding.get_process_triple() != TRIPLE:
        return False
    own = llvmlite.binding.get_host_cpu_features()
    return all(own.get(feature, False) for feature in FEATURES)
