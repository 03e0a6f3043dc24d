"""Batches jobs that arrive at about the same time.

No job waits for others to join it: it starts as soon as a worker is free, and the jobs that arrive
while all workers are busy form the next batch. Batches therefore grow with the load, and without
load there is no delay.
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
    """Too many jobs are waiting already."""


class Late(Exception):  # noqa: N818 - a state, not a mistake
    """A job took too long, or every worker is busy with jobs that did."""


class _Batch(Generic[Job, Answer]):
    """Jobs that are done together.

    Attributes:
        jobs: The jobs.
        answers: A future for the answer to each job.
        alarm: Timer that goes off when the batch takes too long.
        late: Whether it has gone off.
    """

    def __init__(self, taken: Sequence[tuple[Job, asyncio.Future[Answer]]]) -> None:
        self.jobs = [job for job, _ in taken]
        self.answers = [answer for _, answer in taken]
        self.alarm: asyncio.TimerHandle | None = None
        self.late = False

    def hand_out(self, answers: Sequence[Answer | BaseException]) -> None:
        """Give each job its answer, unless its caller has gone."""
        for waiting, answer in zip(self.answers, answers, strict=True):
            if waiting.done():
                continue
            if isinstance(answer, BaseException):
                waiting.set_exception(answer)
            else:
                waiting.set_result(answer)


class Batcher(Generic[Job, Answer]):
    """Feeds batches of jobs to a function that runs in other threads.

    Args:
        run: Returns one answer for each job of a batch. An answer that is an exception is raised
            where the job was submitted.
        pool: Thread pool in which ``run`` is called; ``None`` calls it in the event loop, for work
            that takes less time than handing it to a thread.
        size: Maximum number of jobs in a batch.
        parallel: Maximum number of batches at a time.
        waiting: Maximum number of jobs that may wait.
        seconds: Time limit for each job of a batch, counted from when a thread starts the batch;
            time in the queue does not count. When it is exceeded, the callers get :class:`Late`.
            The work itself cannot be stopped, so while every running batch is late, new jobs are
            refused. No limit by default, and none without a pool.

    Attributes:
        late: Batches that exceeded their time and are still running.
    """

    def __init__(
        self,
        run: Callable[[Sequence[Job]], Sequence[Answer | Exception]],
        pool: Executor | None,
        *,
        size: int,
        parallel: int = 1,
        waiting: int = 10_000,
        seconds: float | None = None,
    ) -> None:
        self._run = run
        self._pool = pool
        self._size = size
        self._parallel = parallel
        self._waiting = waiting
        self._seconds = seconds
        self._running = 0
        self.late = 0
        self._due = False
        self._queue: deque[tuple[Job, asyncio.Future[Answer]]] = deque()

    async def submit(self, job: Job) -> Answer:
        """Run a job and return its answer.

        Raises:
            Overloaded: If too many jobs are waiting already.
            Late: If it takes too long.
        """
        if self.late >= self._parallel:
            raise Late
        if len(self._queue) >= self._waiting:
            raise Overloaded
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._queue.append((job, answer))
        if not self._due and self._running < self._parallel:
            # Not at once, so that jobs submitted in the same round of the loop join the batch.
            self._due = True
            loop.call_soon(self._start)
        return await answer

    def _start(self) -> None:
        self._due = False
        while self._queue and self._running < self._parallel:
            taken = [self._queue.popleft() for _ in range(min(self._size, len(self._queue)))]
            batch = _Batch([(job, answer) for job, answer in taken if not answer.done()])
            if not batch.jobs:
                continue
            if self._pool is None:
                batch.hand_out(self._run_here(batch.jobs))
                continue
            self._running += 1
            loop = asyncio.get_running_loop()
            work = loop.run_in_executor(self._pool, self._run_there, loop, batch)
            work.add_done_callback(lambda done, batch=batch: self._finish(done, batch))  # type: ignore[misc]

    def _run_here(self, jobs: Sequence[Job]) -> Sequence[Answer | BaseException]:
        try:
            return self._run(jobs)
        except Exception as error:
            return [error] * len(jobs)

    def _run_there(
        self, loop: asyncio.AbstractEventLoop, batch: _Batch[Job, Answer]
    ) -> Sequence[Answer | Exception]:
        if self._seconds is not None:
            loop.call_soon_threadsafe(self._set_alarm, batch, self._seconds * len(batch.jobs))
        return self._run(batch.jobs)

    def _set_alarm(self, batch: _Batch[Job, Answer], seconds: float) -> None:
        loop = asyncio.get_running_loop()
        batch.alarm = loop.call_later(seconds, self._give_up, batch)

    def _give_up(self, batch: _Batch[Job, Answer]) -> None:
        batch.late = True
        self.late += 1
        batch.hand_out([Late()] * len(batch.jobs))
        if self.late >= self._parallel:
            behind: _Batch[Job, Answer] = _Batch(list(self._queue))
            self._queue.clear()
            behind.hand_out([Late()] * len(behind.jobs))

    def _finish(
        self, done: asyncio.Future[Sequence[Answer | Exception]], batch: _Batch[Job, Answer]
    ) -> None:
        self._running -= 1
        self.late -= batch.late
        if batch.alarm is not None:
            batch.alarm.cancel()
        error = done.exception()
        batch.hand_out([error] * len(batch.jobs) if error is not None else done.result())
        self._start()
