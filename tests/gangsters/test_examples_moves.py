"""Worked examples of the specification: Buy Phase, cop step, bribes, raids, moves and payoffs.

G-X06 to G-X22; movement, actions and payoffs: G-X23 to G-X38.
"""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.rules.common import crime_level

from .scenes import (
    cash,
    chance,
    cop,
    gos,
    holder,
    joint,
    legal,
    phase,
    piece,
    play,
    public,
    run,
    scene,
    seat,
)


@pytest.mark.rule("G-X06", "G-5.1", "G-5.3")
def test_improving_once():
    state = run(scene("Red $900", phase="BUY", dice="-"))
    play(state, "up")
    assert (joint(state, "J17"), cash(state, "Red")) == ("Red:2", 600)
    assert phase(state).startswith("COP")


@pytest.mark.rule("G-X07", "G-5.2")
def test_buying_while_criminal():
    state = run(scene("Red.R 4@J12!", phase="BUY", dice="-"))
    play(state, "buy")
    assert (joint(state, "J12"), cash(state, "Red")) == ("Red:1", 600)
    assert piece(state, "Red.R") == "4@J12!"


@pytest.mark.rule("G-X08", "G-5.7", "G-5.8", "G-5.9", "G-5.10", "G-5.11")
def test_trading():
    state = run(scene("Red $500", "Brown $200", phase="BUY", dice="-", trade_offers=2))
    play(state, "trade Brown", "go J31", "go J37")
    assert len(legal(state)) == 22
    play(state, "get 300", "trade Brown", "go J31", "go J37", "get 200", "yes")
    assert (cash(state, "Red"), cash(state, "Brown")) == (700, 0)
    assert (joint(state, "J37"), joint(state, "J31")) == ("Red:1", "Brown:1")
    assert piece(state, "Red.V") == "1@J31"
    assert not any(text.startswith("trade") for text in legal(state))


@pytest.mark.rule("G-X10", "G-9.1", "G-9.2")
def test_deferral_is_forced():
    state = run(scene("Red $300", phase="COP_GANG", dice="1/1/1/1/4"))
    assert phase(state) == "COP_POLICE"
    assert legal(state) == ["end", "bribe", "cop new"]


@pytest.mark.rule("G-X11", "G-9.4", "G-2.19")
def test_no_new_officer():
    changes = ["Red $300", "cop 4@BW5<BW4"]
    state = run(scene(*changes, phase="COP_GANG", dice="1/1/1/1/4"))
    assert legal(state) == ["end", "bribe", "cop 4"]
    thugs = ["Red.T 2@G01!", "Green.T 2@G02!", "Brown.T 2@G03!"]
    state = run(scene(*changes, *thugs, phase="COP_GANG", dice="1/1/1/1/4"))
    assert "cop new" in legal(state)


@pytest.mark.rule("G-X12", "G-9.5", "G-9.6")
@pytest.mark.parametrize(("pick", "kept"), [(9, "cup"), (3, "Red")])
def test_buying_a_bribe(pick, kept):
    state = run(scene(phase="COP_GANG", dice="1/1/1/1/3"))
    play(chance(state, (10, pick)), "bribe")
    assert (cash(state, "Red"), cash(state, "Police")) == (700, 1000)
    assert holder(state, "4") == kept
    assert phase(state) == "MOVE"


@pytest.mark.rule("G-X13", "G-6.11")
def test_playing_a_marker_for_an_officer_off_the_board():
    state = run(scene("Red markers=9", phase="COP_GANG", dice="1/1/1/1/4"), "play 9")
    assert holder(state, "9") == "cup"
    assert gos(state) == {"xD", "xK"}
    play(state, "via")
    assert gos(state) == {"NA3", "LP3", "BW2", "SD4", "BW7"}


RAID = ("cop 4@LP1<xF", "joint J17:Red:2c", "public x3@J17")


@pytest.mark.rule("G-X14", "G-9.12")
def test_stop():
    state = scene("Green markers=4", *RAID, dice="1/1/1/1/3")
    run(state, "cop 4", "go J17", "yes")
    assert (cop(state, "4"), joint(state, "J17"), holder(state, "4")) == ("LP1", "Red:2c", "cup")
    assert phase(state) == "MOVE"
    play(state, "end")
    assert cash(state, "Red") == 2800


@pytest.mark.rule("G-X15", "G-9.13", "G-9.14")
def test_change_of_duty_and_stop():
    state = run(scene("Green markers=7", "cop 4@LP1<xF", dice="1/1/1/1/4"), "cop 4", "via")
    play(chance(state, (9, 5)), "go RD3", "go RD4", "yes")
    assert (cop(state, "4"), cop(state, "7")) == ("-", "-")
    state = run(scene("Green markers=7", "cop 4@LP1<xF", dice="1/1/1/1/3"), "cop 4", "via")
    play(chance(state, (9, 5)), "go RD3")
    assert (phase(state), cop(state, "7")) == ("MOVE", "RD3")


@pytest.mark.rule("G-X16", "G-14.2", "G-9.17", "G-9.19")
def test_doubled_raid():
    state = scene("Police markers=4", "Green $200", *RAID, active="Green", dice="1/1/1/1/3")
    run(state, "cop 4", "go J17", "yes")
    assert cash(state, "Police") == 1900
    assert (joint(state, "J17"), public(state, "x3"), cop(state, "4")) == ("Red:1", "-", "-")
    assert holder(state, "4") == "cup"


@pytest.mark.rule("G-X17", "G-14.3", "G-1.6")
def test_raid_by_a_playing_gang():
    state = scene(
        "Red markers=6", "cop 6@SD2<SD1", "joint J05:Brown:1c", "public x2@J05",
        phase="COP_GANG", dice="1/1/1/1/2",
    )  # fmt: skip
    run(state, "play 6", "go J05")
    assert (cash(state, "Police"), cash(state, "Red"), joint(state, "J05")) == (900, 1300, "-")
    assert (public(state, "x2"), cop(state, "6"), piece(state, "Brown.R")) == ("-", "-", "4@J05")


@pytest.mark.rule("G-X18")
def test_share_after_a_raid():
    state = scene(
        "Yellow markers=4", "Green $200", "cop 4@LP1<xF", "joint J17:Red:1c", "public x3@J17",
        active="Green", dice="1/1/1/1/3",
    )  # fmt: skip
    run(state, "cop 4", "go J17", "end", "yes")
    assert (cash(state, "Police"), cash(state, "Yellow"), joint(state, "J17")) == (800, 1200, "-")
    assert holder(state, "4") == "cup"


@pytest.mark.rule("G-X19", "G-14.5")
def test_replacement_premium_and_double():
    state = scene(
        "Red markers=6", "Police markers=8", "cop 6@NA2<NA1", "joint J06:Brown:1c",
        "public x1a@J06", phase="COP_GANG", dice="1/1/1/1/3",
    )  # fmt: skip
    run(state, "play 6", "via")
    play(chance(state, (9, 6)), "go LP3", "go J06", "yes")
    assert (cash(state, "Police"), cash(state, "Red")) == (1400, 1300)
    assert [holder(state, n) for n in "68"] == ["cup", "cup"]
    assert (cop(state, "6"), cop(state, "8"), joint(state, "J06")) == ("-", "-", "-")


HQ = ("joint J10:Police:1", "Green.R 4@J11")


@pytest.mark.rule("G-X20", "G-14.14")
def test_entry_through_a_headquarters():
    state = run(scene(*HQ, dice="1/1/1/1/4"))
    play(chance(state, (10, 2)), "cop new")
    assert gos(state) == {"RD3", "J10"}
    play(state, "go J10")
    assert gos(state) == {"xC", "xM", "BW1", "BW4"}
    assert "via" in legal(state)


@pytest.mark.rule("G-X21")
def test_passing_a_headquarters():
    state = run(scene(*HQ, "cop 4@BW4<xM", dice="1/1/1/1/3"), "cop 4", "via")
    play(chance(state, (9, 0)), "go J10")
    assert (cop(state, "1"), cop(state, "4")) == ("BW2", "-")
    state = run(scene(*HQ, "cop 4@BW4<xM", dice="1/1/1/1/2"), "cop 4")
    play(chance(state, (9, 0)), *(["via"] if "via" in legal(state) else []))
    play(state, "go J10") if phase(state) == "COP_VIA" else None
    play(state, "end")
    assert cop(state, "1") == "J10"


@pytest.mark.rule("G-X22", "G-9.18")
@pytest.mark.parametrize("choice", ["raid", "arrest"])
def test_raid_or_arrest(choice):
    state = scene(
        "joint J37:Brown:1c", "public x1a@J37", "Brown.V 1@J37!", "cop 3@LP2<LP1",
        dice="1/1/1/1/3",
    )  # fmt: skip
    run(state, "cop 3", "go J37", choice)
    assert phase(state) == "MOVE"
    if choice == "arrest":
        chance(state, 5, 2)
    play(state, "end")
    assert (cash(state, "Police"), public(state, "x1a"), cop(state, "3")) == (800, "-", "-")
    assert joint(state, "J37") == ("-" if choice == "raid" else "Brown:1")
    assert piece(state, "Brown.V") == ("1@J37!" if choice == "raid" else "-")


@pytest.mark.rule("G-9.18")
@pytest.mark.parametrize(("criminal", "asked"), [("Red", False), ("Brown", True), ("Green", True)])
def test_the_movers_own_criminals_leave_no_choice(criminal, asked):
    state = scene(
        "joint J37:Brown:1c", "public x1a@J37", f"{criminal}.V 1@J37!", "cop 3@LP2<LP1",
        "Red markers=3", phase="COP_GANG", dice="1/1/1/1/3",
    )  # fmt: skip
    run(state, "play 3", "go J37")
    assert (phase(state) == "RAID_OR_ARREST") is asked
    if asked:
        assert (seat(state), legal(state)) == ("Red", ["raid", "arrest"])
        play(state, "raid")
    assert (joint(state, "J37"), phase(state)) == ("-", "MOVE")
    assert (cash(state, "Red"), piece(state, f"{criminal}.V")) == (1100, "1@J37!")


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
