"""Random and heuristic agents: legal, from the seed alone, the same alone and in a batch."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.baseline.heuristic import HeuristicAgent, has_heuristic, values_of
from gangland.agents.baseline.random import RandomAgent
from gangland.agents.legality import require_legal
from gangland.agents.registry import make
from gangland.envs import load
from gangland.envs.core.errors import IllegalActionError
from gangland.envs.core.view import Detail
from tests.agents.tables import views_of
from tests.games import GAMES, TOY

CASES = [
    (name, spec)
    for name in GAMES
    for spec in ("random", "heuristic")
    if spec == "random" or has_heuristic(load(name))
]


@pytest.mark.parametrize(("name", "spec"), [*CASES, (TOY, "heuristic:fickle")])
@pytest.mark.parametrize("plies", [0, 1, 30])
def test_alone_and_in_a_batch_it_decides_the_same(name, spec, plies):
    agent = make(spec, load(name))
    views = views_of(name, tables=25, plies=plies)
    actions = agent.decide_batch(views).actions
    assert actions.dtype == np.int64
    assert views.masks[np.arange(len(views)), actions].all()
    assert actions.tolist() == [agent.decide(views[k]).action for k in range(len(views))]
    assert actions.tolist() == agent.decide_batch(views).actions.tolist()


def test_random_is_uniform_over_the_legal_actions():
    views = views_of(TOY, tables=4000)
    actions = RandomAgent(load(TOY)).decide_batch(views).actions
    for first in (0, 2):
        inside = actions[views.masks[:, first]]
        share = (inside == first).mean()
        assert abs(share - 0.5) < 4 * 0.5 / np.sqrt(len(inside))
    view = views[0]
    agent = RandomAgent(load(TOY))
    assert agent.decide(view).probabilities is None
    view.detail = Detail.OWN
    shares = agent.decide(view).probabilities
    assert shares.sum() == pytest.approx(1)
    assert ((shares > 0) == view.action_mask).all()


def test_random_follows_the_seed_and_leaves_the_views_alone():
    views = views_of(TOY, tables=200)
    seeds = views.seeds.copy()
    first = RandomAgent(load(TOY)).decide_batch(views).actions
    assert (views.seeds == seeds).all()
    views.seeds += np.uint64(1)
    assert (RandomAgent(load(TOY)).decide_batch(views).actions != first).any()


def test_the_heuristic_sees_redacted_records_only():
    """The toy's heuristic plays its own card; rivals' cards are blank in what it is given."""
    views = views_of(TOY, tables=300, plies=0)
    cards = views.known["cards"]
    own = cards[np.arange(300), views.seats]
    assert (own > 0).any()
    cards[np.arange(300), views.seats] = 0
    assert (cards == 0).all()
    expected = np.where(own < 5, 1, 0)
    fresh = views_of(TOY, tables=300, plies=0)
    assert HeuristicAgent(load(TOY)).decide_batch(fresh).actions.tolist() == expected.tolist()


def test_an_illegal_choice_raises_alone_and_in_a_batch():
    cheat = HeuristicAgent(load(TOY), "cheat")
    views = views_of(TOY, tables=60, plies=1)
    asked = np.flatnonzero(views.masks[:, 2])
    assert len(asked) > 0
    with pytest.raises(
        IllegalActionError, match=r"heuristic:cheat chose action 0, legal are \[2, 3"
    ):
        cheat.decide_batch(views)
    with pytest.raises(IllegalActionError, match="heuristic:cheat chose action 0"):
        cheat.decide(views[int(asked[0])])


@pytest.mark.parametrize("wrong", [-1, 4, 2])
def test_require_legal_names_the_first_wrong_row(wrong):
    masks = np.array([[True, False, False, False], [False, True, False, True]])
    require_legal(load(TOY), "x", masks, np.array([0, 3]))
    with pytest.raises(
        IllegalActionError, match=rf"agent x chose action {wrong}, legal are \[1, 3\]"
    ):
        require_legal(load(TOY), "x", masks, np.array([0, wrong]))


def test_require_legal_wants_one_action_a_row():
    masks = np.ones((2, 4), np.bool_)
    with pytest.raises(IllegalActionError, match=r"shape \(3,\), must be \(2,\)"):
        require_legal(load(TOY), "x", masks, np.zeros(3, np.int64))


@pytest.mark.parametrize("name", [name for name in GAMES if values_of(load(name), "")])
def test_the_heuristic_takes_an_action_of_the_highest_value(name):
    agent = HeuristicAgent(load(name))
    for plies in (3, 30):
        views = views_of(name, tables=60, plies=plies)
        values, actions = agent.values(views), agent.decide_batch(views).actions
        assert (np.isneginf(values) == ~views.masks).all()
        assert (values[np.arange(60), actions] == values.max(1)).all()
