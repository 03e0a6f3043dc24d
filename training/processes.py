"""The processes of one training run: sums over them, what the first one decides for all.

Each process plays its share of the tables and computes gradients on its own decisions, which are
added up at every minibatch. All of them hold the same weights, optimiser, league and averages,
because everything that these are computed from is added up or sent by the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import torch as th
from numpy.typing import NDArray

Value = TypeVar("Value")


class Processes:
    """A training run in a single process: there is nothing to add up or to send.

    Attributes:
        rank: Number of this process; 0 evaluates, saves and reports.
        size: Number of processes.
    """

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        self.rank = rank
        self.size = size

    def total(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """The sum of an array over all processes, a new array."""
        return numbers

    def add(self, tensors: Sequence[th.Tensor]) -> None:
        """Replace each float32 tensor by its sum over all processes."""

    def gather(self, value: Value) -> list[Value]:
        """The values of all processes by rank, in the first one; nothing in the others."""
        return [value]

    def broadcast(self, value: Value) -> Value:
        """The first process's value, in all of them."""
        return value


ALONE = Processes()
"""The only process."""


class TorchProcesses(Processes):
    """The processes of torch's default process group, which must be initialised."""

    def __init__(self) -> None:
        from torch import distributed

        self._distributed = distributed
        super().__init__(distributed.get_rank(), distributed.get_world_size())

    def total(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """The sum of an array over all processes, a new array."""
        tensor = self._on_wire(th.from_numpy(np.array(numbers)))
        self._distributed.all_reduce(tensor)
        added: NDArray[Any] = tensor.cpu().numpy()
        return added

    def add(self, tensors: Sequence[th.Tensor]) -> None:
        """Replace each float32 tensor by its sum over all processes; one message for them all."""
        flat = th.cat([tensor.reshape(-1) for tensor in tensors])
        self._distributed.all_reduce(flat)
        for tensor, part in zip(
            tensors, th.split(flat, [tensor.numel() for tensor in tensors]), strict=True
        ):
            tensor.copy_(part.view_as(tensor))

    def gather(self, value: Value) -> list[Value]:
        """The values of all processes by rank, in the first one; nothing in the others."""
        box: list[Any] | None = [None] * self.size if self.rank == 0 else None
        self._distributed.gather_object(value, box)
        return box or []

    def broadcast(self, value: Value) -> Value:
        """The first process's value, in all of them."""
        box = [value]
        self._distributed.broadcast_object_list(box, src=0)
        return box[0]

    def _on_wire(self, tensor: th.Tensor) -> th.Tensor:
        """Where the group's backend takes tensors: NCCL on the GPU alone."""
        return tensor.cuda() if self._distributed.get_backend() == "nccl" else tensor
