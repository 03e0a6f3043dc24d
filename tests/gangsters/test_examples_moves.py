"""Worked examples: movement, actions, payoffs (G-X23 to G-X38)."""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.rules.common import crime_level

from .scenes import (
    cash,
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


def moves(name, die, *changes, move="move T"):
    dice = "/".join([str(die)] * 5)
    return gos(run(scene(*changes, active=name, phase="MOVE", dice=dice), move))


@pytest.mark.rule("G-X23", "G-6.1", "G-6.5")
def test_exact_die_and_facing():
    assert moves("Red", 1, "Red.T 2@BW6<BW5") == {"BW7", "J38"}
    assert moves("Red", 2, "Red.T 2@BW6<BW5") == {
        "BW8", "J35", "J38", "NA3", "LP3", "BW2", "RD3", "SD4",
    }  # fmt: skip
    assert moves("Red", 1, "Red.T 2@BW6<J38") == {"BW5", "BW7"}


@pytest.mark.rule("G-X24", "G-6.7")
def test_about_face():
    assert moves("Red", 2, "Red.T 2@RD5<RD4") == {"BR1", "RD6", "CB2", "RD5"}
    assert {"RD4", "xK"} <= moves("Red", 3, "Red.T 2@RD5<RD4")
    assert moves("Yellow", 2, "Yellow.T 2@RD5<RD4") == {"BR1", "RD6"}


@pytest.mark.rule("G-X25", "G-6.4")
@pytest.mark.parametrize(
    "turn", ["BR1-xK-RD5", "CL4-xF-LP1", "NA8-xB-NS1", "BR1-xJ-VI1", "SD11-xQ-SB1", "CB5-xM-BW5"]
)
def test_sharp_turns(turn):
    start, _, end = turn.split("-")
    assert end in moves("Red", 2, f"Red.T 2@{start}")


@pytest.mark.rule("G-X26", "G-6.8")
def test_subway():
    subways = {"LP3", "BW2", "RD3", "SD4", "BW7"}
    assert moves("Yellow", 2, "Yellow.T 2@NA2<NA1") == {"NA4"} | subways
    assert moves("Yellow", 1, "Yellow.T 2@NA3") == {"NA2", "NA4"} | subways
    assert not moves("Yellow", 2, "Yellow.T 2@NA3") & (subways | {"NA3"})


@pytest.mark.rule("G-X27", "G-10.3", "G-6.10")
def test_publics():
    assert moves("Red", 2, "public x2@LP2<LP1", move="public x2") == {"LP4", "J06", "J17"}
    assert moves("Red", 2, move="public new") == {"LP2", "LP4", "J06", "J17"}
    assert moves("Red", 6, move="public new") == {"xR", "CB4", "BW3", "J11", "J32"}


X28 = ("Red.R 6@J17", "Red.V 1@LP2<LP1", "Brown.R 4@J06")


@pytest.mark.rule("G-X28", "G-7.1", "G-7.4", "G-13.4", "G-13.3")
def test_recruiting_and_seducing():
    state = run(scene("Red $2600", *X28, phase="MOVE", dice="3/1/2/4/6"))
    play(state, "recruit R", "move V", "go J06", "seduce Brown R")
    assert piece(state, "Red.R") == "7@J17"
    assert {"move T"} <= set(legal(state))
    play(state, "end")
    assert (piece(state, "Red.R"), cash(state, "Red")) == ("8@J17", 200)
    assert (piece(state, "Brown.R"), piece(state, "Red.V")) == ("3@J06", "1@J06!")


@pytest.mark.rule("G-X29", "G-7.6", "G-7.5")
def test_recruit_lapses():
    state = run(scene("Red $2300", *X28, phase="MOVE", dice="3/1/2/4/6"))
    play(state, "recruit R", "move V", "go J06", "seduce Brown R", "end")
    assert (piece(state, "Red.R"), cash(state, "Red")) == ("7@J17", 2300)


@pytest.mark.rule("G-X30")
def test_action_gained():
    state = scene("Red $2600", *X28, "Red.R 5@J17", phase="MOVE", dice="3/1/2/4/6")
    run(state, "move V", "go J06", "seduce Brown R", "recruit T")
    assert "move R" in legal(state)


@pytest.mark.rule("G-X31", "G-7.7", "G-7.8")
def test_first_member():
    state = scene("Red.T 0@-", "Brown.T 1@J06", "Red.V 1@LP2<LP1", phase="MOVE", dice="1/1/2/1/1")
    run(state, "move V", "go J06", "seduce Brown T")
    assert piece(state, "Brown.T") == "-"
    assert gos(state) == {"J16", "J17", "J31"}
    play(state, "go J16")
    assert piece(state, "Red.T") == "1@J16"
    assert "move T" not in legal(state)


@pytest.mark.rule("G-X33", "G-7.9", "G-20.6")
def test_no_racketeers():
    state = scene("Red $100", "Red.R 0@-", "joint J17:Red:2", phase="COP_POLICE", dice="5/1/1/1/1")
    run(state, "end")
    assert phase(state) == "SELL"
    play(state, "go J16", "go J31")
    assert (cash(state, "Red"), joint(state, "J17")) == (200, "-")
    assert piece(state, "Red.R") == "1@SD4"


@pytest.mark.rule("G-X34", "G-11.6", "G-11.7", "G-11.8", "G-8.5", "G-10.4")
def test_organised_crime():
    state = scene("joint J17:Red:2", "public x3@J17", "Red.V 1@J17!", phase="MOVE")
    run(state, "end")
    assert (cash(state, "Red"), joint(state, "J17"), public(state, "x3")) == (2800, "Red:2", "-")
    state = run(scene("joint J17:Red:2", "public x3@J17 x1a@J17".replace(" x1a", " x1a"),
                      phase="MOVE"), "end")  # fmt: skip
    assert (cash(state, "Red"), joint(state, "J17"), public(state, "x3")) == (3400, "Red:2c", "J17")


@pytest.mark.rule("G-X35")
def test_not_on_rivals_turns():
    state = scene(
        "joint J17:Red:2c", "public x3@J17 x1a@J17", active="Green", phase="MOVE",
        dice="1/1/1/3/1",
    )  # fmt: skip
    run(state, "public x1a", "go xG", "end")
    assert (cash(state, "Red"), joint(state, "J17"), public(state, "x3")) == (1000, "Red:2c", "J17")


@pytest.mark.rule("G-X37", "G-14.4")
def test_salary():
    changes = ["first_cop", "Green.T 2@G01!", "Yellow.T 2@G02!", "Brown.T 2@G03!"]
    state = run(scene(*changes, phase="MOVE", dice="1/4/1/1/1"),
                "move T", "go J12")  # fmt: skip
    play(state, "extort", "end")
    assert (cash(state, "Police"), cash(state, "Red")) == (900, 1400)
    more = ["Green.R 4@G01!", "Yellow.R 4@G02!"]
    state = run(scene(*changes, *more, phase="MOVE", dice="1/4/1/1/1"),
                "move T", "go J12")  # fmt: skip
    play(state, "extort", "end")
    assert cash(state, "Police") == 800
    seven = [*more, "Brown.R 4@G03!"]
    state = run(scene(*changes, *seven, phase="MOVE", dice="1/4/1/1/1"),
                "move T", "go J12")  # fmt: skip
    play(state, "extort", "end")
    assert cash(state, "Police") == 700


@pytest.mark.rule("G-2.19")
@pytest.mark.parametrize(
    ("per_level", "levels"),
    [(1, [0, 1, 2, 3, 4, 5, 6, 6]), (2, [0, 1, 1, 2, 2, 3, 3, 4]), (5, [0, 1, 1, 1, 1, 1, 2, 2])],
)
def test_criminals_for_each_crime_level_are_an_option(per_level, levels):
    criminals = [
        "Green.T 2@G01!", "Yellow.T 2@G02!", "Brown.T 2@G03!", "Green.R 4@G01!", "Yellow.R 4@G02!",
        "Brown.R 4@G03!", "Red.T 2@G04!",
    ]  # fmt: skip
    found = [
        crime_level(scene(*criminals[:n], phase="MOVE", criminals_per_level=per_level))
        for n in range(8)
    ]
    assert found == levels


@pytest.mark.rule("G-X38", "G-11.2")
def test_two_extorters():
    state = scene("Red.T 2@G02!", "Red.V 1@G02", phase="MOVE", dice="3/4/2/4/6")
    run(state, "stay T", "stay V", "end")
    assert (cash(state, "Red"), piece(state, "Red.V")) == (1600, "1@G02!")


@pytest.mark.rule("G-X49", "G-9.16")
def test_criminal_walks_away():
    state = scene("Red.V 1@G02!", "cop 4@NA4<NA3", dice="1/1/4/1/3")
    run(state, "cop 4", "go G02", "move V", "go NA8", "end")
    assert (piece(state, "Red.V"), cop(state, "4")) == ("1@NA8", "-")
