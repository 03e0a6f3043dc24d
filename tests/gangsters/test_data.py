"""Board and number tables, and the errors of a broken file (G-2)."""

from __future__ import annotations

import copy
import json

import pytest

from gangland.envs.gangsters.data import (
    BOARD,
    BUILDING_NAMES,
    COLOUR,
    COLOUR_COUNT,
    COLOURS,
    DATA,
    GUARD_DICE,
    HIT_MIN,
    JOINTS,
    NEIGHBOURS,
    NODE,
    NODE_NAMES,
    OFFICER_DICE,
    PLAIN,
    PRICE,
    STREETS,
    SUBWAYS,
    BoardError,
    read,
)
from gangland.envs.gangsters.data.checks import BOUNDS, check_board, check_numbers

from .scenes import gos, legal, run, scene


@pytest.mark.rule("G-2.1", "G-2.6")
def test_nodes():
    assert len(NODE_NAMES) == 152
    kinds = [entry["kind"] for entry in BOARD["spaces"].values()]
    assert (kinds.count("intersection"), kinds.count("street")) == (17, 84)
    assert NODE_NAMES[101:140] == tuple(f"J{n:02}" for n in range(1, 40))
    assert NODE_NAMES[140:] == tuple(f"G{n:02}" for n in range(1, 13))
    assert (NEIGHBOURS[:STREETS] >= 0).sum(1).min() >= 2
    assert PLAIN.sum() == 78
    for node in range(152):
        for other in NEIGHBOURS[node][NEIGHBOURS[node] >= 0]:
            assert node in NEIGHBOURS[other]


@pytest.mark.rule("G-2.2")
def test_street_names():
    names = {segment["street"] for segment in BOARD["segments"]}
    assert names >= {
        "Central Avenue Bridge", "Riverside Drive", "Clark Street", "The Loop", "North Avenue",
        "North State Street", "The Viaduct", "Southside Drive", "Southeast Bypass",
        "Central Bypass", "Broadway",
    }  # fmt: skip


@pytest.mark.rule("G-2.3")
def test_subways():
    assert [NODE_NAMES[node] for node in SUBWAYS] == ["NA3", "LP3", "BW2", "RD3", "SD4", "BW7"]


@pytest.mark.rule("G-2.4")
def test_one_jump_joints_follow_from_the_map():
    labels = {}
    for number in range(1, 7):
        paths = [(int(SUBWAYS[number - 1]),)]
        for _ in range(number - 1):
            paths = [
                (*path, int(node))
                for path in paths
                for node in NEIGHBOURS[path[-1]]
                if node >= 0 and node not in path and path[-1] < STREETS
            ]
        for node in {path[-1] for path in paths}:
            if STREETS <= node < STREETS + JOINTS:
                labels.setdefault(BUILDING_NAMES[node - STREETS], []).append(number)
    stated = {n: e["one_jump"] for n, e in BOARD["buildings"].items() if e["one_jump"]}
    assert len(stated) == 13
    assert {n for label in stated.values() for n in label} == {2, 3, 4, 5, 6}
    assert stated == labels


@pytest.mark.rule("G-2.4", "G-6.11")
@pytest.mark.parametrize(("number", "codes"), [(2, {"J06", "J17"}), (3, {"J01", "J10", "J24"})])
def test_publics_enter_one_jump_joints(number, codes):
    owned = " ".join(f"{code}:Green:1" for code in codes)
    state = run(scene(f"joint {owned}", phase="MOVE", dice=f"1/1/1/{number}/1"), "public new")
    assert codes <= gos(state)


@pytest.mark.rule("G-2.5", "G-2.6")
def test_colours_prices_and_guards():
    table = {"Red": (4, 600, 5), "Purple": (5, 500, 4), "Blue": (6, 400, 4), "Green": (7, 300, 3),
             "Yellow": (8, 200, 3), "Brown": (9, 100, 2)}  # fmt: skip
    for colour, (count, price, dice) in table.items():
        members = [b for b in range(JOINTS) if COLOURS[COLOUR[b]] == colour]
        assert len(members) == count == COLOUR_COUNT[COLOURS.index(colour)]
        assert {int(PRICE[b]) for b in members} == {price}
        assert {int(GUARD_DICE[b]) for b in members} <= {dice, 6}
    assert [name for name, dice in zip(BUILDING_NAMES, GUARD_DICE, strict=True) if dice == 6] == [
        "Hotel Belgrave"
    ]
    assert COLOUR_COUNT[len(COLOURS)] == 12
    assert set(PRICE[JOINTS:].tolist()) == {100}


@pytest.mark.rule("G-2.11", "G-2.14")
def test_dice_and_what_hits():
    assert HIT_MIN.tolist() == [6, 5]
    assert OFFICER_DICE.tolist() == [1, 1, 2, 2, 2, 3, 3, 3, 4, 5]
    assert DATA["guard_hit_min"]["joint"] == DATA["guard_hit_min"]["headquarters"] == 4
    assert DATA["cop_hit_min"]["value"] == DATA["commissioner"]["hit_min"] == 5
    assert DATA["headquarters"]["guard_dice"] == 2


@pytest.mark.rule("G-2.15", "G-2.14")
def test_the_untouchables_cannot_be_bribed():
    state = scene("Red markers=1,2,3,4,5,6,7,8,9", phase="COP_GANG")
    plays = [text for text in legal(run(state)) if text.startswith("play")]
    assert plays == [f"play {n}" for n in range(1, 10)]


def broken(change):
    board = copy.deepcopy(BOARD)
    change(board)
    return board


def set_at(*path):
    *keys, last, value = path

    def change(table):
        for key in keys:
            table = table[key]
        table[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_at("spaces", "RD5", "index", 3), ["space RD5", "index 3"]),
        (set_at("spaces", "RD5", "adj", ["RD4"]), ["space RD5", "dead end"]),
        (set_at("spaces", "RD5", "adj", ["RD4", "ZZ9"]), ["space RD5", "neighbour", "'ZZ9'"]),
        (set_at("spaces", "RD5", "adj", ["RD4", "xK", "BW1"]), ["RD5", "BW1", "lead back"]),
        (set_at("spaces", "RD5", "adj", ["RD4", "RD4", "xK"]), ["space RD5", "twice"]),
        (set_at("spaces", "RD5", "kind", "lane"), ["space RD5", "'lane'", "street or inters"]),
        (set_at("spaces", "RD5", "xy", [3]), ["space RD5", "two numbers"]),
        (set_at("spaces", "RD5", "name", 7), ["space RD5", "name is 7", "str"]),
        (set_at("spaces", "RD5", "subway", 4), ["space RD5", "no Subway in the table"]),
        (set_at("buildings", "Pussycat Club", "doors", []), ["J05 Pussycat Club", "no door"]),
        (set_at("buildings", "Pussycat Club", "doors", ["SD1", "Q1"]), ["J05", "door 'Q1'"]),
        (set_at("buildings", "Pussycat Club", "colour", "Pink"), ["J05", "'Pink'", "Purple"]),
        (set_at("buildings", "City Hall", "colour", "Red"), ["G01 City Hall", "'Red'", "Gray"]),
        (set_at("buildings", "City Hall", "code", "G09"), ["City Hall", "'G09'", "must be G01"]),
        (set_at("buildings", "Pussycat Club", "one_jump", [4]), ["J05", "[4]", "[5]"]),
        (set_at("buildings", "City Hall", "index", 1), ["City Hall", "index 1, not 140"]),
        (set_at("subways", "4", "RD9"), ["space RD9", "subway is None", "must be 4"]),
        (set_at("subways", "4", "QQ"), ["subway 4", "'QQ'"]),
        (set_at("subways", "7", "RD9"), ["subways", "must be 1 to 6"]),
        (set_at("sharp_turns", 0, "triples", [["BR1", "xK", "NA1"]]), ["BR1-xK-NA1", "walk"]),
        (lambda board: board.pop("subways"), ["subways", "missing"]),
        (lambda board: board["spaces"].pop("BW11"), ["spaces", "100", "101"]),
        (lambda board: board["buildings"].pop("Armory"), ["buildings", "50", "51"]),
    ],
)  # fmt: skip
def test_the_error_of_a_broken_board_says_where(change, words):
    with pytest.raises(BoardError) as error:
        check_board(broken(change))
    for word in words:
        assert word in str(error.value)


@pytest.mark.rule("G-20.3")
def test_a_board_that_shuts_a_piece_in_is_refused():
    board = broken(lambda table: None)
    loop = ["NA1", "NA2", "NA3"]
    for code in loop:
        outside = [other for other in board["spaces"][code]["adj"] if other not in loop]
        for other in outside:
            board["spaces"][other]["adj"].remove(code)
        board["spaces"][code]["adj"] = [other for other in loop if other != code]
    for entry in board["spaces"].values():
        if len(entry["adj"]) < 2:
            entry["adj"].append("xD")
            board["spaces"]["xD"]["adj"].append(
                next(code for code, other in board["spaces"].items() if other is entry)
            )
    with pytest.raises(BoardError, match=r"no street leads here|no walk of"):
        check_board(board)


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_the_error_names_a_number_out_of_bounds(name):
    low, high, _ = BOUNDS[name]
    table, key = name.split(".")
    for value in (low - 1, high + 1, "many", None, True):
        data = copy.deepcopy(DATA)
        data[table][key] = value
        with pytest.raises(BoardError) as error:
            check_numbers(data, BOARD)
        assert str(error.value).startswith(f"{name}: {value!r}, must be {low}")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_at("joint_colours", "Blue", "count", 7), ["Blue", "count 7", "has 6"]),
        (set_at("joint_colours", "Blue", "price", 450), ["Blue", "450"]),
        (set_at("joint_colours", "Blue", "price", 500), ["J10 Ambassadors' Club", "400", "500"]),
        (set_at("joint_colours", "Blue", "guard_dice", 40), ["Blue", "guard_dice 40"]),
        (set_at("guard_dice_overrides", {"Hotel Bell": 6}), ["Hotel Bell"]),
        (set_at("officers", 2, "dice", 0), ["officer 3", "dice 0"]),
        (set_at("officers", 9, "bribable", True), ["officer U", "false"]),
        (set_at("officers", 0, "id", "0"), ["officers", "1 to 9 and U"]),
        (set_at("publics", 1, "value", 0), ["public x1b", "value 0"]),
        (set_at("publics", 1, "chit", "x7"), ["public x1b", "'x7'"]),
        (set_at("trade", "cash_ladder", [100, 200]), ["trade.cash_ladder", "16"]),
        (set_at("start_money", "joint_allowance", 200), ["joint_allowance", "200 affords 0"]),
        (set_at("thug", "cost_step", 200), ["thug.cost_step", "racketeer.cost_step"]),
        (lambda data: data["joint_colours"].pop("Green"), ["Green", "missing"]),
        (lambda data: data.pop("win"), ["win", "missing"]),
    ],
)
def test_the_error_of_broken_numbers_says_where(change, words):
    data = copy.deepcopy(DATA)
    change(data)
    with pytest.raises(BoardError) as error:
        check_numbers(data, BOARD)
    for word in words:
        assert word in str(error.value)


def test_a_file_that_is_no_json_is_named(tmp_path):
    path = tmp_path / "gangsters_board.json"
    with pytest.raises(BoardError, match=r"gangsters_board\.json"):
        read(path)
    path.write_text('{"spaces": {,}}')
    with pytest.raises(BoardError, match=r"gangsters_board\.json.*line 1"):
        read(path)


def test_the_files_here_pass():
    check_board(json.loads(json.dumps(BOARD)))
    check_numbers(json.loads(json.dumps(DATA)), BOARD)
    assert NODE["J39"] == 139
