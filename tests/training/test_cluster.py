"""Training on Ray: the same as in processes of one machine, whatever dies; errors end it."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

from gangland.agents.trained.policy import read_checkpoint
from gangland.training.cluster import ClusterError, train_on_ray
from gangland.training.run import BEST, CHECKPOINTS, TENSORBOARD, RunError, train
from tests.training.toy import toy_config

ray = pytest.importorskip("ray", reason="needs gangland[ray]")

pytestmark = pytest.mark.slow

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
