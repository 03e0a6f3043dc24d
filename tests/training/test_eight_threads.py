"""More threads than cores: the same training, whichever of them is first."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from gangland.training.rollout.thread_pool import single_thread
from gangland.training.selfplay import make_trainer

from .toy import toy_config

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
