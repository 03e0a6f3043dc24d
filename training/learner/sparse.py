"""Inputs that are no dense float32 matrix, and a first layer that reads only what is not zero.

Observations are mostly zeros: 10 % of Crime Lords' numbers are not, 16 % of Gangsters'. A dense
matrix product multiplies all of them; adding up the weights' rows of the others is twice as fast at
such shares, forwards and backwards. Results differ from the dense product's by rounding alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from ...agents.trained.entries import Entries, nonzero
from ...envs.core.kernel import kernel


class SparseRows:
    """Rows of a matrix of which few numbers are not zero; in place of a tensor ``(B, inputs)``.

    Attributes:
        device: The CPU: accelerators multiply whole matrices.
        entries: The numbers.
        shape: Rows and columns.
        asked: Bool ``(B, actions)``: the actions whose logits are wanted, those that are legal; a
            network may leave the others at anything finite. ``None`` if all are.

    Args:
        entries: The numbers.
        width: Number of columns.
        asked: As above.
    """

    device = th.device("cpu")

    def __init__(
        self, entries: Entries, width: int, asked: NDArray[np.bool_] | None = None
    ) -> None:
        self.entries = entries
        self.asked = asked
        self.shape = (len(entries.starts), width)

    @classmethod
    def of(
        cls, dense: NDArray[np.float32], rows: NDArray[np.int64] | None = None, **shared: Any
    ) -> SparseRows:
        """The rows of a dense float32 matrix ``(B, inputs)``; see :func:`.entries.nonzero`."""
        return cls(nonzero(dense, rows, **shared), dense.shape[1])

    def __len__(self) -> int:
        return self.shape[0]

    def index_select(self, dim: int, rows: th.Tensor) -> SparseRows:
        """Some of the rows, int64 ``(B,)``; as tensors have it, without a copy of the numbers."""
        assert dim == 0
        picked, entries = rows.numpy(), self.entries
        starts, ends = entries.starts[picked], entries.ends[picked]
        asked = None if self.asked is None else self.asked[picked]
        return SparseRows(entries._replace(starts=starts, ends=ends), self.shape[1], asked)

    def asked_of(self, actions: int) -> NDArray[np.bool_]:
        """Which logits are wanted, bool ``(B, actions)``."""
        return np.ones((len(self), actions), np.bool_) if self.asked is None else self.asked


def inputs_for(
    array: NDArray[np.float32], device: th.device | str, asked: NDArray[np.bool_] | None = None
) -> th.Tensor | SparseRows:
    """A network's inputs on its device: sparse on a CPU.

    Args:
        array: Float32 ``(B, inputs)``.
        device: Where the network computes.
        asked: See :class:`SparseRows`; on an accelerator all logits are computed.
    """
    if th.device(device).type != "cpu":
        # From pinned memory this only begins to copy.
        return th.from_numpy(array).to(device, non_blocking=True)
    rows = SparseRows.of(array)
    rows.asked = asked
    return rows


class SparseLinear(th.autograd.Function):
    """A fully connected layer of sparse rows; no gradient goes to the rows.

    Nothing is copied if memory holds an input's weights side by side, ``weight.T.is_contiguous()``;
    so does the gradient's.
    """

    @staticmethod
    def forward(ctx: Any, rows: SparseRows, weight: th.Tensor, bias: th.Tensor) -> th.Tensor:
        """The weighted sums, float32 ``(B, outputs)``."""
        ctx.rows = rows
        sums = th.empty(len(rows), len(bias))
        by_input = weight.detach().T.contiguous()
        add_weights(rows.entries, by_input.numpy(), bias.detach().numpy(), sums.numpy())
        return sums

    @staticmethod
    def backward(ctx: Any, *gradients: th.Tensor) -> Any:
        """Gradients of weight and bias."""
        (of_sums,) = gradients
        rows: SparseRows = ctx.rows
        of_weight = th.zeros(rows.shape[1], of_sums.shape[1])
        add_products(rows.entries, of_sums.contiguous().numpy(), of_weight.numpy())
        return None, of_weight.T, of_sums.sum(0)


class AskedLinear(th.autograd.Function):
    """A fully connected layer of which only the outputs that are asked for are computed."""

    @staticmethod
    def forward(
        ctx: Any, x: th.Tensor, weight: th.Tensor, bias: th.Tensor, rows: SparseRows
    ) -> th.Tensor:
        """Float32 ``(B, outputs)``; 0 where nothing is asked."""
        ctx.asked = rows.asked_of(len(bias))
        ctx.save_for_backward(x, weight)
        outputs = th.zeros(len(x), len(bias))
        compute_asked(x.numpy(), weight.numpy(), bias.numpy(), ctx.asked, outputs.numpy())
        return outputs

    @staticmethod
    def backward(ctx: Any, *gradients: th.Tensor) -> Any:
        """Gradients of input, weight and bias."""
        x, weight = ctx.saved_tensors
        of_x, of_weight = th.zeros_like(x), th.zeros_like(weight)
        of_bias = th.zeros(len(weight))
        push_back_asked(
            x.numpy(),
            weight.numpy(),
            ctx.asked,
            gradients[0].contiguous().numpy(),
            of_x.numpy(),
            of_weight.numpy(),
            of_bias.numpy(),
        )
        return of_x, of_weight, of_bias, None


@kernel
def compute_asked(x: Any, weight: Any, bias: Any, asked: Any, outputs: Any) -> None:
    """Fill in the outputs of a fully connected layer that are asked for.

    Args:
        x: Float32 ``(B, inputs)``.
        weight: Float32 ``(outputs, inputs)``.
        bias: Float32 ``(outputs,)``.
        asked: Bool ``(B, outputs)``.
        outputs: Float32 ``(B, outputs)``, filled there.
    """
    for row in range(len(x)):
        for output in range(len(bias)):
            if asked[row, output]:
                outputs[row, output] = bias[output] + dot(x[row], weight[output])


@kernel(leaf=True)
def dot(a: Any, b: Any) -> Any:
    """Scalar product of two float32 vectors."""
    # Eight sums side by side: a single one would wait for each addition.
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = np.float32(0.0)
    k, end = 0, len(a)
    while k + 8 <= end:
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
        s4 += a[k + 4] * b[k + 4]
        s5 += a[k + 5] * b[k + 5]
        s6 += a[k + 6] * b[k + 6]
        s7 += a[k + 7] * b[k + 7]
        k += 8
    while k < end:
        s0 += a[k] * b[k]
        k += 1
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))


@kernel
def push_back_asked(
    x: Any, weight: Any, asked: Any, of_outputs: Any, of_x: Any, of_weight: Any, of_bias: Any
) -> None:
    """Add up the gradients of :func:`compute_asked`.

    Args:
        x: Float32 ``(B, inputs)``.
        weight: Float32 ``(outputs, inputs)``.
        asked: Bool ``(B, outputs)``.
        of_outputs: Float32 ``(B, outputs)``.
        of_x: Float32 ``(B, inputs)``, added to.
        of_weight: Float32 ``(outputs, inputs)``, added to.
        of_bias: Float32 ``(outputs,)``, added to.
    """
    for row in range(len(x)):
        for output in range(len(of_bias)):
            push = of_outputs[row, output]
            if asked[row, output] and push != 0.0:
                of_bias[output] += push
                for j in range(x.shape[1]):
                    of_x[row, j] += push * weight[output, j]
                    of_weight[output, j] += push * x[row, j]


@kernel
def add_weights(entries: Entries, weight: Any, bias: Any, sums: Any) -> None:
    """Fill ``sums`` with the bias and, for each number, that many times a row of ``weight``.

    Args:
        entries: The numbers.
        weight: Float32 ``(inputs, outputs)``.
        bias: Float32 ``(outputs,)``.
        sums: Float32 ``(B, outputs)``, filled.
    """
    width = len(bias)
    columns, numbers = entries.columns, entries.numbers
    for row in range(len(sums)):
        for j in range(width):
            sums[row, j] = bias[j]
        k, end = entries.starts[row], entries.ends[row]
        while k + 8 <= end:  # Eight at a time: the sums are read and written an eighth as often.
            a, b, c, d = columns[k], columns[k + 1], columns[k + 2], columns[k + 3]
            e, f, g, h = columns[k + 4], columns[k + 5], columns[k + 6], columns[k + 7]
            of_a, of_b, of_c, of_d = numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]
            of_e, of_f, of_g = numbers[k + 4], numbers[k + 5], numbers[k + 6]
            of_h = numbers[k + 7]
            for j in range(width):
                more = of_a * weight[a, j] + of_b * weight[b, j]
                more = more + of_c * weight[c, j] + of_d * weight[d, j]
                more = more + of_e * weight[e, j] + of_f * weight[f, j]
                sums[row, j] += more + of_g * weight[g, j] + of_h * weight[h, j]
            k += 8
        while k < end:
            a, of_a = columns[k], numbers[k]
            for j in range(width):
                sums[row, j] += of_a * weight[a, j]
            k += 1


@kernel
def add_products(entries: Entries, gradients: Any, of_weight: Any) -> None:
    """Add to each number's row of ``of_weight`` that many times its row of ``gradients``.

    Args:
        entries: The numbers.
        gradients: Float32 ``(B, outputs)``.
        of_weight: Float32 ``(inputs, outputs)``, added to.
    """
    width = gradients.shape[1]
    columns, numbers = entries.columns, entries.numbers
    for row in range(len(gradients)):
        for k in range(entries.starts[row], entries.ends[row]):
            column, factor = columns[k], numbers[k]
            for j in range(width):
                of_weight[column, j] += factor * gradients[row, j]
