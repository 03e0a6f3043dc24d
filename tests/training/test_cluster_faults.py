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
import torch as th

from gangland.training.cluster import ClusterError, train_on_ray
from gangland.training.population.league import EXPLOITER
from gangland.training.run import CHECKPOINTS, last_checkpoint
from tests.training.ray_cluster import SMALL, descendants, patient, processes_titled
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


def exploiters_in(folder):
    state = th.load(folder / "trainer.pt", weights_only=True)
    names = [member["name"] for member in state["collector"]["league"]["members"]]
    return [name for name in names if name.startswith(EXPLOITER)]


@pytest.mark.usefixtures("cluster")
def test_exploiters_train_beside_the_workers_and_are_replaced_when_killed(tmp_path):
    asked = {"every": 10, "decisions": 100_000, "games": 100, "most": 2}
    # The policy does not learn, so that every exploiter beats it.
    changes = {
        **CHANGES,
        "ppo": {**CHANGES["ppo"], "learning_rate": 1e-12},
        "league": {**CHANGES["league"], "exploiters": asked},
        "steps": 10**9,
        "checkpoint_minutes": 0.05,
    }
    groups, killed, seen = Groups(), [], []

    def stop(status):
        victims = [] if killed else processes_titled("ray::ExploiterActor.train")
        for victim in victims[:1]:
            os.kill(victim, signal.SIGKILL)
            killed.append(status.steps)
        newest = last_checkpoint(tmp_path / "run")
        if newest is not None and newest not in seen:
            seen.append(newest)
            return len(exploiters_in(newest)) == 2
        return False

    outcome = train_on_ray(
        toy_config(**changes), tmp_path / "run", stop=stop, started=groups.started
    )
    assert not outcome.finished
    assert killed
    assert len(groups) == 1  # the workers have gone on
    names = exploiters_in(outcome.folder)
    assert len(names) == 2
    assert killed[0] < outcome.status.steps
    assert all(int(name.removeprefix(EXPLOITER)) % 10 == 0 for name in names)


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
