"""Playing a checkpoint without torch gives what torch gives."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch as th

from gangland.agents.registry import make
from gangland.agents.trained.policy import (
    CheckpointError,
    PolicyAgent,
    find_checkpoint,
    shipped_bots,
)
from gangland.envs import load
from gangland.envs.core.view import Detail, ViewBatch
from gangland.training.checkpoint import save_checkpoint
from gangland.training.measure.evaluation import current_policies
from gangland.training.run import train
from gangland.training.selfplay import make_trainer
from tests.games import random_positions

from .toy import toy_config, two_roles  # noqa: F401


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    out = tmp_path_factory.mktemp("policy")
    config = toy_config(network={"shared": [24, 20], "policy": [16], "value": []}, steps=3000)
    return train(config, out, device="cpu").folder


def batch(game, count, seed=0, roles=None):
    rng = np.random.default_rng(seed)
    masks = rng.random((count, game.num_actions)) < 0.5
    masks[np.arange(count), rng.integers(0, game.num_actions, count)] = True
    return ViewBatch(
        game,
        np.zeros(count, game.dtype),
        np.arange(count),
        np.zeros(count, np.int64),
        rng.normal(size=(count, game.observation_size)).astype(np.float32),
        masks,
        rng.integers(0, 2**64, count, np.uint64, endpoint=False),
        roles=roles,
    )


def test_equal_to_torch(tmp_path):
    network = {"shared": [24, 20], "policy": [16], "value": []}
    config = toy_config(network=network, steps=1000)
    folder = train(config, tmp_path, device="cpu").folder
    game = load("highcard")
    agent = PolicyAgent(game, folder)
    trainer = make_trainer(config, "cpu")
    from gangland.training.checkpoint import resume

    resume(folder, trainer)
    views = batch(game, 500)
    with th.no_grad():
        logits, values = trainer.learners[0].network.logits_and_values(
            th.from_numpy(views.observations)
        )
    network = agent.checkpoint.networks["player"]
    assert np.abs(network.logits(views.observations) - logits.numpy()).max() < 2e-5
    assert np.abs(network.values(views.observations) - values.numpy()).max() < 2e-5
    expected = np.where(views.masks, logits.numpy(), -np.inf).argmax(1)
    assert np.array_equal(agent.decide_batch(views).actions, expected)
    trainer.collector.close()


def test_one_view_is_a_batch_of_one(checkpoint):
    game = load("highcard")
    agent = make(f"ppo:{checkpoint}?temperature=0.7", game)
    for seed in range(30):
        for state, _, _, _ in random_positions(game, seed):
            if game.is_over(state):
                continue
            view = game.view(state, int(state.seat), seed * 77)
            states = np.zeros(1, game.dtype)
            states[0] = state
            views = ViewBatch(
                game,
                states,
                np.array([0]),
                np.array([view.seat]),
                view.observation[None],
                view.action_mask[None],
                np.array([view.seed], np.uint64),
            )
            assert agent.decide(view).action == agent.decide_batch(views).actions[0]


def test_temperature_draws_from_the_softmax_by_the_seed_alone(checkpoint):
    game = load("highcard")
    agent = make(f"ppo:{checkpoint}?temperature=1", game)
    state = game.new_state(3)
    view = game.view(state, 0)
    view.detail = Detail.OWN
    decision = agent.decide(view)
    shares = decision.probabilities
    assert shares.sum() == pytest.approx(1)
    assert not shares[~view.action_mask].any()
    n = 40_000
    views = ViewBatch(
        game,
        np.zeros(n, game.dtype),
        np.arange(n),
        np.zeros(n, np.int64),
        np.tile(view.observation, (n, 1)),
        np.tile(view.action_mask, (n, 1)),
        np.arange(n, dtype=np.uint64),
    )
    actions = agent.decide_batch(views).actions
    counts = np.bincount(actions, minlength=game.num_actions)
    errors = 4 * np.sqrt(shares * (1 - shares) / n)
    assert (np.abs(counts / n - shares) <= errors).all()
    assert np.array_equal(actions, agent.decide_batch(views).actions)
    assert 0 <= decision.chance(view.seat) <= 1


def test_a_checkpoint_says_how_it_plays_unless_the_spec_does(tmp_path):
    game = load("highcard")
    drawing = train(toy_config(temperature=1.0, steps=300), tmp_path, device="cpu").folder
    assert json.loads((drawing / "model.json").read_text())["temperature"] == 1.0
    views = batch(game, 400, seed=8)
    plain, drawn, likeliest = (
        make(f"ppo:{drawing}{query}", game) for query in ("", "?temperature=1", "?temperature=0")
    )
    assert plain.spec == f"ppo:{drawing}"
    assert likeliest.spec == f"ppo:{drawing}?temperature=0"
    actions = [agent.decide_batch(views).actions for agent in (plain, drawn, likeliest)]
    assert np.array_equal(actions[0], actions[1])
    assert not np.array_equal(actions[0], actions[2])


def test_evaluations_play_as_the_bot_will(tmp_path):
    views = batch(load("highcard"), 400, seed=8)
    for temperature in (0.0, 1.0):
        trainer = make_trainer(toy_config(temperature=temperature, steps=300), "cpu")
        folder = save_checkpoint(tmp_path / f"{temperature}", trainer, 1.0)
        (current,) = current_policies(trainer)
        saved = PolicyAgent(trainer.game, folder)
        actions = current.decide_batch(views).actions
        assert np.array_equal(actions, saved.decide_batch(views).actions)
        trainer.collector.close()


def test_nothing_but_a_fitting_checkpoint_is_played(checkpoint, tmp_path, monkeypatch):
    game = load("highcard")
    with pytest.raises(CheckpointError, match="no checkpoint at 'nowhere'"):
        PolicyAgent(game, "nowhere")
    with pytest.raises(ValueError, match="temperature"):
        PolicyAgent(game, checkpoint, temperature=-1)
    model = json.loads((checkpoint / "model.json").read_text())
    copy = tmp_path / "copy"
    shutil.copytree(checkpoint, copy)
    for change, message in (
        ({"game": "chess"}, "game is 'chess', the game has 'highcard'"),
        ({"rules_version": 9}, "rules_version is 9, the game has 1"),
        ({"observation_size": 3}, "observation_size is 3"),
        ({"num_actions": 3, "roles": ["a"]}, "num_actions is 3.*roles is "),
        ({"format_version": 99}, "format_version is 99, this package reads 2"),
    ):
        (copy / "model.json").write_text(json.dumps({**model, **change}))
        with pytest.raises(CheckpointError, match=message):
            PolicyAgent(game, copy)
    (copy / "model.json").write_text("{")
    with pytest.raises(CheckpointError, match="cannot be read"):
        PolicyAgent(game, copy)
    (copy / "model.json").write_text(json.dumps(model))
    (copy / "policy.safetensors").write_bytes(b"nonsense")
    with pytest.raises(CheckpointError, match=r"policy\.safetensors cannot be read"):
        PolicyAgent(game, copy)


def test_names(tmp_path, checkpoint, monkeypatch):
    from gangland.agents.trained import policy

    for name in ("v2", "v10", ".draft-v11"):
        shutil.copytree(checkpoint, tmp_path / "toy" / name)
    monkeypatch.setattr(policy, "_shipped_root", lambda: tmp_path)
    assert find_checkpoint("toy") == tmp_path / "toy" / "v10"
    assert find_checkpoint("toy/v2") == tmp_path / "toy" / "v2"
    assert "toy/v10" in shipped_bots()


def test_roles_have_their_own_networks(two_roles, tmp_path):  # noqa: F811
    config = toy_config(game=two_roles, steps=2000)
    folder = train(config, tmp_path, device="cpu").folder
    game = load(two_roles)
    agent = PolicyAgent(game, folder)
    views = batch(game, 6, roles=np.array([0, 1, 1, 0, 1, 1]))
    actions = agent.decide_batch(views).actions
    for k, role in enumerate(("dealer", "guest", "guest") * 2):
        logits = agent.checkpoint.networks[role].logits(views.observations[k : k + 1])[0]
        assert actions[k] == np.where(views.masks[k], logits, -np.inf).argmax()


def test_playing_needs_no_torch(checkpoint):
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from tests import games\n"
        "from gangland.envs import load\n"
        "from gangland.agents.registry import make\n"
        "game = load('highcard')\n"
        f"agent = make('ppo:{checkpoint}', game)\n"
        "view = game.view(game.new_state(1), 0)\n"
        "assert view.action_mask[agent.decide(view).action]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
