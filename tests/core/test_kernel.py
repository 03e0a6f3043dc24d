"""The compile cache never goes stale, and the first use says what it does."""

from __future__ import annotations

import importlib.resources
import os
import re
import shutil
import subprocess
import sys
import textwrap
from contextlib import ExitStack
from pathlib import Path

import pytest

from gangland.envs.core import kernel as kernel_module
from gangland.envs.core.compiling import sources
from tests.core.kernels import CALL, copy_project
from tests.core.kernels import run as run_kernels
from tests.core.kernels import start as start_kernels


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


CORE_EDITS = (("rng.py", "1"), ("kernel.py", "0"))
MORE_EDITS = (*CORE_EDITS, ("compiling/pointers.py", "0"), ("seats.py", "1"))
"""File of the core -> hits of the cache after an edit: 0 for what the package's kernel imports."""


@pytest.mark.parametrize("edits", [CORE_EDITS, pytest.param(MORE_EDITS, marks=pytest.mark.slow)])
def test_an_edit_to_the_core_reaches_the_wings(project, edits):
    assert run(project, CALL).split()[0] == "20"
    core = project / "gangland" / "envs" / "core"
    for name, hits in edits:
        file = core / name
        file.write_text(file.read_text() + "\n# edited\n")
        assert run(project, CALL).split() == ["20", hits], name


@pytest.mark.slow
def test_an_edit_to_a_picture_compiles_nothing(project):
    package = project / "gangland" / "envs" / "pair"
    (package / "picture.py").write_text("from .rule import called\n")
    assert run(project, CALL).split() == ["20", "0"]
    (package / "picture.py").write_text("from .rule import called\n\nCOLOUR = 'red'\n")
    assert run(project, CALL).split() == ["20", "1"]


ALONE = textwrap.dedent(
    """
    import numba, sys
    from gangland.envs.core.compiling.compiled import compile_all
    from gangland.envs.pair.rule import called
    print("ready", flush=True)
    sys.stdin.readline()
    compile_all("pair", [(called, numba.int64(numba.int64))])
    print(called.stats.cache_hits.total())
    """
)


def test_of_several_processes_that_want_the_same_kernels_one_compiles(project):
    with ExitStack() as started:
        processes = [started.enter_context(start_kernels(project, ALONE)) for _ in range(3)]
        for process in processes:
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            process.stdin.write("\n")
            process.stdin.flush()
        hits = [int(process.stdout.readline()) for process in processes]
    assert sorted(hits) == [0, 1, 1]


PACKAGE = {
    "numbers.py": """
        import json
        from pathlib import Path
        TEN = json.loads((Path(__file__).parent / "ten.json").read_text())
        """,
    "ten.json": "10",
    "lone.py": """
        from ..core.kernel import kernel
        @kernel
        def lone(x):
            return x
        """,
    "turn.py": """
        from typing import TYPE_CHECKING
        from ..core.kernel import kernel
        from . import numbers
        from .rule import called
        if TYPE_CHECKING:
            from .lone import lone
        @kernel
        def turn(x):
            return called(x) * numbers.TEN
        """,
    "picture.py": "from .turn import turn",
    "heuristics/__init__.py": "from .bot import choose",
    "heuristics/bot.py": """
        from ...core.kernel import kernel
        from ..rule import called
        from .weights import ONE
        @kernel
        def choose(x):
            return called(x) + ONE
        """,
    "heuristics/weights.py": "ONE = 1",
    "RULES.md": "",
}
"""A package: ``turn`` and the heuristic call a rule, nothing calls ``lone``."""

ASK = textwrap.dedent(
    """
    from gangland.envs.pair import lone, picture, rule, turn
    from gangland.envs.pair.heuristics import bot
    for kernel in (rule.called, lone.lone, turn.turn, bot.choose):
        kernel(1)
        print(kernel.__name__, kernel.stats.cache_hits.total())
    """
)
EDITS = {
    "picture.py": "",
    "RULES.md": "",
    "lone.py": "lone",
    "heuristics/weights.py": "choose",
    "heuristics/bot.py": "choose",
    "turn.py": "turn",
    "numbers.py": "turn",
    "rule.py": "called choose turn",
}
"""File -> kernels that its edit compiles again: those whose module imports it, at any depth."""


@pytest.mark.slow
def test_an_edit_compiles_what_imports_it_and_nothing_else(project):
    package = project / "gangland" / "envs" / "pair"
    (package / "heuristics").mkdir()
    for name, text in PACKAGE.items():
        (package / name).write_text(textwrap.dedent(text))

    def compiled():
        lines = [line.split() for line in run(project, ASK).splitlines()]
        assert len(lines) == 4
        return {name for name, hits in lines if hits == "0"}

    assert compiled() == {"called", "lone", "turn", "choose"}
    for name, expected in EDITS.items():
        file = package / name
        file.write_text(f"{file.read_text()}\n# edited\n")
        assert compiled() == set(expected.split()), name
    # Data reach what imports a module that reads files.
    (package / "ten.json").write_text("20")
    assert compiled() == {"turn"}
    assert compiled() == set()


def test_the_closure_of_a_rule_holds_no_picture_and_no_heuristic():
    """Of our own games: what no rule imports or reads is edited without compiling."""
    from gangland.envs import load
    from tests.games import OURS

    for name in OURS:
        game = load(name)
        rules = game.rules
        found = {}
        for kernel in (getattr(rules, key) for key in rules.__slots__):
            body = kernel.py_func
            found |= sources.closure(body.__module__, Path(body.__code__.co_filename))
        own = f"gangland.envs.{name}."
        assert any(module.startswith(own) for module in found)
        for module in found:
            assert not module.startswith(f"{own}heuristics"), module
            assert not module.startswith((f"{own}view_", f"{own}narration", f"{own}game")), module
            assert not module.startswith((f"{own}words", f"{own}picture")), module
            assert module.startswith((own, f"gangland.envs.{name}", "gangland.envs.core")), module
        read = {file for module, path in found.items() for file in sources._data_of(module, path)}
        home = importlib.resources.files(game.package)
        assert read == {file for file in (home / "data").glob("*") if file.suffix in sources.DATA}


READING = {
    "beside itself": 'open(__file__ + "/../ten.json")',
    "by pathlib": 'from pathlib import Path\nPath("x")',
    "as a resource": 'from importlib.resources import files\nfiles("pair")',
    "by NumPy": "import numpy as np\nnp.loadtxt('x')",
    "its name to a reader elsewhere": 'from elsewhere import table\ntable("ten.json")',
}


@pytest.mark.parametrize("how", READING)
def test_a_module_that_may_read_a_file_depends_on_it(how, tmp_path):
    (tmp_path / "ten.json").write_text("10")
    (tmp_path / "other.json").write_text("10")
    reader = tmp_path / "reader.py"
    reader.write_text(READING[how])
    assert tmp_path / "ten.json" in sources._data_of("pair.reader", reader)
    idle = tmp_path / "idle.py"
    idle.write_text("ONE = 1\n")
    assert sources._data_of("pair.idle", idle) == ()


@pytest.mark.slow
def test_the_closure_does_not_depend_on_what_is_loaded():
    code = (
        "import sys\n{before}\n"
        "from gangland.envs.core.compiling.sources import digest\n"
        "import gangland.envs.core as core\n"
        "from pathlib import Path\n"
        "file = Path(core.__file__).parents[2] / 'agents' / 'heuristic.py'\n"
        "print(digest('gangland.agents.baseline.heuristic', str(file)))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code.format(before=before)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for before in ("", "import gangland.agents.registry", "import gangland.envs.chicago.game")
    }
    assert len(answers) == 1


COMPILE_ALL = textwrap.dedent(
    """
    from numba import types
    from gangland.envs.core.compiling.compiled import compile_all
    from gangland.envs.pair.game import caller
    from gangland.envs.pair.rule import called
    signature = types.int64(types.int64)
    entries = compile_all("pair", [(caller, signature), (called, signature)])
    print(entries[0](1), called.stats.cache_hits.total(), called.stats.cache_misses.total())
    """
)


def test_first_use_says_so_before_it_compiles_and_later_ones_compile_nothing(project):
    """Not even what came first as a part of something else."""
    first, second = (run_kernels(project, COMPILE_ALL) for _ in range(2))
    assert first.out.split() == ["20", "0", "1"]
    before, after = first.err.splitlines()
    assert re.match(r"gangland: compiling pair once, .*`gangland compile`", before)
    assert re.match(r"gangland: compiled pair, 2 kernels in [\d.]+ s$", after)
    assert second.out.split() == ["20", "1", "0"]
    assert second.err == ""


def test_first_use_of_a_copy_in_another_place_says_so_too(project, tmp_path):
    """Machine code is kept by the path of its file."""
    run_kernels(project, COMPILE_ALL)
    copy = tmp_path / "elsewhere"
    shutil.copytree(project / "gangland", copy / "gangland")
    found = run_kernels(copy, COMPILE_ALL, NUMBA_CACHE_DIR=str(project / "cache"))
    assert found.out.split() == ["20", "0", "1"]
    assert found.err.startswith("gangland: compiling pair once")


PARTS = {
    "rule.py": """
        import numpy as np
        from ..core.kernel import kernel

        SMALL = np.array([1, 2], np.int8)

        @kernel(leaf=True)
        def part(x):
            return x + 1

        @kernel(leaf=True)
        def above(x):
            return part(x) + part(7)
        """,
    "game.py": """
        import numpy as np
        from ..core.kernel import kernel
        from .rule import SMALL, above, part

        @kernel
        def caller(x):
            return (above(x) + part(SMALL[0]) + part(np.int16(x)) + part(-1)) * 10
        """,
}
PARTS_CALL = CALL + textwrap.dedent(
    """
    from gangland.envs.pair.rule import part
    print(len(part.overloads))
    """
)


@pytest.mark.slow
def test_parts_are_compiled_once_for_all_integers_and_cached_with_their_callers(project):
    for name, text in PARTS.items():
        (project / "gangland" / "envs" / "pair" / name).write_text(textwrap.dedent(text))
    assert run(project, PARTS_CALL).split() == ["140", "0", "1"]
    assert run(project, PARTS_CALL).split() == ["140", "1", "0"]
    cached = {path.name.split("-")[0] for path in (project / "cache").rglob("*.nbi")}
    assert cached == {"game.caller"}
    rule = project / "gangland" / "envs" / "pair" / "rule.py"
    rule.write_text(rule.read_text().replace("x + 1", "x + 2"))
    assert run(project, PARTS_CALL).split() == ["190", "0", "1"]


def test_a_kernel_that_returns_something_else_is_named(project):
    code = COMPILE_ALL.replace("types.int64(types.int64)", "types.float64(types.int64)")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(project, code)
    assert "caller returns int64, must return float64" in failed.value.stderr


IMPORTS = ["from .numbers import ONE", "from . import numbers", "import gangland.envs.pair.numbers"]


@pytest.mark.parametrize(
    "line",
    [
        "from gangland.envs.pair import numbers",
        *(pytest.param(line, marks=pytest.mark.slow) for line in IMPORTS),
    ],
)
def test_an_edit_to_the_constants_of_a_kernel_reaches_it(project, line):
    package = project / "gangland" / "envs" / "pair"
    (package / "numbers.py").write_text("ONE = 1\n")
    rule = (package / "rule.py").read_text()
    name = {"from .numbers import ONE": "ONE", "import gangland.envs.pair.numbers": "ONE"}
    if line.startswith("import"):
        rule = f"{line}\nONE = gangland.envs.pair.numbers.ONE\n{rule}"
    else:
        rule = f"{line}\n{rule}"
    (package / "rule.py").write_text(rule.replace("x + 1", f"x + {name.get(line, 'numbers.ONE')}"))
    assert run(project, CALL).split() == ["20", "0"]
    (package / "numbers.py").write_text("ONE = 2\n")
    assert run(project, CALL).split() == ["30", "0"]


def test_the_key_covers_a_file_outside_the_games(tmp_path):
    file = tmp_path / "own.py"
    file.write_text("a = 1\n")
    before = kernel_module.cache_folder("own", str(file))
    for cached in (sources.digest, sources._contents, sources._statements):
        cached.cache_clear()
    file.write_text("a = 2\n")
    assert kernel_module.cache_folder("own", str(file)) != before
