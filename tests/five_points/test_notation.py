"""Action space, texts of actions and positions, sentences, views (sections 17 and 18)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import ImageFont

from gangland.envs.api.raster import _fonts
from gangland.envs.core.errors import NotationError

from .scenes import (
    GAME,
    at_buildings,
    at_markers,
    at_turn,
    legal,
    phase,
    play,
    random_game,
    scene_text,
)

EXAMPLE = (
    "FP/1 n=3 round=3 start=1 phase=PLACE actor=0 last=0 tiles=b32:000:000,g33:000:000,"
    "r34:001:000,o35:000:000,b42:000:001,g43:210:000,r44:100:000,o45:000:000,b52:000:000,"
    "g53:000:000,r54:000:000 bld=BE@0,TA@10 hq=4,5,3 bor=13,14,14 vp=0,0,1 "
    "cm=0100,0000,0000 pile=cbcc row=V1,V3r,CM,MJb bids=000,002,000,000 pass=1 flat=0,0,0 "
    "cv=0000,0000,0000 vb=0,0,0 spec=- stage=- sel=- tied=- chosen=-"
)
"""The specification's example. Its seat 1 and 2 have 20 rabble only with bor=14,14 as given."""


@pytest.mark.rule("FP-17.1")
def test_layout_of_the_action_space():
    assert GAME.num_actions == 285
    state = GAME.new_state(0)
    state.seat = 1
    text = {a: GAME.action_text(state, a) for a in range(285)}
    assert len(set(text.values())) == 285
    for number, wanted in {
        0: "pass", 1: "nobid", 2: "skip", 3: "place 0", 19: "place 16", 20: "bid 0+1",
        38: "bid 0+19", 39: "bid 1+1", 95: "bid 3+19", 96: "tile 0", 112: "tile 16",
        113: "cell r0c0", 146: "cell r3c6", 193: "cell r8c8", 194: "colour b", 197: "colour o",
        198: "rabble 0/1", 201: "rabble 0/4", 202: "rabble 0/0", 282: "rabble 16/0",
        283: "building 0", 284: "building 1",
    }.items():  # fmt: skip
        assert text[number] == wanted
    with pytest.raises(NotationError, match=r"0\.\.284"):
        GAME.action_text(state, 285)


@pytest.mark.rule("FP-17.1", "FP-18.1")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_actions_parse_back(players):
    for seed in range(6):
        for state in random_game(seed, players=players, prefer=("ST_PICK", "MT_TILE", "MB_PICK")):
            texts = legal(state)
            assert len(set(texts)) == len(texts)
            for action, text in zip(GAME.legal_actions(state), texts, strict=True):
                assert GAME.parse_action(state, f"  {text.upper()} ") == action
                if action >= 198 and action < 283:
                    assert (action - 198) % 5 < players


@pytest.mark.rule("FP-17.1")
def test_rabble_of_the_seat_clockwise_from_the_actor():
    state = at_buildings(buildings="ST@12,TA@16", rabble="6 0x1 3x1; 12 3x2")
    assert state.seat == 3
    names = {GAME.action_text(state, a): a for a in GAME.legal_actions(state)}
    assert names["rabble 6/3"] == 198 + 5 * 6
    assert names["rabble 6/0"] == 198 + 5 * 6 + 2
    play(state, "rabble 6/0", "tile 1")
    assert state.rabble[1, 0] == 1


@pytest.mark.rule("FP-18.2")
def test_the_specifications_example():
    with pytest.raises(NotationError, match="seat 1 has 20 rabble"):
        GAME.parse_position(EXAMPLE.replace("hq=4,5,3", "hq=4,6,3"))
    state = GAME.parse_position(EXAMPLE)
    assert GAME.position_text(state) == EXAMPLE
    assert (phase(state), state.seat, state.hq[:3].tolist()) == ("PLACE", 0, [4, 5, 3])
    assert state.supply.tolist() == [12, 11, 12, 12]
    assert state.bids[1, 2] == 2


@pytest.mark.rule("FP-18.2")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 3, "marker_set": "demo18"},
        {"players": 4, "move_rule": "adjacent_only", "max_rounds": 3, "start_seat": 2},
        {"election_limit": "first_round_only", "control_markers": 20},
    ],
)
def test_positions_round_trip(options):
    skipped = {"rng", "ply"}
    for seed in range(6):
        prefer = ("ST_PICK", "MT_TILE", "MB_PICK")
        for state in random_game(seed, prefer=prefer, **options):
            text = GAME.position_text(state)
            again = GAME.parse_position(text)
            assert GAME.position_text(again) == text
            hidden = {"building"} if phase(state) == "SETUP" else set()
            for name in GAME.dtype.names:
                if name not in skipped | hidden:
                    assert np.array_equal(again[name], state[name]), name
            assert (GAME.action_mask(again) == GAME.action_mask(state)).all()


@pytest.mark.rule("FP-18.2")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("FP/1", "FP/2", "must begin with FP/1"),
        ("n=3", "n=6", "n=6: must be 3..5"),
        ("n=3", "n=3 n=3", "n: given twice"),
        ("round=3", "rounds=3", "'rounds=3'"),
        ("phase=PLACE", "phase=PLAY", "phase=PLAY: must be one of SETUP"),
        ("actor=0", "actor=1", "a seat that has not passed"),
        ("actor=0", "actor=-", "actor=-: must be 0..2"),
        ("last=0", "last=1", "last=1: must be 1 if all but one"),
        ("b32:000", "x32:000", "colour b, g, r or o"),
        ("b32:000", "g33:000", "all different"),
        ("BE@0", "BB@0", "bld=BB@0,TA@10: must be one of BE"),
        ("BE@0", "TA@0", "two different buildings"),
        ("BE@0", "BE@10", "two different tiles"),
        ("BE@0", "BE@11", "must be 0..10"),
        ("hq=4,5,3", "hq=4,5", "3 numbers"),
        ("hq=4,5,3", "hq=4,6,3", "seat 1 has 20 rabble, not 21"),
        ("cm=0100", "cm=010", "groups of 4 digits"),
        ("pile=cbcc", "pile=cbcz", "each 0..k"),
        ("row=V1", "row=V9", "one of V1"),
        ("bids=000,002", "bids=000,022", "one highest bid"),
        ("pass=1", "pass=1,1", "all different"),
        ("stage=-", "stage=M7", "one of -, M0"),
        ("stage=-", "stage=M1", "an effect in MT_TILE"),
        ("sel=-", "sel=3", "- in phase PLACE"),
        ("tied=-", "tied=1,2", "in phase ELECT"),
        ("chosen=-", "chosen=- opt=dice:5", "name:value with a name of control_markers"),
    ],
)
def test_errors_name_the_field(old, new, message):
    assert old in EXAMPLE
    with pytest.raises(NotationError) as error:
        GAME.parse_position(EXAMPLE.replace(old, new, 1))
    assert message in str(error.value)


@pytest.mark.rule("FP-18.2")
def test_a_position_must_leave_a_choice():
    with pytest.raises(NotationError, match="must leave actor=0 a choice"):
        GAME.parse_position(scene_text(phase="CM_PICK", supply=dict.fromkeys("bgro", 0)).replace(
            "stage=-", "stage=M2").replace("pass=-", "pass=0,1,2,3,4"))  # fmt: skip
    with pytest.raises(NotationError, match="missing sel"):
        GAME.parse_position(EXAMPLE.replace(" sel=-", ""))


def test_narration_is_the_same_without_the_chance():
    for seed in range(4):
        before, action = None, None
        chance = np.random.default_rng(seed)
        state = GAME.new_state(seed)
        story = []
        while not state.over:
            before = GAME.clone(state)
            action = int(chance.choice(GAME.legal_actions(state)))
            GAME.apply(state, action)
            said = GAME.narrate(before, action, state, None)
            seen = GAME.narrate(GAME.redact(before, 2), action, GAME.redact(state, 2), 2)
            assert said == seen
            assert all(sentence.endswith(".") for sentence in said)
            story += said
        assert story[-1].startswith("Winners: ")
        assert any(sentence.startswith("Election on tile ") for sentence in story)


def test_narration_of_an_election():
    state = at_turn(actor=4, passed="0123", rabble="5 0x3 1x1; 6 2x1; 4 0x1 1x1")
    before = GAME.clone(state)
    play(state, "pass")
    said = GAME.narrate(before, 0, state, None)
    votes = "Election on tile 5 (green market): Dead Rabbits 3, Bowery Boys 1."
    assert f"{votes} A boss there for the Dead Rabbits." in said
    assert "From the neighbours of tile 5 the Roach Guards get 1 red control marker." in said
    assert "From the neighbours of tile 5 the Dead Rabbits get 1 VP." in said


def test_every_legal_action_has_a_sentence_of_its_own():
    for seed in range(3):
        for state in random_game(seed, prefer=("ST_PICK", "MT_TILE", "MB_PICK")):
            said = [GAME.describe(state, action) for action in GAME.legal_actions(state)]
            assert len(set(said)) == len(said)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_pictures_mark_every_legal_action(players):
    for k, state in enumerate(random_game(players, players=players, prefer=("MT_TILE", "ST_PICK"))):
        if k % 7 and not state.over:
            continue
        legal_now = GAME.legal_actions(state)
        root = ET.fromstring(GAME.svg(state, None, legal_now, 'Now <"&> then'))
        marked = [int(e.get("data-action")) for e in root.iter() if e.get("data-action")]
        # A tile's rabble may be drawn in several groups, never an action that is not legal.
        assert sorted(set(marked)) == legal_now
        assert not [e for e in ET.fromstring(GAME.svg(state, 0)).iter() if e.get("data-action")]
        text = GAME.text(state, 0)
        assert all(f"T{tile}" in text for tile in range(state.num_tiles))


def test_views_hide_unseen_buildings():
    state = GAME.new_state(3)
    kind = int(state.building[0])
    other = GAME.clone(state)
    other.building[0] = (kind + 1) % 9 if (kind + 1) % 9 != state.building[1] else (kind + 2) % 9
    assert GAME.text(state, 0) == GAME.text(other, 0)
    assert GAME.svg(state, 0) == GAME.svg(other, 0)
    assert GAME.describe(state, 100) == GAME.describe(other, 100)
    open_state = at_markers(row="MB V1 V1 V1", bids="0 2x1", hq={2: 5})
    assert "Board of Elections" in GAME.svg(open_state, 0)


def test_numbers_fit_beside_and_on_what_lies_on_a_tile():
    state = at_buildings()
    state.total[:] = 28
    state.building_tile[0] = 12
    root = ET.fromstring(GAME.svg(state, None))
    bold = ImageFont.truetype(_fonts()["DejaVuSans-Bold"], 100)

    def drawn(key, tag):
        groups = (e for e in root.iter() if (e.get("data-piece") or "").startswith(key))
        return [e for group in groups for e in group.iter() if e.tag.endswith(tag)]

    def width(text):
        return float(text.get("font-size")) * bold.getlength(text.text) / 100

    for disc, number in zip(drawn("total", "rect"), drawn("total", "text"), strict=True):
        assert width(number) + 6 <= float(disc.get("width"))
    plate = min(float(e.get("x")) for e in drawn("building:", "rect"))
    numbers = [e for e in drawn("tile:", "text") if len(e.text) == 2]
    assert numbers
    for number in numbers:
        assert float(number.get("x")) + width(number) + 2 <= plate


def test_gangs_differ_by_shape_as_well_as_colour():
    drawn = GAME.svg(GAME.new_state(3), None)
    shapes = dict(re.findall(r'<path d="([^"]+)"[^>]* data-mark="(\d)"', drawn))
    assert sorted(shapes.values()) == ["0", "1", "2", "3", "4"]
    assert "data-mark" in re.search(r'data-region="seat-0".*?data-seat-name', drawn)[0]
