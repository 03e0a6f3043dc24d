"""The benchmark: versioned tasks with frozen opponents, and results that can be verified.

- :mod:`~gangland.arena.benchmark.tasks`: the tasks, declared in ``tasks.json``, and whether what is
  installed is a task's pool;
- :mod:`~gangland.arena.benchmark.play`: plays a task;
- :mod:`~gangland.arena.benchmark.submission`: the file with a result, and its tables;
- :mod:`~gangland.arena.benchmark.summary`: worst rows, and their mean over training seeds;
- :mod:`~gangland.arena.benchmark.check`: verifies a submission.
"""

from ..hashes import hashes_of
from .check import problems_of
from .play import play_task
from .submission import About, Submission, SubmissionError, as_tables, read_submission
from .summary import bootstrap_interval, summarise
from .tasks import (
    PoolError,
    Task,
    TaskError,
    all_tasks,
    check_pool,
    find_task,
    next_version,
    write_tasks,
)

__all__ = [
    "About",
    "PoolError",
    "Submission",
    "SubmissionError",
    "Task",
    "TaskError",
    "all_tasks",
    "as_tables",
    "bootstrap_interval",
    "check_pool",
    "find_task",
    "hashes_of",
    "next_version",
    "play_task",
    "problems_of",
    "read_submission",
    "summarise",
    "write_tasks",
]
