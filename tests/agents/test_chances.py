"""Chances of winning as trained policies give them: of whom, in which order, with which sum."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.registry import make
from gangland.agents.trained.policy import DEALS, share_out
from gangland.envs import load
from gangland.envs.core.view import Detail, View, ViewBatch
from tests.agents.checkpoints import damage_arrays, write_checkpoint
from tests.games import TOY, random_positions

GAME = load(TOY)
RANDOM_WEIGHTS = 7


def network_agent(folder, outputs):
    """A policy whose value part gives the same outputs everywhere."""

    def edit(arrays):
        arrays["player/value.head.weight"][:] = 0.0
        arrays["player/value.head.bias"][:] = outputs

    write_checkpoint(folder, GAME, chances=len(outputs) - 1)
    damage_arrays(folder, edit)
    return make(f"ppo:{folder}", GAME)


def one_view_of_each_seat(players, detail):
    found = {}
    for _, state, _, _ in random_positions(GAME, 60, players=players):
        seat = int(state.seat)
        found[seat] = View(GAME, GAME.redact(state, seat), seat, 5, detail)
    assert sorted(found) == list(range(players))
    return [found[seat] for seat in range(players)]


def posted(view):
    """The same view without a record, as a server gets it."""
    nobody = np.zeros(1, np.int64)
    return ViewBatch(
        GAME,
        np.zeros(0, GAME.dtype),
        nobody,
        nobody,
        view.observation[None],
        view.action_mask[None],
        np.array([view.seed], np.uint64),
        roles=nobody,
        records=False,
        detail=Detail.OWN,
    )


@pytest.mark.parametrize(
    ("players", "order"),
    [(2, [0.75, 0.25]), (3, [3 / 6, 1 / 6, 2 / 6]), (4, [0.3, 0.1, 0.2, 0.4])],
)
def test_chances_of_a_network_go_round_the_table_from_the_deciding_seat(tmp_path, players, order):
    """It gives the deciding seat three parts, the next one, then two, then four."""
    agent = network_agent(tmp_path, [9.0, *np.log([3.0, 1.0, 2.0, 4.0])])
    views = one_view_of_each_seat(players, Detail.ALL)
    batch = agent.decide_batch(ViewBatch.of(views))
    for seat, view in enumerate(views):
        wanted = [order[(other - seat) % players] for other in range(players)]
        assert agent.decide(view).chances_of(players) == pytest.approx(wanted)
        assert batch[seat].chances_of(players) == pytest.approx(wanted)
        assert np.isnan(batch[seat].chances[players:]).all()


@pytest.mark.parametrize("players", range(2, GAME.max_seats + 1))
@pytest.mark.parametrize("chances", [0, GAME.max_seats])
def test_chances_of_a_table_add_up_to_one(tmp_path, players, chances):
    write_checkpoint(tmp_path, GAME, seed=RANDOM_WEIGHTS, chances=chances)
    agent = make(f"ppo:{tmp_path}", GAME)
    found = [
        agent.decide(v).chances_of(players) for v in one_view_of_each_seat(players, Detail.ALL)
    ]
    assert np.sum(found, axis=1) == pytest.approx(np.ones(players))
    assert np.min(found) >= 0.0
    assert np.std(found) > 0.01


@pytest.mark.parametrize(
    ("value", "chances"), [(0.25, {2: 0.625, 4: 0.4375}), (-5.0, {2: 0, 4: 0}), (9.0, {2: 1, 4: 1})]
)
def test_a_value_becomes_the_chance_of_a_single_winner(tmp_path, value, chances):
    agent = network_agent(tmp_path, [value])
    for players, own in chances.items():
        for view in one_view_of_each_seat(players, Detail.OWN):
            decision = agent.decide(view)
            assert decision.chance(view.seat) == pytest.approx(own, abs=1e-7)
            assert np.isnan(np.delete(decision.chances, view.seat)).all()
            view.detail = Detail.ALL  # All seats have the same value, and so the same chance.
            assert agent.decide(view).chances_of(players) == pytest.approx([1 / players] * players)


def test_the_value_of_another_seat_is_its_mean_over_deals(tmp_path):
    def small(arrays):  # Chances are cut off at 0 and 1.
        for part in ("weight", "bias"):
            arrays[f"player/value.head.{part}"] *= 0.1

    write_checkpoint(tmp_path, GAME, seed=RANDOM_WEIGHTS)
    damage_arrays(tmp_path, small)
    agent = make(f"ppo:{tmp_path}", GAME)
    network = agent.checkpoint.networks["player"]
    view = one_view_of_each_seat(3, Detail.ALL)[0]
    values = [float(network.values(view.observation[None])[0, 0])]
    for seat in (1, 2):
        deals = [view.sample_state(view.seed + k) for k in range(DEALS)]
        seen = np.stack([GAME.observe(deal, seat) for deal in deals])
        assert len(np.unique(seen, axis=0)) > 1
        values.append(float(network.values(seen)[:, 0].mean()))
    wanted = [(2 * value + 1) / 3 for value in values]
    assert 0.0 < min(wanted) < max(wanted) < 1.0
    found = agent.decide(view).chances_of(3)
    assert found == pytest.approx([chance / sum(wanted) for chance in wanted])


def test_chances_are_shared_out_in_proportion():
    assert share_out(np.array([0.6, 0.6, 0.0])).tolist() == [0.5, 0.5, 0.0]
    assert share_out(np.zeros(4)).tolist() == [0.25] * 4


def test_without_a_number_of_seats_only_a_network_of_chances_gives_its_own(tmp_path):
    view = one_view_of_each_seat(3, Detail.OWN)[2]
    agent = network_agent(tmp_path / "chances", [9.0, *np.log([3.0, 1.0, 2.0, 4.0])])
    decision = agent.decide_batch(posted(view))[0]
    assert decision.chance(0) == pytest.approx(3 / 10)
    assert np.isnan(decision.chances[1:]).all()
    assert network_agent(tmp_path / "value", [0.5]).decide_batch(posted(view)).chances is None
