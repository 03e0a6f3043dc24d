"""Overview, components, definitions (sections 1 and 2), and the data file."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from gangland.envs.five_points.data import (
    BUILDINGS,
    COLOURS,
    DATA_FILE,
    KINDS,
    MARKER_COLOUR,
    MARKER_KIND,
    SE,
    SET_SIZES,
    SETS,
    TABLES,
    V3,
    DataError,
    read_tables,
)
from gangland.envs.five_points.words.narration import leader_of

from .scenes import (
    GAME,
    at_buildings,
    at_elections,
    at_markers,
    bosses_on,
    legal,
    phase,
    random_game,
    seats,
)


@pytest.mark.rule("FP-1.1", "FP-1.2")
def test_elections_pay_winners_and_leaders_of_neighbours():
    state = at_elections(rabble="5 1x3; 6 0x1")
    assert bosses_on(state, 5) == [1]
    assert state.control[0].tolist() == [0, 0, 1, 0]
    assert state.control[1].sum() == 0


@pytest.mark.rule("FP-1.3")
def test_two_ways_to_win():
    bosses = "3 1x1; 8 1x1; 12 1x1; 14 1x1"
    at_once = at_elections(rabble="5 1x3", bosses=bosses, vp={0: 50})
    assert GAME.result(at_once).win_shares[1] == 1
    by_score = at_elections(rabble="5 2x3", bosses=bosses, vp={0: 50}, supply={"b": 0})
    assert GAME.result(by_score).win_shares[0] == 1


@pytest.mark.rule("FP-1.4", "FP-4.1")
def test_a_round_is_placement_then_election():
    """Marker effects precede buildings, these the special election, that the normal one."""
    state = at_markers(
        row="SE V1 V1 V1",
        bids="0 0x1",
        hq={0: 5},
        buildings="BE@5,TA@16",
        rabble="5 1x2; 9 2x1",
    )
    assert state.vp.sum() == 0
    GAME.apply(state, GAME.parse_action(state, "tile 9"))
    # The Board paid while seat 1 still led T5; only then T5 voted and was emptied.
    assert seats(state, "vp") == [0, 2, 0, 0, 0]
    assert bosses_on(state, 9) == [2]
    assert bosses_on(state, 5) == [1]
    assert GAME.phases[state.phase] == "PLACE"


@pytest.mark.rule("FP-1.5")
def test_leaders():
    state = at_markers(rabble="0 0x2 1x1; 1 0x1 1x1; 2 3x1", bosses="3 0x1", row="SE V1 V1 V1",
                       bids="0 0x1", hq={0: 5})  # fmt: skip
    assert [leader_of(state, tile) for tile in range(4)] == [0, -1, 3, -1]
    assert state.total[:4].tolist() == [3, 2, 1, 0]


@pytest.mark.rule("FP-1.5", "FP-6.16")
@pytest.mark.parametrize(
    ("rabble", "leader"),
    [
        ("5 3x1", 3),
        ("5 0x2 1x1", 0),
        ("5 0x1 4x2", 4),
        ("5 0x1 1x1", None),
        ("5 0x2 1x2 2x1", None),
        ("5 0x1 1x2 2x2", None),
        ("", None),
    ],
)
def test_only_a_sole_leader_controls_a_tile(rabble, leader):
    """Who is paid by the Board of Elections; bosses never count."""
    state = at_buildings(buildings="BE@5,TA@16", rabble=rabble, bosses="5 1x1 2x1")
    paid = [0] * 5
    if leader is not None:
        paid[leader] = 2
    assert seats(state, "vp") == paid


@pytest.mark.rule("FP-1.5")
def test_the_total_of_a_tile_is_all_its_rabble_and_the_last_passer_chooses():
    # T5 and T6 hold four each, whoever they belong to; T7 holds three and two bosses.
    scene = {"rabble": "5 0x4; 6 0x1 1x1 2x1 3x1; 7 4x3", "bosses": "7 1x1 2x1"}
    for passed in ("01234", "43210"):
        state = at_elections(passed=passed, **scene)
        assert (phase(state), state.seat) == ("ELECT", int(passed[-1]))
        assert legal(state) == ["tile 5", "tile 6"]


@pytest.mark.rule("FP-2.1")
def test_tiles_come_from_five_of_each_colour():
    counts = np.zeros((400, 4), int)
    for seed in range(400):
        state = GAME.new_state(seed)
        counts[seed] = np.bincount(state.colour[:17], minlength=4)
    assert counts.min() == 1 or counts.min() == 2
    assert counts.max() == 5
    assert COLOURS == "bgro"
    assert TABLES.colour_kinds == ("warehouse", "market", "factory", "pub")


@pytest.mark.rule("FP-2.2", "FP-2.3", "FP-2.4", "FP-2.5")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_pieces_are_conserved(players):
    for seed in range(6):
        for state in random_game(seed, players=players):
            n = state.num_seats
            held = state.rabble.sum(axis=0) + state.bids.sum(axis=0) + state.hq + state.boroughs
            assert held[:n].tolist() == [20] * n
            assert (state.control.sum(axis=0) + state.supply).tolist() == [12] * 4
            assert (state.bosses.sum(axis=0) == state.boss_count).all()
            assert state.boss_count.max() <= 5
            assert (state.vp >= 0).all()


@pytest.mark.rule("FP-2.5")
def test_victory_points_are_a_plain_number_without_limit():
    assert GAME.new_state(0).vp.tolist() == [0] * 5
    rich = at_buildings(buildings="BE@5,TA@16", rabble="5 2x1", vp={2: 9_998, 3: 9_999})
    assert seats(rich, "vp") == [0, 0, 10_000, 9_999, 0]
    for row, gained in (("VC", 2), ("MJb", 4)):
        bought = at_markers(
            row=f"{row} V1 V1 V1", bids="0 2x1", hq={2: 5}, vp={2: 9_998},
            rabble="0 2x1; 4 2x1", buildings="TA@3,BE@16",
        )  # fmt: skip
        assert bought.vp[2] == 9_998 + gained
    tied = at_elections(rabble="10 4x9; 9 2x1 3x1", vp={2: 9_999, 3: 9_998})
    assert seats(tied, "vp") == [0, 0, 10_000, 9_999, 0]
    end = at_elections(buildings="BE@0,SW@1", vp={2: 9_999}, supply={"b": 0})
    assert GAME.result(end).scores[2] == 9_999
    # They are gained, and spent on nothing.
    for seed in range(6):
        before = [0] * 5
        for state in random_game(seed):
            assert all(now >= then for now, then in zip(seats(state, "vp"), before, strict=True))
            before = seats(state, "vp")
        assert sum(before) > 0


@pytest.mark.rule("FP-2.6")
def test_every_building_can_be_one_of_the_two():
    assert BUILDINGS == ("BE", "NP", "TH", "FM", "PP", "SW", "ZC", "TA", "ST")
    pairs = np.array([GAME.new_state(seed).building for seed in range(300)])
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert set(pairs[:, 0]) == set(pairs[:, 1]) == set(range(9))


@pytest.mark.rule("FP-2.7", "FP-2.9", "FP-3.7", "FP-15.3")
def test_marker_sets():
    wanted = {
        "full24": "V1:3 V2:2 V3:4 VB:2 MT:2 MB:2 CM:2 MJ:4 SE:2 VC:1",
        "demo18": "V1:2 V2:1 V3:4 VB:1 MT:1 MB:1 CM:1 MJ:4 SE:2 VC:1",
    }
    for i, text in enumerate(wanted.values()):
        codes = SETS[i, : SET_SIZES[i]]
        kinds = [KINDS[k] for k in MARKER_KIND[codes]]
        assert {k: kinds.count(k) for k in KINDS} == {
            part.split(":")[0]: int(part.split(":")[1]) for part in text.split()
        }
        for coloured in ("V3", "MJ"):
            colours = MARKER_COLOUR[codes[[k == coloured for k in kinds]]]
            assert sorted(colours.tolist()) == [0, 1, 2, 3]
    assert SET_SIZES.tolist() == [24, 18]
    assert (MARKER_COLOUR[MARKER_KIND == SE] == -1).all()
    assert (MARKER_COLOUR[MARKER_KIND == V3] >= 0).all()


@pytest.mark.rule("FP-2.8")
def test_bookkeeping_pieces_are_state():
    state = at_markers(row="SE V1 V1 V1", bids="0 0x1", hq={0: 5}, passed="20134")
    text = GAME.position_text(state)
    assert " pass=2,0,1,3,4 " in text
    assert " start=0 " in text
    GAME.apply(state, GAME.parse_action(state, "tile 3"))


# --- the data file is checked when it is read -----------------------------------------------------

DATA = json.loads(DATA_FILE.read_text())


def edit(path, value):
    """The data with one entry changed."""
    data = copy.deepcopy(DATA)
    target = data
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return data


def test_the_file_as_it_is():
    tables = read_tables(DATA)
    assert len(tables.marker_names) == 16
    assert tables.tiles[3:].tolist() == [11, 14, 17]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("grid", "rows"), 8, "grid=(8, 9): must be (9, 9)"),
        (("colours", 0, "code"), "x", "colours='xgro'"),
        (("per_seat", "rabble"), 21, "per_seat.rabble=21: must be 20"),
        (("per_seat", "hq_after_setup"), 7, "per_seat.hq_after_setup"),
        (("buildings", 2, "code"), "XX", "buildings="),
        (("marker_kinds", 0, "code"), "V9", "marker_kinds="),
        (("marker_kinds", 0, "coloured"), True, "marker_kinds.V1.coloured=True"),
        (("marker_sets", "full24", 3), "V5", "marker_sets.full24[3]='V5': must be one of V1"),
        (("marker_sets", "demo18"), ["V1"], "marker_sets.demo18: 1 markers"),
        (("layouts", "3", "tiles"), 12, "layouts.3.tiles=12: must be 11"),
        (("layouts", "4", "cells_by_tile_id", 2), [2, 9], "layouts.4: cell [2, 9]"),
        (("layouts", "4", "cells_by_tile_id", 2), [2, 2], "layouts.4: cell [2, 2] is given twice"),
        (("layouts", "5", "cells_by_tile_id", 0), [1, 3], "layouts.5: smallest row"),
        (("pass_income", "4"), [6, 5, 4], "pass_income.4=[6, 5, 4]: must be 4 numbers"),
        (("pass_income", "3", 0), 40, "pass_income.3"),
        (("markers_in_row",), 5, "markers_in_row=5: must be 4"),
    ],
)
def test_errors_name_the_entry(path, value, message):
    with pytest.raises(DataError) as error:
        read_tables(edit(path, value))
    assert message in str(error.value)
