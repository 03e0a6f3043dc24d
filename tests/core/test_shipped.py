"""Machine code that comes with the package is used where it fits, and nowhere else."""

from __future__ import annotations

import platform
import sys
import textwrap

import pytest

from gangland.envs.core.compiling.interpreted import INTERPRETED
from gangland.envs.core.compiling.shipped import MADE_FOR
from tests.core.kernels import copy_project, run

pytestmark = pytest.mark.skipif(
    INTERPRETED or sys.platform != "linux" or platform.machine() != "x86_64",
    reason="it is made for Linux on x86-64",
)

USE = textwrap.dedent(
    """
    from numba import types
    from gangland.envs.core.compiling.compiled import compile_all
    from gangland.envs.pair.game import caller
    from gangland.envs.pair.rule import called
    signature = types.int64(types.int64)
    entries = compile_all("pair", [(caller, signature), (called, signature)])
    print(entries[0](1), caller.stats.cache_hits.total())
    """
)
PACK = textwrap.dedent(
    """
    from pathlib import Path
    from gangland.envs.core.compiling.kernel_cache import pack
    from gangland.envs.core.compiling.shipped import FOLDER
    for folder in Path("{cache}").glob("gangland.*"):
        pack(folder, FOLDER / folder.name)
    """
)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """A project that brings its machine code; what compiled it is gone."""
    folder = copy_project(tmp_path_factory.mktemp("packed"))
    made = folder / "made"
    made.mkdir()
    assert run(folder, USE, NUMBA_CACHE_DIR=str(made), **MADE_FOR).out.split() == ["20", "0"]
    run(folder, PACK.format(cache=made))
    assert list((folder / "gangland" / "envs" / "machine_code").glob("*/*.nbc"))
    return folder


@pytest.fixture
def cache(tmp_path):
    (tmp_path / "kernels").mkdir()
    return str(tmp_path / "kernels")


def test_nothing_is_compiled(packed, cache):
    found = run(packed, USE, NUMBA_CACHE_DIR=cache)
    assert found.out.split() == ["20", "1"]
    assert found.err == ""


def test_it_is_found_by_content_wherever_the_package_stands(packed, cache, tmp_path):
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (packed / "gangland").rename(moved / "gangland")
    try:
        found = run(moved, USE, NUMBA_CACHE_DIR=cache)
    finally:
        (moved / "gangland").rename(packed / "gangland")
    assert (found.out.split(), found.err) == (["20", "1"], "")


def test_another_processor_that_numba_is_told_gets_its_own(packed, cache):
    found = run(packed, USE, NUMBA_CACHE_DIR=cache, NUMBA_CPU_NAME="generic")
    assert found.out.split() == ["20", "0"]
    assert found.err.startswith("gangland: compiling pair once")


def test_an_edited_rule_is_compiled(packed, cache):
    rule = packed / "gangland" / "envs" / "pair" / "rule.py"
    text = rule.read_text()
    rule.write_text(text.replace("x + 1", "x + 4"))
    try:
        found = run(packed, USE, NUMBA_CACHE_DIR=cache)
    finally:
        rule.write_text(text)
    assert found.out.split() == ["50", "0"]
    assert found.err.startswith("gangland: compiling pair once")


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_what_is_damaged_is_compiled(packed, cache, ending):
    files = list((packed / "gangland" / "envs" / "machine_code").glob(f"*/*.{ending}"))
    kept = [file.read_bytes() for file in files]
    for file, data in zip(files, kept, strict=True):
        file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    try:
        found = run(packed, USE, NUMBA_CACHE_DIR=cache)
    finally:
        for file, data in zip(files, kept, strict=True):
            file.write_bytes(data)
    assert found.out.split() == ["20", "0"]


def test_a_processor_that_lacks_a_part_compiles(packed, cache):
    lacking = "from gangland.envs.core.compiling import shipped\nshipped.FEATURES += ('made-up',)\n"
    found = run(packed, lacking + USE, NUMBA_CACHE_DIR=cache)
    assert found.out.split() == ["20", "0"]
    assert found.err.startswith("gangland: compiling pair once")
