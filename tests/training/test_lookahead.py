"""A look ahead tries actions in copies of the game, and improves the policy by what they led to."""

from __future__ import annotations

import numpy as np
import pytest
import torch as th

from gangland.envs.core.state import bytes_of
from gangland.training.rollout import copies, lookahead
from gangland.training.rollout.copies import APART, Copies, draw_alike, with_chance
from gangland.training.rollout.lookahead import MOST, SHARPNESS, gain, improve, most_probable
from gangland.training.selfplay import make_trainer
from tests.toy.game import KEEP, PASS

from .toy import toy_config, two_roles  # noqa: F401

RNG = np.random.default_rng(5)
EVERYWHERE = {"ppo": {"lookahead": 1.0}, "league": {"share": 0.0, "size": 0}}


def some_decisions(rows=50, actions=12):
    masks = RNG.random((rows, actions)) < 0.5
    masks[:, 3] = True
    logits = RNG.normal(0, 2, (rows, actions)).astype(np.float32)
    return logits, masks


def test_the_most_probable_actions_are_tried():
    logits, masks = some_decisions()
    roots, actions = most_probable(logits, masks, 4)
    for row in range(len(masks)):
        legal = np.flatnonzero(masks[row])
        wanted = legal[np.argsort(-logits[row, legal])][:4]
        assert actions[roots == row].tolist() == wanted.tolist()
    assert (np.diff(roots) >= 0).all()


def test_an_improved_policy_is_the_softmax_of_logits_and_advantages():
    logits, masks = some_decisions()
    roots, actions = most_probable(logits, masks, 4)
    found = RNG.uniform(-1, 1, len(roots))
    found[RNG.random(len(roots)) < 0.2] = np.nan
    improved = np.zeros(masks.shape, np.float32)
    differed = improve(logits, masks, roots, actions, found, improved)
    others = 0
    for row in range(len(masks)):
        tried, got = actions[roots == row], found[roots == row]
        came_out = ~np.isnan(got)
        wanted = logits[row].astype(float)
        if came_out.any():
            odds = np.exp(wanted[tried[came_out]])
            advantages = got[came_out] - np.average(got[came_out], weights=odds)
            wanted[tried[came_out]] += np.clip(SHARPNESS * advantages, -MOST, MOST)
            others += tried[came_out][advantages.argmax()] != tried[0]
        wanted = np.exp(np.where(masks[row], wanted, -np.inf))
        np.testing.assert_allclose(improved[row], wanted / wanted.sum(), atol=1e-5)
    assert differed == others
    assert 0 < others < len(masks)


def test_what_an_action_is_chosen_by_does_not_count_for_it():
    logits, masks = some_decisions()
    roots, actions = most_probable(logits, masks, 4)
    chosen_by, found = RNG.uniform(-1, 1, (2, len(roots)))
    chosen_by[RNG.random(len(roots)) < 0.2] = np.nan
    found[RNG.random(len(roots)) < 0.2] = np.nan
    wanted = 0.0
    for row in range(len(masks)):
        mine = roots == row
        got, odds = found[mine], np.exp(logits[row, actions[mine]].astype(float))
        came_out = ~np.isnan(got)
        if np.isnan(chosen_by[mine]).all() or not came_out.any():
            continue
        best = np.nanargmax(chosen_by[mine])
        if came_out[best]:
            wanted += got[best] - np.average(got[came_out], weights=odds[came_out])
    assert gain(logits, roots, actions, chosen_by, found) == pytest.approx(wanted)
    # Pure luck gains nothing in the mean.
    many = np.zeros((4000, 12), np.float32), np.ones((4000, 12), np.bool_)
    roots, actions = most_probable(*many, 8)
    luck = RNG.normal(0, 1, (2, len(roots)))
    assert abs(gain(many[0], roots, actions, luck[0], luck[1]) / 4000) < 4 / 4000**0.5
    assert gain(many[0], roots, actions, luck[0], luck[0]) / 4000 > 1.0


def played_by_hand(game, state, action, policy):
    """Where a seat decides again after an action, or what it was paid; others take ``policy``."""
    state, seat = state.copy(), int(state.seat)
    game.apply(state, action)
    while not state.over and state.seat != seat:
        legal = game.legal_actions(state)
        game.apply(state, next(action for action in policy if action in legal))
    return state, seat


@pytest.mark.parametrize("rewards", ["result", "mixed"])
def test_copies_go_on_as_the_game_would(monkeypatch, rewards):
    monkeypatch.setattr(copies, "AT_ONCE", 70)
    config = toy_config(**EVERYWHERE, rewards=rewards, network={"chances": 4}, threads=1)
    trainer = make_trainer(config, "cpu")
    collector, network = trainer.collector, trainer.learners[0].network
    looked = []
    worker = collector.workers[0]
    play = Copies.play

    def noting(self, decisions, trials):
        with th.no_grad():  # from here on nobody swaps or challenges
            network.get_parameter("policy.head.bias")[[KEEP, PASS]] = 1000.0
        found = play(self, decisions, trials)
        looked.append((decisions, trials, found))
        return found

    monkeypatch.setattr(Copies, "play", noting)
    collector.collect(0.0)
    collector.collect(0.0)
    ended = back = 0
    for decisions, trials, found in looked:
        assert len(trials.roots) > 5 * 70
        states = decisions.states.view(collector.game.dtype)[:, 0]
        assert bytes_of(states).shape == decisions.states.shape
        for k in RNG.permutation(len(trials.roots))[:200]:
            root, action = trials.roots[k], int(trials.actions[k])
            state = states[root : root + 1].copy()
            state["rng"] += trials.samples[k : k + 1].astype(np.uint64) * APART
            state, seat = played_by_hand(collector.game, state[0], action, (KEEP, PASS))
            if state.over:
                wanted = state.rewards[seat]
                if rewards == "mixed":
                    others = np.delete(state.scores[: state.num_seats], seat).mean()
                    wanted += (state.scores[seat] - others) / collector.game.score_scale
                ended += 1
            else:
                seen = th.from_numpy(collector.game.observe(state, seat)[None])
                with th.inference_mode():
                    outputs = network.logits_and_values(seen)[1].numpy()
                wanted = worker.values(outputs, decisions.tables[root : root + 1])[0][0]
                back += 1
            assert found[k] == pytest.approx(wanted, abs=1e-5)
    assert ended > 50
    assert back > 10
    collector.close()


def test_a_copy_that_does_not_come_back_says_nothing(monkeypatch):
    monkeypatch.setattr(copies, "STEPS", 1)
    trainer = make_trainer(toy_config(**EVERYWHERE, threads=1), "cpu")
    looked = []
    play = Copies.play

    def noting(self, decisions, trials):
        found = play(self, decisions, trials)
        looked.append((decisions, trials, found))
        return found

    monkeypatch.setattr(Copies, "play", noting)
    trainer.collector.collect(0.0)
    [(decisions, trials, found)] = looked
    states = decisions.states.view(trainer.game.dtype)[:, 0]
    for k in RNG.permutation(len(found))[:200]:
        state = states[trials.roots[k]].copy()
        seat = int(state.seat)
        trainer.game.apply(state, int(trials.actions[k]))
        assert np.isnan(found[k]) == (not state.over and state.seat != seat)
    assert 0.1 < np.isnan(found).mean() < 0.9
    trainer.collector.close()


def test_an_action_is_worth_the_mean_over_its_samples(monkeypatch):
    trainer = make_trainer(toy_config(**EVERYWHERE, threads=1), "cpu")
    looked = []

    def by_hand(self, decisions, trials):
        looked.append((decisions, trials))
        found = 0.05 * trials.samples + 0.01 * trials.actions
        found[(trials.samples == 1) | (trials.actions == PASS)] = np.nan
        return found

    monkeypatch.setattr(Copies, "play", by_hand)
    trainer.collector.collect(0.0)
    others = np.delete(np.arange(lookahead.SAMPLES), 1)
    [(decisions, trials)] = looked
    roots, actions = trials.roots, trials.actions
    assert (roots.reshape(-1, lookahead.SAMPLES) == roots[:: lookahead.SAMPLES, None]).all()
    assert (trials.samples[: lookahead.SAMPLES] == np.arange(lookahead.SAMPLES)).all()
    improved = trainer.learners[0].buffer.taught[decisions.at]
    for row in range(len(decisions.at)):
        tried = np.unique(actions[roots == row])
        found = np.where(tried == PASS, np.nan, 0.01 * tried + 0.05 * others.mean())
        wanted = np.zeros((1, decisions.masks.shape[1]), np.float32)
        order = np.argsort(-decisions.logits[row, tried], kind="stable")
        improve(
            decisions.logits[row : row + 1],
            decisions.masks[row : row + 1],
            np.zeros(len(tried), np.int64),
            tried[order],
            found[order],
            wanted,
        )
        np.testing.assert_allclose(improved[row], wanted[0], atol=1e-5)
    trainer.collector.close()


def test_samples_have_chances_of_their_own_and_the_first_has_the_game_s():
    trainer = make_trainer(toy_config(threads=1), "cpu")
    worker = trainer.collector.workers[0]
    before = bytes_of(worker.group.states)[[0, 0, 0, 1]]
    after = with_chance(before.copy(), np.array([0, 1, 2, 0]), worker.group)
    rngs = [each.view(worker.group.game.dtype)[:, 0]["rng"] for each in (before, after)]
    assert (rngs[0] == rngs[1]).tolist() == [True, False, False, True]
    assert len(set(rngs[1][:3].tolist())) == 3
    trainer.collector.close()


def test_copies_of_one_chance_draw_alike():
    roots, samples, ages = (each.ravel() for each in np.indices((40, 4, 20)))
    uniforms = draw_alike(np.uint64(2**63 + 5), roots, samples, ages)
    np.testing.assert_array_equal(uniforms, draw_alike(np.uint64(2**63 + 5), roots, samples, ages))
    assert len(np.unique(uniforms)) == len(uniforms)
    assert not np.isin(draw_alike(np.uint64(6), roots, samples, ages), uniforms).any()
    # A Kolmogorov-Smirnov test at one in a thousand.
    distance = np.abs(np.sort(uniforms) - (np.arange(len(uniforms)) + 0.5) / len(uniforms)).max()
    assert distance < 1.95 / len(uniforms) ** 0.5


def test_only_self_play_is_looked_at():
    trainer = make_trainer(toy_config(ppo={"lookahead": 0.5}, league={"share": 0.5}), "cpu")
    buffer = trainer.learners[0].buffer
    buffer.taught[:] = 7.0
    trainer.collector.collect(0.0)
    taught, masks = buffer.taught[buffer.rows], buffer.masks[buffer.rows]
    looked = taught.any(1)
    assert 0.1 < looked.mean() < 0.45
    np.testing.assert_allclose(taught[looked].sum(1), 1.0, atol=1e-5)
    assert not taught[~masks].any()
    assert trainer.collector.looked[0] == looked.sum()
    trainer.collector.close()


def test_roles_learn_from_their_own_looks(two_roles):  # noqa: F811
    trainer = make_trainer(toy_config(**EVERYWHERE, game=two_roles), "cpu")
    trainer.collector.collect(0.0)
    for learner in trainer.learners:
        taught = learner.buffer.taught[learner.buffer.rows]
        assert (taught.sum(1) > 0.99).all()
    trainer.collector.close()
