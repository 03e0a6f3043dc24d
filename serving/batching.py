"""Work that is done together when it comes together.

Nobody waits for company: a job is taken up at once, and what arrives while workers are busy makes
the next batch. Under load batches grow by themselves, without it the delay is nil.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class Overloaded(Exception):  # noqa: N818 - a state, not a mistake
    """More jobs wait than the batcher takes."""


class Batcher(Generic[Job, Answer]):
    """Feeds batches of jobs to a function that runs in other threads.

    Args:
        run: Gives an answer for each job of a batch; an exception is an answer that is raised
            where the job was submitted.
        pool: Where ``run`` is called; ``None`` for work so short that a thread's turn would take
            longer than it.
        size: The most jobs of a batch.
        parallel: The most batches at a time.
        waiting: The most jobs that may wait.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Job]], Sequence[Answer | Exception]],
        pool: Executor | None,
        *,
        size: int,
        parallel: int = 1,
        waiting: int = 10_000,
    ) -> None:
        self._run = run
        self._pool = pool
        self._size = size
        self._parallel = parallel
        self._waiting = waiting
        self._running = 0
        self._due = False
        self._queue: deque[tuple[Job, asyncio.Future[Answer]]] = deque()

    async def submit(self, job: Job) -> Answer:
        """The answer to a job.

        Raises:
            Overloaded: If too many jobs wait already.
        """
        if len(self._queue) >= self._waiting:
            raise Overloaded
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._queue.append((job, answer))
        if not self._due and self._running < self._parallel:
            # Not at once: others that are ready in this round of the loop come along.
            self._due = True
            loop.call_soon(self._start)
        return await answer

    def _start(self) -> None:
        self._due = False
        while self._queue and self._running < self._parallel:
            taken = [self._queue.popleft() for _ in range(min(self._size, len(self._queue)))]
            batch = [(job, answer) for job, answer in taken if not answer.done()]
            if not batch:
                continue
            jobs = [job for job, _ in batch]
            if self._pool is None:
                self._hand_out(self._run_here(jobs), batch)
                continue
            self._running += 1
            work = asyncio.get_running_loop().run_in_executor(self._pool, self._run, jobs)
            work.add_done_callback(lambda done, batch=batch: self._finish(done, batch))  # type: ignore[misc]

    def _run_here(self, jobs: Sequence[Job]) -> Sequence[Answer | BaseException]:
        try:
            return self._run(jobs)
        except Exception as error:
            return [error] * len(jobs)

    def _finish(
        self,
        done: asyncio.Future[Sequence[Answer | Exception]],
        batch: list[tuple[Job, asyncio.Future[Answer]]],
    ) -> None:
        self._running -= 1
        error = done.exception()
        self._hand_out([error] * len(batch) if error is not None else done.result(), batch)
        self._start()

    @staticmethod
    def _hand_out(
        answers: Sequence[Answer | BaseException], batch: list[tuple[Job, asyncio.Future[Answer]]]
    ) -> None:
        for (_, waiting), answer in zip(batch, answers, strict=True):
            if waiting.done():
                continue
            if isinstance(answer, BaseException):
                waiting.set_exception(answer)
            else:
                waiting.set_result(answer)
