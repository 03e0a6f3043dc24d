"""A Ray cluster for tests: two nodes on this machine."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path

import pytest

FULL = "GANGLAND_TEST_FULL_DISK"
"""Names a file: while it exists, workers write no checkpoints, for what it says or a full disk."""

SMALL = {"num_cpus": 2, "object_store_memory": 100_000_000}
"""A node."""


def set_up_worker():
    """In each worker: lets the disk be full when that is wanted."""
    flush = os.fsync

    def flush_or_fail(file):
        found = Path(os.environ[FULL])
        if found.exists():
            if why := found.read_text():
                raise ArithmeticError(why)
            raise OSError(errno.ENOSPC, "No space left on device")
        flush(file)

    os.fsync = flush_or_fail


def patient():
    """Make a cluster that is started here get along on a busy machine."""
    os.environ |= {
        "RAY_worker_niceness": "0",
        "RAY_worker_register_timeout_seconds": "600",
        "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S": "600",
    }


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two nodes, each with two processors to give."""
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    patient()
    full = tmp_path_factory.mktemp("disk") / "full"
    made = started_cluster()
    ray.init(
        address=made.address,
        log_to_driver=False,
        logging_level=logging.ERROR,
        runtime_env={
            "worker_process_setup_hook": set_up_worker,
            "env_vars": {"PYTHONPATH": str(Path(__file__).parents[2]), FULL: str(full)},
        },
    )
    made.full = full
    yield made
    ray.shutdown()
    made.shutdown()


def started_cluster():
    """Ray waits half a minute for a node, which on a busy machine is not always enough."""
    from ray.cluster_utils import Cluster

    for left in reversed(range(5)):
        made = Cluster()
        try:
            made.add_node(**SMALL, include_dashboard=False)
            made.add_node(**SMALL)
            return made
        except Exception:  # a plain one
            made.shutdown()
            if not left:
                raise
    raise AssertionError


def processes_titled(title: str) -> list[int]:
    """Processes that descend from this one and whose title begins so; other clusters are spared."""
    return [each for each, text in descendants(os.getpid()).items() if text.startswith(title)]


def descendants(ancestor: int) -> dict[int, str]:
    """All processes that descend from a process, with their titles."""
    parents, titles = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            titles[int(path.name)] = (path / "cmdline").read_bytes().decode(errors="replace")
        except OSError:  # it has ended meanwhile
            continue
        parents[int(path.name)] = int(fields[1])

    def descends(process: int) -> bool:
        while process in parents:
            process = parents[process]
            if process == ancestor:
                return True
        return False

    return {each: text for each, text in titles.items() if descends(each)}
