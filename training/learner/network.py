"""The policy and value network in torch, after :mod:`gangland.agents.trained.network`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import torch as th
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ...agents.trained.items import ByLayers, ItemBlock, ItemEncoder
from ...agents.trained.network import Architecture, Weights
from .fused_items import AddItemLogits, EncodeItems, Plan, plan_of
from .sparse import AskedLinear, SparseLinear, SparseRows

Inputs: TypeAlias = th.Tensor | SparseRows
"""Inputs ``(B, inputs)`` of a network."""

HIDDEN_GAIN = 2.0**0.5
HEAD_GAINS = {"policy.head.weight": 0.01, "value.head.weight": 1.0}
ITEM_HEAD_GAIN = 0.01
"""Gains of the orthogonal initialisation, as in stable-baselines3's policies."""

ENCODE = ("encode.weight", "encode.bias", "place.weight")
POOL = ("pool.weight", "pool.bias")
SCORE = ("query.weight", "query.bias", "key.weight", "key.bias", "head.weight", "head.bias")
"""An encoder's parameters, in the order in which they are used."""

Parts: TypeAlias = tuple[th.Tensor, ...]


class TorchBackend(ByLayers):
    """Runs layers on torch tensors; linear ones and encoders on :class:`SparseRows` as well."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[list[int], Parts]] = {}
        self._plan: Plan | None = None
        self._constants: dict[tuple[int, th.device], tuple[NDArray[Any], th.Tensor]] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> TorchBackend:
        """A copied network's weights are other tensors; nothing is known of them."""
        return TorchBackend()

    def linear(self, x: th.Tensor | SparseRows, weight: th.Tensor, bias: th.Tensor) -> th.Tensor:
        """``x @ weight.T + bias``."""
        if isinstance(x, th.Tensor):
            return functional.linear(x, weight, bias)
        sums: th.Tensor = SparseLinear.apply(x, weight, bias)  # type: ignore[no-untyped-call]
        return sums

    def action_logits(
        self,
        features: th.Tensor,
        weight: th.Tensor,
        bias: th.Tensor,
        inputs: th.Tensor | SparseRows,
    ) -> th.Tensor:
        """The policy's last layer; of sparse rows only the logits that they ask for."""
        if isinstance(inputs, th.Tensor) or inputs.asked is None:
            return functional.linear(features, weight, bias)
        logits: th.Tensor = AskedLinear.apply(  # type: ignore[no-untyped-call]
            features, weight, bias, inputs
        )
        return logits

    def relu(self, x: th.Tensor) -> th.Tensor:
        """Rectified linear unit."""
        return functional.relu(x)

    def encode_items(
        self,
        encoders: Sequence[ItemEncoder],
        parameters: Mapping[str, Any],
        inputs: th.Tensor | SparseRows,
    ) -> tuple[Any, Any]:
        """Encodings and their means: of sparse rows compiled, ``(B, rows, width)`` of all."""
        if isinstance(inputs, th.Tensor):
            return super().encode_items(encoders, parameters, inputs)
        plan = self._plan_of(encoders, inputs.shape[1])

        def parts(weight: th.Tensor, bias: th.Tensor, place: th.Tensor) -> Parts:
            return wide(weight.T, plan.width), wide(place + bias, plan.width)

        weights, bases = self._joined("encode", encoders, ENCODE, parameters, parts)
        encodings, means = EncodeItems.apply(  # type: ignore[no-untyped-call]
            inputs, plan, weights, bases
        )
        return encodings, means

    def join_items(
        self,
        x: th.Tensor,
        encoders: Sequence[ItemEncoder],
        parameters: Mapping[str, Any],
        means: Any,
    ) -> th.Tensor:
        """``x`` with what the means join it with: in one product, where they are one tensor."""
        if not isinstance(means, th.Tensor):
            joined: th.Tensor = super().join_items(x, encoders, parameters, means)
            return joined

        def parts(weight: th.Tensor, bias: th.Tensor) -> Parts:
            return wide(weight, means.shape[2]).T, bias[None]

        weights, biases = self._joined("pool", encoders, POOL, parameters, parts)
        return x + functional.linear(means.flatten(1), weights.T, biases.sum(0))

    def add_item_logits(
        self,
        logits: th.Tensor,
        encoders: Sequence[ItemEncoder],
        parameters: Mapping[str, Any],
        encodings: Any,
        features: th.Tensor,
        inputs: th.Tensor | SparseRows,
    ) -> th.Tensor:
        """The logits with those of the items: in place, where sparse rows were encoded."""
        if isinstance(inputs, th.Tensor):
            added: th.Tensor = super().add_item_logits(
                logits, encoders, parameters, encodings, features, inputs
            )
            return added
        scored = [encoder for encoder in encoders if encoder.block.kinds]
        if not scored:
            return logits
        plan = self._plan_of(encoders, inputs.shape[1])

        def parts(
            query: th.Tensor,
            query_bias: th.Tensor,
            key: th.Tensor,
            key_bias: th.Tensor,
            head: th.Tensor,
            head_bias: th.Tensor,
        ) -> Parts:
            return (
                wide(query.T, plan.width).T,
                wide(query_bias + key_bias, plan.width),
                wide(wide(key, plan.width).T, plan.width).T[None],
                wide(head, plan.width),
                head_bias,
            )

        weights, biases, *scorers = self._joined("score", scored, SCORE, parameters, parts)
        queries = functional.linear(features, weights, biases)
        added = AddItemLogits.apply(  # type: ignore[no-untyped-call]
            logits,
            inputs,
            plan,
            encodings,
            queries.view(len(queries), len(scored), plan.width),
            *(each.contiguous() for each in scorers),
        )
        return added

    def _plan_of(self, encoders: Sequence[ItemEncoder], inputs: int) -> Plan:
        if self._plan is None:
            self._plan = plan_of(encoders, inputs)
        return self._plan

    def _joined(
        self,
        kind: str,
        encoders: Sequence[ItemEncoder],
        names: Sequence[str],
        parameters: Mapping[str, th.Tensor],
        parts: Callable[..., Parts],
    ) -> Parts:
        """The encoders' parameters, joined part by part; made again when one has changed.

        Args:
            kind: What they are for.
            encoders: Whose they are.
            names: Which of them.
            parameters: All parameters by name.
            parts: Takes an encoder's, and gives what is to be joined along the first axis.
        """
        given = [[parameters[f"{encoder.name}.{name}"] for name in names] for encoder in encoders]
        versions = [parameter._version for of_one in given for parameter in of_one]
        known = self._known.get(kind)
        if known is not None and known[0] == versions and not th.is_grad_enabled():
            return known[1]
        joined = tuple(th.cat(part) for part in zip(*(parts(*of) for of in given), strict=True))
        if not th.is_grad_enabled():
            self._known[kind] = versions, joined
        return joined

    def items(self, x: th.Tensor, block: ItemBlock) -> th.Tensor:
        """The items of a block, one after another."""
        numbers = x[:, block.start : block.stop]
        if block.planes:
            numbers = numbers.reshape(-1, block.numbers, block.rows).transpose(1, 2)
        return numbers.reshape(-1, block.numbers)

    def add_places(self, x: th.Tensor, places: th.Tensor, rows: int) -> th.Tensor:
        """``places`` added to each ``rows``."""
        return (x.reshape(-1, rows, x.shape[1]) + places).reshape(x.shape)

    def mean_of_items(self, x: th.Tensor, rows: int) -> th.Tensor:
        """Means over each ``rows``."""
        return x.reshape(-1, rows, x.shape[1]).mean(dim=1)

    def add_to_items(self, x: th.Tensor, y: th.Tensor, rows: int) -> th.Tensor:
        """Each row of ``y`` added to ``rows`` of ``x``."""
        return (x.reshape(len(y), rows, -1) + y.unsqueeze(1)).reshape(x.shape)

    def spread(
        self,
        x: th.Tensor,
        rows: int,
        sources: NDArray[np.int64],
        factors: NDArray[np.float32],
    ) -> th.Tensor:
        """Outputs of items, put where actions are."""
        outputs = x.reshape(-1, rows * x.shape[1])
        placed = outputs.index_select(1, self._constant(sources, x.device))
        return placed * self._constant(factors, x.device)

    def _constant(self, array: NDArray[Any], device: th.device) -> th.Tensor:
        """An array that stays as it is, taken to a device once; it is kept, as its id must be."""
        key = id(array), device
        if key not in self._constants:
            with th.inference_mode(False):  # Training uses it as well.
                self._constants[key] = array, th.from_numpy(array).to(device)
        return self._constants[key][1]


def wide(x: th.Tensor, width: int) -> th.Tensor:
    """``x`` with zeros behind its last axis, up to ``width``."""
    return x if x.shape[-1] == width else functional.pad(x, (0, width - x.shape[-1]))


class PolicyNetwork(nn.Module):
    """One role's network; the names in its ``state_dict`` are those of the architecture.

    Attributes:
        architecture: The layers.

    Args:
        architecture: The layers.
        weights: Their parameters, copied: :func:`initial_weights`, or those of another network.

    Raises:
        KeyError: If a parameter is missing.
        ValueError: If a parameter has another shape.
    """

    def __init__(
        self,
        architecture: Architecture,
        weights: Mapping[str, NDArray[np.float32]],
    ) -> None:
        super().__init__()
        self.architecture = architecture
        self._backend = TorchBackend()
        self._by_name: dict[str, nn.Parameter] = {}
        for name, shape in architecture.shapes.items():
            given = weights[name]
            if given.shape != shape:
                raise ValueError(f"{name}: {given.shape}, not {shape}")
            tensor = th.tensor(given)
            if len(shape) == 2 and shape[1] == architecture.observation_size:
                # In the order in which sparse rows read and write it: see `SparseLinear`.
                tensor = tensor.T.contiguous().T
            parameter = nn.Parameter(tensor)
            self._by_name[name] = parameter
            _register(self, name.split("."), parameter)

    def logits_and_values(self, inputs: Inputs) -> tuple[th.Tensor, th.Tensor]:
        """Unmasked logits and the value part's outputs; see :class:`Architecture`.

        Args:
            inputs: Float32 ``(B, inputs)``; of sparse rows, only the logits that they ask for.

        Returns:
            Float32 ``(B, num_actions)`` and ``(B, outputs)``.
        """
        logits, values = self.architecture.logits_and_values(self._backend, self._by_name, inputs)
        return logits, values

    def logits(self, inputs: Inputs) -> th.Tensor:
        """Unmasked logits ``(B, num_actions)`` of inputs ``(B, inputs)``."""
        logits: th.Tensor = self.architecture.logits(self._backend, self._by_name, inputs)
        return logits

    @property
    def device(self) -> th.device:
        """Where the network computes."""
        return next(iter(self._by_name.values())).device

    def weights(self) -> Weights:
        """Copies of all parameters by name, as float32 arrays."""
        return {name: p.detach().cpu().numpy().copy() for name, p in self._by_name.items()}


def initial_weights(architecture: Architecture, seed: int) -> Weights:
    """Initial weights: orthogonal matrices without bias (Saxe et al., 2014).

    Args:
        architecture: The layers.
        seed: Seed of the matrices.
    """
    generator = th.Generator().manual_seed(seed)
    weights: Weights = {}
    for name, shape in architecture.shapes.items():
        if name.endswith(".place.weight"):
            weights[name] = np.zeros(shape, np.float32)
        elif len(shape) == 2:
            matrix = th.empty(shape)
            item_head = name.startswith("items.") and name.endswith(".head.weight")
            gain = ITEM_HEAD_GAIN if item_head else HEAD_GAINS.get(name, HIDDEN_GAIN)
            nn.init.orthogonal_(matrix, gain, generator)
            weights[name] = matrix.numpy()
        else:
            weights[name] = np.zeros(shape, np.float32)
    return weights


def _register(module: nn.Module, path: list[str], parameter: nn.Parameter) -> None:
    """Make ``a.b.c`` the parameter ``c`` of the module ``b`` of the module ``a``."""
    *modules, name = path
    for part in modules:
        if part not in module._modules:
            module.add_module(part, nn.Module())
        module = module.get_submodule(part)
    module.register_parameter(name, parameter)
