"""The compile cache never goes stale, and the first use says what it does."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

from gangland.envs.core import kernel as kernel_module
from tests.core.kernels import CALL, ROOT, copy_project
from tests.core.kernels import run as run_kernels


@pytest.fixture
def project(tmp_path):
    return copy_project(tmp_path)


def run(project, code):
    return run_kernels(project, code).out


def test_an_edit_to_a_called_kernel_reaches_its_callers(project):
    assert run(project, CALL).split() == ["20", "0"]
    assert run(project, CALL).split() == ["20", "1"]
    rule = project / "gangland" / "envs" / "pair" / "rule.py"
    stat = rule.stat()
    rule.write_text(rule.read_text().replace("x + 1", "x + 4"))
    os.utime(rule, (stat.st_atime, stat.st_mtime))
    assert run(project, CALL).split() == ["50", "0"]


def test_an_edit_to_the_core_reaches_the_wings(project):
    assert run(project, CALL).split()[0] == "20"
    core = project / "gangland" / "envs" / "core" / "rng.py"
    core.write_text(core.read_text() + "\n# edited\n")
    assert run(project, CALL).split() == ["20", "0"]


def test_an_edit_to_a_picture_compiles_nothing(project):
    wing = project / "gangland" / "envs" / "pair"
    (wing / "picture.py").write_text("from .rule import called\n")
    assert run(project, CALL).split() == ["20", "0"]
    (wing / "picture.py").write_text("from .rule import called\n\nCOLOUR = 'red'\n")
    assert run(project, CALL).split() == ["20", "1"]


COMPILE_ALL = textwrap.dedent(
    """
    from numba import types
    from gangland.envs.core.compiled import compile_all
    from gangland.envs.pair.game import caller
    from gangland.envs.pair.rule import called
    signature = types.int64(types.int64)
    entries = compile_all("pair", [(caller, signature), (called, signature)])
    print(entries[0](1), called.stats.cache_hits.total(), called.stats.cache_misses.total())
    """
)


def test_what_another_kernel_has_compiled_is_found_in_the_cache(project):
    """The second use compiles nothing: not even what came first as a part of something else."""
    assert run(project, COMPILE_ALL).split() == ["20", "0", "1"]
    assert run(project, COMPILE_ALL).split() == ["20", "1", "0"]


def test_a_kernel_that_returns_something_else_is_named(project):
    code = COMPILE_ALL.replace("types.int64(types.int64)", "types.float64(types.int64)")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(project, code)
    assert "caller returns int64, must return float64" in failed.value.stderr


IMPORTS = ["from .numbers import ONE", "from . import numbers", "import gangland.envs.pair.numbers"]


@pytest.mark.parametrize("line", [*IMPORTS, "from gangland.envs.pair import numbers"])
def test_an_edit_to_the_constants_of_a_kernel_reaches_it(project, line):
    wing = project / "gangland" / "envs" / "pair"
    (wing / "numbers.py").write_text("ONE = 1\n")
    rule = (wing / "rule.py").read_text()
    name = {"from .numbers import ONE": "ONE", "import gangland.envs.pair.numbers": "ONE"}
    if line.startswith("import"):
        rule = f"{line}\nONE = gangland.envs.pair.numbers.ONE\n{rule}"
    else:
        rule = f"{line}\n{rule}"
    (wing / "rule.py").write_text(rule.replace("x + 1", f"x + {name.get(line, 'numbers.ONE')}"))
    assert run(project, CALL).split() == ["20", "0"]
    (wing / "numbers.py").write_text("ONE = 2\n")
    assert run(project, CALL).split() == ["30", "0"]


def test_the_key_covers_a_file_outside_the_games(tmp_path):
    file = tmp_path / "own.py"
    file.write_text("a = 1\n")
    before = kernel_module.cache_folder("own", str(file))
    kernel_module._hash_of.cache_clear()
    file.write_text("a = 2\n")
    assert kernel_module.cache_folder("own", str(file)) != before


def test_first_use_says_so_in_one_line_and_later_ones_are_silent(tmp_path):
    code = (
        "from gangland.envs import register, load; register('highcard', 'tests.toy.game:HighCard');"
        "load('highcard').new_state(1)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stderr
        for _ in range(2)
    ]
    assert said[0].count("\n") == 1
    assert "compiled highcard (first use)" in said[0]
    assert " s\n" in said[0]
    assert said[1] == ""
