"""Which phases the conditions of a kernel name. For tests of the two tables of a game's phases."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any


def named(function: Callable[..., Any]) -> list[str]:
    """Constants that the conditions of a function compare with, in their order."""
    tree = ast.parse(inspect.getsource(inspect.unwrap(getattr(function, "py_func", function))))
    tests = [node.test for node in ast.walk(tree) if isinstance(node, ast.If)]
    names = [node.id for test in tests for node in ast.walk(test) if isinstance(node, ast.Name)]
    return [name for name in names if name.isupper()]


def phases_named(function: Callable[..., Any], record: ModuleType) -> list[str]:
    """The phases that a function distinguishes, those of groups one by one.

    Args:
        function: A kernel that does for each phase what belongs to it.
        record: The game's ``state`` module: its ``PHASES``, and names in the function's module.
    """
    names = inspect.getmodule(inspect.unwrap(getattr(function, "py_func", function)))
    found = []
    for name in named(function):
        if name in record.PHASES:
            found.append(name)
        else:
            found += [record.PHASES[phase] for phase in getattr(names, name)]
    return found
