"""Learning from a teacher: its decisions, their values, and self-play after it."""

from __future__ import annotations

import numpy as np
import pytest
from stable_baselines3.common.logger import Logger

from gangland.training.config import ConfigError
from gangland.training.learner.imitation import SHARPNESS, preferences
from gangland.training.rollout.trajectories import log_probs_of
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
        imitation={"until": 1.0, **changes},
    )


def test_the_policy_decides_as_its_teacher_does():
    trainer = trainer_of(taught())
    trainer.learn(12_000)
    buffer = trainer.learners[0].buffer
    rows = buffer.rows
    # The teacher swaps cards below 5 and never challenges; the card stands first in the view.
    card = buffer.inputs[rows, :10].argmax(1)
    asked = buffer.inputs[rows, 10] == 1.0
    theirs = buffer.taught[rows].argmax(1)
    assert (theirs == np.where(asked, 2, np.where(card < 5, 1, 0))).all()
    import torch as th

    with th.inference_mode():
        logits = trainer.learners[0].network.logits_and_values(th.from_numpy(buffer.inputs[rows]))[
            0
        ]
    chosen = np.where(buffer.masks[rows], logits.numpy(), -np.inf).argmax(1)
    assert (chosen == theirs).mean() > 0.98
    # By then it plays itself.
    assert (buffer.actions[rows] != theirs).any()
    trainer.collector.close()


def test_log_probs_are_those_of_the_policy_so_that_self_play_can_go_on():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(50, 6)).astype(np.float32)
    masks = rng.random((50, 6)) < 0.6
    masks[:, 2] = True
    actions = np.full(50, 2, np.int64)
    masked = np.where(masks, logits, -np.inf)
    expected = masked[:, 2] - np.log(np.exp(masked).sum(1))
    assert log_probs_of(logits, masks, actions) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("end", [{"until": 0.5}, {"until": 1.0, "decisions": 3000}], ids=str)
def test_teaching_ends_when_it_is_time(tmp_path, end):
    trainer = trainer_of(toy_config(steps=6000, imitation={**end}))
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


def test_bad_settings_are_named():
    with pytest.raises(ConfigError, match=r"imitation\.until"):
        toy_config(imitation={"until": 0})


def test_preferences_fall_with_what_an_action_loses():
    no = -np.inf
    values = np.array([[3.0, 2.0, no, 2.0], [0.5, 1.0, 1.0, no], [no, 7.0, 5.0, 4.0]])
    found = preferences(values)
    assert found.sum(1) == pytest.approx(1.0)
    # The best two differ by 1, 0 and 2: where they differ, typically by 1.5.
    expected = np.exp(-SHARPNESS * (values.max(1, keepdims=True) - values) / 1.5)
    assert found == pytest.approx(expected / expected.sum(1, keepdims=True), abs=1e-6)
    assert preferences(1000.0 * values) == pytest.approx(found, abs=1e-6)
    assert preferences(np.array([[no, 4.0]])).tolist() == [[0.0, 1.0]]
