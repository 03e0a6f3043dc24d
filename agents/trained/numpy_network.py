"""A network in NumPy and compiled kernels, for playing and serving: needs no torch.

Only what is not zero of an observation is read, and where the legal actions are known, only their
logits are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.core.kernel import kernel
from .entries import Entries, nonzero, pick_row
from .item_kernels import Scorer, actions_of, add_item_logits, encode_items, span_of
from .items import ByLayers, ItemEncoder
from .network import Architecture, Array

CHUNK = 64
"""Rows that are computed at a time, so that what lies between two layers stays in the cache."""


@dataclass(frozen=True, slots=True)
class AskedRows:
    """Inputs of a network, and the actions whose logits are wanted.

    Attributes:
        dense: Float32 ``(B, inputs)``.
        entries: What is not zero of them.
        asked: Bool ``(B, num_actions)``.
    """

    dense: NDArray[np.float32]
    entries: Entries
    asked: NDArray[np.bool_]


class NumpyBackend(ByLayers):
    """Runs layers on NumPy arrays, compiled.

    Matrices are kept transposed, but for those of places. Of the logits, those that are not asked
    for are left at some finite number.
    """

    def linear(self, x: Array | AskedRows, weight: Array, bias: Array) -> Array:
        """``x @ weight + bias``."""
        if isinstance(x, AskedRows):
            return affine_of_entries(x.entries, weight, bias)
        return affine(x, weight, bias)

    def relu(self, x: Array) -> Array:
        """The larger of 0 and each number."""
        return np.maximum(x, 0.0)

    def action_logits(
        self, features: Array | AskedRows, weight: Array, bias: Array, inputs: AskedRows
    ) -> Array:
        """The policy's last layer, where it is asked for."""
        if isinstance(features, AskedRows):
            return self.linear(features, weight, bias)
        return affine_where(features, weight, bias, inputs.asked)

    def encode_block(
        self, encoder: ItemEncoder, parameters: Mapping[str, Array], inputs: AskedRows
    ) -> tuple[Array, Array]:
        """Encodings ``(B, rows, width)`` and their means."""
        name, count = encoder.name, len(inputs.dense)
        places, bias = parameters[f"{name}.place.weight"], parameters[f"{name}.encode.bias"]
        encodings = np.empty((count, *places.shape), np.float32)
        means = np.empty((count, encoder.width), np.float32)
        encode_items(
            inputs.entries,
            span_of(encoder.block),
            parameters[f"{name}.encode.weight"],
            bias,
            places,
            encodings,
            means,
        )
        return encodings, means

    def add_item_logits(
        self,
        logits: Array,
        encoders: Sequence[ItemEncoder],
        parameters: Mapping[str, Array],
        encodings: list[Array],
        features: Array,
        inputs: AskedRows,
    ) -> Array:
        """The logits with those of the items, in place."""
        parts = ("key.weight", "head.weight", "head.bias")
        for encoder, encoded in zip(encoders, encodings, strict=True):
            if encoder.block.kinds:
                key, head, head_bias = (parameters[f"{encoder.name}.{part}"] for part in parts)
                add_item_logits(
                    encoded,
                    parameters[f"{encoder.name}.key.bias"],
                    encoder.queries(self, parameters, features),
                    Scorer(key, head, head_bias, actions_of(encoder.block)),
                    inputs.asked,
                    logits,
                )
        return logits


NUMPY = NumpyBackend()


class NumpyNetwork:
    """One role's network in NumPy: a row's result does not depend on the rest of its batch.

    Attributes:
        architecture: The layers.
        size: Number of weights, for judging how long a decision takes.

    Args:
        architecture: The layers.
        weights: Their parameters, of the architecture's shapes.
    """

    def __init__(
        self, architecture: Architecture, weights: Mapping[str, NDArray[np.float32]]
    ) -> None:
        self.architecture = architecture
        self.size = architecture.size
        # Transposed once, so that the kernels run through contiguous memory.
        self._parameters = {
            name: np.ascontiguousarray(w if name.endswith(".place.weight") else w.T)
            for name, w in weights.items()
        }

    def logits(
        self, inputs: NDArray[np.float32], asked: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float32]:
        """Unmasked logits, float32 of shape ``(B, num_actions)``.

        Args:
            inputs: Observations, float32 of shape ``(B, observation_size)``.
            asked: Bool ``(B, num_actions)``: the logits that are wanted, those of legal actions;
                the others may be any finite number then. All are by default.

        Raises:
            ValueError: If the inputs have another shape.
        """
        return self._run(lambda *of: (self.architecture.logits(*of),), inputs, asked)[0]

    def values(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """The value part's outputs, float32 of shape ``(B, outputs)``.

        See :class:`gangland.agents.trained.network.Architecture`.

        Args:
            inputs: As for :meth:`logits`.

        Raises:
            ValueError: If the inputs have another shape.
        """
        nothing = np.zeros((len(inputs), 0), np.bool_)
        return self._run(lambda *of: (self.architecture.values(*of),), inputs, nothing)[0]

    def logits_and_values(
        self, inputs: NDArray[np.float32], asked: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What :meth:`logits` and :meth:`values` return; the shared layers run once."""
        logits, values = self._run(self.architecture.logits_and_values, inputs, asked)
        return logits, values

    def _run(
        self,
        parts: Callable[..., tuple[Array, ...]],
        inputs: NDArray[np.float32],
        asked: NDArray[np.bool_] | None,
    ) -> list[NDArray[np.float32]]:
        architecture = self.architecture
        wanted = architecture.observation_size
        if inputs.ndim != 2 or inputs.shape[1] != wanted:
            raise ValueError(f"inputs of shape {inputs.shape}: must be (B, {wanted})")
        if asked is None:
            asked = np.ones((len(inputs), architecture.num_actions), np.bool_)
        outputs = []
        for first in range(0, max(1, len(inputs)), CHUNK):
            dense = inputs[first : first + CHUNK]
            rows = AskedRows(dense, nonzero(dense), asked[first : first + CHUNK])
            outputs.append(parts(NUMPY, self._parameters, rows))
        return [
            chunks[0] if len(chunks) == 1 else np.concatenate(chunks)
            for chunks in zip(*outputs, strict=True)
        ]


@kernel
def affine(x: Any, weight: Any, bias: Any) -> Any:
    """``x @ weight + bias``, skipping zeros of ``x``; float32 of shape ``(B, outputs)``.

    Not NumPy's product: its BLAS keeps threads of its own, which cost a factor of ten where
    several agents or workers share the cores, and sums in another order for another batch.
    """
    rows, inner = x.shape
    out = np.empty((rows, weight.shape[1]), np.float32)
    columns, numbers = np.empty(inner + 1, np.int32), np.empty(inner + 1, np.float32)
    for row in range(rows):
        count = pick_row(x[row], columns, numbers, 0)
        out[row] = bias
        add_weighted(columns, numbers, 0, count, weight, out[row])
    return out


@kernel
def affine_of_entries(entries: Entries, weight: Any, bias: Any) -> Any:
    """As :func:`affine`, of what is not zero of ``x``."""
    out = np.empty((len(entries.starts), weight.shape[1]), np.float32)
    for row in range(len(out)):
        start, end = entries.starts[row], entries.ends[row]
        out[row] = bias
        add_weighted(entries.columns, entries.numbers, start, end, weight, out[row])
    return out


@kernel(leaf=True)
def add_weighted(columns: Any, numbers: Any, start: int, end: int, weight: Any, sums: Any) -> None:
    """Add to ``sums`` each of ``numbers[start:end]`` times its column's row of ``weight``."""
    k, width = start, len(sums)
    while k + 4 <= end:  # Four at a time: the sums are read and written a fourth as often.
        a, b = weight[columns[k]], weight[columns[k + 1]]
        c, d = weight[columns[k + 2]], weight[columns[k + 3]]
        of_a, of_b, of_c, of_d = numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]
        for j in range(width):
            first = (sums[j] + of_a * a[j]) + of_b * b[j]
            sums[j] = (first + of_c * c[j]) + of_d * d[j]
        k += 4
    while k < end:
        a, of_a = weight[columns[k]], numbers[k]
        for j in range(width):
            sums[j] += of_a * a[j]
        k += 1


@kernel
def affine_where(x: Any, weight: Any, bias: Any, asked: Any) -> Any:
    """As :func:`affine`, where ``asked``, bool ``(B, outputs)``; the bias elsewhere."""
    rows, inner = x.shape
    out = np.empty((rows, weight.shape[1]), np.float32)
    wanted = np.empty(weight.shape[1], np.int64)
    sums = np.empty(weight.shape[1], np.float32)
    for k in range(rows):
        count = 0
        for j in range(weight.shape[1]):
            out[k, j] = bias[j]
            wanted[count] = j
            count += asked[k, j]
        for at in range(count):
            sums[at] = bias[wanted[at]]
        for i in range(inner):
            factor = x[k, i]
            if factor != 0.0:
                for at in range(count):
                    sums[at] += factor * weight[i, wanted[at]]
        for at in range(count):
            out[k, wanted[at]] = sums[at]
    return out
