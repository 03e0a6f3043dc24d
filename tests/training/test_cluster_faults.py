"""Training on Ray when workers hang, actors and drivers are killed, and disks are full."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from gangland.training.cluster import ClusterError, train_on_ray
from gangland.training.run import CHECKPOINTS, last_checkpoint
from tests.training.ray_cluster import SMALL, descendants, patient
from tests.training.toy import toy_config

ray = pytest.importorskip("ray", reason="needs gangland[ray]")

pytestmark = pytest.mark.slow

CHANGES = {
    "threads": 1,
    "ppo": {"averaging": 0.9, "tables": 32, "batch_size": 100_000},
    "league": {"share": 0.5},
}
ROLLOUT = 32 * 8
"""Most decisions of a rollout."""


class Groups(list):
    """Process ids by rank of each group of workers that has been started."""

    def started(self, pids):
        if not self or self[-1].keys() & pids.keys():
            self.append({})
        self[-1].update(pids)


def step_of(folder):
    return int(folder.name.removeprefix("step-"))


@pytest.mark.usefixtures("cluster")
def test_a_worker_that_hangs_is_noticed(tmp_path):
    groups, stopped = Groups(), []

    def report(status):
        if not stopped and groups and 1 in groups[-1] and status.steps > 4 * ROLLOUT:
            stopped.append(groups[-1][1])
            os.kill(stopped[0], signal.SIGSTOP)

    config = toy_config(**CHANGES, steps=40_000, checkpoint_minutes=0.05)
    outcome = train_on_ray(
        config, tmp_path / "run", report=report, started=groups.started, timeout=30
    )
    assert stopped
    assert outcome.finished
    assert len(groups) >= 2


def test_a_node_that_dies_is_done_without_until_there_is_another(cluster, tmp_path):
    """Three workers of one processor each do not fit on the node that stays."""
    (victim,) = cluster.worker_nodes
    groups, died = Groups(), []

    def report(status):
        if not died and groups and len(groups[-1]) == 3 and status.steps > 4 * ROLLOUT:
            died.append(status.steps)
            cluster.remove_node(victim, allow_graceful=False)
            cluster.add_node(wait=False, **SMALL)  # however long that takes

    config = toy_config(**CHANGES, steps=40_000, checkpoint_minutes=0.05)
    outcome = train_on_ray(
        config, tmp_path / "run", workers=3, report=report, started=groups.started
    )
    assert died
    assert outcome.finished
    assert outcome.status.steps >= 40_000
    assert len(groups) >= 2


DRIVER = """
    import sys
    from pathlib import Path

    import ray

    from gangland.training.cluster import train_on_ray
    from tests.training.ray_cluster import FULL, set_up_worker
    from tests.training.toy import toy_config

    address, full, out = sys.argv[1:]
    if address != "local":
        ray.init(
            address=address,
            log_to_driver=False,
            runtime_env={
                "worker_process_setup_hook": set_up_worker,
                "env_vars": {"PYTHONPATH": str(Path.cwd()), FULL: full},
            },
        )
    config = toy_config(threads=1, steps=10**9, checkpoint_minutes=0,
                        ppo={"tables": 32, "batch_size": 100_000})
    train_on_ray(config, Path(out), report=lambda status: print("at", status.steps, flush=True))
"""


@pytest.mark.parametrize("head", [False, True], ids=["driver", "head"])
def test_a_killed_driver_or_head_loses_one_interval_at_most(cluster, tmp_path, head):
    """With a checkpoint after every rollout, that is one rollout.

    Whoever starts a cluster is its head: with the driver, everything that it has started dies.
    """
    out = tmp_path / "run"
    patient()
    address = "local" if head else cluster.address
    driver = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(DRIVER), address, str(cluster.full), out],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    at = 0
    for line in driver.stdout:
        found = re.fullmatch(r"at (\d+)\n", line)
        at = int(found[1]) if found else at
        if at > 6 * ROLLOUT:
            started = descendants(driver.pid)
            driver.kill()
            if head:
                assert any("raylet" in title for title in started.values())
                for process in started:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
            break
    assert driver.wait() == -signal.SIGKILL
    kept = step_of(last_checkpoint(out))
    assert at - ROLLOUT <= kept
    steps = []
    config = toy_config(threads=1, steps=kept + 1000, ppo={"tables": 32, "batch_size": 100_000})
    outcome = train_on_ray(
        config, out, resume=True, report=lambda status: steps.append(status.steps)
    )
    assert outcome.finished
    assert kept <= steps[0]
    assert kept + 1000 <= steps[-1] < kept + 1000 + 2 * ROLLOUT


def test_a_full_disk_ends_it_with_a_message_and_leaves_nothing_half_made(cluster, tmp_path):
    out = tmp_path / "run"
    config = toy_config(**CHANGES, steps=10**9, checkpoint_minutes=0)

    def report(status):
        if status.steps > 4 * ROLLOUT:
            cluster.full.touch()

    try:
        with pytest.raises(ClusterError, match=r"cannot be written: .*No space left on device"):
            train_on_ray(config, out, report=report)
    finally:
        cluster.full.unlink()
    assert not list(out.rglob(".draft*"))
    kept = last_checkpoint(out)
    config = toy_config(**CHANGES, steps=step_of(kept) + 1000)
    assert train_on_ray(config, out, resume=True).finished


@pytest.mark.usefixtures("cluster")
def test_storage_by_url(tmp_path):
    config = toy_config(**CHANGES, steps=10**9, checkpoint_minutes=0.02)
    kept = tmp_path / "kept"
    outcome = train_on_ray(
        config,
        tmp_path / "run",
        storage=kept.as_uri(),
        stop=lambda status: last_checkpoint(tmp_path / "run") is not None,
    )
    assert not outcome.finished
    assert list(kept.rglob("policy.safetensors"))
    assert not (tmp_path / "run" / "ray").exists()
    assert outcome.folder.parent.name == CHECKPOINTS
    with pytest.raises(ClusterError, match="nowhere"):
        train_on_ray(config, tmp_path / "other", storage="nowhere://bucket/gangland")


def test_workers_that_always_die_are_given_up(cluster, tmp_path):
    """An error that is no message for people, as from torch, may pass; not five times in a row."""
    cluster.full.write_text("it happens always")
    try:
        with pytest.raises(ClusterError, match=r"5 times without getting further: .*Error"):
            train_on_ray(toy_config(**CHANGES), tmp_path / "run")
    finally:
        cluster.full.unlink()
