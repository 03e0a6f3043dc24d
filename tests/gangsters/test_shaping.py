"""Potentials for training: what brings a seat nearer to victory, by which of them."""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.shaping import (
    potential,
    potential_with_colours,
    potential_with_joints,
)

from .scenes import scene

RED, GREEN, POLICE = 0, 1, 4
ALL = (potential, potential_with_joints, potential_with_colours)


@pytest.mark.parametrize("measure", ALL)
def test_leads_add_up_to_nothing(measure):
    state = scene("Red $8000", "joint J01:Red:1 J02:Green:1", "Yellow.V 0@-")
    leads = [measure(state, seat) for seat in range(5)]
    assert sum(leads) == pytest.approx(0.0)
    assert max(leads) == leads[RED] > 0.0


@pytest.mark.parametrize("measure", ALL)
def test_cash_and_the_three_who_win_with_it_count(measure):
    before = measure(scene("Red $4000"), RED)
    assert measure(scene("Red $5000"), RED) > before
    assert measure(scene("Red $4000", "Red.V 0@-"), RED) < before
    assert measure(scene("Red $4000", "Green $5000"), RED) < before


def test_a_joint_counts_while_cash_is_ahead():
    with_one, without = (scene("Red $6000", "joint " + joint) for joint in ("J39:Red:1", "J39:-"))
    assert potential(with_one, RED) == potential(without, RED)
    assert potential_with_joints(with_one, RED) > potential_with_joints(without, RED)
    assert potential_with_colours(with_one, RED) > potential_with_joints(without, RED)


def test_a_colour_counts_the_more_the_nearer_it_is_and_the_less_if_others_hold_it():
    """J01 to J04 are the red joints; browns elsewhere keep the number of joints the same."""

    def at(*owners):
        reds = [f"J0{number}:{owner}:1" for number, owner in enumerate(owners, 1)]
        browns = [f"J{33 + number}:Red:1" for number in range(3 - owners.count("Red"))]
        return scene("Red $2000", "joint " + " ".join(reds + browns))

    none, two, three = at(), at("Red", "Red"), at("Red", "Red", "Red")
    kept_from_it = at("Red", "Red", "Red", "Green")
    gain = potential_with_colours(three, RED) - potential_with_colours(two, RED)
    assert gain > potential_with_joints(three, RED) - potential_with_joints(two, RED)
    assert potential_with_colours(two, RED) > potential_with_colours(none, RED)
    assert potential_with_colours(kept_from_it, RED) < potential_with_colours(three, RED)
