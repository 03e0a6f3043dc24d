"""Each seat's win probability: its targets, and what is computed from it."""

from __future__ import annotations

from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest
import torch as th

from gangland.agents.registry import make
from gangland.agents.trained.model_file import CheckpointError
from gangland.agents.trained.policy import read_checkpoint
from gangland.envs import load
from gangland.envs.core.view import Detail, View
from gangland.training import selfplay
from gangland.training.config import ConfigError
from gangland.training.rollout.buffer import DecisionBuffer
from gangland.training.rollout.thread_pool import ThreadPool
from gangland.training.rollout.trajectories import ENDED
from gangland.training.rollout.win_probabilities import (
    note_outcomes,
    read_outputs,
)
from gangland.training.run import train
from gangland.training.selfplay import make_trainer
from tests.games import random_positions

from .toy import toy_config

TOY = load("highcard")
LAMBDA = 0.5
CHANCES = {"shared": [24], "policy": [16], "value": [16], "chances": TOY.max_seats}


def test_win_probabilities_are_the_softmax_and_values_the_expected_results():
    outputs = np.log(np.array([[1, 6, 2, 2], [np.exp(3), 1, 1, 0.0001]], np.float32))
    win_probabilities, values = np.zeros((2, 3), np.float32), np.zeros(2, np.float32)
    sizes = np.array([3, 2])
    read_outputs(outputs, sizes, True, win_probabilities, values)
    assert win_probabilities[0] == pytest.approx([0.6, 0.2, 0.2])
    assert values[0] == pytest.approx((3 * 0.6 - 1) / 2)
    assert win_probabilities[1] == pytest.approx([0.5, 0.5, 0], abs=1e-4)
    assert values[1] == pytest.approx(3, abs=1e-3)  # other rewards; an equal chance is worth 0
    read_outputs(outputs, sizes, False, win_probabilities, values)
    assert values == pytest.approx([0, 3], abs=1e-6)


def test_outcomes_are_noted_in_the_order_in_which_each_seat_counts():
    """Seats 1 and 2 of three share the win; the deciding seat comes first."""
    last = np.array([[0, 1, 2, -2], [3, -2, 4, -2], [5, 6, -2, -2]])
    places = np.array([[3, 1, 1, 0], [1, 2, 0, 0], [2, 1, 3, 0]], np.int8)
    targets = np.full((7, 4), 9, np.float32)
    note_outcomes(np.array([True, False, True]), places, np.array([3, 3, 3]), last, targets)
    assert targets[:3].tolist() == [[0, 0.5, 0.5, 0], [0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0]]
    assert (targets[3:5] == 9).all()  # that game goes on
    assert targets[5:].tolist() == [[0, 1, 0, 0], [1, 0, 0, 0]]


def test_targets_along_a_seat_by_hand():
    """Decisions 0 -> 2 -> end of seat 0; 1 -> 3 of seat 1, of which 3 stays open."""
    buffer = DecisionBuffer(8, 1, 2, seats=2, gae_lambda=LAMBDA, win_probabilities=2)
    one = np.ones((1, 1), np.float32), np.ones((1, 2), np.bool_)
    estimates = [(0.5, 0.5), (0.25, 0.75), (0.75, 0.25), (0.125, 0.875)]
    for seat, win_probabilities in zip((0, 1, 0, 1), estimates, strict=True):
        at = buffer.add(np.array([0]), np.array([seat]), *one)
        buffer.win_probabilities[at] = win_probabilities
        buffer.sizes[at] = 2
    buffer.links[2] = ENDED
    buffer.targets[2] = (1.0, 0.0)
    buffer.finish()
    assert buffer.targets[2].tolist() == [1, 0]
    assert buffer.targets[0].tolist() == [0.5 * 0.75 + 0.5, 0.5 * 0.25]
    assert buffer.targets[1].tolist() == [0.125, 0.875]  # bootstrapped from the open decision
    assert buffer.size == 3


@pytest.mark.parametrize("rewards", ["result", "mixed", "score"])
def test_what_is_left_to_the_first_output_is_what_win_probabilities_do_not_explain(rewards):
    config = toy_config(network=CHANCES, rewards=rewards, ppo={"gae_lambda": 1.0, "steps": 60})
    trainer = make_trainer(config, "cpu")
    trainer.collector.collect(0.0)
    buffer = trainer.learners[0].buffer
    rows = buffer._trained
    ended = rows[buffer.links[rows] == ENDED]
    assert len(ended) > 20
    targets = buffer.targets[ended]
    assert targets.sum(1) == pytest.approx(1)
    assert set(np.unique(targets)) <= {0, np.float32(1 / 3), 0.5, 1}
    sizes = buffer.sizes[ended]
    results = (sizes * targets[:, 0] - 1) / (sizes - 1)
    rest = buffer.batch(ThreadPool(1)).returns.numpy()[ended]
    paid = buffer.rewards[ended]
    wanted = paid if rewards == "score" else paid - results
    assert rest == pytest.approx(wanted, abs=1e-5)
    if rewards == "result":  # Winners share 1: two of three get more than their probability.
        alone = targets.max(1) == 1
        assert 20 < alone.sum() < len(alone)
        assert rest[alone] == pytest.approx(0, abs=1e-6)


def test_a_trained_network_estimates_the_win_probabilities_of_all_seats(tmp_path):
    config = toy_config(network=CHANCES, steps=40_000, league={"share": 0.0, "baselines": []})
    folder = train(config, tmp_path, device="cpu").folder
    agent = make(f"ppo:{folder}", TOY)
    found = []
    for _, state, _, _ in random_positions(TOY, 60, players=3):
        seat = int(state.seat)
        view = View(TOY, TOY.redact(state, seat), seat, 5, Detail.ALL)
        chances = agent.decide(view).chances_of(3)
        assert sum(chances) == pytest.approx(1)
        assert min(chances) >= 0
        found.append(chances)
    assert np.std(found, axis=0).min() > 0.02


def test_a_checkpoint_says_how_many_seats(tmp_path):
    folder = train(toy_config(network=CHANCES, steps=500), tmp_path, device="cpu").folder
    assert read_checkpoint(folder).model["network"]["chances"] == TOY.max_seats
    file = folder / "model.json"
    file.write_text(file.read_text().replace('"chances": 4', '"chances": 3'))
    with pytest.raises(
        CheckpointError, match=r"value.head.bias is F32 \(5,\), must be F32 or F16 \(4,\)"
    ):
        make(f"ppo:{folder}", TOY)


def test_other_numbers_of_seats_are_refused():
    wrong = TOY.max_seats - 1
    with pytest.raises(
        ConfigError, match=rf"network\.chances={wrong}: must be 0 or {TOY.max_seats}"
    ):
        make_trainer(toy_config(network={**CHANCES, "chances": wrong}), "cpu")


def test_the_magnet_pulls_towards_the_average():
    """With nothing to win, the policy goes to the magnet alone, and needs an average for it."""
    with pytest.raises(ConfigError, match=r"ppo.magnet: needs an imitation, or ppo.averaging"):
        toy_config(ppo={"magnet": 0.1})
    moved = []
    for magnet in (0.0, 5.0):
        ppo = {"averaging": 0.999, "magnet": magnet, "entropy": 0.0, "lookahead": 0.0}
        ppo["normalize_advantages"] = False
        trainer = make_trainer(toy_config(ppo=ppo, league={"share": 0.0, "baselines": []}), "cpu")
        learner = trainer.learners[0]
        for _ in range(12):
            trainer.collector.collect(0.0)
            trainer.train()
        moved.append(divergence(learner, learner.best_network))
    assert moved[1] < 0.2 * moved[0]


def test_the_magnet_is_what_the_imitation_has_left():
    """With nothing to win again: an entropy bonus drives the policy away, the magnet holds it."""
    moved = []
    for magnet in (0.0, 5.0):
        ppo = {"magnet": magnet, "learning_rate": 0.01}
        config = toy_config(
            ppo={**ppo, "entropy": 0.5, "normalize_advantages": False},
            imitation={"until": 0.5},
            league={"share": 0.0, "baselines": []},
        )
        trainer = make_trainer(config, "cpu")
        learner = trainer.learners[0]
        for progress in (0.0, 0.2, 0.4, *[0.6] * 12):
            trainer.progress = progress
            trainer.collector.collect(progress)
            trainer.train()
            if progress < 0.5:
                taught = deepcopy(learner.best_network)
        moved.append(divergence(learner, taught))
        assert (learner.magnet is None) == (magnet == 0.0)
    assert moved[1] < 0.2 * moved[0]


def test_the_magnet_follows_the_policy_at_intervals(monkeypatch):
    monkeypatch.setattr(selfplay, "MAGNET_DECISIONS", 3000)
    config = toy_config(steps=12_000, ppo={"magnet": 0.1}, imitation={"until": 0.3})
    trainer = make_trainer(config, "cpu")
    learner = trainer.learners[0]
    moved, magnet = [], None
    while trainer.num_timesteps < 12_000:
        before = learner.network.weights()
        trainer.num_timesteps += trainer.collector.collect(trainer.num_timesteps / 12_000)
        trainer.train()
        if learner.magnet is not magnet:
            magnet = learner.magnet
            moved.append(trainer.num_timesteps)
            for name, layer in magnet.weights().items():
                np.testing.assert_array_equal(layer, before[name])
    trainer.collector.close()
    assert moved[0] >= 3600
    assert len(moved) == 3
    assert all(b - a >= 3000 for a, b in pairwise(moved))


def divergence(learner, other):
    """Of a learner's policy from another network's, over its rollout."""
    batch = learner.buffer.batch(ThreadPool(1)).take(th.from_numpy(learner.buffer._trained))
    with th.inference_mode():
        here = learner.network.logits(batch.inputs).masked_fill(~batch.masks, -1e9)
        there = other.logits(batch.inputs).masked_fill(~batch.masks, -1e9)
    log_here, log_there = here.log_softmax(1), there.log_softmax(1)
    return float((log_here.exp() * (log_here - log_there)).sum(1).mean())
