"""The Cop Turn's money and moves with other dice than ones (G-14)."""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.data import NEIGHBOURS, NODE, NODES, STREETS, SUBWAYS

from .scenes import cash, gos, joint, play
from .test_police import cop_turn, finish


@pytest.mark.rule("G-14.10", "G-14.9")
@pytest.mark.parametrize(("strength", "green", "price"), [(4, 3, 1500), (2, 6, 1800), (1, 2, 400)])
def test_a_recruit_is_paid_at_the_price_of_its_announcement(strength, green, price):
    """$100 x (strength + 1) x green."""
    where = {"dice": f"{green}/6/1", "step": "POLICE_MOVE"}
    changes = (f"commissioner {strength}@NA3", "cop 9@BW9<BW8")
    state = cop_turn(f"Police ${price}", *changes, **where)
    finish(play(state, "recruit C"))
    assert (state.c_strength, cash(state, "Police")) == (strength + 1, 400)  # the salary


@pytest.mark.rule("G-9.17", "G-9.11")
def test_a_raided_joint_turns_normal_at_once():
    """A second officer has nothing to raid there, though the joint has a level left."""
    state = cop_turn("commissioner 6@NA4", "cop 4@LP1<xF 5@LP1<xF", "joint J17:Red:2c",
                     "public x3@J17", step="POLICE_MOVE", dice="1/6/3")  # fmt: skip
    play(state, "cop 4", "go J17")
    assert (joint(state, "J17"), state.lit[NODE["J17"] - 101]) == ("Red:1", 0)
    play(state, "cop 5")
    assert "J17" not in gos(state)
    assert gos(state)


LINKS = [[int(other) for other in row if other >= 0] for row in NEIGHBOURS]


def finishes(node, steps, barred):
    """Whether a walk of this length along the streets, and one into a building, is possible."""
    street = house = False
    for other in LINKS[node]:
        if other in barred:
            continue
        if steps == 1:
            street, house = street or other < STREETS, house or other >= STREETS
        elif other < STREETS:
            along, into = finishes(other, steps - 1, barred | {other})
            street, house = street or along, house or into
    return street, house


def reliefs(path, barred, steps, hopped):
    """Where an officer may change duty, in any building or by a transfer; nodes and steps left."""
    here, seen = path[-1], barred | set(path)
    if steps == 1:
        return
    transfers = SUBWAYS.tolist() if here in SUBWAYS and not hopped else []
    for node in {*transfers, *(other for other in LINKS[here] if other >= STREETS)} - seen:
        yield node, steps - 1, seen | {node}
        yield from reliefs([node], seen, steps - 1, hopped or node < STREETS)
    for node in LINKS[here]:
        if node < STREETS and node not in seen:
            yield from reliefs([*path, node], barred, steps - 1, hopped)


@pytest.mark.rule("G-9.13")
@pytest.mark.parametrize("die", range(2, 7))
def test_a_replacement_who_can_reach_a_building_can_finish_along_the_streets(die):
    """On this board, whoever owns what: so no change of duty hangs on who may enter a building."""
    found = {place for start in range(NODES) for place in reliefs([start], frozenset(), die, False)}
    assert len(found) > 100
    for node, steps, barred in found:
        street, house = finishes(node, steps, barred)
        assert street or not house
