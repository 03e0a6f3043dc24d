"""Networks while they learn: sparse first layers, and like items read by an encoder."""

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
from gangland.training.learner.network import PolicyNetwork, initial_weights
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
        (spread,) = learner._spreads([rows])
        loss = PPOLoss(0.2, 0.01, 0.1)
        parameters = list(learner.network.parameters())
        gradients.append(learner._gradients(loss, batch, rows, spread, parameters)[0])
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
