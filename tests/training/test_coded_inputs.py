"""Rollouts whose observations are kept in bytes: what is learnt is the same."""

from __future__ import annotations

import numpy as np
import pytest
import torch as th

from gangland.envs import load
from gangland.training.config import ConfigError
from gangland.training.learner.sparse import CodedRows, SparseRows, inputs_for
from gangland.training.selfplay import make_trainer

from .toy import toy_config


def trainer_with(dtype, sparse, game="chicago", **changes):
    ppo = {"observation_dtype": dtype, "sparse_inputs": sparse, "averaging": 0.9, "magnet": 0.1}
    return make_trainer(toy_config(game=game, ppo=ppo, **changes), "cpu")


def some_observations(game, count=40):
    rng, states = np.random.default_rng(2), []
    state = game.new_state(3)
    while len(states) < count:
        states.append(game.observe(state, game.seat_to_act(state)))
        game.apply(state, int(rng.choice(game.legal_actions(state))))
        if game.is_over(state):
            state = game.new_state(len(states))
    return np.stack(states)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_weights_are_the_same_to_the_bit(sparse, threads):
    weights = []
    for dtype in ("float32", "uint8"):
        trainer = trainer_with(dtype, sparse, threads=threads)
        for _ in range(12):
            trainer.num_timesteps += trainer.collector.collect(0.0)
            trainer.train()
        assert trainer.num_timesteps > 2000
        learner = trainer.learners[0]
        weights.append({**learner.network.weights(), "best": learner.best_network.weights()})
        trainer.collector.close()
    before, after = weights
    for name, array in before.pop("best").items():
        np.testing.assert_array_equal(after["best"][name], array, err_msg=name)
    for name, array in before.items():
        np.testing.assert_array_equal(after[name], array, err_msg=name)


def test_the_buffer_is_smaller_and_holds_the_same():
    plain, coded = trainer_with("float32", True), trainer_with("uint8", True)
    for trainer in (plain, coded):
        trainer.collector.collect(0.0)
        trainer.collector.collect(0.0)
    one, other = plain.learners[0].buffer, coded.learners[0].buffer
    assert other.inputs.dtype == np.uint8
    assert 3 * other.inputs.nbytes < one.inputs.nbytes
    every = slice(0, int(one.rows.max()) + 1)
    np.testing.assert_array_equal(other.inputs_at(every), one.inputs_at(every))
    kept = other.snapshot()
    other.restore(kept)
    np.testing.assert_array_equal(other.snapshot()["inputs"], kept["inputs"])
    plain.collector.close()
    coded.collector.close()


def test_networks_are_given_the_observations():
    game = load("leduc")
    codes, seen = game.observation_codes, some_observations(game)
    coded = codes.encode(seen)
    rows = th.tensor([7, 0, 7, 39])
    dense = inputs_for(coded, "cpu", sparse=False, codes=codes)
    assert isinstance(dense, CodedRows)
    assert len(dense) == len(seen)
    assert th.equal(dense.dense(), th.from_numpy(seen))
    assert th.equal(dense.index_select(0, rows), th.from_numpy(seen)[rows])
    assert isinstance(inputs_for(coded, "meta", sparse=True, codes=codes), CodedRows)
    sparse, wanted = SparseRows.of_codes(coded, codes), SparseRows.of(seen)
    assert inputs_for(coded, "cpu", sparse=True, codes=codes).shape == wanted.shape
    count = wanted.entries.ends[-1]
    for name, end in (("starts", None), ("ends", None), ("columns", count), ("numbers", count)):
        np.testing.assert_array_equal(
            getattr(sparse.entries, name)[:end], getattr(wanted.entries, name)[:end]
        )
    assert len(SparseRows.of_codes(coded[:0], codes)) == 0


def test_what_cannot_be_is_refused():
    with pytest.raises(ConfigError, match=r"ppo\.observation_dtype='float16': .*'uint8'"):
        toy_config(ppo={"observation_dtype": "float16"})
    with pytest.raises(ConfigError, match=r"ppo\.observation_dtype: highcard: declares no obs"):
        trainer_with("uint8", True, game="highcard")
