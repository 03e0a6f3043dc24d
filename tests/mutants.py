"""Mutants of rule modules: where a small fault can be planted, and how it is loaded.

A mutant is one changed spot in the syntax tree of a source file. Files are never edited: the
import hook :class:`Planted` compiles the changed tree in place of the module.
"""

from __future__ import annotations

import ast
import copy
import importlib.machinery
import importlib.util
import inspect
import sys
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

COMPARED: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
NOT_RULES = ("view", "notation", "narration", "observation", "checks", "game.py")
"""Beginnings of the names of files that hold no rules: what is shown, read or written."""
NOT_RULES_BELOW = ("heuristics", "observation", "picture", "words")
"""Names of folders that hold no rules."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed spot.

    Attributes:
        file: Path of the source file inside the game's folder.
        function: Function that it stands in; empty for a constant of the module.
        lines: First and last line of the changed statement, without its body.
        number: Its place among all mutants of the file.
        before: The statement as it is, without its body.
        after: The statement with the fault.
        nth: Which of several such changes in the function, from 1.
        kernel: Whether it stands in a kernel, which nothing runs while modules are imported.
    """

    file: str
    function: str
    lines: tuple[int, int]
    number: int
    before: str
    after: str
    nth: int
    kernel: bool

    @property
    def key(self) -> str:
        """A name that stays the same when other lines of the file change."""
        more = f" (no. {self.nth})" if self.nth > 1 else ""
        return f"{self.file}:{self.function}: {self.before} -> {self.after}{more}"


@dataclass(slots=True)
class _Spot:
    """A node, where it hangs in the tree, and the function and statement around it."""

    parent: ast.AST
    field: str
    index: int | None
    function: str
    statement: ast.stmt

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def rule_files(folder: Path) -> list[Path]:
    """Source files of a game that hold rules, at any depth.

    Those with kernels, but for :data:`NOT_RULES` and :data:`NOT_RULES_BELOW`.
    """
    return [
        path
        for path in sorted(folder.rglob("*.py"))
        if not path.name.startswith(NOT_RULES)
        and not set(path.relative_to(folder).parts) & set(NOT_RULES_BELOW)
        and "@kernel" in path.read_text(encoding="utf-8")
    ]


def mutants_of(path: Path, folder: Path) -> list[Mutant]:
    """All mutants of a source file, in the order of the file.

    Args:
        path: The source file.
        folder: The game's folder.
    """
    file = path.relative_to(folder).as_posix()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kernels = {node.name for node in tree.body if _is_kernel(node)}
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for number, (node, spot, other) in enumerate(_changes(tree)):
        before = _header(spot.statement)
        spot.put(other)
        after = _header(other if isinstance(other, ast.stmt) else spot.statement)
        spot.put(node)
        seen[spot.function, before, after] += 1
        nth = seen[spot.function, before, after]
        lines = _lines(spot.statement)
        kernel = spot.function in kernels
        found.append(Mutant(file, spot.function, lines, number, before, after, nth, kernel))
    return found


def _is_kernel(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether a statement of a module defines a kernel."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(name, ast.Name) and name.id == "kernel"
        for decorator in node.decorator_list
        for name in ast.walk(decorator)
    )


def mutated(source: str, number: int) -> ast.Module:
    """The tree of a source with one mutant."""
    tree = ast.parse(source)
    for k, (_, spot, other) in enumerate(_changes(tree)):
        if k == number:
            spot.put(other)
            return ast.fix_missing_locations(tree)
    raise ValueError(f"no mutant {number} in this source")


def _changes(tree: ast.Module) -> Iterator[tuple[ast.AST, _Spot, ast.AST]]:
    for node, spot in list(_nodes(tree)):
        for other in _replacements(node, spot):
            yield node, spot, ast.copy_location(other, node)


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, _Spot]]:
    """Nodes of function bodies and values of the module's constants."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            yield from _inside(statement, statement.name, statement)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            value = statement.value
            if isinstance(value, ast.Constant | ast.BinOp):
                yield from _at(value, _Spot(statement, "value", None, "", statement))


def _inside(node: ast.AST, function: str, statement: ast.stmt) -> Iterator[tuple[ast.AST, _Spot]]:
    for field, value in ast.iter_fields(node):
        if field in ("decorator_list", "returns", "annotation", "args") and not isinstance(
            node, ast.Call
        ):
            continue
        if isinstance(value, ast.AST):
            yield from _at(value, _Spot(node, field, None, function, statement))
        elif isinstance(value, list):
            for k, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _at(item, _Spot(node, field, k, function, statement))


def _at(node: ast.AST, spot: _Spot) -> Iterator[tuple[ast.AST, _Spot]]:
    if isinstance(node, ast.stmt):
        spot.statement = node
    yield node, spot
    yield from _inside(node, spot.function, spot.statement)


def _replacements(node: ast.AST, spot: _Spot) -> Iterator[ast.AST]:
    """What may stand in place of a node."""
    if isinstance(node, ast.expr) and spot.field == "test" and not isinstance(node, ast.Constant):
        yield ast.Constant(True)
        yield ast.Constant(False)
    if isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            for other in COMPARED[type(op)]:
                ops = [*node.ops[:k], other(), *node.ops[k + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        yield ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in COMPUTED:
        yield ast.AugAssign(node.target, COMPUTED[type(node.op)](), node.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        if spot.field != "test":
            yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("min", "max"):
        turned = "max" if node.func.id == "min" else "min"  # type: ignore[attr-defined]
        yield ast.Call(ast.Name(turned, ast.Load()), node.args, node.keywords)
    if _deletable(node, spot):
        yield ast.Pass()


def _deletable(node: ast.AST, spot: _Spot) -> bool:
    """Statements that do something by themselves; not docstrings, nor a bare return at the end."""
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Return):
        last = isinstance(spot.parent, ast.FunctionDef) and spot.parent.body[-1] is node
        return not last
    return bool(spot.function) and isinstance(
        node, ast.Assign | ast.AugAssign | ast.Continue | ast.Break
    )


def _header(statement: Any) -> str:
    """The text of a statement without its body."""
    if not hasattr(statement, "body"):
        return ast.unparse(statement)
    bare: Any = copy.copy(statement)
    bare.body = [ast.Pass()]
    for rest in ("orelse", "finalbody", "handlers", "decorator_list"):
        if getattr(bare, rest, None):
            setattr(bare, rest, [])
    return ast.unparse(bare).rsplit("\n", 1)[0].rstrip(":")


def _lines(statement: ast.stmt) -> tuple[int, int]:
    body: Any = getattr(statement, "body", None)
    if body:
        return statement.lineno, max(statement.lineno, body[0].lineno - 1)
    return statement.lineno, statement.end_lineno or statement.lineno


def exchange(module: types.ModuleType, mutant: Mutant) -> None:
    """Give the mutated kernel of an imported module the code of its mutant, for good.

    Args:
        module: Imported with the rules as plain Python.
        mutant: A mutant of one of its kernels.
    """
    path = Path(str(module.__file__))
    tree = mutated(path.read_text(encoding="utf-8"), mutant.number)
    code = compile(tree, str(path), "exec")
    body = inspect.unwrap(getattr(module, mutant.function))
    body.__code__ = next(
        part
        for part in code.co_consts
        if isinstance(part, types.CodeType) and part.co_name == mutant.function
    )


class Planted(importlib.machinery.SourceFileLoader):
    """Loads a module with a mutant in it; nothing is written, no byte code is read.

    Args:
        fullname: Dotted name of the module.
        path: Its source file.
        number: The mutant, as numbered by :func:`mutants_of`.
    """

    def __init__(self, fullname: str, path: str, number: int) -> None:
        super().__init__(fullname, path)
        self.number = number

    def get_code(self, fullname: str) -> Any:
        """Compile the source with the mutant."""
        source = Path(self.path).read_text(encoding="utf-8")
        return compile(mutated(source, self.number), self.path, "exec")


class Planter:
    """Finder for ``sys.meta_path`` that plants a mutant into one module.

    Args:
        module: Dotted name of the module.
        path: Its source file.
        number: The mutant, as numbered by :func:`mutants_of`.
    """

    def __init__(self, module: str, path: Path, number: int) -> None:
        self.module = module
        self.path = path
        self.number = number

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """The module with the mutant; nothing for other modules."""
        if fullname != self.module:
            return None
        loader = Planted(fullname, str(self.path), self.number)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)

    def install(self) -> None:
        """Plant it into imports to come.

        Raises:
            RuntimeError: The module has been imported already.
        """
        if self.module in sys.modules:
            raise RuntimeError(f"{self.module} has been imported before a mutant was planted")
        sys.meta_path.insert(0, self)
