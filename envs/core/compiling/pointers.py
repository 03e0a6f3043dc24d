"""Kernels as cheap function arguments.

Numba passes a first-class function by asking Python for its address on every call, at about
30 microseconds each. A ``KernelPointer`` is the same function type, except that the caller hands
the address over as a plain integer, looked up once. Generated code calls it directly.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import NativeValue, register_model, unbox

from .interpreted import INTERPRETED
from .numba_private import FunctionModel, address, cgutils


class KernelPointer(types.FunctionType):  # type: ignore[misc]
    """Type of a kernel argument that is passed by its machine address."""


@register_model(KernelPointer)
class _KernelPointerModel(FunctionModel):  # type: ignore[misc]
    """Laid out like Numba's own function type: C address, Python address, native address."""


@unbox(KernelPointer)  # type: ignore[untyped-decorator]
def _unbox_address(typ: Any, obj: Any, c: Any) -> Any:
    pointer = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    nothing = c.context.get_constant_null(types.voidptr)
    pointer.c_addr = nothing
    pointer.py_addr = nothing
    pointer.jit_addr = c.pyapi.long_as_voidptr(obj)
    return NativeValue(
        pointer._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred())
    )


def address_of(dispatcher: Any, signature: Any) -> Any:
    """Machine address of a kernel that has been compiled for ``signature``.

    Where rules run as plain Python it is the function itself: whoever gets it just calls it.
    """
    if INTERPRETED:
        return dispatcher
    return address(dispatcher, signature)
