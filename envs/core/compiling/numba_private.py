"""Everything of Numba and llvmlite that this project uses and that they do not promise to keep.

Nowhere else is a private part imported or touched, and ``numba`` has an upper bound in
``pyproject.toml`` for this file's sake: a new version of Numba is let in when the tests pass with
it. What Numba does promise is imported from ``numba`` where it is used.
"""

from __future__ import annotations

import contextlib
import ctypes
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import _dynfunc, types
from numba.core import boxing, cgutils
from numba.core import config as _config
from numba.core import ir as numba_ir
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.errors import NumbaError, TypingError
from numba.core.pythonapi import NativeValue, _unboxers
from numba.core.targetconfig import TargetConfig
from numba.core.typed_passes import NativeLowering
from numba.core.types import Record
from numba.experimental.function_type import FunctionModel

__all__ = [
    "JIT_DISABLED", "FunctionCache", "FunctionModel", "IndexDataCacheFile", "PartCompiler",
    "TypingError",
    "address", "cache_of", "caches_in", "cgutils", "entry_point", "ir", "quick_records",
    "refuse_python", "result_type", "use_cache", "widen_integers",
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
    """Compile kernels of large records inside this context a tenth faster, and for quicker calls.

    For every pass over every function Numba writes out the types of the arguments, a record field
    by field, and it compares compiler flags by all their names and values, the same flags nearly
    always. Here a record is written out once, and flags that have the same values set are equal.
    How Python's calls find a record's memory is in :func:`_unbox_record`.
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
    if _pointer_is_where_it_is_looked_for():
        _unboxers.functions[Record] = _unbox_record
    try:
        yield
    finally:
        records.__repr__, configs.__eq__ = slow_text, slow_equal
        _unboxers.functions[Record] = boxing.unbox_record


# --- records as arguments of Python's calls -------------------------------------------------------

_POINTER = object.__basicsize__ + struct.calcsize("n")
"""Where a NumPy scalar of fields keeps the address of its memory: ``PyVoidScalarObject.obval``,
the first field after the head of an object of variable size (``numpy/arrayscalars.h``)."""


def _pointer_is_where_it_is_looked_for() -> bool:
    record = np.zeros(1, np.dtype((np.record, [("field", "i8")])))[0]
    kept = ctypes.c_void_p.from_address(id(record) + _POINTER).value
    return bool(kept == record.__array_interface__["data"][0])


def _unbox_record(typ: Any, obj: Any, c: Any) -> NativeValue:
    """Read the address of a ``numpy.record`` out of the object.

    Numba asks the buffer protocol for it, for which NumPy describes all fields in words on each
    call: 4 microseconds for the records of Chicago, 16 for those of Crime Lords. Any other object
    goes Numba's way, also to its errors.
    """
    builder, pyapi = c.builder, c.pyapi
    pointer = ir.IntType(8).as_pointer()
    known = cgutils.add_global_variable(builder.module, pointer, "numpy.record")
    known.linkage = "internal"
    known.initializer = ir.Constant(pointer, None)
    with builder.if_then(cgutils.is_null(builder, builder.load(known)), likely=False):
        module = pyapi.import_module(c.context.insert_const_string(builder.module, "numpy"))
        found = pyapi.object_getattr_string(module, "record")
        builder.store(found, known)
        pyapi.decref(module)
    # Py_TYPE(obj), the last field of the head of every object.
    own_type = _field(builder, obj, object.__basicsize__ - struct.calcsize("P"))
    is_record = builder.icmp_unsigned("==", own_type, builder.load(known))
    buffer = pyapi.alloca_buffer()
    address = cgutils.alloca_once(builder, pointer)
    with builder.if_else(is_record, likely=True) as (then, otherwise):
        with then:
            builder.store(_field(builder, obj, _POINTER), address)
        with otherwise:
            builder.store(pyapi.extract_record_data(obj, buffer), address)
    data = builder.load(address)

    def cleanup() -> None:
        with builder.if_then(builder.not_(is_record)):
            pyapi.release_buffer(buffer)

    return NativeValue(
        builder.bitcast(data, c.context.get_value_type(typ)),
        is_error=cgutils.is_null(builder, data),
        cleanup=cleanup,
    )


def _field(builder: Any, obj: Any, offset: int) -> Any:
    """A pointer that an object holds so many bytes behind its beginning."""
    pointer = ir.IntType(8).as_pointer()
    raw = builder.gep(builder.bitcast(obj, pointer), [ir.Constant(ir.IntType(64), offset)])
    return builder.load(builder.bitcast(raw, pointer.as_pointer()))


def use_cache(dispatcher: Any, cache: FunctionCache) -> None:
    """Give a kernel its cache on disk."""
    dispatcher._cache = cache


def cache_of(dispatcher: Any) -> Any:
    """The cache that a kernel was given."""
    return dispatcher._cache


def widen_integers(dispatcher: Any) -> None:
    """Compile a kernel once for all signed integers that other kernels call it with.

    Numba compiles a function again for every mixture of integer types, and for every literal: a
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
            (_PartLowering, doc) if kind is NativeLowering else (kind, doc)
            for kind, doc in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]
