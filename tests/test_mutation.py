"""The mutation tool: every kind of fault, planted without touching a file."""

from __future__ import annotations

import ast
import sys
import types

import pytest

from tests.mutants import (
    NOT_RULES,
    NOT_RULES_BELOW,
    Planter,
    exchange,
    mutants_of,
    mutated,
    rule_files,
)
from tests.mutation import ROOT, module_name, reaching, summary

SOURCE = '''"""Rules."""
LIMIT: int = 3


def rule(count: int, most=2) -> int:
    """Counts 1 thing."""
    if count < LIMIT and not count == 2:
        return max(count, 1)
    count += 1
    return count % 2
'''

CHANGES = [
    "LIMIT: int = 3 -> LIMIT: int = 4",
    "LIMIT: int = 3 -> LIMIT: int = 2",
    "if count < LIMIT and (not count == 2) -> if True",
    "if count < LIMIT and (not count == 2) -> if False",
    "if count < LIMIT and (not count == 2) -> if count < LIMIT or not count == 2",
    "if count < LIMIT and (not count == 2) -> if count <= LIMIT and (not count == 2)",
    "if count < LIMIT and (not count == 2) -> if count >= LIMIT and (not count == 2)",
    "if count < LIMIT and (not count == 2) -> if count < LIMIT and count == 2",
    "if count < LIMIT and (not count == 2) -> if count < LIMIT and (not count != 2)",
    "if count < LIMIT and (not count == 2) -> if count < LIMIT and (not count == 3)",
    "if count < LIMIT and (not count == 2) -> if count < LIMIT and (not count == 1)",
    "return max(count, 1) -> pass",
    "return max(count, 1) -> return min(count, 1)",
    "return max(count, 1) -> return max(count, 2)",
    "return max(count, 1) -> return max(count, 0)",
    "count += 1 -> count -= 1",
    "count += 1 -> pass",
    "count += 1 -> count += 2",
    "count += 1 -> count += 0",
    "return count % 2 -> return count // 2",
    "return count % 2 -> return count % 3",
    "return count % 2 -> return count % 1",
]


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "planted_rules.py"
    path.write_text(SOURCE)
    yield path
    sys.modules.pop(path.stem, None)
    sys.meta_path[:] = [f for f in sys.meta_path if getattr(f, "module", "") != path.stem]


def test_every_kind_of_fault_and_no_docstring_default_or_annotation(module):
    assert [f"{m.before} -> {m.after}" for m in mutants_of(module, module.parent)] == CHANGES
    for mutant in mutants_of(module, module.parent):
        changed = ast.unparse(mutated(SOURCE, mutant.number))
        assert changed != ast.unparse(ast.parse(SOURCE))
        assert mutant.after in changed


def test_a_fault_is_planted_into_the_import_alone(module, monkeypatch):
    monkeypatch.syspath_prepend(str(module.parent))
    mutant = next(m for m in mutants_of(module, module.parent) if m.after == "count -= 1")
    Planter(module.stem, module, mutant.number).install()
    import planted_rules

    assert planted_rules.rule(5) == 0
    assert planted_rules.__file__ == str(module)
    assert [path.name for path in module.parent.iterdir()] == [module.name]
    assert module.read_text() == SOURCE
    with pytest.raises(RuntimeError, match="has been imported before"):
        Planter(module.stem, module, mutant.number).install()


def test_an_imported_kernel_is_exchanged_and_nothing_else(module, monkeypatch):
    module.write_text(
        "from gangland.envs.core.compiling.interpreted import interpreted as kernel\n\n\n"
        "@kernel\ndef doubled(count):\n    return 2 * half(count) * 2\n\n\n"
        "def half(count):\n    return count // 2\n"
    )
    monkeypatch.syspath_prepend(str(module.parent))
    import planted_rules

    assert planted_rules.doubled(6) == 12
    mutants = {m.after: m for m in mutants_of(module, module.parent)}
    assert [m.function for m in mutants.values() if m.kernel] == ["doubled"] * 6
    exchange(planted_rules, mutants["return 2 * half(count) * 3"])
    assert planted_rules.doubled(6) == 18
    assert planted_rules.half(6) == 3


def test_names_of_mutants_do_not_depend_on_other_lines(module):
    before = [m.key for m in mutants_of(module, module.parent)]
    module.write_text("# A comment.\n\n" + SOURCE)
    assert [m.key for m in mutants_of(module, module.parent)] == before
    assert len(set(before)) == len(before)


def test_tests_that_reach_the_line_the_shortest_first():
    tests = {
        "slow": {"seconds": 2.0, "lines": {"rules.py": [4, 7]}},
        "quick": {"seconds": 0.5, "lines": {"rules.py": [7]}},
        "elsewhere": {"seconds": 0.1, "lines": {"rules.py": [9], "other.py": [7]}},
    }
    mutant = types.SimpleNamespace(file="rules.py", function="rule", lines=(6, 8))
    assert reaching(mutant, tests) == {"quick": 3.0, "slow": 4.0}
    constant = types.SimpleNamespace(file="rules.py", function="", lines=(1, 1))
    assert list(reaching(constant, tests)) == ["elsewhere", "quick", "slow"]


def test_the_report_names_survivors():
    rows = [
        {"mutant": "a.py:f: x -> y", "line": 3, "tests": 2, "by": "t", "outcome": "killed"},
        {"mutant": "a.py:f: x -> z", "line": 4, "tests": 2, "by": "", "outcome": "survived"},
    ]
    text = summary("toy", rows, 7)
    assert "| a.py | 1 | 0 | 1 | 0 | 0 |" in text
    assert "- line 4, 2 tests reach it: `a.py:f: x -> z`" in text


@pytest.mark.parametrize("game", ["chicago", "crime_lords", "five_points", "gangsters"])
def test_every_game_has_rule_files(game):
    files = rule_files(ROOT / "envs" / game)
    assert files
    assert not any(path.name.startswith(NOT_RULES) for path in files)
    assert not any(path.parent.name in NOT_RULES_BELOW for path in files)


def test_rule_files_in_folders_are_named_by_their_path(tmp_path):
    for file in ("rules/police/raids.py", "heuristics/bot.py", "words/notation.py", "engine.py"):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("@kernel\ndef rule(count):\n    return count + 1\n")
    files = rule_files(tmp_path)
    assert [mutants_of(path, tmp_path)[0].file for path in files] == [
        "engine.py",
        "rules/police/raids.py",
    ]
    assert module_name("game", "rules/police/raids.py") == "gangland.envs.game.rules.police.raids"
