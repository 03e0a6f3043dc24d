"""RULES.md is complete: its ids are those of the tests, its code and tests exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import gangland.envs.crime_lords as wing

WING = Path(wing.__file__).parent
TESTS = Path(__file__).parent
ROOT = TESTS.parents[1]
ROW = re.compile(r"^\| (CL-\d+\.\d+) \| (.*) \| ([^|]+) \| ([^|]+) \|$")


def rows():
    lines = (WING / "RULES.md").read_text(encoding="utf-8").splitlines()
    return [match.groups() for line in lines if (match := ROW.match(line))]


def functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def marked_ids():
    found = set()
    for path in TESTS.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant)}
    return found


def test_every_rule_has_a_test_and_every_mark_a_rule():
    ids = [row[0] for row in rows()]
    assert len(ids) > 150
    assert len(set(ids)) == len(ids)
    assert set(ids) == marked_ids()


def test_code_and_tests_named_exist():
    for rule, text, code, test in rows():
        assert text
        if code not in ("data", "definition"):
            file, name = code.split(":")
            assert name in functions(WING / file), f"{rule}: {code}"
        file, name = test.split("::")
        assert name in functions(ROOT / file), f"{rule}: {test}"
