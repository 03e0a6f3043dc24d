"""A gang's turn: actions, recruits, Publics, crime, seduction, guards (G-7 to G-13)."""

from __future__ import annotations

import pytest

from .scenes import (
    GAME,
    cash,
    chance,
    commissioner,
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


def move(*changes, dice="1/1/1/1/1", **where):
    """The Movement of Red's turn."""
    return run(scene(*changes, phase="MOVE", dice=dice, **where))


@pytest.mark.rule("G-7.1", "G-7.2")
@pytest.mark.parametrize(
    ("strength", "actions"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 3)]
)
def test_number_of_actions(strength, actions):
    state = move(f"Red.R {strength}@RD3", "Red.T 2@G01", "Red.V 1@G02")
    for text in ("stay T", "stay V", "move R")[:actions]:
        assert text in legal(state)
        play(state, text, *(["go RD4"] if text == "move R" else []))
    assert not any(text.startswith(("move", "stay", "recruit")) for text in legal(state))


@pytest.mark.rule("G-7.1")
@pytest.mark.parametrize(("strength", "actions"), [(3, 1), (5, 2)])
def test_a_recruit_gives_no_action_before_it_is_paid(strength, actions):
    state = move("Red $9000", f"Red.R {strength}@RD3", "Red.T 2@G01", "Red.V 1@G02")
    for done, text in enumerate(("recruit R", "stay T", "stay V")):
        assert (text in legal(state)) is (done < actions)
        if done < actions:
            play(state, text)
    play(state, "end")
    assert piece(state, "Red.R") == f"{strength + 1}@RD3"


@pytest.mark.rule("G-7.1", "G-7.2", "G-4.2")
def test_the_next_turn_begins_with_all_actions():
    state = move("Red.T 2@G01", "Green.R 4@RD3", "Green.T 2@G02", "Green.V 1@G03", pawns="Green")
    play(state, "recruit R", "stay T", "end")
    skip(state, "MOVE")
    assert state.active == 1
    for text in ("stay T", "stay V"):
        assert {"stay T", "stay V", "recruit R"} & set(legal(state))
        play(state, text)
    assert not any(text.startswith(("move", "stay", "recruit")) for text in legal(state))


@pytest.mark.rule("G-11.3", "G-23.1")
def test_a_piece_that_moved_has_moved_for_this_turn():
    state = move("Red.T 2@NA4<NA3", pawns="Green", dice="1/2/1/1/1")
    play(state, "move T", "go G02", "end")
    assert state.moved[0].tolist() == [0, 1, 0]
    play(state, "end")
    assert not state.moved.any()


@pytest.mark.rule("G-7.2", "G-4.7", "G-10.1")
def test_the_menu_and_its_free_order():
    state = move("Red.T 2@G01", "public x2@LP2<LP1", public_actions=False)
    assert legal(state) == [
        "end", "move R", "move T", "move V", "recruit R", "recruit T", "stay T", "public x2",
        "public new",
    ]  # fmt: skip
    play(state, "stay T")
    assert {"stay T", "move T", "recruit T"}.isdisjoint(legal(state))
    play(state, "public x2", "recruit R")
    assert public(state, "x2") == "LP3"
    assert legal(state) == ["end", "public new"]
    play(chance(state, (3, 0)), "public new")
    assert public(state, "x1a") == "NA3"
    assert phase(state) != "MOVE"  # nothing is left but the end


@pytest.mark.rule("G-10.1", "G-2.16")
@pytest.mark.parametrize(("draw", "name"), [(0, "x1a"), (1, "x1b"), (2, "x2"), (3, "x3")])
def test_a_new_public_is_drawn_at_random_and_has_moved(draw, name):
    state = move(dice="1/1/1/4/1")
    play(chance(state, (4, draw)), "public new")
    assert phase(state) == "PUBLIC_DEST"
    play(state, "go J16")
    assert public(state, name) == "J16"
    assert not any(text.startswith("public") for text in legal(state))
    assert state.used == 0


@pytest.mark.rule("G-10.1", "G-7.2")
def test_moving_a_public_may_take_an_action():
    state = move("public x2@LP2<LP1", public_actions=True)
    play(state, "public x2")
    assert public(state, "x2") == "LP3"
    assert "move T" in legal(state)  # the second of two actions
    play(chance(state, (3, 0)), "public new")
    assert public(state, "x1a") == "NA3"
    assert phase(state) != "MOVE"


@pytest.mark.rule("G-10.1", "G-7.1")
def test_without_actions_no_public_moves_if_that_takes_one():
    moves = {}
    for costs in (False, True):
        state = move("Red.R 2@J08", "Red.T 2@G01", "public x2@LP2<LP1", public_actions=costs)
        play(state, "stay T")
        moves[costs] = phase(state) == "MOVE" and {"public x2", "public new"} <= set(legal(state))
    assert moves == {False: True, True: False}


@pytest.mark.rule("G-7.3", "G-11.1")
def test_a_piece_turns_normal_when_it_starts_to_move():
    state = move("Red.T 2@G02!", "Red.R 4@G03!")
    play(state, "move T")
    assert phase(state) == "DEST"
    assert not state.criminal[0, 1]
    play(state, "go NA6", "end")
    assert piece(state, "Red.T") == "2@NA6"
    assert piece(state, "Red.R") == "4@G03!"


@pytest.mark.rule("G-7.5", "G-7.4")
def test_recruits_already_announced_count():
    state = move("Red $800")
    play(state, "recruit R")
    assert "recruit T" in legal(state)
    state = move("Red $700")
    assert {"recruit R", "recruit T"} <= set(legal(state))
    play(state, "recruit R")
    assert "recruit T" not in legal(state)
    full = move("Red $9000", "Red.T 9@J16")
    assert "recruit T" not in legal(full)


@pytest.mark.rule("G-7.4", "G-7.7")
def test_a_new_vamp():
    assert not any("V" in text for text in legal(move("Red $200", "Red.V 0@-", dice="1/1/3/1/1")))
    state = move("Red $300", "Red.V 0@-", dice="1/1/3/1/1")
    play(state, "recruit V", "end")
    assert (phase(state), gos(state)) == ("RECRUIT_PLACE", {"J16", "J17", "J31"})
    play(state, "go J31")
    assert (piece(state, "Red.V"), cash(state, "Red")) == ("1@J31", 0)


@pytest.mark.rule("G-7.7", "G-7.6")
def test_without_joints_a_first_member_comes_by_subway():
    state = move("joint J16:- J17:- J31:-", "Red.T 0@-", dice="1/4/1/1/1")
    play(state, "recruit T", "end")
    assert (piece(state, "Red.T"), cash(state, "Red")) == ("1@RD3", 600)


@pytest.mark.rule("G-7.7")
def test_a_recruit_changes_neither_side_nor_place():
    state = move("Red.T 2@G02!")
    play(state, "recruit T", "end")
    assert piece(state, "Red.T") == "3@G02!"


@pytest.mark.rule("G-7.9", "G-20.6")
def test_no_racketeers_no_money_no_joints():
    state = scene("Red $100", "Red.R 0@-", "joint J16:- J17:- J31:-", "public x2@LP2<LP1",
                  "Red.T 2@G01", dice="4/1/1/1/1")  # fmt: skip
    run(state, "end")
    assert (piece(state, "Red.R"), cash(state, "Red")) == ("1@RD3", 0)
    assert public(state, "x2") == "LP2"
    assert state.active != 0


@pytest.mark.rule("G-8.1")
@pytest.mark.parametrize("active", ["Green", "Police"])
def test_guards_fire_in_every_player_turn(active):
    place = {"active": active, "phase": "MOVE"}
    if active == "Police":
        place = {"active": active, "phase": "INFORMANTS", "dice": "1/6/1"}
    state = scene("Red.T 2@J06", "Brown.T 2@G01", "Police $500", **place)
    run(state)
    chance(state, 4, 6, 1, 3, 1, 1)
    play(state, "end")
    assert piece(state, "Red.T") == "-"
    assert joint(state, "J06") == "Brown:1"


@pytest.mark.rule("G-8.2")
def test_guards_leave_vamps_and_police_alone():
    state = move("Red.V 1@J05", "commissioner 4@J06", "Brown.R 4@J37", "Brown.T 2@J37",
                 "public x2@J05 x3@J06")  # fmt: skip
    play(state, "end")
    assert piece(state, "Red.V") == "1@J05"
    assert commissioner(state)[0] == "4"
    assert public(state, "x2") == "J05"  # no shots: the Publics stay
    assert public(state, "x3") == "J06"


@pytest.mark.rule("G-8.3", "G-2.11", "G-12.14")
def test_headquarters_guards_are_two_dice():
    state = move("joint G02:Police:1", "Green.T 2@G02")
    play(chance(state, 4, 4, 6, 6), "end")
    assert piece(state, "Green.T") == "-"
    assert joint(state, "G02") == "Police:1"  # its attackers have all fallen


@pytest.mark.rule("G-8.6", "G-5.2")
def test_a_raided_joint_can_be_bought_again_and_headquarters_stay_normal():
    state = run(scene("joint J05:-", active="Brown", phase="BUY", dice="-"))
    assert "buy" in legal(state)
    play(state, "buy")
    assert (joint(state, "J05"), cash(state, "Brown")) == ("Brown:1", 500)
    state = scene("joint J12:Police:1", "public x1a@J12i", active="Police", phase="INFORMANTS",
                  dice="1/1/1")  # fmt: skip
    assert "flip x1a" not in legal(run(state))


@pytest.mark.rule("G-11.2")
def test_extortion_pays_the_pieces_own_die():
    state = move("Red.T 2@NA4<NA3", dice="1/2/1/1/1")
    play(state, "move T", "go G02", "extort", "end")
    assert (cash(state, "Red"), piece(state, "Red.T")) == (1200, "2@G02!")
    owned = move("Red.T 2@G02", "joint G02:Police:1")
    assert "stay T" not in legal(owned)
    coloured = move("Red.T 2@J12")
    assert "stay T" in legal(coloured)


@pytest.mark.rule("G-11.3", "G-11.4")
def test_a_hit_needs_a_move():
    state = move("Red.T 2@G02", "Green.T 2@G02")
    assert "hit" not in legal(state)
    arrived = move("Red.T 2@NA4<NA3", "Green.T 2@G02", dice="1/2/1/1/1")
    play(arrived, "move T", "go G02")
    assert legal(arrived) == ["end", "hit", "extort"]
    play(arrived, "hit")
    assert piece(arrived, "Red.T") == "2@G02!"


@pytest.mark.rule("G-11.4", "G-12.3", "G-13.1", "G-13.5")
@pytest.mark.parametrize(
    ("mover", "there", "crimes"),
    [
        ("V", "Green.R 4@G02 Green.T 2@G02 Green.V 1@G02",
         ["end", "extort", "seduce Green R", "seduce Green T"]),
        ("V", "Green.V 1@G02", ["end", "extort"]),
        ("T", "Green.V 1@G02", ["end", "extort"]),
        ("R", "Green.V 1@G02", ["end", "hit"]),
        ("T", "Green.T 2@G02", ["end", "hit", "extort"]),
    ],
)  # fmt: skip
def test_crimes_on_offer(mover, there, crimes):
    die = {"V": "1/1/2/1/1", "T": "1/2/1/1/1", "R": "2/1/1/1/1"}[mover]
    words = there.split()
    rivals = [f"{words[k]} {words[k + 1]}" for k in range(0, len(words), 2)]
    state = move(f"Red.{mover} 1@NA4<NA3", *rivals, dice=die)
    play(state, f"move {mover}", "go G02")
    assert (phase(state), legal(state)) == ("CRIME", crimes)


@pytest.mark.rule("G-11.4", "G-13.5", "G-12.3")
def test_police_and_publics_are_no_victims_of_crimes_on_the_street():
    changes = ("commissioner 4@NA6", "cop 4@NA6", "public x2@NA6", "Green.V 1@NA6")
    state = move("Red.V 1@NA4<NA3", *changes, dice="1/1/2/1/1")
    play(state, "move V", "go NA6")
    assert phase(state) == "MOVE"
    thug = move("Red.T 2@NA4<NA3", *changes, dice="1/2/1/1/1")
    play(thug, "move T", "go NA6")
    assert phase(thug) == "MOVE"


@pytest.mark.rule("G-11.5")
def test_a_hit_without_a_target_left_does_nothing():
    state = move("Red.R 4@NA4<NA3", "Red.V 1@NA8<xB", "Green.T 1@G02", "public x2@G01",
                 dice="2/1/3/1/1")  # fmt: skip
    play(state, "move R", "go G02", "hit", "move V", "go G02", "seduce Green T", "end")
    assert (piece(state, "Red.R"), piece(state, "Red.T")) == ("4@G02!", "3@J16")
    assert piece(state, "Green.T") == "-"


@pytest.mark.rule("G-11.9", "G-11.6")
def test_all_payoffs_of_a_turn():
    state = move("first_cop", "Red.T 2@G02", "Red.V 1@G03", "public x2@J17", dice="1/3/2/1/1")
    play(state, "stay T", "stay V", "end")
    assert cash(state, "Red") == 1000 + 300 + 200 + 300 * 2
    assert cash(state, "Police") == 700 + 300  # two criminals: level 1


@pytest.mark.rule("G-11.6", "G-11.7")
def test_organised_crime_is_price_times_level_times_value():
    state = move("joint J05:Red:3", "public x3@J05 x1b@J05", "Brown.R 4@J37")
    play(state, "end")
    assert cash(state, "Red") == 1000 + 500 * 3 * 4
    assert joint(state, "J05") == "Red:3c"


@pytest.mark.rule("G-10.4", "G-15.1")
def test_publics_leave_criminals_only_at_the_end_of_the_turn():
    state = move("public x2@J16", "Green.V 1@J16!", "public x3@J31")
    assert public(state, "x2") == "J16"
    play(state, "end")
    assert public(state, "x2") == "-"
    assert public(state, "x3") == "J31"
    assert cash(state, "Red") == 1000 + 300 * 2 + 100 * 3
    assert joint(state, "J16") == "Red:1"  # no Public stands in it any more
    assert joint(state, "J31") == "Red:1c"


@pytest.mark.rule("G-13.1", "G-13.3")
def test_a_seduction_is_at_once_and_free():
    state = move("Brown.T 2@J06", "Red.V 1@LP2<LP1", "Red.T 9@J16", dice="1/1/2/1/1")
    assert not any(text.startswith("seduce") for text in legal(state))
    play(state, "move V", "go J06", "seduce Brown T")
    assert piece(state, "Brown.T") == "1@J06"
    assert piece(state, "Red.T") == "9@J16"  # nothing is gained at nine
    assert (cash(state, "Red"), piece(state, "Red.V")) == (1000, "1@J06!")


@pytest.mark.rule("G-13.2", "G-19.7")
@pytest.mark.parametrize(("face", "strength"), [(3, 4), (4, 5), (6, 5)])
def test_a_seduction_may_need_a_die(face, strength):
    state = move("Brown.R 4@J06", "Red.V 1@LP2<LP1", dice="1/1/2/1/1", vamp_success_min=4)
    play(state, "move V", "go J06")
    play(chance(state, face), "seduce Brown R")
    assert piece(state, "Red.R") == f"{strength}@J17"
    assert piece(state, "Brown.R") == f"{8 - strength}@J06"
    assert piece(state, "Red.V") == "1@J06!"


@pytest.mark.rule("G-13.2")
def test_by_default_a_seduction_is_certain():
    for value in range(1, 7):
        state = move("Brown.R 4@J06", "Red.V 1@LP2<LP1", dice="1/1/2/1/1")
        play(state, "move V", "go J06")
        play(chance(state, value), "seduce Brown R")
        assert piece(state, "Red.R") == "5@J17"


@pytest.mark.rule("G-20.8", "G-7.6")
def test_a_recruit_of_a_full_piece_lapses():
    state = move("Red $9000", "Red.R 8@J17", "Brown.R 4@J06", "Red.V 1@LP2<LP1", dice="1/1/2/1/1")
    play(state, "recruit R", "move V", "go J06", "seduce Brown R", "end")
    assert (piece(state, "Red.R"), cash(state, "Red")) == ("9@J17", 9000)


@pytest.mark.rule("G-4.3", "G-4.2", "G-1.3")
def test_the_parts_of_a_turn_in_order():
    state = scene("Red.R 4@J12", "Green.T 2@G02", "Red.T 2@NA4<NA3", phase="BUY", dice="-",
                  pawns="Green")  # fmt: skip
    run(state)
    assert phase(state) == "BUY"
    play(chance(state, 1, 2, 1, 6, 5), "buy")
    assert (phase(state), state.dice.tolist()) == ("COP_GANG", [1, 2, 1, 6, 5])
    play(state, "end")
    assert phase(state) == "COP_POLICE"
    play(state, "end", "move T", "go G02", "hit", "recruit R")
    chance(state, 5, 1, 1, 1)
    play(state, "end")
    assert piece(state, "Red.R") == "5@J12"
    assert piece(state, "Green.T") == "1@G02"
    assert state.active == 1
    assert state.pawns.tolist() == [0, 0, 0, 0]
    skip(state, "POLICE_MOVE")
    assert state.active == 4
    assert GAME.num_seats(state) == 5
