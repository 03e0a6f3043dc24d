"""Item encoders on a CPU: those of :mod:`gangland.agents.trained.items` with gradients, compiled.

Forwards they are :mod:`gangland.agents.trained.item_kernels`, backwards the kernels below. Layer by
layer torch writes megabytes a dozen times, which takes most of the time of training a network with
encoders. A test holds both forms to the same outputs and gradients.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch as th

from ...agents.trained.entries import Entries
from ...agents.trained.item_kernels import (
    Scorer,
    Span,
    actions_of,
    add_block,
    add_item_logits,
    add_rows,
    encode_items,
    span_of,
)
from ...agents.trained.items import NO_ACTION, ItemBlock
from ...envs.core.kernel import kernel
from .sparse import SparseRows


class Parameters(NamedTuple):
    """A :class:`gangland.agents.trained.item_kernels.Scorer` as it is learnt: outputs first.

    Attributes:
        key: Float32 ``(width, width)``.
        head: Float32 ``(kinds, width)``.
        head_bias: Float32 ``(kinds,)``.
        actions: Int64 ``(rows, kinds)``.
    """

    key: Any
    head: Any
    head_bias: Any
    actions: Any


class EncodeItems(th.autograd.Function):
    """Encodings of a block's items and their means; no gradient goes to the observations."""

    @staticmethod
    def forward(
        ctx: Any,
        rows: SparseRows,
        block: ItemBlock,
        weight: th.Tensor,
        bias: th.Tensor,
        places: th.Tensor,
    ) -> tuple[th.Tensor, th.Tensor]:
        """Float32 ``(B, rows, width)`` and ``(B, width)``."""
        first, last = places + bias, np.zeros((1, len(bias)), np.float32)
        encodings = th.empty(len(rows), *first.shape)
        means = th.empty(len(rows), len(bias))
        encode_items(
            rows.entries,
            span_of(block),
            weight.T.contiguous().numpy(),
            first.numpy(),
            last,
            encodings.numpy(),
            means.numpy(),
        )
        ctx.rows, ctx.block = rows, block
        ctx.save_for_backward(encodings)
        ctx.set_materialize_grads(False)
        return encodings, means

    @staticmethod
    def backward(ctx: Any, *gradients: th.Tensor | None) -> Any:
        """Gradients of weight, bias and places."""
        (encodings,) = ctx.saved_tensors
        of_encodings, of_means = gradients
        if of_means is None:
            of_means = th.zeros(len(encodings), encodings.shape[2])
        if of_encodings is None:  # No logit came of the encodings.
            of_encodings = th.zeros_like(encodings)
        block: ItemBlock = ctx.block
        of_weight = th.zeros(block.numbers, encodings.shape[2])
        of_base = th.zeros(encodings.shape[1:])
        encoding_gradients(
            ctx.rows.entries,
            span_of(block),
            encodings.numpy(),
            of_encodings.contiguous().numpy(),
            of_means.contiguous().numpy(),
            of_weight.numpy(),
            of_base.numpy(),
        )
        return None, None, of_weight.T.contiguous(), of_base.sum(0), of_base


class AddItemLogits(th.autograd.Function):
    """Logits ``(B, num_actions)``, to which those of a block's items are added in place."""

    @staticmethod
    def forward(
        ctx: Any,
        logits: th.Tensor,
        rows: SparseRows,
        block: ItemBlock,
        encodings: th.Tensor,
        queries: th.Tensor,
        key: th.Tensor,
        head: th.Tensor,
        head_bias: th.Tensor,
    ) -> th.Tensor:
        """The sums; ``queries`` float32 ``(B, width)`` hold the key's bias as well."""
        key_rows, head_rows = key.T.contiguous().numpy(), head.T.contiguous().numpy()
        add_item_logits(
            encodings.numpy(),
            queries.numpy(),
            np.zeros((1, queries.shape[1]), np.float32),
            Scorer(key_rows, head_rows, head_bias.numpy(), actions_of(block)),
            rows.asked_of(logits.shape[1]),
            logits.numpy(),
        )
        ctx.block = block
        ctx.save_for_backward(encodings, queries, key, head, head_bias)
        ctx.mark_dirty(logits)
        return logits

    @staticmethod
    def backward(ctx: Any, *gradients: th.Tensor) -> Any:
        """Gradients of all tensors; the logits' own is unchanged."""
        encodings, queries, key, head, head_bias = ctx.saved_tensors
        (of_logits,) = gradients
        of_encodings, of_queries = th.zeros_like(encodings), th.zeros_like(queries)
        of_key, of_head = th.zeros_like(key), th.zeros_like(head)
        of_head_bias = th.zeros_like(head_bias)
        actions = actions_of(ctx.block)
        item_logit_gradients(
            encodings.numpy(),
            queries.numpy(),
            Parameters(key.numpy(), head.numpy(), head_bias.numpy(), actions),
            key.T.contiguous().numpy(),
            of_logits.contiguous().numpy(),
            of_encodings.numpy(),
            of_queries.numpy(),
            Parameters(of_key.numpy(), of_head.numpy(), of_head_bias.numpy(), actions),
        )
        return (
            of_logits,
            None,
            None,
            of_encodings,
            of_queries,
            of_key,
            of_head,
            of_head_bias,
        )


@kernel
def encoding_gradients(
    entries: Entries,
    span: Span,
    encodings: Any,
    of_encodings: Any,
    of_means: Any,
    of_weight: Any,
    of_base: Any,
) -> None:
    """Add up the gradients of what encodings are made with.

    Args:
        entries: The observations.
        span: Where the block stands.
        encodings: Float32 ``(B, rows, width)``.
        of_encodings: Float32, likewise: gradients of the encodings.
        of_means: Float32 ``(B, width)``: gradients of their means.
        of_weight: Float32 ``(numbers, width)``, added to.
        of_base: Float32 ``(rows, width)``, added to.
    """
    rows, width = of_base.shape
    given = np.empty((rows, width), np.float32)
    shares, zero = np.empty(width, np.float32), np.float32(0.0)
    for row in range(len(encodings)):
        for j in range(width):
            shares[j] = of_means[row, j] / np.float32(rows)
        for item in range(rows):
            for j in range(width):  # Without a branch, so that it is computed eight at a time.
                gradient = of_encodings[row, item, j] + shares[j]
                given[item, j] = gradient if encodings[row, item, j] > zero else zero
        for item in range(rows):
            for j in range(width):
                of_base[item, j] += given[item, j]
        add_block(entries, row, span, given, span.items, of_weight, span.kinds)


@kernel
def item_logit_gradients(
    encodings: Any,
    queries: Any,
    scorer: Parameters,
    turned_key: Any,
    of_logits: Any,
    of_encodings: Any,
    of_queries: Any,
    gradients: Parameters,
) -> None:
    """Add up the gradients of what :func:`add_item_logits` reads.

    Args:
        encodings: Float32 ``(B, rows, width)``.
        queries: Float32 ``(B, width)``, with the key's bias.
        scorer: The weights.
        turned_key: Float32 ``(width, width)``: those of the key, inputs first.
        of_logits: Float32 ``(B, num_actions)``; few are not zero, as few actions are legal.
        of_encodings: Float32 ``(B, rows, width)``, added to.
        of_queries: Float32 ``(B, width)``, added to.
        gradients: Gradients of the weights, added to.
    """
    rows, kinds = scorer.actions.shape
    width = len(scorer.key)
    joined, back = np.empty(width, np.float32), np.empty(width, np.float32)
    pushes = np.empty(kinds, np.float32)
    for row in range(len(of_logits)):
        for item in range(rows):
            concerned = False
            for kind in range(kinds):
                action = scorer.actions[item, kind]
                pushes[kind] = 0.0 if action == NO_ACTION else of_logits[row, action]
                concerned = concerned or pushes[kind] != 0.0
            if concerned:
                for j in range(width):
                    joined[j] = queries[row, j]
                add_rows(encodings[row, item], turned_key, joined)
                push_back(joined, pushes, scorer, back, gradients)
                for j in range(width):
                    factor = back[j]
                    of_queries[row, j] += factor
                    if factor != 0.0:
                        for i in range(width):
                            gradients.key[j, i] += factor * encodings[row, item, i]
                            of_encodings[row, item, i] += factor * scorer.key[j, i]


@kernel(leaf=True)
def push_back(
    joined: Any, pushes: Any, scorer: Parameters, back: Any, gradients: Parameters
) -> None:
    """Go back from an item's logits to what the head reads.

    Args:
        joined: Float32 ``(width,)``: what the head reads, before it is rectified; rectified.
        pushes: Float32 ``(kinds,)``: gradients of the item's logits.
        scorer: The weights.
        back: Float32 ``(width,)``, filled.
        gradients: Gradients of the weights; those of the head are added to.
    """
    for j in range(len(joined)):
        back[j] = 0.0
        joined[j] = max(joined[j], np.float32(0.0))
    for kind in range(len(pushes)):
        push = pushes[kind]
        if push != 0.0:
            gradients.head_bias[kind] += push
            for j in range(len(back)):
                back[j] += push * scorer.head[kind, j]
                gradients.head[kind, j] += push * joined[j]
    for j in range(len(back)):
        back[j] = back[j] if joined[j] > 0.0 else np.float32(0.0)
