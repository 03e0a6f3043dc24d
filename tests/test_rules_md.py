"""Each RULES.md is complete: every rule has code and a test; nothing is named that is not there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.games import GAMES, TOY

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| ([A-Z]+-[\dX.]+) \| (.+) \| ([^|]+) \| ([^|]+) \|$")
LEAST = {"chicago": 120, "crime_lords": 150, "five_points": 150, "gangsters": 270, "poker": 7}
"""Rules that a game has at least: a table that is not found would be complete."""
RULED = [*(name for name in GAMES if name != TOY), "poker"]


@cache
def rows(game):
    """Rule, text, code and test of every row of a game's table."""
    lines = (ROOT / "envs" / game / "RULES.md").read_text(encoding="utf-8").splitlines()
    return [match.groups() for line in lines if (match := ROW.match(line))]


@cache
def defined(path):
    """Names that a file defines, at its top level or as methods of a class."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def rules_in(nodes):
    """Ids of all ``pytest.mark.rule(...)`` inside some nodes."""
    for node in nodes:
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule":
                yield from map(ast.literal_eval, call.args)


@cache
def marked(game):
    """Rule id → ``file::function`` of the tests that carry it, themselves or in a list of cases."""
    marks = {}
    for path in sorted((ROOT / "tests" / game).glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        lists = {
            ast.unparse(node.targets[0]): set(rules_in([node.value]))
            for node in tree.body
            if isinstance(node, ast.Assign)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            found = set(rules_in(node.decorator_list))
            for decorator in node.decorator_list:
                names = {word.id for word in ast.walk(decorator) if isinstance(word, ast.Name)}
                found |= set().union(*(lists[name] for name in names & set(lists)))
            for rule in found:
                marks.setdefault(rule, set()).add(f"{path.relative_to(ROOT)}::{node.name}")
    return marks


@pytest.mark.parametrize("game", RULED)
def test_every_rule_has_a_test_and_every_mark_a_rule(game):
    ids = [row[0] for row in rows(game)]
    assert len(ids) == len(set(ids))
    assert len(ids) > LEAST[game]
    assert set(ids) == set(marked(game))


@pytest.mark.parametrize("game", RULED)
def test_code_and_tests_named_exist(game):
    wrong = []
    for rule, text, code, test in rows(game):
        if len(text) <= 10:
            wrong.append(f"{rule}: says too little")
        file, _, name = code.partition(":")
        if name:
            if name not in defined(ROOT / "envs" / game / file):
                wrong.append(f"{rule}: no {name} in {file}")
        elif code not in ("data", "definition"):
            wrong.append(f"{rule}: {code} is no file:name")
        if test not in marked(game)[rule]:
            wrong.append(f"{rule}: {test} does not carry it")
    assert wrong == []


@pytest.mark.parametrize("game", ["gangsters"])
def test_every_worked_example_is_there(game):
    examples = [row[0] for row in rows(game) if "X" in row[0]]
    assert examples == [f"G-X{n:02}" for n in range(1, 60)]
