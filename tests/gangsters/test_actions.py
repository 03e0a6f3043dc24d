"""The flat action space, texts, observation, also with gangs rotated, narration (G-21 to G-23)."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.envs.core.errors import NotationError
from gangland.envs.gangsters.actions import TEXTS
from gangland.envs.gangsters.data import GANG_NAMES, NODE_NAMES
from gangland.envs.gangsters.observation.layout import AT, LAYOUT
from gangland.envs.gangsters.state import GANGS, POLICE

from ..games import random_positions
from .scenes import GAME, legal, play, run, scene
from .test_play import walk

LADDER = [100, 200, 300, 400, 500, 600, 700, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000]
RIVALS = ["{1}", "{2}", "{3}", "{4}"]
# The table of G-21, by its first id.
TABLE = {
    0: [f"go {name}" for name in NODE_NAMES],
    152: ["end"],
    153: ["yes"],
    154: [f"n {n}" for n in range(1, 10)],
    163: ["move R", "move T", "move V"],
    166: ["recruit R", "recruit T", "recruit V"],
    169: ["stay T", "stay V"],
    171: ["public x1a", "public x1b", "public x2", "public x3"],
    175: ["public new"],
    176: ["buy"],
    177: ["up"],
    178: ["heaters R", "wheels R", "heaters T", "wheels T", "wheels V", "dress V", "heaters C",
          "wheels C"],
    186: [f"trade {r}" for r in RIVALS],
    190: ["cash 0"],
    191: [f"pay {x}" for x in LADDER],
    207: [f"get {x}" for x in LADDER],
    223: ["bribe"],
    224: [f"play {n}" for n in range(1, 10)],
    233: [f"cop {n}" for n in [*range(1, 10), "U"]],
    243: ["cop new"],
    244: ["via"],
    245: ["commissioner"],
    246: ["recruit C"],
    247: ["hire"],
    248: ["chit x1", "chit x2", "chit x3"],
    251: ["flip x1a", "flip x1b", "flip x2", "flip x3"],
    255: [f"flip {r} {p}" for r in RIVALS for p in "RTV"],
    267: ["hit"],
    268: ["extort"],
    269: [f"seduce {r} {p}" for r in RIVALS for p in "RT"],
    277: [f"target {r}" for r in RIVALS],
    281: ["lose R", "lose T", "lose V", "lose joint", "lose cop", "lose Commissioner"],
    287: ["raid", "arrest"],
    289: ["own die", "all dice"],
}  # fmt: skip


@pytest.mark.rule("G-21.1", "G-22.1")
def test_the_action_table():
    assert GAME.num_actions == len(TEXTS) == 291
    for first, texts in TABLE.items():
        assert TEXTS[first : first + len(texts)] == texts
    assert sum(len(texts) for texts in TABLE.values()) == 291


@pytest.mark.rule("G-21.1")
@pytest.mark.parametrize(
    ("active", "gangs", "police", "action"),
    [("Red", "Green", True, 186), ("Green", "Red", True, 189), ("Green", "Red", False, 188),
     ("Brown", "Red", True, 187), ("Brown", "Red", False, 186)],
)  # fmt: skip
def test_rivals_are_counted_in_cyclic_order(active, gangs, police, action):
    state = run(scene(active=active, phase="BUY", dice="-", police=police, trade_offers=1))
    assert GAME.parse_action(state, f"trade {gangs}") == action
    assert GAME.action_text(state, action) == f"trade {gangs}"


@pytest.mark.rule("G-21.2")
def test_none_is_152():
    state = run(scene(phase="BUY", dice="-", trade_offers=1), "trade Green")
    assert 152 in GAME.legal_actions(state)
    play(state, "go J31")
    assert 152 in GAME.legal_actions(state)


@pytest.mark.rule("G-22.2")
def test_the_specifications_example_position():
    text = """turn 4 Red MOVE Red 4/2/6/1/3 1 Green,Brown 1
Red $1200 R5@J17 T2@BW6<BW5 V1@G06!ax markers=2,7
Green $1000 R4@J10 T2@J11 V1@J32 markers=-
Yellow $1000 R4@J23 T2@J24 V1@J26 markers=-
Brown $1000 R4@J05 T2@J06 V1@J37 markers=-
Police $900 C4@BW2 markers=4 chits=x1
cops 4@NA5<NA4 U@SD4*Police
public x1a@J17 x2@LP4<LP3 x3@J05i
joints J16:Red:1 J17:Red:2c J31:Red:1 G04:Police:1"""
    state = GAME.parse_position(text)
    printed = GAME.position_text(state)
    for line in text.splitlines():
        first, *fields = line.split()
        shown = next(row for row in printed.splitlines() if row.startswith(first)).split()[1:]
        assert shown[: len(fields)] == fields
    assert legal(state) == ["end", "move R", "move T", "recruit T", "public x1a", "public x2",
                            "public x3", "public new"]  # fmt: skip
    assert state.dice.tolist() == [4, 2, 6, 1, 3]
    assert GAME.position_text(GAME.parse_position(printed)) == printed
    shuffled = "\n".join(sorted(text.splitlines()))
    assert GAME.position_text(GAME.parse_position(shuffled)) == printed


GOOD = GAME.position_text(run(scene("cop 4@NA5<NA4", "public x2@LP4<LP3", phase="MOVE")))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("MOVE Red", "DANCE Red", ["phase", "'DANCE'", "MOVE"]),
        ("MOVE Red", "DEST Red", ["DEST", "menu decision"]),
        ("turn 1 Red", "turn 1 Pink", ["active seat", "'Pink'", "Red, Green"]),
        ("1/1/1/1/1", "1/1/1/1/7", ["dice", "'7'", "1 to 6"]),
        ("1/1/1/1/1", "1/1/1", ["dice", "5 numbers"]),
        ("Red $1000", "Red $1050", ["Red: cash", "$1050"]),
        ("T2@J16", "T2@J99", ["Red: T", "'J99'"]),
        ("T2@J16", "T0@J16", ["strength and place"]),
        ("T2@J16", "T2@J16?", ["Red", "'T2@J16?'", "R5@J17"]),
        ("4@NA5<NA4", "Z@NA5", ["cops", "'Z@NA5'", "4@NA5<NA4"]),
        ("x2@LP4<LP3", "x4@LP4", ["public", "'x4@LP4'"]),
        ("J16:Red:1", "J16:Red:0", ["joints", "'J16:Red:0'", "J17:Red:2c"]),
        ("J16:Red:1", "G01:Red:1", ["G01", "gray", "Police"]),
        ("J16:Red:1", "J16:Police:2", ["J16", "headquarters", "level 1"]),
        ("markers=-", "markers=U", ["markers", "'U'", "1 to 9"]),
        ("cops", "robots", ["'robots'", "must begin with"]),
        ("Red $1000", "Red $99999999900", ["Red: cash"]),
        ("turn 1 Red", "turn 99999 Red", ["round", "99999", "at most 40"]),
        ("1/1/1/1/1", "-", ["dice of MOVE", "rolled"]),
        ("MOVE Red", "BUY Red", ["dice of BUY", "-"]),
        ("MOVE Red", "MOVE Green", ["seat to decide of MOVE", "Red"]),
        ("MOVE Red", "INFORMANTS Police", ["active seat of INFORMANTS", "Police"]),
        ("MOVE Red", "COP_ACTIVE Red", ["COP_ACTIVE", "with police"]),
        ("4@NA5<NA4", "4@NA5<NA4*Pink", ["moved by", "'Pink'"]),
        ("chits=-", "chits=x1,x1", ["chits", "'x1'", "held once"]),
        ("markers=-", "markers=4,4", ["markers", "'4'", "held once"]),
        ("Green $1000", "", ["$1000"]),
    ],
)
def test_the_error_of_a_bad_position_names_the_field(old, new, words):
    if old == "Green $1000":
        bad = "\n".join(line for line in GOOD.splitlines() if not line.startswith("Green"))
        words = ["Green", "missing"]
    else:
        assert old in GOOD
        bad = GOOD.replace(old, new, 1)
    with pytest.raises(NotationError) as error:
        GAME.parse_position(bad)
    for word in words:
        assert word in str(error.value)


def test_a_side_that_does_not_play_cannot_own_or_move():
    two = GAME.position_text(run(scene(phase="MOVE", police=False)))
    few = "\n".join(
        line for line in two.splitlines() if not line.startswith(("Yellow", "Brown"))
    ).replace("order=Red,Green,Yellow,Brown", "")
    with pytest.raises(NotationError, match=r"joints: J05: Brown is not at the table"):
        GAME.parse_position(few)


@pytest.mark.rule("G-23.1")
def test_the_observation_is_relative_to_the_seat():
    state = run(scene("Green $700", "Red markers=4", phase="MOVE"))
    seen = [GAME.observe(state, seat) for seat in range(5)]
    assert all(row.dtype == np.float32 and np.isfinite(row).all() for row in seen)
    assert all(row.shape == (GAME.observation_size,) for row in seen)
    assert all(np.abs(row).max() <= 2 for row in seen)
    poorer = run(scene("Green $500", "Red markers=4", phase="MOVE"))
    changed = [bool((GAME.observe(poorer, k) != seen[k]).any()) for k in range(5)]
    assert changed == [False, True, False, False, False]
    other = run(scene("Green $700", "Red markers=5", phase="MOVE"))
    changed = [bool((GAME.observe(other, k) != seen[k]).any()) for k in range(5)]
    assert changed == [True, False, False, False, False]


@pytest.mark.rule("G-22.1")
def test_descriptions_are_sentences():
    state = run(scene(phase="MOVE"))
    said = {GAME.action_text(state, a): GAME.describe(state, a) for a in GAME.legal_actions(state)}
    assert said["recruit T"] == "recruit for the thug"
    play(state, "move T")
    assert {GAME.describe(state, a) for a in GAME.legal_actions(state)} == {
        "move the thug to Riverside Drive 5", "move the thug to Central Bypass 2",
    }  # fmt: skip
    stop = run(scene("Green markers=4", "cop 4@BW6<BW5", dice="1/1/1/1/2"), "cop 4", "go BW8")
    assert [GAME.describe(stop, a) for a in GAME.legal_actions(stop)] == [
        "do not stop officer 4", "stop officer 4 with a bribe",
    ]  # fmt: skip


@pytest.mark.rule("G-22.2")
def test_half_made_choices_are_saved_as_records():
    kinds = set()
    for k, state in enumerate(walk(13)):
        if k % 5 and state.revealed:
            continue
        read = GAME.parse_position(GAME.position_text(state))
        assert GAME.legal_actions(read) == GAME.legal_actions(state)
        assert GAME.position_text(read) == GAME.position_text(state)
        kinds.add("record" in GAME.position_text(state))
    assert kinds == {True, False}


def test_a_broken_record_is_refused():
    state = run(scene(phase="MOVE"), "move T")
    text = GAME.position_text(state)
    head, packed = text.rsplit("record ", 1)
    for bad in ("!!", packed[:40], "AAAA"):
        with pytest.raises(NotationError, match="record"):
            GAME.parse_position(f"{head}record {bad}")


# --- every gang one or more places further on: each sees what it saw (G-21.1) ---------------------


def turned_name(text, shift):
    """A notation with the gangs' names moved on."""
    for place, name in enumerate(GANG_NAMES):
        if f" {name}" in text:
            return text.replace(name, GANG_NAMES[(place + shift) % GANGS])
    return text


@pytest.mark.rule("G-21.1", "G-23.1")
@pytest.mark.parametrize("seed", [3, 4])
def test_gangs_change_places_beside_the_police(seed):
    asked = set()
    for _, _, _, after in random_positions(GAME, seed, every=3):
        for shift in range(1, GANGS):
            turned = GAME.rotate(after, shift)
            for gang in range(GANGS):
                before = GAME.observe(after, gang)
                now = GAME.observe(turned, (gang + shift) % GANGS)
                assert (before[: AT.rivals] == now[: AT.rivals]).all()
                # The last block counts the police: the rows are those of other seats.
                rows = LAYOUT["rivals"].of(before)
                others = [(gang + r) % 5 for r in range(1, 5)]
                moved = [POLICE if s == POLICE else (s + shift) % GANGS for s in others]
                there = [(s - (gang + shift) % GANGS) % 5 - 1 for s in moved]
                assert (rows == LAYOUT["rivals"].of(now)[there]).all()
            if after.over:
                continue
            texts = {GAME.action_text(after, a) for a in GAME.legal_actions(after)}
            again = {GAME.action_text(turned, a) for a in GAME.legal_actions(turned)}
            assert again == {turned_name(text, shift) for text in texts}
            asked.add(int(after.phase))
    assert len(asked) > 15


def test_what_a_seat_knows_of_the_bribe_cup():
    """A marker that was played after the last purchase lies in the cup (G-18.7)."""

    state = GAME.new_state(3)
    state.revealed = 1
    state.slot_seat[0], state.slot_time[0], state.slot_of[4], state.holder[4] = 1, 7, 0, 1
    state.returned[2] = 9
    state.returned[3] = 5
    known = LAYOUT["markers"]["in_cup"].of(GAME.observe(state, 0))
    assert np.flatnonzero(known).tolist() == [2]
    own = GAME.observe(state, 1)
    assert np.flatnonzero(LAYOUT["markers"]["own"].of(own)).tolist() == [4]
    assert np.flatnonzero(LAYOUT["markers"]["in_cup"].of(own)).tolist() == [
        0, 1, 2, 3, 5, 6, 7, 8,
    ]  # fmt: skip
