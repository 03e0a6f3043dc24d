"""Networks while they learn: sparse first layers, bfloat16, and like items read by an encoder."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch as th

from gangland.agents.trained.entries import nonzero
from gangland.agents.trained.items import ItemBlock
from gangland.agents.trained.model_file import MODEL_FILE
from gangland.agents.trained.network import build
from gangland.agents.trained.policy import PolicyAgent
from gangland.envs import load
from gangland.training.checkpoint import save_checkpoint
from gangland.training.config import ConfigError, parse
from gangland.training.learner.loss import PPOLoss
from gangland.training.learner.network import PolicyNetwork, initial_weights, precision_of
from gangland.training.learner.sparse import SparseRows, inputs_for
from gangland.training.rollout import buffer, table_worker
from gangland.training.rollout.thread_pool import ThreadPool, single_thread
from gangland.training.selfplay import make_trainer
from tests.games import views_of

from .toy import toy_config

# --- sparse first layers compute what dense ones do -----------------------------------------------

LAYOUTS = [
    {"shared": [16], "policy": [8], "value": [8]},
    {"shared": [], "policy": [8], "value": []},
    {"shared": [16], "policy": [8], "value": [8], "items": {"tiles": 6, "cards": 4, "dice": 3}},
]
BLOCKS = {
    "tiles": ItemBlock(2, 5, 3, True, ((0,), (1,), (2,), (-1,), (-1,))),
    "cards": ItemBlock(17, 2, 4, False, ((3, -1), (4, -1))),
    "dice": ItemBlock(25, 3, 2, False, ((), (), ())),
}


def rows_of(shape=(50, 37), share=0.2, seed=1):
    rng = np.random.default_rng(seed)
    dense = rng.normal(size=shape).astype(np.float32)
    dense[rng.random(shape) >= share] = 0.0
    dense[7] = 0.0  # a row of nothing
    dense[8] = rng.normal(size=shape[1])  # and one without a zero
    return dense


def network_of(layout):
    described = {**layout, "chances": 0}
    architecture = build(described, 37, 5, BLOCKS)
    return PolicyNetwork(architecture, initial_weights(architecture, 3))


def gradients(network, inputs):
    logits, values = network.logits_and_values(inputs)
    loss = logits.square().sum() + (values * 3).sin().sum()
    return logits, values, *th.autograd.grad(loss, list(network.parameters()))


@pytest.mark.parametrize("layout", LAYOUTS, ids=["shared", "apart", "items"])
def test_outputs_and_gradients_are_the_dense_ones(layout):
    dense = rows_of()
    network = network_of(layout)
    wanted = gradients(network, th.from_numpy(dense))
    found = gradients(network, SparseRows.of(dense))
    for one, other in zip(found, wanted, strict=True):
        th.testing.assert_close(one, other, atol=2e-4, rtol=1e-4)
    assert max(float(part.detach().abs().max()) for part in wanted) > 1


@pytest.mark.parametrize("layout", LAYOUTS, ids=["shared", "apart", "items"])
def test_only_the_logits_that_are_asked_for_are_computed(layout):
    dense, network = rows_of(), network_of(layout)
    asked = np.random.default_rng(5).random((50, 5)) < 0.4
    asked[3], asked[4] = False, True
    legal = th.from_numpy(asked)
    found, wanted = [], []
    sparse = inputs_for(dense, "cpu", asked=asked)
    for inputs, results in ((sparse, found), (th.from_numpy(dense), wanted)):
        logits, values = network.logits_and_values(inputs)
        loss = (logits[legal] * 9).sin().sum() + values.square().sum()
        results += [logits[legal], values, *th.autograd.grad(loss, list(network.parameters()))]
        assert bool(th.isfinite(logits).all())
    for one, other in zip(found, wanted, strict=True):
        th.testing.assert_close(one, other, atol=2e-4, rtol=1e-4)
    picked = th.tensor([4, 3, 40])
    some = network.logits(sparse.index_select(0, picked))
    th.testing.assert_close(some[legal[picked]], network.logits(sparse)[picked][legal[picked]])


def test_gradients_of_values_alone_reach_the_encoders():
    dense, network = rows_of(), network_of(LAYOUTS[2])
    found = []
    for inputs in (SparseRows.of(dense), th.from_numpy(dense)):
        _, values = network.logits_and_values(inputs)
        parameters = list(network.parameters())
        loss = values.square().sum()
        found.append(th.autograd.grad(loss, parameters, allow_unused=True, materialize_grads=True))
    for one, other in zip(*found, strict=True):
        th.testing.assert_close(one, other, atol=2e-4, rtol=1e-4)


def test_some_of_the_rows():
    dense, network = rows_of(), network_of(LAYOUTS[0])
    picked = th.tensor([49, 7, 0, 8, 8])
    found = network.logits(SparseRows.of(dense).index_select(0, picked))
    th.testing.assert_close(found, network.logits(th.from_numpy(dense)[picked]))
    assert SparseRows.of(dense[:0]).shape == (0, 37)
    assert network.logits(SparseRows.of(dense[:0])).shape == (0, 5)


def test_weights_that_have_changed_are_seen():
    dense, network = rows_of(), network_of(LAYOUTS[0])
    sparse = SparseRows.of(dense)
    before = network.logits(sparse)
    with th.no_grad():
        for parameter in network.parameters():
            parameter.mul_(1.5)
    after = network.logits(sparse)
    assert not th.allclose(before, after)
    th.testing.assert_close(after, network.logits(th.from_numpy(dense)))


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_what_is_not_zero_of_the_rows_that_are_named(parts):
    """Parts that are filled in at the same time do not write into each other."""
    dense = rows_of()
    dense[0, :8] = 0.0
    dense[1, 3], dense[2, 4] = -0.0, np.nan
    named = np.array([0, 1, 2, len(dense) - 1])
    pool = ThreadPool(2)
    found = nonzero(dense, named, run=pool.run, parts=parts)
    pool.close()
    assert (found.ends - found.starts)[3:-1].tolist() == [0] * (len(dense) - 4)
    for row in named:
        columns = np.flatnonzero(dense[row])
        entries = slice(found.starts[row], found.ends[row])
        assert np.array_equal(found.columns[entries], columns)
        assert np.array_equal(found.numbers[entries], dense[row, columns], equal_nan=True)


def test_the_magnet_is_asked_once_for_all_that_is_trained_on():
    ppo = {"averaging": 0.9, "magnet": 0.1, "learning_rate": 0.01}
    trainer = make_trainer(toy_config(ppo=ppo), "cpu")
    for _ in range(2):
        trainer.collector.collect(0.0)
        trainer.train()
    trainer.collector.collect(0.0)
    (learner,) = trainer.learners
    batch = learner.buffer.batch(ThreadPool(1))
    found, rows = learner._magnet_logits(batch), learner.buffer.trained
    trainer.collector.close()
    asked = th.from_numpy(learner.buffer.masks[rows])
    wanted = learner.best_network.logits(th.from_numpy(learner.buffer.inputs[rows]))
    assert len(rows)
    assert not th.allclose(wanted, learner.network.logits(batch.inputs)[rows])
    th.testing.assert_close(found[rows][asked], wanted[asked])


def test_an_accelerator_gets_whole_matrices():
    assert isinstance(inputs_for(rows_of(), "cpu"), SparseRows)
    assert isinstance(inputs_for(rows_of(), "meta"), th.Tensor)


class Dense:
    """Whole matrices in place of sparse rows."""

    @staticmethod
    def of(dense, rows, **shared):
        return th.from_numpy(dense)

    @staticmethod
    def inputs_for(array, device, asked=None):
        return th.from_numpy(array)


def test_rollouts_and_minibatches_are_the_dense_ones(monkeypatch):
    """Also on a device that reads whole matrices, which is played and learnt from here."""
    rollouts, gradients, weights = [], [], []
    for sparse in (False, True):
        if not sparse:
            monkeypatch.setattr(
                table_worker, "inputs_for", lambda array, *_, **__: th.from_numpy(array)
            )
            monkeypatch.setattr(buffer, "SparseRows", Dense)
        ppo = {"averaging": 0.9, "magnet": 0.1, "learning_rate": 0.01}
        trainer = make_trainer(toy_config(ppo=ppo), "cpu")
        trainer.collector.collect(0.0)
        learner = trainer.learners[0]
        rollouts.append((learner.buffer.actions.copy(), learner.buffer.values.copy()))
        batch = learner.buffer.batch(ThreadPool(1))
        assert isinstance(batch.inputs, SparseRows) == sparse
        batch = replace(batch, magnet=learner._magnet_logits(batch))
        rows = learner.buffer.minibatches(64)[0]
        loss = PPOLoss(0.2, 0.01, 0.1)
        parameters = list(learner.network.parameters())
        gradients.append(learner._gradients(loss, batch, rows, parameters)[0])
        for _ in range(3):
            trainer.train()
            trainer.collector.collect(0.0)
        weights.append((learner.network.weights(), learner.best_network.weights()))
        trainer.collector.close()
        monkeypatch.undo()
    assert np.array_equal(rollouts[0][0], rollouts[1][0])
    np.testing.assert_allclose(rollouts[1][1], rollouts[0][1], atol=1e-5)
    for one, other in zip(*gradients, strict=True):
        th.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)
    for dense, found in zip(*weights, strict=True):
        for name, array in dense.items():
            np.testing.assert_allclose(found[name], array, atol=1e-3, err_msg=name)


def test_in_bfloat16_they_are_rounded_to_the_nearest():
    dense = rows_of()
    dense[0, :4] = [1.0 + 2**-8, 1.0 + 3 * 2**-8, -(1.0 + 2**-9), 3.0e38]  # ties go to even
    rows = SparseRows.of(dense).padded(64)
    found = rows.in_bfloat16()
    assert found.dtype == th.bfloat16
    assert th.equal(found[:50], th.from_numpy(dense).bfloat16())
    assert not found[50:].any()


# --- bfloat16: what is learnt stays near to what float32 learns -----------------------------------

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


# --- items read by an encoder: they learn, are saved, and play as they learnt ---------------------

GAME = load("chicago")


def config_of(items, **ppo):
    return parse(
        {
            "game": "chicago",
            "steps": 4000,
            "threads": 1,
            "network": {"shared": [12], "policy": [8], "value": [8], "chances": 6, "items": items},
            "ppo": {
                "tables": 16,
                "steps": 16,
                "epochs": 1,
                "batch_size": 128,
                "precision": "float32",
                **ppo,
            },
            "league": {"baselines": ["random"]},
        }
    )


def learnt(config, rollouts=3):
    trainer = make_trainer(config, "cpu")
    with single_thread():
        for _ in range(rollouts):
            trainer.collector.collect(0.0)
            trainer.train()
    return trainer


def test_what_has_been_learnt_is_what_plays(tmp_path):
    trainer = learnt(config_of({"seats": 5}, learning_rate=0.01))
    weights = trainer.learners[0].best_network.weights()
    names = [name for name in weights if name.startswith("items.seats.")]
    assert {name.split(".")[2] for name in names} == {
        "encode", "place", "pool", "key", "query", "head"
    }  # fmt: skip
    first = make_trainer(config_of({"seats": 5}), "cpu").learners[0].network.weights()
    assert all(not np.array_equal(weights[name], first[name]) for name in names)
    folder = save_checkpoint(tmp_path, trainer, 1.0)
    agent, views = PolicyAgent(GAME, folder), views_of("chicago", tables=40, plies=9)
    with th.no_grad():
        wanted = trainer.learners[0].best_network.logits(th.from_numpy(views.observations))
    found = agent.networks[0].logits(views.observations)
    np.testing.assert_allclose(found, wanted.numpy(), atol=1e-5, rtol=1e-4)
    block = json.loads((folder / MODEL_FILE).read_text())["item_blocks"]["seats"]
    assert block["rows"] == GAME.max_seats


@pytest.mark.parametrize("name", ["hand", "tiles"])
def test_blocks_that_are_not_there_are_named(name):
    with pytest.raises(ConfigError, match=rf"network\.items: {name}: must be among .* seats"):
        make_trainer(config_of({name: 4}), "cpu")
