"""Learning from a teacher: its decisions, their values, and self-play after it."""

from __future__ import annotations

import numpy as np
import pytest
from stable_baselines3.common.logger import Logger

from gangland.envs.core.errors import GanglandError
from gangland.training.config import ConfigError
from gangland.training.rollout.trajectories import log_probs_of
from gangland.training.run import train
from gangland.training.selfplay import make_trainer
from tests.training.toy import toy_config


def trainer_of(config):
    trainer = make_trainer(config, "cpu")
    trainer.set_logger(Logger(None, []))
    return trainer


def taught(**changes):
    return toy_config(
        steps=12_000,
        ppo={"tables": 64, "steps": 32, "learning_rate": 3e-3},
        imitation={"teacher": "heuristic", "until": 1.0, **changes},
    )


def test_the_policy_decides_as_its_teacher_does():
    trainer = trainer_of(taught())
    trainer.learn(12_000)
    buffer = trainer.learners[0].buffer
    rows = buffer.rows
    # The teacher swaps cards below 5 and never challenges; the card stands first in the view.
    card = buffer.inputs[rows, :10].argmax(1)
    asked = buffer.inputs[rows, 10] == 1.0
    assert (buffer.actions[rows] == np.where(asked, 2, np.where(card < 5, 1, 0))).all()
    import torch as th

    with th.inference_mode():
        logits = trainer.learners[0].network.logits_and_values(th.from_numpy(buffer.inputs[rows]))[
            0
        ]
    chosen = np.where(buffer.masks[rows], logits.numpy(), -np.inf).argmax(1)
    assert (chosen == buffer.actions[rows]).mean() > 0.98
    trainer.collector.close()


def test_each_seat_has_one_of_several_teachers():
    trainer = trainer_of(taught(teacher=["heuristic", "random"]))
    trainer.learn(4000)
    collector = trainer.collector
    assert [agent.spec for agent in collector.teachers] == ["heuristic", "random"]
    asked = set()

    def watch(worker):
        theirs, views = worker._teachers % 2, worker._views
        assert 0.3 < theirs.mean() < 0.7

        def watched(rows, agent):
            if agent in collector.teachers:  # not an opponent
                number = collector.teachers.index(agent)
                assert (theirs[rows, worker.group.seats[rows]] == number).all()
                asked.add(number)
            return views(rows, agent)

        worker._views = watched

    for worker in collector.workers:
        watch(worker)
    collector.collect(0.1)
    assert asked == {0, 1}
    collector.close()


def test_log_probs_are_those_of_the_policy_so_that_self_play_can_go_on():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(50, 6)).astype(np.float32)
    masks = rng.random((50, 6)) < 0.6
    masks[:, 2] = True
    actions = np.full(50, 2, np.int64)
    masked = np.where(masks, logits, -np.inf)
    expected = masked[:, 2] - np.log(np.exp(masked).sum(1))
    assert log_probs_of(logits, masks, actions) == pytest.approx(expected, abs=1e-5)


def test_teaching_ends_when_it_is_time(tmp_path):
    trainer = trainer_of(toy_config(steps=6000, imitation={"teacher": "heuristic", "until": 0.5}))
    seen = []
    learn = trainer.train

    def watch():
        seen.append(trainer.collector.teaching)
        learn()

    trainer.train = watch
    trainer.learn(6000)
    half = len(seen) // 2
    assert all(seen[: half - 1])
    assert not any(seen[half + 2 :])
    trainer.collector.close()


def test_a_teacher_that_is_not_there_is_named(tmp_path):
    config = toy_config(imitation={"teacher": "heuristic:brilliant"})
    with pytest.raises(GanglandError, match="brilliant"):
        train(config, tmp_path / "run", device="cpu")


def test_bad_settings_are_named():
    with pytest.raises(ConfigError, match=r"imitation\.until"):
        toy_config(imitation={"until": 0})
