"""A training in several processes of this machine, as ``gangland train --workers N`` starts it."""

from __future__ import annotations

import multiprocessing
import os
import signal

import numpy as np
import pytest

from gangland.agents.trained.policy import read_checkpoint
from gangland.training.config import ConfigError
from gangland.training.run import RunError, train
from tests.training.toy import toy_config

CHANGES = {"threads": 1, "ppo": {"tables": 32}, "league": {"share": 0.5}}


def test_two_workers_train_one_network(tmp_path):
    config = toy_config(**CHANGES, steps=2000)
    seen = []
    outcome = train(config, tmp_path / "run", workers=2, device="cpu", report=seen.append)
    assert outcome.finished
    assert outcome.status.steps >= 2000
    assert seen[-1].steps == outcome.status.steps
    assert not multiprocessing.active_children()
    again = train(config, tmp_path / "again", workers=2, device="cpu")
    first, second = (read_checkpoint(one.folder).weights["player"] for one in (outcome, again))
    for name, array in first.items():
        assert np.array_equal(second[name], array), name


def test_a_worker_that_is_killed_ends_the_training_and_says_so(tmp_path):
    def report(status):
        for process in multiprocessing.active_children():
            os.kill(process.pid, signal.SIGKILL)

    config = toy_config(**CHANGES, steps=10**9)
    with pytest.raises(RunError, match="process 1 of the training has ended with exit code -9"):
        train(config, tmp_path / "run", workers=2, device="cpu", report=report)
    assert not multiprocessing.active_children()


def test_the_first_interruption_saves_and_ends_all_of_them(tmp_path):
    asked = []

    def report(status):
        if status.steps > 500 and not asked:
            asked.append(status.steps)
            os.kill(os.getpid(), signal.SIGINT)

    config = toy_config(**CHANGES, steps=10**9)
    outcome = train(config, tmp_path / "run", workers=2, device="cpu", report=report)
    assert not outcome.finished
    assert not multiprocessing.active_children()
    further = toy_config(**CHANGES, steps=outcome.status.steps + 500)
    assert train(further, tmp_path / "run", workers=2, resume=True, device="cpu").finished


def test_an_error_in_all_of_them_is_the_first_ones(tmp_path):
    config = toy_config(**CHANGES, steps=2000, start_from=str(tmp_path / "nowhere"))
    with pytest.raises(Exception, match="no checkpoint at"):
        train(config, tmp_path / "run", workers=2, device="cpu")
    assert not multiprocessing.active_children()


def test_more_workers_than_tables_are_refused_before_anything_starts(tmp_path):
    config = toy_config(**{**CHANGES, "ppo": {"tables": 2}}, steps=2000)
    with pytest.raises(ConfigError, match=r"ppo\.tables=2: must be at least 3"):
        train(config, tmp_path / "run", workers=3, device="cpu")
    assert not (tmp_path / "run").exists()
