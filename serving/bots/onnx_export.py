"""A trained policy as one ONNX file: for browsers, phones, and other languages.

The layers are those of :mod:`gangland.agents.trained.network`, run on :class:`Node` in place of
arrays; torch is not needed. The mask is applied inside, so that an illegal action cannot come out.

======================  =======================  ==================================================
input                   type, shape              meaning
======================  =======================  ==================================================
``observation``         float32 (B, size)        what the deciding seat sees
``action_mask``         bool (B, actions)        its legal actions, at least one in each row
``role``                int64 (B,)               index into the roles, where there are several
output
``action``              int64 (B,)               most probable legal action, the lowest of equals
``probabilities``       float32 (B, actions)     of each action, 0 for illegal ones
``chances``             float32 (B, seats)       how likely each seat is to win: the deciding one
                                                 first, then the others in the order of play
``value``               float32 (B,)             expected result of the deciding seat, in place of
                                                 ``chances`` for networks that do not give them
======================  =======================  ==================================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ... import __version__
from ...agents.trained.items import ByLayers, ItemBlock
from ...agents.trained.model_file import architecture_of
from ...agents.trained.network import Architecture
from ...agents.trained.policy import Checkpoint
from ...agents.trained.whole import whole_file
from ...envs.core.errors import MissingDependencyError

if TYPE_CHECKING:
    from onnx import ModelProto

OPSET = 17
IR_VERSION = 8
"""Both as old as the operators allow, so that old runtimes can read the file."""


def export_onnx(checkpoint: Checkpoint, path: Path) -> None:
    """Write a checkpoint's policy and value as an ONNX file.

    Args:
        checkpoint: The checkpoint.
        path: The file; replaced whole or not at all.

    Raises:
        CheckpointError: If the weights do not match ``model.json``.
        MissingDependencyError: If the package ``onnx`` is not installed.
    """
    model = build(checkpoint)
    with whole_file(path) as draft:
        draft.write_bytes(model.SerializeToString())


def build(checkpoint: Checkpoint) -> ModelProto:
    """The ONNX model of a checkpoint; see the module's documentation.

    Raises:
        CheckpointError: If the weights do not match ``model.json``.
        MissingDependencyError: If the package ``onnx`` is not installed.
    """
    _require_onnx()
    model = checkpoint.model
    architecture, roles = architecture_of(model), model["roles"]
    actions = architecture.num_actions
    inputs = [
        _info("observation", "FLOAT", "batch", architecture.observation_size),
        _info("action_mask", "BOOL", "batch", actions),
    ]
    graph = _Graph()
    given = Node(graph, "observation")
    if len(roles) > 1:
        inputs.append(_info("role", "INT64", "batch"))
    logits, value = _own_roles(graph, architecture, checkpoint.weights, roles, given)
    masked = graph.add("Where", ["action_mask", logits, np.float32(-np.inf)])
    graph.add("ArgMax", [masked], "action", axis=1, keepdims=0, select_last_index=0)
    graph.add("Softmax", [masked], "probabilities", axis=1)
    outputs = [
        _info("action", "INT64", "batch"),
        _info("probabilities", "FLOAT", "batch", actions),
    ]
    seats = model["network"]["chances"]
    if seats:
        graph.add("Softmax", [value[:, 1:]], "chances", axis=1)
        outputs.append(_info("chances", "FLOAT", "batch", seats))
    else:
        graph.add("Squeeze", [value, np.array([1], np.int64)], "value")
        outputs.append(_info("value", "FLOAT", "batch"))
    kept = ("game", "rules_version", "observation_size", "num_actions", "roles", "steps")
    properties = {key: model.get(key) for key in (*kept, "temperature")}
    return graph.model(inputs, outputs, properties)


def network_model(
    architecture: Architecture, weights: Mapping[str, NDArray[np.float32]]
) -> ModelProto:
    """The ONNX model of one network alone: ``inputs`` to ``logits`` and ``values``.

    The values are the outputs of the value part.

    Args:
        architecture: The layers.
        weights: Their parameters.

    Raises:
        MissingDependencyError: If the package ``onnx`` is not installed.
    """
    _require_onnx()
    graph = _Graph()
    logits, values = architecture.logits_and_values(
        OnnxBackend(), graph.parameters("", weights), Node(graph, "inputs")
    )
    graph.add("Identity", [logits], "logits")
    graph.add("Identity", [values], "values")
    return graph.model(
        [_info("inputs", "FLOAT", "batch", architecture.observation_size)],
        [
            _info("logits", "FLOAT", "batch", architecture.num_actions),
            _info("values", "FLOAT", "batch", architecture.value_outputs),
        ],
        {},
    )


def _own_roles(
    graph: _Graph,
    architecture: Architecture,
    weights: Mapping[str, Mapping[str, NDArray[np.float32]]],
    roles: list[str],
    given: Node,
) -> tuple[Node, Node]:
    """Logits and values of each row by the network of its own role."""
    logits: Any = None
    value: Any = None
    for index, role in enumerate(roles):
        parameters = graph.parameters(f"{role}/", weights[role])
        own = architecture.logits_and_values(OnnxBackend(), parameters, given)
        if index == 0:
            logits, value = own
            continue
        mine = graph.add("Equal", ["role", np.array(index, np.int64)])
        column = graph.add("Unsqueeze", [mine, np.array([1], np.int64)])
        logits = graph.add("Where", [column, own[0], logits])
        value = graph.add("Where", [column, own[1], value])
    return logits, value


class Node:
    """A value in the graph that is being built; arithmetic with it adds nodes.

    Args:
        graph: The graph.
        name: Name of the value.
    """

    def __init__(self, graph: _Graph, name: str) -> None:
        self.graph = graph
        self.name = name

    def __add__(self, other: Operand) -> Node:
        return self.graph.add("Add", [self, other])

    def __mul__(self, other: Operand) -> Node:
        return self.graph.add("Mul", [self, other])

    def __getitem__(self, key: tuple[slice, slice]) -> Node:
        """``[:, first:]``: columns from ``first`` on."""
        rows, columns = key
        assert rows == slice(None)
        assert columns.stop is None
        bounds = (columns.start, np.iinfo(np.int64).max, 1)  # first, end, axis
        return self.graph.add("Slice", [self, *(np.array([n], np.int64) for n in bounds)])


Operand = Node | str | float | np.generic | NDArray[Any]
"""A node, the name of a value, or a constant."""


class OnnxBackend(ByLayers):
    """Runs layers on :class:`Node`, which writes them into its graph."""

    def linear(self, x: Node, weight: Node, bias: Node) -> Node:
        """``x @ weight.T + bias``."""
        return x.graph.add("Gemm", [x, weight, bias], transB=1)

    def relu(self, x: Node) -> Node:
        """The larger of 0 and each number."""
        return x.graph.add("Relu", [x])

    def items(self, x: Node, block: ItemBlock) -> Node:
        """The items of a block, one after another."""
        bounds = (block.start, block.stop, 1)  # first, end, axis
        numbers = x.graph.add("Slice", [x, *(np.array([n], np.int64) for n in bounds)])
        if block.planes:
            numbers = self._reshape(numbers, block.numbers, block.rows)
            numbers = x.graph.add("Transpose", [numbers], perm=[0, 2, 1])
        return self._reshape(numbers, block.numbers)

    def add_places(self, x: Node, places: Node, rows: int) -> Node:
        """``places`` added to each ``rows``."""
        raised = x.graph.add("Unsqueeze", [places, np.array([0], np.int64)])
        return x.graph.add("Flatten", [self._by_rows(x, rows) + raised], axis=2)

    def mean_of_items(self, x: Node, rows: int) -> Node:
        """Means over each ``rows``."""
        return x.graph.add("ReduceMean", [self._by_rows(x, rows)], axes=[1], keepdims=0)

    def add_to_items(self, x: Node, y: Node, rows: int) -> Node:
        """Each row of ``y`` added to ``rows`` of ``x``."""
        raised = x.graph.add("Unsqueeze", [y, np.array([1], np.int64)])
        joined = self._by_rows(x, rows) + raised
        return x.graph.add("Flatten", [joined], axis=2)

    def spread(
        self, x: Node, rows: int, sources: NDArray[np.int64], factors: NDArray[np.float32]
    ) -> Node:
        """Outputs of items, put where actions are."""
        flat = x.graph.add("Flatten", [self._by_rows(x, rows)], axis=1)
        return x.graph.add("Gather", [flat, sources], axis=1) * factors

    def _by_rows(self, x: Node, rows: int) -> Node:
        """``(B * rows, width)`` as ``(B, rows, width)``."""
        graph = x.graph
        shape = graph.add("Shape", [x])
        width = graph.add("Gather", [shape, np.array([1], np.int64)], axis=0)
        target = graph.add("Concat", [np.array([-1, rows], np.int64), width], axis=0)
        return graph.add("Reshape", [x, target])

    def _reshape(self, x: Node, *sizes: int) -> Node:
        return x.graph.add("Reshape", [x, np.array([-1, *sizes], np.int64)])


class _Graph:
    """Nodes and constants, as they are added."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def parameters(
        self, prefix: str, weights: Mapping[str, NDArray[np.float32]]
    ) -> dict[str, Node]:
        """A network's parameters as nodes, by their names without the prefix."""
        return {name: self._constant(array, prefix + name) for name, array in weights.items()}

    def add(self, operator: str, inputs: list[Any], output: str = "", **settings: Any) -> Node:
        """The output of a new node.

        Args:
            operator: An operator of ONNX.
            inputs: Its operands.
            output: Name of its output; one is made up if it is empty.
            settings: The operator's attributes.
        """
        from onnx import helper

        output = output or f"{operator.lower()}.{len(self._nodes)}"
        names = [self._name(each) for each in inputs]
        self._nodes.append(helper.make_node(operator, names, [output], **settings))
        return Node(self, output)

    def model(
        self, inputs: list[Any], outputs: list[Any], properties: Mapping[str, Any]
    ) -> ModelProto:
        """The whole model, checked."""
        import onnx

        built = onnx.helper.make_model(
            onnx.helper.make_graph(self._nodes, "policy", inputs, outputs, self._constants),
            producer_name="gangland",
            producer_version=__version__,
            ir_version=IR_VERSION,
            opset_imports=[onnx.helper.make_opsetid("", OPSET)],
        )
        onnx.helper.set_model_props(built, {k: json.dumps(v) for k, v in properties.items()})
        onnx.checker.check_model(built, full_check=True)
        return built

    def _name(self, operand: Operand) -> str:
        if isinstance(operand, str):
            return operand
        if isinstance(operand, Node):
            return operand.name
        array = np.asarray(np.float32(operand) if isinstance(operand, float) else operand)
        return self._constant(array, f"constant.{len(self._constants)}").name

    def _constant(self, array: NDArray[Any], name: str) -> Node:
        from onnx import numpy_helper

        # In this order: ascontiguousarray makes a vector of a scalar.
        contiguous = np.ascontiguousarray(array).reshape(array.shape)
        self._constants.append(numpy_helper.from_array(contiguous, name))
        return Node(self, name)


def _info(name: str, kind: str, *shape: str | int) -> Any:
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, getattr(TensorProto, kind), list(shape))


def _require_onnx() -> None:
    try:
        import onnx  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            "ONNX files need the package onnx: pip install 'gangland[onnx]'"
        ) from error
