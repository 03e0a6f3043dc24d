"""Training and exploiters on Ray: the same as on one machine, whatever dies; errors end it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

from gangland.agents.trained.policy import read_checkpoint
from gangland.arena.workers.on_ray import RayWorkers
from gangland.training.cluster import ClusterError, train_on_ray
from gangland.training.measure.exploit import exploit
from gangland.training.run import BEST, CHECKPOINTS, TENSORBOARD, RunError, last_checkpoint, train
from tests.games import TOY
from tests.training.ray_cluster import SMALL as NODE
from tests.training.ray_cluster import descendants, patient, processes_titled
from tests.training.toy import toy_config

ray = pytest.importorskip("ray", reason="needs gangland[ray]")

pytestmark = pytest.mark.slow

# --- workers --------------------------------------------------------------------------------------

CHANGES = {
    "threads": 1,
    "ppo": {"averaging": 0.9, "tables": 32, "batch_size": 100_000},
    "league": {"share": 0.5},
}


@pytest.mark.usefixtures("cluster")
def test_two_workers_learn_what_two_processes_of_this_machine_learn(tmp_path):
    config = toy_config(**CHANGES, evaluation={"every": 4, "games": 30})
    alone = train(config, tmp_path / "alone", workers=2, device="cpu")
    seen = []
    both = train_on_ray(config, tmp_path / "both", report=seen.append)
    assert both.finished
    assert both.folder.name == alone.folder.name
    assert both.status.worst.win.share == alone.status.worst.win.share
    mine, theirs = (read_checkpoint(outcome.folder).weights["player"] for outcome in (alone, both))
    for name, array in mine.items():
        np.testing.assert_allclose(theirs[name], array, atol=1e-4, err_msg=name)
    assert seen[-1].steps == alone.status.steps
    assert {path.name for path in (tmp_path / "both").iterdir()} >= {CHECKPOINTS, TENSORBOARD, BEST}
    assert not (tmp_path / "both" / "ray").exists()


@pytest.mark.usefixtures("cluster")
def test_a_killed_worker_is_replaced_and_the_training_goes_on(tmp_path):
    config = toy_config(**CHANGES, steps=120_000, checkpoint_minutes=0.1)
    groups, killed = [], []

    def report(status):
        if len(killed) < 2 and status.steps > 20_000 * (1 + len(killed)):
            victim = groups[-1].get(len(killed))  # first one rank, then the other
            if victim is not None:
                killed.append((victim, status.steps))
                os.kill(victim, signal.SIGKILL)

    def started(pids):
        if not groups or groups[-1].keys() & pids.keys():
            groups.append({})
        groups[-1].update(pids)

    outcome = train_on_ray(config, tmp_path / "run", report=report, started=started)
    assert outcome.finished
    assert outcome.status.steps >= 120_000
    assert len(killed) == 2
    assert len(groups) == 3


@pytest.mark.usefixtures("cluster")
def test_it_stops_when_asked_and_goes_on_with_another_number_of_workers(tmp_path):
    config, out = toy_config(**CHANGES, steps=60_000), tmp_path / "run"
    first = train_on_ray(config, out, stop=lambda status: status.steps > 5_000)
    assert not first.finished
    assert 5_000 < first.status.steps < 60_000
    with pytest.raises(RunError, match="--resume continues it"):
        train_on_ray(config, out)
    second = train_on_ray(config, out, workers=3, resume=True)
    assert second.finished
    assert second.folder.name > first.folder.name


@pytest.mark.usefixtures("cluster")
def test_an_error_of_the_training_ends_it_and_is_reported(tmp_path):
    config = toy_config(**CHANGES)
    config.start_from = str(tmp_path / "nowhere")
    with pytest.raises(ClusterError, match="no checkpoint at"):
        train_on_ray(config, tmp_path / "run")


def test_too_few_tables_are_refused_before_anything_starts(tmp_path):
    with pytest.raises(Exception, match=r"ppo\.tables=4: must be at least 9"):
        train_on_ray(toy_config(threads=3, ppo={"tables": 4}), tmp_path / "run", workers=3)
    assert not (tmp_path / "run").exists()


# --- workers hang, actors and drivers are killed, and disks are full ------------------------------

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
            cluster.add_node(wait=False, **NODE)  # however long that takes

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


# --- ``gangland exploit``: exploiters side by side, with the results of a local run ---------------

SHORT = {"decisions": 40_000, "points": 2, "games": 60, "final_games": 600}


@pytest.mark.usefixtures("cluster")
def test_figures_are_those_of_a_local_run_also_after_a_kill(tmp_path):
    train(toy_config(steps=600), tmp_path / "bot", device="cpu")
    bot = f"ppo:{tmp_path / 'bot'}"
    here = exploit(TOY, bot, tmp_path / "here", device="cpu", **SHORT)
    killed, over = [], threading.Event()

    def kill_one():
        while not over.wait(0.5) and not killed:
            for victim in processes_titled("ray::_task")[:1]:
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

    killer = threading.Thread(target=kill_one)
    killer.start()
    there = exploit(TOY, bot, tmp_path / "there", device="cpu", workers=RayWorkers(ray), **SHORT)
    over.set()
    killer.join()
    assert killed
    starts = ["nothing", "itself", "taught"]
    assert [curve.start for curve in there.curves] == starts
    for one, other in zip(here.curves, there.curves, strict=True):
        assert one.points == other.points
        assert (one.share, one.low, one.high) == (other.share, other.low, other.high)
    for start in starts:
        kept = [last_checkpoint(tmp_path / where / f"player-from-{start}")
                for where in ("here", "there")]  # fmt: skip
        assert kept[0].name == kept[1].name
        weights = [(folder / "policy.safetensors").read_bytes() for folder in kept]
        assert weights[0] == weights[1]
    # What is there is not trained again.
    again = exploit(TOY, bot, tmp_path / "there", device="cpu", workers=RayWorkers(ray), **SHORT)
    assert json.dumps(again.to_dict()) == json.dumps(there.to_dict())
