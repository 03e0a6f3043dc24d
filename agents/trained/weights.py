"""``policy.safetensors``: the networks' weights, each tensor checked before it is used.

Compiled code multiplies them without looking at bounds, so that a tensor of another shape than
the network's would be read beyond its end. A file holds them as float32, as a training writes
them, or as float16, which takes half the space (:func:`halved`); they are multiplied as float32.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .model_file import SHOWN, CheckpointError, architecture_of, parse_json, read_bytes
from .network import Weights

KINDS = {"F32": "<f4", "F16": "<f2"}
"""How a file may hold its numbers, by the format's name: NumPy's."""

LARGEST_HALF = float(np.finfo(np.float16).max)

HEADER_BYTES = 1_000_000
"""Allowed for names and shapes, besides the numbers themselves."""


def shapes_of(model: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor that a checkpoint holds, by its checked ``model.json``."""
    shapes = architecture_of(model).shapes
    return {f"{role}/{name}": shape for role in model["roles"] for name, shape in shapes.items()}


def read_weights(path: Path, model: dict[str, Any]) -> dict[str, Weights]:
    """Each role's weights.

    Args:
        path: The file.
        model: Checked contents of ``model.json``.

    Raises:
        CheckpointError: If the file cannot be read, or a tensor is missing, unknown, neither
            float32 nor float16, of another shape than the network's, or holds infinities or NaN;
            naming it and what it must be.
    """
    wanted = shapes_of(model)
    numbers = sum(int(np.prod(shape)) for shape in wanted.values())
    data = read_bytes(path, 4 * numbers + HEADER_BYTES)
    tensors = _tensors(path, data)
    wrong = _mistakes(tensors, wanted)
    if wrong:
        raise CheckpointError(f"{path}: {'; '.join(wrong[:SHOWN])}")
    found: dict[str, Weights] = {role: {} for role in model["roles"]}
    for name, shape in wanted.items():
        role, _, layer = name.partition("/")
        # A copy of its own: the file's bytes may lie at any address.
        stored = np.frombuffer(tensors[name]["data"], KINDS[tensors[name]["dtype"]])
        array = stored.astype(np.float32).reshape(shape)
        finite = np.isfinite(array)
        if not finite.all():
            at = tuple(int(k) for k in np.argwhere(~finite)[0])
            raise CheckpointError(f"{path}: {name}{list(at)} is {array[at]}: must be finite")
        found[role][layer] = array
    return found


def packed(weights: dict[str, Weights]) -> bytes:
    """Contents of a ``policy.safetensors`` of float32, as a training writes it.

    Args:
        weights: Each role's, float32.
    """
    # Not its save_file, which makes the file unreadable for other users.
    from safetensors.numpy import save

    return bytes(save(_by_name(weights)))


def halved(weights: dict[str, Weights]) -> bytes:
    """Contents of a ``policy.safetensors`` of float16, half as long as a training's.

    Half precision keeps 11 binary digits of each number, so that a decision's probabilities change
    in the third or fourth digit.

    Args:
        weights: Each role's, float32.

    Raises:
        CheckpointError: If a number is too large for float16 (65,504), naming its tensor.
    """
    from safetensors.numpy import save

    half: dict[str, NDArray[np.float16]] = {}
    for name, array in _by_name(weights).items():
        largest = float(np.abs(array).max(initial=0.0))
        if largest > LARGEST_HALF:
            raise CheckpointError(f"{name} holds {largest:g}, float16 at most {LARGEST_HALF:g}")
        half[name] = array.astype(np.float16)
    return bytes(save(half))


def _by_name(weights: dict[str, Weights]) -> Weights:
    """All roles' weights by their names in the file, as :func:`shapes_of` has them."""
    return {
        f"{role}/{layer}": array
        for role, layers in weights.items()
        for layer, array in layers.items()
    }


def _tensors(path: Path, data: bytes) -> dict[str, dict[str, Any]]:
    from safetensors import SafetensorError, deserialize

    try:
        tensors = dict(deserialize(data))  # type: ignore[no-untyped-call]
        # The library takes the last of two equal names.
        parse_json(data[8 : 8 + int.from_bytes(data[:8], "little")])
    except (SafetensorError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    return tensors


def _mistakes(tensors: dict[str, dict[str, Any]], wanted: dict[str, tuple[int, ...]]) -> list[str]:
    wrong = [
        f"{name} is missing, must be float32 {shape}"
        for name, shape in wanted.items()
        if name not in tensors
    ]
    # Quoted: a name that nobody has asked for may hold anything.
    wrong += [
        f"{name[:60]!r} must not be there: the network has no such tensor"
        for name in tensors
        if name not in wanted
    ]
    for name, shape in wanted.items():
        if name in tensors:
            kind, given = tensors[name]["dtype"], tuple(tensors[name]["shape"])
            if kind not in KINDS or given != shape:
                wrong.append(f"{name} is {kind} {given}, must be {' or '.join(KINDS)} {shape}")
    return wrong
