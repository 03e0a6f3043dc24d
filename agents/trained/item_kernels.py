"""Item encoders on a CPU, compiled: those of :mod:`gangland.agents.trained.items`.

An encoder has some fifty items of a dozen numbers each at every decision. Layer by layer that takes
a dozen passes over all of them. Here each decision's items stay in the cache, only what is not zero
of the observation is read, and only the items of actions that are asked for are scored. Training
has kernels of its own, which take all blocks together. The loops index whole arrays: a view of a
row is an object whose users Numba counts, by two atomic instructions that take longer than a row of
a few numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...envs.core.kernel import kernel
from .entries import Entries, first_entry
from .items import NO_ACTION, ItemBlock


class Span(NamedTuple):
    """Where the numbers of a block stand in an observation.

    Attributes:
        start: Column of the first one.
        stop: The column behind the last one.
        items: Int32 ``(stop - start,)``: whose each is.
        kinds: Int32, likewise: which of that item's numbers it is.
    """

    start: int
    stop: int
    items: NDArray[np.int32]
    kinds: NDArray[np.int32]


class Scorer(NamedTuple):
    """How logits are computed from encodings; see :meth:`.items.ItemEncoder.logits`.

    Attributes:
        key: Float32 ``(width, width)``, inputs first.
        head: Float32 ``(width, kinds)``, inputs first.
        head_bias: Float32 ``(kinds,)``.
        actions: Int64 ``(rows, kinds)``: the actions; :data:`.items.NO_ACTION` for none.
    """

    key: Any
    head: Any
    head_bias: Any
    actions: Any


@cache
def span_of(block: ItemBlock) -> Span:
    """Where a block's numbers stand."""
    at = np.arange(block.stop - block.start, dtype=np.int32)
    if block.planes:
        kinds, items = np.divmod(at, np.int32(block.rows))
    else:
        items, kinds = np.divmod(at, np.int32(block.numbers))
    return Span(block.start, block.stop, items, kinds)


@cache
def actions_of(block: ItemBlock) -> NDArray[np.int64]:
    """The actions that concern a block's items, int64 ``(rows, kinds)``."""
    return np.array(block.actions, np.int64)


@kernel(leaf=True)
def add_block(
    entries: Entries, row: int, span: Span, vectors: Any, vector_of: Any, sums: Any, sum_of: Any
) -> None:
    """Add, for each number of a row's block, that many times one vector to another.

    Args:
        entries: The observations.
        row: The observation.
        span: Where the block stands.
        vectors: Float32 ``(V, width)``.
        vector_of: Int32 ``(stop - start,)``: which vector belongs to each number.
        sums: Float32 ``(S, width)``, added to.
        sum_of: Int32, likewise: which of them each is added to.
    """
    columns, numbers = entries.columns, entries.numbers
    end = entries.ends[row]
    k = first_entry(columns, entries.starts[row], end, span.start)
    while k < end and columns[k] < span.stop:
        at = columns[k] - span.start
        vector, out, number = vector_of[at], sum_of[at], numbers[k]
        for j in range(sums.shape[1]):
            sums[out, j] += number * vectors[vector, j]
        k += 1


@kernel
def encode_items(
    entries: Entries, span: Span, weight: Any, bias: Any, places: Any, encodings: Any, means: Any
) -> None:
    """Fill in encodings and their means.

    Args:
        entries: The observations.
        span: Where the block stands.
        weight: Float32 ``(numbers, width)``.
        bias: Float32 ``(width,)``: what each sum begins with.
        places: Float32 ``(rows, width)``: what is added at the end.
        encodings: Float32 ``(B, rows, width)``, filled.
        means: Float32 ``(B, width)``, filled.
    """
    count, rows, width = encodings.shape
    for row in range(count):
        for item in range(rows):
            for j in range(width):
                encodings[row, item, j] = bias[j]
        add_block(entries, row, span, weight, span.kinds, encodings[row], span.items)
        for j in range(width):
            means[row, j] = 0.0
        for item in range(rows):
            for j in range(width):
                rectified = max(encodings[row, item, j] + places[item, j], np.float32(0.0))
                encodings[row, item, j] = rectified
                means[row, j] += rectified
        for j in range(width):
            means[row, j] /= np.float32(rows)


@kernel
def add_item_logits(
    encodings: Any,
    bias: Any,
    queries: Any,
    scorer: Scorer,
    asked: Any,
    logits: Any,
) -> None:
    """Add each item's outputs to the logits of the actions that concern it.

    Args:
        encodings: Float32 ``(B, rows, width)``.
        bias: Float32 ``(width,)``: the keys', which the sums begin with.
        queries: Float32 ``(B, width)``: what is added to them at the end.
        scorer: The weights.
        asked: Bool ``(B, num_actions)``: the logits that are wanted.
        logits: Float32 ``(B, num_actions)``, added to.
    """
    rows, kinds = scorer.actions.shape
    width = len(scorer.key)
    joined, outputs = np.empty(width, np.float32), np.empty(kinds, np.float32)
    for row in range(len(logits)):
        for item in range(rows):
            concerned = False
            for kind in range(kinds):
                action = scorer.actions[item, kind]
                concerned = concerned or (action != NO_ACTION and asked[row, action])
            if concerned:
                for j in range(width):
                    joined[j] = bias[j]
                add_rows(encodings[row, item], scorer.key, joined)
                for j in range(width):
                    joined[j] += queries[row, j]
                for kind in range(kinds):
                    outputs[kind] = scorer.head_bias[kind]
                add_rows(joined, scorer.head, outputs)
                for kind in range(kinds):
                    action = scorer.actions[item, kind]
                    if action != NO_ACTION:
                        logits[row, action] += outputs[kind]


@kernel(leaf=True)
def add_rows(factors: Any, rows: Any, sums: Any) -> None:
    """Add ``rows`` times ``factors``, those above 0, to ``sums``."""
    for k in range(len(factors)):
        factor = factors[k]
        if factor > 0.0:
            for j in range(len(sums)):
                sums[j] += factor * rows[k, j]
