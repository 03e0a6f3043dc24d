"""Self-play: all seats learn, rewards reach their seat, opponents are masked, roles stay apart."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch as th
from stable_baselines3.common.logger import Logger

from gangland.agents.registry import make
from gangland.agents.trained.network import build
from gangland.agents.trained.policy import PolicyAgent
from gangland.arena.statistics import wilson
from gangland.envs import load
from gangland.training.config import NetworkConfig
from gangland.training.learner.network import PolicyNetwork, initial_weights
from gangland.training.measure.evaluation import play_match
from gangland.training.rollout.buffer import shard_bounds
from gangland.training.rollout.trajectories import ENDED, OPEN
from gangland.training.run import train
from gangland.training.selfplay import make_trainer
from tests.toy.game import KEEP, PASS

from .toy import toy_config, two_roles  # noqa: F401


def trainer_of(config):
    trainer = make_trainer(config, "cpu")
    trainer.set_logger(Logger(None, []))
    return trainer


class Recorder:
    """Notes who decided as a learner, and what every finished game paid."""

    def __init__(self, trainer):
        self.who = [{} for _ in trainer.learners]  # decision -> (table, game, seat)
        self.paid = {}  # (table, game, seat) -> reward
        self.games = defaultdict(int)
        self.trainer = trainer
        for role, learner in enumerate(trainer.learners):
            self._watch_buffer(role, learner.buffer)
        self.firsts = shard_bounds(trainer.config)
        for first, worker in zip(self.firsts, trainer.collector.workers, strict=False):
            self._watch_group(first, worker.group)

    def _watch_buffer(self, role, buffer):
        add = buffer.add

        def noted(rows, seats, observations, masks, worker=0):
            at = add(rows, seats, observations, masks, worker)
            for k, row in enumerate(rows.tolist()):
                table = self.firsts[worker] + row
                self.who[role][at.start + k] = (table, self.games[table], int(seats[row]))
            return at

        buffer.add = noted

    def _watch_group(self, first, group):
        step = group.step

        def noted():
            step()
            for row in np.flatnonzero(group.dones).tolist():
                table = first + row
                for seat in range(int(group.sizes[row])):
                    self.paid[table, self.games[table], seat] = float(group.rewards[row, seat])
                self.games[table] += 1

        group.step = noted


def returns_by_seat(buffer, who):
    """Sum of the rewards along each finished trajectory, by (table, game, seat)."""
    sums, ended = defaultdict(float), set()
    for decision, key in who.items():
        sums[key] += float(buffer.rewards[decision])
        if buffer.links[decision] == ENDED:
            ended.add(key)
        elif buffer.links[decision] != OPEN:
            assert who[int(buffer.links[decision])] == key
    return {key: total for key, total in sums.items() if key in ended}


@pytest.mark.parametrize("rewards", ["result", "score", "mixed"])
@pytest.mark.parametrize("options", [{}, [{"players": n} for n in (2, 3, 4)]])
def test_every_seat_sees_its_whole_return(rewards, options):
    config = toy_config(
        rewards=rewards, options=options, ppo={"tables": 30, "steps": 60}, league={"share": 0.5}
    )
    trainer = trainer_of(config)
    recorder = Recorder(trainer)
    trainer.collector.collect(0.0)
    seen = returns_by_seat(trainer.learners[0].buffer, recorder.who[0])
    assert len(seen) > 300
    assert {key: recorder.paid[key] for key in seen} == pytest.approx(seen)
    # Nobody who decided in a finished game is left out, the losers least of all.
    deciders = {key for key in recorder.who[0].values() if key in recorder.paid}
    assert deciders == set(seen)
    assert min(seen.values()) < 0 < max(seen.values())
    by_game = defaultdict(list)
    for (table, game, _), value in recorder.paid.items():
        by_game[table, game].append(value)
    assert all(abs(sum(values)) < 1e-5 for values in by_game.values())
    if options:
        assert {len(values) for values in by_game.values()} == {2, 3, 4}
    trainer.collector.close()


def test_rollouts_join_without_a_seam():
    """Six short rollouts hold the same rewards as the games paid, open ends carried over."""
    config = toy_config(ppo={"tables": 16, "steps": 5}, league={"share": 0.0})
    trainer = trainer_of(config)
    recorder = Recorder(trainer)
    total = 0.0
    for _ in range(6):
        trainer.collector.collect(0.0)
        buffer = trainer.learners[0].buffer
        total += float(np.maximum(buffer.rewards[buffer._trained], 0).sum())
    # Each game pays +1 in all to its winners; games end only when every seat has decided.
    won = sum(value for value in recorder.paid.values() if value > 0)
    assert won > 50
    assert total == pytest.approx(won, abs=1e-3)
    trainer.collector.close()


def test_nobody_plays_an_illegal_action():
    """The current policy and a snapshot both want PASS, which is illegal in half the positions."""
    config = toy_config(league={"share": 1.0, "baselines": [], "snapshot_every": 1})
    trainer = trainer_of(config)
    with th.no_grad():
        trainer.learners[0].network.get_parameter("policy.head.bias")[PASS] = 100.0
    trainer.collector.add_snapshot(1, trainer.weights())
    trainer.collector.collect(0.0)  # VecTables raises if anybody plays what the mask forbids
    buffer = trainer.learners[0].buffer
    actions = buffer.actions[buffer.rows]
    assert buffer.masks[buffer.rows, actions].all()
    assert (actions == PASS).any()
    assert (actions == KEEP).any()
    held = np.concatenate(
        [worker.group.controllers.ravel() for worker in trainer.collector.workers]
    )
    assert (held == 1).sum() > 10
    trainer.collector.close()


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_snapshots_play_as_the_bot_will(temperature):
    league = {"share": 1.0, "single_opponent": 1.0, "baselines": []}
    trainer = trainer_of(toy_config(temperature=temperature, league=league))
    collector = trainer.collector
    collector.add_snapshot(1, trainer.weights())
    collector.collect(0.0)
    worker = collector.workers[0]
    worker.decide()
    group = worker.group
    rows = np.flatnonzero(group.controllers[np.arange(group.count), group.seats] == 1)
    with th.inference_mode():
        logits = collector.nets[1][0].logits(th.from_numpy(group.observations[rows])).numpy()
    likeliest = np.where(group.masks[rows], logits, -np.inf).argmax(1)
    assert len(rows) > 3
    assert (group.actions[rows] == likeliest).all() == (temperature == 0.0)
    collector.close()


def test_no_legal_action_is_an_error_not_a_uniform_draw():
    trainer = trainer_of(toy_config())
    collector = trainer.collector
    collector.collect(0.0)
    worker = collector.workers[0]
    worker.group.masks[3] = False
    worker.group.controllers[3, :3] = 0
    with pytest.raises(RuntimeError, match="worker 0, table 3: no legal action"):
        worker.decide()
    collector.close()


def test_networks_with_the_same_weights_play_alike():
    network = NetworkConfig(shared=[12, 10], policy=[], value=[8])
    architecture = build(network.model_dump(), 6, 5)
    first, second = (PolicyNetwork(architecture, initial_weights(architecture, k)) for k in (0, 1))
    inputs = th.randn((9, 6))
    logits, values = first.logits_and_values(inputs)
    assert not th.equal(second.logits(inputs), logits)
    second = PolicyNetwork(architecture, first.weights())
    assert th.equal(second.logits(inputs), logits)
    assert th.equal(second.logits_and_values(inputs)[1], values)
    assert set(first.state_dict()) == set(architecture.shapes)
    weights = first.weights()
    weights["policy.head.bias"] = weights["policy.head.bias"][1:]
    with pytest.raises(ValueError, match=r"policy\.head\.bias: \(4,\), not \(5,\)"):
        PolicyNetwork(architecture, weights)
    del weights["policy.head.bias"]
    with pytest.raises(KeyError, match=r"policy\.head\.bias"):
        PolicyNetwork(architecture, weights)


def test_initial_weights_are_those_of_stable_baselines():
    """Orthogonal, with its gains: a policy that begins nearly uniform."""
    architecture = build(NetworkConfig(shared=[12], policy=[8], value=[8]).model_dump(), 20, 5)
    weights = initial_weights(architecture, 3)
    for name, gain in (
        ("shared.0.weight", 2**0.5),
        ("value.0.weight", 2**0.5),
        ("policy.head.weight", 0.01),
        ("value.head.weight", 1.0),
    ):
        square = weights[name] @ weights[name].T
        np.testing.assert_allclose(square, gain**2 * np.eye(len(square)), atol=1e-5)
        assert np.array_equal(weights[name], initial_weights(architecture, 3)[name])
        assert not np.array_equal(weights[name], initial_weights(architecture, 4)[name])
    assert not any(weights[name].any() for name in weights if name.endswith("bias"))


def test_each_role_learns_in_its_own_network(two_roles, tmp_path):  # noqa: F811
    config = toy_config(game=two_roles, ppo={"tables": 24, "steps": 40}, steps=4000)
    trainer = trainer_of(config)
    recorder = Recorder(trainer)
    before = trainer.weights()
    trainer.learn(1)
    seats = [{seat for _, _, seat in who.values()} for who in recorder.who]
    assert seats == [{0}, {1, 2}]
    for role, learner in enumerate(trainer.learners):
        seen = returns_by_seat(learner.buffer, recorder.who[role])
        assert {key: recorder.paid[key] for key in seen} == pytest.approx(seen)
    after = trainer.weights()
    for role in ("dealer", "guest"):
        assert not np.array_equal(before[role]["policy.0.weight"], after[role]["policy.0.weight"])
    trainer.collector.close()

    outcome = train(config, tmp_path / "whole", device="cpu")
    part = train(config, tmp_path / "part", device="cpu", stop=lambda s: s.steps > 1500)
    assert not part.finished
    train(config, tmp_path / "part", device="cpu", resume=True)
    from safetensors.numpy import load_file

    one = load_file(outcome.folder / "policy.safetensors")
    two = load_file(tmp_path / "part" / "checkpoints" / outcome.folder.name / "policy.safetensors")
    assert {name.split("/")[0] for name in one} == {"dealer", "guest"}
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_all_roles_learn_at_the_same_pace(two_roles):  # noqa: F811
    """The dealer decides at a seat, the guests at all others."""
    trainer = trainer_of(toy_config(game=two_roles, ppo={"tables": 64, "steps": 24}, steps=4000))
    made = {}
    for role, learner in zip(trainer.game.roles, trainer.learners, strict=True):

        def counted(size, total, buffer=learner.buffer, role=role):
            parts = type(buffer).minibatches(buffer, size, total)
            made[role] = len(parts), len(parts[0])
            return parts

        learner.buffer.minibatches = counted
    trainer.learn(1)
    trainer.collector.close()
    assert made["dealer"][0] == made["guest"][0] > 1
    assert made["dealer"][1] < made["guest"][1]


def test_averaged_weights_follow_the_policy_and_are_what_is_saved(tmp_path):
    config = toy_config(ppo={"tables": 8, "steps": 20, "averaging": 0.4}, steps=3000)
    trainer = trainer_of(config)
    seen = []
    learn = trainer.train

    def watch() -> None:
        learn()
        seen.append(trainer.learners[0].network.weights())

    trainer.train = watch
    trainer.learn(3000)
    assert len(seen) > 10
    expected = {name: array.astype(np.float64) for name, array in seen[0].items()}
    for count, weights in enumerate(seen[1:], 1):
        decay = min(0.4, (1 + count) / (10 + count))  # what came first is soon forgotten
        expected = {n: decay * a + (1 - decay) * weights[n] for n, a in expected.items()}
    saved = trainer.weights()[trainer.collector.game.roles[0]]
    for name, array in saved.items():
        assert np.allclose(array, expected[name], atol=1e-6)
        assert not np.array_equal(array, seen[-1][name])
    trainer.collector.close()


def test_averaged_weights_go_on_after_a_stop(tmp_path):
    from safetensors.numpy import load_file

    config = toy_config(ppo={"tables": 24, "steps": 40, "averaging": 0.9}, steps=4000)
    whole = train(config, tmp_path / "whole", device="cpu")
    train(config, tmp_path / "part", device="cpu", stop=lambda s: s.steps > 1500)
    train(config, tmp_path / "part", device="cpu", resume=True)
    one = load_file(whole.folder / "policy.safetensors")
    two = load_file(tmp_path / "part" / "checkpoints" / whole.folder.name / "policy.safetensors")
    assert all(np.array_equal(one[name], two[name]) for name in one)


# --- a cap that pays nobody: every learning seat bootstraps from its last observation -------------


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


# --- the toy game is learnt -----------------------------------------------------------------------


def test_the_toy_is_learnt(tmp_path):
    """Against two random players par is 1/3; what can be known allows about 1/2."""
    ppo = {"tables": 64, "steps": 16, "batch_size": 256}
    config = toy_config(steps=80_000, ppo=ppo)
    outcome = train(config, tmp_path, device="cpu")
    game = load("highcard")
    random = make("random", game)
    bot = PolicyAgent(game, outcome.folder)
    trained = play_match(game, [{}], [bot], random, 2000, seed=5)
    low, _ = wilson(trained.win.share, trained.games)
    assert low > trained.par + 0.08
    untrained = play_match(game, [{}], [random], random, 2000, seed=5)
    low, high = wilson(untrained.win.share, untrained.games)
    assert low < untrained.par < high
