"""Matches during training: who sits where, on which deals, and what counts as a win."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from gangland.agents.base import BatchAgent
from gangland.agents.decision import Decisions
from gangland.agents.registry import make
from gangland.envs import load
from gangland.envs.core.rng import stream
from gangland.training.evaluation import play_match
from tests.arena.test_tournament import Unpaid
from tests.games import TOY

from .toy import TwoRoles


class Keeps(BatchAgent):
    """Keeps its card; notes the seats and the cards it is asked with."""

    spec = "keeps"

    def __init__(self):
        self.asked = []

    def decide_batch(self, views):
        rows = zip(views.seats.tolist(), views.known["cards"], views.known["ply"], strict=True)
        self.asked += [(seat, int(cards[seat]), int(ply)) for seat, cards, ply in rows]
        return Decisions(views.masks.argmax(axis=1))


def test_the_policy_takes_every_seat_in_turn_on_the_same_deal():
    game, policy = load(TOY), Keeps()
    found = play_match(game, [{}], [policy], make("heuristic", game), 9, seed=3)
    kind = stream(np.uint64(3), np.uint64(0))
    base = np.uint64(stream(np.uint64(kind), np.uint64(1)))
    deals = [int(stream(np.uint64(stream(base, np.uint64(d))), np.uint64(0))) for d in range(3)]
    dealt = {(seat, int(game.new_state(d).cards[seat])) for d in deals for seat in range(3)}
    assert {(seat, card) for seat, card, _ in policy.asked} == dealt
    assert found.games == 9
    assert np.isfinite(found.seat_shares[:3]).all()
    assert np.isnan(found.seat_shares[3])
    assert found.win_share == pytest.approx(found.seat_shares[:3].mean())


def test_kinds_of_tables_share_the_games():
    game = load(TOY)
    random = make("random", game)
    kinds = [{"players": 2}, {"players": 4}]
    found = play_match(game, kinds, [random], random, 400, seed=1)
    assert found.par == pytest.approx((1 / 2 + 1 / 4) / 2)
    assert found.win_share == pytest.approx(found.par, abs=0.1)
    assert play_match(game, kinds, [random], random, 1, seed=1).par in (1 / 2, 1 / 4)


def test_every_role_has_its_policy():
    game, dealer, guest = TwoRoles(), Keeps(), Keeps()
    play_match(game, [{}], [dealer, guest], make("random", load(TOY)), 30, seed=2)
    assert {seat for seat, _, _ in dealer.asked} == {0}
    assert {seat for seat, _, _ in guest.asked} == {1, 2}


def test_a_game_that_is_cut_off_is_won_by_nobody():
    game, policy = Unpaid(), Keeps()
    assert play_match(game, [{"highest": 4}], [policy], policy, 30, seed=1).win_share == 0
    assert 0.1 < play_match(game, [{}], [policy], policy, 300, seed=1).win_share < 0.25
