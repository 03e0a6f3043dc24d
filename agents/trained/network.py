"""The policy and value network, defined once and run by NumPy, torch and ONNX.

An :class:`Architecture` lists the layers of a network's three parts: ``shared``, and then
``policy`` and ``value``, which both continue where ``shared`` ends. A layer names its parameters
and says what it computes, in arithmetic that every array library has and in the few functions of
:class:`Backend` that libraries write differently. Runners only bring a backend and parameters in
their own arrays:

==============================================================  ==============================
:class:`~gangland.agents.trained.numpy_network.NumpyNetwork`    playing, serving; no torch
:class:`~gangland.training.learner.network.PolicyNetwork`       learning, in torch
:mod:`gangland.serving.bots.onnx_export`                        writing an ONNX file
==============================================================  ==============================

A new kind of layer is a class here and a line in :func:`build`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .items import ItemBlock, ItemEncoder

Array = Any
"""An array of the backend's own library, of shape ``(B, numbers)``."""

Weights = dict[str, NDArray[np.float32]]
"""One role's parameters by name, ``shared.0.weight`` to ``value.head.bias``, all float32."""

PARTS = ("shared", "policy", "value")
"""Parts of every network; the last two continue where the first one ends."""


class Backend(Protocol):
    """What layers need besides the arithmetic operators; arrays are ``(B, numbers)``."""

    def linear(self, x: Array, weight: Array, bias: Array) -> Array:
        """``x @ weight.T + bias``, in whatever form the backend keeps the weight."""

    def relu(self, x: Array) -> Array:
        """The larger of 0 and each number."""

    def encode_items(
        self, encoders: Sequence[ItemEncoder], parameters: Mapping[str, Array], inputs: Array
    ) -> tuple[Any, Any]:
        """See :class:`ByLayers`, which a backend may inherit this from."""

    def join_items(
        self,
        x: Array,
        encoders: Sequence[ItemEncoder],
        parameters: Mapping[str, Array],
        means: Any,
    ) -> Array:
        """Likewise."""

    def add_item_logits(
        self,
        logits: Array,
        encoders: Sequence[ItemEncoder],
        parameters: Mapping[str, Array],
        encodings: Any,
        features: Array,
        inputs: Array,
    ) -> Array:
        """Likewise."""

    def action_logits(self, features: Array, weight: Array, bias: Array, inputs: Array) -> Array:
        """Likewise."""


class Layer(Protocol):
    """One step of a network."""

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the parameters by name."""

    def run(self, backend: Backend, parameters: Mapping[str, Array], x: Array) -> Array:
        """The layer's output for a batch."""


@dataclass(frozen=True)
class Linear:
    """A fully connected layer with bias.

    Attributes:
        name: Prefix of its parameters.
        inputs: Size of its input.
        outputs: Size of its output.
    """

    name: str
    inputs: int
    outputs: int

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """``weight`` of shape ``(outputs, inputs)`` and ``bias``."""
        return {
            f"{self.name}.weight": (self.outputs, self.inputs),
            f"{self.name}.bias": (self.outputs,),
        }

    def run(self, backend: Backend, parameters: Mapping[str, Array], x: Array) -> Array:
        """Multiply by the weights and add the bias."""
        weight, bias = parameters[f"{self.name}.weight"], parameters[f"{self.name}.bias"]
        return backend.linear(x, weight, bias)


@dataclass(frozen=True)
class Relu:
    """Zero in place of each negative number."""

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """It has no weights."""
        return {}

    def run(self, backend: Backend, parameters: Mapping[str, Array], x: Array) -> Array:
        """Apply it to every element."""
        return backend.relu(x)


@dataclass(frozen=True)
class Architecture:
    """The layers of one role's network.

    Attributes:
        observation_size: Numbers of an observation.
        num_actions: Number of actions.
        shared: Layers that policy and value share.
        policy: The policy's own layers, up to the logits.
        value: The value's own layers, up to its outputs: the expected result; or, where the
            network estimates win probabilities, the expected rewards besides the result, and a
            logit for each seat, the deciding one first and the others in the order of play.
        items: Encoders of similar items, whose output joins the first shared layer and the logits.
    """

    observation_size: int
    num_actions: int
    shared: tuple[Layer, ...]
    policy: tuple[Layer, ...]
    value: tuple[Layer, ...]
    items: tuple[ItemEncoder, ...] = ()

    @property
    def value_outputs(self) -> int:
        """Number of the value part's outputs."""
        return self.shapes["value.head.bias"][0]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of all parameters by name, in the order of the layers."""
        layers: tuple[Layer | ItemEncoder, ...]
        layers = (*self.shared, *self.policy, *self.value, *self.items)
        return {name: shape for layer in layers for name, shape in layer.shapes.items()}

    @property
    def size(self) -> int:
        """Number of parameters, each number counted."""
        return sum(math.prod(shape) for shape in self.shapes.values())

    def logits(self, backend: Backend, parameters: Mapping[str, Array], inputs: Array) -> Array:
        """Unmasked logits ``(B, num_actions)`` of inputs ``(B, inputs)``."""
        features, encodings = self._features(backend, parameters, inputs)
        return self._policy(backend, parameters, inputs, features, encodings)

    def values(self, backend: Backend, parameters: Mapping[str, Array], inputs: Array) -> Array:
        """The value part's outputs ``(B, outputs)`` of inputs ``(B, inputs)``."""
        features, _ = self._features(backend, parameters, inputs)
        return _run(self.value, backend, parameters, features)

    def logits_and_values(
        self, backend: Backend, parameters: Mapping[str, Array], inputs: Array
    ) -> tuple[Array, Array]:
        """Action logits and values of the same rows; the shared layers run once."""
        features, encodings = self._features(backend, parameters, inputs)
        logits = self._policy(backend, parameters, inputs, features, encodings)
        return logits, _run(self.value, backend, parameters, features)

    def _features(
        self, backend: Backend, parameters: Mapping[str, Array], inputs: Array
    ) -> tuple[Array, Any]:
        """Output of the shared part, and the encoders' encodings."""
        first, rest = self.shared[:1], self.shared[1:]
        if not self.items:
            return _run(self.shared, backend, parameters, inputs), None
        encodings, means = backend.encode_items(self.items, parameters, inputs)
        x = _run(first, backend, parameters, inputs)
        x = backend.join_items(x, self.items, parameters, means)
        return _run(rest, backend, parameters, x), encodings

    def _policy(
        self,
        backend: Backend,
        parameters: Mapping[str, Array],
        inputs: Array,
        features: Array,
        encodings: Any,
    ) -> Array:
        *hidden, head = self.policy
        own = _run(tuple(hidden), backend, parameters, features)
        weight, bias = (parameters[name] for name in head.shapes)
        logits = backend.action_logits(own, weight, bias, inputs)
        if not self.items:
            return logits
        return backend.add_item_logits(logits, self.items, parameters, encodings, own, inputs)


def _run(
    layers: tuple[Layer, ...], backend: Backend, parameters: Mapping[str, Array], x: Array
) -> Array:
    for layer in layers:
        x = layer.run(backend, parameters, x)
    return x


def build(
    network: Mapping[str, Any],
    observation_size: int,
    num_actions: int,
    blocks: Mapping[str, ItemBlock] = MappingProxyType({}),
) -> Architecture:
    """The architecture that a checkpoint or a training configuration describes.

    Args:
        network: Fields of :class:`gangland.agents.trained.model_file.NetworkDescription`.
        observation_size: Numbers of an observation.
        num_actions: Number of actions.
        blocks: The blocks that ``network["items"]`` names.
    """
    shared, features = _hidden("shared", network, observation_size)
    policy, policy_size = _hidden("policy", network, features)
    value, value_size = _hidden("value", network, features)
    return Architecture(
        observation_size,
        num_actions,
        shared,
        (*policy, Linear("policy.head", policy_size, num_actions)),
        (*value, Linear("value.head", value_size, 1 + network["chances"])),
        tuple(
            ItemEncoder(
                f"items.{name}",
                blocks[name],
                width,
                network["shared"][0],
                policy_size,
                num_actions,
            )
            for name, width in network.get("items", {}).items()
        ),
    )


def _hidden(part: str, network: Mapping[str, Any], size: int) -> tuple[tuple[Layer, ...], int]:
    """Hidden layers of one part, and the size of their output."""
    layers: list[Layer] = []
    for index, width in enumerate(network[part]):
        layers.append(Linear(f"{part}.{index}", size, width))
        layers.append(Relu())
        size = width
    return tuple(layers), size
