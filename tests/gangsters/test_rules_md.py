"""RULES.md is complete: every rule has code and a test, and nothing is named that is not there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WING = ROOT / "envs" / "gangsters"
TESTS = ROOT / "tests" / "gangsters"
ROW = re.compile(r"^\| (G-[\dX.]+) \| (.+) \| ([^|]+) \| ([^|]+) \|$")
ROWS = [
    m.groups() for line in (WING / "RULES.md").read_text().splitlines() if (m := ROW.match(line))
]


def defined(path):
    """Names that a file defines at its top level."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def marked_tests():
    """Rule id → ``file::function`` of the tests that carry it."""
    marks = {}
    for path in sorted(TESTS.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    for rule in mark.args:
                        place = f"{path.relative_to(ROOT)}::{node.name}"
                        marks.setdefault(ast.literal_eval(rule), set()).add(place)
    return marks


MARKED = marked_tests()


def test_every_rule_has_a_test_and_every_mark_a_rule():
    ids = [row[0] for row in ROWS]
    assert len(ids) == len(set(ids))
    assert len(ids) > 270
    assert set(ids) == set(MARKED)


def test_every_worked_example_is_there():
    assert [row[0] for row in ROWS if "X" in row[0]] == [f"G-X{n:02}" for n in range(1, 60)]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_code_and_test_exist(row):
    rule, text, code, test = row
    assert len(text) > 10
    if code not in ("data", "definition"):
        file, name = code.split(":")
        assert name in defined(WING / file), f"{rule}: no {name} in {file}"
    assert test in MARKED[rule]
