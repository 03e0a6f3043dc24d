"""Networks that multiply in bfloat16: what they learn stays near to what float32 learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch as th

from gangland.training.config import ConfigError
from gangland.training.learner.loss import PPOLoss
from gangland.training.learner.network import precision_of
from gangland.training.rollout.thread_pool import ThreadPool
from gangland.training.selfplay import make_trainer

from .toy import toy_config

LOSS = PPOLoss(clip_range=0.2, entropy_coefficient=0.01)


def trainer_in(precision, **changes):
    ppo = {"precision": precision, "averaging": 0.9, "magnet": 0.1, **changes}
    return make_trainer(toy_config(ppo=ppo, threads=2), "cpu")


def test_outputs_and_gradients_are_float32_and_close():
    trainers = [trainer_in(kind) for kind in ("float32", "bfloat16")]
    exact, rough = (trainer.learners[0] for trainer in trainers)
    trainers[0].collector.collect(0.0)
    exact.train(0.0)  # away from the first weights, whose policy is uniform
    rough.network.load_state_dict(exact.network.state_dict())
    trainers[0].collector.collect(0.0)
    batch = exact.buffer.batch(ThreadPool(1))
    rows = exact.buffer.minibatches(10**6)[0]
    outputs, gradients = [], []
    for learner in (exact, rough):
        outputs.append(learner.network.logits_and_values(batch.take(th.from_numpy(rows)).inputs))
        parameters = list(learner.network.parameters())
        gradients.append(learner._gradients(LOSS, batch, rows, parameters)[0])
    legal = batch.masks[th.from_numpy(rows)]
    outputs = [(logits[legal], values) for logits, values in outputs]
    for precise, coarse in zip(*outputs, strict=True):
        assert coarse.dtype == th.float32
        assert not th.equal(precise, coarse)
        spread = float(precise.detach().std())
        np.testing.assert_allclose(coarse.detach(), precise.detach(), atol=0.05 * spread)
    flat = [th.cat([gradient.reshape(-1) for gradient in each]) for each in gradients]
    assert flat[1].dtype == th.float32
    assert float(th.nn.functional.cosine_similarity(*flat, dim=0)) > 0.999
    assert float(flat[1].norm() / flat[0].norm()) == pytest.approx(1.0, abs=0.02)
    for trainer in trainers:
        trainer.collector.close()


def test_opponents_and_averages_have_the_precision_of_the_learner():
    trainer = trainer_in("bfloat16")
    collector, learner = trainer.collector, trainer.learners[0]
    for _ in range(12):
        collector.collect(0.0)
        trainer.train()
    nets = [net for slot in collector.nets.values() for net in slot]
    assert nets
    assert all(net.in_bfloat16 for net in [*nets, learner.network, learner.best_network])
    assert {weight.dtype for weight in trainer.weights()["player"].values()} == {np.dtype("f4")}
    collector.close()


def test_other_precisions_are_refused():
    with pytest.raises(ConfigError, match=r"ppo\.precision='float16': .*'bfloat16'"):
        toy_config(ppo={"precision": "float16"})


@pytest.mark.parametrize(
    ("has", "wanted"),
    [
        ({"amx_bf16": True}, "bfloat16"),
        ({"amx_bf16": False, "avx512_bf16": True}, "bfloat16"),
        ({"avx512_bf16": False}, "float32"),
        ({}, "float32"),
    ],
)
def test_unless_asked_the_processor_decides(monkeypatch, has, wanted):
    monkeypatch.setattr(th.cpu, "get_capabilities", lambda: has, raising=False)
    open_, closed = (toy_config(ppo={"precision": given}).ppo for given in (None, "float32"))
    assert precision_of(open_, "cpu") == wanted
    assert precision_of(closed, "cpu") == "float32"
    assert precision_of(open_, "meta") == "float32"
    monkeypatch.delattr(th.cpu, "get_capabilities")
    assert precision_of(open_, "cpu") == "float32"
