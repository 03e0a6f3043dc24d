"""Training at a cap that pays nobody: every learning seat bootstraps from its last observation."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch as th

from gangland.training.rollout.trajectories import ENDED
from gangland.training.selfplay import make_trainer

from .toy import toy_config


def collected(**changes):
    """A trainer that has collected one rollout of Gangsters of one round, and what was cut off.

    The second is a list of ``(decision, last observation, seat)`` for each role.
    """
    config = toy_config(
        game="gangsters",
        options={"max_rounds": 1},
        threads=1,
        league={"share": 0.0},
        ppo={"tables": 6, "steps": 110},
        **changes,
    )
    trainer = make_trainer(config, "cpu")
    with th.no_grad():
        for learner in trainer.learners:
            learner.network.get_parameter("value.head.bias").fill_(2.0)
    group = trainer.collector.workers[0].group
    step = group.step
    cut = [[] for _ in trainer.learners]

    def noted():
        step()
        assert not group.rewards[group.truncations].any()
        for row in np.flatnonzero(group.truncations):
            last = group.final_states[row]
            for seen, learner in zip(cut, trainer.learners, strict=True):
                for seat in range(group.game.max_seats):
                    decision = int(learner.buffer.last[row, seat])
                    if decision >= 0:
                        observation = group.game.observe(last, seat)
                        seen.append((decision, observation, seat))

    group.step = noted
    trainer.collector.collect(0.0)
    trainer.collector.close()
    return trainer, cut


@pytest.mark.parametrize("rewards", ["result", "score", "mixed"])
def test_learning_seats_of_both_roles_bootstrap(rewards):
    trainer, cut = collected(rewards=rewards)
    for learner, seen in zip(trainer.learners, cut, strict=True):
        buffer = learner.buffer
        assert len(seen) >= 6
        decisions = [decision for decision, _, _ in seen]
        assert (buffer.links[decisions] == ENDED).all()
        observations = th.from_numpy(np.stack([observation for _, observation, _ in seen]))
        with th.inference_mode():
            values = learner.network.logits_and_values(observations)[1][:, 0].numpy()
        assert np.abs(values).min() > 0.1
        wanted = values - buffer.estimates[decisions]
        assert buffer.advantages[decisions] == pytest.approx(wanted, abs=1e-4)
        assert not buffer.rewards[decisions].any()
    assert {seat for _, _, seat in cut[1]} == {
        4
    }  # the police, a role of their own, are cut off too
