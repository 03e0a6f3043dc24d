"""The loss and the update do what sb3-contrib's MaskablePPO does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import gymnasium
import torch as th
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples

from gangland.bench_training import maskable_policy_kwargs
from gangland.training.learner.loss import (
    LOOKAHEAD_COEFFICIENT,
    VALUE_COEFFICIENT,
    Batch,
    PPOLoss,
)
from gangland.training.learner.ppo import MAX_GRADIENT_NORM
from gangland.training.rollout.thread_pool import ThreadPool
from gangland.training.selfplay import make_trainer
from tests.games import TOY

from .toy import toy_config

LOSS = PPOLoss(clip_range=0.2, entropy_coefficient=0.03)
PULLED = replace(LOSS, magnet_coefficient=0.3)


def decisions(rows=64, actions=9, seats=0, legal=0.4):
    """Random logits, outputs, masks and targets, some ratios beyond the clipping."""
    rng = np.random.default_rng(3)
    masks = rng.random((rows, actions)) < legal
    masks[:, 0] = True
    if legal < 1.0:
        masks[:5] = False
        masks[:5, 0] = True  # forced moves: no entropy
    chosen = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    improved = np.where(masks, np.random.default_rng(4).random((rows, actions)), 0.0)
    improved /= improved.sum(1, keepdims=True)
    improved[::2] = 0.0
    batch = Batch(
        inputs=th.zeros(rows, 1),
        masks=th.from_numpy(masks),
        actions=th.from_numpy(chosen),
        log_probs=th.from_numpy(np.log(rng.uniform(0.05, 1, rows)).astype(np.float32)),
        advantages=th.from_numpy(rng.normal(0, 1, rows).astype(np.float32)),
        returns=th.from_numpy(rng.normal(0, 1, rows).astype(np.float32)),
        targets=th.from_numpy(rng.dirichlet(np.ones(max(seats, 1)), rows)[:, :seats]).float(),
        taught=th.from_numpy(improved).float(),
        magnet=th.from_numpy(rng.normal(0, 2, (rows, actions)).astype(np.float32)),
    )
    logits = th.from_numpy(rng.normal(0, 2, (rows, actions)).astype(np.float32))
    return logits, th.from_numpy(rng.normal(0, 1, (rows, 1 + seats)).astype(np.float32)), batch


def dense(loss, logits, values, batch, count):
    """PPO's loss over all actions, written as in the papers; illegal ones have no chance."""
    log_probs = th.log_softmax(logits.masked_fill(~batch.masks, -1e8), 1)
    probs = log_probs.exp()
    ratio = (log_probs[range(len(batch)), batch.actions] - batch.log_probs).exp()
    low, high = 1 - loss.clip_range, 1 + loss.clip_range
    surrogate = th.min(ratio * batch.advantages, ratio.clamp(low, high) * batch.advantages)
    entropy = -(probs * log_probs).sum(1)
    error = (values[:, 0] - batch.returns) ** 2
    if values.shape[1] > 1:
        error = error - (batch.targets * th.log_softmax(values[:, 1:], 1)).sum(1)
    pull = th.zeros(())
    if batch.magnet is not None:
        magnet = th.log_softmax(batch.magnet.masked_fill(~batch.masks, -1e8), 1)
        pull = (probs * (log_probs - magnet)).sum() / count
    learnt = -(batch.taught * log_probs).sum() / count
    entropy_of_it = -th.special.xlogy(batch.taught, batch.taught).sum() / count
    total = (
        (VALUE_COEFFICIENT * error - surrogate - loss.entropy_coefficient * entropy).sum() / count
    ) + loss.magnet_coefficient * pull
    total = total + LOOKAHEAD_COEFFICIENT * learnt
    kl = (ratio - 1 - ratio.log()).sum() / count
    clipped = ((ratio < low) | (ratio > high)).sum() / count
    parts = [total, -surrogate.sum() / count, error.sum() / count, -entropy.sum() / count]
    return total, th.stack([*parts, kl, clipped, pull, learnt - entropy_of_it]).detach()


def differentiate(loss, logits, values, batch, count):
    """Gradients of ``loss`` times three, and its metrics."""
    logits, values = logits.clone().requires_grad_(), values.clone().requires_grad_()
    total, metrics = loss(logits, values, batch, count)
    (3.0 * total).backward()
    return logits.grad.numpy(), values.grad.numpy(), metrics.numpy(), float(total.detach())


LOSSES = {
    "as configured": LOSS,
    "often clipped": replace(LOSS, clip_range=0.01),
    "never clipped": replace(LOSS, clip_range=100.0),
    "no entropy": replace(LOSS, entropy_coefficient=0.0),
    "much entropy": replace(LOSS, entropy_coefficient=2.0),
    "a magnet": PULLED,
    "all but the surrogate": PPOLoss(0.2, 0.5, 2.5),
}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@pytest.mark.parametrize("seats", [0, 2, 5])
@pytest.mark.parametrize("magnet", [False, True], ids=["free", "pulled"])
@pytest.mark.parametrize("legal", [0.4, 1.0], ids=["few legal", "all legal"])
@pytest.mark.parametrize("count", [64, 1000], ids=["a minibatch", "part of one"])
def test_the_loss_is_the_formula(loss, seats, magnet, legal, count):
    logits, values, batch = decisions(seats=seats, legal=legal)
    if not magnet:
        batch = replace(batch, magnet=None)
    found = differentiate(loss, logits, values, batch, count)
    plain = differentiate(lambda *given: dense(loss, *given), logits, values, batch, count)
    metrics = dict(zip(PPOLoss.metrics, plain[2] * count / 64, strict=True))
    if loss is LOSS:
        assert 0.2 < metrics["clip_fraction"] < 1.0
    assert (metrics["magnet_kl"] > 0.0) == magnet
    np.testing.assert_allclose(found[0], plain[0], atol=2e-6, rtol=1e-4)
    np.testing.assert_allclose(found[1], plain[1], atol=2e-7, rtol=1e-4)
    np.testing.assert_allclose(found[2], plain[2], atol=1e-6, rtol=1e-4)
    assert found[3] == pytest.approx(plain[3], rel=1e-4, abs=1e-6)
    assert not found[0][~batch.masks.numpy()].any()


def test_parts_of_a_minibatch_add_up_to_the_whole():
    logits, values, batch = decisions(seats=5)
    whole = differentiate(PULLED, logits, values, batch, 64)
    parts = []
    for span in (slice(0, 20), slice(20, 64)):
        rows = th.arange(64)[span]
        parts.append(differentiate(PULLED, logits[rows], values[rows], batch.take(rows), 64))
    for k in (0, 1):
        together = np.concatenate([part[k] for part in parts])
        np.testing.assert_allclose(together, whole[k], atol=1e-6)
    np.testing.assert_allclose(parts[0][2] + parts[1][2], whole[2], atol=1e-6)


def trainer_after_a_rollout(threads=1, **changes):
    config = toy_config(
        threads=threads,
        network={"shared": [16], "policy": [8], "value": [8]},
        ppo={
            "tables": 16,
            "steps": 40,
            "batch_size": 100,
            "learning_rate": 0.003,
            "entropy": 0.02,
            **changes,
        },
        league={"share": 0.0, "baselines": []},
    )
    trainer = make_trainer(config, "cpu")
    trainer.collector.collect(0.0)
    return trainer


class SpacesOnly(gymnasium.Env):
    """Gives MaskablePPO the spaces; nobody steps it."""

    def __init__(self, learner):
        architecture = learner.network.architecture
        self.observation_space = spaces.Box(-8, 8, (architecture.observation_size,), np.float32)
        self.action_space = spaces.Discrete(architecture.num_actions)

    def action_masks(self):
        return np.ones(self.action_space.n, bool)


class SameRollout:
    """A learner's buffer as MaskablePPO asks for it, in the same minibatches."""

    def __init__(self, buffer):
        self.buffer = buffer
        self.values, self.returns = buffer.values, buffer.returns

    def get(self, batch_size):
        batch = self.buffer.batch(ThreadPool(1))
        for rows in self.buffer.minibatches(batch_size):
            part = batch.take(th.from_numpy(rows))
            yield MaskableRolloutBufferSamples(
                th.from_numpy(self.buffer.inputs[rows]),
                part.actions,
                part.returns - part.advantages,
                part.log_probs,
                part.advantages,
                part.returns,
                part.masks,
            )


class Log:
    def __init__(self):
        self.values = {}

    def record(self, key, value, exclude=None):
        self.values[key] = float(value)


def maskable_ppo_like(trainer):
    """sb3-contrib's own learner and policy, with a learner's weights and rollout."""
    (learner,), settings = trainer.learners, trainer.config.ppo
    model = MaskablePPO(
        "MlpPolicy",
        SpacesOnly(learner),
        learning_rate=settings.learning_rate,
        n_steps=64,
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        ent_coef=settings.entropy,
        clip_range=settings.clip_range,
        vf_coef=VALUE_COEFFICIENT,
        max_grad_norm=MAX_GRADIENT_NORM,
        policy_kwargs=maskable_policy_kwargs(trainer.config.network),
        device="cpu",
    )
    with th.no_grad():
        for name, layer in layers_of(model.policy).items():
            layer.weight.copy_(learner.network.get_parameter(f"{name}.weight"))
            layer.bias.copy_(learner.network.get_parameter(f"{name}.bias"))
    model.rollout_buffer = SameRollout(learner.buffer)
    model.set_logger(Log())
    return model


def layers_of(policy):
    """sb3-contrib's layers by our names."""
    return {
        "shared.0": policy.features_extractor.layers[0],
        "policy.0": policy.mlp_extractor.policy_net[0],
        "value.0": policy.mlp_extractor.value_net[0],
        "policy.head": policy.action_net,
        "value.head": policy.value_net,
    }


CASES = {
    "one epoch": {"epochs": 1},
    "three epochs": {"epochs": 3},
    "rarely clipped": {"epochs": 3, "clip_range": 0.9},
    "much clipped": {"epochs": 3, "clip_range": 0.01},
}


@pytest.mark.parametrize("changes", CASES.values(), ids=CASES)
@pytest.mark.parametrize("threads", [1, 3])
def test_an_update_is_that_of_maskable_ppo(changes, threads):
    # sb3-contrib does not look ahead.
    trainer = trainer_after_a_rollout(threads, lookahead=0.0, **changes)
    (learner,), settings = trainer.learners, trainer.config.ppo
    theirs = maskable_ppo_like(trainer)
    before = learner.network.weights()
    order = learner.buffer.rng.bit_generator.state
    theirs.train()
    learner.buffer.rng.bit_generator.state = order
    learner.logger = Log()
    learner.train(0.0)
    after = learner.network.weights()
    moved = {name: after[name] - before[name] for name in before}
    assert all(np.abs(step).max() > 1e-4 for step in moved.values())
    for name, layer in layers_of(theirs.policy).items():
        for kind in ("weight", "bias"):
            key = f"{name}.{kind}"
            wanted = getattr(layer, kind).detach().numpy() - before[key]
            np.testing.assert_allclose(moved[key], wanted, atol=3e-5, err_msg=key)
    ours, log = learner.logger.values, theirs.logger.values
    assert ours.keys() >= log.keys()
    if settings.epochs > 1:  # sb3-contrib logs this one of the last epoch alone
        del log["train/approx_kl"]
    for key in log:
        assert ours[key] == pytest.approx(log[key], rel=2e-3, abs=2e-5), key
    trainer.collector.close()


def test_callbacks_of_stable_baselines_work_with_the_trainer(tmp_path):
    from stable_baselines3.common.callbacks import (
        BaseCallback,
        CallbackList,
        EveryNTimesteps,
    )
    from stable_baselines3.common.logger import configure

    class Notes(BaseCallback):
        def __init__(self):
            super().__init__()
            self.seen, self.order = [], []

        def _on_training_start(self):
            self.order.append("start")

        def _on_step(self):
            self.seen.append(self.num_timesteps)
            self.logger.record("notes/seen", len(self.seen))
            return len(self.seen) < 6

        def _on_rollout_end(self):
            self.order.append("rollout")

        def _on_training_end(self):
            self.order.append("end")

    trainer = make_trainer(toy_config(game=TOY), "cpu")
    trainer.set_logger(configure(str(tmp_path), ["csv"]))
    notes, rarely = Notes(), Notes()
    trainer.learn(10**9, CallbackList([notes, EveryNTimesteps(500, rarely)]))
    assert notes.seen[0] == 0
    assert notes.seen == sorted(set(notes.seen))
    assert notes.order == ["start", *["rollout"] * 5, "end"]
    assert 1 <= len(rarely.seen) < len(notes.seen)
    assert trainer.num_timesteps == notes.seen[-1]
    table = (tmp_path / "progress.csv").read_text()
    for tag in ("notes/seen", "train/policy_gradient_loss", "time/fps"):
        assert tag in table
    trainer.collector.close()
