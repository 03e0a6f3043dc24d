"""Cops, bribes, Informants, the Cop Turn (G-9, G-10, G-14; G-X36)."""

from __future__ import annotations

import pytest

from gangland.envs.gangsters.data import OFFICER_IDS

from .scenes import (
    GAME,
    HQ,
    cash,
    chance,
    cop,
    cop_turn,
    finish,
    gos,
    holder,
    joint,
    legal,
    phase,
    piece,
    play,
    public,
    put,
    run,
    scene,
    seat,
)


@pytest.mark.rule("G-9.3", "G-9.5")
def test_cop_step_without_police():
    state = run(scene("Red markers=4", "cop 4@BW5<BW4", police=False, phase="COP_ACTIVE",
                      dice="1/1/1/1/3"))  # fmt: skip
    assert legal(state) == ["end", "bribe", "cop 4"]
    play(chance(state, (9, 0)), "bribe")
    assert cash(state, "Red") == 700
    assert [int(x) for x in state.cash[1:]] == [1000, 1000, 1000, 0]
    assert holder(state, "1") == "Red"


@pytest.mark.rule("G-9.12", "G-9.3")
@pytest.mark.parametrize(("side", "asked"), [("Green", True), ("Red", False)])
def test_markers_stop_cops_without_police_too(side, asked):
    state = scene(f"{side} markers=4", "cop 4@BW6<BW5", police=False, phase="COP_ACTIVE",
                  dice="1/1/1/1/2")  # fmt: skip
    run(state, "cop 4", "go BW8")
    assert (phase(state) == "STOP") is asked
    if asked:
        assert seat(state) == "Green"
        play(state, "yes")
    assert cop(state, "4") == ("BW6" if asked else "BW8")
    assert holder(state, "4") == ("cup" if asked else "Red")


@pytest.mark.rule("G-9.7", "G-9.9", "G-9.1")
def test_a_played_marker_names_the_officer():
    state = run(scene("Red markers=2,9", phase="COP_GANG", dice="1/1/1/1/1"))
    assert legal(state) == ["end", "bribe", "play 2", "play 9"]
    play(state, "play 2")
    assert (cop(state, "2"), holder(state, "2"), holder(state, "9")) == ("NA3", "cup", "Red")
    assert cop(state, "9") == "-"


@pytest.mark.rule("G-9.9", "G-2.14")
def test_a_new_officer_is_drawn_at_random():
    for pick, name in enumerate(OFFICER_IDS):
        state = run(scene(dice="1/1/1/1/1"))
        play(chance(state, (10, pick)), "cop new")
        assert cop(state, name) == "NA3"


@pytest.mark.rule("G-9.6", "G-20.5")
def test_buying_needs_an_officer_marker_in_the_cup():
    state = scene("Red markers=1,2,3,4,5,6,7,8", phase="COP_GANG", dice="1/1/1/1/3")
    assert "bribe" in legal(run(state))
    state = scene("Red markers=1,2,3,4,5,6,7,8", "Green markers=9", phase="COP_GANG",
                  dice="1/1/1/1/3")  # fmt: skip
    assert "bribe" not in legal(run(state))


@pytest.mark.rule("G-9.2", "G-9.5")
def test_police_bribes_go_to_the_bank():
    state = run(scene(dice="1/1/1/1/3"))
    play(chance(state, (10, 4)), "bribe")
    assert (cash(state, "Police"), cash(state, "Red"), holder(state, "5")) == (400, 1000, "Police")


@pytest.mark.rule("G-9.12")
def test_a_stopped_newcomer_returns_to_the_cup():
    state = run(scene("Green markers=3", dice="1/1/1/1/1"))
    play(chance(state, (10, 2)), "cop new")
    assert (phase(state), seat(state)) == ("STOP", "Green")
    play(state, "yes")
    assert (cop(state, "3"), holder(state, "3"), phase(state)) == ("-", "cup", "MOVE")


@pytest.mark.rule("G-14.6")
def test_police_markers_stop_nobody():
    state = scene("Red markers=6", "Police markers=8", "cop 6@NA2<NA1", phase="COP_GANG",
                  dice="1/1/1/1/3")  # fmt: skip
    run(state, "play 6", "via")
    play(chance(state, (9, 6)), "go LP3", "go LP4")
    assert phase(state) == "MOVE"
    assert (cop(state, "8"), holder(state, "8")) == ("LP4", "Police")


@pytest.mark.rule("G-9.16")
def test_a_cop_on_a_street_stays():
    state = scene("Red.V 1@NA6<NA5!", "cop 4@NA4<NA3", dice="1/1/2/1/2")
    run(state, "cop 4", "move V", "go NA8", "end")
    assert (cop(state, "4"), piece(state, "Red.V")) == ("NA6", "1@NA8")


@pytest.mark.rule("G-20.4", "G-9.13")
def test_an_empty_cop_cup():
    places = "1@NA5 2@NA6 3@NA7 4@LP2 5@CL1 6@CL2 7@CL3 8@BW9 9@BW10 U@BW11"
    state = run(scene(f"cop {places}", "Red.T 2@G01!", "Green.T 2@G02!", dice="1/1/1/1/3"))
    assert "cop new" not in legal(state)
    play(state, "cop 4")
    assert "via" not in legal(state)
    with_one = scene(f"cop {places}", dice="1/1/1/1/3")
    with_one.cop_at[0] = -1
    run(with_one, "cop 4")
    assert "via" in legal(with_one)


@pytest.mark.rule("G-14.1", "G-9.19", "G-9.17")
@pytest.mark.parametrize("police", [True, False])
def test_a_raid_is_paid_by_the_bank_and_only_to_the_police(police):
    state = scene("joint J17:Red:2c", "public x3@J17i", "cop 4@LP1<xF", active="Green",
                  dice="1/1/1/1/3", police=police,
                  phase="COP_POLICE" if police else "COP_ACTIVE")  # fmt: skip
    before = int(state.cash.sum())
    run(state, "cop 4", "go J17")
    assert int(state.cash.sum()) - before == (600 if police else 0)
    assert (joint(state, "J17"), public(state, "x3"), cop(state, "4")) == ("Red:1", "-", "-")
    assert piece(state, "Red.R") == "4@J17"
    assert not state.informant.any()


@pytest.mark.rule("G-10.8", "G-10.4")
def test_an_informant_is_a_public_in_every_other_respect():
    state = scene("public x2@LP2<LP1i", phase="MOVE", dice="1/1/1/2/1")
    run(state, "public x2", "go J17", "end")
    assert cash(state, "Red") == 1000 + 300 * 2
    assert public(state, "x2") == "J17"
    assert state.informant[2]
    gone = scene("public x2@J16i", "Red.T 2@J16!", phase="MOVE")
    run(gone, "end")
    assert public(gone, "x2") == "-"
    assert not gone.informant.any()


@pytest.mark.rule("G-10.6", "G-10.2")
def test_hiring_is_instead_of_moving_publics():
    state = cop_turn("public x2@LP2<LP1", step="POLICE_PUBLIC", dice="1/2/1")
    assert legal(state) == ["end", "public x2", "hire"]
    moved = play(GAME.clone(state), "public x2", "go LP4")
    assert moved.active != 4 or "hire" not in legal(moved)
    play(chance(state, (3, 1)), "hire")
    assert state.active != 4  # one is hired, and nothing else is left to do
    assert cash(state, "Police") == 700 - 200 + 400
    assert state.chit_slot.tolist() == [-1, 0, -1]
    broke = cop_turn("Police $100", "public x2@LP2<LP1", step="POLICE_PUBLIC", dice="1/2/1")
    assert "hire" not in legal(broke)
    all_out = cop_turn("Police chits=x1,x2,x3", "public x2@LP2<LP1", step="POLICE_PUBLIC",
                       dice="1/2/1")  # fmt: skip
    assert "hire" not in legal(all_out)


@pytest.mark.rule("G-10.6", "G-2.16")
@pytest.mark.parametrize(
    ("held", "pick", "slots", "full"),
    [("-", (3, 2), [-1, -1, 0], [1, 0, 0]), ("x1", (2, 1), [0, -1, 1], [1, 1, 0]),
     ("x1,x2", (2, 0), [0, 1, 2], [1, 1, 1])],
)  # fmt: skip
def test_chits_are_drawn_one_after_another(held, pick, slots, full):
    state = cop_turn(f"Police chits={held}", "public x2@LP2<LP1", step="POLICE_PUBLIC",
                     dice="1/2/1")  # fmt: skip
    play(chance(state, pick), "hire")
    assert (state.chit_slot.tolist(), state.chit_full.tolist()) == (slots, full)


@pytest.mark.rule("G-10.11", "G-10.8")
def test_an_informant_who_flips_a_piece_is_an_ordinary_public_again():
    state = cop_turn("public x3@J05i")
    play(state, "flip Brown R")
    assert (public(state, "x3"), state.informant.tolist()) == ("-", [0, 0, 0, 0])
    assert state.public_moved.tolist() == [0, 0, 0, 0]


@pytest.mark.rule("G-9.6", "G-17.1")
@pytest.mark.parametrize("pick", range(10))
def test_every_marker_may_be_drawn(pick):
    state = run(scene("Green markers=2", phase="COP_GANG", dice="1/1/1/1/3"))
    cup = ["1", "3", "4", "5", "6", "7", "8", "9", "UNT"]
    play(chance(state, (9, min(pick, 8))), "bribe")
    held = [name for name in OFFICER_IDS[:9] if holder(state, name) == "Red"]
    assert held == [name for name in cup[min(pick, 8) :][:1] if name != "UNT"]
    assert (cash(state, "Red"), cash(state, "Police"), phase(state)) == (700, 1000, "MOVE")


@pytest.mark.rule("G-9.19", "G-14.3", "G-14.2")
def test_without_police_nobody_shares_or_doubles():
    state = scene("joint J17:Red:2c", "public x3@J17", "cop 4@LP1<xF", "Brown markers=4",
                  active="Green", dice="1/1/1/1/3", police=False, phase="COP_ACTIVE")  # fmt: skip
    run(state, "cop 4", "go J17")
    assert phase(state) == "STOP"
    play(state, "end")
    assert (joint(state, "J17"), phase(state)) == ("Red:1", "MOVE")
    assert [int(x) for x in state.cash] == [1000, 1000, 1000, 1000, 0]


@pytest.mark.rule("G-14.2", "G-2.15")
@pytest.mark.parametrize(("officer", "asked"), [("1", True), ("9", True), ("U", False)])
def test_every_officer_with_a_marker_can_be_doubled(officer, asked):
    state = scene("joint J17:Red:2c", "public x3@J17", f"cop {officer}@LP1<xF",
                  "Police markers=1,9", dice="1/1/1/1/3")  # fmt: skip
    run(state, f"cop {officer}", "go J17")
    assert (phase(state) == "DOUBLE") is asked
    if asked:
        play(state, "yes")
        assert holder(state, officer) == "cup"
    assert cash(state, "Police") == 700 + 600 * (1 + asked)


@pytest.mark.rule("G-14.9", "G-14.10")
def test_a_recruit_uses_up_a_move():
    state = cop_turn("commissioner 2@NA4", "Police $900", "cop 9@BW9<BW8", "public x2@LP2<LP1",
                     dice="1/1/1")  # fmt: skip
    assert phase(state) == "POLICE_MOVE"
    play(state, "recruit C")
    assert phase(state) == "POLICE_PUBLIC"


@pytest.mark.rule("G-14.9")
def test_the_commissioner_moves_once():
    state = cop_turn("commissioner 6@NA4", "cop 9@BW9<BW8", dice="1/6/1", step="POLICE_MOVE")
    play(state, "commissioner", "go " + min(gos(play(GAME.clone(state), "commissioner"))))
    assert phase(state) in ("APPROACH", "POLICE_MOVE")
    assert {"commissioner", "recruit C"}.isdisjoint(legal(state))


@pytest.mark.rule("G-9.19", "G-9.17")
def test_an_officer_in_the_cup_is_nobodys():
    state = scene("joint J17:Red:2c", "public x3@J17", "cop 4@LP1<xF", "Green markers=4",
                  active="Green", phase="COP_GANG", dice="1/1/1/1/3")  # fmt: skip
    run(state, "play 4", "go J17")
    assert (state.cop_at[3], state.cop_came[3]) == (-1, -1)
    assert (state.cop_mover[3], state.cop_share[3]) == (-1, -1)


@pytest.mark.rule("G-10.2")
def test_the_police_move_any_publics_but_bring_none():
    state = cop_turn("public x2@LP2<LP1 x3@NA5<NA4", "Police $0", step="POLICE_PUBLIC",
                     dice="1/2/1")  # fmt: skip
    assert legal(state) == ["end", "public x2", "public x3"]
    play(state, "public x3")
    assert public(state, "x3") == "NA7"
    assert legal(state) == ["end", "public x2"]


@pytest.mark.rule("G-10.7")
def test_a_chit_needs_its_public_on_the_board():
    state = cop_turn("Police chits=x1,x3", "public x1b@LP2<LP1 x2@NA5<NA4")
    assert legal(state) == ["end", "chit x1"]
    play(state, "chit x1")
    assert state.informant.tolist() == [0, 1, 0, 0]
    assert state.chit_slot.tolist()[0] == -1
    assert legal(state) == ["end", "public x1b"]


@pytest.mark.rule("G-10.9", "G-14.10")
def test_after_an_early_move_step_e_is_skipped():
    state = cop_turn("public x2@LP2<LP1i x3@NA5<NA4", "cop 5@BW9<BW8", dice="1/2/1")
    play(state, "public x2", "go LP4")
    assert phase(state) == "POLICE_MOVE"
    play(state, "end")
    assert phase(state) != "POLICE_PUBLIC"
    assert state.active != 4


@pytest.mark.rule("G-10.12", "G-10.11", "G-10.10")
def test_flips():
    state = cop_turn("public x2@J05i x3@J05i")
    assert [t for t in legal(state) if t.startswith("flip")] == ["flip x2", "flip Brown R"]
    play(state, "flip Brown R")
    assert (public(state, "x2"), public(state, "x3")) == ("-", "J05")
    assert piece(state, "Brown.R") == "4@J05!"
    play(state, "flip x3")
    assert (joint(state, "J05"), public(state, "x3")) == ("Brown:1c", "J05")
    assert "flip x3" not in legal(state)
    play(state, "end")
    if phase(state) == "POLICE_MOVE":
        play(state, "end")
    assert phase(state) == "POLICE_PUBLIC" or state.active != 4  # no early move: step e is there


@pytest.mark.rule("G-10.11")
@pytest.mark.parametrize("letter", ["R", "T", "V"])
def test_an_informant_flips_any_one_normal_piece_at_his_node(letter):
    others = {"R": "4@J05", "T": "2@J06", "V": "1@J37"}
    there = [f"{gang}.{k} {n.split('@')[0]}@G02" for gang in ("Brown", "Green")
             for k, n in others.items()]  # fmt: skip
    state = cop_turn("public x3@J17i x2@G02i", *there, "Yellow.T 2@G02!")
    flips = {text for text in legal(state) if text.startswith("flip") and " " in text[5:]}
    assert flips == {f"flip {gang} {k}" for gang in ("Brown", "Green", "Red")
                     for k in "RTV" if gang != "Red" or k == "R"}  # fmt: skip
    play(state, f"flip Green {letter}")
    assert state.criminal.sum() == 2
    assert piece(state, f"Green.{letter}").endswith("@G02!")
    assert (public(state, "x2"), public(state, "x3")) == ("-", "J17")
    assert not any(text.startswith("flip Green") for text in legal(state))


@pytest.mark.rule("G-X36", "G-14.11", "G-14.4", "G-10.4")
def test_cop_turn_payoffs():
    state = finish(cop_turn("public x1a@J17 x3@J05", "Brown.T 2@J05!", step="POLICE_BUY"))
    assert cash(state, "Brown") == 1000
    assert public(state, "x3") == "-"
    assert (cash(state, "Red"), joint(state, "J17")) == (1300, "Red:1c")
    assert cash(state, "Police") == 1000


@pytest.mark.rule("G-14.8", "G-2.12", "G-4.4")
def test_a_cop_turn_rolls_green_white_and_blue():
    state = scene("commissioner 4@G03", active="Brown", phase="MOVE")
    run(state, "end")
    assert (phase(state), state.first_cop) == ("POLICE_BUY", 1)
    play(chance(state, 6, 2, 5), "end")
    assert state.dice.tolist() == [6, 0, 0, 2, 5]
    order = [phase(state)]
    while state.active == 4 and not state.over:
        play(state, "end")
        order.append(phase(state))
    assert order[0] == "POLICE_MOVE"


@pytest.mark.rule("G-14.9", "G-9.20")
@pytest.mark.parametrize(
    ("strength", "moves"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (9, 4)]
)
def test_number_of_police_moves(strength, moves):
    changes = ("cop 1@NA5<NA4 2@CL2<CL1 3@BW9<BW8 4@SD6<SD5 5@RD8<RD7",)
    state = cop_turn(f"commissioner {strength}@NA3", "Police $0", *changes, dice="1/6/1")
    done = 0
    while phase(state) == "POLICE_MOVE":
        officer = next(text for text in legal(state) if text.startswith("cop "))
        play(state, officer)
        while phase(state) in ("COP_DEST", "APPROACH"):
            play(state, next(t for t in legal(state) if t.startswith("go")))
        assert officer not in legal(state)
        done += 1
    assert done == moves


@pytest.mark.rule("G-9.20", "G-14.9")
def test_a_newcomer_does_not_move_again():
    state = cop_turn("commissioner 6@NA4", "Police $0", "cop 9@BW9<BW8", "Red.T 2@G01!",
                     dice="1/6/1")  # fmt: skip
    assert {"cop 9", "cop new", "commissioner"} <= set(legal(state))
    play(chance(state, (9, 3)), "cop new")
    assert cop(state, "4") == "NA3"
    assert {"cop 4", "cop new"}.isdisjoint(legal(state))  # level 1, two officers


def drawn_officers(state, step="cop new"):
    """Which officer each draw of the cup gives: ``cop new``, or the replacement of a swap."""
    names = []
    for pick in range(9):
        drawn = play(chance(GAME.clone(state), (9, pick)), step)
        names.append(OFFICER_IDS[drawn.piece])
    return names


RAIDED = ("commissioner 6@NA4", "Police $0", "cop 4@LP1<xF", "joint J17:Red:1c", "public x3@J17",
          "Red.T 2@G01!")  # fmt: skip


@pytest.mark.rule("G-9.20", "G-9.9", "G-17.1")
def test_an_officer_who_has_moved_is_put_back_when_drawn_in_the_same_cop_turn():
    state = cop_turn(*RAIDED, step="POLICE_MOVE", dice="1/6/3")
    play(state, "cop 4", "go J17")
    assert (cop(state, "4"), phase(state)) == ("-", "POLICE_MOVE")
    assert drawn_officers(state) == ["1", "2", "3", "5", "6", "7", "8", "9", "U"]
    assert OFFICER_IDS[play(chance(GAME.clone(state), (10, 3)), "cop new").piece] != "4"
    play(state, "end")
    while state.active == 4:
        play(state, "end")
    while phase(state) != "COP_POLICE":
        play(state, "end")
    play(chance(state, (10, 3)), "cop new")
    assert OFFICER_IDS[state.piece] == "4"  # another turn


@pytest.mark.rule("G-9.20", "G-9.13")
def test_an_officer_who_has_moved_relieves_nobody_in_the_same_cop_turn():
    state = cop_turn(*RAIDED, "cop 9@NA2<NA1", step="POLICE_MOVE", dice="1/6/3")
    play(state, "cop 4", "go J17", "cop 9", "via")
    for pick in range(8):
        relieved = play(chance(GAME.clone(state), (8, pick)), "go LP3")
        assert OFFICER_IDS[relieved.piece] == ["1", "2", "3", "5", "6", "7", "8", "U"][pick]
    # Two changes of duty in one move: the first officer is in the cup again, and stays there.
    two = cop_turn("cop 9@BW4<xM", *HQ, step="POLICE_MOVE", dice="1/6/5")
    play(two, "cop 9", "via")
    play(chance(two, (9, 0)), "go J10", "via")
    for pick in range(8):
        last = play(chance(GAME.clone(two), (8, pick)), "go NA3")
        assert OFFICER_IDS[last.piece] == ["2", "3", "4", "5", "6", "7", "8", "U"][pick]


@pytest.mark.rule("G-9.13", "G-17.1")
def test_on_a_gang_turn_a_relieved_officer_may_be_drawn_again():
    state = run(scene("cop 9@BW4<xM", *HQ, dice="1/1/1/6/5"))
    play(state, "cop 9", "via")
    play(chance(state, (9, 0)), "go J10", "via")
    assert drawn_officers(state, "go NA3") == ["2", "3", "4", "5", "6", "7", "8", "9", "U"]


@pytest.mark.rule("G-9.20", "G-20.4", "G-9.4")
@pytest.mark.parametrize("moved", ["U", "8"])
def test_nobody_comes_when_all_of_the_cup_have_moved(moved):
    streets = "1@NA5 2@NA6 3@NA7 4@NA2<NA1 5@CL1 6@CL2"
    state = scene("commissioner 6@NA4", "Police $0", f"cop {streets}", "public x2@J16", "first_cop",
                  active="Police", phase="POLICE_MOVE", dice="1/6/3")  # fmt: skip
    state.criminal[:] = 1
    for officer in ("7", "8", "9", moved):
        state.cop_done[OFFICER_IDS.index(officer)] = 1
    run(state)
    offered = moved != "U"  # U is left in the cup
    assert ("cop new" in legal(state)) is offered
    walking = play(GAME.clone(state), "cop 4")
    assert ("via" in legal(walking)) is offered
    if offered:
        play(state, "cop new")
        assert (phase(state), OFFICER_IDS[state.piece]) == ("COP_DEST", "U")
        assert "via" not in legal(state)  # nobody is left to relieve him


@pytest.mark.rule("G-9.12", "G-9.20")
def test_a_stopped_officer_who_is_drawn_again_is_asked_about_again():
    state = cop_turn("commissioner 6@NA4", "Police $0", "Green markers=3", "cop 9@BW9<BW8",
                     "Red.T 2@G01!", dice="1/6/1", step="POLICE_MOVE")  # fmt: skip
    play(chance(state, (9, 2)), "cop new")
    assert (phase(state), seat(state), OFFICER_IDS[state.asked]) == ("STOP", "Green", "3")
    play(state, "yes")
    assert (cop(state, "3"), holder(state, "3"), phase(state)) == ("-", "cup", "POLICE_MOVE")
    put(state, "Yellow", "markers=3")  # a marker that somebody holds by now
    play(chance(state, (9, 2)), "cop new")
    assert (phase(state), seat(state), OFFICER_IDS[state.asked]) == ("STOP", "Yellow", "3")
    play(state, "end")
    assert cop(state, "3") == "NA3"


@pytest.mark.rule("G-9.12", "G-9.20")
def test_a_stopped_officer_on_the_board_has_used_his_move():
    state = cop_turn("commissioner 6@NA4", "Green markers=9", "cop 9@BW9<BW8", dice="1/6/1",
                     step="POLICE_MOVE")  # fmt: skip
    play(state, "cop 9", "yes")
    assert (cop(state, "9"), phase(state)) == ("BW9", "POLICE_MOVE")
    assert "cop 9" not in legal(state)


@pytest.mark.rule("G-14.9", "G-14.10", "G-20.8")
def test_a_recruit_for_the_commissioner():
    state = cop_turn("Police $500", "cop 9@BW9<BW8", dice="1/1/1", step="POLICE_MOVE")
    assert "recruit C" in legal(state)
    play(state, "recruit C")
    assert {"recruit C", "commissioner"}.isdisjoint(legal(state))
    lapsed = GAME.clone(state)
    finish(state)
    assert (state.c_strength, cash(state, "Police")) == (5, 0 + 400)
    play(lapsed, "end", "hire")
    assert (lapsed.c_strength, cash(lapsed, "Police")) == (4, 400 + 400)
    poor = cop_turn("Police $400", dice="1/1/1", step="POLICE_MOVE")
    assert "recruit C" not in legal(poor)


@pytest.mark.rule("G-14.5", "G-14.3")
def test_a_share_is_never_more_than_was_received():
    # $100: half is $100, so nothing is left and Green, who holds the marker, is not asked.
    state = scene("Red markers=6", "Green markers=8", "cop 6@NA2<NA1", "joint J37:Brown:1c",
                  "public x1a@J37", phase="COP_GANG", dice="1/1/1/1/4")  # fmt: skip
    run(state, "play 6", "via")
    play(chance(state, (9, 6)), "go LP3", "go J37")
    assert (phase(state), seat(state)) == ("STOP", "Green")
    play(state, "end")
    assert (cash(state, "Police"), cash(state, "Red")) == (700, 1100)
    assert (phase(state), holder(state, "8")) == ("MOVE", "Green")


@pytest.mark.rule("G-14.5")
def test_the_victim_may_share_and_the_commissioners_payoff_is_never_shared():
    state = scene("Red markers=4", "cop 4@LP1<xF", "joint J17:Red:1c", "public x3@J17",
                  active="Green", dice="1/1/1/1/3")  # fmt: skip
    run(state, "cop 4", "go J17", "end", "yes")
    assert (cash(state, "Red"), cash(state, "Police")) == (1200, 800)


@pytest.mark.rule("G-19.6", "G-14.4")
@pytest.mark.parametrize(("every", "salary"), [(True, 400), (False, 0)])
def test_salary_on_gang_turns_is_an_option(every, salary):
    state = scene("first_cop", phase="MOVE", pawns="Green", salary_every_move=every)
    run(state, "end")
    assert cash(state, "Police") == 700 + salary
    police = finish(cop_turn("Police $0", salary_every_move=every, dice="1/6/1"))
    assert cash(police, "Police") == 400


@pytest.mark.rule("G-9.12", "G-9.13", "G-9.14")
def test_two_changes_of_duty_and_one_question_an_officer():
    state = run(scene("Green markers=4", "cop 4@LP1<xF", "joint J12:Police:1", dice="1/1/1/1/6"))
    play(state, "cop 4", "via", "go RD3")
    assert (phase(state), seat(state)) == ("STOP", "Green")
    play(chance(state, (9, 5)), "end")  # officer 7 takes over at the Subway, three steps left
    assert (phase(state), state.steps, cop(state, "4")) == ("COP_DEST", 3, "-")
    assert {"LP3", "NA3", "BW2", "SD4", "BW7"}.isdisjoint(gos(state))  # one transfer a move
    chance(state, (9, 3))
    play(state, "via")  # the headquarters: officer 4 is drawn again
    assert (phase(state), state.steps, state.piece) == ("COP_DEST", 2, 3)
    play(state, min(text for text in legal(state) if text.startswith("go")))
    while phase(state) == "APPROACH":
        play(state, legal(state)[0])
    assert phase(state) == "MOVE"  # Green let him go before
    assert (cop(state, "4"), holder(state, "4")) != ("-", "Green")
