"""Networks with an advisor: at first they do what it advises, then they do better."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch as th
from stable_baselines3.common.logger import Logger

from gangland.agents.registry import make
from gangland.agents.trained.policy import DEALS, PolicyAgent, chances_of_values
from gangland.envs import load
from gangland.envs.core.view import Detail, ViewBatch
from gangland.training.checkpoint import resume
from gangland.training.measure.evaluation import current_policies, play_match
from gangland.training.run import train
from gangland.training.selfplay import make_trainer
from tests.agents.tables import views_of
from tests.games import TOY

from .toy import toy_config

GAME = load(TOY)
NETWORK = {"shared": [24], "policy": [16], "value": [16], "advisor": "heuristic"}


def trainer_of(config):
    trainer = make_trainer(config, "cpu")
    trainer.set_logger(Logger(None, []))
    return trainer


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    config = toy_config(steps=4000, network=NETWORK)
    out = tmp_path_factory.mktemp("advice")
    return config, train(config, out, device="cpu").folder


def test_untrained_it_follows_the_advice():
    config = toy_config(network={**NETWORK, "advice_weight": 4.0}, steps=10)
    trainer = trainer_of(config)
    teacher = make("heuristic", GAME)
    match = play_match(GAME, [{}], current_policies(trainer), teacher, 300, 3)
    same = play_match(GAME, [{}], [teacher], teacher, 300, 3)
    assert (match.win.share, match.score) == (same.win.share, same.score)
    trainer.collector.collect(0.0)
    buffer = trainer.learners[0].buffer
    seen = buffer.inputs[buffer.rows]
    given = seen[:, GAME.observation_size :].argmax(1)
    card = seen[:, :10].argmax(1)
    asked = seen[:, 10] == 1.0
    assert (given == np.where(asked, 2, np.where(card < 5, 1, 0))).all()
    # An advised action weighs e^4 times the other one, the untrained network nearly nothing.
    followed = (buffer.actions[buffer.rows] == given).mean()
    assert 0.93 < followed < 1.0
    trainer.collector.close()


def test_it_learns_where_the_advice_is_wrong(tmp_path):
    """The reckless heuristic swaps high cards and challenges: both are mistakes."""
    config = toy_config(
        steps=20_000,
        network={**NETWORK, "advisor": "heuristic:reckless"},
        ppo={"tables": 64, "steps": 32, "learning_rate": 3e-3},
        league={"baselines": ["heuristic:reckless"]},
    )
    bot = f"ppo:{train(config, tmp_path, device='cpu').folder}"
    from gangland.arena import play_table

    arena = play_table(GAME, [bot, "heuristic:reckless", "heuristic:reckless"], 1500, seed=4)
    assert arena.of(bot).win.low > 0.45


def test_torch_and_numpy_agree_and_one_view_is_a_batch_of_one(trained):
    config, folder = trained
    agent = PolicyAgent(GAME, folder)
    trainer = make_trainer(config, "cpu")
    resume(folder, trainer)
    views = views_of(TOY, tables=60, plies=1)
    advice = make("heuristic", GAME).advise(views)
    inputs = np.concatenate([views.observations, advice], axis=1)
    with th.no_grad():
        logits, values = trainer.learners[0].network.logits_and_values(th.from_numpy(inputs))
    assert np.array_equal(trainer.collector.inputs.of(views), inputs)
    network = agent.checkpoint.networks["player"]
    assert np.abs(network.logits(inputs) - logits.numpy()).max() < 2e-5
    assert np.abs(network.values(inputs) - values.numpy()).max() < 2e-5
    expected = np.where(views.masks, logits.numpy(), -np.inf).argmax(1)
    assert agent.decide_batch(views).actions.tolist() == expected.tolist()
    assert [agent.decide(views[k]).action for k in range(len(views))] == expected.tolist()
    views.detail = Detail.OWN
    given = agent.decide(views[0])
    assert given.probabilities.sum() == pytest.approx(1.0)
    (chance,) = chances_of_values(values[0].numpy().astype(float), views.sizes[0])
    assert given.chance(int(views.seats[0])) == pytest.approx(chance, abs=2e-5)
    trainer.collector.close()


def test_the_chance_of_a_seat_that_does_not_decide_needs_no_advice(trained):
    agent = PolicyAgent(GAME, trained[1])
    state = GAME.new_state(1)
    view = GAME.view(state, 0, seed=5, detail=Detail.ALL)
    chances = agent.decide(view).chances_of(3)
    network = agent.checkpoint.networks["player"]
    values = [float(network.values(agent._inputs.of(ViewBatch.of([view])))[0, 0])]
    for seat in (1, 2):
        deals = [view.sample_state(5 + k) for k in range(DEALS)]
        inputs = np.zeros((DEALS, GAME.observation_size + GAME.num_actions), np.float32)
        inputs[:, : GAME.observation_size] = [GAME.observe(deal, seat) for deal in deals]
        values.append(float(network.values(inputs).mean()))
    expected = [(2 * value + 1) / 3 for value in values]
    assert min(expected) > 0.0
    assert chances == pytest.approx([chance / sum(expected) for chance in expected])


def test_as_onnx_it_takes_the_advice_as_an_input(trained):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    from gangland.serving.bots.onnx_export import build

    agent = PolicyAgent(GAME, trained[1])
    session = runtime.InferenceSession(build(agent.checkpoint).SerializeToString())
    views = views_of(TOY, tables=200, plies=1)
    answer = session.run(
        ["action"],
        {
            "observation": views.observations,
            "action_mask": views.masks,
            "advice": make("heuristic", GAME).advise(views),
        },
    )
    assert answer[0].tolist() == agent.decide_batch(views).actions.tolist()


def test_advice_by_value_is_full_for_the_choice_and_falls_with_the_loss():
    game = load("gangsters")
    agent = make("heuristic", game)
    views = views_of("gangsters", tables=60, plies=150)
    chosen = agent.decide_batch(views).actions
    every = np.arange(len(views))
    narrow, wide = (agent.advise(views, scale) for scale in (100.0, 400.0))
    for advice in (narrow, wide):
        assert (advice[every, chosen] == 1.0).all()
        assert (advice[~views.masks] == 0.0).all()
        assert (advice >= 0.0).all()
    assert (wide >= narrow).all()
    # A loss of $80 is advised 0.2 at a scale of $100, and 0.8 at $400.
    between = (narrow > 0.0) & (narrow < 1.0)
    assert between.any()
    assert wide[between] == pytest.approx(1.0 - (1.0 - narrow[between]) / 4.0, abs=1e-5)
    assert (agent.advise(ViewBatch.of([views[3]]), 100.0)[0] == narrow[3]).all()
    plain = agent.advise(views)
    assert plain.sum() == len(views)
    assert (plain[every, chosen] == 1.0).all()
    assert (agent.advise(ViewBatch.of([views[3]]))[0] == plain[3]).all()
