"""Shootouts step by step (G-12; G-X40 to G-X42, G-X48)."""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.state import E_ARRESTS, E_DOUBLES, E_HQ_LOST, E_PAYOFFS, U_COP

from .scenes import (
    cash,
    chance,
    commissioner,
    cop,
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
    skip,
)


@pytest.mark.rule("G-X40", "G-12.4", "G-12.6", "G-12.8")
def test_two_targets():
    state = scene("Yellow.T 2@G02", "Brown.T 2@G02", "Red.R 4@NA4<NA3", "Red.T 2@NA7<NA8",
                  phase="MOVE", dice="2/2/1/1/1")  # fmt: skip
    run(state, "move R", "go G02", "hit", "move T", "go G02", "hit")
    play(chance(state, 6, 1, 1, 2, 5, 5, 5, 6, 1, 1), "end")
    assert legal(state) == ["target Yellow", "target Brown"]
    play(state, "target Yellow", "target Brown", "lose T", "lose R")
    assert (piece(state, "Yellow.T"), piece(state, "Brown.T")) == ("1@G02", "-")
    assert (piece(state, "Red.R"), piece(state, "Red.T")) == ("3@G02!", "1@G02!")


HIT_J37 = ("Brown.V 1@J05", "Red.T 1@LP3", "public x1b@J24 x2@BW5")


@pytest.mark.rule("G-X41", "G-12.14")
def test_joint_saved():
    state = scene(*HIT_J37, phase="MOVE", dice="1/2/1/1/1")
    run(state, "move T", "go J37", "hit")
    play(chance(state, 6, 4, 2), "end")
    assert (piece(state, "Red.T"), joint(state, "J37")) == ("-", "Brown:1")
    assert (public(state, "x1b"), public(state, "x2")) == ("J24", "BW5")


J24 = ("joint J24:Brown:1", "Yellow.T 2@J23", "Brown.V 1@J24!", "Red.T 1@J24", "Green.R 1@J24")


@pytest.mark.rule("G-12.14", "G-9.8")
@pytest.mark.parametrize(
    ("changes", "police", "left"),
    [
        (("cop 4@J24*Red",), True, "-"),  # the officer is Red's, and Red's Thug lives
        (("cop U@J24*Red",), True, "-"),
        (("cop 4@J24",), False, "-"),  # the active gang's, in the base game
        (("cop 4@J24*Red", "Red.T 1@G02"), True, "Brown:1"),  # no Thug of Red is there
        (("cop 4@J24*Red", "Brown.V 1@J05", "Green.R 1@J24!"), True, "Brown:1"),  # at Green
        (("cop 4@J24",), True, "Brown:1"),  # the Police Player's
    ],
    ids=["gang", "Untouchables", "base game", "gang elsewhere", "other target", "police"],
)
def test_an_officer_fires_for_the_gang_that_controls_him(changes, police, left):
    state = run(scene(*J24, *changes, phase="MOVE", police=police))
    # The guards hit Green, the officer misses; Green's Racketeer returns the fire.
    play(chance(state, 4, 1, 1, *[1] * (5 if "U" in changes[0] else 2), 6), "end")
    if phase(state) == "TARGET":
        assert (seat(state), legal(state)) == ("Brown", ["target Red", "target Green"])
        play(state, "target Green")
    if phase(state) == "RETURN":
        play(state, "target Brown")
    if phase(state) == "ALLOC":
        assert "lose joint" in legal(state)
        play(state, "lose joint")
    assert (piece(state, "Green.R"), joint(state, "J24")) == ("-", left)


THREE = ("Brown.R 1@J37", "Brown.V 1@J05", "Red.T 1@LP3", "Green.T 1@J37")


@pytest.mark.rule("G-12.14")
@pytest.mark.parametrize(
    ("yellow", "guards", "brown", "left"),
    [
        ("Yellow.T 2@J24", 4, 6, "Brown:1"),  # all who fired at Brown have fallen
        ("Yellow.T 2@J37", 4, 6, "Brown:1"),  # Yellow is there, but has not fired
        ("Yellow.T 2@J24", 4, 1, "-"),  # Red lives
        ("Yellow.T 2@J24", 1, 6, "-"),  # Green lives
        ("Yellow.T 2@J24", 1, 1, "-"),
    ],
)
def test_a_joint_is_saved_when_every_gang_that_fired_has_fallen(yellow, guards, brown, left):
    """Red's Thug fires at Brown, the guards at Green, Green's Thug and Brown's Racketeer return."""
    state = run(scene(*THREE, yellow, phase="MOVE", dice="1/2/1/1/1"), "move T", "go J37", "hit")
    play(state, "end", "target Brown")
    assert (phase(state), seat(state)) == ("TARGET", "Brown")
    play(chance(state, 6, guards, 1, 1, brown), "target Green")
    assert (phase(state), seat(state)) == ("ALLOC", "Brown")
    assert legal(state) == ["lose R", "lose joint"]
    play(state, "lose joint")
    assert joint(state, "J37") == left
    assert piece(state, "Red.T") == ("-" if brown == 6 else "1@J37!")
    assert piece(state, "Green.T") == ("-" if guards == 4 else "1@J37")


@pytest.mark.rule("G-X42", "G-12.16", "G-8.4", "G-10.5")
def test_joint_destroyed():
    state = scene(*HIT_J37, "Red.R 4@LP4<LP3", phase="MOVE", dice="1/2/1/1/1")
    run(state, "move R", "go J37", "hit", "move T", "go J37", "hit")
    play(chance(state, 1, 1, 1, 1, 6, 4, 2), "end")
    assert (phase(state), legal(state)) == ("ALLOC", ["lose R", "lose T"])
    play(state, "lose T")
    assert (joint(state, "J37"), piece(state, "Red.T")) == ("-", "-")
    assert (public(state, "x1b"), public(state, "x2")) == ("-", "-")


SEDUCED = ("Green.T 1@G02!", "cop 4@NA4<NA3", "Red.V 1@NA8<xB")


@pytest.mark.rule("G-X48", "G-9.15", "G-9.16", "G-9.8")
@pytest.mark.parametrize("police", [False, True])
def test_seduced_in_time(police):
    state = scene(*SEDUCED, dice="1/1/3/1/2", police=police,
                  phase="COP_POLICE" if police else "COP_ACTIVE")  # fmt: skip
    run(state, "cop 4", "go G02", "move V", "go G02", "seduce Green T")
    if police:
        chance(state, 1, 5)
    play(state, "end")
    assert piece(state, "Red.T") == "3@J16"
    assert cop(state, "4") == "-"
    assert piece(state, "Red.V") == ("-" if police else "1@G02!")
    if police:
        assert cash(state, "Police") == 800


@pytest.mark.rule("G-12.1", "G-12.6")
def test_nodes_in_index_order():
    state = scene("Red.T 2@J37", "Red.R 2@J32", phase="MOVE")
    run(state)
    play(chance(state, 6, 1, 1, 1, 1, 1, 1, 1), "end")
    assert (piece(state, "Red.T"), piece(state, "Red.R")) == ("2@J37", "1@J32")


@pytest.mark.rule("G-12.5", "G-14.2", "G-12.18", "G-9.7")
@pytest.mark.parametrize(("answer", "paid"), [("yes", 600), ("end", 300)])
def test_doubling_is_asked_before_the_dice(answer, paid):
    state = scene("Police markers=4", "cop 4@BW8<BW9", "Green.T 2@BW6<BW5!", dice="1/1/1/1/2")
    run(state, "cop 4", "go BW6", "end")
    assert (phase(state), seat(state)) == ("DOUBLE", "Police")
    assert not state.hits.any()
    play(chance(state, 6, 5, 1, 1), answer)
    assert (cash(state, "Police"), piece(state, "Green.T")) == (700 + paid, "-")
    assert holder(state, "4") == ("cup" if answer == "yes" else "Police")


@pytest.mark.rule("G-12.7")
def test_sides_that_nobody_fired_upon_stay_out():
    state = scene("Green.T 1@G02", "Green.R 3@G02", "Yellow.T 2@G02", "Red.T 2@NA7<NA8",
                  phase="MOVE", dice="1/2/1/1/1")  # fmt: skip
    run(state, "move T", "go G02", "hit", "end")
    # Green's Racketeers and Thug return fire though they did not move; Yellow does not fire.
    play(chance(state, 1, 1, 6, 1, 1, 5), "target Green")
    assert piece(state, "Red.T") == "-"
    assert piece(state, "Yellow.T") == "2@G02"
    assert not state.criminal[1].any()


@pytest.mark.rule("G-12.7")
def test_return_fire_chooses_among_those_who_attacked():
    state = scene("Red.T 2@J06", "Brown.T 2@G01", "joint J06:Brown:1", "Green.T 2@J06",
                  phase="MOVE", dice="1/1/1/1/1")  # fmt: skip
    run(state, "end")
    assert (phase(state), seat(state)) == ("TARGET", "Brown")
    assert legal(state) == ["target Red", "target Green"]
    play(chance(state, 1, 1, 1, 4, 6, 6), "target Red")
    # Red alone was fired upon and alone answers; a Thug is left, so the joint falls.
    assert piece(state, "Red.T") == "1@J06"
    assert piece(state, "Green.T") == "2@J06"
    assert joint(state, "J06") == "-"


@pytest.mark.rule("G-12.9", "G-12.12")
def test_allocation_is_compulsory_while_there_is_room():
    state = scene("Green.T 1@G02", "Green.R 2@G02", "Green.V 1@G02", "Red.R 5@NA4<NA3",
                  phase="MOVE", dice="2/1/1/1/1")  # fmt: skip
    run(state, "move R", "go G02", "hit")
    play(chance(state, 6, 6, 6, 6, 6, 1, 1, 1), "end")
    assert (phase(state), legal(state)) == ("ALLOC", ["lose R", "lose T", "lose V"])
    play(state, "lose R", "lose T")
    assert legal(state) == ["lose R", "lose V"]
    play(state, "lose V")  # the rest is forced, one hit is lost
    assert [piece(state, f"Green.{p}") for p in "RTV"] == ["-", "-", "-"]


@pytest.mark.rule("G-12.10")
def test_inactive_pieces_may_absorb_return_fire_but_need_not():
    changes = ("Green.T 2@G02", "Red.T 2@G02", "Red.R 2@NA4<NA3")
    for choice, left in (("lose T", ("2@G02!", "1@G02")), ("lose R", ("1@G02!", "2@G02"))):
        state = scene(*changes, phase="MOVE", dice="2/1/1/1/1")
        run(state, "move R", "go G02", "hit")
        play(chance(state, 1, 1, 5, 1), "end")
        assert legal(state) == ["lose R", "lose T"]
        play(state, choice)
        assert (piece(state, "Red.R"), piece(state, "Red.T")) == left


@pytest.mark.rule("G-12.11")
@pytest.mark.parametrize(
    ("victim", "left"), [("Green.V 1@G02", "-"), ("Green.V 1@G02!", "-")]
)  # fmt: skip
def test_racketeers_hit_vamps_of_either_side(victim, left):
    state = scene(victim, "Red.R 1@NA4<NA3", phase="MOVE", dice="2/1/1/1/1")
    run(state, "move R", "go G02", "hit")
    play(chance(state, 6), "end")
    assert piece(state, "Green.V") == left


@pytest.mark.rule("G-12.11", "G-12.13", "G-12.17")
@pytest.mark.parametrize(("mark", "officer_hit"), [("!", True), ("", False)])
def test_only_criminals_hit_officers(mark, officer_hit):
    # Red's officers 1 and 2 arrest Green's Thug; Green's Racketeers return the fire.
    state = scene("Green.T 1@BW6<BW5!", f"Green.R 2@BW6<BW5{mark}", "cop 1@BW6*Red 2@BW6*Red",
                  "Red.T 2@BW6", phase="MOVE", police=False)  # fmt: skip
    run(state)
    play(chance(state, 1, 1, 6, 6, 1), "end")
    assert phase(state) == "ALLOC"
    assert legal(state) == (["lose T", "lose cop"] if officer_hit else ["end", "lose T"])
    if officer_hit:
        play(state, "lose cop", "lose cop")  # officer 1, then officer 2: one die each
    else:
        play(state, "end", "end")
    assert piece(state, "Red.T") == "2@BW6"
    assert (cop(state, "1"), cop(state, "2")) == ("-", "-")


@pytest.mark.rule("G-12.15")
def test_publics_leave_a_shootout_hit_or_miss():
    state = scene(*HIT_J37[:2], "public x3@J37 x2@J32", phase="MOVE", dice="1/2/1/1/1")
    run(state, "move T", "go J37", "hit")
    play(chance(state, 1, 1, 1), "end")
    assert (public(state, "x3"), public(state, "x2")) == ("-", "J32")
    assert (piece(state, "Red.T"), joint(state, "J37")) == ("1@J37!", "Brown:1")


@pytest.mark.rule("G-12.16", "G-8.4")
def test_hits_on_a_joint_take_levels():
    state = scene("joint J37:Brown:3", *HIT_J37[:2], "public x1b@J24", phase="MOVE",
                  dice="1/2/1/1/1")  # fmt: skip
    run(state, "move T", "go J37", "hit")
    play(chance(state, 6, 1, 1), "end")
    assert joint(state, "J37") == "Brown:2"
    assert public(state, "x1b") == "J24"


@pytest.mark.rule("G-9.15", "G-12.2")
def test_a_cop_does_not_fire_at_his_controllers_criminals():
    state = scene("Red.T 2@BW6!", "cop 9@BW6*Red", phase="MOVE")
    run(state, "end")
    assert (piece(state, "Red.T"), cop(state, "9")) == ("2@BW6!", "BW6")
    loyal = scene("Red.T 2@BW6!", "cop 9@BW6", phase="MOVE")
    run(loyal)
    play(chance(loyal, 5, 5, 1, 1, 1, 1), "end")
    assert piece(loyal, "Red.T") == "-"
    assert cash(loyal, "Police") == 1000


@pytest.mark.rule("G-9.8", "G-12.2")
def test_without_police_the_active_gang_controls_the_cops():
    state = scene("Red.T 2@BW6!", "Green.T 1@BW6!", "cop 9@BW6", phase="MOVE", police=False)
    run(state)
    play(chance(state, 5, 1, 1, 1, 1), "end")
    assert piece(state, "Red.T") == "2@BW6!"
    assert piece(state, "Green.T") == "-"
    assert cash(state, "Red") == 1000  # nobody is paid (G-9.19)


@pytest.mark.rule("G-12.18", "G-2.10")
def test_the_vamp_is_worth_a_hundred_and_thugs_by_number():
    state = scene("Green.T 3@BW6!", "Green.V 1@BW6!", "cop 7@BW6", phase="MOVE")
    run(state)
    play(chance(state, 5, 5, 1, 1, 1, 1), "end")
    play(state, "lose T", "lose V")
    assert (piece(state, "Green.T"), piece(state, "Green.V")) == ("2@BW6!", "-")
    assert cash(state, "Police") == 700 + 300 + 100


@pytest.mark.rule("G-12.13")
def test_the_lowest_officer_takes_the_hit():
    state = scene("Green.T 1@BW6<BW5!", "cop 2@BW6*Red 3@BW6*Red 9@BW6*Red", "Red.T 2@BW6",
                  phase="MOVE", police=False)  # fmt: skip
    run(state)
    play(chance(state, 1, 1, 1, 1, 1, 1, 1, 6), "end")
    while phase(state) != "ALLOC":
        play(state, legal(state)[0])
    play(state, "lose cop")
    assert state.loss[U_COP : U_COP + 10].sum() == state.loss[U_COP + 1] == 1


@pytest.mark.rule("G-14.3", "G-12.18")
def test_a_share_of_an_arrest_by_an_officer_who_stood_there():
    state = scene("Green.T 2@BW6!", "cop 7@BW6", "Brown markers=7", "first_cop", phase="MOVE",
                  pawns="Green")  # fmt: skip
    run(state)
    play(chance(state, 5, 5, 1, 1, 1), "end")
    assert (phase(state), seat(state), state.asked) == ("SHARE", "Brown", 6)
    play(state, "yes")
    assert (cash(state, "Brown"), holder(state, "7"), cop(state, "7")) == (1200, "cup", "-")
    assert state.active == 1  # Green's turn has begun


@pytest.mark.rule("G-8.4", "G-12.16", "G-14.15")
def test_headquarters_fall_with_their_one_level():
    state = scene("joint G02:Police:1", "Red.T 2@NA4<NA3", "public x1b@J24", phase="MOVE",
                  dice="1/2/1/1/1")  # fmt: skip
    run(state, "move T", "go G02", "hit")
    play(chance(state, 5, 5, 1, 1), "end")
    assert (joint(state, "G02"), public(state, "x1b")) == ("-", "-")
    assert state.events[E_HQ_LOST] == 1


@pytest.mark.rule("G-12.2", "G-12.3", "G-12.5", "G-12.18", "G-14.2")
def test_officer_1_is_an_officer_like_the_others():
    """The first of the police units: he is doubled, fires at criminals only, and is paid for."""
    state = scene("Police markers=1", "cop 1@BW6", "Green.T 2@BW6", "Yellow.V 1@BW6!", phase="MOVE")
    run(state, "end")
    assert (phase(state), seat(state)) == ("DOUBLE", "Police")
    play(chance(state, 5), "yes")
    assert (piece(state, "Yellow.V"), piece(state, "Green.T")) == ("-", "2@BW6")
    assert (cash(state, "Police"), holder(state, "1"), cop(state, "1")) == (900, "cup", "-")
    assert state.events[E_ARRESTS] == state.events[E_DOUBLES] == 1
    assert state.events[E_PAYOFFS] == 200


@pytest.mark.rule("G-12.18")
def test_an_arrest_is_paid_once():
    state = scene("commissioner 1@BW6", "Green.T 2@BW6!", phase="MOVE", pawns="Yellow")
    run(state)
    play(chance(state, 5, 1, 1), "end")
    assert (piece(state, "Green.T"), cash(state, "Police")) == ("1@BW6!", 900)
    skip(state, "MOVE")
    assert state.active == 2
    play(chance(state, 1, 1), "end")  # he fires again and misses
    assert (piece(state, "Green.T"), cash(state, "Police")) == ("1@BW6!", 900)


@pytest.mark.rule("G-16.6", "G-12.17")
@pytest.mark.parametrize(("strength", "kept"), [(1, False), (2, True)])
def test_the_commissioner_loses_his_equipment_at_strength_0(strength, kept):
    state = scene(f"commissioner {strength}@BW6", "Green.T 2@BW6!", phase="MOVE", pawns="Green")
    state.c_heaters = state.c_wheels = 1
    run(state)
    play(chance(state, *[1] * strength, 5, 1), "end")
    assert commissioner(state) == f"{strength - 1}@-"
    assert (bool(state.c_heaters), bool(state.c_wheels)) == (kept, kept)


@pytest.mark.rule("G-12.7")
@pytest.mark.parametrize(
    ("answer", "thug", "left"),
    [("target Red", "-", "Brown:1"), ("target Brown", "1@J37!", "-")],
)
def test_who_is_attacked_by_two_sides_answers_the_one_it_chooses(answer, thug, left):
    state = scene("Brown.V 1@J05", "Red.T 1@LP3", "Green.T 1@J37", phase="MOVE", dice="1/2/1/1/1")
    run(state, "move T", "go J37", "hit", "end", "target Green")
    assert (phase(state), seat(state)) == ("TARGET", "Brown")
    play(chance(state, 1, 1, 1, 5), "target Green")
    assert (phase(state), seat(state)) == ("RETURN", "Green")
    assert legal(state) == ["target Brown", "target Red"]
    play(state, answer)
    assert (piece(state, "Red.T"), joint(state, "J37")) == (thug, left)


@pytest.mark.rule("G-11.3", "G-12.2")
def test_nobody_attacks_in_a_turn_without_a_declared_hit():
    state = scene("Green.T 2@G02", "Red.T 2@NA4<NA3", phase="MOVE", dice="1/2/1/1/1",
                  pawns="Green")  # fmt: skip
    run(state, "move T", "go G02", "hit")
    play(chance(state, 1, 1, 1, 1), "end")
    skip(state, "MOVE")
    assert state.active == 1
    play(chance(state, *[6] * 4), "end")
    assert (piece(state, "Red.T"), piece(state, "Green.T")) == ("2@G02!", "2@G02")


@pytest.mark.rule("G-12.7", "G-12.8")
@pytest.mark.parametrize(
    ("active", "fired_on"), [("Green", "Red"), ("Red", "Green"), ("Red", "Brown")]
)
@pytest.mark.parametrize(("kind", "face"), [("R", 6), ("T", 5)])
def test_whoever_is_fired_upon_returns_fire(active, fired_on, kind, face):
    state = scene(f"{active}.T 2@NA4<NA3", f"{fired_on}.{kind} 2@G02", active=active, phase="MOVE",
                  dice="1/2/1/1/1")  # fmt: skip
    run(state, "move T", "go G02", "hit")
    play(chance(state, 1, 1, face, 1), "end")
    assert (piece(state, f"{active}.T"), piece(state, f"{fired_on}.{kind}")) == ("1@G02!", "2@G02")


@pytest.mark.rule("G-11.7", "G-8.5")
def test_only_joints_with_publics_are_criminal_in_the_shootouts_of_a_turn():
    state = scene("Green.T 2@G02", "Yellow.T 2@G02", "Red.T 2@NA7<NA8", "public x2@J17 x3@G01",
                  phase="MOVE", dice="1/2/1/1/1")  # fmt: skip
    run(state, "move T", "go G02", "hit", "end")
    assert phase(state) == "TARGET"
    assert [joint(state, code) for code in ("J16", "J17", "J31")] == ["Red:1", "Red:1c", "Red:1"]
    assert state.lit.sum() == 1
