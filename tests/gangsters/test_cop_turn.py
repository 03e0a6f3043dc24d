"""Officers, Publics and the Cop Turn: prices, raids, moves (G-9, G-10, G-14)."""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.data.tables import NEIGHBOURS, NODE, NODES, STREETS, SUBWAYS

from .scenes import cash, chance, cop, gos, joint, legal, phase, play, run, scene, skip
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
    poorer = cop_turn(f"Police ${price - 100}", *changes, **where)
    assert "recruit C" not in legal(poorer)


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


@pytest.mark.rule("G-14.9", "G-2.14")
def test_every_officer_on_the_board_may_be_moved():
    places = "1@BW9<BW8 5@CL2<CL1 9@SD6<SD5 U@NA6<NA5"
    state = cop_turn("commissioner 4@NA3", f"cop {places}", step="POLICE_MOVE", dice="1/6/1")
    cops = [text for text in legal(state) if text.startswith("cop ")]
    assert cops == ["cop 1", "cop 5", "cop 9", "cop U"]


@pytest.mark.rule("G-9.13", "G-6.5")
def test_a_replacement_goes_on_in_any_direction():
    """NA6, from where the relieved officer had come, is the other door of the headquarters."""
    state = run(scene("cop 9@NA5<NA6", "joint G02:Police:1", dice="1/1/1/1/2"), "cop 9")
    assert "NA6" not in gos(state)
    play(chance(state, (9, 0)), "via")
    assert (cop(state, "9"), cop(state, "1")) == ("-", "NA6")


@pytest.mark.rule("G-6.5", "G-10.3")
def test_a_public_keeps_its_facing_for_the_next_turn():
    state = run(scene("public x2@LP2<LP1", phase="MOVE", dice="1/1/1/2/1", pawns="Green"))
    play(state, "public x2", "go LP4")
    assert state.public_came[2] == NODE["LP3"]
    play(state, "end")
    assert (phase(state), state.active) == ("BUY", 1)
    play(chance(state, 1, 1, 1, 1, 1), "end")
    skip(state, "MOVE")
    play(state, "public x2")
    assert phase(state) == "PUBLIC_DEST"
    assert gos(state)
    assert "LP3" not in gos(state)


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
