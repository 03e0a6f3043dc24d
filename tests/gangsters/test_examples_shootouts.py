"""Worked examples: shootouts, Cop Turn, victory (G-X32, G-X36, G-X39 to G-X59)."""

from __future__ import annotations

import pytest

from .scenes import (
    cash,
    chance,
    cop,
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


@pytest.mark.rule("G-X32", "G-12.10", "G-8.1")
def test_placed_under_attack():
    state = scene("Red.T 0@-", "Green.T 2@J16", phase="MOVE", dice="3/2/2/4/6")
    run(state, "recruit T")
    play(chance(state, 4, 5, 1, 6, 5), "end", "go J16")
    assert phase(state) == "ALLOC"
    play(state, "lose joint", "end")
    assert (joint(state, "J16"), piece(state, "Red.T"), cash(state, "Red")) == (
        "Red:1",
        "1@J16",
        800,
    )
    assert piece(state, "Green.T") == "-"


@pytest.mark.rule("G-X39", "G-12.2", "G-12.7", "G-8.4", "G-10.5")
def test_guards_fire_and_a_joint_falls():
    state = scene(
        "Yellow.V 1@J06", "Brown.R 4@J05", "Brown.T 2@J37", "Red.T 2@J06", "Red.R 4@LP2<LP1",
        "public x2@BW5", phase="MOVE", dice="2/1/1/1/1",
    )  # fmt: skip
    run(state, "move R", "go J06", "hit")
    chance(state, 6, 1, 1, 1, 4, 4, 1, 1, 5, 3)
    play(state, "end", "target Yellow")
    play(state, "lose T", "lose R")
    assert (piece(state, "Yellow.V"), joint(state, "J06"), public(state, "x2")) == ("-", "-", "-")
    assert (piece(state, "Red.R"), piece(state, "Red.T")) == ("3@J06!", "1@J06")


@pytest.mark.rule("G-X43", "G-12.11", "G-20.9")
def test_thug_against_vamp():
    state = scene("Green.T 1@G02", "Green.V 1@G02", "Red.T 3@NA7<NA8", phase="MOVE",
                  dice="1/2/1/1/1")  # fmt: skip
    run(state, "move T", "go G02", "hit")
    play(chance(state, 5, 5, 6, 2), "end")
    assert (piece(state, "Green.T"), piece(state, "Green.V")) == ("-", "1@G02")


@pytest.mark.rule("G-X44", "G-12.18", "G-2.10")
def test_arrest():
    state = scene("Green.R 6@BW6<BW5!", "cop U@BW9<BW10", dice="1/1/1/1/3")
    run(state, "cop U", "go BW6")
    play(chance(state, 5, 6, 5, 6, 2, 1, 1, 1, 1, 1, 1), "end")
    assert (piece(state, "Green.R"), cash(state, "Police"), cop(state, "U")) == (
        "2@BW6!",
        2500,
        "-",
    )


@pytest.mark.rule("G-X45")
def test_non_criminals_and_cops():
    state = scene("Green.R 4@BW6<BW5", "Green.T 2@BW6<BW5!", "cop 7@BW8<BW9", dice="1/1/1/1/2")
    run(state, "cop 7", "go BW6")
    play(chance(state, 5, 6, 6, 6, 6), "end")
    assert (piece(state, "Green.T"), piece(state, "Green.R")) == ("-", "4@BW6")
    assert cash(state, "Police") == 1000


@pytest.mark.rule("G-X46", "G-9.8", "G-12.12")
def test_cop_as_shield():
    state = scene(
        "Red markers=6", "Red.T 2@BW6<BW5", "Green.R 4@BW6<BW5", "Green.T 2@BW6<BW5!",
        "cop 6@BW8<BW9", phase="COP_GANG", dice="1/1/1/1/2",
    )  # fmt: skip
    run(state, "play 6", "go BW6")
    play(chance(state, 5, 1, 1, 6, 6, 1, 1, 5, 5), "end")
    assert legal(state) == ["lose T", "lose cop"]
    play(state, "lose cop", "lose cop")
    assert legal(state) == ["end", "lose T"]
    play(state, "end", "end")
    assert (piece(state, "Green.T"), piece(state, "Red.T")) == ("1@BW6!", "2@BW6")
    assert (cash(state, "Police"), cash(state, "Red")) == (800, 1100)


@pytest.mark.rule("G-X47", "G-14.3")
def test_share_after_an_arrest():
    state = scene("Brown markers=7", "cop 7@BW8<BW9", "Green.T 2@BW6<BW5!", dice="1/1/1/1/2")
    run(state, "cop 7", "go BW6", "end")
    play(chance(state, 5, 1, 6, 1, 1), "end", "yes")
    assert (cash(state, "Police"), cash(state, "Brown")) == (800, 1200)


@pytest.mark.rule("G-X50", "G-12.17", "G-14.16")
def test_commissioner_shot():
    state = scene("commissioner 3@G04", "Green.T 2@G04!", phase="MOVE")
    run(state)
    play(chance(state, 1, 2, 5, 5, 5), "end")
    assert (piece(state, "Green.T"), cash(state, "Police")) == ("1@G04!", 900)
    assert (state.c_strength, state.c_at) == (1, -1)


@pytest.mark.rule("G-X51", "G-12.3", "G-12.13", "G-8.3")
def test_headquarters_defended():
    state = scene(
        "joint G02:Police:1", "commissioner 4@G02", "cop 4@G02", "Red.R 4@NA4<NA3",
        phase="MOVE", dice="2/1/1/1/1",
    )  # fmt: skip
    run(state, "move R", "go G02", "hit")
    play(chance(state, 6, 6, 1, 1, 4, 1, 5, 1, 6, 1, 1, 1), "end", "lose cop", "lose cop")
    assert (piece(state, "Red.R"), cash(state, "Police")) == ("1@G02!", 1400)
    assert (joint(state, "G02"), cop(state, "4"), state.c_strength) == ("Police:1", "-", 4)


@pytest.mark.rule("G-X52", "G-10.7", "G-10.10", "G-14.11")
def test_chit_and_crime_scene():
    state = scene("Police chits=x1", "public x1a@J17 x1b@BW5<xM", "first_cop", active="Police",
                  phase="INFORMANTS", dice="2/3/5")  # fmt: skip
    run(state, "chit x1", "flip x1a", "end", "end")
    assert phase(state) == "POLICE_PUBLIC"
    assert joint(state, "J17") == "Red:1c"
    play(state, "end")
    assert (cash(state, "Red"), cash(state, "Police")) == (1300, 1100)


@pytest.mark.rule("G-X53", "G-10.9", "G-10.11")
def test_early_move_and_arrest():
    state = scene("public x2@LP2<LP1i", "Brown.T 2@LP4<LP3", "cop 5@LP1<xF", "first_cop",
                  active="Police", phase="INFORMANTS", dice="2/2/3")  # fmt: skip
    run(state, "public x2", "go LP4", "flip Brown T")
    assert public(state, "x2") == "-"
    assert phase(state) == "POLICE_MOVE"
    play(state, "cop 5")
    if phase(state) == "COP_DEST":
        play(state, "go LP4")
    play(chance(state, 6, 1, 1, 1), "end")
    assert piece(state, "Brown.T") == "1@LP4!"
    assert cash(state, "Police") == 1200


@pytest.mark.rule("G-X54", "G-14.18")
def test_bringing_the_commissioner_in():
    changes = ("cop 4@BW5<BW4", "joint J10:Police:1", "Green.R 4@J11")
    state = scene("commissioner 4@-", *changes, active="Police", phase="INFORMANTS", dice="4/3/5")
    run(state)
    assert phase(state) == "POLICE_MOVE"
    assert legal(state) == ["cop 4", "commissioner"]
    state = scene("commissioner 2@-", *changes, active="Police", phase="INFORMANTS", dice="4/3/5")
    assert gos(run(state)) == {"RD3", "J10"}
    play(state, "go J10")
    assert "BW4" in gos(state)


@pytest.mark.rule("G-X57", "G-15.2")
@pytest.mark.parametrize("wins", [False, True])
def test_shootouts_before_victory(wins):
    joints = " ".join(f"J{n}:Red:1" for n in (30, 33, 34, 35, 36, 38, 39))
    state = run(scene(f"joint {joints}", "Red.T 1@J11", phase="MOVE"))
    chance(state, *((1, 1, 3, 2, 1) if wins else (4, 1, 1, 1, 1)))
    play(state, "end")
    assert bool(state.over) is wins
    assert piece(state, "Red.T") == ("1@J11" if wins else "-")


@pytest.mark.rule("G-X58", "G-1.3")
def test_cash_victory():
    state = run(scene("Red $9700", "Red.T 2@G02!", phase="MOVE", dice="1/3/1/1/1"), "stay T")
    play(state, "end")
    assert state.over
    assert state.rewards.tolist() == [1.0, -0.25, -0.25, -0.25, -0.25]


@pytest.mark.rule("G-X59", "G-15.4")
@pytest.mark.parametrize("marker", ["4", "5"])
def test_police_victory(marker):
    joints = " ".join(
        f"{code}:Police:1" for code in ["J12", "J13", "J14", "G01", "G02", "G03", "G04"]
    )
    state = scene(f"joint {joints}", "cop 4@BW5<BW4", f"Police markers={marker}", "first_cop",
                  active="Police", phase="INFORMANTS", dice="1/1/1")  # fmt: skip
    run(state)
    while not state.over and phase(state) in ("INFORMANTS", "POLICE_MOVE", "POLICE_PUBLIC"):
        play(state, "end")
    assert bool(state.over) is (marker == "4")
