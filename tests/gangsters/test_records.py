"""What the record holds between decisions, and that every phase and step has one place."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gangland.envs.core.errors import NotationError
from gangland.envs.gangsters import state as record
from gangland.envs.gangsters.rules import phases
from gangland.envs.gangsters.state import E_ARRESTS, E_LEVEL, E_SHOT, E_TURNS, PHASES

from ..dispatch import named, phases_named
from .scenes import (
    GAME,
    chance,
    gos,
    legal,
    phase,
    piece,
    play,
    run,
    scene,
    settle_step,
    setup_scene,
)
from .test_setup import TWELVE

# --- moves start afresh, every field keeps its bounds ---------------------------------------------

POLICE_STEP = {"dice": "1/1/1/1/3"}
MOVE = {"phase": "MOVE", "dice": "1/2/2/1/1"}
TRADE = {"phase": "BUY", "dice": "-", "trade_offers": 1}
GEAR = {"heaters": True, "wheels": True, "dress": True}
COP_TURN = {"active": "Police", "phase": "INFORMANTS"}
NEW_COMMISSIONER = {"active": "Police", "phase": "POLICE_BUY", "dice": "-"}
RAID = ("cop 4@LP1<xF", "joint J17:Red:2c", "public x3@J17")
HQ = ("joint J10:Police:1 G04:Police:1", "Green.R 4@J11")

# The phases that a line of play comes by; its scene; dice to come (numbers in a tuple) and actions.
LINES = {
    "COP_POLICE COP_DEST COP_VIA": (
        ("cop 9@NA2<NA1",), POLICE_STEP, ["cop 9", "via", "go LP3"]),
    "COP_ACTIVE": (
        ("cop 9@BW6<BW5",), {**POLICE_STEP, "police": False, "phase": "COP_ACTIVE"}, ["cop 9"]),
    "APPROACH": (("Red.T 2@SD4",), {**MOVE, "dice": "1/5/1/1/1"}, ["move T", "go VI4"]),
    "COP_GANG COP_ENTRY": (
        ("Red markers=4,8", *HQ), {"dice": "1/1/1/1/4", "phase": "COP_GANG"}, ["play 4"]),
    "STOP": (("Green markers=4", *RAID), POLICE_STEP, ["cop 4", "go J17", "yes"]),
    "SHARE": (("Green markers=4", *RAID), POLICE_STEP, ["cop 4", "go J17", "end", "yes"]),
    "DOUBLE": (("Police markers=4", *RAID), POLICE_STEP, ["cop 4", "go J17", "yes"]),
    "RAID_OR_ARREST": (
        ("Green.T 2@J17!", *RAID), POLICE_STEP, ["cop 4", "go J17", "arrest", "end"]),
    "COUNT DEST MOVE PUBLIC_DEST": (
        ("Red.T 2@xA+w", "public x2@LP2<LP1"), {"phase": "MOVE", "dice": "6/1/6/2/1"},
        ["move T", "all dice", "go NA4", "public new"]),
    "CRIME": (
        ("Brown.R 4@J06", "Red.V 1@LP2<LP1"), MOVE, ["move V", "go J06", "seduce Brown R", "end"]),
    "RECRUIT_PLACE": (
        ("Red.V 0@-", "Red.R 6@J17", "Red.T 2@G01"), MOVE, ["recruit V", "stay T", "end"]),
    "BUY TRADE_GIVE TRADE_TAKE TRADE_CASH TRADE_ANSWER": (
        ("Red.R 4@J12",), TRADE, ["trade Green", "go J31", "go J10", "cash 0", "yes", "buy"]),
    "BUY": (
        ("Red.R 4@G01", "Red.T 2@G02", "Red.V 1@G03", "Red $9000"), TRADE | GEAR,
        ["heaters R", "wheels R", "heaters T", "wheels V", "dress V", "end"]),
    "TARGET RETURN": (
        ("Green.T 1@J37", "Red.T 1@LP3", "Brown.V 1@J05"), MOVE,
        ["move T", "go J37", "hit", "end", "target Green", "target Green", "target Red"]),
    "ALLOC": (
        ("Green.R 4@G02", "Green.T 4@G02", "Red.R 6@NA7<NA8"), {**MOVE, "dice": "2/1/1/1/1"},
        ["move R", "go G02", "hit", (6, 6, 6, 6), "end", "lose T", "lose R", "lose T"]),
    "SELL": (("commissioner 0@-", "Police $0", *HQ), NEW_COMMISSIONER, [(4,), "go G04"]),
    "COMM_ENTRY": (("commissioner 0@-", "Police $900", *HQ), NEW_COMMISSIONER, [(4,), "go J10"]),
    "POLICE_BUY POLICE_MOVE": (
        ("commissioner 4@J12", "Police $3000", "cop 9@BW9<BW8"), NEW_COMMISSIONER,
        ["buy", "cop 9"]),
    "COMM_DEST": (
        ("commissioner 6@-", *HQ), COP_TURN | {"dice": "4/1/4"}, ["commissioner", "go J10"]),
    "POLICE_MOVE STOP": (
        ("commissioner 6@NA4", "cop 9@BW9<BW8", "Green markers=9"), COP_TURN | {"dice": "1/6/1"},
        ["cop 9", "yes", "recruit C", "end"]),
    "INFORMANTS": (
        ("public x2@J05i x1b@LP2<LP1 x3@J06", "Police chits=x1,x3"), COP_TURN | {"dice": "1/2/1"},
        ["chit x1", "flip x2", "flip Brown R", "public x1b"]),
    "POLICE_PUBLIC": (("public x2@LP2<LP1",), COP_TURN | {"dice": "1/2/1"}, ["end", "hire"]),
}  # fmt: skip
SETUP = "PICK SET_R SET_T SET_C PLACE"


def played(line):
    """The positions of a line, then of a few more decisions."""
    changes, where, actions = LINES[line]
    state = scene(*changes, **where)
    if isinstance(actions[0], tuple):
        chance(state, *actions[0])
    yield settle_step(state)
    for action in actions:
        if isinstance(action, tuple):
            chance(state, *action)
        else:
            yield play(state, action)
    for _ in range(12):
        yield play(state, legal(state)[-1])


def phases_saved(positions):
    """The phases of positions that can be read again from their fields, none out of its bounds."""
    seen = set()
    for state in positions:
        read = GAME.from_dict(json.loads(json.dumps(GAME.to_dict(state))))
        assert read.tobytes() == state.tobytes()
        assert GAME.inconsistency(read) == ""
        seen.add(phase(state))
    return seen


@pytest.mark.rule("G-22.2", "G-25.1")
@pytest.mark.parametrize("line", LINES)
def test_positions_keep_their_bounds(line):
    assert set(line.split()) <= phases_saved(played(line))


@pytest.mark.rule("G-22.2", "G-25.1")
def test_positions_of_the_set_up_keep_their_bounds():
    def positions():
        state = setup_scene(*TWELVE[:11])
        while phase(state) in SETUP.split():
            yield state
            play(state, legal(state)[1])

    assert phases_saved(positions()) == set(SETUP.split())


def test_every_phase_is_among_them():
    assert {*" ".join(LINES).split(), *SETUP.split()} == {*PHASES}


@pytest.mark.rule("G-9.13", "G-6.8", "G-10.1", "G-23.1")
def test_every_move_starts_afresh():
    """A change of duty and a transfer count for the officer's move alone."""
    state = run(scene("cop 9@NA2<NA1", "public x2@LP4<LP3", "Red.T 2@G01", dice="1/1/1/3/6"))
    play(state, "cop 9", "via", "go LP3")
    assert (state.swapped, state.transferred, state.entering, state.num_barred) == (1, 1, 1, 2)
    assert (state.cop_at[8], state.cop_came[8]) == (-1, -1)
    while phase(state) != "MOVE":
        play(state, legal(state)[0])
    assert (state.transferred, state.num_barred) == (1, 2)
    for text, left, asked in (("public x2", 3, "PUBLIC_DEST"), ("move T", 1, "DEST")):
        after = play(GAME.clone(state), text)
        assert phase(after) == asked
        assert (after.transferred, after.num_barred, after.steps) == (0, 0, left), text


@pytest.mark.rule("G-9.13", "G-14.9", "G-14.12", "G-23.1")
@pytest.mark.parametrize(("text", "steps"), [("cop 5", 3), ("commissioner", 1)])
def test_the_next_move_of_a_cop_turn_starts_afresh(text, steps):
    state = run(scene("commissioner 4@NA4", "Police $0", "cop 9@NA2<NA1 5@SD4", active="Police",
                      phase="POLICE_MOVE", dice="1/6/3"))  # fmt: skip
    play(state, "cop 9", "via", "go LP3")
    while phase(state) != "POLICE_MOVE":
        play(state, legal(state)[0])
    play(state, text)
    assert phase(state) == ("COP_DEST" if text == "cop 5" else "COMM_DEST")
    assert (state.transferred, state.num_barred, state.steps) == (0, 0, steps)
    if text == "cop 5":
        assert (state.swapped, state.entering, state.via, state.stop_asked) == (0, 0, 0, 0)


@pytest.mark.rule("G-7.7")
@pytest.mark.parametrize("side", ["Red", "Green", "Brown"])
def test_every_gang_places_its_own_first_member(side):
    state = run(scene(f"{side}.V 0@-", active=side, phase="MOVE"))
    before = {name: piece(state, f"{name}.V") for name in ("Red", "Green", "Yellow", "Brown")}
    play(state, "recruit V", "end")
    place = min(gos(state))
    play(state, f"go {place}")
    after = {name: piece(state, f"{name}.V") for name in before}
    assert after == before | {side: f"1@{place}"}


@pytest.mark.rule("G-13.3", "G-22.2")
def test_a_seduced_piece_leaves_nothing_on_the_board():
    state = run(scene("Brown.T 1@LP4<LP3!+h", "Red.V 1@LP2<LP1", phase="MOVE", dice="1/1/2/1/1"))
    play(state, "move V", "go LP4")
    while phase(state) == "APPROACH":
        play(state, legal(state)[0])
    play(state, "seduce Brown T")
    assert (state.at[3, 1], state.came[3, 1], state.criminal[3, 1]) == (-1, -1, 0)
    assert " T0@- " in GAME.position_text(state).split("Brown $")[1].split("\n")[0]


@pytest.mark.rule("G-12.14", "G-2.19", "G-25.1")
def test_an_arrested_piece_leaves_nothing_on_the_board():
    """Nor does it count for the crime level any more, but it does for the statistics."""
    state = run(scene("Green.T 2@BW6<BW5!+h", "cop 7@BW6", phase="MOVE", pawns="Green"))
    play(chance(state, 5, 5, 1, 1, 1), "end")
    assert (state.at[1, 1], state.came[1, 1], state.criminal[1, 1]) == (-1, -1, 0)
    counted = [int(state.events[event]) for event in (E_SHOT, E_ARRESTS, E_TURNS, E_LEVEL)]
    assert counted == [2, 1, 1, 0]


@pytest.mark.rule("G-9.15", "G-25.1")
def test_an_arrest_counts_whether_it_hits_or_not():
    state = run(scene("Green.T 2@BW6<BW5!+h", "cop 7@BW6", phase="MOVE", pawns="Green"))
    play(chance(state, 1, 1, 1, 1, 1), "end")
    assert state.strength[1, 1] == 2
    table = np.array([state])
    assert GAME.event_counts(table)["arrests (cops that fired)"].tolist() == [1]
    assert GAME.event_counts(table)["members shot"].tolist() == [0]


@pytest.mark.rule("G-10.8", "G-10.11", "G-10.9")
def test_a_public_leaves_nothing_on_the_board():
    state = run(scene("public x2@SD2<SD1i", active="Police", phase="INFORMANTS", dice="1/2/1"))
    play(state, "public x2", "go J05")
    assert state.public_moved[2]
    play(state, "flip Brown R")
    fields = ("public_at", "public_came", "public_moved", "informant")
    assert [int(state[field][2]) for field in fields] == [-1, -1, 0, 0]


@pytest.mark.rule("G-9.7")
def test_a_played_marker_leaves_its_place_empty():
    state = run(scene("Red markers=2,9", phase="COP_GANG"), "play 2")
    assert (state.holder[1], state.slot_of[1], state.returned[1]) == (-1, -1, state.clock)
    assert sorted(state.slot_seat.tolist()) == [-1] * 8 + [0]
    assert state.slot_time[state.slot_seat == -1].tolist() == [0] * 8


# --- phases and steps are named in the place that says which module they belong to ----------------


@pytest.mark.parametrize("function", [phases.fill, phases.decide])
def test_every_phase_has_one_place(function):
    assert sorted(phases_named(function, record)) == sorted(record.PHASES)


def test_both_kernels_name_the_phases_in_the_same_order():
    assert named(phases.fill) == named(phases.decide)


def test_every_step_has_one_place():
    every = [name for name in vars(record) if name.startswith("STEP_")]
    assert sorted(named(phases.advance)) == sorted({*every} - {"STEP_DECIDE"})
    numbers = [getattr(record, name) for name in every]
    assert len(set(numbers)) == len(numbers)


def test_a_step_of_an_offer_beyond_the_ladder_is_refused():
    data = GAME.to_dict(settle_step(scene()))
    data["fields"]["cash_step"] = 32
    assert GAME.from_dict(data).cash_step == 32
    data["fields"]["cash_step"] = 33
    with pytest.raises(NotationError, match="cash_step"):
        GAME.from_dict(data)
