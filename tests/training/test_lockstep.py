"""All tables of a process played together, by any number of threads: the same games."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch as th

from gangland.training.rollout.lockstep import Lockstep
from gangland.training.rollout.table_worker import TableWorker
from gangland.training.rollout.thread_pool import single_thread
from gangland.training.selfplay import make_trainer

from .toy import toy_config, two_roles  # noqa: F401

# --- one batch for each network, two halves -------------------------------------------------------

CPU = th.device("cpu")
PPO = {"tables": 30, "batch_size": 100_000, "averaging": 0.9, "learning_rate": 1e-3}


def played(*, together, rollouts=4, device="cpu", **changes):
    """What some rollouts have left behind."""
    changes = {"league": {"share": 0.5}, **changes, "ppo": {**PPO, **changes.get("ppo", {})}}
    trainer = make_trainer(toy_config(**changes), device)
    collector = trainer.collector
    assert (collector.lockstep is None) == (device == "cpu")
    if together:
        collector.lockstep = Lockstep(collector, th.device(device))
    with single_thread():
        decisions = []
        for _ in range(rollouts):
            decisions.append(collector.collect(0.0))
            trainer.train()
        decisions.append(collector.collect(0.0))
    counts = {
        "decisions": decisions,
        "games": collector.finished_games,
        "wins": collector.seat_wins.tolist(),
        "members": [(m.name, m.wins, m.games) for m in collector.league.members],
    }
    arrays = {}
    for role, learner in enumerate(trainer.learners):
        rows = learner.buffer.rows
        for name, array in learner.buffer.per_decision.items():
            arrays[f"{role}.{name}"] = array[rows]
        arrays |= {f"{role}.{name}": w for name, w in learner.network.weights().items()}
    kinds = {member.weights is None for member in collector.league.members}
    times = collector.take_times()
    collector.close()
    return counts, arrays, kinds, times


def assert_same(one, other, atol=1e-5):
    assert one[0] == other[0]
    assert one[1].keys() == other[1].keys()
    for name, array in one[1].items():
        np.testing.assert_allclose(other[1][name], array, rtol=0, atol=atol, err_msg=name)


CASES = {
    "one thread": {"threads": 1},
    "two threads": {"threads": 2},
    "five threads": {"threads": 5},
    "four threads": {"threads": 4},
    "a teacher": {"threads": 3, "imitation": {"until": 1.0}},
}


@pytest.mark.parametrize("changes", CASES.values(), ids=CASES)
def test_the_same_games_are_played_as_by_each_worker_alone(changes):
    alone, together = (played(together=flag, **changes) for flag in (False, True))
    assert alone[0]["games"] > 30
    assert alone[2] == together[2] == {True, False}  # both a built-in agent and a snapshot played
    assert_same(alone, together)
    assert together[3]["env"] > 0.0
    assert together[3]["inference"] > 0.0


def test_games_that_are_cut_off(monkeypatch):
    """Gangsters of one round, which pays nobody; its two roles have networks of their own."""
    changes = {
        "game": "gangsters",
        "options": {"max_rounds": 1},
        "threads": 3,
        "league": {"share": 0.0},
        "ppo": {"tables": 6, "steps": 110},
    }
    cut = []
    bootstrap = TableWorker._bootstrap
    monkeypatch.setattr(
        TableWorker, "_bootstrap", lambda worker: (cut.append(worker), bootstrap(worker))
    )
    alone = played(together=False, rollouts=1, **changes)
    seen = len(cut)
    together = played(together=True, rollouts=1, **changes)
    assert 0 < seen == len(cut) - seen
    assert_same(alone, together)


def test_each_role_has_its_own_network(two_roles):  # noqa: F811
    alone, together = (played(together=flag, game=two_roles, threads=4) for flag in (False, True))
    assert len({name.split(".")[0] for name in alone[1]}) == 2
    assert_same(alone, together)


class Noted(Lockstep):
    """Notes what it does, and what its networks are asked."""

    def __init__(self, collector):
        super().__init__(collector, CPU)
        self.done = []

    def _put_questions(self, half, *, playing, asking=True):
        super()._put_questions(half, playing=playing, asking=asking)
        self.done.append(("play" if playing else "begin", half.number))

    def _ask(self, half):
        super()._ask(half)
        self.done.append(("ask", half.number))

    def _wait(self, half):
        self.done.append(("wait", half.number))
        super()._wait(half)


def test_one_half_is_played_while_the_networks_think_for_the_other():
    ppo = {**PPO, "steps": 3, "lookahead": 0.0}  # looks come afterwards
    config = toy_config(threads=4, ppo=ppo, league={"share": 0.0, "baselines": []})
    trainer = make_trainer(config, "cpu")
    collector, network, sizes = trainer.collector, trainer.learners[0].network, []
    ask = network.logits_and_values

    def noted(inputs):
        sizes.append(len(inputs))
        return ask(inputs)

    network.logits_and_values = noted
    collector.lockstep = Noted(collector)
    assert collector.collect(0.0) <= 90
    collector.close()
    begin = [(what, half) for half in (0, 1) for what in ("begin", "ask")]
    step = [(what, half) for half in (0, 1) for what in ("wait", "play", "ask")]
    assert collector.lockstep.done == begin + 3 * step
    # One batch for all tables of a half, which are those of two workers.
    tables = [worker.group.count for worker in collector.workers]
    assert sizes == 3 * [tables[0] + tables[2], tables[1] + tables[3]]


gpu = pytest.mark.skipif(not th.cuda.is_available(), reason="needs a GPU")


@gpu
def test_a_gpu_learns_what_a_cpu_learns():
    here, there = (
        played(together=device == "cuda", device=device, rollouts=1, threads=4)
        for device in ("cpu", "cuda")
    )
    assert_same(here, there)


# --- more threads than cores: whichever of them is first ------------------------------------------

THREADS = 8
ROLLOUTS = 4


class OneAfterAnother:
    """In place of the pool's threads: one worker after the other, the last one first."""

    def __init__(self, pool):
        self.size = pool.size
        self.split = pool.split
        self.close = pool.close
        self.parts = []

    def run(self, work, parts):
        self.parts.append(parts)
        done = {part: work(part) for part in reversed(range(parts))}
        return [done[part] for part in range(parts)]


def trained(serial):
    """Weights, buffers and counts after some rollouts; names of the threads that worked."""
    ppo = {"tables": 30, "steps": 16, "batch_size": 640, "averaging": 0.9, "learning_rate": 0.01}
    config = toy_config(threads=THREADS, ppo=ppo, league={"share": 0.5, "snapshot_every": 2})
    trainer = make_trainer(config, "cpu")
    collector = trainer.collector
    pool, used = collector.pool, set()
    if serial:
        pool = OneAfterAnother(pool)
        collector.pool = trainer.learners[0]._pool = pool
    for worker in collector.workers:
        note_threads(worker, used)
    decisions = []
    with single_thread():
        for _ in range(ROLLOUTS):
            decisions.append(collector.collect(0.0))
            trainer.train()
    collector.close()
    buffer = trainer.learners[0].buffer
    summary = {
        "decisions": decisions,
        "games": collector.finished_games,
        "members": [(m.name, m.wins, m.games) for m in collector.league.members],
    }
    arrays = {
        **trainer.weights()["player"],
        **{f"buffer.{k}": v[buffer.rows] for k, v in buffer.per_decision.items()},
    }
    return summary, arrays, used, pool


def note_threads(worker, used):
    play = worker.play

    def noted(steps):
        used.add(threading.get_ident())
        play(steps)

    worker.play = noted


@pytest.fixture(scope="module")
def by_threads():
    return trained(serial=False)


def test_the_order_of_the_threads_changes_nothing(by_threads):
    summary, arrays, used, _ = by_threads
    serial, serial_arrays, alone, pool = trained(serial=True)
    assert len(alone) == 1 < len(used)
    assert max(pool.parts) == THREADS  # both rollouts and minibatches are shared by eight
    assert sum(parts == THREADS for parts in pool.parts) > ROLLOUTS
    assert serial == summary
    for name, array in arrays.items():
        np.testing.assert_array_equal(serial_arrays[name], array, err_msg=name)


def test_every_decision_is_counted_once(by_threads):
    summary, arrays, _, _ = by_threads
    # 30 tables for 16 steps; opponents of the league decide some of them.
    assert all(240 < decisions <= 30 * 16 for decisions in summary["decisions"])
    assert summary["games"] > 30
    assert np.isfinite(arrays["buffer.log_probs"]).all()
    assert len(arrays["buffer.actions"]) >= summary["decisions"][-1]
