"""All seats learn, rewards reach their seat, opponents are masked, roles have own networks."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch as th
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger

from gangland.training.buffer import lane_bounds
from gangland.training.config import NetworkConfig
from gangland.training.network import (
    FrozenNetwork,
    MaskedPolicy,
    export_weights,
    import_weights,
    policy_kwargs,
)
from gangland.training.run import train
from gangland.training.selfplay import make_learner, set_logger
from gangland.training.trajectories import ENDED, OPEN
from tests.toy.game import KEEP, PASS

from .toy import toy_config, two_roles  # noqa: F401


def learner_of(config):
    leader = make_learner(config, "cpu")
    set_logger(leader, Logger(None, []))
    return leader


class Diary:
    """Notes who decided as a learner, and what every finished game paid."""

    def __init__(self, leader):
        self.who = [{} for _ in leader.learners]  # decision -> (table, game, seat)
        self.paid = {}  # (table, game, seat) -> reward
        self.games = defaultdict(int)
        self.leader = leader
        for role, learner in enumerate(leader.learners):
            self._watch_buffer(role, learner.rollout_buffer)
        self.firsts = lane_bounds(leader.config)
        for first, lane in zip(self.firsts, leader.collector.lanes, strict=False):
            self._watch_group(first, lane.group)

    def _watch_buffer(self, role, buffer):
        add = buffer.add

        def noted(rows, seats, observations, masks, lane=0):
            at = add(rows, seats, observations, masks, lane)
            for k, row in enumerate(rows.tolist()):
                table = self.firsts[lane] + row
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
@pytest.mark.parametrize("players", [None, [2, 3, 4]])
def test_every_seat_sees_its_whole_return(rewards, players):
    config = toy_config(
        rewards=rewards, players=players, ppo={"tables": 30, "steps": 60}, league={"share": 0.5}
    )
    leader = learner_of(config)
    diary = Diary(leader)
    leader.collector.collect(0.0)
    seen = returns_by_seat(leader.rollout_buffer, diary.who[0])
    assert len(seen) > 300
    assert {key: diary.paid[key] for key in seen} == pytest.approx(seen)
    # Nobody who decided in a finished game is left out, the losers least of all.
    deciders = {key for key in diary.who[0].values() if key in diary.paid}
    assert deciders == set(seen)
    assert min(seen.values()) < 0 < max(seen.values())
    by_game = defaultdict(list)
    for (table, game, _), value in diary.paid.items():
        by_game[table, game].append(value)
    assert all(abs(sum(values)) < 1e-5 for values in by_game.values())
    if players:
        assert {len(values) for values in by_game.values()} == {2, 3, 4}
    leader.collector.close()


def test_rollouts_join_without_a_seam():
    """Six short rollouts hold the same rewards as the games paid, open ends carried over."""
    config = toy_config(ppo={"tables": 16, "steps": 5}, league={"share": 0.0})
    leader = learner_of(config)
    diary = Diary(leader)
    total = 0.0
    for _ in range(6):
        leader.collector.collect(0.0)
        buffer = leader.rollout_buffer
        total += float(np.maximum(buffer.rewards[buffer._trained], 0).sum())
    # Each game pays +1 in all to its winners; games end only when every seat has decided.
    won = sum(value for value in diary.paid.values() if value > 0)
    assert won > 50
    assert total == pytest.approx(won, abs=1e-3)
    leader.collector.close()


def test_nobody_plays_an_illegal_action():
    """The current policy and a snapshot both want PASS, which is illegal in half the positions."""
    config = toy_config(league={"share": 1.0, "baselines": [], "active": 1, "snapshot_every": 1})
    leader = learner_of(config)
    with th.no_grad():
        leader.policy.action_net.bias[PASS] = 100.0
    leader.collector.league.add_snapshot(1, leader.weights())
    leader.collector.collect(0.0)  # VecTables raises if anybody plays what the mask forbids
    buffer = leader.rollout_buffer
    actions = buffer.actions[buffer.rows]
    assert buffer.masks[buffer.rows, actions].all()
    assert (actions == PASS).any()
    assert (actions == KEEP).any()
    held = np.concatenate([lane.group.controllers.ravel() for lane in leader.collector.lanes])
    assert (held == 1).sum() > 10
    leader.collector.close()


def test_no_legal_action_is_an_error_not_a_uniform_draw():
    leader = learner_of(toy_config())
    collector = leader.collector
    collector.collect(0.0)
    lane = collector.lanes[0]
    lane.group.masks[3] = False
    lane.group.controllers[3, :3] = 0
    with pytest.raises(RuntimeError, match="lane 0, table 3: no legal action"):
        lane.think()
    collector.close()


def test_lean_policy_equals_sb3_contribs():
    network = NetworkConfig(shared=[12], policy=[8], value=[8], activation="relu")
    box, actions = spaces.Box(-8, 8, (6,)), spaces.Discrete(5)
    lean = MaskedPolicy(box, actions, lambda _: 1e-3, **policy_kwargs(network))
    full = MaskableActorCriticPolicy(box, actions, lambda _: 1e-3, **policy_kwargs(network))
    full.load_state_dict(lean.state_dict())
    rng = th.Generator().manual_seed(0)
    observations = th.randn((64, 6), generator=rng)
    masks = th.rand((64, 5), generator=rng) < 0.6
    chosen = th.randint(0, 5, (64,), generator=rng)
    masks[th.arange(64), chosen] = True
    masks[:4] = False
    masks[th.arange(4), chosen[:4]] = True  # forced moves: entropy zero
    for one, two in zip(
        lean.evaluate_actions(observations, chosen, masks),
        full.evaluate_actions(observations, chosen, masks),
        strict=True,
    ):
        assert th.allclose(one, two, atol=1e-5)
    loss_of = [p.evaluate_actions(observations, chosen, masks) for p in (lean, full)]
    for policy, (values, log_probs, entropies) in zip((lean, full), loss_of, strict=True):
        (values.mean() + log_probs.mean() + entropies.mean()).backward()
        assert all(parameter.grad is not None for parameter in policy.parameters())
    for one, two in zip(lean.parameters(), full.parameters(), strict=True):
        assert th.allclose(one.grad, two.grad, atol=1e-5)


def test_frozen_weights_play_as_the_policy_that_they_were_taken_from():
    network = NetworkConfig(shared=[12, 10], policy=[], value=[8])
    box, actions = spaces.Box(-8, 8, (6,)), spaces.Discrete(5)
    policies = [
        MaskedPolicy(box, actions, lambda _: 1e-3, **policy_kwargs(network)) for _ in range(2)
    ]
    observations = th.randn((9, 6))
    before = policies[0].logits_and_values(observations)
    weights = export_weights(policies[0])
    assert th.allclose(FrozenNetwork(weights, network).logits(observations), before[0], atol=1e-6)
    import_weights(policies[1], weights)
    after = policies[1].logits_and_values(observations)
    assert th.equal(before[0], after[0])
    assert th.equal(before[1], after[1])


def test_each_role_learns_in_its_own_network(two_roles, tmp_path):  # noqa: F811
    config = toy_config(game=two_roles, ppo={"tables": 24, "steps": 40}, steps=4000)
    leader = learner_of(config)
    diary = Diary(leader)
    before = leader.weights()
    leader.learn(1)
    seats = [{seat for _, _, seat in who.values()} for who in diary.who]
    assert seats == [{0}, {1, 2}]
    for role, learner in enumerate(leader.learners):
        seen = returns_by_seat(learner.rollout_buffer, diary.who[role])
        assert {key: diary.paid[key] for key in seen} == pytest.approx(seen)
    after = leader.weights()
    for role in ("dealer", "guest"):
        assert not np.array_equal(before[role]["policy.0.weight"], after[role]["policy.0.weight"])
    leader.collector.close()

    outcome = train(config, tmp_path / "whole", device="cpu")
    part = train(config, tmp_path / "part", device="cpu", stop=lambda s: s.steps > 1500)
    assert not part.finished
    train(config, tmp_path / "part", device="cpu", resume=True)
    from safetensors.numpy import load_file

    one = load_file(outcome.folder / "policy.safetensors")
    two = load_file(tmp_path / "part" / "checkpoints" / outcome.folder.name / "policy.safetensors")
    assert {name.split("/")[0] for name in one} == {"dealer", "guest"}
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_averaged_weights_follow_the_policy_and_are_what_is_saved(tmp_path):
    decay = 0.75
    config = toy_config(ppo={"tables": 24, "steps": 40, "averaging": decay}, steps=3000)
    leader = learner_of(config)
    seen = []
    learn = leader.train

    def watch() -> None:
        learn()
        seen.append(export_weights(leader.policy))

    leader.train = watch
    leader.learn(3000)
    assert len(seen) > 3
    expected = {name: array.astype(np.float64) for name, array in seen[0].items()}
    for weights in seen[1:]:
        expected = {n: decay * a + (1 - decay) * weights[n] for n, a in expected.items()}
    saved = leader.weights()[leader.collector.game.roles[0]]
    for name, array in saved.items():
        assert np.allclose(array, expected[name], atol=1e-6)
        assert not np.array_equal(array, seen[-1][name])
    leader.collector.close()


def test_averaged_weights_go_on_after_a_stop(tmp_path):
    from safetensors.numpy import load_file

    config = toy_config(ppo={"tables": 24, "steps": 40, "averaging": 0.9}, steps=4000)
    whole = train(config, tmp_path / "whole", device="cpu")
    train(config, tmp_path / "part", device="cpu", stop=lambda s: s.steps > 1500)
    train(config, tmp_path / "part", device="cpu", resume=True)
    one = load_file(whole.folder / "policy.safetensors")
    two = load_file(tmp_path / "part" / "checkpoints" / whole.folder.name / "policy.safetensors")
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_shaping_weight_comes_down_to_nothing():
    shaping = {
        "potential": "tests.training.potential:own_card",
        "weight": {"start": 1.0, "end": 0.0, "until": 0.5},
    }
    leader = learner_of(toy_config(shaping=shaping, league={"share": 0.0}))
    collector, buffer = leader.collector, leader.rollout_buffer
    collector.collect(0.0)
    rows = buffer.rows
    # Observation k is one-hot in the own card; the potential is a tenth of it.
    cards = buffer.observations[rows, :10].argmax(1)
    assert buffer.potentials[rows] == pytest.approx(cards / 10)
    shaped = buffer.advantages.copy()
    buffer.finish(0.0)
    assert not np.allclose(shaped, buffer.advantages)
    collector.collect(0.75)
    late = buffer.advantages.copy()
    buffer.finish(0.0)
    assert np.array_equal(late, buffer.advantages)
    collector.close()
