"""Everything of Numba and llvmlite that this project uses and that they do not promise to keep.

Nowhere else is a private part imported or touched, and ``numba`` has an upper bound in
``pyproject.toml`` for this file's sake: a new version of Numba is let in when the tests pass with
it. What Numba does promise is imported from ``numba`` where it is used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from llvmlite import ir
from numba import _dynfunc, types
from numba.core import cgutils
from numba.core import config as _config
from numba.core import ir as numba_ir
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.errors import NumbaError, TypingError
from numba.core.targetconfig import TargetConfig
from numba.core.typed_passes import NativeLowering
from numba.core.types import Record
from numba.experimental.function_type import FunctionModel

__all__ = [
    "JIT_DISABLED", "FunctionCache", "FunctionModel", "IndexDataCacheFile", "PartCompiler",
    "TypingError",
    "address", "caches_in", "cgutils", "entry_point", "ir", "quick_records", "refuse_python",
    "result_type", "use_cache", "widen_integers",
]  # fmt: skip

JIT_DISABLED = bool(_config.DISABLE_JIT)
"""Whether ``NUMBA_DISABLE_JIT`` is set: kernels stay Python functions."""


@contextlib.contextmanager
def caches_in(folder: Path) -> Iterator[None]:
    """Make Numba place the caches that are made inside this context in ``folder``."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _config.CACHE_DIR = before


@contextlib.contextmanager
def quick_records() -> Iterator[None]:
    """Compile kernels of large records inside this context a tenth faster.

    For every pass over every function Numba writes out the types of the arguments, a record field
    by field, and it compares compiler flags by all their names and values, the same flags nearly
    always. Here a record is written out once, and flags that have the same values set are equal.
    """
    records, configs = cast(Any, Record), cast(Any, TargetConfig)
    slow_text, slow_equal = records.__repr__, configs.__eq__

    def text(self: Any) -> str:
        written: str | None = self.__dict__.get("_gangland_text")
        if written is None:
            written = self.__dict__["_gangland_text"] = slow_text(self)
        return written

    def equal(self: Any, other: Any) -> Any:
        if isinstance(other, TargetConfig) and self._values == other._values:
            return True
        return slow_equal(self, other)

    records.__repr__, configs.__eq__ = text, equal
    try:
        yield
    finally:
        records.__repr__, configs.__eq__ = slow_text, slow_equal


def use_cache(dispatcher: Any, cache: FunctionCache) -> None:
    """Give a kernel its cache on disk."""
    dispatcher._cache = cache


def widen_integers(dispatcher: Any) -> None:
    """Compile a kernel once for all signed integers that other kernels call it with.

    Numba compiles a function anew for every mixture of integer types, and for every literal: a
    kernel that is called with constants and with fields of a record had up to 33 overloads.
    """
    narrow = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return narrow([_wide(kind) for kind in args], {k: _wide(v) for k, v in kws.items()})

    dispatcher.get_call_template = get_call_template


def _wide(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def refuse_python(dispatcher: Any) -> None:
    """Make Python's calls of a kernel errors, which has no machine code that Python could call.

    Numba would call the address 0. Its table for calls from Python stays empty, so that each call
    asks for a compilation.
    """

    def refuse(*args: Any, **kws: Any) -> Any:
        function = dispatcher.py_func
        raise TypeError(
            f"{function.__module__}.{function.__name__} is a leaf kernel, which only kernels can "
            "call: without leaf=True, Python can, too"
        )

    dispatcher._insert = lambda *args, **kws: None
    dispatcher._compile_for_args = refuse


def result_type(dispatcher: Any, signature: Any) -> Any:
    """What a kernel returns that has been compiled for the signature's arguments."""
    return dispatcher.overloads[signature.args].signature.return_type


def entry_point(dispatcher: Any, signature: Any) -> Any:
    """What Python calls, without a look at the arguments' types, of a compiled kernel."""
    return dispatcher.overloads[signature.args].entry_point


def address(dispatcher: Any, signature: Any) -> int:
    """Machine address of a compiled kernel."""
    compiled = dispatcher.overloads[signature.args]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


# --- kernels that are parts of others -------------------------------------------------------------


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into other code, and optimised and turned into machine code only there.

    Numba's own libraries are optimised and translated each, with all that they call: in a chain of
    calls the last function is worked on once for every one above it.
    """

    def finalize(self) -> None:
        """Nothing is linked in: see :meth:`parts`."""
        self._raise_if_finalized()
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._finalized = True

    def parts(self) -> list[Any]:
        """This library and all others that its functions call, at any depth."""
        found = dict.fromkeys([self])
        for library in self._linking_libraries:
            found.update(
                dict.fromkeys(library.parts() if isinstance(library, _PartLibrary) else [library])
            )
        return list(found)


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering into a :class:`_PartLibrary`, without asking for its machine code."""

    _name = "gangland_part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower a kernel, and let others find it."""
        no_compile, state.flags.no_compile = state.flags.no_compile, True
        counting = state.targetctx
        try:
            if _makes_arrays(state):
                self._lower(state, counting)
            else:
                try:
                    self._lower(state, counting.subtarget(enable_nrt=False))
                except NumbaError:  # it makes an array after all
                    self._lower(state, counting)
        finally:
            state.targetctx = counting
            state.flags.no_compile = no_compile
        lowered = state["cr"]
        fndesc = lowered.fndesc
        # As Numba does it for functions without a wrapper: an object to find it by, of no address.
        handle = _dynfunc.make_function(
            fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, lowered.env,
            (state.library,),
        )  # fmt: skip
        state.targetctx.insert_user_function(handle, fndesc, state.library.parts())
        state["cr"] = _LowerResult(fndesc, lowered.call_helper, cfunc=handle, env=lowered.env)
        return True

    def _lower(self, state: Any, context: Any) -> None:
        state.targetctx = context
        state.library = _PartLibrary(context.codegen(), state.func_id.func_qualname)
        super().run_pass(state)


def _makes_arrays(state: Any) -> bool:
    """Whether a kernel may own an array, so that it has to count references to its arrays."""
    if isinstance(state.return_type, types.Array):
        return True
    return any(
        isinstance(expression, numba_ir.Expr)
        and expression.op == "call"
        and signature is not None
        and isinstance(signature.return_type, types.Array)
        for expression, signature in state.calltypes.items()
    )


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's pipeline for kernels that only other kernels call."""

    def define_pipelines(self) -> list[Any]:
        """Numba's own, but for the lowering."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_PartLowering, told) if kind is NativeLowering else (kind, told)
            for kind, told in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]
