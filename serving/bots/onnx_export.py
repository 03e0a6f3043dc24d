"""A trained policy as one ONNX file: for browsers, phones, and other languages.

The graph is built from the checkpoint's weights; torch is not needed. The mask is applied inside,
so that an illegal action cannot come out.

======================  =======================  ==================================================
input                   type, shape              meaning
======================  =======================  ==================================================
``observation``         float32 (B, size)        what the deciding seat sees
``action_mask``         bool (B, actions)        its legal actions, at least one in each row
``role``                int64 (B,)               index into the roles, where there are several
``hint``                float32 (B, actions)     what the agent ``hint`` of the properties thinks
                                                 of each action; for policies that are told
output
``action``              int64 (B,)               the likeliest legal action, the lowest of equals
``probabilities``       float32 (B, actions)     of each action, 0 for illegal ones
``value``               float32 (B,)             expected result of the deciding seat
======================  =======================  ==================================================
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ... import __version__
from ...agents.policy import Checkpoint
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
        CheckpointError: If the weights are not what ``model.json`` says.
        MissingDependencyError: Without the package ``onnx``.
    """
    model = build(checkpoint)
    draft = path.with_name(f".{path.name}.draft")
    draft.write_bytes(model.SerializeToString())
    draft.replace(path)


def build(checkpoint: Checkpoint) -> ModelProto:
    """The ONNX model of a checkpoint; see the module's documentation.

    Raises:
        CheckpointError: If the weights are not what ``model.json`` says.
        MissingDependencyError: Without the package ``onnx``.
    """
    try:
        import onnx
    except ImportError as error:
        raise MissingDependencyError(
            "ONNX files need the package onnx: pip install 'gangland[onnx]'"
        ) from error
    model = checkpoint.model
    weights = {
        f"{role}/{name}": array
        for role, tensors in checkpoint.weights.items()
        for name, array in tensors.items()
    }
    graph = _Graph(weights, model["network"])
    inputs = graph.inputs(model)
    logits, value = graph.policies(model["roles"])
    graph.outputs(logits, value)
    built = onnx.helper.make_model(
        onnx.helper.make_graph(
            graph.nodes,
            "policy",
            inputs,
            [
                _info("action", "INT64", "batch"),
                _info("probabilities", "FLOAT", "batch", model["num_actions"]),
                _info("value", "FLOAT", "batch"),
            ],
            graph.constants,
        ),
        producer_name="gangland",
        producer_version=__version__,
        ir_version=IR_VERSION,
        opset_imports=[onnx.helper.make_opsetid("", OPSET)],
    )
    kept = ("game", "rules_version", "observation_size", "num_actions", "roles", "steps")
    properties = {key: model.get(key) for key in kept} | {
        key: model["network"].get(key) for key in ("hint", "hint_scale")
    }
    onnx.helper.set_model_props(built, {k: json.dumps(v) for k, v in properties.items()})
    onnx.checker.check_model(built, full_check=True)
    return built


def _info(name: str, kind: str, *shape: str | int) -> Any:
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, getattr(TensorProto, kind), list(shape))


class _Graph:
    """Nodes and constants, as they are added.

    Args:
        weights: Arrays by ``role/part.layer.weight``.
        layout: ``shared``, ``policy``, ``value`` (lists of widths) and ``activation``.
    """

    def __init__(self, weights: dict[str, NDArray[np.float32]], layout: dict[str, Any]) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._weights = weights
        self._layout = layout
        self._first = "observation"
        self._bonus = ""

    def inputs(self, model: dict[str, Any]) -> list[Any]:
        """Descriptions of the inputs."""
        found = [
            _info("observation", "FLOAT", "batch", model["observation_size"]),
            _info("action_mask", "BOOL", "batch", model["num_actions"]),
        ]
        if len(model["roles"]) > 1:
            found.append(_info("role", "INT64", "batch"))
        if self._layout.get("hint"):
            found.append(_info("hint", "FLOAT", "batch", model["num_actions"]))
            self._tell_hint()
        return found

    def _tell_hint(self) -> None:
        """The advice: inputs of the first layer, and weights on the actions' logits."""
        weight = np.array(self._layout["hint_weight"], np.float32)
        self._bonus = self._node("Mul", ["hint", self._constant("hint.weight", weight)])
        self._first = self._node("Concat", ["observation", "hint"], axis=1)

    def policies(self, roles: list[str]) -> tuple[str, str]:
        """Logits and values of each row's own role."""
        logits, value = self._network(roles[0])
        for index, role in enumerate(roles[1:], 1):
            number = self._constant(f"role.{index}", np.array(index, np.int64))
            mine = self._node("Equal", ["role", number])
            axis = self._constant(f"axis.{index}", np.array([1], np.int64))
            column = self._node("Unsqueeze", [mine, axis])
            other_logits, other_value = self._network(role)
            logits = self._node("Where", [column, other_logits, logits])
            value = self._node("Where", [column, other_value, value])
        return logits, value

    def outputs(self, logits: str, value: str) -> None:
        """Mask the logits; name the results."""
        never = self._constant("never", np.array(-np.inf, np.float32))
        masked = self._node("Where", ["action_mask", logits, never])
        self._node("ArgMax", [masked], "action", axis=1, keepdims=0, select_last_index=0)
        self._node("Softmax", [masked], "probabilities", axis=1)
        axis = self._constant("axis", np.array([1], np.int64))
        self._node("Squeeze", [value, axis], "value")

    def _network(self, role: str) -> tuple[str, str]:
        shared = self._through(role, "shared", self._first)
        heads = []
        for part in ("policy", "value"):
            heads.append(self._layer(f"{role}/{part}.head", self._through(role, part, shared)))
        logits = self._node("Add", [heads[0], self._bonus]) if self._bonus else heads[0]
        return logits, heads[1]

    def _through(self, role: str, part: str, x: str) -> str:
        operator = {"relu": "Relu", "tanh": "Tanh"}[self._layout["activation"]]
        for index in range(len(self._layout[part])):
            x = self._node(operator, [self._layer(f"{role}/{part}.{index}", x)])
        return x

    def _layer(self, name: str, x: str) -> str:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        names = [self._constant(f"{name}.weight", weight), self._constant(f"{name}.bias", bias)]
        return self._node("Gemm", [x, *names], transB=1)

    def _constant(self, name: str, array: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def _node(self, operator: str, inputs: list[str], output: str = "", **settings: Any) -> str:
        from onnx import helper

        output = output or f"{operator.lower()}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], **settings))
        return output
