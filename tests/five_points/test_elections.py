"""Elections and control markers (sections 9 and 10)."""

from __future__ import annotations

import pytest

from gangland.envs.five_points.data import MARKER_KIND, SE

from .scenes import GAME, at_elections, at_markers, bosses_on, legal, phase, play, rabble_on, seats


@pytest.mark.rule("FP-9.1")
def test_specials_come_first_in_order_and_beyond_the_limit():
    state = at_elections(
        "tile 5", rabble="5 0x3; 14 1x3; 9 2x1; 10 3x1", special=[10, 9], passed="01234"
    )
    assert [bosses_on(state, t) for t in (10, 9, 5, 14)] == [[3], [2], [0], [1]]
    # T10 voted first, while seat 2 still led its neighbour T9; T9 then had no such neighbour.
    assert state.control[2, 1] == 1
    assert state.control[3].sum() == 0


@pytest.mark.rule("FP-9.1", "FP-6.14")
def test_a_special_election_in_each_of_two_rounds():
    state = at_markers("tile 9", row="SE V1 V2 CM", bids="0 0x1", rabble="14 0x3; 5 0x2; 9 1x1")
    assert (phase(state), state.round_number) == ("PLACE", 3)
    assert bosses_on(state, 9) == [1]
    state.row[0] = MARKER_KIND.tolist().index(SE)
    play(state, "place 10", "bid 0+1", *["pass"] * 5)
    assert (phase(state), state.seat) == ("SPECIAL", 1)
    play(state, "tile 10")
    assert state.round_number == 4
    # T10 votes though T5 holds more.
    assert bosses_on(state, 10) == [1]
    assert bosses_on(state, 5) == [0]


@pytest.mark.rule("FP-9.2")
def test_totals_after_the_special_elections_without_bonus_votes():
    state = at_elections(rabble="5 0x4; 9 1x2 2x1; 14 3x2", special=[5], flat={3: 3})
    # T5 held the most but was emptied; T9 (3) beats T14 (2), whatever seat 3's bonus.
    assert bosses_on(state, 9) == [3]
    assert rabble_on(state, 14) == [0, 0, 0, 2, 0]


@pytest.mark.rule("FP-9.3", "FP-9.4")
def test_two_tied_tiles_both_vote_in_the_chosen_order():
    scene = {"rabble": "5 0x2; 6 1x2", "passed": "01243"}
    state = at_elections(**scene)
    assert (phase(state), state.seat, legal(state)) == ("ELECT", 3, ["tile 5", "tile 6"])
    play(state, "tile 6")
    # T6 first: seat 0 leads the neighbour T5; then T5, with T6 empty.
    assert bosses_on(state, 5) == [0]
    assert bosses_on(state, 6) == [1]
    assert state.control[0].tolist() == [0, 1, 0, 0]
    assert state.control[1].sum() == 0


@pytest.mark.rule("FP-9.5", "FP-16.6")
def test_no_rabble_after_the_special_election():
    state = at_elections(rabble="5 0x2", special=[5])
    assert bosses_on(state, 5) == [0]
    assert state.boss_count.sum() == 1
    assert state.round_number == 3


@pytest.mark.rule("FP-9.6")
def test_all_kinds_of_votes_add_up():
    state = at_elections(
        rabble="6 0x9 1x1", bosses="1 1x1; 2 1x1", flat={1: 3}, v3={1: "r"}, vb={1: 1}
    )
    # 1 + 3 + 3 + 2 = 9 votes.
    assert bosses_on(state, 6) == [0, 1]


@pytest.mark.rule("FP-9.7")
def test_most_votes_win_and_nobody_else():
    assert bosses_on(at_elections(rabble="6 0x3 1x2 2x2"), 6) == [0]
    assert bosses_on(at_elections(rabble="6 0x2 1x2 2x1"), 6) == [0, 1]


@pytest.mark.rule("FP-9.8")
def test_everything_but_the_building_leaves_the_tile():
    state = at_elections(rabble="16 0x3 1x2", bosses="16 2x1; 3 2x1")
    assert rabble_on(state, 16) == [0] * 5
    assert bosses_on(state, 16) == [0]
    assert seats(state, "boss_count") == [1, 0, 1, 0, 0]
    assert state.building_tile[1] == 16
    # Boroughs 11 and 12 before, 3 and 2 rabble back, 1 to the HQ for the boss.
    assert seats(state, "boroughs")[:2] == [13, 14]


@pytest.mark.rule("FP-9.9")
def test_at_most_one_boss_a_seat_and_tile():
    state = at_elections(rabble="5 1x3 2x3", bosses="5 1x1")
    assert bosses_on(state, 5) == [1, 2]
    assert state.boss_count[1] == 1


@pytest.mark.rule("FP-9.10")
def test_no_winner_no_removal():
    state = at_elections(rabble="10 2x1 3x1", bosses="9 3x1 4x1", special=[9])
    assert bosses_on(state, 9) == [3, 4]
    # The neighbour's tied leaders get a point each all the same.
    assert seats(state, "vp") == [0, 0, 1, 1, 0]


@pytest.mark.rule("FP-9.11", "FP-15.4")
def test_limit_of_two_in_every_round_by_default():
    for number in (1, 2, 9):
        state = at_elections(
            "tile 3", "tile 10", rabble="3 0x2; 10 1x2; 14 2x2", round_number=number
        )
        assert bosses_on(state, 14) == []


@pytest.mark.rule("FP-10.1", "FP-10.2")
def test_all_four_neighbours_are_looked_at():
    state = at_elections(rabble="10 4x9; 5 0x1; 9 0x1; 11 1x1; 15 2x1; 0 3x1")
    assert [state.control[s].tolist() for s in range(4)] == [
        [0, 2, 0, 0],
        [0, 0, 0, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
    ]


@pytest.mark.rule("FP-10.3")
def test_each_tied_leader_gets_a_point_and_nobody_else():
    state = at_elections(rabble="10 4x9; 9 0x2 1x2 2x1")
    assert seats(state, "vp") == [1, 1, 0, 0, 0]
    assert state.control.sum() == 0


@pytest.mark.rule("FP-10.4")
def test_bosses_lead_nothing():
    state = at_elections(rabble="10 4x9", bosses="9 0x1; 11 1x1")
    assert state.vp.sum() == 0
    assert state.control.sum() == 0


@pytest.mark.rule("FP-10.5")
def test_nothing_instead_of_a_missing_marker():
    state = at_elections(rabble="10 4x9; 9 0x1; 11 1x1", supply={"g": 0})
    assert state.control[0].sum() == 0
    assert state.vp[0] == 0
    assert state.control[1].tolist() == [0, 0, 0, 1]


@pytest.mark.rule("FP-10.6")
@pytest.mark.parametrize(
    ("rabble", "passed", "winner"),
    [("5 0x1; 9 2x2", "01234", 2), ("5 0x2; 9 2x1", "01234", 0), ("5 0x1; 9 2x1", "21034", 2)],
)
def test_scarce_markers_go_to_the_fuller_tile_then_the_earlier_passer(rabble, passed, winner):
    state = at_elections(rabble=f"10 4x9; {rabble}", passed=passed, supply={"g": 1})
    assert [s for s in range(5) if state.control[s, 1]] == [winner]


@pytest.mark.rule("FP-10.7")
def test_no_awards_after_an_instant_win():
    bosses = "3 1x1; 8 1x1; 12 1x1; 14 1x1"
    state = at_elections(rabble="5 1x3; 6 0x1", bosses=bosses)
    assert GAME.is_over(state)
    assert state.control.sum() == 0


@pytest.mark.rule("FP-6.5", "FP-11.4")
def test_votes_are_gone_after_the_round():
    state = at_markers(row="V1 V3b VB V1", bids="0 0x1; 1 0x1; 2 0x1", hq={0: 3}, rabble="5 1x1")
    assert state.round_number == 3
    assert state.flat_votes.sum() == 0
    assert state.colour_votes.sum() == 0
    assert state.boss_votes.sum() == 0
