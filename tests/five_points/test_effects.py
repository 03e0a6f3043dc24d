"""Manipulation markers and buildings (sections 6 and 7)."""

from __future__ import annotations

import pytest

from gangland.envs.five_points.rules.buildings import building_in_turn
from gangland.envs.five_points.state import NONE

from .scenes import (
    GAME,
    at_buildings,
    at_markers,
    at_turn,
    bosses_on,
    legal,
    phase,
    play,
    rabble_on,
    seats,
)

# --- markers --------------------------------------------------------------------------------------

FOUR = "V1 V2 V3r VB"


@pytest.mark.rule("FP-6.1")
def test_markers_follow_the_income():
    """The winner's bid goes to his boroughs after the income, which cannot bring it back."""
    state = at_turn("pass", actor=4, passed="0123", bids="0 0x14", hq={0: 6}, row="SE V1 V1 V1")
    assert phase(state) == "SPECIAL"
    # Boroughs were empty at the income.
    assert (state.hq[0], state.boroughs[0]) == (6, 14)


@pytest.mark.rule("FP-6.2", "FP-6.5")
def test_effects_of_several_markers_add_up_in_order():
    state = at_markers(
        row="V1 V2 V1 SE",
        bids="0 1x1; 1 1x1; 2 1x1; 3 2x1",
        hq={1: 3, 2: 5},
        rabble="4 0x4",
    )
    assert (phase(state), state.seat) == ("SPECIAL", 2)
    assert seats(state, "flat_votes") == [0, 4, 0, 0, 0]
    play(state, "tile 4")
    assert bosses_on(state, 4) == [0, 1]
    assert seats(state, "flat_votes") == [0] * 5


@pytest.mark.rule("FP-6.3")
def test_settlement():
    state = at_markers(row="SE V1 V1 V1", bids="0 0x2 1x5 4x1", hq={0: 3, 1: 3, 4: 3})
    assert state.seat == 1
    assert seats(state, "hq") == [5, 3, 6, 6, 4]
    assert seats(state, "boroughs") == [15, 17, 14, 14, 16]
    assert state.bids.sum() == 0


@pytest.mark.rule("FP-6.4")
def test_without_bids_nothing_happens():
    state = at_markers(row="SE VC MJb CM", rabble="1 0x1")
    assert seats(state, "vp") == [0] * 5
    assert bosses_on(state, 1) == [0]
    assert state.control.sum() == 0
    assert state.round_number == 3


@pytest.mark.rule("FP-6.6")
@pytest.mark.parametrize(("code", "won"), [("V1", [0, 1]), ("V2", [1])])
def test_flat_votes_in_every_election(code, won):
    state = at_markers(
        "tile 2", row=f"{code} SE V1 V1", bids="0 1x1; 1 1x1", hq={1: 4}, rabble="2 0x1; 9 0x1"
    )
    assert bosses_on(state, 2) == won
    assert bosses_on(state, 9) == won


@pytest.mark.rule("FP-6.7")
def test_colour_votes():
    state = at_markers(row="V3g V1 V1 V1", bids="0 2x1", hq={2: 5}, rabble="9 0x3; 5 0x2")
    assert bosses_on(state, 9) == [0, 2]
    other = at_markers(row="V3b V1 V1 V1", bids="0 2x1", hq={2: 5}, rabble="9 0x3; 5 0x2")
    assert bosses_on(other, 9) == [0]


@pytest.mark.rule("FP-6.8", "FP-6.9")
def test_boss_votes_count_bosses_anywhere():
    state = at_markers(
        row="VB V1 V1 V1", bids="0 2x1", hq={2: 5}, rabble="9 0x2", bosses="9 2x1; 1 2x1"
    )
    assert bosses_on(state, 9) == [0, 2]
    # In stock they do not count.
    none = at_markers(row="VB V1 V1 V1", bids="0 2x1", hq={2: 5}, rabble="9 0x2")
    assert bosses_on(none, 9) == [0]


@pytest.mark.rule("FP-6.10", "FP-6.17")
def test_moving_a_tile_is_optional():
    scene = {"row": "MT V1 V1 V1", "bids": "0 2x1", "hq": {2: 5}, "rabble": "9 0x2"}
    state = at_markers(**scene)
    assert phase(state) == "MT_TILE"
    cells = state.cell.copy()
    play(state, "skip")
    assert (state.cell == cells).all()
    assert bosses_on(state, 9) == [0]
    moved = at_markers("tile 0", "cell r1c4", **scene)
    assert (moved.cell != cells).any()


@pytest.mark.rule("FP-6.11", "FP-6.17")
def test_moving_a_building_is_optional_and_may_touch_the_other():
    scene = {"row": "MB V1 V1 V1", "bids": "0 2x1", "hq": {2: 5}}
    assert at_markers("skip", **scene).building_tile.tolist() == [0, 16]
    # T1 is a neighbour of T0: the ban is a rule of the setup only.
    assert at_markers("building 1", "tile 1", **scene).building_tile.tolist() == [0, 1]
    assert legal(at_markers("building 1", **scene)) == [f"tile {t}" for t in range(1, 16)]


@pytest.mark.rule("FP-6.12", "FP-16.1")
def test_taking_a_control_marker_is_mandatory():
    state = at_markers(row="CM V1 V1 V1", bids="0 2x1", hq={2: 5}, supply={"g": 0})
    assert (phase(state), legal(state)) == ("CM_PICK", ["colour b", "colour r", "colour o"])
    play(state, "colour o")
    assert state.control[2].tolist() == [0, 0, 0, 1]
    assert state.supply[3] == 11


@pytest.mark.rule("FP-6.12", "FP-16.1", "FP-4.3")
def test_the_last_colour_is_taken_without_asking():
    supply = {"g": 0, "b": 0, "r": 0, "o": 2}
    state = at_markers(
        row="CM SE V1 V1", bids="0 2x1; 1 3x1", hq={2: 5, 3: 5}, supply=supply, rabble="4 0x4"
    )
    assert state.control[2].tolist() == [0, 0, 0, 1]
    assert state.supply[3] == 1
    assert (phase(state), state.seat) == ("SPECIAL", 3)  # the marker after it, of another winner


@pytest.mark.rule("FP-6.1", "FP-4.1")
def test_after_a_choice_the_next_marker_follows_and_no_second_income():
    state = at_markers(row="SE V1 V1 SE", bids="0 0x2; 3 1x1", hq={0: 3, 1: 3}, rabble="4 0x4")
    before = state.hq[0], state.boroughs[0]
    play(state, "tile 4")
    assert (phase(state), state.seat) == ("SPECIAL", 1)
    assert (state.hq[0], state.boroughs[0]) == before


@pytest.mark.rule("FP-6.13")
@pytest.mark.parametrize(
    ("rabble", "points"),
    [("0 2x1", 4), ("0 2x1; 4 2x1; 8 1x5", 4), ("0 2x1; 4 1x1", 0), ("1 2x1", 0), ("0 1x1", 0)],
)
def test_majority(rabble, points):
    state = at_markers(
        row="MJb SE V1 V1", bids="0 2x1; 1 0x1", hq={0: 5, 2: 5}, rabble=rabble,
        buildings="TA@3,BE@16",
    )  # fmt: skip
    assert state.vp[2] == points


@pytest.mark.rule("FP-6.14")
def test_special_election_on_any_tile():
    state = at_markers(row="SE V1 V1 V1", bids="0 2x1", hq={2: 5}, rabble="9 0x2")
    assert legal(state) == [f"tile {t}" for t in range(17)]
    play(state, "tile 9")
    assert bosses_on(state, 9) == [0]


@pytest.mark.rule("FP-6.14", "FP-9.1")
def test_two_special_elections_on_one_tile_are_held_in_turn():
    scene = {"row": "SE SE V1 V1", "bids": "0 2x1; 1 3x1", "hq": {2: 5, 3: 5}}
    state = at_markers("tile 9", "tile 9", rabble="9 0x2; 10 1x1", **scene)
    # The first empties T9, the second has no winner; each pays the leader of the neighbour T10.
    assert bosses_on(state, 9) == [0]
    assert state.control[1].tolist() == [0, 0, 2, 0]


@pytest.mark.rule("FP-6.15", "FP-6.16")
def test_points_for_controlled_tiles_when_resolved():
    state = at_markers(
        row="VC SE V1 V1", bids="0 2x1; 1 0x1", hq={0: 5, 2: 5},
        rabble="1 2x1; 2 2x2 1x1; 3 2x1 1x1", bosses="5 2x1",
    )  # fmt: skip
    assert phase(state) == "SPECIAL"
    assert seats(state, "vp") == [0, 0, 2, 0, 0]


@pytest.mark.rule("FP-6.17")
def test_only_four_effects_may_be_declined():
    declinable = set()
    for row, phase_name in (
        ("MT", "MT_TILE"),
        ("MB", "MB_PICK"),
        ("CM", "CM_PICK"),
        ("SE", "SPECIAL"),
    ):
        state = at_markers(row=f"{row} V1 V1 V1", bids="0 2x1", hq={2: 5})
        assert phase(state) == phase_name
        if "skip" in legal(state):
            declinable.add(row)
    for building, phase_name in (("NP", "CM_PICK"), ("ZC", "MT_TILE"), ("ST", "ST_PICK")):
        state = at_buildings(buildings=f"{building}@3,TA@16", rabble="3 4x1")
        assert phase(state) == phase_name
        if "skip" in legal(state):
            declinable.add(building)
    assert declinable == {"MT", "MB", "ZC", "ST"}
    # The others happen without a question.
    for row in ("V1", "V2", "V3b", "VB", "MJb", "VC"):
        state = at_markers(row=f"{row} V1 V1 V1", bids="0 2x1", hq={2: 5}, rabble="0 2x1")
        assert (phase(state), state.round_number) == ("PLACE", 3)
    for building in ("BE", "TH", "FM", "PP", "SW"):
        state = at_buildings(buildings=f"{building}@3,TA@16", rabble="3 4x1")
        assert (phase(state), state.round_number) == ("PLACE", 3)
    assert rabble_on(state, 0) == [0] * 5
    assert GAME.action_text(state, 2) == "skip"


# --- buildings ------------------------------------------------------------------------------------


@pytest.mark.rule("FP-7.1")
def test_buildings_follow_all_markers():
    """M3 moves the Board to seat 2's tile before it pays."""
    state = at_markers(
        "building 0", "tile 5", row="V1 V1 V1 MB", bids="3 2x1", hq={2: 5}, rabble="0 1x1; 5 2x1"
    )
    assert seats(state, "vp") == [0, 0, 2, 0, 0]


@pytest.mark.rule("FP-7.2")
@pytest.mark.parametrize(("rabble", "points"), [("0 1x2 2x1", 2), ("0 1x1 2x1", 0), ("", 0)])
def test_only_a_sole_leader_uses_a_building(rabble, points):
    state = at_buildings(buildings="BE@0,TA@16", rabble=rabble, bosses="0 3x1")
    assert state.vp.sum() == points


@pytest.mark.rule("FP-7.3")
def test_order_by_passing_and_tunnel_last():
    scene = {"rabble": "0 1x1; 16 2x1", "buildings": "NP@0,ZC@16"}
    assert at_buildings(passed="01234", **scene).seat == 1
    state = at_buildings(passed="02134", **scene)
    assert (phase(state), state.seat) == ("MT_TILE", 2)
    play(state, "skip")
    assert (phase(state), state.seat) == ("CM_PICK", 1)
    tunnel = at_buildings(passed="02134", rabble="0 1x1; 16 2x1", buildings="NP@0,ST@16")
    assert (phase(tunnel), tunnel.seat) == ("CM_PICK", 1)
    play(tunnel, "colour b")
    assert (phase(tunnel), tunnel.seat) == ("ST_PICK", 2)
    # One seat uses both: the lower index first.
    both = at_buildings(rabble="0 1x1; 16 1x1", buildings="ZC@0,NP@16")
    assert phase(both) == "MT_TILE"
    assert [building_in_turn(both, turn) for turn in (0, 1)] == [0, 1]


@pytest.mark.rule("FP-7.4")
def test_board_of_elections():
    assert at_buildings(buildings="BE@3,TA@16", rabble="3 4x1").vp[4] == 2


@pytest.mark.rule("FP-7.5", "FP-16.1")
def test_newspaper():
    state = at_buildings(buildings="NP@3,TA@16", rabble="3 4x1")
    assert legal(state) == [f"colour {c}" for c in "bgro"]
    play(state, "colour g")
    assert state.control[4].tolist() == [0, 1, 0, 0]
    none = at_buildings(buildings="NP@3,TA@16", rabble="3 4x1", supply=dict.fromkeys("bgro", 0))
    assert none.over
    assert none.control.sum() == 0


@pytest.mark.rule("FP-7.6")
def test_theater_brings_two_rabble():
    state = at_buildings(buildings="TH@3,TA@16", rabble="3 4x1; 7 0x2")
    assert state.hq[4] == 8


@pytest.mark.rule("FP-7.7")
def test_mission_brings_one_for_each_boss():
    state = at_buildings(
        buildings="FM@3,TA@16", rabble="3 4x1; 7 0x2", bosses="1 4x1; 2 4x1; 5 4x1"
    )
    # Three by the Mission, three at the end of the round.
    assert state.hq[4] == 12


@pytest.mark.rule("FP-7.8", "FP-7.9", "FP-7.13")
@pytest.mark.parametrize(("code", "won"), [("PP", [0, 4]), ("SW", [4])])
def test_votes_stay_when_the_tile_changes_hands(code, won):
    """The Tunnel takes the leader's only rabble away after the votes have been given."""
    state = at_buildings(buildings=f"{code}@3,ST@16", rabble="3 4x1; 7 0x1 1x1 2x1; 16 1x1")
    assert (phase(state), state.seat) == ("ST_PICK", 1)
    play(state, "rabble 3/4", "tile 12")
    assert rabble_on(state, 3) == [0] * 5
    # T7 (three rabble) votes: one vote each for 0, 1, 2 and the building's for 4.
    assert bosses_on(state, 7) == ([0, 1, 2, 4] if won == [0, 4] else [4])
    assert state.building_tile.tolist() == [3, 16]


@pytest.mark.rule("FP-7.10", "FP-16.4")
def test_zoning_commission_is_optional():
    state = at_buildings(buildings="ZC@3,TA@16", rabble="3 4x1")
    assert (phase(state), state.seat, "skip" in legal(state)) == ("MT_TILE", 4, True)


@pytest.mark.rule("FP-7.11")
def test_tammany_hall_does_nothing_in_play():
    state = at_buildings(buildings="BE@3,TA@16", rabble="16 4x1")
    assert state.round_number == 3
    assert (state.vp.sum(), state.hq[4]) == (0, 7)


@pytest.mark.rule("FP-7.12", "FP-6.17")
def test_tunnel_moves_any_rabble_anywhere():
    state = at_buildings(buildings="TA@0,ST@12", rabble="6 0x2; 12 1x1")
    assert legal(state) == ["skip", "rabble 6/0", "rabble 12/1"]
    declined = at_buildings("skip", buildings="TA@0,ST@12", rabble="6 0x2; 12 1x1")
    assert bosses_on(declined, 6) == [0]
    play(state, "rabble 6/0")
    assert state.rabble[6, 0] == 2
    assert legal(state) == [f"tile {tile}" for tile in range(17) if tile != 6]
    play(state, "tile 2")
    # T6, T2 and T12 are tied now.
    assert (phase(state), state.total[[2, 6, 12]].tolist()) == ("ELECT", [1, 1, 1])
    # Nothing is left of the choice.
    assert (state.picked, state.picked_seat) == (NONE, NONE)


@pytest.mark.rule("FP-7.13")
def test_buildings_stay_through_elections():
    state = at_buildings(buildings="BE@3,TA@16", rabble="3 4x3", bosses="3 1x1")
    assert state.building_tile.tolist() == [3, 16]
    assert bosses_on(state, 3) == [4]
