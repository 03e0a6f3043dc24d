"""Worked examples: rounds, elections, control markers, the end of the game.

Setup, placement and the course of a round (FP-X01, X02, X04 to X12, X43, X44); the others (FP-X17
to X34).
"""

from __future__ import annotations

import pytest

from gangland.envs.core.errors import OptionError

from .scenes import GAME, at_elections, at_turn, bosses_on, legal, phase, play, rabble_on, seats


@pytest.mark.rule("FP-X01", "FP-3.1", "FP-3.5", "FP-3.6")
def test_x01_setup_with_five_seats():
    state = GAME.new_state(3, start_seat=3)
    assert phase(state) == "SETUP"
    assert state.seat == 3
    play(state, "tile 10")
    assert legal(state) == [f"tile {t}" for t in range(17) if t not in (10, 5, 9, 11, 15)]
    assert len(legal(state)) == 12
    play(state, "tile 0")
    assert [state.total[t] for t in range(17)] == [int(t not in (0, 10)) for t in range(17)]
    assert state.rabble.sum(axis=0).tolist() == [3] * 5
    assert seats(state, "hq") == [6] * 5
    assert seats(state, "boroughs") == [11] * 5
    assert "??" not in GAME.position_text(state)
    assert (phase(state), state.seat) == ("PLACE", 3)
    assert len(legal(state)) == 18


@pytest.mark.rule("FP-X02", "FP-15.6")
def test_x02_neighbouring_buildings_allowed():
    state = play(GAME.new_state(3, start_seat=3, adjacent_buildings="allow"), "tile 10")
    assert legal(state) == [f"tile {t}" for t in range(17) if t != 10]


@pytest.mark.rule("FP-X04", "FP-15.9")
@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("players", 9, "3..5"),
        ("players", 2, "3..5"),
        ("control_markers", 3, "4..20"),
        ("marker_set", "full", "full24 or demo18"),
        ("max_rounds", 0, "1..200"),
        ("start_seat", 5, "random or 0..4"),
        ("dice", 5, "players, control_markers"),
    ],
)
def test_x04_invalid_options(option, value, allowed):
    with pytest.raises(OptionError) as error:
        GAME.new_state(0, **{option: value})
    message = str(error.value)
    assert f"{option}={value!r}" in message
    assert allowed in message


@pytest.mark.rule("FP-X05", "FP-5.2", "FP-5.4", "FP-5.5")
def test_x05_placing_then_the_bid_menu():
    state = at_turn("place 5")
    assert (phase(state), state.seat, state.hq[0]) == ("BID", 0, 5)
    assert rabble_on(state, 5) == [1, 0, 0, 0, 0]
    bids = [f"bid {m}+{k}" for m in range(4) for k in range(1, 6)]
    assert legal(state) == ["nobid", *bids]
    assert len(legal(state)) == 21


@pytest.mark.rule("FP-X06", "FP-5.5")
def test_x06_minimum_bid_against_a_leader():
    state = at_turn("place 8", hq={2: 3}, bids="1 2x3")
    bids = [f"bid {m}+{k}" for m in range(4) for k in range(1, 6) if m != 1 or k > 3]
    assert legal(state) == ["nobid", *bids]
    assert len(legal(state)) == 18


@pytest.mark.rule("FP-X07", "FP-5.5", "FP-5.7")
def test_x07_retaking_the_lead():
    state = at_turn("place 3", hq={0: 5, 4: 3}, bids="2 0x2 4x3")
    assert [text for text in legal(state) if "2+" in text] == ["bid 2+2", "bid 2+3", "bid 2+4"]
    play(state, "bid 2+2")
    assert (state.bids[2, 0], state.hq[0]) == (4, 2)
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-X08", "FP-5.7")
def test_x08_a_leader_raises_himself():
    state = at_turn("place 3", "bid 0+1", hq={0: 3, 1: 5}, bids="0 0x3 1x1")
    assert (state.bids[0, 0], state.hq[0]) == (4, 1)
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-X09", "FP-4.3", "FP-5.4", "FP-16.3")
def test_x09_bid_decision_skipped():
    state = at_turn("place 4", hq={0: 1})
    assert state.hq[0] == 0
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-X10", "FP-5.10", "FP-16.2")
def test_x10_forced_pass():
    state = at_turn(hq={0: 0})
    assert state.pass_order[: state.num_passed].tolist() == [0]
    assert (phase(state), state.seat) == ("PLACE", 1)


@pytest.mark.rule("FP-X11", "FP-5.11", "FP-5.12", "FP-6.3", "FP-9.8", "FP-11.2", "FP-11.5")
def test_x11_extra_turn_income_and_end_of_round():
    state = at_turn(
        "place 3", n=3, buildings="BE@0,TA@10", hq={0: 2, 1: 3, 2: 4}, passed="01", actor=2
    )
    assert (phase(state), state.seat) == ("BID", 2)
    play(state, "bid 0+1")
    assert bosses_on(state, 3) == [2]
    assert state.total[3] == 0
    assert state.supply.tolist() == [12] * 4
    assert (phase(state), state.seat, state.round_number, state.start) == ("PLACE", 1, 3, 1)
    assert seats(state, "hq") == [8, 7, 5]
    assert seats(state, "boroughs") == [12, 13, 15]


@pytest.mark.rule("FP-X12", "FP-5.13", "FP-11.2")
def test_x12_income_limited_by_the_boroughs():
    state = at_turn(
        "pass",
        n=3,
        buildings="BE@0,TA@10",
        rabble="5 0x7; 6 0x2",
        hq={0: 8, 1: 9, 2: 10},
        passed="01",
        actor=2,
    )
    assert bosses_on(state, 5) == [0]
    assert state.control[0].tolist() == [0, 0, 1, 0]
    assert seats(state, "hq") == [12, 13, 12]
    assert seats(state, "boroughs") == [6, 7, 8]


@pytest.mark.rule("FP-X43", "FP-9.5", "FP-16.6")
def test_x43_no_rabble_on_the_board():
    state = at_elections()
    assert (phase(state), state.round_number, state.seat) == ("PLACE", 3, 1)
    assert seats(state, "hq") == [6] * 5
    assert state.bosses.sum() == 0


@pytest.mark.rule("FP-X44", "FP-14.9", "FP-16.7")
def test_x44_round_cap():
    state = at_elections(rabble="3 0x1", round_number=30)
    result = GAME.result(state)
    assert result.capped
    assert result.scores == (5, 0, 0, 0, 0)
    assert result.places[0] == 1
    assert result.rewards == (1, -0.25, -0.25, -0.25, -0.25)


# --- elections ------------------------------------------------------------------------------------


@pytest.mark.rule("FP-X17", "FP-6.8", "FP-6.9", "FP-9.6")
def test_x17_boss_votes_are_counted_at_every_election():
    state = at_elections(
        "tile 5", rabble="5 0x1 1x4; 10 0x2 1x3", bosses="5 0x1; 7 0x1; 8 1x1", vb={0: 1}
    )
    assert bosses_on(state, 5) == [1]
    assert bosses_on(state, 10) == [0, 1]
    assert seats(state, "boss_count") == [2, 3, 0, 0, 0]


@pytest.mark.rule("FP-X18", "FP-6.7", "FP-9.6")
def test_x18_colour_votes_without_rabble():
    state = at_elections(rabble="6 0x2 1x1", v3={2: "r"})
    assert bosses_on(state, 6) == [2]
    assert rabble_on(state, 6) == [0] * 5
    assert seats(state, "boroughs") == [14, 14, 13, 14, 14]
    # The same marker in another colour is worth nothing here.
    assert bosses_on(at_elections(rabble="6 0x2 1x1", v3={2: "b"}), 6) == [0]


@pytest.mark.rule("FP-X19", "FP-9.1", "FP-9.2", "FP-10.2")
def test_x19_special_election_first():
    state = at_elections(rabble="6 1x4; 9 0x3 1x2; 10 2x1", special=[9])
    assert bosses_on(state, 9) == [0]
    assert bosses_on(state, 6) == [1]
    assert state.control[2].tolist() == [0, 0, 1, 0]
    assert state.control.sum() == 1


@pytest.mark.rule("FP-X20", "FP-9.10", "FP-10.1")
def test_x20_special_election_without_votes():
    state = at_elections(rabble="10 2x1", bosses="9 3x1", special=[9])
    assert bosses_on(state, 9) == [3]
    assert bosses_on(state, 10) == [2]
    assert state.control[2].tolist() == [0, 0, 1, 0]
    assert state.control.sum() == 1


@pytest.mark.rule("FP-X21", "FP-9.6", "FP-9.7", "FP-9.8")
def test_x21_special_election_by_bonus_votes_alone():
    state = at_elections(rabble="16 2x1", bosses="9 3x1", flat={4: 1}, special=[9])
    assert bosses_on(state, 9) == [4]
    assert bosses_on(state, 16) == [2, 4]
    assert seats(state, "boss_count") == [0, 0, 1, 0, 2]


@pytest.mark.rule("FP-X22", "FP-9.3", "FP-9.4")
def test_x22_three_tiles_tied():
    state = at_elections(rabble="3 0x2; 10 1x2; 14 2x2", passed="40123")
    assert (phase(state), state.seat) == ("ELECT", 3)
    assert legal(state) == ["tile 3", "tile 10", "tile 14"]
    play(state, "tile 14")
    assert (state.seat, legal(state)) == (3, ["tile 3", "tile 10"])
    play(state, "tile 3")
    assert [bosses_on(state, t) for t in (14, 3, 10)] == [[2], [0], []]
    assert rabble_on(state, 10) == [0, 2, 0, 0, 0]


@pytest.mark.rule("FP-X23", "FP-9.11", "FP-15.4")
def test_x23_no_limit_after_round_one():
    scene = {
        "rabble": "3 0x2; 10 1x2; 14 2x2",
        "passed": "40123",
        "election_limit": "first_round_only",
    }
    state = at_elections("tile 14", "tile 3", **scene)
    assert [bosses_on(state, t) for t in (14, 3, 10)] == [[2], [0], [1]]
    first = at_elections("tile 14", "tile 3", round_number=1, **scene)
    assert [bosses_on(first, t) for t in (14, 3, 10)] == [[2], [0], []]


@pytest.mark.rule("FP-X24", "FP-9.7", "FP-9.8")
def test_x24_tied_winners_all_place_a_boss():
    state = at_elections(rabble="5 0x2 2x2 3x1 4x2", bosses="5 1x1")
    assert bosses_on(state, 5) == [0, 2, 4]
    assert state.total[5] == 0


@pytest.mark.rule("FP-X25", "FP-9.9", "FP-14.1")
def test_x25_a_boss_replaced_by_the_same_owner():
    state = at_elections(rabble="5 1x3", bosses="3 1x1; 5 1x1; 8 1x1; 12 1x1")
    assert bosses_on(state, 5) == [1]
    assert state.boss_count[1] == 4
    assert (state.over, state.round_number) == (0, 3)


@pytest.mark.rule("FP-X26", "FP-14.1", "FP-9.9", "FP-10.7")
def test_x26_instant_win_stops_everything():
    state = at_elections(
        "tile 5",
        rabble="5 1x3; 6 0x1; 16 2x3",
        bosses="3 1x1; 8 1x1; 12 1x1; 14 1x1",
        vp={0: 30},
    )
    result = GAME.result(state)
    assert result.places[1] == 1
    assert result.win_shares == (0, 1, 0, 0, 0)
    assert state.control.sum() == 0
    assert bosses_on(state, 16) == []
    assert result.scores == (30, 25, 5, 0, 0)  # seat 2 leads Tammany Hall on T16


@pytest.mark.rule("FP-X27", "FP-14.2")
def test_x27_two_fifth_bosses_in_one_election():
    state = at_elections(
        buildings="BE@1,SW@10",
        rabble="5 1x2 3x2",
        bosses="0 3x1; 2 3x1; 3 1x1; 7 3x1; 8 1x1; 12 1x1; 14 1x1; 16 3x1",
        vp={3: 2},
    )
    assert bosses_on(state, 5) == [1, 3]
    result = GAME.result(state)
    assert result.scores == (0, 25, 0, 27, 0)
    assert result.win_shares == (0, 0, 0, 1, 0)


@pytest.mark.rule("FP-X28", "FP-10.2", "FP-10.3", "FP-10.4")
def test_x28_sole_leader_tie_empty():
    state = at_elections(rabble="5 1x5; 6 0x2 4x1; 10 2x1 3x1")
    assert bosses_on(state, 5) == [1]
    assert state.control[0].tolist() == [0, 0, 1, 0]
    assert state.control.sum() == 1
    assert seats(state, "vp") == [0, 0, 1, 1, 0]
    assert state.supply.tolist() == [12, 12, 11, 12]


@pytest.mark.rule("FP-X29", "FP-10.6", "FP-14.3")
def test_x29_two_claims_on_the_last_marker():
    state = at_elections(rabble="5 1x5; 6 0x2; 10 3x2 4x1", supply={"r": 1})
    assert state.control[3].tolist() == [0, 0, 1, 0]
    assert state.control[0].sum() == 0
    assert state.supply[2] == 0
    assert state.over


@pytest.mark.rule("FP-X30", "FP-10.6")
def test_x30_equal_rabble_earlier_passer():
    state = at_elections(rabble="5 1x5; 6 0x2; 10 3x2", supply={"r": 1}, passed="20134")
    assert state.control[0].tolist() == [0, 0, 1, 0]
    assert state.control[3].sum() == 0


@pytest.mark.rule("FP-X31", "FP-14.3", "FP-14.5")
def test_x31_final_scoring_with_sets():
    state = at_elections(
        rabble="3 2x1",
        bosses="5 0x1; 6 0x1; 7 1x1",
        vp={0: 2, 1: 1, 4: 3},
        control={0: "1211", 1: "0320", 2: "0004"},
        supply={"g": 0},
    )
    result = GAME.result(state)
    assert result.scores == (27, 16, 13, 0, 3)
    assert result.places == (1, 2, 3, 5, 4)
    assert not result.capped


@pytest.mark.rule("FP-X32", "FP-14.5")
def test_x32_one_marker_of_each_colour():
    state = at_elections(rabble="3 2x1", control={4: "1111"}, supply={"b": 0})
    result = GAME.result(state)
    assert result.scores == (0, 0, 5, 0, 13)
    assert result.win_shares == (0, 0, 0, 0, 1)


@pytest.mark.rule("FP-X33", "FP-14.3")
def test_x33_every_tile_has_a_boss():
    state = at_elections(
        buildings="BE@0,SW@1",
        rabble="11 2x1; 16 4x2",
        bosses="0 0x1; 1 0x1; 2 0x1; 3 0x1; 4 1x1; 5 1x1; 6 1x1; 7 2x1; 8 2x1; 9 2x1; 10 2x1; "
        "11 3x1; 12 3x1; 13 3x1; 14 3x1; 15 4x1",
        vp={2: 1},
    )
    assert state.control[2].tolist() == [0, 0, 0, 1]
    result = GAME.result(state)
    assert result.scores == (20, 15, 23, 20, 10)
    assert result.win_shares == (0, 0, 1, 0, 0)


@pytest.mark.rule("FP-X34", "FP-14.5", "FP-14.6", "FP-14.7", "FP-7.11")
def test_x34_tammany_hall_and_the_tie_break():
    state = at_elections(buildings="BE@0,TA@15", rabble="3 0x2; 15 1x1", supply={"r": 0})
    result = GAME.result(state)
    assert result.scores == (5, 5, 0, 0, 0)
    assert result.places == (1, 2, 3, 3, 3)
