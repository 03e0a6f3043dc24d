"""Buildings (section 7)."""

from __future__ import annotations

import pytest

from gangland.envs.five_points.rules.buildings import building_in_turn
from gangland.envs.five_points.state import NONE

from .scenes import at_buildings, at_markers, bosses_on, legal, phase, play, rabble_on, seats


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
