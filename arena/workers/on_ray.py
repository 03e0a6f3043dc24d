"""Ray: the connection to a cluster, and pieces of work as its tasks."""

from __future__ import annotations

import importlib
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...envs.core.errors import GanglandError, MissingDependencyError
from ...envs.core.integers import MAX_PLIES, whole_number
from .base import Piece, Result, Shared, Watch, Work, Workers, cores

LOCAL = "local"
"""In place of an address: a cluster of this machine alone, which ends with what is done on it."""

RETRIES = 10
"""Times that a piece is begun again after the process or node that worked on it has died."""


ATTEMPTS = 3
"""Times that a cluster of this machine is started before giving up, as on a busy one."""

LARGEST = 2
"""Processors that the largest pieces take: those in which an exploiter is trained."""


class ClusterError(GanglandError, RuntimeError):
    """A cluster cannot be used as asked, or the work on it has failed."""


@contextmanager
def connected(address: str, cpus: float = 0.0, part: str = "ray") -> Iterator[Any]:
    """Ray, connected; disconnected afterwards unless it had been before.

    Args:
        address: Of the cluster, as for ``ray.init``, or ``local``. A cluster that this process is
            connected to already is used as it is.
        cpus: Processors that the work takes: a cluster of this machine alone gives out so many
            even if it has fewer, which then share their time.
        part: Module of Ray that the work needs, such as ``ray.train.torch``.

    Raises:
        MissingDependencyError: If Ray is not installed.
        ClusterError: If there is no such cluster.
    """
    try:
        import ray

        importlib.import_module(part)
    except ImportError as error:
        raise MissingDependencyError(
            f"Ray is not installed: pip install 'gangland[ray]' ({error})"
        ) from error
    if ray.is_initialized():
        yield ray
        return
    logging.getLogger("ray").setLevel(logging.ERROR)
    # A cluster that is started for this work alone sends no usage statistics.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    _start(ray, address, cpus)
    try:
        yield ray
    finally:
        ray.shutdown()


def _start(ray: Any, address: str, cpus: float) -> None:
    """Connect to a cluster, or start one.

    Raises:
        ClusterError: If there is no such cluster, or it does not start.
    """
    local = address == LOCAL
    for left in reversed(range(ATTEMPTS if local else 1)):
        try:
            ray.init(
                # By name: without an address, Ray joins any cluster that runs on this machine.
                address=address,
                num_cpus=max(cores(), round(cpus)) if local else None,
                log_to_driver=False,
                logging_level=logging.ERROR,
                include_dashboard=False if local else None,
            )
            return
        except (ConnectionError, ValueError) as error:
            why = str(error).splitlines()[0]
            raise ClusterError(f"Ray cluster {address}: cannot be reached: {why}") from error
        except Exception as error:  # a plain one, if it takes more than half a minute
            ray.shutdown()
            if not left:
                why = str(error).splitlines()[0]
                raise ClusterError(f"Ray cluster {address}: does not start: {why}") from error


@contextmanager
def ray_workers(address: str = LOCAL, most: int | None = None) -> Iterator[RayWorkers]:
    """A cluster's processors as workers, while the context lasts.

    Args:
        address: Of the cluster; see :func:`connected`.
        most: Most processors to take; ``None`` for all.

    Raises:
        MissingDependencyError: If Ray is not installed.
        ClusterError: If there is no such cluster.
        IntegerError: If ``most`` is no integer from 1.
    """
    if most is not None:
        most = whole_number("workers", most, 1, MAX_PLIES)
    with connected(address, cpus=max(LARGEST, most or 0)) as ray:
        yield RayWorkers(ray, most)


class RayWorkers(Workers):
    """Tasks on a Ray cluster, one processor each unless they are given more.

    A task whose process or node dies is begun again somewhere else.

    Args:
        ray: Ray, connected.
        most: Most tasks at a time; ``None`` for as many as the cluster has processors.
    """

    def __init__(self, ray: Any, most: int | None = None) -> None:
        self._ray = ray
        self._most = most

    @property
    def count(self) -> int:
        """Tasks that run at the same time."""
        processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return processors if self._most is None else self._most

    def results(
        self,
        work: Work[Shared, Piece, Result],
        shared: Shared,
        pieces: Sequence[Piece],
        report: Callable[[int], None] = lambda ended: None,
        processors: int = 1,
    ) -> Generator[tuple[int, Result]]:
        """The number and the result of every piece; see :meth:`Workers.results`.

        Raises:
            ClusterError: If a piece has failed for good because those that worked on it died.
        """
        task = self._ray.remote(num_cpus=processors, max_retries=RETRIES)(_task)
        # Inside a list, it stays a reference, which a process resolves once for all its pieces.
        kept = [self._ray.put(shared)]
        # Some wait in line, so that no processor does, and that a cluster that can grow grows.
        room = max(1, (self._most or 2 * self.count) // processors)
        waiting: dict[Any, int] = {}
        coming = iter(enumerate(pieces))
        try:
            while True:
                while len(waiting) < room and (following := next(coming, None)) is not None:
                    number, piece = following
                    waiting[task.remote(work, kept, piece)] = number
                if not waiting:
                    return
                (done, *_), _ = self._ray.wait(list(waiting), num_returns=1)
                result = self._result(done)
                report(len(result))
                yield waiting.pop(done), result
        finally:
            for running in waiting:
                self._ray.cancel(running, force=True)

    def _result(self, reference: Any) -> Any:
        """A task's result; what it has raised, without the frames of another process."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, GanglandError):
                raise error.cause from None
            raise
        except errors.RayError as error:
            why = str(error).splitlines()[0]
            raise ClusterError(f"a task on Ray has failed: {why}") from error


# --- in the workers -------------------------------------------------------------------------------

_KEPT = 2
_shared: OrderedDict[str, Any] = OrderedDict()
"""What the latest tasks of this process shared, by its reference's number."""


def _task(work: Work[Any, Any, Any], kept: list[Any], piece: Any) -> Any:
    """One piece, in a process of the cluster."""
    import ray

    (reference,) = kept
    key = reference.hex()
    if key not in _shared:
        _shared[key] = ray.get(reference)
    _shared.move_to_end(key)
    while len(_shared) > _KEPT:
        _shared.popitem(last=False)
    return work(_shared[key], piece, Watch())
