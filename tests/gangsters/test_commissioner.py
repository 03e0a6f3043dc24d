"""Headquarters and the Commissioner (G-14.12 to 14.17, G-16; G-X55, G-X56)."""

from __future__ import annotations

import pytest

from .scenes import (
    GAME,
    HQ,
    cash,
    chance,
    commissioner,
    cop,
    cop_turn,
    gos,
    joint,
    legal,
    phase,
    piece,
    play,
    public,
    run,
    scene,
)


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
