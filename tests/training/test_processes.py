"""A training in several processes, as ``gangland train --workers N`` starts it on one machine."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
from datetime import timedelta
from functools import partial

import numpy as np
import pytest
import torch as th
from stable_baselines3.common.logger import Logger

from gangland.agents.trained.policy import read_checkpoint
from gangland.training.cluster.driver import backend_for
from gangland.training.config import ConfigError
from gangland.training.learner.loss import PPOLoss
from gangland.training.processes import ALONE, Processes, TorchProcesses
from gangland.training.rollout.buffer import shard_bounds
from gangland.training.rollout.thread_pool import single_thread
from gangland.training.run import CHECKPOINTS, RunError, last_checkpoint, train, train_together
from gangland.training.selfplay import make_trainer
from tests.training.toy import toy_config

# --- from outside ---------------------------------------------------------------------------------

SMALL = {"threads": 1, "ppo": {"tables": 32}, "league": {"share": 0.5}}


def test_two_workers_train_one_network(tmp_path):
    config = toy_config(**SMALL, steps=2000)
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

    config = toy_config(**SMALL, steps=10**9)
    with pytest.raises(RunError, match="process 1 of the training has ended with exit code -9"):
        train(config, tmp_path / "run", workers=2, device="cpu", report=report)
    assert not multiprocessing.active_children()


def test_the_first_interruption_saves_and_ends_all_of_them(tmp_path):
    asked = []

    def report(status):
        if status.steps > 500 and not asked:
            asked.append(status.steps)
            os.kill(os.getpid(), signal.SIGINT)

    config = toy_config(**SMALL, steps=10**9)
    outcome = train(config, tmp_path / "run", workers=2, device="cpu", report=report)
    assert not outcome.finished
    assert not multiprocessing.active_children()
    further = toy_config(**SMALL, steps=outcome.status.steps + 500)
    assert train(further, tmp_path / "run", workers=2, resume=True, device="cpu").finished


def test_an_error_in_all_of_them_is_the_first_ones(tmp_path):
    config = toy_config(**SMALL, steps=2000, start_from=str(tmp_path / "nowhere"))
    with pytest.raises(Exception, match="no checkpoint at"):
        train(config, tmp_path / "run", workers=2, device="cpu")
    assert not multiprocessing.active_children()


def test_more_workers_than_tables_are_refused_before_anything_starts(tmp_path):
    config = toy_config(**{**SMALL, "ppo": {"tables": 2}}, steps=2000)
    with pytest.raises(ConfigError, match=r"ppo\.tables=2: must be at least 3"):
        train(config, tmp_path / "run", workers=3, device="cpu")
    assert not (tmp_path / "run").exists()


# --- inside: as many threads of one process play and learn ----------------------------------------

CHANGES = {
    "ppo": {"batch_size": 100_000, "averaging": 0.9, "tables": 30, "learning_rate": 1e-3},
    "league": {"share": 0.5, "snapshot_every": 2},
}


def _enter(rank, size, place, work):
    """What one of the processes answers."""
    th.distributed.init_process_group(
        "gloo", f"file://{place}", rank=rank, world_size=size, timeout=timedelta(minutes=5)
    )
    try:
        with single_thread():
            return work(TorchProcesses())
    finally:
        th.distributed.destroy_process_group()


def _answer(answers, rank, *rest):
    answers.put((rank, _enter(rank, *rest)))


def together(size, tmp_path, work):
    """What each of ``size`` processes answers; this one is the first of them."""
    context = multiprocessing.get_context("spawn")
    place = tmp_path / "rendezvous"
    place.unlink(missing_ok=True)
    answers = context.Queue()
    started = [
        context.Process(target=_answer, args=(answers, rank, size, place, work))
        for rank in range(1, size)
    ]
    for process in started:
        process.start()
    box = {0: _enter(0, size, place, work)}
    box |= dict(answers.get(timeout=300) for _ in started)
    for process in started:
        process.join(300)
        assert process.exitcode == 0
    return [box[rank] for rank in range(size)]


def a_rollout(processes, threads=1, count=1):
    """Weights, metrics, league and counts after some rollouts."""
    trainer = make_trainer(toy_config(**CHANGES, threads=threads), "cpu", processes)
    decisions = 0
    for _ in range(count):
        decisions += trainer.collector.collect(0.0)
        trainer.train()
    (learner,), league = trainer.learners, trainer.collector.league
    logged = learner.logger.name_to_value
    reported = {
        "weights": learner.network.weights(),
        "metrics": {
            name: round(value, 4)
            for name, value in logged.items()
            if name.startswith("train/") and name != "train/explained_variance"
        },
        "decisions": decisions,
        "games": trainer.collector.finished_games,
        "league": [(m.name, round(m.wins, 9), round(m.games, 9)) for m in league.members],
        "here": learner.buffer.size,
    }
    trainer.collector.close()
    return reported


def test_two_processes_play_and_learn_what_two_threads_do(tmp_path):
    with single_thread():
        alone = a_rollout(ALONE, threads=2)
    both = together(2, tmp_path, a_rollout)
    for one in both:
        assert 0 < one["here"] < alone["here"]
        for key in ("decisions", "games", "league", "metrics"):
            assert one[key] == alone[key], key
        for name, array in alone["weights"].items():
            np.testing.assert_allclose(one["weights"][name], array, atol=1e-6, err_msg=name)
        for name, array in both[0]["weights"].items():
            assert np.array_equal(one["weights"][name], array), name
    assert sum(one["here"] for one in both) == alone["here"]


class Beside(Processes):
    """One of two processes, the other of which has some decisions, and gradients of nothing."""

    def total(self, numbers):
        if numbers.ndim != 2:
            return numbers
        return numbers + np.array([8.0, 0.0, 8.0])

    def add(self, tensors):
        self.added = [tensor.clone() for tensor in tensors]


def test_a_process_without_decisions_waits_for_what_the_others_have_learnt():
    beside = Beside(0, 2)
    trainer = make_trainer(toy_config(**CHANGES, threads=1), "cpu", beside)
    trainer.collector.collect(0.0)
    (learner,) = trainer.learners
    learner.buffer._trained = learner.buffer._trained[:0]
    before = learner.network.weights()
    metrics = learner.learn(PPOLoss(0.2, 0.0), 0.0)
    assert {name: list(values) for name, values in metrics.items()} == {
        name: [0.0] * learner.config.epochs for name in PPOLoss.metrics
    }
    assert len(beside.added) == len(before) + 1
    assert not any(tensor.any() for tensor in beside.added)
    trainer.collector.close()


def small_minibatches(processes):
    """The same weights everywhere after minibatches and normalised advantages."""
    config = toy_config(**{**CHANGES, "ppo": {"batch_size": 64, "tables": 31}})
    trainer = make_trainer(config, "cpu", processes)
    for _ in range(3):
        trainer.collector.collect(0.0)
        trainer.train()
    trainer.collector.close()
    return trainer.weights()["player"], trainer.learners[0].updates


@pytest.mark.slow
def test_all_processes_hold_the_same_weights(tmp_path):
    (first, updates), (second, others) = together(2, tmp_path, small_minibatches)
    assert updates == others
    for name, array in first.items():
        assert np.array_equal(second[name], array), name


def train_some(processes, out, last, steps, until=math.inf):
    """A run of a few rollouts; what each process was given of its checkpoints."""
    reported = []
    config = toy_config(**CHANGES, steps=steps, threads=1, checkpoint_minutes=0)
    outcome = train_together(
        config,
        out,
        last,
        device="cpu",
        logger=Logger(None, []),
        stop=lambda status: status.steps >= until,
        saved=lambda folder: reported.append(folder and folder.name),
        processes=processes,
    )
    return reported, outcome.finished


@pytest.mark.slow
def test_checkpoints_are_written_once_and_gone_on_from_by_any_number(tmp_path):
    out = tmp_path / "run"
    first, second = together(2, tmp_path, partial(train_some, out=out, last=None, steps=800))
    assert first[1]
    assert second[1]
    assert len(first[0]) == len(second[0]) > 2
    assert set(second[0]) == {None}
    last = last_checkpoint(out)
    assert last.name == first[0][-1]
    assert len(th.load(last / "trainer.pt", weights_only=True)["tables"]) == 2
    together(3, tmp_path, partial(train_some, out=out, last=last, steps=1600))
    further = last_checkpoint(out)
    assert further.name > last.name
    config = toy_config(**CHANGES, steps=2400, threads=1)
    assert train(config, out, resume=True, device="cpu").folder.name > further.name
    assert len(list((out / CHECKPOINTS).glob("step-*"))) == 2


@pytest.mark.slow
def test_a_run_in_two_processes_goes_on_as_if_nothing_had_been(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    together(2, tmp_path, partial(train_some, out=whole, last=None, steps=1600))
    together(2, tmp_path, partial(train_some, out=parts, last=None, steps=1600, until=800))
    last = last_checkpoint(parts)
    together(2, tmp_path, partial(train_some, out=parts, last=last, steps=1600))
    one, other = (read_checkpoint(last_checkpoint(out)) for out in (whole, parts))
    assert one.folder.name == other.folder.name > last.name
    for name, array in one.weights["player"].items():
        assert np.array_equal(other.weights["player"][name], array), name


def test_fewer_tables_than_threads_are_refused():
    processes = Processes(0, 4)
    with pytest.raises(ConfigError, match=r"ppo\.tables=6: must be at least 8, one for each of 2"):
        shard_bounds(toy_config(ppo={"tables": 6}), processes)


@pytest.mark.parametrize(
    ("gpus", "backend"), [(0.0, "gloo"), (0.1, "gloo"), (1.0, "nccl"), (2.0, "nccl")]
)
def test_workers_that_share_a_gpu_do_without_nccl(gpus, backend):
    """NCCL refuses two processes on one GPU."""
    assert backend_for(gpus) == backend
