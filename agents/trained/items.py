"""Encoders of similar items: the tiles of a city, the cards on a table, each read in the same way.

An observation holds blocks of rows that mean the same of different items (see
:mod:`gangland.envs.core.layout`). A fully connected layer has to learn separately for each item
what its numbers mean. An encoder reads all rows with the same weights (as in M. Zaheer et al.,
"Deep sets", 2017) and adds what it has learnt of each item by itself, such as the price of a
building. The mean of the encodings joins the input of the shared layers, and the logit of an action
that concerns an item is computed from that item's encoding and the policy's features together (a
pointer, after O. Vinyals, M. Fortunato and N. Jaitly, "Pointer networks", 2015).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...envs.core.game import Game

NO_ACTION = -1
"""Where an item has no action of a kind."""


@dataclass(frozen=True)
class ItemBlock:
    """A part of an observation that describes similar items, and the actions that concern them.

    Attributes:
        start: Index of the block's first number.
        rows: Number of items.
        numbers: Numbers of each item.
        planes: Whether there is one plane of ``rows`` numbers for each number of an item, in place
            of one row for each item.
        actions: For each item the same number of actions, one of each kind; :data:`NO_ACTION`
            where there is none. No action stands twice.
    """

    start: int
    rows: int
    numbers: int
    planes: bool
    actions: tuple[tuple[int, ...], ...]

    @property
    def kinds(self) -> int:
        """Number of kinds of actions."""
        return len(self.actions[0])

    @property
    def stop(self) -> int:
        """Index behind the block's last number."""
        return self.start + self.rows * self.numbers


def item_blocks(game: Game) -> dict[str, ItemBlock]:
    """The blocks of a game's observation that encoders can read, by name.

    These are the blocks of several rows. The game says which actions concern the rows
    (:attr:`gangland.envs.core.game.Game.item_actions`).
    """
    found = {}
    for block in game.observation_layout or ():
        if len(block.shape) == 2:
            numbers, rows = block.shape if block.planes else block.shape[::-1]
            actions = game.item_actions.get(block.name, ((),) * rows)
            found[block.name] = ItemBlock(block.start, rows, numbers, block.planes, actions)
    return found


def described(blocks: Mapping[str, ItemBlock]) -> dict[str, dict[str, Any]]:
    """The blocks as JSON-able values."""
    return {
        name: {**asdict(block), "actions": [list(row) for row in block.actions]}
        for name, block in blocks.items()
    }


@dataclass(frozen=True)
class ItemEncoder:
    """Reads the items of a block.

    Attributes:
        name: Prefix of its parameters.
        block: The block.
        width: Numbers of an item's encoding.
        joins: Size of the shared part's first layer, which the mean joins.
        features: Size of the policy's features.
        num_actions: Number of actions.
    """

    name: str
    block: ItemBlock
    width: int
    joins: int
    features: int
    num_actions: int

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the parameters by name."""
        sizes = {
            "encode": (self.width, self.block.numbers),
            "place": (self.block.rows, self.width),
            "pool": (self.joins, self.width),
        }
        if self.block.kinds:
            sizes |= {
                "key": (self.width, self.width),
                "query": (self.width, self.features),
                "head": (self.block.kinds, self.width),
            }
        return {
            f"{self.name}.{part}.{kind}": shape if kind == "weight" else shape[:1]
            for part, shape in sizes.items()
            for kind in ("weight", "bias")
            if (part, kind) != ("place", "bias")
        }

    def encode(self, backend: Any, parameters: Mapping[str, Any], inputs: Any) -> tuple[Any, Any]:
        """Encodings ``(B * rows, width)``, and their means ``(B, width)``.

        Args:
            backend: What computes.
            parameters: The parameters by name.
            inputs: Inputs of the network ``(B, inputs)``.
        """
        items = backend.items(inputs, self.block)
        read = self._linear("encode", backend, parameters, items)
        places = parameters[f"{self.name}.place.weight"]
        encodings = backend.relu(backend.add_places(read, places, self.block.rows))
        return encodings, backend.mean_of_items(encodings, self.block.rows)

    def pooled(self, backend: Any, parameters: Mapping[str, Any], means: Any) -> Any:
        """What joins the shared part's first layer, ``(B, joins)``."""
        return self._linear("pool", backend, parameters, means)

    def queries(self, backend: Any, parameters: Mapping[str, Any], features: Any) -> Any:
        """Queries of the policy's features ``(B, features)`` to every item, ``(B, width)``."""
        return self._linear("query", backend, parameters, features)

    def logits(
        self, backend: Any, parameters: Mapping[str, Any], encodings: Any, features: Any
    ) -> Any:
        """What is added to the logits, ``(B, num_actions)``.

        Args:
            backend: What computes.
            parameters: The parameters by name.
            encodings: From :meth:`encode`.
            features: The policy's features ``(B, features)``.
        """
        keys = self._linear("key", backend, parameters, encodings)
        queries = self.queries(backend, parameters, features)
        joined = backend.relu(backend.add_to_items(keys, queries, self.block.rows))
        outputs = self._linear("head", backend, parameters, joined)
        return backend.spread(outputs, self.block.rows, self.sources, self.concerned)

    @cached_property
    def sources(self) -> NDArray[np.int64]:
        """For each action its place among the items' outputs, row by row; 0 for all others."""
        sources = np.zeros(self.num_actions, np.int64)
        for place, action in enumerate(np.array(self.block.actions).ravel()):
            if action != NO_ACTION:
                sources[action] = place
        return sources

    @cached_property
    def concerned(self) -> NDArray[np.float32]:
        """1 for each action that concerns an item, 0 for all others."""
        concerned = np.zeros(self.num_actions, np.float32)
        actions = np.array(self.block.actions, np.int64).ravel()
        concerned[actions[actions != NO_ACTION]] = 1.0
        return concerned

    def _linear(self, part: str, backend: Any, parameters: Mapping[str, Any], x: Any) -> Any:
        weight, bias = (parameters[f"{self.name}.{part}.{kind}"] for kind in ("weight", "bias"))
        return backend.linear(x, weight, bias)


class Layerwise(Protocol):
    """What a backend needs to read items one layer after another; arrays are ``(B, numbers)``."""

    def items(self, x: Any, block: ItemBlock) -> Any:
        """The items of a block, one after another: ``(B * rows, numbers)``."""

    def add_places(self, x: Any, places: Any, rows: int) -> Any:
        """``(B * rows, width)`` with ``places``, ``(rows, width)``, added to each table's rows."""

    def mean_of_items(self, x: Any, rows: int) -> Any:
        """Means ``(B, width)`` over each ``rows`` of ``(B * rows, width)``."""

    def add_to_items(self, x: Any, y: Any, rows: int) -> Any:
        """``(B * rows, width)`` with each row of ``y``, ``(B, width)``, added to ``rows`` of it."""

    def spread(
        self, x: Any, rows: int, sources: NDArray[np.int64], factors: NDArray[np.float32]
    ) -> Any:
        """Outputs of items, ``(B * rows, kinds)``, put where actions are.

        Args:
            x: The outputs.
            rows: Number of items.
            sources: Int64 ``(num_actions,)``: place of each action's output among ``rows * kinds``.
            factors: Float32 ``(num_actions,)``: what it is multiplied by.

        Returns:
            ``(B, num_actions)``.
        """


class ByLayers:
    """What a backend may do at once, computed one layer after another.

    For that it needs the methods of :class:`Layerwise` besides.
    """

    def action_logits(self: Any, features: Any, weight: Any, bias: Any, inputs: Any) -> Any:
        """The policy's last layer ``(B, num_actions)``, before the items' logits are added."""
        return self.linear(features, weight, bias)

    def encode_items(
        self, encoders: Sequence[ItemEncoder], parameters: Mapping[str, Any], inputs: Any
    ) -> tuple[Any, Any]:
        """Encodings of all blocks, and their means, each in the backend's own form."""
        read = [self.encode_block(encoder, parameters, inputs) for encoder in encoders]
        return [encodings for encodings, _ in read], [means for _, means in read]

    def encode_block(
        self, encoder: ItemEncoder, parameters: Mapping[str, Any], inputs: Any
    ) -> tuple[Any, Any]:
        """Encodings of one block, in the backend's own form, and their means ``(B, width)``."""
        return encoder.encode(self, parameters, inputs)

    def join_items(
        self, x: Any, encoders: Sequence[ItemEncoder], parameters: Mapping[str, Any], means: Any
    ) -> Any:
        """``x``, ``(B, joins)``, with what the means join it with."""
        for encoder, of_items in zip(encoders, means, strict=True):
            x = x + encoder.pooled(self, parameters, of_items)
        return x

    def add_item_logits(
        self,
        logits: Any,
        encoders: Sequence[ItemEncoder],
        parameters: Mapping[str, Any],
        encodings: Any,
        features: Any,
        inputs: Any,
    ) -> Any:
        """``logits`` with those of all items added, ``(B, num_actions)``."""
        for encoder, encoded in zip(encoders, encodings, strict=True):
            if encoder.block.kinds:
                logits = logits + encoder.logits(self, parameters, encoded, features)
        return logits
