"""Who is in the league, who plays, who meets whom."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs import load
from gangland.training.config import ConfigError, parse
from gangland.training.league import DECAY, FLOOR, League
from gangland.training.rollout.tables import CURRENT, TableGroup, count_results, seat_the_league
from gangland.training.selfplay import make_trainer

from .toy import toy_config

RNG = np.random.default_rng(0)


def league_of(**changes):
    """The section of a configuration."""
    return toy_config(league={"size": 16, **changes}).league


def test_stronger_members_are_drawn_more_often():
    league = League(league_of(baselines=["a", "b"]))
    wins, met = np.zeros(3), np.array([0.0, 10_000.0, 10_000.0])
    wins[1:] = 6000.0, 2000.0
    league.record(wins, met)
    assert league.members[0].strength == pytest.approx(0.6, abs=0.01)
    drawn = league.draw_slots(20_000, RNG)
    # Odds are 0.6 to 0.2, three to one.
    assert (drawn == 1).mean() == pytest.approx(0.75, abs=0.01)
    wins[2] = 0.0
    for _ in range(9):
        league.record(wins, met)
    drawn = league.draw_slots(20_000, RNG)
    assert (drawn == 2).mean() == pytest.approx(FLOOR / (FLOOR + 0.6), abs=0.01)


def test_an_empty_league_leaves_all_seats_to_the_current_policy():
    league = League(league_of(baselines=[], size=0))
    assert league.add_snapshot(1, {}) == 0
    assert league.draw_slots(3, RNG).tolist() == [CURRENT] * 3


def test_old_results_fade():
    league = League(league_of(baselines=["a"]))
    for _ in range(200):
        league.record(np.array([0.0, 10.0]), np.array([0.0, 10.0]))
    assert league.members[0].strength > 0.99
    for _ in range(20):
        league.record(np.array([0.0, 0.0]), np.array([0.0, 10.0]))
    assert league.members[0].strength == pytest.approx(DECAY**200, abs=0.02)


def test_a_new_snapshot_takes_the_slot_of_the_weakest():
    league = League(league_of(baselines=["a"], size=3))
    assert [league.add_snapshot(i, {}) for i in range(3)] == [2, 3, 4]
    league.members[0].wins = league.members[2].wins = 0.0
    assert league.add_snapshot(3, {}) == 3
    assert [m.name for m in league.members] == ["a", "snapshot-0", "snapshot-3", "snapshot-2"]
    assert league.members[2].strength == 0.5


def test_one_snapshot_is_seated_until_the_next_one_comes():
    league = League(league_of(baselines=["a"], size=3))
    seated = set()
    for iteration in range(60):
        league.add_snapshot(iteration, {})
        drawn = league.draw_slots(500, RNG)
        assert set(drawn.tolist()) == {1, league.seated}
        seated.add(league.seated)
    assert seated == {2, 3, 4}
    # The seated one has the weight of all three, the baseline its own: all odds are even.
    drawn = league.draw_slots(20_000, RNG)
    assert (drawn == 1).mean() == pytest.approx(0.25, abs=0.01)


def test_who_is_seated_is_drawn_by_strength():
    league = League(league_of(baselines=[], size=2))
    league.add_snapshot(0, {})
    seated = []
    for iteration in range(1, 1001):
        league.add_snapshot(iteration, {})
        # The first one always wins, odds of 1; the other one is replaced each time, odds of 0.5.
        league.members[0].wins, league.members[0].games = 1.0, 1.0
        league.members[1].wins, league.members[1].games = 0.0, 1.0
        seated.append(league.seated)
    assert (np.array(seated) == 1).mean() == pytest.approx(1.0 / 1.5, abs=0.05)


def test_the_state_comes_back():
    config = league_of(baselines=["a"], size=2)
    league = League(config)
    weights = {"player": {"policy.head.bias": np.arange(3, dtype=np.float32)}}
    for i in range(5):
        league.add_snapshot(i, weights)
        slots = 1 + len(league.members)
        league.record(np.arange(slots) / 2.0, np.ones(slots))
    other = League(config)
    other.load_state_dict(league.state_dict())
    assert [vars(m) for m in other.members] == [vars(m) for m in league.members]
    drawn = [each.draw_slots(9, np.random.default_rng(3)) for each in (league, other)]
    assert np.array_equal(*drawn)
    assert other.seated == league.seated > 0


def test_half_of_the_tables_stay_with_the_current_policy_and_one_seat_always_learns():
    group = TableGroup(load("highcard"), [{"players": 4}], 200, seed=0)
    config = league_of(baselines=["a", "b"], single_opponent=0.0)
    league = League(config)
    seat_the_league(group, np.arange(200), league, 100, RNG)
    assert ((group.controllers >= CURRENT).sum(1) == 4).all()
    learning = (group.controllers == CURRENT).sum(1)
    assert (learning == 4).sum() >= 100
    assert learning.min() == 1
    # Every table of the league's hundred is drawn again; the others never change.
    mixed = learning < 4
    seat_the_league(group, np.arange(200), league, 100, RNG)
    again = (group.controllers == CURRENT).sum(1) < 4
    assert (mixed & again).sum() > 60
    assert (mixed | again).sum() <= 100


def test_some_tables_are_one_learner_against_four_of_a_kind():
    group = TableGroup(load("highcard"), [{"players": 2}, {"players": 4}], 400, seed=0)
    config = league_of(baselines=["a", "b", "c"], single_opponent=1.0)
    league = League(config)
    seat_the_league(group, np.arange(400), league, 400, RNG)
    assert ((group.controllers == CURRENT).sum(1) == 1).all()
    kinds = [set(row[row > CURRENT].tolist()) for row in group.controllers]
    assert all(len(kind) == 1 for kind in kinds)
    assert {slot for kind in kinds for slot in kind} == {1, 2, 3}
    assert ((group.controllers > CURRENT).sum(1) == group.sizes - 1).all()
    learning = (group.controllers == CURRENT).argmax(1)
    assert np.bincount(learning[200:]).min() > 30


def test_a_role_of_one_seat_learns_as_often_as_a_role_of_four():
    group = TableGroup(load("gangsters"), [{}], 4000, seed=0)
    config = league_of(baselines=["a"], single_opponent=1.0)
    league = League(config)
    seat_the_league(group, np.arange(4000), league, 4000, RNG)
    learning = (group.controllers == CURRENT).argmax(1)
    # Four gangs and the police in the last seat; five standard errors around an eighth and a half.
    shares = np.bincount(learning, minlength=5) / 4000
    assert shares[4] == pytest.approx(0.5, abs=0.04)
    assert shares[:4] == pytest.approx(np.full(4, 0.125), abs=0.026)


def test_results_are_counted_against_the_current_policy():
    places = np.array([[1, 2, 3, 0], [1, 1, 3, 0], [2, 1, 2, 0], [3, 1, 2, 0]], np.int8)
    who = np.array([[0, 1, 2, -1], [0, 1, 2, -1], [0, 1, 2, -1], [0, 0, 0, -1]])
    dones = np.array([True, True, True, True])
    wins, met_wins = np.zeros(4), np.zeros(3)
    played, met = np.zeros(4), np.zeros(3)
    count_results(dones, places, who, wins, played, met_wins, met)
    assert played.tolist() == [3, 0, 0, 0]  # the last table is all-current: nothing to learn
    assert wins.tolist() == [1.5, 0, 0, 0]
    assert met.tolist() == [0, 3, 3]
    assert met_wins.tolist() == [0, 0.5 + 1, 0.5]


def test_a_role_that_nobody_plays_cannot_be_the_one_that_learns():
    def with_role(role, **variant):
        return parse(
            {
                "game": "gangsters",
                "steps": 1,
                "options": [{}, variant],
                "ppo": {"tables": 4, "steps": 2},
                "league": {"learner_role": role, "baselines": []},
            }
        )

    with pytest.raises(
        ConfigError, match=r"learner_role='sheriff': must be null or one of gang, p"
    ):
        make_trainer(with_role("sheriff"), "cpu")
    with pytest.raises(ConfigError, match=r"learner_role='police': nobody plays it with .*False"):
        make_trainer(with_role("police", police=False), "cpu")
    make_trainer(with_role("gang", police=False), "cpu").collector.close()
