"""Line-ups: even, rotated, the same deals for everyone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gangland.arena.schedule import pool_schedule, rotations, table_schedule

FIVE = (0,) * 5
COPS = (0, 0, 0, 0, 1)
TEAMS = (0, 1, 0, 1, 0)


def counts(schedule, agent):
    """Games of an agent in each seat."""
    return (schedule.line_ups == agent).sum(axis=0)


def test_a_table_is_played_in_each_different_rotation_on_each_deal():
    schedule = table_schedule([0, 1, 1, 1, 1], FIVE, 20)
    assert schedule.deals.tolist() == [d for d in range(4) for _ in range(5)]
    for deal in range(4):
        rows = schedule.line_ups[schedule.deals == deal]
        assert sorted(map(tuple, rows)) == sorted(
            tuple(0 if s == k else 1 for s in range(5)) for k in range(5)
        )


def test_spread_games_have_a_deal_each():
    schedule = table_schedule([0, 1, 1], [0, 0, 0], 6)
    spread = schedule.spread()
    assert spread.line_ups.tolist() == schedule.line_ups.tolist()
    assert spread.deals.tolist() == list(range(6))


def test_equal_seatings_are_played_once():
    assert rotations([3] * 5, FIVE) == [(3,) * 5]
    assert rotations([0, 1, 0, 1], (0,) * 4) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert len(table_schedule([0] * 5, FIVE, 7)) == 7


def test_roles_keep_their_agents():
    turned = rotations([0, 1, 2, 3, 9], COPS)
    assert len(turned) == 4
    assert all(line_up[4] == 9 for line_up in turned)
    assert all({line_up[s] for line_up in turned} == {0, 1, 2, 3} for s in range(4))
    both = rotations([0, 5, 1, 6, 2], TEAMS)
    assert len(both) == 6
    for seat, role in enumerate(TEAMS):
        here = Counter(line_up[seat] for line_up in both)
        assert here == (dict.fromkeys((0, 1, 2), 2) if role == 0 else dict.fromkeys((5, 6), 3))


@pytest.mark.parametrize("roles", [FIVE, (0,) * 2, (0,) * 4, COPS, TEAMS])
@pytest.mark.parametrize("agents", [1, 2, 3, 4, 5, 6, 7, 11])
def test_everyone_plays_as_often_in_every_seat(agents, roles):
    schedule = pool_schedule(agents, roles, 300, seed=4)
    assert len(schedule) >= 300
    per_seat = np.array([counts(schedule, agent) for agent in range(agents)])
    assert (per_seat == per_seat[0]).all(), per_seat
    assert per_seat.sum() == schedule.line_ups.size
    per_deal = Counter(schedule.deals.tolist())
    assert sorted(per_deal) == list(range(len(per_deal)))
    for deal in per_deal:
        rows = schedule.line_ups[schedule.deals == deal]
        inside = np.array([(rows == agent).sum(axis=0) for agent in range(agents)])
        assert (inside == inside[0]).all(), "on this deal somebody plays a seat more often"


@pytest.mark.parametrize(("agents", "seats"), [(3, 5), (2, 5), (7, 5), (4, 3), (10, 4)])
def test_line_ups_mix_the_agents_as_evenly_as_the_seats_allow(agents, seats):
    schedule = pool_schedule(agents, (0,) * seats, 4000, seed=1)
    met = np.zeros((agents, agents))
    for line_up in schedule.line_ups:
        places = np.bincount(line_up, minlength=agents)
        assert set(places) <= {seats // agents, seats // agents + 1}
        met += np.outer(places, places)
    apart = met[~np.eye(agents, dtype=bool)]
    assert apart.min() > 0.95 * apart.max(), "some pairs meet more often than others"


def test_the_draw_follows_the_seed():
    first, same, other = (pool_schedule(7, FIVE, 500, seed) for seed in (1, 1, 2))
    assert (first.line_ups == same.line_ups).all()
    assert first.line_ups.shape != other.line_ups.shape or (first.line_ups != other.line_ups).any()
