"""Plays all tables of a process together, for networks on an accelerator.

An accelerator is fast with few large batches, so each network is called once for all tables where
it decides, and not once by every worker. The workers are dealt into two halves: while the
accelerator computes for one of them, the processors play the other. Both ways, inputs pass through
memory that the accelerator can read by itself (pinned memory), which lets copies run beside
everything else.

Workers draw the same random numbers as when they play by themselves, so that what is played depends
on the number of ``threads``, not on the device. To keep all cores busy, there should be twice as
many threads as cores.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from ..learner.sparse import inputs_for
from .table_worker import Question

if TYPE_CHECKING:
    from .collector import Collector
    from .table_worker import TableWorker


class Lockstep:
    """Plays rollouts in two halves.

    Args:
        collector: The tables and the players.
        device: Where the networks are.
    """

    def __init__(self, collector: Collector, device: th.device) -> None:
        self._collector = collector
        self._device = device
        self._staged: dict[tuple[int, int, int], _Staged] = {}
        self._thinking = self._playing = 0.0

    def play(self, steps: int) -> None:
        """Play this many decisions at every table."""
        workers = self._collector.workers
        for worker in workers:
            worker.start_rollout()
        measured = [dict(worker.times) for worker in workers]
        self._thinking = self._playing = 0.0
        halves = [_Half(k, workers[k::2]) for k in range(min(2, len(workers)))]
        for half in halves:
            self._put_questions(half, playing=False)
            self._ask(half)
        for step in range(1, steps + 1):
            for half in halves:
                self._wait(half)
                self._put_questions(half, playing=True, asking=step < steps)
                self._ask(half)
        # As the workers' clocks have it in a rollout without this class; each saw a half of it.
        for worker, before in zip(workers, measured, strict=True):
            worker.times = before | {
                "env": before["env"] + self._playing,
                "inference": before["inference"] + self._thinking,
            }
        self._collector.pool.run(lambda k: workers[k].look_ahead(), len(workers))

    def _put_questions(self, half: _Half, *, playing: bool, asking: bool = True) -> None:
        """Play what has been answered, side by side, up to the next questions."""

        def advance(k: int) -> list[Question]:
            worker = half.workers[k]
            if playing:
                for question, logits, outputs in half.answers[k]:
                    question.answer(logits, outputs)
                worker.step()
            return worker.questions() if asking else []

        started = time.perf_counter()
        half.questions = self._collector.pool.run(advance, len(half.workers))
        self._playing += time.perf_counter() - started

    def _ask(self, half: _Half) -> None:
        """Start all networks of a half on what they have been asked."""
        started = time.perf_counter()
        asked: dict[tuple[int, int], list[tuple[int, Question]]] = {}
        for k, questions in enumerate(half.questions):
            for question in questions:
                asked.setdefault((question.slot, question.role), []).append((k, question))
        half.batches = []
        for (slot, role), questions_of in asked.items():
            staged = self._staged_for(half, slot, role)
            rows = staged.fill([question.inputs for _, question in questions_of])
            network = self._collector.network(slot, role)
            with th.inference_mode():
                inputs = inputs_for(staged.inputs[:rows].numpy(), self._device)
                if slot:
                    staged.keep(network.logits(inputs), None)
                else:
                    staged.keep(*network.logits_and_values(inputs))
            half.batches.append((staged, questions_of))
        half.ready = None
        if self._device.type == "cuda":
            half.ready = th.cuda.Event()  # type: ignore[no-untyped-call]
            half.ready.record()
        self._thinking += time.perf_counter() - started

    def _wait(self, half: _Half) -> None:
        """Until the networks of a half have answered, and hand the answers to those who asked."""
        started = time.perf_counter()
        if half.ready is not None:
            half.ready.synchronize()
        half.answers = [[] for _ in half.workers]
        for staged, questions_of in half.batches:
            first = 0
            for k, question in questions_of:
                at = slice(first, first + len(question.inputs))
                half.answers[k].append((question, staged.logits[at], staged.outputs[at]))
                first = at.stop
        self._thinking += time.perf_counter() - started

    def _staged_for(self, half: _Half, slot: int, role: int) -> _Staged:
        key = half.number, slot, role
        if key not in self._staged:
            architecture = self._collector.network(slot, role).architecture
            self._staged[key] = _Staged(
                sum(worker.group.count for worker in half.workers),
                architecture.observation_size,
                pinned=self._device.type == "cuda",
            )
        return self._staged[key]


@dataclass
class _Half:
    """Some of the workers.

    Attributes:
        number: 0 or 1.
        workers: The workers.
        questions: What each of them has asked.
        batches: For each network what it is given and who asked.
        answers: For each worker the questions with logits and outputs.
        ready: When the networks have answered; ``None`` if they have already.
    """

    number: int
    workers: list[TableWorker]
    questions: list[list[Question]] = field(default_factory=list)
    batches: list[tuple[_Staged, list[tuple[int, Question]]]] = field(default_factory=list)
    answers: list[list[tuple[Question, NDArray[np.float32], NDArray[np.float32]]]] = field(
        default_factory=list
    )
    ready: Any = None


class _Staged:
    """Memory through which the inputs of one network pass to it, and its outputs back.

    Attributes:
        inputs: Float32 ``(rows, width)``.

    Args:
        rows: Most decisions at a time.
        width: Numbers that the network is given for each.
        pinned: Whether an accelerator copies from and to it.
    """

    def __init__(self, rows: int, width: int, *, pinned: bool) -> None:
        self.inputs = th.empty(rows, width, pin_memory=pinned)
        self._pinned = pinned
        self._count = 0
        self._logits = self._outputs = th.zeros(rows, 0)

    def fill(self, parts: list[NDArray[np.float32]]) -> int:
        """Put the parts one after another; returns their rows."""
        into, self._count = self.inputs.numpy(), 0
        for part in parts:
            into[self._count : self._count + len(part)] = part
            self._count += len(part)
        return self._count

    def keep(self, logits: th.Tensor, outputs: th.Tensor | None) -> None:
        """Begin to copy a network's outputs here."""
        self._logits = self._copied(logits, self._logits)
        if outputs is not None:
            self._outputs = self._copied(outputs, self._outputs)

    def _copied(self, new: th.Tensor, kept: th.Tensor) -> th.Tensor:
        if kept.shape[1] != new.shape[1]:
            kept = th.empty(len(self.inputs), new.shape[1], pin_memory=self._pinned)
        kept[: self._count].copy_(new, non_blocking=True)
        return kept

    @property
    def logits(self) -> NDArray[np.float32]:
        """Unmasked logits ``(rows, actions)``, once they have arrived."""
        return self._logits.numpy()

    @property
    def outputs(self) -> NDArray[np.float32]:
        """Outputs of the value part ``(rows, outputs)``, likewise; no columns for opponents."""
        return self._outputs.numpy()
