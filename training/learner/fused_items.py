"""Item encoders on a CPU, with gradients: all blocks of an observation in one compiled pass.

They compute what :mod:`gangland.agents.trained.items` says layer by layer. Torch would write
megabytes a dozen times for each block, and Python would start a dozen operations for each, which
takes longer than the arithmetic and lets threads wait for each other. Encodings of all blocks stand
in one array, narrower ones with zeros behind them. Kernels index whole arrays: a view of a row is
an object whose users Numba counts, by two atomic instructions that take longer than a row of a few
numbers. A test holds both forms to the same outputs and gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch as th
from numpy.typing import NDArray

from ...agents.trained.entries import Entries
from ...agents.trained.items import NO_ACTION, ItemEncoder
from ...envs.core.kernel import kernel
from .sparse import SparseRows


class Plan(NamedTuple):
    """Where all encoders of a network find their numbers.

    Attributes:
        width: The largest width of an encoding, which all have here.
        firsts: Int64 ``(encoders + 1,)``: each block's first item, and the number of all items.
        items: Int32 ``(inputs,)``: the item that a number of the observation belongs to; -1 if no
            encoder reads it.
        vectors: Int32, likewise: which of all weights belong to it.
        scored: Int64 ``(scored,)``: the encoders whose items have actions.
        heads: Int64 ``(scored + 1,)``: each one's first row of all heads, and their number.
        actions: Int64: the actions of their items, item by item; :data:`NO_ACTION` for none.
        places: Int64 ``(scored,)``: each one's first place there.
    """

    width: int
    firsts: NDArray[np.int64]
    items: NDArray[np.int32]
    vectors: NDArray[np.int32]
    scored: NDArray[np.int64]
    heads: NDArray[np.int64]
    actions: NDArray[np.int64]
    places: NDArray[np.int64]


def plan_of(encoders: Sequence[ItemEncoder], inputs: int) -> Plan:
    """Where encoders find what they read in an observation of ``inputs`` numbers."""
    items, vectors = np.full(inputs, -1, np.int32), np.zeros(inputs, np.int32)
    blocks = [encoder.block for encoder in encoders]
    firsts = np.cumsum([0, *(block.rows for block in blocks)])
    numbers = np.cumsum([0, *(block.numbers for block in blocks)])
    for block, first, vector in zip(blocks, firsts, numbers, strict=False):
        within = np.arange(block.stop - block.start)
        if block.planes:
            of_item, item = np.divmod(within, block.rows)
        else:
            item, of_item = np.divmod(within, block.numbers)
        items[block.start : block.stop] = first + item
        vectors[block.start : block.stop] = vector + of_item
    scored = [k for k, block in enumerate(blocks) if block.kinds]
    actions = [np.array(blocks[k].actions, np.int64).ravel() for k in scored]
    return Plan(
        max(encoder.width for encoder in encoders),
        firsts,
        items,
        vectors,
        np.array(scored, np.int64),
        np.cumsum([0, *(blocks[k].kinds for k in scored)]),
        np.concatenate([np.zeros(0, np.int64), *actions]),
        np.cumsum([0, *map(len, actions)])[:-1],
    )


class EncodeItems(th.autograd.Function):
    """Encodings of all items and their means; no gradient goes to the observations."""

    @staticmethod
    def forward(
        ctx: Any, rows: SparseRows, plan: Plan, weights: th.Tensor, bases: th.Tensor
    ) -> tuple[th.Tensor, th.Tensor]:
        """Float32 ``(B, items, width)`` and ``(B, encoders, width)``.

        Args:
            ctx: What the way back needs.
            rows: The observations.
            plan: Where everything stands.
            weights: All encoders' weights, ``(numbers, width)``.
            bases: What the encodings begin with, ``(items, width)``: places and biases.
        """
        encodings = th.empty(len(rows), *bases.shape)
        means = th.empty(len(rows), len(plan.firsts) - 1, plan.width)
        encode_items(
            rows.entries,
            plan,
            weights.detach().numpy(),
            bases.detach().numpy(),
            encodings.numpy(),
            means.numpy(),
        )
        ctx.rows, ctx.plan, ctx.numbers = rows, plan, len(weights)
        ctx.save_for_backward(encodings)
        ctx.set_materialize_grads(False)
        return encodings, means

    @staticmethod
    def backward(ctx: Any, *gradients: th.Tensor | None) -> Any:
        """Gradients of weights and bases."""
        (encodings,) = ctx.saved_tensors
        of_encodings, of_means = gradients
        if of_means is None:
            of_means = th.zeros(len(encodings), len(ctx.plan.firsts) - 1, ctx.plan.width)
        if of_encodings is None:  # No logit came of the encodings.
            of_encodings = th.zeros_like(encodings)
        of_weights, of_bases = th.zeros(ctx.numbers, ctx.plan.width), th.zeros(encodings.shape[1:])
        encoding_gradients(
            ctx.rows.entries,
            ctx.plan,
            encodings.numpy(),
            of_encodings.contiguous().numpy(),
            of_means.contiguous().numpy(),
            of_weights.numpy(),
            of_bases.numpy(),
        )
        return None, None, of_weights, of_bases


class AddItemLogits(th.autograd.Function):
    """Logits ``(B, num_actions)``, to which those of all items are added in place."""

    @staticmethod
    def forward(
        ctx: Any,
        logits: th.Tensor,
        rows: SparseRows,
        plan: Plan,
        encodings: th.Tensor,
        queries: th.Tensor,
        keys: th.Tensor,
        heads: th.Tensor,
        biases: th.Tensor,
    ) -> th.Tensor:
        """The sums.

        Args:
            ctx: What the way back needs.
            logits: Float32 ``(B, num_actions)``.
            rows: The observations, with the actions that are asked for.
            plan: Where everything stands.
            encodings: Float32 ``(B, items, width)``.
            queries: Float32 ``(B, scored, width)``, with the keys' biases.
            keys: All keys' weights, ``(scored, width, width)``, outputs first.
            heads: All heads' weights, ``(heads, width)``.
            biases: All heads' biases, ``(heads,)``.
        """
        saved = encodings, queries, keys, heads, biases
        asked = rows.asked_of(logits.shape[1])
        arrays = [each.detach().numpy() for each in (*saved, logits)]
        add_item_logits(plan, asked, *arrays)
        ctx.plan = plan
        ctx.save_for_backward(*saved)
        ctx.mark_dirty(logits)
        return logits

    @staticmethod
    def backward(ctx: Any, *gradients: th.Tensor) -> Any:
        """Gradients of all tensors; the logits' own is unchanged."""
        saved = [each.detach() for each in ctx.saved_tensors]
        (of_logits,) = gradients
        found = [th.zeros_like(each) for each in saved]
        item_logit_gradients(
            ctx.plan,
            of_logits.contiguous().numpy(),
            *(each.numpy() for each in saved[:4]),
            *(each.numpy() for each in found),
        )
        return of_logits, None, None, *found


@kernel
def encode_items(
    entries: Entries, plan: Plan, weights: Any, bases: Any, encodings: Any, means: Any
) -> None:
    """Fill in encodings and their means; see :class:`EncodeItems`."""
    columns, numbers = entries.columns, entries.numbers
    count, items, width = encodings.shape
    flat, of_all = encodings.reshape(count, items * width), bases.reshape(items * width)
    for row in range(count):
        for j in range(items * width):  # One long loop: many short ones take three times as long.
            flat[row, j] = of_all[j]
        for k in range(entries.starts[row], entries.ends[row]):
            item, number = plan.items[columns[k]], numbers[k]
            if item >= 0:
                vector = plan.vectors[columns[k]]
                for j in range(width):
                    encodings[row, item, j] += number * weights[vector, j]
        for j in range(items * width):
            flat[row, j] = max(flat[row, j], np.float32(0.0))
        for block in range(means.shape[1]):
            first, end = plan.firsts[block], plan.firsts[block + 1]
            for j in range(width):
                means[row, block, j] = 0.0
            for item in range(first, end):
                for j in range(width):
                    means[row, block, j] += encodings[row, item, j]
            for j in range(width):
                means[row, block, j] /= np.float32(end - first)


@kernel
def encoding_gradients(
    entries: Entries,
    plan: Plan,
    encodings: Any,
    of_encodings: Any,
    of_means: Any,
    of_weights: Any,
    of_bases: Any,
) -> None:
    """Add up the gradients of what encodings are made with.

    Args:
        entries: The observations.
        plan: Where everything stands.
        encodings: Float32 ``(B, items, width)``.
        of_encodings: Float32, likewise: their gradients.
        of_means: Float32 ``(B, encoders, width)``: gradients of their means.
        of_weights: Float32 ``(numbers, width)``, added to.
        of_bases: Float32 ``(items, width)``, added to.
    """
    columns, numbers = entries.columns, entries.numbers
    items, width = of_bases.shape
    given, zero = np.empty((items, width), np.float32), np.float32(0.0)
    for row in range(len(encodings)):
        for block in range(of_means.shape[1]):
            first, end = plan.firsts[block], plan.firsts[block + 1]
            share = np.float32(1.0) / np.float32(end - first)
            for item in range(first, end):
                for j in range(width):  # Without a branch: it is computed eight at a time.
                    gradient = of_encodings[row, item, j] + of_means[row, block, j] * share
                    given[item, j] = gradient if encodings[row, item, j] > zero else zero
        for item in range(items):
            for j in range(width):
                of_bases[item, j] += given[item, j]
        for k in range(entries.starts[row], entries.ends[row]):
            item, number = plan.items[columns[k]], numbers[k]
            if item >= 0:
                vector = plan.vectors[columns[k]]
                for j in range(width):
                    of_weights[vector, j] += number * given[item, j]


@kernel
def add_item_logits(
    plan: Plan,
    asked: Any,
    encodings: Any,
    queries: Any,
    keys: Any,
    heads: Any,
    biases: Any,
    logits: Any,
) -> None:
    """Add each item's outputs to the logits of its actions, those that are asked for."""
    turned, joined = inputs_first(keys), np.empty(keys.shape[1], np.float32)
    for row in range(len(logits)):
        for k in range(len(plan.scored)):
            first, end = plan.firsts[plan.scored[k]], plan.firsts[plan.scored[k] + 1]
            head, place = plan.heads[k], plan.places[k]
            kinds = plan.heads[k + 1] - head
            for item in range(first, end):
                ready = False
                for kind in range(kinds):
                    action = plan.actions[place + (item - first) * kinds + kind]
                    if action == NO_ACTION or not asked[row, action]:
                        continue
                    if not ready:
                        ready = True
                        join(encodings, queries, row, item, k, turned, joined)
                    total = biases[head + kind]
                    for j in range(len(joined)):
                        total += max(joined[j], np.float32(0.0)) * heads[head + kind, j]
                    logits[row, action] += total


@kernel
def item_logit_gradients(
    plan: Plan,
    of_logits: Any,
    encodings: Any,
    queries: Any,
    keys: Any,
    heads: Any,
    of_encodings: Any,
    of_queries: Any,
    of_keys: Any,
    of_heads: Any,
    of_biases: Any,
) -> None:
    """Add up the gradients of what :func:`add_item_logits` reads.

    Of the logits' own, float32 ``(B, num_actions)``, few are not zero, as few actions are legal.
    """
    turned, zero, width = inputs_first(keys), np.float32(0.0), keys.shape[1]
    joined, back = np.empty(width, np.float32), np.empty(width, np.float32)
    for row in range(len(of_logits)):
        for k in range(len(plan.scored)):
            first, end = plan.firsts[plan.scored[k]], plan.firsts[plan.scored[k] + 1]
            head, place = plan.heads[k], plan.places[k]
            kinds = plan.heads[k + 1] - head
            for item in range(first, end):
                ready = False
                for kind in range(kinds):
                    action = plan.actions[place + (item - first) * kinds + kind]
                    push = zero if action == NO_ACTION else of_logits[row, action]
                    if push == zero:
                        continue
                    if not ready:
                        ready = True
                        back[:] = zero
                        join(encodings, queries, row, item, k, turned, joined)
                    of_biases[head + kind] += push
                    for j in range(width):
                        back[j] += push * heads[head + kind, j]
                        of_heads[head + kind, j] += push * max(joined[j], zero)
                if not ready:
                    continue
                for j in range(width):
                    factor = back[j] if joined[j] > zero else zero
                    of_queries[row, k, j] += factor
                    if factor != zero:
                        for i in range(width):
                            of_keys[k, j, i] += factor * encodings[row, item, i]
                            of_encodings[row, item, i] += factor * keys[k, j, i]


@kernel(leaf=True)
def inputs_first(keys: Any) -> Any:
    """The keys' weights, each turned."""
    turned = np.empty(keys.shape, np.float32)
    for k in range(len(keys)):
        for i in range(keys.shape[1]):
            for j in range(keys.shape[1]):
                turned[k, j, i] = keys[k, i, j]
    return turned


@kernel(leaf=True)
def join(
    encodings: Any, queries: Any, row: int, item: int, k: int, turned: Any, joined: Any
) -> None:
    """Fill ``joined`` with an item's key and its block's query together, before it is rectified."""
    for j in range(len(joined)):
        joined[j] = queries[row, k, j]
    for i in range(len(joined)):
        factor = encodings[row, item, i]
        if factor > 0.0:
            for j in range(len(joined)):
                joined[j] += factor * turned[k, i, j]
