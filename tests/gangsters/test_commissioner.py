"""Cop Turn, headquarters, the Commissioner (G-9, G-10, G-14, G-16; G-X55, G-X56)."""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.data import NEIGHBOURS, NODE, NODES, STREETS, SUBWAYS

from .scenes import (
    GAME,
    HQ,
    cash,
    chance,
    commissioner,
    cop,
    cop_turn,
    finish,
    gos,
    joint,
    legal,
    phase,
    piece,
    play,
    public,
    run,
    scene,
    skip,
)

# --- officers: prices, raids, moves ---------------------------------------------------------------


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


# --- headquarters and the Commissioner (G-14.12 to 14.17, G-16) -----------------------------------


@pytest.mark.rule("G-14.7", "G-14.13", "G-16.1", "G-16.2")
@pytest.mark.parametrize("order", [("buy", "wheels C"), ("wheels C", "buy")])
def test_headquarters_and_equipment_in_one_buy_phase(order):
    state = scene("commissioner 4@G03", "Police $3000", active="Brown", phase="MOVE", wheels=True)
    run(state, "end", *order)
    assert (joint(state, "G03"), cash(state, "Police")) == ("Police:1", 1900)
    assert state.c_wheels
    assert phase(state) != "POLICE_BUY"


@pytest.mark.rule("G-16.1", "G-16.2", "G-14.7")
@pytest.mark.parametrize(
    ("at", "change", "offered"),
    [
        ("G03", "joint G03:-", True),
        ("G03", "joint G03:Police:1", False),
        ("J12", "joint J12:-", False),
        ("NA2", "joint G03:-", False),
    ],
)
def test_the_police_buy_equipment_in_an_unowned_gray_building_only(at, change, offered):
    state = scene(
        f"commissioner 4@{at}", "Police $3000", change,
        active="Brown", phase="MOVE", heaters=True, wheels=True,
    )  # fmt: skip
    run(state, "end")
    for thing in ("heaters C", "wheels C"):
        assert (thing in legal(state)) is offered


@pytest.mark.rule("G-16.1", "G-12.17")
@pytest.mark.parametrize(
    ("bought", "die", "hits"), [(True, 4, 1), (True, 3, 0), (False, 4, 0), (False, 5, 1)]
)
def test_the_commissioner_with_heaters_hits_on_a_four(bought, die, hits):
    # The building holds a criminal, so it is not for sale; equipment is.
    state = scene("commissioner 4@G02", "Police $1000", "Green.T 2@G02!", active="Police",
                  phase="POLICE_BUY", dice="-", heaters=True)  # fmt: skip
    state.gray_start = 1
    run(state)
    assert legal(state) == ["end", "heaters C"]
    play(state, "heaters C" if bought else "end")
    assert cash(state, "Police") == 1000 * (not bought)
    while state.active == 4:
        play(chance(state, die, 1, 1, 1, 1, 1), "end")
    assert piece(state, "Green.T") == f"{2 - hits}@G02!"


@pytest.mark.rule("G-16.2", "G-14.12")
def test_the_commissioner_with_wheels():
    state = cop_turn(step="POLICE_MOVE", dice="1/6/6")
    state.c_wheels = 1
    play(state, "commissioner")
    assert legal(state) == ["own die", "all dice"]
    far = play(GAME.clone(state), "all dice")
    assert "xF" in gos(far) or len(gos(far)) > 20
    play(state, "own die")
    assert gos(state) == {"NA2", "NA4", "LP3", "BW2", "RD3", "SD4", "BW7"}


@pytest.mark.rule("G-14.13")
@pytest.mark.parametrize(
    ("change", "offered"),
    [("joint J12:-", True), ("joint J12:Red:1", False), ("joint J12:Police:1", False)],
)
def test_headquarters_need_a_building_that_nobody_owns(change, offered):
    state = scene("commissioner 4@J12", "Police $3000", change, active="Brown", phase="MOVE")
    run(state, "end")
    assert ("buy" in legal(state)) is offered
    assert (phase(state) == "POLICE_BUY") is offered


@pytest.mark.rule("G-X56", "G-14.13", "G-14.16")
def test_buying_headquarters():
    state = cop_turn("commissioner 4@J12", "Police $500", step="POLICE_BUY")
    assert legal(state) == ["end", "buy"]
    play(state, "buy")
    assert (joint(state, "J12"), cash(state, "Police")) == ("Police:1", 100)
    crime = ("commissioner 4@J12", "Police $500", "Yellow.T 2@J12!")
    assert phase(cop_turn(*crime, step="POLICE_BUY")) != "POLICE_BUY"
    state = cop_turn(*crime, dice="1/6/1")
    assert phase(state) == "POLICE_MOVE"
    play(chance(state, 6, 5, 1, 1, 5, 5), "end")
    assert piece(state, "Yellow.T") == "-"
    assert cash(state, "Police") == 500 + 300 + 400
    assert commissioner(state) == "2@-"


@pytest.mark.rule("G-X55", "G-14.17", "G-20.7")
def test_commissioner_eliminated():
    dead = ("commissioner 0@-", "joint G04:Police:1")
    state = scene("first_cop", "Police $100", *dead, *HQ, active="Police", phase="POLICE_BUY",
                  dice="-")  # fmt: skip
    run(chance(state, 4, 1, 1))
    assert (phase(state), gos(state)) == ("SELL", {"J10", "G04"})
    play(state, "go G04")
    assert (joint(state, "G04"), joint(state, "J10")) == ("-", "-")
    assert commissioner(state) == "1@RD3"
    assert cash(state, "Police") == 400
    assert state.active != 4
    state = scene("first_cop", "Police $300", *dead, active="Police", phase="POLICE_BUY", dice="-")
    run(chance(state, 6, 1, 1))
    assert (commissioner(state), joint(state, "G04"), cash(state, "Police")) == ("1@BW7", "-", 400)


@pytest.mark.rule("G-14.17", "G-14.14")
def test_a_new_commissioner_may_come_by_headquarters():
    state = scene("commissioner 0@-", "Police $5000", *HQ, active="Police", phase="POLICE_BUY",
                  dice="-")  # fmt: skip
    run(chance(state, 4, 1, 1))
    assert (phase(state), gos(state)) == ("COMM_ENTRY", {"RD3", "J10"})
    play(state, "go J10")
    assert commissioner(state) == "1@J10"
    assert state.active != 4


@pytest.mark.rule("G-14.14")
@pytest.mark.parametrize(("blue", "entries"), [(1, {"NA3", "J31", "G04"}), (2, {"LP3", "J23"})])
def test_entry_by_the_first_digit_of_the_price(blue, entries):
    changes = "joint J31:Police:1 G04:Police:1 J23:Police:1"
    state = run(scene(changes, dice=f"1/1/1/1/{blue}"))
    play(chance(state, (10, 0)), "cop new")
    assert (phase(state), gos(state)) == ("COP_ENTRY", entries)
    marker = scene(changes, "Red markers=5", phase="COP_GANG", dice=f"1/1/1/1/{blue}")
    assert gos(run(marker, "play 5")) == entries


@pytest.mark.rule("G-14.15", "G-9.16")
def test_officers_in_headquarters():
    state = run(scene(*HQ, "cop 4@BW4<xM", dice="1/1/1/1/2"))
    play(chance(state, (9, 0)), "cop 4", "via", "end")
    assert (cop(state, "4"), cop(state, "1")) == ("-", "J10")
    entering = run(scene("joint G04:Police:1", dice="1/1/1/1/1"))
    play(chance(entering, (10, 6)), "cop new", "go G04", "end")
    assert cop(entering, "7") == "G04"  # no change of duty when he enters the board there


@pytest.mark.rule("G-14.16", "G-14.12", "G-9.17")
def test_the_commissioner_raids_and_then_arrests():
    state = cop_turn("joint J17:Red:1c", "public x3@J17", "Red.V 1@J17!", "Police $0",
                     "commissioner 4@LP1", step="POLICE_MOVE", dice="3/6/1")  # fmt: skip
    play(state, "commissioner", "go J17")
    assert (joint(state, "J17"), public(state, "x3"), commissioner(state)) == ("-", "-", "4@J17")
    assert cash(state, "Police") == 300
    play(chance(state, 5, 1, 1, 1), "end")
    assert piece(state, "Red.V") == "-"
    assert cash(state, "Police") == 300 + 100 + 400
    assert commissioner(state) == "4@J17"
