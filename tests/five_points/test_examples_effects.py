"""Worked examples: markers, buildings, moving tiles (FP-X03, X13 to X16, X35 to X42, X45)."""

from __future__ import annotations

import pytest

from .scenes import at_buildings, at_markers, bosses_on, legal, phase, play, rabble_on, seats


def cell_of(state, tile):
    return divmod(int(state.cell[tile]), 9)


@pytest.mark.rule("FP-X03", "FP-8.4", "FP-15.5")
def test_x03_adjacent_only():
    state = at_buildings(
        move_rule="adjacent_only",
        buildings="ZC@3,SW@16",
        rabble="3 0x2; 13 1x1",
    )
    assert legal(state) == ["skip", *(f"tile {t}" for t in range(17))]
    play(state, "tile 5")
    cells = {cell_of(state, t) for t in range(17)}
    beside = {(r + a, c + b) for r, c in cells for a, b in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    assert legal(state) == [f"cell r{r}c{c}" for r, c in sorted(beside - cells)]
    assert len(legal(state)) == 15


@pytest.mark.rule("FP-X13", "FP-6.2", "FP-6.3", "FP-6.4")
def test_x13_left_to_right_and_losers_get_their_bids_back():
    state = at_markers(
        rabble="5 0x1",
        hq={0: 4, 1: 2, 2: 3},
        row="V2 SE V1 V1",
        bids="0 0x3 2x2; 1 0x2 1x4",
    )
    assert seats(state, "flat_votes") == [2, 0, 0, 0, 0]
    assert (phase(state), state.seat) == ("SPECIAL", 1)
    assert legal(state) == [f"tile {t}" for t in range(17)]
    assert seats(state, "hq") == [6, 2, 5, 6, 6]
    assert seats(state, "boroughs") == [13, 18, 15, 14, 14]


@pytest.mark.rule("FP-X14", "FP-6.13", "FP-6.16")
def test_x14_strictly_most_tiles_of_a_colour():
    state = at_markers(
        buildings="SW@1,TA@16",
        rabble="0 0x1; 4 0x2 1x1; 8 1x2; 12 2x1 3x1",
        hq={0: 5},
        row="MJb V1 V1 V1",
        bids="0 0x1",
    )
    assert seats(state, "vp") == [4, 0, 0, 0, 0]
    assert bosses_on(state, 4) == [0]
    assert state.control.sum() == 1
    assert state.control[0, 0] == 1


@pytest.mark.rule("FP-X15", "FP-6.13")
def test_x15_a_tie_for_most_gives_nothing():
    state = at_markers(
        buildings="SW@1,TA@16",
        rabble="0 0x1; 4 1x3",
        hq={0: 5},
        row="MJb V1 V1 V1",
        bids="0 0x1",
    )
    assert seats(state, "vp") == [0] * 5
    assert bosses_on(state, 4) == [1]
    assert state.control[0].tolist() == [1, 0, 0, 0]


@pytest.mark.rule("FP-X16", "FP-6.15", "FP-6.16")
def test_x16_one_point_for_each_controlled_tile():
    state = at_markers(
        buildings="SW@1,TA@0",
        rabble="5 1x1 3x3; 7 3x1; 9 0x2 3x2; 16 3x1",
        bosses="11 3x1",
        hq={3: 4},
        row="V1 VC V1 V1",
        bids="1 3x2",
    )
    assert seats(state, "vp") == [0, 0, 0, 3, 0]
    assert (phase(state), state.seat) == ("ELECT", 4)
    assert legal(state) == ["tile 5", "tile 9"]


@pytest.mark.rule("FP-X35", "FP-7.2", "FP-7.4")
def test_x35_building_tie_and_board_of_elections():
    state = at_buildings(buildings="TH@0,BE@16", rabble="0 0x1 1x1; 16 2x2 3x1")
    assert seats(state, "vp") == [0, 0, 2, 0, 0]
    # The Theater brought nothing; the only rabble that came back is the boss's (FP-11.2).
    assert seats(state, "hq") == [6, 6, 7, 6, 6]
    assert bosses_on(state, 16) == [2]
    assert state.control.sum() == 0


@pytest.mark.rule("FP-X36", "FP-7.5", "FP-14.3")
def test_x36_newspaper_takes_the_last_marker():
    state = at_buildings(buildings="NP@1,SW@16", rabble="1 2x1", supply={"b": 1, "g": 0, "r": 0})
    assert (phase(state), state.seat) == ("CM_PICK", 2)
    assert legal(state) == ["colour b", "colour o"]
    play(state, "colour b")
    assert state.control[2].tolist() == [1, 0, 0, 0]
    assert bosses_on(state, 1) == [2]
    assert state.over


@pytest.mark.rule("FP-X37", "FP-7.6", "FP-7.7")
def test_x37_theater_and_mission_take_what_is_there():
    state = at_buildings(
        n=3,
        passed="012",
        buildings="TH@0,FM@9",
        rabble="0 0x2; 9 1x1",
        bosses="2 1x1; 3 1x1; 6 1x1",
        hq={0: 17, 1: 6, 2: 6},
    )
    assert bosses_on(state, 0) == [0]
    assert seats(state, "hq") == [19, 12, 6]
    assert seats(state, "boroughs") == [1, 7, 14]


@pytest.mark.rule("FP-X38", "FP-7.8", "FP-7.9", "FP-9.6")
def test_x38_polling_place_and_ward_offices_work_everywhere():
    state = at_buildings(buildings="PP@7,SW@13", rabble="7 0x1; 10 2x3 3x1; 13 1x1")
    assert bosses_on(state, 10) == [2]
    assert state.bosses.sum() == 1
    # With one rabble fewer, seat 1's two votes from its far tile tie seat 2.
    tied = at_buildings(buildings="PP@7,SW@13", rabble="7 0x1; 10 2x2 3x1; 13 1x1")
    assert bosses_on(tied, 10) == [1, 2]


@pytest.mark.rule("FP-X39", "FP-8.3", "FP-8.4", "FP-7.10")
def test_x39_legal_tiles_and_cells():
    state = at_buildings(buildings="ZC@3,SW@16", rabble="3 0x2; 13 1x1")
    assert state.seat == 0
    movable = [t for t in range(17) if t not in (4, 5, 6, 9, 10, 11)]
    assert legal(state) == ["skip", *(f"tile {t}" for t in movable)]
    assert len(movable) == 11
    play(state, "tile 13")
    assert phase(state) == "MT_CELL"
    assert len(legal(state)) == 13
    assert "cell r6c2" not in legal(state)
    assert "cell r5c2" not in legal(state)
    assert "cell r5c6" in legal(state)


@pytest.mark.rule("FP-X40", "FP-8.2", "FP-8.5")
def test_x40_contents_move_along_and_the_city_is_centred():
    state = at_buildings(
        "tile 13",
        "cell r1c5",
        buildings="ZC@3,SW@16",
        rabble="3 0x2; 13 1x1",
        bosses="13 2x1",
    )
    assert [cell_of(state, t) for t in (13, 0, 16)] == [(2, 5), (3, 3), (6, 5)]
    assert rabble_on(state, 13) == [0, 1, 0, 0, 0]
    assert bosses_on(state, 13) == [2]
    assert state.adjacent[13] == 1 << 2
    assert bosses_on(state, 3) == [0]


@pytest.mark.rule("FP-X41", "FP-6.11", "FP-7.2", "FP-7.4")
def test_x41_moving_a_building_before_it_acts():
    state = at_markers(
        buildings="TA@0,BE@16",
        rabble="5 0x1 2x2",
        hq={2: 4},
        row="MB V1 V1 V1",
        bids="0 2x2",
    )
    assert (state.seat, legal(state)) == (2, ["skip", "building 0", "building 1"])
    play(state, "building 1")
    assert legal(state) == [f"tile {t}" for t in range(1, 16)]
    play(state, "tile 5")
    assert state.building_tile.tolist() == [0, 5]
    assert seats(state, "vp") == [0, 0, 2, 0, 0]


@pytest.mark.rule("FP-X42", "FP-7.12")
def test_x42_smugglers_tunnel_changes_which_tile_votes():
    state = at_buildings(buildings="ST@12,TA@16", rabble="6 0x1 2x2; 9 0x2 3x1; 12 1x1")
    assert state.seat == 1
    assert sorted(legal(state)) == sorted(
        ["skip", "rabble 9/0", "rabble 9/3", "rabble 6/0", "rabble 6/2", "rabble 12/1"]
    )
    play(state, "rabble 9/0")
    assert legal(state) == [f"tile {t}" for t in range(17) if t != 9]
    play(state, "tile 6")
    assert bosses_on(state, 6) == [0, 2]
    assert rabble_on(state, 9) == [1, 0, 0, 1, 0]
    assert state.bosses.sum() == 2


@pytest.mark.rule("FP-X45", "FP-6.14", "FP-9.10")
def test_x45_two_special_elections_on_one_tile():
    state = at_markers(
        "tile 9",
        rabble="9 1x2; 10 4x1",
        hq={0: 5, 2: 5},
        row="SE SE V1 V1",
        bids="0 0x1; 1 2x1",
    )
    assert (phase(state), state.seat) == ("SPECIAL", 2)
    assert legal(state) == [f"tile {t}" for t in range(17)]
    play(state, "tile 9")
    assert bosses_on(state, 9) == [1]
    assert state.control[4].tolist() == [0, 0, 2, 0]
    assert bosses_on(state, 10) == [4]
    assert state.round_number == 3
