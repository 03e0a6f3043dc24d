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


class Late(Exception):  # noqa: N818 - a state, not a mistake
    """A job has taken too long, or waits behind nothing but such jobs."""


class _Batch(Generic[Job, Answer]):
    """Jobs that are done together.

    Attributes:
        jobs: The jobs.
        answers: Where the answer to each job goes.
        alarm: Rings when they take too long.
        late: Whether it has rung.
    """

    def __init__(self, taken: Sequence[tuple[Job, asyncio.Future[Answer]]]) -> None:
        self.jobs = [job for job, _ in taken]
        self.answers = [answer for _, answer in taken]
        self.alarm: asyncio.TimerHandle | None = None
        self.late = False

    def hand_out(self, answers: Sequence[Answer | BaseException]) -> None:
        """Give each job its answer, if somebody still waits for it."""
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
        run: Gives an answer for each job of a batch; an exception is an answer that is raised
            where the job was submitted.
        pool: Where ``run`` is called; ``None`` for work so short that a thread's turn would take
            longer than it.
        size: The most jobs of a batch.
        parallel: The most batches at a time.
        waiting: The most jobs that may wait.
        seconds: Time for each job of a batch, from when a thread takes the batch up: waiting costs
            nothing. Whoever asked is then told :class:`Late`; the work itself cannot be stopped,
            so while all that runs is late, nothing else is taken. No bound by default, and none
            without a pool.

    Attributes:
        late: Batches that have taken too long and still run.
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
        """The answer to a job.

        Raises:
            Overloaded: If too many jobs wait already.
            Late: If it took too long.
        """
        if self.late >= self._parallel:
            raise Late
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
