"""Leaf kernels have no machine code that Python could call: nothing calls them from Python."""

from __future__ import annotations

import ast
import importlib
import re
import textwrap
from pathlib import Path

import pytest

from gangland.envs.core.compiling.interpreted import INTERPRETED

from .test_layers import ROOT, module_of, source_of

FOLDERS = (
    "envs",
    "agents",
    "arena",
    "training",
    "serving",
    "adapters",
    "gangland",
    "tests",
    "benchmarks",
)
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def name_of(path):
    """Dotted name of a module; tests are not in the package."""
    return module_of(path) if path.parts[len(ROOT.parts)] != "tests" else path.stem


def kernel_words(function):
    """Texts of the decorators that make a function a kernel."""
    words = [ast.unparse(decorator) for decorator in function.decorator_list]
    return [word for word in words if word == "kernel" or word.startswith("kernel(")]


def leaf_kernels(trees):
    """``(module, name)`` of every leaf kernel."""
    return {
        (module, node.name)
        for module, (tree, _) in trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any("leaf=True" in word for word in kernel_words(node))
    }


def known_names(tree, module, is_package):
    """What names of a module stand for: ``(module, name)``."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            source = source_of(node, package)
            for alias in node.names:
                found[alias.asname or alias.name] = (source, alias.name)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = (module, node.name)
    return found


def called(node, names):
    """The function that a call names, directly or as ``module.function``."""
    if isinstance(node.func, ast.Name):
        return names.get(node.func.id)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        source = names.get(node.func.value.id)
        return (".".join(source), node.func.attr) if source else None
    return None


def calls_from_python(trees):
    """Where functions that are no kernels call leaf kernels."""
    leaves = leaf_kernels(trees)
    found = []
    for module, (tree, is_package) in trees.items():
        names = known_names(tree, module, is_package)
        inside = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and kernel_words(node)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and id(node) not in inside:
                target = called(node, names)
                if target in leaves:
                    found.append(f"{module}:{node.lineno} calls {target[1]}")
    return found


def test_python_calls_no_leaf_kernel():
    def parsed(wanted):
        return {
            name_of(path): (ast.parse(text), path.name == "__init__.py")
            for path, text in texts.items()
            if wanted(text)
        }

    texts = {path: path.read_text() for path in FILES}
    leaves = leaf_kernels(parsed(lambda text: "leaf=True" in text))
    assert len(leaves) > 200
    # Nothing else can call one, and parsing takes a while.
    called_or_made = re.compile(rf"leaf=True|\b({'|'.join({name for _, name in leaves})})\(")
    trees = parsed(called_or_made.search)
    assert len(trees) > 100
    assert leaf_kernels(trees) == leaves
    assert calls_from_python(trees) == []


SOURCES = {
    "pack.rule": "@kernel(leaf=True)\ndef leaf(x): ...\n@kernel\ndef whole(x): return leaf(x)\n",
    "pack.words": "from .rule import leaf, whole\ndef say(x):\n    whole(x)\n    return leaf(x)\n",
    "pack.other": "from . import rule\nRESULT = rule.leaf(1)\n",
}


def test_such_calls_are_found():
    trees = {name: (ast.parse(text), False) for name, text in SOURCES.items()}
    assert calls_from_python(trees) == ["pack.words:4 calls leaf", "pack.other:2 calls leaf"]


@pytest.mark.skipif(INTERPRETED, reason="kernels are plain Python functions here")
def test_a_call_from_python_is_an_error_not_a_crash(tmp_path, monkeypatch):
    """Before and after the kernel was compiled as a part of another one."""
    (tmp_path / "leafy.py").write_text(
        textwrap.dedent(
            """
            from gangland.envs.core.kernel import kernel

            @kernel(leaf=True)
            def leaf(x):
                return x + 1

            @kernel
            def whole(x):
                return leaf(x)
            """
        )
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    Path(tmp_path / "cache").mkdir(mode=0o700)
    leafy = importlib.import_module("leafy")
    for _ in range(2):
        with pytest.raises(TypeError, match=r"leafy\.leaf is a leaf kernel"):
            leafy.leaf(1)
        assert leafy.whole(1) == 2
